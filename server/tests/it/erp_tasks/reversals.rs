//! What is taken back: in the right order, with what comes loose, and made anew.

use serde_json::{Value, json};

use super::shop::{TaskShop, cents, of, order, with};

fn because(document: &Value) -> Value {
    with(of(document), &json!({ "reason": "Wrong customer" }))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_hangs_on_it_is_cancelled_first() {
    let shop = TaskShop::open().await;
    let mut task = shop.task().await;
    let now = |of: &Value| shop.document(of["doctype"].as_str().unwrap(), &of["name"]);
    let stock = || shop.bin("PUMP", "Stores - AC", "actual_qty");
    let before = stock();
    let made = task
        .draft("Three pumps for Rheinrad.", order("Rheinrad", "PUMP", 3.0))
        .await;
    let (_, order) = task.submit("Submit it.", &made).await;
    let note = task.make("Deliver it.", &order, "Delivery Note").await;
    let (_, note) = task.submit("They have gone.", &note).await;

    let (_, error) = task
        .refused("Cancel the order.", "cancel_doc", because(&now(&order)))
        .await;
    assert!(error.contains(note["name"].as_str().unwrap()), "{error}");
    let card = task
        .card("The delivery, then.", "cancel_doc", because(&note))
        .await;
    let word = card.word().expect("a cancellation is typed").to_owned();
    assert!(note["name"].as_str().unwrap().ends_with(&word));
    task.mistype(&card, "yes").await;
    task.finish(&card).await;
    assert_eq!(now(&note)["docstatus"], 2);
    assert_eq!(shop.lines(&note["name"]), []);
    assert_eq!(stock(), before);
    task.does("Now the order.", "cancel_doc", because(&now(&order)))
        .await;
    assert_eq!(now(&order)["docstatus"], 2);
    shop.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_payment_that_comes_loose_is_shown_before() {
    let shop = TaskShop::open().await;
    let mut task = shop.task().await;
    let paid = |payment: &Value| {
        let rows = payment["references"].as_array()?;
        let row = rows
            .iter()
            .find(|it| it["reference_doctype"] == "Sales Invoice")?;
        let invoice = row["reference_name"].as_str()?;
        let invoice = shop.control().document("Sales Invoice", invoice)?;
        let is_open = invoice["posting_date"].as_str()? >= "2026-10-01";
        (is_open && invoice["docstatus"] == 1 && invoice["is_return"] != 1).then_some(invoice)
    };
    let payment = shop.find("Payment Entry", |it| {
        it["docstatus"] == 1 && it["company"] == super::shop::MAKER && paid(it).is_some()
    });
    let invoice = paid(&payment).unwrap();
    let card = task
        .card("Cancel that invoice.", "cancel_doc", because(&invoice))
        .await;
    let loose = card.rows("Payments that come loose");
    assert_eq!(loose[0][1], payment["name"].as_str().unwrap(), "{loose:?}");
    task.finish(&card).await;
    let cancelled = shop.document("Sales Invoice", &invoice["name"]);
    assert_eq!(cancelled["docstatus"], 2);
    // The money is still there, and pays nothing now.
    let payment = shop.document("Payment Entry", &payment["name"]);
    assert_eq!(payment["docstatus"], 1);
    let mut rows = payment["references"].as_array().unwrap().iter();
    assert!(rows.all(|it| it["reference_name"] != invoice["name"]));
    shop.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancelled_invoice_is_amended() {
    let shop = TaskShop::open().await;
    let mut task = shop.task().await;
    let made = task
        .draft("Two locks for Rheinrad.", order("Rheinrad", "LOCK-U", 2.0))
        .await;
    let (_, order) = task.submit("Submit it.", &made).await;
    let invoice = task.make("Bill it.", &order, "Sales Invoice").await;
    let (_, invoice) = task.submit("Submit the invoice.", &invoice).await;
    let change = json!({
        "doctype": "Sales Invoice", "name": invoice["name"],
        "fields": [{ "field": "remarks", "value": "Corrected" }],
    });
    let (_, error) = task
        .refused("Correct it.", "amend_doc", change.clone())
        .await;
    assert!(error.contains("not cancelled"), "{error}");
    task.does("Cancel it.", "cancel_doc", because(&invoice))
        .await;
    let made = task.does("And correct it.", "amend_doc", change).await;
    let amended = shop.document("Sales Invoice", &made["name"]);
    let name = format!("{}-1", invoice["name"].as_str().unwrap());
    assert_eq!(
        (
            &amended["name"],
            &amended["amended_from"],
            &amended["docstatus"]
        ),
        (&json!(name), &invoice["name"], &json!(0))
    );
    let (card, amended) = task.submit("Submit that one.", &amended).await;
    assert_eq!(shop.lines(&amended["name"]), card.lines());
    assert_eq!(shop.lines(&invoice["name"]), []);
    assert_eq!(
        cents(&amended["outstanding_amount"]),
        cents(&invoice["outstanding_amount"])
    );
    shop.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_return_is_a_negative_quantity_and_said_to_be_one() {
    let shop = TaskShop::open_with("drafts = \"act\"").await;
    let mut task = shop.task().await;
    let stock = || shop.bin("HELMET-M", "Stores - AC", "actual_qty");
    let input = order("Saale Sport", "HELMET-M", 3.0);
    // Nothing tells a rate, so a person is asked even where drafts are made unasked.
    let made = task.draft("Three helmets for Saale Sport.", input).await;
    let (_, order) = task.submit("Submit it.", &made).await;
    let came = task
        .say(
            "Deliver the order of Saale Sport.",
            "make_from",
            super::task::from(&order, "Delivery Note"),
        )
        .await;
    let note = match came {
        super::task::Came::Card(card) => task.finish(&card).await,
        super::task::Came::Done(data) => data,
        other => panic!("{other:?}"),
    };
    let note = shop.document("Delivery Note", &note["name"]);
    let (_, note) = task.submit("They have gone.", &note).await;
    let before = stock();
    let head = json!({
        "customer": "Saale Sport", "company": super::shop::MAKER,
        "is_return": 1, "return_against": note["name"],
    });
    let row = |qty: i32| json!({ "item_code": "HELMET-M", "qty": qty, "rate": 49.9, "warehouse": "Stores - AC" });
    let input = super::shop::draft("Delivery Note", &head, "items", &[row(-1)]);
    let card = task.card("One came back.", "create_doc", input).await;
    let why = card.shown.risks.join("\n");
    assert!(why.contains("negative") && why.contains("return"), "{why}");
    let made = task.finish(&card).await;
    let back = shop.document("Delivery Note", &made["name"]);
    let (card, back) = task.submit("Take it in.", &back).await;
    assert_eq!(card.moves()[0].2, 1.0);
    assert_eq!(shop.lines(&back["name"]), card.lines());
    assert_eq!((stock(), &back["status"]), (before + 1.0, &json!("Return")));
    shop.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_advance_comes_loose_with_its_order() {
    let shop = TaskShop::open().await;
    let mut task = shop.task().await;
    let input = order("Rheinrad", "LOCK-U", 2.0);
    let made = task.draft("Two locks for Rheinrad.", input).await;
    let (_, order) = task.submit("Submit it.", &made).await;
    let transfer = json!({ "fields": [
        { "field": "reference_no", "value": "R-7" },
        { "field": "reference_date", "value": "2026-11-21" },
    ] });
    let input = with(super::task::from(&order, "Payment Entry"), &transfer);
    let made = task
        .does("They pay in advance, by R-7.", "make_from", input)
        .await;
    let payment = shop.document("Payment Entry", &made["name"]);
    let (card, payment) = task.submit("Book it.", &payment).await;
    assert_eq!(shop.lines(&payment["name"]), card.lines());
    let now = shop.document("Sales Order", &order["name"]);
    let card = task
        .card("Cancel the order.", "cancel_doc", because(&now))
        .await;
    let loose = card.rows("Payments that come loose");
    assert_eq!(loose[0][1], payment["name"].as_str().unwrap(), "{loose:?}");
    task.finish(&card).await;
    assert_eq!(shop.document("Sales Order", &order["name"])["docstatus"], 2);
    let payment = shop.document("Payment Entry", &payment["name"]);
    assert_eq!(payment["docstatus"], 1);
    let mut rows = payment["references"].as_array().unwrap().iter();
    assert!(rows.all(|it| it["reference_name"] != order["name"]));
    shop.close().await;
}
