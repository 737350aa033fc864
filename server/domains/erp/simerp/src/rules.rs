//! Rules of the types: what is computed and checked on saving, and what submit and cancel do.

mod hours;
mod industries;
mod limits;
mod making;
mod money_moves;
mod stock_moves;
mod tills;
mod trade;

use crate::books::SimBooks;
use crate::cell::SimDoc;
use crate::price::{self, is_buying, is_selling};
use crate::refusal::{SimResult, unsuitable};
use crate::status;

/// Fills and checks a draft.
pub(crate) fn validate(books: &mut SimBooks, doc: &mut SimDoc) -> SimResult<()> {
    set_company(books, doc);
    set_dates(books, doc);
    if doc.kind == "POS Invoice" {
        tills::price_by_profile(books, doc);
    }
    match doc.kind {
        kind if is_selling(kind) || is_buying(kind) => trade::validate(books, doc)?,
        "Hotel Room Reservation" => industries::validate_rooms(books, doc)?,
        "POS Closing Entry" => tills::validate_closing(books, doc)?,
        "Material Request" => trade::validate_request(books, doc)?,
        "Payment Entry" => money_moves::validate_payment(books, doc)?,
        "Journal Entry" => money_moves::validate_journal(books, doc)?,
        "Stock Entry" => stock_moves::validate_entry(books, doc)?,
        "Stock Reconciliation" => stock_moves::validate_count(books, doc)?,
        "BOM" => making::validate_bom(books, doc),
        "Work Order" => making::validate_order(books, doc)?,
        "Timesheet" => making::validate_hours(books, doc),
        "Item Price" => {
            for field in ["currency", "buying", "selling"] {
                let value = books.value("Price List", doc.text("price_list"), field);
                doc.set(field, value);
            }
        }
        "Item" | "User" | "Role" => trade::validate_master(doc),
        _ => {}
    }
    match doc.kind {
        "POS Invoice" => tills::validate_sale(books, doc),
        "Sales Invoice" => {
            hours::check_billed(books, doc)?;
            if doc.flag("is_pos") {
                tills::validate_sale(books, doc);
            }
        }
        _ => {}
    }
    let has_status = books
        .meta
        .get(doc.kind)
        .is_some_and(|it| it.is_submittable() && it.field("status").is_some());
    if has_status && !tills::has_failed(doc) {
        let word = status::word(books, doc);
        doc.set("status", word);
    }
    Ok(())
}

/// Checks that only count at submit.
pub(crate) fn before_submit(books: &SimBooks, doc: &SimDoc) -> SimResult<()> {
    match doc.kind {
        "Delivery Note" | "Sales Invoice" | "Purchase Receipt" | "Purchase Invoice" => {
            limits::check_allowance(books, doc)
        }
        "Sales Order" => limits::check_credit(books, doc),
        "Journal Entry" if !doc.num("difference").is_zero() => Err(unsuitable(format!(
            "Total Debit must be equal to Total Credit. The difference is {}",
            books.money(doc.num("difference"))
        ))),
        _ => Ok(()),
    }
}

/// Follows an insert: nothing but users' keys would.
pub(crate) fn after_insert(books: &mut SimBooks, doc: &SimDoc) -> SimResult<()> {
    if doc.kind == "BOM" && doc.rows("items").is_empty() {
        return Err(unsuitable("Raw Materials cannot be blank."));
    }
    let _ = books;
    Ok(())
}

/// Posts to the ledgers and updates what hangs on it.
pub(crate) fn on_submit(books: &mut SimBooks, doc: &SimDoc) -> SimResult<()> {
    match doc.kind {
        kind if is_selling(kind) || is_buying(kind) => trade::on_submit(books, doc)?,
        "Payment Entry" => money_moves::post_payment(books, doc)?,
        "Journal Entry" => money_moves::post_journal(books, doc)?,
        "Stock Entry" => stock_moves::post_entry(books, doc)?,
        "Stock Reconciliation" => stock_moves::post_count(books, doc)?,
        "BOM" => making::on_submit_bom(books, doc),
        _ => {}
    }
    if doc.kind == "Sales Invoice" {
        hours::bill(books, doc);
    }
    settle(books, doc);
    Ok(())
}

/// Takes the postings back and updates what hangs on it.
pub(crate) fn on_cancel(books: &mut SimBooks, doc: &SimDoc) -> SimResult<()> {
    match doc.kind {
        "Delivery Note" | "Purchase Receipt" | "Stock Entry" | "Stock Reconciliation" => {
            crate::stock::reverse(books, doc)?;
            crate::ledger::reverse(books, doc)?;
        }
        "Sales Invoice" | "Purchase Invoice" => {
            money_moves::unlink_payments(books, doc);
            hours::free(books, doc);
            crate::stock::reverse(books, doc)?;
            crate::ledger::reverse(books, doc)?;
        }
        "Payment Entry" | "Journal Entry" => crate::ledger::reverse(books, doc)?,
        "Sales Order" | "Purchase Order" if doc.text("status") == "Closed" => {
            return Err(unsuitable(
                "Closed order cannot be cancelled. Unclose to cancel.",
            ));
        }
        "Sales Order" | "Purchase Order" => money_moves::unlink_payments(books, doc),
        _ => {}
    }
    settle(books, doc);
    Ok(())
}

/// Refreshes the document, and the documents that it came from or pays.
fn settle(books: &mut SimBooks, doc: &SimDoc) {
    status::refresh(books, doc.kind, &doc.name);
    for (kind, name) in sources(doc) {
        status::refresh(books, kind, &name);
        // An order may reserve in another warehouse than the one that was delivered from.
        if let Some(source) = books.find(kind, &name).cloned() {
            status::replan(books, &source);
        }
    }
    for (kind, name) in siblings(books, doc) {
        status::refresh(books, kind, &name);
    }
    status::replan(books, doc);
    making::replan(books, doc);
}

/// Deliveries and receipts of the orders that an invoice bills: they are billed through the order.
fn siblings(books: &SimBooks, doc: &SimDoc) -> Vec<(&'static str, String)> {
    let (link, kind, back) = match doc.kind {
        "Sales Invoice" => ("sales_order", "Delivery Note", "items.against_sales_order"),
        "Purchase Invoice" => ("purchase_order", "Purchase Receipt", "items.purchase_order"),
        _ => return Vec::new(),
    };
    let mut found = Vec::new();
    for row in doc
        .rows("items")
        .iter()
        .filter(|row| !row.text(link).is_empty())
    {
        for note in books.by(kind, back, row.text(link)) {
            let entry = (kind, note.name.clone());
            if note.docstatus() == 1 && !found.contains(&entry) {
                found.push(entry);
            }
        }
    }
    found
}

/// Documents whose progress or open amount follows from this one.
fn sources(doc: &SimDoc) -> Vec<(&'static str, String)> {
    const LINKS: [(&str, &str); 8] = [
        ("sales_order", "Sales Order"),
        ("against_sales_order", "Sales Order"),
        ("delivery_note", "Delivery Note"),
        ("purchase_order", "Purchase Order"),
        ("purchase_receipt", "Purchase Receipt"),
        ("material_request", "Material Request"),
        ("work_order", "Work Order"),
        ("return_against", ""),
    ];
    let mut found = Vec::new();
    let mut add = |kind: &'static str, name: &str| {
        let entry = (kind, name.to_owned());
        if !name.is_empty() && !found.contains(&entry) {
            found.push(entry);
        }
    };
    for (field, kind) in LINKS {
        let kind = if kind.is_empty() { doc.kind } else { kind };
        add(kind, doc.text(field));
        for row in doc.rows("items") {
            add(kind, row.text(field));
        }
    }
    let tables = [
        ("references", "reference_doctype", "reference_name"),
        ("accounts", "reference_type", "reference_name"),
    ];
    for (table, kind, name) in tables {
        for row in doc.rows(table) {
            for invoice in ["Sales Invoice", "Purchase Invoice"] {
                if row.text(kind) == invoice {
                    add(invoice, row.text(name));
                }
            }
        }
    }
    found
}

/// Without a company the user's default one is taken: the first.
fn set_company(books: &SimBooks, doc: &mut SimDoc) {
    let has = books
        .meta
        .get(doc.kind)
        .is_some_and(|it| it.is_submittable() && it.field("company").is_some());
    if has && doc.text("company").is_empty() {
        let allowed = crate::rights::allowed(books);
        let own = allowed.get("Company").and_then(|it| it.first().cloned());
        let first = books.all("Company").next().map(|it| it.name.clone());
        doc.set("company", own.or(first).unwrap_or_default());
    }
}

/// Posting dates are now, on every save, unless they are fixed.
fn set_dates(books: &SimBooks, doc: &mut SimDoc) {
    let Some(of) = books.meta.get(doc.kind) else {
        return;
    };
    if of.field("set_posting_time").is_some() {
        let fixed = doc.flag("set_posting_time") || books.is_seeding;
        if !fixed || doc.text("posting_date").is_empty() {
            doc.set("posting_date", books.today());
        }
        if !fixed || doc.text("posting_time").is_empty() {
            doc.set("posting_time", books.now.time());
        }
    }
    // Newer releases date the closing of a till so as well, which has no field that fixes it.
    if doc.kind == "POS Closing Entry" && books.profile.is_16() && !books.is_seeding {
        doc.set("posting_date", books.today());
    }
    for field in ["posting_date", "transaction_date"] {
        if of.field(field).is_some() && doc.text(field).is_empty() {
            doc.set(field, books.today());
        }
    }
}

/// Lines of taxes and of the document, for sums.
pub(crate) fn base_tax(row: &SimDoc) -> crate::cell::Decimal {
    let sign = if row.text("add_deduct_tax") == "Deduct" {
        -1
    } else {
        1
    };
    row.num("base_tax_amount") * crate::cell::Decimal::from(sign)
}

pub(crate) use self::making::{bom_rows, replan as plan_production};
pub(crate) use self::tills::sales_of;
pub(crate) use price::schedule as schedule_payments;
