//! What the closing of a till posts once it is submitted: for each customer one invoice of all sales, and a
//! credit note of what came back.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::save;
use crate::books::SimBooks;
use crate::cell::{Decimal, SimCell, SimDoc};
use crate::refusal::SimResult;
use crate::rules::sales_of;
use crate::status;

/// Columns of a sale's rows that its invoice has as well.
const ROW: [&str; 10] = [
    "item_code",
    "item_name",
    "description",
    "qty",
    "uom",
    "stock_uom",
    "conversion_factor",
    "warehouse",
    "cost_center",
    "project",
];

/// Customer, currency, and whether goods came back.
type SaleGroup = (String, String, bool);

/// Posts the sales of a session and closes it. Tills of this company move no stock.
pub(super) fn consolidate(books: &mut SimBooks, closing: &SimDoc) -> SimResult<()> {
    let mut groups: BTreeMap<SaleGroup, Vec<Arc<SimDoc>>> = BTreeMap::new();
    for name in sales_of(closing) {
        let sale = books.load("POS Invoice", name)?;
        let [customer, currency] = ["customer", "currency"].map(|it| sale.text(it).to_owned());
        let group = (customer, currency, sale.flag("is_return"));
        groups.entry(group).or_default().push(sale);
    }
    for sales in groups.values() {
        let invoice = save::insert(books, merged(closing, sales), None)?;
        for sale in sales {
            name_invoice(books, &sale.name, SimCell::from(&invoice.name));
        }
    }
    let closed = [
        ("pos_closing_entry", SimCell::from(&closing.name)),
        ("status", SimCell::from("Closed")),
    ];
    books.set_fields(OPENING, closing.text("pos_opening_entry"), closed);
    Ok(())
}

/// Takes the invoices of a closing back; its session is open again.
pub(super) fn reopen(books: &mut SimBooks, closing: &SimDoc) -> SimResult<()> {
    let mut invoices = BTreeSet::new();
    for name in sales_of(closing) {
        invoices.insert(books.value_text("POS Invoice", name, "consolidated_invoice"));
        name_invoice(books, name, SimCell::Null);
    }
    for invoice in invoices.iter().filter(|it| !it.is_empty()) {
        save::cancel(books, "Sales Invoice", invoice)?;
    }
    let open = [
        ("pos_closing_entry", SimCell::Null),
        ("status", SimCell::from("Open")),
    ];
    books.set_fields(OPENING, closing.text("pos_opening_entry"), open);
    Ok(())
}

const OPENING: &str = "POS Opening Entry";

fn name_invoice(books: &mut SimBooks, sale: &str, invoice: SimCell) {
    let named = [("consolidated_invoice", invoice)];
    books.set_fields("POS Invoice", sale, named);
    status::refresh(books, "POS Invoice", sale);
}

/// The invoice of several sales, at their net rates and with the sums of their taxes and payments.
fn merged(closing: &SimDoc, sales: &[Arc<SimDoc>]) -> SimDoc {
    let mut doc = SimDoc::new("Sales Invoice")
        .with("is_pos", 1)
        .with("is_consolidated", 1)
        .with("set_posting_time", 1)
        .with("posting_date", closing.text("posting_date"))
        .with("due_date", closing.text("posting_date"))
        .with("docstatus", 1);
    if let Some(first) = sales.first() {
        let of_all = [
            "customer",
            "company",
            "currency",
            "conversion_rate",
            "is_return",
            "selling_price_list",
            "disable_rounded_total",
            "account_for_change_amount",
        ];
        doc.take_from(first, &of_all);
    }
    for sale in sales {
        for row in sale.rows("items") {
            doc.push("items", sold(row));
        }
        for row in sale.rows("taxes") {
            add_tax(doc.rows_mut("taxes"), row);
        }
        for row in sale.rows("payments") {
            add_payment(doc.rows_mut("payments"), row);
        }
    }
    let change: Decimal = sales.iter().map(|it| it.num("change_amount")).sum();
    doc.with("change_amount", change)
}

fn sold(row: &SimDoc) -> SimDoc {
    let mut sold = SimDoc::new("Sales Invoice Item");
    sold.take_from(row, &ROW);
    let rate = row.num("net_rate");
    // What was given away has the price of the list, and costs nothing.
    let discount = if rate.is_zero() {
        Decimal::ONE_HUNDRED
    } else {
        Decimal::ZERO
    };
    sold.with("rate", rate)
        .with("discount_percentage", discount)
}

fn add_tax(taxes: &mut Vec<SimDoc>, row: &SimDoc) {
    const OF: [&str; 4] = ["account_head", "description", "cost_center", "rate"];
    let amount = row.num("tax_amount_after_discount_amount");
    let known = taxes
        .iter_mut()
        .find(|it| OF.iter().all(|field| it.get(field) == row.get(field)));
    if let Some(tax) = known {
        tax.set("tax_amount", tax.num("tax_amount") + amount);
        return;
    }
    let mut tax = SimDoc::new("Sales Taxes and Charges").with("charge_type", "Actual");
    tax.take_from(row, &OF);
    taxes.push(tax.with("tax_amount", amount));
}

fn add_payment(payments: &mut Vec<SimDoc>, row: &SimDoc) {
    const OF: [&str; 2] = ["mode_of_payment", "account"];
    let known = payments
        .iter_mut()
        .find(|it| OF.iter().all(|field| it.get(field) == row.get(field)));
    if let Some(payment) = known {
        payment.set("amount", payment.num("amount") + row.num("amount"));
        return;
    }
    let mut payment = SimDoc::new("Sales Invoice Payment");
    payment.take_from(row, &OF);
    payments.push(payment.with("amount", row.num("amount")));
}
