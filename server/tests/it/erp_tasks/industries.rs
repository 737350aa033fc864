//! Stories of the packs to their end: hours to their invoice, and a work order that is stopped.

use serde_json::{Value, json};

use super::shop::{TaskShop, cents, of, with};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hours_are_billed_once() {
    let shop = TaskShop::open().await;
    let mut task = shop.task_with(&["erp-services"]).await;
    let project = shop.find("Project", |it| it["project_name"] == "Rental Fleet");
    let unbilled =
        || json!({ "project": project["name"], "from": "2026-11-01", "to": "2026-11-30" });
    let found = task
        .ask("What is not billed?", "unbilled_time", unbilled())
        .await;
    let open = cents(&found["totals"][0]["amount"]);
    let input = json!({ "project": project["name"], "item": "SRV-REPAIR" });
    let made = task
        .does("Bill it.", "prepare_project_invoice", input.clone())
        .await;
    let invoice = shop.document("Sales Invoice", &made["name"]);
    assert_eq!(
        (
            cents(&invoice["net_total"]),
            &invoice["customer"],
            &invoice["docstatus"]
        ),
        (open, &project["customer"], &json!(0))
    );
    let (card, invoice) = task.submit("Submit it.", &invoice).await;
    assert_eq!(shop.lines(&invoice["name"]), card.lines());
    let billed = || {
        let sheets = shop.all("Timesheet").into_iter();
        let rows = sheets.flat_map(|it| it["time_logs"].as_array().unwrap().clone());
        let rows = rows.filter(|row| row["sales_invoice"] == invoice["name"]);
        rows.map(|row| cents(&row["billing_amount"])).sum::<i64>()
    };
    assert_eq!(billed(), open);
    let found = task.ask("And now?", "unbilled_time", unbilled()).await;
    assert_eq!(found["totals"], json!([]));
    // Nothing is billed twice.
    task.refused("Bill it again.", "prepare_project_invoice", input)
        .await;
    // Taken back, the hours are open again.
    let input = with(of(&invoice), &json!({ "reason": "Wrong rate" }));
    task.does("Take it back.", "cancel_doc", input).await;
    assert_eq!(billed(), 0);
    let found = task.ask("And now?", "unbilled_time", unbilled()).await;
    assert_eq!(cents(&found["totals"][0]["amount"]), open);
    shop.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_made_for_a_work_order_that_is_stopped() {
    let shop = TaskShop::open().await;
    let mut task = shop.task_with(&["erp-manufacturing"]).await;
    let order = || {
        shop.find("Work Order", |it| {
            it["production_item"] == "BIKE-RACE" && it["docstatus"] == 1
        })
    };
    let set = |order: &Value, action: &str| {
        json!({
            "work_order": order["name"], "modified": order["modified"], "action": action,
        })
    };
    let make = json!({
        "work_order": order()["name"], "purpose": "Material Transfer for Manufacture", "qty": 1,
    });
    let input = set(&order(), "stop");
    task.does("Stop it.", "stop_work_order", input.clone())
        .await;
    assert_eq!(order()["status"], "Stopped");
    task.refused("Bring the parts.", "record_production", make.clone())
        .await;
    // It is another one now than when it was read.
    task.refused("Stop it again.", "stop_work_order", input)
        .await;
    let input = set(&order(), "resume");
    task.does("Go on.", "stop_work_order", input).await;
    assert_eq!(order()["status"], "Not Started");
    task.does("Bring the parts.", "record_production", make)
        .await;
    shop.close().await;
}
