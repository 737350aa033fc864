//! Customers, and the way from an order to its payment.

use serde_json::json;

use super::{
    shop::{MAKER, TaskShop, cents, draft, fields, of, order, with},
    task::from,
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_customer_owes_is_read_and_nothing_else() {
    let shop = TaskShop::open().await;
    let mut task = shop.task().await;
    let before = shop.control().digest();
    let input = json!({ "doctype": "Customer", "text": "Merlin" });
    let found = task.ask("Who is Merlin?", "find_link", input).await;
    assert_eq!(found["matches"][0]["name"], "Merlin Bikes");
    let input = json!({ "party_type": "Customer", "party": "Merlin Bikes", "company": MAKER });
    let told = task.ask("What do they owe?", "party_summary", input).await;

    let lines = shop.all("GL Entry").into_iter().filter(|it| {
        it["party"] == "Merlin Bikes" && it["company"] == MAKER && it["is_cancelled"] == 0
    });
    let owed: i64 = lines
        .map(|it| cents(&it["debit"]) - cents(&it["credit"]))
        .sum();
    assert_eq!(cents(&told["balance"]["value"]), owed);
    let invoices = shop.all("Sales Invoice").into_iter();
    let late = invoices.filter(|it| it["customer"] == "Merlin Bikes" && it["status"] == "Overdue");
    let late: i64 = late.map(|it| cents(&it["outstanding_amount"])).sum();
    assert!(late > 0);
    assert_eq!(cents(&told["open_invoices"]["overdue"]), late);

    let filter = |name: &str, value: &str| json!({ "name": name, "value": value });
    let filters = json!([
        filter("company", MAKER),
        filter("report_date", "2026-11-21"),
        filter("range", "30, 60, 90, 120"),
    ]);
    let input = json!({ "report": "Accounts Receivable", "filters": filters, "limit": 200 });
    task.ask("And all the others?", "run_report", input).await;
    assert_eq!(task.writes(), 0);
    assert_eq!(shop.control().digest(), before);
    shop.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_customers_with_nearly_the_same_name_it_is_the_one_that_was_meant() {
    let shop = TaskShop::open().await;
    let mut task = shop.task().await;
    let inexact = order("kestrel cycles gmbh", "PUMP", 2.0);
    let (_, error) = task
        .refused("Two pumps for Kestrel.", "create_doc", inexact)
        .await;
    assert!(error.contains("Kestrel Cycles GmbH"), "{error}");
    let input = json!({ "doctype": "Customer", "text": "Kestrel" });
    let found = task.ask("Which ones are there?", "find_link", input).await;
    let names: Vec<_> = found["matches"].as_array().unwrap().iter().collect();
    assert_eq!(names.len(), 2, "{found}");
    let before = shop.control().names("Sales Order").len();
    let input = order("Kestrel Cycles GmbH", "PUMP", 2.0);
    let card = task
        .card("The one in the south, the GmbH.", "create_doc", input)
        .await;
    assert!(card.shown.sentence.contains("Kestrel Cycles GmbH"));
    let made = task.finish(&card).await;
    let made = shop.document("Sales Order", &made["name"]);
    assert_eq!(
        (&made["customer"], &made["territory"], &made["docstatus"]),
        (&json!("Kestrel Cycles GmbH"), &json!("South"), &json!(0))
    );
    assert_eq!(shop.control().names("Sales Order").len(), before + 1);
    shop.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_customer_owes_and_why_an_order_is_not_delivered_is_one_message() {
    let shop = TaskShop::open().await;
    let order = shop.find("Sales Order", |it| {
        it["customer"] == "Harbour Wheels" && it["items"][0]["delivered_qty"] == 5.0
    });
    let order = order["name"].as_str().unwrap();
    let owes = "What does Kestrel owe us";
    let owed = "Kestrel Cycles owes Aldergate Cycles ";
    let why = format!("is sales order {order} not delivered?");
    let is = format!("Sales Order {order} is To Deliver and Bill, 50 % delivered, 0 % billed");
    let writes = shop.task().await.writes();
    for (question, tools, says) in [
        (
            format!("{owes}, and why {why}"),
            ["party_summary", "trace_doc"],
            [owed, &is],
        ),
        (
            format!("Why {why} {owes}?"),
            ["trace_doc", "party_summary"],
            [&is, owed],
        ),
    ] {
        let (called, answer) = shop.task().await.ask_freely(&question).await;
        assert_eq!(called, tools, "{answer}");
        let mut lines = answer.split("\n\n");
        for expect in says {
            let line = lines.next().unwrap_or_default();
            assert!(line.starts_with(expect), "{expect}: {answer}");
        }
        assert!(answer.contains("Delivery Note MAT-DN-"), "{answer}");
        // The question does not say which one, so the answer names both.
        assert!(answer.contains("Kestrel Cycles GmbH owes"), "{answer}");
    }
    assert_eq!(shop.task().await.writes(), writes);
    shop.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_order_is_drafted_its_rate_changed_and_submitted() {
    let shop = TaskShop::open().await;
    let mut task = shop.task().await;
    let reserved = || shop.bin("PUMP", "Stores - AC", "reserved_qty");
    let before = reserved();
    let input = order("Harbour Wheels", "PUMP", 3.0);
    let made = task.draft("Three pumps for Harbour Wheels.", input).await;
    assert_eq!(made["items"][0]["rate"], 22.9);
    let change = json!({ "submitted": false, "rows": [{
        "table": "items", "action": "change", "row": made["items"][0]["name"],
        "fields": fields(&json!({ "rate": 20.5 })),
    }] });
    let input = with(of(&made), &change);
    let card = task.card("At 20.50.", "update_doc", input).await;
    assert!(
        card.changes()
            .iter()
            .any(|it| it.ends_with("Rate: 22.90 EUR")),
        "{:?}",
        card.changes()
    );
    // The person knows better, and says so on the card.
    let card = task
        .edit(&card, |input| {
            input["rows"][0]["fields"][0]["value"] = json!(20);
        })
        .await;
    assert!(
        card.changes()
            .iter()
            .any(|it| it.ends_with("Rate: 20.00 EUR")),
        "{:?}",
        card.changes()
    );
    task.finish(&card).await;
    let made = shop.document("Sales Order", &made["name"]);
    let row = &made["items"][0];
    assert_eq!(
        (&row["rate"], &made["net_total"]),
        (&json!(20.0), &json!(60.0))
    );
    assert_eq!(reserved(), before, "a draft reserves nothing");
    let (card, _) = task.submit("Submit it.", &made).await;
    assert!(card.risk("posts_nothing").is_some());
    assert_eq!(reserved(), before + 3.0);
    shop.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn from_an_order_over_delivery_and_invoice_to_the_payment() {
    for shop in TaskShop::of_both().await {
        let mut task = shop.task().await;
        let stock = || shop.bin("LOCK-U", "Stores - AC", "actual_qty");
        let before = stock();
        let input = order("Harbour Wheels", "LOCK-U", 4.0);
        let made = task.draft("Four locks for Harbour Wheels.", input).await;
        let (_, order) = task.submit("Submit the order.", &made).await;

        let note = task.make("Deliver it.", &order, "Delivery Note").await;
        assert_eq!(stock(), before, "a draft moves nothing");
        let (card, note) = task.submit("They have gone.", &note).await;
        let out = ("LOCK-U".to_owned(), "Stores - AC".to_owned(), -4.0);
        assert_eq!(card.moves(), [out]);
        assert_eq!(shop.moves(&note["name"]), card.moves());
        assert_eq!(shop.lines(&note["name"]), card.lines());
        assert_eq!(stock(), before - 4.0);

        let invoice = task.make("Bill it.", &note, "Sales Invoice").await;
        let (card, invoice) = task.submit("Submit the invoice.", &invoice).await;
        assert_eq!(shop.lines(&invoice["name"]), card.lines());
        let owed = cents(&invoice["outstanding_amount"]);
        let claim = ("1200 - Debtors - AC".to_owned(), owed, 0);
        assert!(card.lines().contains(&claim), "{:?}", card.lines());

        let transfer = json!({ "fields": fields(&json!({
        "reference_no": "HW-77", "reference_date": "2026-11-21",
    })) });
        let input = with(from(&invoice, "Payment Entry"), &transfer);
        let made = task
            .does("They have paid, by transfer HW-77.", "make_from", input)
            .await;
        let payment = shop.document("Payment Entry", &made["name"]);
        let (card, payment) = task.submit("Book it.", &payment).await;
        let settled = ("1200 - Debtors - AC".to_owned(), 0, owed);
        assert!(card.lines().contains(&settled), "{:?}", card.lines());
        assert_eq!(shop.lines(&payment["name"]), card.lines());

        let invoice = shop.document("Sales Invoice", &invoice["name"]);
        assert_eq!(
            (&invoice["status"], cents(&invoice["outstanding_amount"])),
            (&json!("Paid"), 0)
        );
        let order = shop.document("Sales Order", &order["name"]);
        assert_eq!(order["status"], "Completed");
        // Nothing of it is open any more.
        let again = from(&order, "Delivery Note");
        task.refused("Deliver it again.", "make_from", again).await;
        shop.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_part_of_an_order_is_delivered_and_the_rest_stays_open() {
    let shop = TaskShop::open().await;
    let mut task = shop.task().await;
    let order = shop.find("Sales Order", |it| {
        it["customer"] == "Harbour Wheels" && it["items"][0]["delivered_qty"] == 5.0
    });
    let row = &order["items"][0]["name"];
    let part = |qty: i32| json!({ "rows": [{ "source_row": row, "qty": qty }] });
    let input = with(from(&order, "Delivery Note"), &part(6));
    let (_, error) = task.refused("Send six more.", "make_from", input).await;
    assert!(error.contains("5 is open"), "{error}");
    let input = with(from(&order, "Delivery Note"), &part(2));
    let made = task.does("Two, then.", "make_from", input).await;
    let note = shop.document("Delivery Note", &made["name"]);
    task.submit("They have gone.", &note).await;
    let order = shop.document("Sales Order", &order["name"]);
    assert_eq!(
        (&order["items"][0]["delivered_qty"], &order["status"]),
        (&json!(7.0), &json!("To Deliver and Bill"))
    );
    shop.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_quotation_is_released_and_becomes_an_order() {
    let shop = TaskShop::open().await;
    let mut task = shop.task().await;
    let head = json!({
        "quotation_to": "Customer", "party_name": "Isar Velo", "company": MAKER,
        "valid_till": "2026-12-20",
    });
    let row = json!({ "item_code": "HELMET-M", "qty": 5 });
    let input = draft("Quotation", &head, "items", &[row]);
    let quote = task.draft("Offer Isar Velo five helmets.", input).await;
    // The workflow governs it: a plain submit would go round it.
    let (_, error) = task.refused("Submit it.", "submit_doc", of(&quote)).await;
    assert!(error.contains("\"Release\""), "{error}");
    let input = with(of(&quote), &json!({ "action": "Release" }));
    let card = task.card("Release it.", "apply_workflow", input).await;
    assert!(card.risk("self_approval").is_some());
    task.finish(&card).await;
    let quote = shop.document("Quotation", &quote["name"]);
    assert_eq!(
        (&quote["workflow_state"], &quote["docstatus"]),
        (&json!("Released"), &json!(1))
    );
    let more = json!({ "fields": fields(&json!({ "delivery_date": "2026-12-15" })) });
    let input = with(from(&quote, "Sales Order"), &more);
    let made = task.does("They take it.", "make_from", input).await;
    let order = shop.document("Sales Order", &made["name"]);
    assert_eq!(
        (&order["customer"], &order["net_total"]),
        (&json!("Isar Velo"), &quote["net_total"])
    );
    shop.close().await;
}
