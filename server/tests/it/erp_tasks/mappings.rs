//! Drafts out of documents that the other tasks do not make: picking, requests, transfers, offers.

use serde_json::json;

use super::{
    shop::{MAKER, TaskShop, draft, fields, order, with},
    task::from,
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_order_is_picked_and_what_it_needs_is_requested() {
    let shop = TaskShop::open().await;
    let mut task = shop.task().await;
    let made = task
        .draft("Four locks for Rheinrad.", order("Rheinrad", "LOCK-U", 4.0))
        .await;
    let (_, order) = task.submit("Submit it.", &made).await;
    let list = task.make("Have it picked.", &order, "Pick List").await;
    let row = &list["locations"][0];
    assert_eq!(
        (&row["item_code"], &row["qty"], &row["sales_order"]),
        (&json!("LOCK-U"), &json!(4.0), &order["name"])
    );
    assert_eq!(list["docstatus"], 0);
    let part = json!({ "rows": [{ "source_row": order["items"][0]["name"], "qty": 3 }] });
    let input = with(from(&order, "Pick List"), &part);
    let made = task.does("Only three.", "make_from", input).await;
    let list = shop.document("Pick List", &made["name"]);
    assert_eq!(list["locations"][0]["qty"], 3.0);

    let request = task
        .make("Order what it needs.", &order, "Material Request")
        .await;
    let row = &request["items"][0];
    assert_eq!(
        (&row["item_code"], &row["qty"], &row["sales_order"]),
        (&json!("LOCK-U"), &json!(4.0), &order["name"])
    );
    task.submit("Submit it.", &request).await;
    shop.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_for_a_transfer_moves_goods() {
    let shop = TaskShop::open().await;
    let mut task = shop.task().await;
    let head = json!({
        "material_request_type": "Material Transfer", "company": MAKER,
        "schedule_date": "2026-11-30", "set_warehouse": "Shop - AC",
        "set_from_warehouse": "Stores - AC",
    });
    let row = json!({ "item_code": "BELL", "qty": 6 });
    let input = draft("Material Request", &head, "items", &[row]);
    let request = task.draft("The shop needs six bells.", input).await;
    let (_, request) = task.submit("Submit it.", &request).await;
    let shelf = || shop.bin("BELL", "Shop - AC", "actual_qty");
    let before = shelf();
    let entry = task.make("Send them over.", &request, "Stock Entry").await;
    assert_eq!(entry["purpose"], "Material Transfer");
    let (card, entry) = task.submit("They are over.", &entry).await;
    assert_eq!(shop.moves(&entry["name"]), card.moves());
    assert_eq!(shelf(), before + 6.0);
    let request = shop.document("Material Request", &request["name"]);
    assert_eq!(request["status"], "Transferred");
    shop.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_offer_of_a_supplier_becomes_an_order() {
    let shop = TaskShop::open().await;
    let mut task = shop.task().await;
    let head = json!({
        "supplier": "Rimfire Wheels", "company": MAKER, "valid_till": "2026-12-20",
    });
    let row = json!({
        "item_code": "RAW-RIM", "qty": 20, "rate": 13.2, "warehouse": "Raw - AC",
    });
    let input = draft("Supplier Quotation", &head, "items", &[row]);
    let offer = task.draft("Rimfire offers rims at 13.20.", input).await;
    let (_, offer) = task.submit("Take it into the books.", &offer).await;
    let more = json!({ "fields": fields(&json!({ "schedule_date": "2026-12-10" })) });
    let input = with(from(&offer, "Purchase Order"), &more);
    let made = task.does("Order by it.", "make_from", input).await;
    let order = shop.document("Purchase Order", &made["name"]);
    let row = &order["items"][0];
    assert_eq!(
        (&order["supplier"], &row["rate"], &row["supplier_quotation"]),
        (&json!("Rimfire Wheels"), &json!(13.2), &offer["name"])
    );
    shop.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_requested_is_ordered_once() {
    let shop = TaskShop::open().await;
    let mut task = shop.task().await;
    let request = shop.find("Material Request", |it| {
        it["status"] == "Pending" && it["items"][0]["item_code"] == "RAW-BRAKE"
    });
    let input = from(&request, "Purchase Order");
    let supplier = json!({ "fields": fields(&json!({
        "supplier": "Rimfire Wheels", "schedule_date": "2026-12-10",
    })) });
    let input = with(input, &supplier);
    let made = task.does("Order it of Rimfire.", "make_from", input).await;
    let order = shop.document("Purchase Order", &made["name"]);
    let row = &order["items"][0];
    assert_eq!(
        (&row["item_code"], &row["qty"], &row["rate"]),
        (&json!("RAW-BRAKE"), &json!(50.0), &json!(24.8))
    );
    assert_eq!(row["material_request"], request["name"]);
    // A transfer is not bought, and a purchase is not moved.
    let input = from(&request, "Stock Entry");
    task.refused("Move it over.", "make_from", input).await;
    let input = from(&order, "Sales Invoice");
    task.refused("Bill it.", "make_from", input).await;
    shop.close().await;
}
