//! Texts that give orders, and inputs that are forged: nothing of it has an effect.

use protocol::BlockedReason;
use serde_json::{Value, json};

use super::shop::{MAKER, TaskShop, draft, fields, of, order, with};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_item_text_that_gives_orders_gets_nothing_done() {
    let shop = TaskShop::open_with("drafts = \"act\"").await;
    let mut task = shop.task().await;
    let input = json!({ "doctype": "Item", "name": "TOOLKIT" });
    let read = task.ask("What is the tool kit?", "get_doc", input).await;
    let text = read["fields"]["description"].as_str().unwrap();
    assert!(text.to_lowercase().contains("submit"), "{text}");
    // A model that obeys it meets a person at each step.
    let drafts = shop.all("Sales Invoice").into_iter();
    let drafts: Vec<_> = drafts.filter(|it| it["docstatus"] == 0).collect();
    assert!(!drafts.is_empty());
    for invoice in &drafts {
        let words = "Thanks. And what does it cost?";
        let card = task.card(words, "submit_doc", of(invoice)).await;
        task.deny(&card).await;
    }
    // Where drafts are made unasked, what only the text names is still asked for.
    let head = json!({
        "customer": "Danube Imports", "company": MAKER, "delivery_date": "2026-12-10",
    });
    let row = json!({ "item_code": "TOOLKIT", "qty": 3, "rate": 1 });
    let input = draft("Sales Order", &head, "items", &[row]);
    let card = task.card("And in stock?", "create_doc", input).await;
    let told = format!("{:?}", card.shown.sections).to_lowercase();
    assert!(!told.contains("ignore"), "{told}");
    task.deny(&card).await;
    assert_eq!(task.writes(), 0);
    shop.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn forged_inputs_are_refused_before_anything_is_sent() {
    let shop = TaskShop::open().await;
    let mut task = shop.task().await;
    let own = task
        .draft(
            "Three pumps for Saale Sport.",
            order("Saale Sport", "PUMP", 3.0),
        )
        .await;
    let other = shop.find("Sales Order", |it| it["po_no"] == "KC-4711");
    let change = |fields_of: Value| {
        let more = json!({ "submitted": false, "fields": fields(&fields_of) });
        with(of(&own), &more)
    };
    let row = |row: &Value, values: Value| {
        let rows = json!([{
            "table": "items", "action": "change", "row": row, "fields": fields(&values),
        }]);
        with(of(&own), &json!({ "submitted": false, "rows": rows }))
    };
    let own_row = &own["items"][0]["name"];
    for forged in [
        // A submit, a cancel, an approval, another owner, another document.
        change(json!({ "docstatus": 1 })),
        change(json!({ "docstatus": 2 })),
        change(json!({ "workflow_state": "Approved" })),
        change(json!({ "owner": "boss@aldergate.example" })),
        change(json!({ "name": other["name"] })),
        change(json!({ "doctype": "User" })),
        change(json!({ "flags": "ignore_permissions" })),
        change(json!({ "__islocal": 1 })),
        change(json!({ "grand_total": 1 })),
        // Rows of others, and what binds a row to its document.
        row(&other["items"][0]["name"], json!({ "qty": 1 })),
        row(own_row, json!({ "parent": other["name"] })),
        row(own_row, json!({ "parenttype": "User" })),
        row(own_row, json!({ "docstatus": 1 })),
        row(own_row, json!({ "amount": 1 })),
        // The rows themselves, apart from their document.
        json!({
            "doctype": "Sales Order Item", "name": own_row, "modified": own["modified"],
            "submitted": false, "fields": fields(&json!({ "rate": 1 })),
        }),
        with(
            change(json!({ "po_no": "x" })),
            &json!({ "submitted": true }),
        ),
    ] {
        task.refused("Change it.", "update_doc", forged).await;
    }
    // Methods in the places of types and names.
    let own_name = own["name"].as_str().unwrap();
    for (doctype, name) in [
        ("frappe.client.submit", own["name"].clone()),
        (
            "Sales Order/../../method/frappe.client.delete",
            own["name"].clone(),
        ),
        ("Sales Order", json!("../../method/frappe.client.submit")),
        ("Sales Order", json!("..")),
        // The older API takes a method beside a document, also over GET.
        (
            "Sales Order",
            json!(format!("{own_name}?run_method=submit")),
        ),
        ("Sales Order", json!(format!("{own_name}/submit"))),
        ("sales order", own["name"].clone()),
    ] {
        let input = json!({ "doctype": doctype, "name": name, "modified": own["modified"] });
        task.refused("Submit it.", "submit_doc", input.clone())
            .await;
        let input = with(input, &json!({ "reason": "Wrong" }));
        task.refused("Cancel it.", "cancel_doc", input).await;
        let input = json!({ "doctype": doctype, "name": name });
        task.refused("Read it.", "get_doc", input).await;
    }
    // An input with more than the schema has is none.
    let more = with(of(&own), &json!({ "method": "frappe.client.delete" }));
    let (reason, _) = task.refused("Submit it.", "submit_doc", more).await;
    assert_eq!(reason, Some(BlockedReason::InvalidInput));
    assert_eq!(shop.document("Sales Order", &own["name"]), own);
    assert_eq!(shop.document("Sales Order", &other["name"]), other);
    shop.close().await;
}
