//! Two stories of a guest house.

use serde_json::{Value, json};

use super::shop::{TaskShop, of, with};

const PACK: &str = "erp-hospitality";

fn free(found: &Value) -> Value {
    let kinds = found["room_types"].as_array().unwrap();
    let double = kinds.iter().find(|it| it["room_type"] == "Double");
    double.unwrap()["free_all_nights"].clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rooms_are_booked_until_none_is_free() {
    let shop = TaskShop::open().await;
    let mut task = shop.task_with(&[PACK]).await;
    let nights = || json!({ "from": "2026-11-28", "to": "2026-11-30" });
    let book = |guest: &str, rooms: i32| {
        with(
            nights(),
            &json!({ "guest": guest, "room_type": "Double", "rooms": rooms }),
        )
    };
    let found = task
        .ask("What is free?", "room_availability", nights())
        .await;
    assert_eq!(free(&found), 3);
    let made = task
        .does("Two for Jonas Feld.", "book_room", book("Jonas Feld", 2))
        .await;
    let stay = shop.document("Hotel Room Reservation", &made["name"]);
    // Two nights of two rooms at 90: the ERP counts the last day as a night.
    assert_eq!(
        (&stay["to_date"], &stay["net_total"]),
        (&json!("2026-11-29"), &json!(360.0))
    );
    let found = task
        .ask("What is free?", "room_availability", nights())
        .await;
    assert_eq!(free(&found), 3, "a draft takes no room");
    task.submit("Book them.", &stay).await;
    let found = task
        .ask("What is free?", "room_availability", nights())
        .await;
    assert_eq!(free(&found), 1);
    // The house has three such rooms: no two are left, and nobody is asked.
    let before = shop.control().names("Hotel Room Reservation");
    let (_, why) = task
        .refused("Two more for Ida Berg.", "book_room", book("Ida Berg", 2))
        .await;
    assert!(why.contains("2026-11-28: 1, and 2 are asked for"), "{why}");
    assert_eq!(shop.control().names("Hotel Room Reservation"), before);
    shop.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stay_is_sold_and_cancelled() {
    let shop = TaskShop::open().await;
    let mut task = shop.task_with(&[PACK]).await;
    let days = || json!({ "from": "2026-11-24", "to": "2026-11-26" });
    let before = task.ask("How full are we?", "occupancy", days()).await;
    let input = with(
        json!({ "from": "2026-11-24", "to": "2026-11-27" }),
        &json!({ "guest": "Ida Berg", "room_type": "Double", "rooms": 1 }),
    );
    let made = task.does("One for Ida Berg.", "book_room", input).await;
    let stay = shop.document("Hotel Room Reservation", &made["name"]);
    let (_, stay) = task.submit("Book it.", &stay).await;
    let sold = task.ask("And now?", "occupancy", days()).await;
    let nights = |found: &Value| found["room_nights_sold"].as_i64().unwrap();
    assert_eq!(nights(&sold), nights(&before) + 3);
    let revenue = |found: &Value| found["revenue"].as_str().unwrap().to_owned();
    // The row of a new reservation has no currency, so it is not added up with those in euros.
    let with_stay = format!("270.00 of an unknown currency and {}", revenue(&before));
    assert_eq!(revenue(&sold), with_stay);
    let input = with(of(&stay), &json!({ "reason": "Guest is ill" }));
    task.does("She does not come.", "cancel_doc", input).await;
    let stay = shop.document("Hotel Room Reservation", &stay["name"]);
    assert_eq!(stay["docstatus"], 2);
    let after = task.ask("And now?", "occupancy", days()).await;
    assert_eq!(
        (nights(&after), revenue(&after)),
        (nights(&before), revenue(&before))
    );
    shop.close().await;
}
