//! Purchases, and approvals by two people with keys of their own.

use protocol::BlockedReason;
use serde_json::{Value, json};
use simerp::SimErpUser;

use super::{
    shop::{MAKER, TaskShop, cents, draft, fields, of, with},
    task::from,
};

fn purchase() -> Value {
    let head = json!({
        "supplier": "Rimfire Wheels", "company": MAKER, "schedule_date": "2026-12-10",
    });
    let row = json!({ "item_code": "RAW-RIM", "qty": 20, "warehouse": "Raw - AC" });
    draft("Purchase Order", &head, "items", &[row])
}

fn step(document: &Value, action: &str) -> Value {
    with(of(document), &json!({ "action": action }))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn from_a_purchase_order_over_the_receipt_to_the_invoice() {
    let shop = TaskShop::open().await;
    let otto = shop.colleague(SimErpUser::Manager).await;
    let (mut task, mut lead) = (shop.task().await, shop.task_of(&otto, &[]).await);
    let now = |of: &Value| shop.document(of["doctype"].as_str().unwrap(), &of["name"]);
    let stock = || shop.bin("RAW-RIM", "Raw - AC", "actual_qty");
    let before = stock();
    let order = task.draft("Twenty rims of Rimfire.", purchase()).await;
    let input = step(&order, "Request Approval");
    task.does("Ask for approval.", "apply_workflow", input)
        .await;
    let input = step(&now(&order), "Approve");
    lead.does("Approve it.", "apply_workflow", input).await;
    let order = now(&order);
    assert_eq!(
        (&order["docstatus"], &order["modified_by"]),
        (&json!(1), &json!(SimErpUser::Manager.email()))
    );

    let receipt = task
        .make("They are here.", &order, "Purchase Receipt")
        .await;
    let (card, receipt) = task.submit("Take them in.", &receipt).await;
    assert_eq!(shop.moves(&receipt["name"]), card.moves());
    assert_eq!(shop.lines(&receipt["name"]), card.lines());
    assert_eq!(stock(), before + 20.0);

    let bill = task
        .make("Their bill is here.", &receipt, "Purchase Invoice")
        .await;
    let change = json!({ "submitted": false, "fields": fields(&json!({ "bill_no": "RW-1907" })) });
    let input = with(of(&bill), &change);
    task.does("It is RW-1907.", "update_doc", input).await;
    let (card, bill) = task.submit("Book it.", &now(&bill)).await;
    let owed = cents(&bill["outstanding_amount"]);
    let debt = ("2100 - Creditors - AC".to_owned(), 0, owed);
    assert!(card.lines().contains(&debt), "{:?}", card.lines());
    assert_eq!(shop.lines(&bill["name"]), card.lines());
    assert_eq!(now(&order)["status"], "Completed");

    let transfer = json!({ "fields": fields(&json!({
        "reference_no": "OUT-12", "reference_date": "2026-11-21",
    })) });
    let input = with(from(&bill, "Payment Entry"), &transfer);
    let made = task.does("Pay it.", "make_from", input).await;
    let payment = shop.document("Payment Entry", &made["name"]);
    let (card, payment) = task.submit("It is sent.", &payment).await;
    let settled = ("2100 - Creditors - AC".to_owned(), owed, 0);
    assert!(card.lines().contains(&settled), "{:?}", card.lines());
    assert_eq!(shop.lines(&payment["name"]), card.lines());
    assert_eq!(now(&bill)["status"], "Paid");
    shop.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_approval_takes_a_second_person_with_a_key_of_their_own() {
    let shop = TaskShop::open().await;
    let otto = shop.colleague(SimErpUser::Manager).await;
    let (mut task, mut lead) = (shop.task().await, shop.task_of(&otto, &[]).await);
    let now = |order: &Value| shop.document("Purchase Order", &order["name"]);
    let waiting = shop.find("Purchase Order", |it| {
        it["workflow_state"] == "Pending Approval"
    });
    // The site's user has made it, so the ERP does not let that user approve it.
    let input = step(&waiting, "Approve");
    let (reason, error) = task
        .refused("Approve it.", "apply_workflow", input.clone())
        .await;
    assert_eq!(reason, Some(BlockedReason::NotVerified));
    assert!(error.contains("does not let its maker take"), "{error}");
    let card = lead.card("Approve it.", "apply_workflow", input).await;
    assert!(card.risk("erp_sees_robot").is_none());
    lead.finish(&card).await;
    let approved = now(&waiting);
    assert_eq!(
        (&approved["workflow_state"], &approved["docstatus"]),
        (&json!("Approved"), &json!(1))
    );
    assert_eq!(approved["modified_by"], SimErpUser::Manager.email());
    // The bill may come before the goods.
    let bill = lead
        .make("Their bill is here.", &approved, "Purchase Invoice")
        .await;
    assert_eq!(bill["net_total"], approved["net_total"]);

    // What the manager makes with the own key is the manager's: the same rule stops the manager.
    let own = lead.draft("Twenty rims of Rimfire.", purchase()).await;
    assert_eq!(own["owner"], SimErpUser::Manager.email());
    let input = step(&own, "Request Approval");
    lead.does("Ask for approval.", "apply_workflow", input)
        .await;
    let input = step(&now(&own), "Approve");
    let (reason, _) = lead.refused("Approve it.", "apply_workflow", input).await;
    assert_eq!(reason, Some(BlockedReason::NotVerified));
    assert_eq!(now(&own)["docstatus"], 0);
    // What was done under a key is in the ERP's history under its user.
    let effects = shop.control().effects();
    let robot = SimErpUser::Agent.email();
    assert!(effects.iter().all(|it| it.user != robot), "{effects:?}");
    shop.close().await;
}
