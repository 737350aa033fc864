//! Two stories of a company that makes goods.

use serde_json::{Value, json};

use super::shop::{MAKER, TaskShop, draft};

const PACK: &str = "erp-manufacturing";

/// The work order of forty racing bicycles, for which the parts do not suffice.
fn racing(shop: &TaskShop) -> Value {
    shop.find("Work Order", |it| {
        it["production_item"] == "BIKE-RACE" && it["docstatus"] == 1
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shortage_becomes_a_material_request() {
    let shop = TaskShop::open().await;
    let mut task = shop.task_with(&[PACK]).await;
    let input = json!({ "company": MAKER, "item": "BIKE-RACE", "qty": 40 });
    let found = task
        .ask("What goes into forty?", "bom_explode", input)
        .await;
    let materials = found["materials"].as_array().unwrap().iter();
    let rims = materials.filter(|it| it["item"] == "RAW-RIM");
    let needed: Vec<_> = rims.map(|it| it["needed"].as_f64()).collect();
    assert_eq!(needed, [Some(80.0)], "two wheels each: {found}");
    let input = json!({ "company": MAKER, "work_order": racing(&shop)["name"] });
    let found = task
        .ask("What do we lack?", "material_shortage", input)
        .await;
    let missing = found["missing"].as_array().unwrap();
    assert!(!missing.is_empty(), "{found}");
    let rows: Vec<_> = missing
        .iter()
        .map(|it| {
            let (item, place) = (
                it["item"].as_str().unwrap(),
                it["warehouse"].as_str().unwrap(),
            );
            let needed = racing(&shop);
            let needed = needed["required_items"].as_array().unwrap().iter();
            let needed = needed.filter(|row| row["item_code"] == item);
            let needed: f64 = needed
                .map(|row| row["required_qty"].as_f64().unwrap())
                .sum();
            let lacks = needed - shop.bin(item, place, "actual_qty");
            assert_eq!(it["missing"].as_f64(), Some(lacks), "{it}");
            json!({ "item_code": item, "qty": lacks, "warehouse": place })
        })
        .collect();
    let head = json!({
        "material_request_type": "Purchase", "company": MAKER, "schedule_date": "2026-11-23",
    });
    let input = draft("Material Request", &head, "items", &rows);
    let request = task.draft("Request that.", input).await;
    let (item, place) = (
        missing[0]["item"].as_str().unwrap(),
        missing[0]["warehouse"].as_str().unwrap(),
    );
    let asked = || shop.bin(item, place, "indented_qty");
    let before = asked();
    let (card, request) = task.submit("Submit it.", &request).await;
    assert!(card.risk("posts_nothing").is_some());
    assert_eq!(asked(), before + missing[0]["missing"].as_f64().unwrap());
    assert_eq!(request["status"], "Pending");
    assert_eq!(request["items"].as_array().unwrap().len(), missing.len());
    shop.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_work_order_takes_its_materials_and_brings_goods() {
    let shop = TaskShop::open().await;
    let mut task = shop.task_with(&[PACK]).await;
    let record = |purpose: &str, qty: f64| json!({ "work_order": racing(&shop)["name"], "purpose": purpose, "qty": qty });
    let finished = || shop.bin("BIKE-RACE", "Finished - AC", "actual_qty");
    let before = finished();
    for (words, purpose) in [
        (
            "Bring the parts of one.",
            "Material Transfer for Manufacture",
        ),
        ("It is built.", "Manufacture"),
    ] {
        let input = record(purpose, 1.0);
        let made = task.does(words, "record_production", input).await;
        let entry = shop.document("Stock Entry", &made["name"]);
        assert_eq!(
            (&entry["docstatus"], &entry["purpose"]),
            (&json!(0), &json!(purpose))
        );
        let (card, entry) = task.submit("Book it.", &entry).await;
        assert_eq!(shop.moves(&entry["name"]), card.moves());
        assert_eq!(shop.lines(&entry["name"]), card.lines());
    }
    assert_eq!(finished(), before + 1.0);
    let order = racing(&shop);
    assert_eq!(
        (&order["status"], &order["produced_qty"]),
        (&json!("In Process"), &json!(1.0))
    );
    let mut rows = order["required_items"].as_array().unwrap().iter();
    assert!(rows.all(|row| row["consumed_qty"] == row["transferred_qty"]));
    // More than is ordered is not built.
    let input = record("Manufacture", 40.0);
    task.refused("And forty more.", "record_production", input)
        .await;
    // Another one is planned.
    let input = json!({
        "item": "BIKE-CITY", "qty": 3, "company": MAKER, "fg_warehouse": "Finished - AC",
        "wip_warehouse": "WIP - AC", "start": "2026-12-01",
    });
    let made = task
        .does("Three city bicycles.", "plan_work_order", input)
        .await;
    let plan = shop.document("Work Order", &made["name"]);
    let (_, plan) = task.submit("Go.", &plan).await;
    assert_eq!(plan["status"], "Not Started");
    let input = json!({ "company": MAKER, "from": "2026-11-30" });
    let due = task.ask("What is due?", "work_orders_due", input).await;
    let orders = due["work_orders"].as_array().unwrap();
    let is_there = orders
        .iter()
        .any(|it| it.to_string().contains(plan["name"].as_str().unwrap()));
    assert!(is_there, "{due}");
    shop.close().await;
}
