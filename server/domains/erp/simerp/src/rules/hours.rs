//! Hours of timesheets that invoices bill.

use std::collections::BTreeSet;

use crate::books::SimBooks;
use crate::cell::{Decimal, SimCell, SimDoc};
use crate::refusal::{SimResult, unsuitable};
use crate::status;

/// Sums what an invoice bills of timesheets. Each row has to be submitted, and in no other invoice.
pub(super) fn check_billed(books: &SimBooks, doc: &mut SimDoc) -> SimResult<()> {
    let (mut hours, mut amount) = (Decimal::ZERO, Decimal::ZERO);
    for (at, row) in doc.rows("timesheets").iter().enumerate() {
        hours += row.num("billing_hours");
        amount += row.num("billing_amount");
        let Some(sheet) = books.find("Timesheet", row.text("time_sheet")) else {
            continue;
        };
        let logs = sheet.rows("time_logs").iter();
        let mut own = logs.filter(|log| log.name == row.text("timesheet_detail"));
        let other = own.find_map(|log| {
            let invoice = log.text("sales_invoice");
            (!invoice.is_empty() && invoice != doc.name).then_some(invoice)
        });
        if let Some(invoice) = other {
            return Err(unsuitable(format!(
                "Row {}: {} has been billed in Sales Invoice {invoice}",
                at + 1,
                sheet.name
            )));
        }
        if !matches!(
            sheet.text("status"),
            "Submitted" | "Payslip" | "Partially Billed"
        ) {
            return Err(unsuitable(format!(
                "Timesheet {} is {}: it cannot be billed",
                sheet.name,
                sheet.text("status")
            )));
        }
    }
    doc.set("total_billing_hours", hours);
    doc.set("total_billing_amount", amount);
    Ok(())
}

/// The rows of timesheets that an invoice bills name it from now on.
pub(super) fn bill(books: &mut SimBooks, invoice: &SimDoc) {
    name_invoice(books, invoice, &SimCell::from(&invoice.name));
}

/// The rows that it has billed are free again.
pub(super) fn free(books: &mut SimBooks, invoice: &SimDoc) {
    name_invoice(books, invoice, &SimCell::Null);
}

fn name_invoice(books: &mut SimBooks, invoice: &SimDoc, as_billed: &SimCell) {
    let rows = invoice.rows("timesheets");
    let sheets: BTreeSet<&str> = rows.iter().map(|row| row.text("time_sheet")).collect();
    for sheet in sheets {
        let Some(before) = books.find("Timesheet", sheet) else {
            continue;
        };
        let mut doc = SimDoc::clone(before);
        for log in doc.rows_mut("time_logs") {
            let is_billed = rows
                .iter()
                .any(|it| it.text("timesheet_detail") == log.name);
            if is_billed {
                log.set("sales_invoice", as_billed.clone());
            }
        }
        sum_billed(&mut doc);
        let word = status::word(books, &doc);
        doc.set("status", word);
        books.put(doc);
    }
}

/// The part of a timesheet that is billed.
pub(super) fn sum_billed(doc: &mut SimDoc) {
    let billed: Vec<_> = doc
        .rows("time_logs")
        .iter()
        .filter(|log| log.flag("is_billable") && !log.text("sales_invoice").is_empty())
        .map(|log| (log.num("billing_hours"), log.num("billing_amount")))
        .collect();
    let hours: Decimal = billed.iter().map(|it| it.0).sum();
    let amount: Decimal = billed.iter().map(|it| it.1).sum();
    let (done, all) = if amount > Decimal::ZERO {
        (amount, doc.num("total_billable_amount"))
    } else {
        (hours, doc.num("total_billable_hours"))
    };
    let part = if all.is_zero() {
        Decimal::ZERO
    } else {
        (done * Decimal::ONE_HUNDRED / all).round_dp(6)
    };
    doc.set("total_billed_hours", hours);
    doc.set("total_billed_amount", amount);
    doc.set("per_billed", part);
}
