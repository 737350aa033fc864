//! Two stories of a company that sells over the counter.

use std::time::Duration;

use serde_json::json;
use simerp::SimErpUser;

use super::shop::{MAKER, TaskShop, cents, draft};

const PACK: &str = "erp-retail";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_price_is_set_by_who_may_and_counts_from_its_day() {
    let shop = TaskShop::open().await;
    let otto = shop.colleague(SimErpUser::Manager).await;
    let (mut task, mut lead) = (
        shop.task_with(&[PACK]).await,
        shop.task_of(&otto, &[PACK]).await,
    );
    let check = || json!({ "item": "BELL", "qty": 2, "company": MAKER });
    let found = task.ask("What is a bell?", "price_check", check()).await;
    assert_eq!(cents(&found["price"]["rate"]), 790);
    let input = json!({
        "item": "BELL", "price_list": "Retail EUR", "rate": 8.5, "valid_from": "2026-11-23",
    });
    // The site's user has no right to do this, and the manager has.
    task.refused("From Monday 8.50.", "set_item_price", input.clone())
        .await;
    let made = lead
        .does("From Monday 8.50.", "set_item_price", input)
        .await;
    let price = shop.document("Item Price", &made["name"]);
    assert_eq!(
        (&price["price_list_rate"], &price["owner"]),
        (&json!(8.5), &json!(SimErpUser::Manager.email()))
    );
    let found = task.ask("And today?", "price_check", check()).await;
    assert_eq!(cents(&found["price"]["rate"]), 790, "it is not Monday yet");
    shop.clock.advance(Duration::from_secs(2 * 86_400));
    let found = task.ask("And now?", "price_check", check()).await;
    assert_eq!(cents(&found["price"]["rate"]), 850);
    let head = json!({
        "customer": "Saale Sport", "company": MAKER, "delivery_date": "2026-12-10",
    });
    let row = json!({ "item_code": "BELL", "qty": 2, "warehouse": "Shop - AC" });
    let input = draft("Sales Order", &head, "items", &[row]);
    let order = task.draft("Two bells for Saale Sport.", input).await;
    assert_eq!(order["items"][0]["rate"], 8.5);
    shop.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_till_is_looked_at_and_its_shelf_filled() {
    let shop = TaskShop::open().await;
    let mut task = shop.task_with(&[PACK]).await;
    let input = json!({ "profile": "Shop Till", "date": "2026-11-21" });
    let found = task.ask("How is the till?", "pos_day", input).await;
    let invoices = shop.all("POS Invoice").into_iter();
    let invoices = invoices.filter(|it| it["pos_profile"] == "Shop Till" && it["docstatus"] == 1);
    let sold: i64 = invoices.map(|it| cents(&it["grand_total"])).sum();
    assert!(sold > 0);
    assert_eq!(cents(&found["totals"][0]["net"]), sold);

    // The shelf is filled again.
    let shelf = || shop.bin("BELL", "Shop - AC", "actual_qty");
    let before = shelf();
    let head = json!({ "stock_entry_type": "Material Transfer", "company": MAKER });
    let row = json!({
        "item_code": "BELL", "qty": 5, "s_warehouse": "Stores - AC", "t_warehouse": "Shop - AC",
    });
    let input = draft("Stock Entry", &head, "items", &[row]);
    let entry = task.draft("Five bells to the shop.", input).await;
    let (card, entry) = task.submit("They are over.", &entry).await;
    assert_eq!(shop.moves(&entry["name"]), card.moves());
    assert_eq!(shelf(), before + 5.0);
    shop.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_is_counted_and_its_sales_come_into_the_books() {
    for shop in TaskShop::of_both().await {
        let mut task = shop.task_with(&[PACK]).await;
        let opening = shop.find("POS Opening Entry", |it| it["status"] == "Open");
        let counted =
            |mode: &str, amount: f64| json!({ "mode_of_payment": mode, "amount": amount });
        let input = json!({
            "opening_entry": opening["name"],
            "counted": [counted("Cash", 187.5), counted("Credit Card", 49.9)],
        });
        let made = task
            .does(
                "187.50 in cash, 49.90 by card.",
                "prepare_pos_closing",
                input,
            )
            .await;
        let closing = shop.document("POS Closing Entry", &made["name"]);
        let (card, closing) = task.submit("Close it.", &closing).await;
        let till = card.rows("Payment Reconciliation");
        assert_eq!(till[0].last().map(String::as_str), Some("-0.10"));
        let shown = card.rows("Accounting ledger, added up over the sales");
        assert!(!shown.is_empty());
        let invoices = shop.all("Sales Invoice").into_iter();
        let invoices = invoices.filter(|it| it["is_consolidated"] == 1);
        let lines: Vec<_> = invoices.flat_map(|it| shop.lines(&it["name"])).collect();
        for row in shown {
            let amount = |text: &str| cents(&json!(text.replace(',', "").parse::<f64>().ok()));
            let of = lines.iter().filter(|it| it.0 == row[0]);
            let sums = of.fold((0, 0), |sum, it| (sum.0 + it.1, sum.1 + it.2));
            let side = if row[1].is_empty() { sums.1 } else { sums.0 };
            let own = amount(&row[1]).max(amount(&row[2]));
            assert_eq!(own, side, "{row:?}");
        }
        let opening = shop.document("POS Opening Entry", &opening["name"]);
        assert_eq!(
            (&opening["status"], &opening["pos_closing_entry"]),
            (&json!("Closed"), &closing["name"])
        );
        shop.close().await;
    }
}
