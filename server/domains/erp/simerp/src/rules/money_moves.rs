//! Payments and journal entries.

use std::sync::Arc;

use crate::books::SimBooks;
use crate::cell::{Decimal, SimCell, SimDoc};
use crate::ledger::{self, LedgerLine};
use crate::refusal::{SimResult, unsuitable};
use crate::status;

pub(super) fn validate_payment(books: &mut SimBooks, doc: &mut SimDoc) -> SimResult<()> {
    let kind = doc.text("payment_type").to_owned();
    let company = books.load("Company", doc.text("company"))?;
    let own = company.text("default_currency").to_owned();
    if kind != "Internal Transfer"
        && (doc.text("party").is_empty() || doc.text("party_type").is_empty())
    {
        return Err(unsuitable("Party Type and Party are mandatory"));
    }
    if doc.text("party_name").is_empty() {
        let name = doc.get("party").clone();
        doc.set("party_name", name);
    }
    for field in ["paid_from_account_currency", "paid_to_account_currency"] {
        doc.set(field, own.clone());
    }
    for field in ["source_exchange_rate", "target_exchange_rate"] {
        doc.set(field, Decimal::ONE);
    }
    if doc.num("received_amount").is_zero() {
        let paid = doc.num("paid_amount");
        doc.set("received_amount", paid);
    }
    for (field, base) in [
        ("paid_amount", "base_paid_amount"),
        ("received_amount", "base_received_amount"),
    ] {
        let amount = books.money(doc.num(field));
        if amount.is_zero() || amount.is_sign_negative() {
            return Err(unsuitable(
                "Paid Amount and Received Amount have to be above zero",
            ));
        }
        doc.set(field, amount);
        doc.set(base, amount);
    }
    let bank = if kind == "Pay" {
        "paid_from"
    } else {
        "paid_to"
    };
    let is_bank = books.value_text("Account", doc.text(bank), "account_type") == "Bank";
    if is_bank && (doc.text("reference_no").is_empty() || doc.text("reference_date").is_empty()) {
        return Err(unsuitable(
            "Reference No and Reference Date is mandatory for Bank transaction",
        ));
    }
    let mut allocated = Decimal::ZERO;
    let party = doc.text("party").to_owned();
    for (at, row) in doc.rows_mut("references").iter_mut().enumerate() {
        let invoice = books.load(row.text("reference_doctype"), row.text("reference_name"))?;
        if invoice.docstatus() != 1 {
            return Err(unsuitable(format!("{} is not submitted", invoice.name)));
        }
        if crate::price::party_of(&invoice) != party {
            return Err(unsuitable(format!(
                "{} {} does not belong to {party}",
                invoice.kind, invoice.name
            )));
        }
        let is_invoice = invoice.kind.ends_with("Invoice");
        let open = if is_invoice {
            ledger::outstanding(books, invoice.kind, &invoice.name)
        } else {
            invoice.num("base_grand_total")
        };
        let part = books.money(row.num("allocated_amount"));
        if part > open {
            return Err(unsuitable(format!(
                "Row #{}: Allocated Amount cannot be greater than outstanding amount.",
                at + 1
            )));
        }
        row.set("total_amount", status::payable(&invoice));
        row.set("outstanding_amount", open);
        row.set("allocated_amount", part);
        row.set("due_date", invoice.get("due_date").clone());
        allocated += part;
    }
    let paid = doc.num("base_paid_amount");
    if allocated > paid {
        return Err(unsuitable(
            "Total Allocated Amount cannot be greater than Paid Amount",
        ));
    }
    doc.set("total_allocated_amount", allocated);
    doc.set("unallocated_amount", paid - allocated);
    let difference = doc.num("base_received_amount") - paid;
    doc.set("difference_amount", difference);
    if !difference.is_zero() {
        return Err(unsuitable("Difference Amount must be zero"));
    }
    if !doc.flag("custom_remarks") {
        let text = format!(
            "Amount {own} {} {} {}\nTransaction reference no {} dated {}",
            paid,
            if kind == "Pay" {
                "paid to"
            } else {
                "received from"
            },
            party,
            doc.text("reference_no"),
            doc.text("reference_date")
        );
        doc.set("remarks", text);
    }
    Ok(())
}

pub(super) fn post_payment(books: &mut SimBooks, doc: &SimDoc) -> SimResult<()> {
    let amount = doc.num("base_paid_amount");
    let (party_field, bank_field, sign) = match doc.text("payment_type") {
        "Receive" => ("paid_from", "paid_to", Decimal::NEGATIVE_ONE),
        "Pay" => ("paid_to", "paid_from", Decimal::ONE),
        _ => {
            let lines = vec![
                LedgerLine::new(doc.text("paid_to"), amount),
                LedgerLine::new(doc.text("paid_from"), -amount),
            ];
            return ledger::post(books, doc, lines);
        }
    };
    let party_type = party_type(doc.text("party_type"));
    let account = doc.text(party_field);
    let mut lines = Vec::new();
    for row in doc.rows("references") {
        let line = LedgerLine::new(account, sign * row.num("allocated_amount"))
            .of_party(party_type, doc.text("party"));
        lines.push(line.against(row.text("reference_doctype"), row.text("reference_name")));
    }
    let free = doc.num("unallocated_amount");
    lines.push(LedgerLine::new(account, sign * free).of_party(party_type, doc.text("party")));
    lines.push(LedgerLine::new(doc.text(bank_field), -sign * amount));
    ledger::post(books, doc, lines)
}

fn party_type(name: &str) -> &'static str {
    match name {
        "Supplier" => "Supplier",
        "Employee" => "Employee",
        "Customer" => "Customer",
        _ => "",
    }
}

pub(super) fn validate_journal(books: &mut SimBooks, doc: &mut SimDoc) -> SimResult<()> {
    let (mut debit, mut credit) = (Decimal::ZERO, Decimal::ZERO);
    for (at, row) in doc.rows_mut("accounts").iter_mut().enumerate() {
        let (own_debit, own_credit) = (
            books.money(row.num("debit_in_account_currency")),
            books.money(row.num("credit_in_account_currency")),
        );
        if !own_debit.is_zero() && !own_credit.is_zero() {
            return Err(unsuitable(format!(
                "Row #{}: You cannot credit and debit same account at the same time",
                at + 1
            )));
        }
        row.set("exchange_rate", Decimal::ONE);
        row.set("debit", own_debit);
        row.set("credit", own_credit);
        debit += own_debit;
        credit += own_credit;
        let kind = books.value_text("Account", row.text("account"), "account_type");
        if matches!(kind.as_str(), "Receivable" | "Payable") && row.text("party").is_empty() {
            return Err(unsuitable(format!(
                "Row {}: Party Type and Party is required for Receivable / Payable account {}",
                at + 1,
                row.text("account")
            )));
        }
    }
    doc.set("total_debit", debit);
    doc.set("total_credit", credit);
    doc.set("difference", debit - credit);
    let first = doc
        .rows("accounts")
        .first()
        .map(|row| row.get("account").clone());
    doc.set("title", first.unwrap_or_default());
    let remark = doc.get("user_remark").clone();
    doc.set("remark", remark);
    Ok(())
}

pub(super) fn post_journal(books: &mut SimBooks, doc: &SimDoc) -> SimResult<()> {
    let rows = doc.rows("accounts").iter();
    let lines = rows.map(|row| {
        let line =
            LedgerLine::new(row.text("account"), row.num("debit") - row.num("credit")).center(row);
        let line = line.of_party(party_type(row.text("party_type")), row.text("party"));
        line.against(row.text("reference_type"), row.text("reference_name"))
    });
    ledger::post(books, doc, lines.collect())
}

/// Payments of a document that is cancelled come loose: their money stays with the party, unallocated.
pub(super) fn unlink_payments(books: &mut SimBooks, doc: &SimDoc) {
    let on = books.setting(
        "Accounts Settings",
        "unlink_payment_on_cancellation_of_invoice",
    );
    if on.num().is_zero() {
        return;
    }
    let points = |it: &SimDoc, table: &str, kind: &str| {
        it.rows(table)
            .iter()
            .any(|row| row.text(kind) == doc.kind && row.text("reference_name") == doc.name)
    };
    let payments: Vec<Arc<SimDoc>> = books
        .by("Payment Entry", "references.reference_name", &doc.name)
        .filter(|it| it.docstatus() == 1 && points(it, "references", "reference_doctype"))
        .cloned()
        .collect();
    for payment in payments {
        let mut loose = SimDoc::clone(&payment);
        let rows = loose.rows_mut("references");
        rows.retain(|row| row.text("reference_name") != doc.name);
        let allocated: Decimal = rows.iter().map(|row| row.num("allocated_amount")).sum();
        loose.set("total_allocated_amount", allocated);
        let free = loose.num("base_paid_amount") - allocated;
        loose.set("unallocated_amount", free);
        books.put(loose);
    }
    let journals: Vec<Arc<SimDoc>> = books
        .all("Journal Entry")
        .filter(|it| it.docstatus() == 1 && points(it, "accounts", "reference_type"))
        .cloned()
        .collect();
    for journal in journals {
        let mut loose = SimDoc::clone(&journal);
        for row in loose.rows_mut("accounts") {
            if row.text("reference_name") == doc.name {
                row.set("reference_type", SimCell::Null);
                row.set("reference_name", SimCell::Null);
            }
        }
        books.put(loose);
    }
    let lines: Vec<_> = books
        .by("Payment Ledger Entry", "against_voucher_no", &doc.name)
        .filter(|it| {
            it.text("against_voucher_type") == doc.kind
                && it.text("voucher_no") != doc.name
                && !it.flag("delinked")
        })
        .cloned()
        .collect();
    for line in lines {
        let own = [
            ("against_voucher_type", line.get("voucher_type").clone()),
            ("against_voucher_no", line.get("voucher_no").clone()),
        ];
        books.set_fields("Payment Ledger Entry", &line.name, own);
        let entries: Vec<_> = books
            .by("GL Entry", "voucher_no", line.text("voucher_no"))
            .filter(|it| it.text("against_voucher") == doc.name)
            .map(|it| it.name.clone())
            .collect();
        for name in entries {
            let none = [
                ("against_voucher_type", SimCell::Null),
                ("against_voucher", SimCell::Null),
            ];
            books.set_fields("GL Entry", &name, none);
        }
    }
}
