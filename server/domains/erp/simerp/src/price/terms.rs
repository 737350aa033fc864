//! Payment schedules and due dates.

use crate::books::SimBooks;
use crate::cell::{Decimal, SimDoc};
use crate::clock::{parse_date, plus_days};

/// Fills the schedule of an invoice and its due date.
pub(crate) fn schedule(books: &SimBooks, doc: &mut SimDoc) {
    let Some(posted) = parse_date(doc.text("posting_date")) else {
        return;
    };
    let total = payable(doc);
    let mut name = doc.text("payment_terms_template").to_owned();
    if name.is_empty() && doc.text("due_date").is_empty() && !doc.flag("is_return") {
        let kind = if doc.kind == "Sales Invoice" {
            "Customer"
        } else {
            "Supplier"
        };
        name = books.value_text(kind, super::party_of(doc), "payment_terms");
        doc.set("payment_terms_template", name.clone());
    }
    let template = books.find("Payment Terms Template", &name).cloned();
    let mut rows = Vec::new();
    let mut last = posted;
    if let Some(template) = template {
        let mut left = total;
        let terms = template.rows("terms");
        for (at, term) in terms.iter().enumerate() {
            let due = plus_days(posted, term.int("credit_days"));
            let share = term.num("invoice_portion");
            let part = if at + 1 == terms.len() {
                left
            } else {
                books.money(total * share / Decimal::ONE_HUNDRED)
            };
            left -= part;
            last = last.max(due);
            rows.push(row(term.text("description"), due, share, part));
        }
        doc.set("due_date", last);
    } else {
        let due = parse_date(doc.text("due_date")).unwrap_or(posted);
        let due = due.max(posted);
        doc.set("due_date", due);
        rows.push(row("", due, Decimal::ONE_HUNDRED, total));
    }
    doc.tables.insert("payment_schedule", rows);
}

fn row(text: &str, due: jiff::civil::Date, share: Decimal, amount: Decimal) -> SimDoc {
    SimDoc::new("Payment Schedule")
        .with("description", text)
        .with("due_date", due)
        .with("invoice_portion", share)
        .with("payment_amount", amount)
}

/// The total that is to be paid: rounded, if the document rounds.
fn payable(doc: &SimDoc) -> Decimal {
    let rounded = doc.num("rounded_total");
    if rounded.is_zero() {
        doc.num("grand_total")
    } else {
        rounded
    }
}
