//! What is asked for in any case, and what nobody can approve.

use protocol::BlockedReason;
use serde_json::{Value, json};

use super::{
    shop::{MAKER, TaskShop, draft, fields, of, with},
    task::{Came, from},
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_back_dated_submit_is_grave_and_typed() {
    let shop = TaskShop::open().await;
    let mut task = shop.task().await;
    let head = json!({
        "customer": "Saale Sport", "company": MAKER,
        "set_posting_time": 1, "posting_date": "2026-10-12", "due_date": "2026-11-30",
    });
    let row = json!({ "item_code": "SRV-REPAIR", "qty": 2 });
    let input = draft("Sales Invoice", &head, "items", &[row]);
    let invoice = task.draft("Two hours, of October.", input).await;
    let card = task.card("Submit it.", "submit_doc", of(&invoice)).await;
    let day = card.risk("day").expect("the day is a risk");
    assert!(day.contains("12 Oct 2026"), "{day}");
    let level = card.shown.risk.as_ref().map(|it| it.level);
    assert_eq!(level, Some(protocol::RiskWeight::Grave));
    assert!(!card.shown.grantable && card.word().is_some());
    task.mistype(&card, "submit").await;
    task.finish(&card).await;
    let lines = shop.all("GL Entry").into_iter();
    let mut lines = lines.filter(|it| it["voucher_no"] == invoice["name"]);
    assert!(lines.all(|it| it["posting_date"] == "2026-10-12"));

    // What is closed cannot even be shown, so it cannot be approved.
    let change = json!({ "posting_date": "2026-08-12" });
    let head = with(head, &change);
    let row = json!({ "item_code": "SRV-REPAIR", "qty": 2 });
    let input = draft("Sales Invoice", &head, "items", &[row]);
    let invoice = task.draft("And of August.", input).await;
    let (reason, _) = task.refused("Submit it.", "submit_doc", of(&invoice)).await;
    assert_eq!(reason, Some(BlockedReason::NotVerified));
    shop.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn drafts_run_unasked_but_for_large_ones_and_discounts() {
    let shop = TaskShop::open_with("drafts = \"act\"").await;
    let mut task = shop.task().await;
    let priced = |qty: i32, more: &Value| {
        let head = json!({
            "customer": "Harbour Wheels", "company": MAKER, "delivery_date": "2026-12-10",
        });
        let row = json!({ "item_code": "PUMP", "qty": qty, "rate": 22.9 });
        draft("Sales Order", &head, "items", &[with(row, more)])
    };
    let words = "Draft an order of Aldergate Cycles for Harbour Wheels: 3 PUMP at 22.9.";
    let came = task.say(words, "create_doc", priced(3, &json!({}))).await;
    let Came::Done(made) = came else {
        panic!("the person's own words are enough: {came:?}");
    };
    let made = shop.document("Sales Order", &made["name"]);
    assert_eq!(
        (&made["docstatus"], &made["net_total"]),
        (&json!(0), &json!(68.7))
    );
    for (words, input, why) in [
        (
            "3 PUMP at 22.9 for Harbour Wheels, with a discount of 20 percent.",
            priced(3, &json!({ "discount_percentage": 20 })),
            "discount",
        ),
        (
            "90 PUMP at 22.9 for Harbour Wheels.",
            priced(90, &json!({})),
            "above 1,000.00",
        ),
        (
            "-3 PUMP at 22.9 for Harbour Wheels.",
            priced(-3, &json!({})),
            "negative",
        ),
    ] {
        let card = task.card(words, "create_doc", input).await;
        let told = card.shown.risks.join("\n");
        assert!(told.contains(why), "{why}: {told}");
        task.deny(&card).await;
    }
    // A name that the person did not say is no word of the person's.
    let input = draft(
        "Sales Order",
        &json!({ "customer": "Kestrel Cycles", "company": MAKER, "delivery_date": "2026-12-10" }),
        "items",
        &[json!({ "item_code": "PUMP", "qty": 3, "rate": 22.9 })],
    );
    let card = task
        .card("Another one like that.", "create_doc", input)
        .await;
    task.deny(&card).await;
    shop.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_protected_is_not_written() {
    let shop = TaskShop::open_with(
        "protected = [\"company/Aldergate Trading\", \"account/1200 - Debtors - AC\"]",
    )
    .await;
    let mut task = shop.task().await;
    let head = json!({
        "customer": "Prairie Cyclery", "company": "Aldergate Trading", "delivery_date": "2026-12-10",
    });
    let row = json!({ "item_code": "PUMP", "qty": 3, "warehouse": "Stores - AT" });
    let input = draft("Sales Order", &head, "items", &[row]);
    let (reason, _) = task
        .refused("Three pumps for Prairie Cyclery.", "create_doc", input)
        .await;
    assert_eq!(reason, Some(BlockedReason::Protected));
    // Which company it is only the ERP tells, and which account only the ledger.
    let other = shop.find("Sales Invoice", |it| {
        it["company"] == "Aldergate Trading" && it["docstatus"] == 1
    });
    let input = with(of(&other), &json!({ "reason": "Wrong" }));
    task.refused("Cancel it.", "cancel_doc", input).await;
    let own = shop.find("Sales Invoice", |it| {
        it["company"] == MAKER && it["docstatus"] == 0
    });
    task.refused("Submit the one of Rheinrad.", "submit_doc", of(&own))
        .await;
    // Reading is not writing.
    let input = json!({ "doctype": "Sales Invoice", "name": other["name"] });
    task.ask("What does it say?", "get_doc", input).await;
    shop.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_may_do_what_is_never_written_and_nothing_is_ever_deleted() {
    let shop = TaskShop::open_with("black_types = [\"pricing rule\"]").await;
    let mut task = shop.task().await;
    let modified = "2026-11-21 10:00:00.000000";
    for doctype in [
        "User",
        "Workflow",
        "Server Script",
        "Custom Field",
        "Webhook",
        "Role",
        "Accounts Settings",
        // One that this installation has added.
        "Pricing Rule",
    ] {
        let create = json!({ "doctype": doctype, "fields": fields(&json!({ "enabled": 1 })) });
        let named = json!({ "doctype": doctype, "name": "x", "modified": modified });
        for (tool, input) in [
            ("create_doc", create),
            (
                "update_doc",
                with(
                    named.clone(),
                    &json!({ "submitted": false, "fields": fields(&json!({ "enabled": 1 })) }),
                ),
            ),
            ("submit_doc", named.clone()),
            ("cancel_doc", with(named, &json!({ "reason": "Wrong" }))),
        ] {
            let (reason, _) = task.refused("Do it.", tool, input).await;
            assert_eq!(reason, Some(BlockedReason::Tier), "{tool} {doctype}");
        }
    }
    let order = shop.find("Sales Order", |it| it["docstatus"] == 0);
    let input = json!({ "doctype": "Sales Order", "name": order["name"] });
    let (reason, _) = task.refused("Delete it.", "delete_doc", input).await;
    assert_eq!(reason, Some(BlockedReason::Tier));
    assert_eq!(shop.document("Sales Order", &order["name"]), order);
    // Secrets are not read either.
    let input = json!({ "doctype": "User", "name": "boss@aldergate.example" });
    task.refused("Who is the boss?", "get_doc", input).await;
    shop.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_payment_to_bank_details_of_yesterday_is_flagged() {
    let shop = TaskShop::open().await;
    let mut task = shop.task().await;
    let order = |supplier: &str| {
        shop.find("Purchase Order", |it| {
            it["supplier"] == supplier && it["docstatus"] == 1 && it["company"] == MAKER
        })
    };
    let transfer = json!({ "fields": fields(&json!({
        "reference_no": "T-1", "reference_date": "2026-11-21",
    })) });
    let pay = |supplier: &str| with(from(&order(supplier), "Payment Entry"), &transfer);
    let input = pay("Tubal Metals");
    let card = task.card("Pay Tubal Metals.", "make_from", input).await;
    assert!(card.risk("bank_changed").is_some(), "{:?}", card.shown.risk);
    assert_eq!(card.word(), Some("Tubal Metals"));
    task.mistype(&card, "Rimfire Wheels").await;
    let made = task.finish(&card).await;
    let payment = shop.document("Payment Entry", &made["name"]);
    let card = task.card("Submit it.", "submit_doc", of(&payment)).await;
    assert!(card.risk("bank_changed").is_some() && card.word().is_some());
    task.deny(&card).await;
    assert_eq!(shop.lines(&payment["name"]), []);
    // One whose details are old is paid with a hold.
    let input = pay("Rimfire Wheels");
    let card = task.card("Pay Rimfire Wheels.", "make_from", input).await;
    assert!(card.risk("bank_changed").is_none() && card.word().is_none());
    task.deny(&card).await;
    shop.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_order_beyond_the_credit_limit_is_told_before() {
    let shop = TaskShop::open().await;
    let mut task = shop.task().await;
    let order = shop.find("Sales Order", |it| it["po_no"] == "KC-4711");
    let card = task.card("Submit KC-4711.", "submit_doc", of(&order)).await;
    assert!(card.risk("credit").is_some(), "{:?}", card.shown.risk);
    // The ERP itself refuses it in the end, and says so in its words.
    let came = task.approve(&card).await;
    assert!(
        matches!(&came, Came::Failed(error) if error.message.contains("Credit limit")),
        "{came:?}"
    );
    assert_eq!(shop.document("Sales Order", &order["name"])["docstatus"], 0);
    // Large, it would have been typed: it is above the second limit.
    assert!(card.word().is_some());
    let small = super::shop::order("Kestrel Cycles", "PUMP", 1.0);
    let made = task.draft("One pump for Kestrel Cycles.", small).await;
    let card = task.card("Submit that.", "submit_doc", of(&made)).await;
    assert!(card.word().is_none(), "{:?}", card.shown.risk);
    shop.close().await;
}
