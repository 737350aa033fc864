//! Tills: sales that post nothing by themselves, and the closing of a session.

use std::collections::BTreeSet;

use crate::books::SimBooks;
use crate::cell::{Decimal, SimDoc, money};
use crate::refusal::{SimResult, unsuitable};

/// Sums the payments at the till. Its invoices post nothing: the closing of its day does.
pub(super) fn validate_sale(doc: &mut SimDoc) {
    let rate = doc.num("conversion_rate");
    let mut paid = Decimal::ZERO;
    for row in doc.rows_mut("payments") {
        paid += row.num("amount");
        let base = money(row.num("amount") * rate);
        row.set("base_amount", base);
    }
    doc.set("paid_amount", paid);
}

/// The list that a till sells by.
pub(super) fn price_by_profile(books: &SimBooks, doc: &mut SimDoc) {
    let profile = doc.text("pos_profile").to_owned();
    for (field, of) in [
        ("selling_price_list", "selling_price_list"),
        ("set_warehouse", "warehouse"),
    ] {
        if doc.text(field).is_empty() {
            let value = books.value("POS Profile", &profile, of);
            doc.set(field, value);
        }
    }
}

/// The session has to be open, and the invoices its own. Amounts, differences and totals are those that the
/// form has filled in: the server computes none of them.
pub(super) fn validate_closing(books: &SimBooks, doc: &SimDoc) -> SimResult<()> {
    let opening = books.load("POS Opening Entry", doc.text("pos_opening_entry"))?;
    if opening.docstatus() != 1 || opening.text("status") != "Open" {
        return Err(unsuitable("Only an open POS Opening Entry can be closed")
            .titled("Invalid Opening Entry"));
    }
    let mut seen = BTreeSet::new();
    let rows = ["pos_transactions", "pos_invoices"];
    let rows = rows.into_iter().flat_map(|table| doc.rows(table));
    for (at, row) in rows.enumerate() {
        let invoice = books.load("POS Invoice", row.text("pos_invoice"))?;
        let wrong = if !seen.insert(invoice.name.clone()) {
            "is there twice"
        } else if !invoice.text("consolidated_invoice").is_empty() {
            "has been consolidated"
        } else if invoice.text("pos_profile") != doc.text("pos_profile") {
            "is of another POS Profile"
        } else if invoice.docstatus() != 1 {
            "is not submitted"
        } else if invoice.text("owner") != doc.text("user") {
            "was made by another user"
        } else {
            continue;
        };
        let place = format!("Row #{}: {} {wrong}", at + 1, invoice.name);
        return Err(unsuitable(place).titled("Invalid POS Invoices"));
    }
    Ok(())
}

/// A closing would consolidate its invoices, which this company does not do.
pub(super) fn before_closing() -> SimResult<()> {
    Err(unsuitable("The simulated company closes no tills"))
}
