//! What the closing of a till posts once it is submitted: for each customer one invoice of all sales, and a
//! credit note of what came back, which a log names. Of many sales it does so in the background, when it is
//! submitted already.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::save;
use crate::books::QUEUE_TIME;
use crate::books::{SimBooks, put_new};
use crate::cell::{Decimal, SimCell, SimDoc};
use crate::ledger;
use crate::refusal::{SimRefusal, SimResult, unsuitable};
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

/// Sales from which on a closing is consolidated in the background.
const MANY: usize = 10;

/// Internal documents: closings that wait for the background.
const JOB: &str = "RQ Job";

/// Posts the sales of a session that is closed, or leaves that to the background.
pub(super) fn on_submit(books: &mut SimBooks, closing: &SimDoc) -> SimResult<()> {
    if sales_of(closing).count() < MANY {
        return at_once(books, closing);
    }
    let due = books.now.unix() + QUEUE_TIME;
    let job = SimDoc::new(JOB)
        .with("closing", &closing.name)
        .with("due", due);
    put_new(books, job);
    set_state(books, &closing.name, "Queued", "");
    let message = "POS Invoices will be consolidated in a background process";
    books.messages.push(message.to_owned());
    Ok(())
}

/// Consolidates a closing within its submit, and commits it there and then: what fails later in the same
/// request takes nothing back. One that cannot be consolidated is a draft again, and says why.
fn at_once(books: &mut SimBooks, closing: &SimDoc) -> SimResult<()> {
    let outcome = consolidate(books, closing);
    match &outcome {
        Ok(()) => set_state(books, &closing.name, "Submitted", ""),
        Err(refusal) => fail(books, &closing.name, refusal),
    }
    books.commit_early();
    outcome
}

/// The closings that the background has to consolidate by now.
pub(crate) fn due(books: &SimBooks) -> Vec<Arc<SimDoc>> {
    let now = books.now.unix();
    let jobs = books.all(JOB).filter(|it| it.int("due") <= now);
    jobs.cloned().collect()
}

/// Consolidates a closing in the background. One that fails stays submitted, and says why.
pub(crate) fn run(books: &mut SimBooks, job: &SimDoc) {
    let name = job.text("closing");
    let closing = books.load(CLOSING, name);
    let outcome = closing.and_then(|closing| consolidate(books, &closing));
    match outcome {
        Ok(()) => {
            set_state(books, name, "Submitted", "");
            touch(books, name);
        }
        Err(refusal) => fail(books, name, &refusal),
    }
    books.remove(JOB, &job.name);
}

/// Takes back what was done, and leaves a word of it: the first one of the refusal.
fn fail(books: &mut SimBooks, closing: &str, refusal: &SimRefusal) {
    books.rollback();
    let words = refusal.messages.first().map_or("", String::as_str);
    set_state(books, closing, "Failed", words);
    touch(books, closing);
}

fn set_state(books: &mut SimBooks, closing: &str, status: &str, error: &str) {
    let state = [
        ("status", SimCell::from(status)),
        ("error_message", SimCell::from(error)),
    ];
    books.set_fields(CLOSING, closing, state);
}

/// A state that is set shows as a change by the user of the request.
fn touch(books: &mut SimBooks, closing: &str) {
    let (stamp, user) = (books.stamp(), SimCell::from(&books.user));
    let changed = [("modified", SimCell::from(stamp)), ("modified_by", user)];
    books.set_fields(CLOSING, closing, changed);
}

/// The lines that the invoice of one sale would post by itself. They stay posted: take them back.
pub(crate) fn lines_of(books: &mut SimBooks, sale: &Arc<SimDoc>) -> SimResult<Vec<Arc<SimDoc>>> {
    let invoice = merged(sale.text("posting_date"), std::slice::from_ref(sale));
    let invoice = save::insert(books, invoice, None)?;
    Ok(ledger::live(books, &invoice))
}

/// Posts the sales of a session and closes it. Tills of this company move no stock.
fn consolidate(books: &mut SimBooks, closing: &SimDoc) -> SimResult<()> {
    let mut groups: BTreeMap<SaleGroup, Vec<Arc<SimDoc>>> = BTreeMap::new();
    for name in sales_of(closing) {
        let sale = books.load("POS Invoice", name)?;
        // Much may have happened since the closing was submitted: another one of the same sales, a cancel.
        if closing.docstatus() != 1 || !sale.text("consolidated_invoice").is_empty() {
            return Err(unsuitable(format!(
                "{name} has been consolidated, or {} is cancelled",
                closing.name
            )));
        }
        let [customer, currency] = ["customer", "currency"].map(|it| sale.text(it).to_owned());
        let group = (customer, currency, sale.flag("is_return"));
        groups.entry(group).or_default().push(sale);
    }
    let mut logs: BTreeMap<(&str, &str), SimDoc> = BTreeMap::new();
    for ((customer, currency, is_return), sales) in &groups {
        let invoice = save::insert(books, merged(closing.text("posting_date"), sales), None)?;
        let log = logs
            .entry((customer, currency))
            .or_insert_with(|| log_of(closing, customer));
        log.set(LOGGED[usize::from(*is_return)], &invoice.name);
        for sale in sales {
            name_invoice(books, &sale.name, SimCell::from(&invoice.name));
            let mut row = SimDoc::new("POS Invoice Reference").with("pos_invoice", &sale.name);
            row.take_from(sale, &["posting_date", "customer", "grand_total"]);
            log.push("pos_invoices", row);
        }
    }
    for log in logs.into_values() {
        save::insert(books, log, None)?;
    }
    let closed = [
        ("pos_closing_entry", SimCell::from(&closing.name)),
        ("status", SimCell::from("Closed")),
    ];
    books.set_fields(OPENING, closing.text("pos_opening_entry"), closed);
    Ok(())
}

/// A log that names the invoices of one customer.
fn log_of(closing: &SimDoc, customer: &str) -> SimDoc {
    SimDoc::new(LOG)
        .with("posting_date", closing.text("posting_date"))
        .with("pos_closing_entry", &closing.name)
        .with("customer", customer)
        .with("docstatus", 1)
}

/// Takes the invoices of a closing back, with their logs; its session is open again. One that was never
/// posted has no logs: its sales may be in another's invoices, which stay.
pub(super) fn reopen(books: &mut SimBooks, closing: &SimDoc) -> SimResult<()> {
    let logs = books
        .all(LOG)
        .filter(|it| it.docstatus() == 1 && it.text("pos_closing_entry") == closing.name);
    let logs: Vec<_> = logs.cloned().collect();
    for log in &logs {
        save::cancel(books, LOG, &log.name)?;
        for row in log.rows("pos_invoices") {
            name_invoice(books, row.text("pos_invoice"), SimCell::Null);
        }
        let invoices = LOGGED.map(|field| log.text(field));
        for invoice in invoices.into_iter().filter(|it| !it.is_empty()) {
            save::cancel(books, "Sales Invoice", invoice)?;
        }
    }
    let open = [
        ("pos_closing_entry", SimCell::Null),
        ("status", SimCell::from("Open")),
    ];
    books.set_fields(OPENING, closing.text("pos_opening_entry"), open);
    Ok(())
}

const CLOSING: &str = "POS Closing Entry";
const OPENING: &str = "POS Opening Entry";
const LOG: &str = "POS Invoice Merge Log";
/// A log's fields for an invoice and for a credit note.
const LOGGED: [&str; 2] = ["consolidated_invoice", "consolidated_credit_note"];

fn name_invoice(books: &mut SimBooks, sale: &str, invoice: SimCell) {
    let named = [("consolidated_invoice", invoice)];
    books.set_fields("POS Invoice", sale, named);
    status::refresh(books, "POS Invoice", sale);
}

/// The invoice of several sales, at their net rates and with the sums of their taxes and payments.
fn merged(day: &str, sales: &[Arc<SimDoc>]) -> SimDoc {
    let mut doc = SimDoc::new("Sales Invoice")
        .with("is_pos", 1)
        .with("is_consolidated", 1)
        .with("set_posting_time", 1)
        .with("posting_date", day)
        .with("due_date", day)
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
