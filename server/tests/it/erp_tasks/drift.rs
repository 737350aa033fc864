//! What changes between the card and the run, and answers that are lost after the work.

use std::time::Duration;

use protocol::BlockedReason;
use serde_json::json;
use simerp::{SimErpFault, SimErpTrigger};

use super::{
    shop::{MAKER, TaskShop, cents, of, order, with},
    task::{Came, from},
};

const DAY: Duration = Duration::from_secs(86_400);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_document_that_another_person_changed_is_not_submitted() {
    let shop = TaskShop::open().await;
    let mut task = shop.task().await;
    let invoice = shop.find("Sales Invoice", |it| {
        it["customer"] == "Rheinrad" && it["docstatus"] == 0
    });
    let card = task.card("Submit it.", "submit_doc", of(&invoice)).await;
    let name = invoice["name"].as_str().unwrap();
    let change = ("remarks", "wait for Anna");
    shop.control().edit("Sales Invoice", name, Some(change));
    let came = task.approve(&card).await;
    let Came::Blocked(reason, message) = &came else {
        panic!("{came:?}");
    };
    assert_eq!(*reason, BlockedReason::NotVerified);
    assert!(message.contains("has changed"), "{message}");
    assert_eq!(task.writes(), 0);
    // Read again, it is another card.
    let now = shop.document("Sales Invoice", &invoice["name"]);
    task.submit("Submit it as it is now.", &now).await;
    shop.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_another_day_it_is_asked_again() {
    let shop = TaskShop::open().await;
    let mut task = shop.task().await;
    let invoice = shop.find("Sales Invoice", |it| {
        it["customer"] == "Rheinrad" && it["docstatus"] == 0
    });
    let card = task.card("Submit it.", "submit_doc", of(&invoice)).await;
    assert_eq!(card.fact("Posts on"), Some("2026-11-21"));
    shop.clock.advance(DAY);
    let came = task.approve(&card).await;
    let Came::Card(card) = came else {
        panic!("{came:?}");
    };
    assert_eq!(task.writes(), 0);
    let changed = card.shown.changed.as_deref().unwrap();
    assert!(
        changed.contains("2026-11-21") && changed.contains("2026-11-22"),
        "{changed}"
    );
    task.finish(&card).await;
    let lines = shop.all("GL Entry").into_iter();
    let lines: Vec<_> = lines
        .filter(|it| it["voucher_no"] == invoice["name"])
        .collect();
    assert!(!lines.is_empty() && lines.iter().all(|it| it["posting_date"] == "2026-11-22"));
    shop.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn at_another_price_other_lines_would_post_so_it_is_asked_again() {
    let shop = TaskShop::open().await;
    let mut task = shop.task().await;
    let made = task
        .draft("Four locks for Rheinrad.", order("Rheinrad", "LOCK-U", 4.0))
        .await;
    let (_, order) = task.submit("Submit it.", &made).await;
    let note = task.make("Deliver it.", &order, "Delivery Note").await;
    let card = task.card("They have gone.", "submit_doc", of(&note)).await;
    let writes = task.writes();
    // The same goods come in at a multiple of the price, so what goes out costs more.
    shop.clerk_submits(&json!({
        "doctype": "Stock Entry", "stock_entry_type": "Material Receipt", "company": MAKER,
        "items": [{
            "item_code": "LOCK-U", "qty": 50, "t_warehouse": "Stores - AC", "basic_rate": 99,
        }],
    }))
    .await;
    let came = task.approve(&card).await;
    let Came::Card(again) = came else {
        panic!("{came:?}");
    };
    // The clerk's two requests, and none of ours.
    assert_eq!(task.writes(), writes + 2);
    assert_eq!(again.moves(), card.moves());
    assert_ne!(again.lines(), card.lines());
    task.finish(&again).await;
    assert_eq!(shop.lines(&note["name"]), again.lines());
    shop.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_payment_that_comes_in_between_is_another_card() {
    let shop = TaskShop::open().await;
    let mut task = shop.task().await;
    let made = task
        .draft("Four locks for Rheinrad.", order("Rheinrad", "LOCK-U", 4.0))
        .await;
    let (_, order) = task.submit("Submit it.", &made).await;
    let invoice = task.make("Bill it.", &order, "Sales Invoice").await;
    let (_, invoice) = task.submit("Submit the invoice.", &invoice).await;
    let input = with(of(&invoice), &json!({ "reason": "Wrong customer" }));
    let card = task.card("Cancel the invoice.", "cancel_doc", input).await;
    assert!(card.rows("Payments that come loose").is_empty());
    let paid = shop
        .clerk_submits(&json!({
            "doctype": "Payment Entry", "payment_type": "Receive", "company": MAKER,
            "party_type": "Customer", "party": "Rheinrad", "mode_of_payment": "Wire Transfer",
            "paid_from": "1200 - Debtors - AC", "paid_to": "1120 - Main Bank - AC",
            "paid_amount": 100, "received_amount": 100,
            "reference_no": "R-1", "reference_date": "2026-11-21",
            "references": [{
                "reference_doctype": "Sales Invoice", "reference_name": invoice["name"],
                "allocated_amount": 100,
            }],
        }))
        .await;
    let came = task.approve(&card).await;
    let Came::Card(card) = came else {
        panic!("{came:?}");
    };
    let loose = card.rows("Payments that come loose");
    assert_eq!(loose[0][1], paid["name"].as_str().unwrap(), "{loose:?}");
    task.deny(&card).await;
    assert_eq!(
        shop.document("Sales Invoice", &invoice["name"])["docstatus"],
        1
    );
    shop.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn at_another_price_in_the_source_another_draft_is_asked_for() {
    for shop in TaskShop::of_both().await {
        let mut task = shop.task().await;
        let order = shop.find("Sales Order", |it| {
            it["customer"] == "Harbour Wheels" && it["items"][0]["delivered_qty"] == 5.0
        });
        let input = from(&order, "Sales Invoice");
        let card = task.card("Bill it.", "make_from", input).await;
        let writes = task.writes();
        // Updated by somebody in the ERP: each rate of the order is one more.
        let name = order["name"].as_str().unwrap();
        assert!(shop.control().raise_rates("Sales Order", name));
        let came = task.approve(&card).await;
        let Came::Card(again) = came else {
            panic!("{came:?}");
        };
        assert_eq!(task.writes(), writes);
        let changed = again.shown.changed.as_deref().unwrap_or_default();
        assert!(!changed.is_empty(), "{again:?}");
        let made = task.finish(&again).await;
        let invoice = shop.document("Sales Invoice", &made["name"]);
        let rate = |document: &serde_json::Value| cents(&document["items"][0]["rate"]);
        assert_eq!(rate(&invoice), rate(&order) + 100);
        shop.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_open_changes_between_the_card_and_the_draft() {
    let shop = TaskShop::open().await;
    let mut task = shop.task().await;
    let order = shop.find("Sales Order", |it| {
        it["customer"] == "Harbour Wheels" && it["items"][0]["delivered_qty"] == 5.0
    });
    let input = from(&order, "Delivery Note");
    let card = task.card("Deliver the rest.", "make_from", input).await;
    let row = &order["items"][0];
    shop.clerk_submits(&json!({
        "doctype": "Delivery Note", "customer": "Harbour Wheels", "company": MAKER,
        "items": [{
            "item_code": "PUMP", "qty": 3, "warehouse": "Stores - AC", "rate": row["rate"],
            "against_sales_order": order["name"], "so_detail": row["name"],
        }],
    }))
    .await;
    let came = task.approve(&card).await;
    let Came::Card(card) = came else {
        panic!("{came:?}");
    };
    let made = task.finish(&card).await;
    let note = shop.document("Delivery Note", &made["name"]);
    assert_eq!(note["items"][0]["qty"], 2.0);
    shop.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_that_is_lost_after_the_work_is_found_and_not_repeated() {
    let shop = TaskShop::open().await;
    let mut task = shop.task().await;
    let lose = |method: &str, path: &str| {
        let lost = SimErpTrigger::next(path, SimErpFault::LostAfter).of_method(method);
        shop.control().fault(lost);
    };
    let orders = || shop.control().names("Sales Order").len();
    let before = orders();
    lose("POST", "Sales Order");
    let made = task
        .draft(
            "Two pumps for Saale Sport.",
            order("Saale Sport", "PUMP", 2.0),
        )
        .await;
    assert_eq!((orders(), task.writes()), (before + 1, 1));
    lose("POST", "frappe.client.submit");
    let (_, order) = task.submit("Submit it.", &made).await;
    assert_eq!(task.writes(), 2);
    lose("POST", "Delivery Note");
    let note = task.make("Deliver it.", &order, "Delivery Note").await;
    assert_eq!(task.writes(), 3);
    lose("POST", "frappe.client.submit");
    let (_, note) = task.submit("They have gone.", &note).await;
    assert_eq!(task.writes(), 4);
    lose("PUT", "Delivery Note");
    let input = with(of(&note), &json!({ "reason": "Wrong goods" }));
    task.does("Take it back.", "cancel_doc", input).await;
    // The cancellation, and its reason as a comment.
    assert_eq!(task.writes(), 6);
    let effects = shop.control().effects();
    let of_note = effects.iter().filter(|it| it.name == note["name"]).count();
    assert_eq!(of_note, 3, "made, submitted, cancelled");
    assert_eq!(shop.lines(&note["name"]), []);
    shop.close().await;
}
