//! Orders, deliveries, receipts and invoices.

use crate::books::SimBooks;
use crate::cell::{Decimal, SimCell, SimDoc};
use crate::ledger::{self, LedgerLine};
use crate::price::{self, is_selling};
use crate::refusal::{SimResult, invalid, unsuitable};
use crate::status;
use crate::stock::{self, StockMove};

pub(super) fn validate(books: &mut SimBooks, doc: &mut SimDoc) -> SimResult<()> {
    check_party(books, doc)?;
    if doc.kind == "Quotation" {
        let name = books.value("Customer", doc.text("party_name"), "customer_name");
        doc.set("customer_name", name);
    }
    let late = match doc.kind {
        "Sales Order" => "delivery_date",
        "Purchase Order" => "schedule_date",
        _ => "",
    };
    if !late.is_empty() {
        spread_date(doc, late)?;
    }
    check_sources(books, doc)?;
    price::calculate(books, doc)?;
    for (at, row) in doc.rows("items").iter().enumerate() {
        let is_return = doc.flag("is_return");
        let qty = row.num("qty");
        if qty.is_zero() || (qty.is_sign_negative() && !is_return) {
            return Err(invalid(
                "NonNegativeError",
                format!(
                    "Row #{}: Quantity for Item {} has to be greater than zero",
                    at + 1,
                    row.text("item_code")
                ),
            ));
        }
    }
    let company = books.load("Company", doc.text("company"))?;
    if matches!(doc.kind, "Sales Invoice" | "Purchase Invoice") {
        // All accounts are in their company's currency.
        doc.set("party_account_currency", company.text("default_currency"));
    }
    match doc.kind {
        "Sales Invoice" => {
            if doc.text("debit_to").is_empty() {
                doc.set("debit_to", company.text("default_receivable_account"));
            }
            for row in doc.rows_mut("items") {
                default_to(
                    row,
                    "income_account",
                    company.text("default_income_account"),
                );
                default_to(
                    row,
                    "expense_account",
                    company.text("default_expense_account"),
                );
            }
            price::schedule(books, doc);
        }
        "Purchase Invoice" => {
            if doc.text("credit_to").is_empty() {
                doc.set("credit_to", company.text("default_payable_account"));
            }
            for at in 0..doc.rows("items").len() {
                let row = &doc.rows("items")[at];
                let is_stock = books
                    .value("Item", row.text("item_code"), "is_stock_item")
                    .num();
                let account = if is_stock.is_zero() || doc.flag("update_stock") {
                    company.text("default_expense_account")
                } else {
                    company.text("stock_received_but_not_billed")
                };
                if let Some(row) = doc.rows_mut("items").get_mut(at) {
                    default_to(row, "expense_account", account);
                }
            }
            price::schedule(books, doc);
            check_bill(books, doc)?;
        }
        _ => {}
    }
    if matches!(doc.kind, "Sales Invoice" | "Purchase Invoice") {
        let open = status::payable(doc);
        doc.set("outstanding_amount", open);
    }
    Ok(())
}

fn default_to(row: &mut SimDoc, field: &'static str, value: &str) {
    if row.text(field).is_empty() {
        row.set(field, value);
    }
}

fn check_party(books: &SimBooks, doc: &SimDoc) -> SimResult<()> {
    let kind = if is_selling(doc.kind) {
        "Customer"
    } else {
        "Supplier"
    };
    let party = price::party_of(doc);
    let Some(found) = books.find(kind, party) else {
        return Ok(());
    };
    if found.flag("disabled") {
        return Err(invalid(
            "PartyDisabled",
            format!("{kind} {party} is disabled"),
        ));
    }
    if found.flag("is_frozen") {
        return Err(invalid("PartyFrozen", format!("{kind} {party} is frozen")));
    }
    Ok(())
}

/// The date of the document is the last of its rows, and fills those without.
fn spread_date(doc: &mut SimDoc, field: &'static str) -> SimResult<()> {
    let own = doc.text(field).to_owned();
    let mut last = own.clone();
    for row in doc.rows_mut("items") {
        if row.text(field).is_empty() {
            row.set(field, own.clone());
        }
        last = last.max(row.text(field).to_owned());
    }
    if last.is_empty() {
        let word = if field == "delivery_date" {
            "Delivery Date"
        } else {
            "Reqd by Date"
        };
        return Err(unsuitable(format!("Please enter {word}")));
    }
    if last.as_str() < doc.text("transaction_date") {
        return Err(unsuitable(
            "Expected Delivery Date should be after the order date",
        ));
    }
    doc.set(field, last);
    Ok(())
}

/// Orders that are named have to be submitted, open, and of the same party.
fn check_sources(books: &SimBooks, doc: &SimDoc) -> SimResult<()> {
    for row in doc.rows("items") {
        for (field, kind) in [
            ("against_sales_order", "Sales Order"),
            ("sales_order", "Sales Order"),
            ("purchase_order", "Purchase Order"),
        ] {
            let name = row.text(field);
            let Some(order) = books.find(kind, name) else {
                continue;
            };
            if order.docstatus() != 1 {
                return Err(unsuitable(format!("{kind} {name} is not submitted")));
            }
            if matches!(order.text("status"), "Closed" | "On Hold") {
                return Err(invalid(
                    "InvalidStatusError",
                    format!("{kind} {name} is {}", order.text("status")),
                ));
            }
            if price::party_of(order) != price::party_of(doc) {
                return Err(unsuitable(format!(
                    "{kind} {name} belongs to another party"
                )));
            }
        }
    }
    if doc.kind == "Sales Order" && !doc.text("po_no").is_empty() {
        let twin = books.all("Sales Order").find(|it| {
            it.name != doc.name
                && it.docstatus() < 2
                && it.text("po_no") == doc.text("po_no")
                && it.text("customer") == doc.text("customer")
        });
        if let Some(twin) = twin {
            return Err(unsuitable(format!(
                "Sales Order {} already exists against Customer's Purchase Order {}",
                twin.name,
                doc.text("po_no")
            )));
        }
    }
    Ok(())
}

/// A supplier's bill is entered once a year.
fn check_bill(books: &SimBooks, doc: &SimDoc) -> SimResult<()> {
    let on = books.setting("Accounts Settings", "check_supplier_invoice_uniqueness");
    let bill = doc.text("bill_no");
    if bill.is_empty() || on.num().is_zero() {
        return Ok(());
    }
    let year = |it: &SimDoc| it.text("posting_date").get(..4).map(str::to_owned);
    let twin = books.all("Purchase Invoice").find(|it| {
        it.name != doc.name
            && it.docstatus() < 2
            && it.text("bill_no") == bill
            && it.text("supplier") == doc.text("supplier")
            && year(it) == year(doc)
    });
    match twin {
        Some(twin) => Err(unsuitable(format!(
            "Supplier Invoice No exists in Purchase Invoice {}",
            twin.name
        ))),
        None => Ok(()),
    }
}

pub(super) fn validate_request(books: &mut SimBooks, doc: &mut SimDoc) -> SimResult<()> {
    let (own, warehouse, source) = (
        doc.get("schedule_date").clone(),
        doc.get("set_warehouse").clone(),
        doc.get("set_from_warehouse").clone(),
    );
    let moves = doc.text("material_request_type") == "Material Transfer";
    for (at, row) in doc.rows_mut("items").iter_mut().enumerate() {
        let item = price::item_for(books, row, at)?;
        price::fill_row(row, &item);
        if row.get("schedule_date").is_empty() {
            row.set("schedule_date", own.clone());
        }
        if row.get("warehouse").is_empty() {
            row.set("warehouse", warehouse.clone());
        }
        if moves && row.get("from_warehouse").is_empty() {
            row.set("from_warehouse", source.clone());
        }
        row.set("stock_qty", row.num("qty") * row.num("conversion_factor"));
    }
    if doc.text("title").is_empty() {
        let title = format!("{} Request", doc.text("material_request_type"));
        doc.set("title", title);
    }
    Ok(())
}

pub(super) fn validate_master(doc: &mut SimDoc) {
    for (field, from) in [("item_name", "item_code"), ("full_name", "email")] {
        if doc.text(field).is_empty() && !doc.text(from).is_empty() {
            let value = doc.get(from).clone();
            doc.set(field, value);
        }
    }
}

pub(super) fn on_submit(books: &mut SimBooks, doc: &SimDoc) -> SimResult<()> {
    match doc.kind {
        "Delivery Note" => deliver(books, doc),
        "Purchase Receipt" => receive(books, doc),
        "Sales Invoice" => bill_customer(books, doc),
        "Purchase Invoice" => bill_of_supplier(books, doc),
        _ => Ok(()),
    }
}

/// Goods out: cost of goods sold against stock.
fn stock_out(books: &mut SimBooks, doc: &SimDoc, lines: &mut Vec<LedgerLine>) -> SimResult<()> {
    let company = books.load("Company", doc.text("company"))?;
    for row in doc.rows("items") {
        check_bundle(books, row)?;
        let qty = row.num("stock_qty");
        let change = stock::book(
            books,
            doc,
            &StockMove {
                item: row.text("item_code"),
                warehouse: row.text("warehouse"),
                qty: -qty,
                rate: None,
                row: &row.name,
            },
        )?;
        if !change.is_zero() {
            let account = stock::stock_account(books, &company, row.text("warehouse"));
            let mut expense = row.text("expense_account");
            if expense.is_empty() {
                expense = company.text("default_expense_account");
            }
            lines.push(LedgerLine::new(account, change));
            lines.push(LedgerLine::new(expense, -change).center(row));
        }
    }
    Ok(())
}

/// Batch and serial items need a bundle; it is missed at submit only.
fn check_bundle(books: &SimBooks, row: &SimDoc) -> SimResult<()> {
    let Some(item) = books.find("Item", row.text("item_code")) else {
        return Ok(());
    };
    let needs = item.flag("has_batch_no") || item.flag("has_serial_no");
    if needs && row.text("serial_and_batch_bundle").is_empty() && !books.is_seeding {
        return Err(unsuitable(format!(
            "Row #{}: Serial and Batch Bundle is mandatory for Item {}",
            row.int("idx"),
            item.name
        )));
    }
    Ok(())
}

fn deliver(books: &mut SimBooks, doc: &SimDoc) -> SimResult<()> {
    let mut lines = Vec::new();
    stock_out(books, doc, &mut lines)?;
    ledger::post(books, doc, lines)
}

/// Goods in: stock against the account `against`.
fn stock_in(
    books: &mut SimBooks,
    doc: &SimDoc,
    against: &str,
    lines: &mut Vec<LedgerLine>,
) -> SimResult<()> {
    let company = books.load("Company", doc.text("company"))?;
    for row in doc.rows("items") {
        let factor = row.num("conversion_factor");
        let qty = row.num("stock_qty");
        let change = if qty.is_zero() || factor.is_zero() {
            Decimal::ZERO
        } else {
            let rate = row.num("base_net_amount") / qty;
            stock::book(
                books,
                doc,
                &StockMove {
                    item: row.text("item_code"),
                    warehouse: row.text("warehouse"),
                    qty,
                    rate: Some(rate),
                    row: &row.name,
                },
            )?
        };
        if !change.is_zero() {
            let account = stock::stock_account(books, &company, row.text("warehouse"));
            lines.push(LedgerLine::new(account, change));
            lines.push(LedgerLine::new(against, -change).center(row));
            let item = row.text("item_code").to_owned();
            let rate = SimCell::Num(row.num("base_rate"));
            books.set_fields("Item", &item, [("last_purchase_rate", rate)]);
        }
    }
    Ok(())
}

fn receive(books: &mut SimBooks, doc: &SimDoc) -> SimResult<()> {
    let against = books.value_text(
        "Company",
        doc.text("company"),
        "stock_received_but_not_billed",
    );
    let mut lines = Vec::new();
    stock_in(books, doc, &against, &mut lines)?;
    ledger::post(books, doc, lines)
}

fn bill_customer(books: &mut SimBooks, doc: &SimDoc) -> SimResult<()> {
    let mut lines = Vec::new();
    let mut claim = LedgerLine::new(doc.text("debit_to"), status::payable(doc))
        .of_party("Customer", doc.text("customer"));
    claim.due_date = doc.get("due_date").clone();
    lines.push(claim);
    for row in doc.rows("items") {
        lines.push(
            LedgerLine::new(row.text("income_account"), -row.num("base_net_amount")).center(row),
        );
    }
    for row in doc.rows("taxes") {
        lines.push(LedgerLine::new(row.text("account_head"), -super::base_tax(row)).center(row));
    }
    if doc.flag("update_stock") {
        stock_out(books, doc, &mut lines)?;
    }
    against_return(doc, &mut lines);
    super::tills::pay(books, doc, &mut lines)?;
    ledger::post(books, doc, lines)
}

fn bill_of_supplier(books: &mut SimBooks, doc: &SimDoc) -> SimResult<()> {
    let mut lines = Vec::new();
    let mut debt = LedgerLine::new(doc.text("credit_to"), -status::payable(doc))
        .of_party("Supplier", doc.text("supplier"));
    debt.due_date = doc.get("due_date").clone();
    lines.push(debt);
    for row in doc.rows("taxes") {
        lines.push(LedgerLine::new(row.text("account_head"), super::base_tax(row)).center(row));
    }
    for row in doc.rows("items") {
        lines.push(
            LedgerLine::new(row.text("expense_account"), row.num("base_net_amount")).center(row),
        );
    }
    if doc.flag("update_stock") {
        let expense = books.value_text("Company", doc.text("company"), "default_expense_account");
        stock_in(books, doc, &expense, &mut lines)?;
    }
    against_return(doc, &mut lines);
    ledger::post(books, doc, lines)
}

/// A credit note lowers what its invoice leaves open.
fn against_return(doc: &SimDoc, lines: &mut [LedgerLine]) {
    let name = doc.text("return_against");
    if name.is_empty() {
        return;
    }
    for line in lines.iter_mut().filter(|line| !line.party.is_empty()) {
        *line = line.clone().against(doc.kind, name);
    }
}
