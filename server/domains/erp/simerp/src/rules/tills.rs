//! Tills: sales that post nothing by themselves, and the closing of a session.

use std::collections::BTreeSet;

use crate::books::SimBooks;
use crate::cell::{Decimal, SimDoc};
use crate::ledger::LedgerLine;
use crate::refusal::{SimResult, unsuitable};

/// Sums the payments at the till. A till's invoices post nothing: the closing of its session does.
pub(super) fn validate_sale(books: &SimBooks, doc: &mut SimDoc) {
    let rate = doc.num("conversion_rate");
    let mut paid = Decimal::ZERO;
    for row in doc.rows_mut("payments") {
        paid += row.num("amount");
        let base = books.money(row.num("amount") * rate);
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
    for (at, name) in sales_of(doc).enumerate() {
        let invoice = books.load("POS Invoice", name)?;
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

/// True for a closing that could not be posted: it says so until it is.
pub(super) fn has_failed(doc: &SimDoc) -> bool {
    doc.kind == "POS Closing Entry" && doc.text("status") == "Failed"
}

/// The invoices that a closing names, in the table that its version has.
pub(crate) fn sales_of(closing: &SimDoc) -> impl Iterator<Item = &str> {
    let tables = ["pos_transactions", "pos_invoices"];
    let rows = tables
        .into_iter()
        .flat_map(move |table| closing.rows(table));
    rows.map(|row| row.text("pos_invoice"))
}

/// Money that an invoice took at a till, against what its customer owes. Change is cash that went back.
pub(super) fn pay(books: &SimBooks, doc: &SimDoc, lines: &mut Vec<LedgerLine>) -> SimResult<()> {
    if !doc.flag("is_pos") {
        return Ok(());
    }
    let company = doc.text("company");
    let mut taken = Vec::new();
    for row in doc.rows("payments") {
        let account = match row.text("account") {
            "" => account_of(books, company, row.text("mode_of_payment"))?,
            own => own.to_owned(),
        };
        taken.push((account, row.num("base_amount")));
    }
    let change = books.money(doc.num("change_amount") * doc.num("conversion_rate"));
    if !change.is_zero() {
        let account = match doc.text("account_for_change_amount") {
            "" => account_of(books, company, "Cash")?,
            own => own.to_owned(),
        };
        taken.push((account, -change));
    }
    let (customer, returned) = (doc.text("customer"), doc.text("return_against"));
    let invoice = if returned.is_empty() {
        doc.name.as_str()
    } else {
        returned
    };
    for (account, amount) in taken {
        lines.push(LedgerLine::new(account, amount));
        let claim = LedgerLine::new(doc.text("debit_to"), -amount);
        lines.push(
            claim
                .of_party("Customer", customer)
                .against(doc.kind, invoice),
        );
    }
    Ok(())
}

/// Cash goes to the company's cash account, everything else to its bank.
fn account_of(books: &SimBooks, company: &str, mode: &str) -> SimResult<String> {
    let is_cash = books.value_text("Mode of Payment", mode, "type") == "Cash";
    let account = if is_cash {
        let mut accounts = books.all("Account");
        let cash =
            accounts.find(|it| it.text("company") == company && it.text("account_type") == "Cash");
        cash.map_or_else(String::new, |it| it.name.clone())
    } else {
        books.value_text("Company", company, "default_bank_account")
    };
    if account.is_empty() {
        let message = format!("Please set default account in Mode of Payment {mode}");
        return Err(unsuitable(message).titled("Missing Account"));
    }
    Ok(account)
}
