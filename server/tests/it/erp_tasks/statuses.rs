//! Orders and notes that are closed, held and opened again.

use serde_json::{Value, json};

use super::shop::{MAKER, TaskShop, of, with};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn orders_notes_and_receipts_are_closed_and_opened_again() {
    let shop = TaskShop::open().await;
    let mut task = shop.task().await;
    shop.clerk_submits(&json!({
        "doctype": "Purchase Receipt", "supplier": "Rimfire Wheels", "company": MAKER,
        "items": [{ "item_code": "RAW-RIM", "qty": 5, "rate": 14.5, "warehouse": "Raw - AC" }],
    }))
    .await;
    let of_type = |doctype: &str, status: &str| {
        shop.find(doctype, |it| {
            it["status"] == status && it["company"] == MAKER && it["is_return"] != 1
        })
    };
    let set = |document: &Value, status: &str| {
        let document = shop.document(document["doctype"].as_str().unwrap(), &document["name"]);
        with(of(&document), &json!({ "status": status }))
    };
    for (doctype, open, steps) in [
        (
            "Sales Order",
            "To Deliver and Bill",
            &[
                ("hold", "On Hold"),
                ("reopen", ""),
                ("close", "Closed"),
                ("reopen", ""),
            ][..],
        ),
        (
            "Material Request",
            "Pending",
            &[("stop", "Stopped"), ("reopen", "")],
        ),
        (
            "Delivery Note",
            "To Bill",
            &[("close", "Closed"), ("reopen", "")],
        ),
        (
            "Purchase Receipt",
            "To Bill",
            &[("close", "Closed"), ("reopen", "")],
        ),
    ] {
        let document = of_type(doctype, open);
        for (step, status) in steps {
            let input = set(&document, step);
            let done = task.does("So be it.", "set_order_status", input).await;
            let expect = if status.is_empty() { open } else { status };
            assert_eq!(done["status"], *expect, "{doctype} {step}");
            let stored = shop.document(doctype, &document["name"]);
            assert_eq!(stored["status"], *expect, "{doctype} {step}");
        }
        // Nothing to open: it is.
        let input = set(&document, "reopen");
        task.refused("Once more.", "set_order_status", input).await;
    }
    // No note is held, and no order is stopped.
    for (doctype, open, wrong) in [
        ("Delivery Note", "To Bill", "hold"),
        ("Purchase Receipt", "To Bill", "stop"),
        ("Sales Order", "To Deliver and Bill", "stop"),
        ("Material Request", "Pending", "close"),
    ] {
        let input = set(&of_type(doctype, open), wrong);
        task.refused("So be it.", "set_order_status", input).await;
    }
    shop.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_delivered_of_an_order_that_is_closed() {
    let shop = TaskShop::open().await;
    let mut task = shop.task().await;
    let order = shop.find("Sales Order", |it| {
        it["customer"] == "Harbour Wheels" && it["items"][0]["delivered_qty"] == 5.0
    });
    let reserved = || shop.bin("PUMP", "Stores - AC", "reserved_qty");
    let before = reserved();
    let input = with(
        of(&order),
        &json!({ "status": "close", "reason": "Rest not wanted" }),
    );
    let card = task
        .card("They want no more.", "set_order_status", input)
        .await;
    assert_eq!(card.rows("Open rows")[0], ["PUMP", "10", "5", "5"]);
    task.finish(&card).await;
    assert_eq!(reserved(), before - 5.0);
    let comments = shop.all("Comment").into_iter();
    let mut comments = comments.filter(|it| it["reference_name"] == order["name"]);
    assert!(comments.any(|it| it["content"] == "Rest not wanted"));
    let input = super::task::from(&order, "Delivery Note");
    task.refused("Deliver it all the same.", "make_from", input)
        .await;
    shop.close().await;
}
