//! Two stories of a company that stores and sends.

use serde_json::json;

use super::shop::{MAKER, TaskShop};

const PACK: &str = "erp-distribution";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_can_go_out_goes_out() {
    let shop = TaskShop::open().await;
    let mut task = shop.task_with(&[PACK]).await;
    let input = json!({ "company": MAKER, "customer": "Harbour Wheels" });
    let found = task.ask("What can go?", "orders_to_deliver", input).await;
    let orders = found["orders"].as_array().unwrap();
    let is_ready = |row: &&serde_json::Value| row["item"] == "PUMP" && row["open"] == 5;
    let (order, row) = orders
        .iter()
        .find_map(|order| {
            let mut rows = order["rows"].as_array()?.iter();
            Some((order, rows.find(is_ready)?))
        })
        .unwrap();
    assert_eq!(row["can_go"], 5, "{row}");
    let part = |qty: i32| {
        json!({
            "sales_order": order["sales_order"], "as": "Delivery Note",
            "rows": [{ "source_row": row["source_row"], "qty": qty }],
        })
    };
    task.refused("Send nine.", "prepare_delivery", part(9))
        .await;
    let made = task.does("Send three.", "prepare_delivery", part(3)).await;
    let note = shop.document("Delivery Note", &made["name"]);
    let stock = || shop.bin("PUMP", "Stores - AC", "actual_qty");
    let before = stock();
    let (card, note) = task.submit("They have gone.", &note).await;
    assert_eq!(shop.moves(&note["name"]), card.moves());
    assert_eq!(stock(), before - 3.0);
    let input = json!({
        "sales_order": order["sales_order"], "as": "Pick List",
    });
    let made = task.does("Pick the rest.", "prepare_delivery", input).await;
    let list = shop.document("Pick List", &made["name"]);
    assert_eq!(list["locations"][0]["qty"], 2.0);
    shop.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn goods_are_moved_and_ordered_again() {
    let shop = TaskShop::open().await;
    let mut task = shop.task_with(&[PACK]).await;
    let there = |place: &str| shop.bin("PUMP", place, "actual_qty");
    let before = (there("Stores - AC"), there("Shop - AC"));
    let input = json!({ "item": "PUMP" });
    let found = task.ask("Where are pumps?", "stock_projected", input).await;
    let all = shop.all("Bin").into_iter();
    let all = all.filter(|it| it["item_code"] == "PUMP");
    let all: f64 = all.map(|it| it["actual_qty"].as_f64().unwrap()).sum();
    assert_eq!(found["there"].as_f64(), Some(all));
    let input = json!({
        "company": MAKER, "from": "Stores - AC", "to": "Shop - AC",
        "items": [{ "item": "PUMP", "qty": 4 }],
    });
    let made = task
        .does("Four to the shop.", "prepare_transfer", input)
        .await;
    let entry = shop.document("Stock Entry", &made["name"]);
    let (card, entry) = task.submit("They are over.", &entry).await;
    assert_eq!(shop.moves(&entry["name"]), card.moves());
    let after = (there("Stores - AC"), there("Shop - AC"));
    assert_eq!(after, (before.0 - 4.0, before.1 + 4.0));

    let input = json!({ "company": MAKER, "needed_by": "2026-12-10", "warehouse": "Raw - AC" });
    let made = task
        .does("Reorder.", "prepare_reorder", input.clone())
        .await;
    let request = shop.document("Material Request", &made["name"]);
    let (_, request) = task.submit("Submit it.", &request).await;
    for row in request["items"].as_array().unwrap() {
        let item = row["item_code"].as_str().unwrap();
        let indented = shop.bin(item, "Raw - AC", "indented_qty");
        assert!(indented >= row["qty"].as_f64().unwrap(), "{row}");
    }
    // What is asked for is not asked for again.
    task.refused("Reorder once more.", "prepare_reorder", input)
        .await;
    shop.close().await;
}
