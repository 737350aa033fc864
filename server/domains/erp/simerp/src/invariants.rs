//! What has to be true of the books after every request.

use std::collections::{BTreeMap, BTreeSet};

use crate::books::SimBooks;
use crate::cell::Decimal;
use crate::{ledger, status, stock};

/// Sentences about everything that is not as it has to be.
pub(crate) fn broken(books: &SimBooks) -> Vec<String> {
    let mut out = Vec::new();
    vouchers_balance(books, &mut out);
    dead_vouchers_cancel_out(books, &mut out);
    bins_follow_the_stock_ledger(books, &mut out);
    stock_value_is_in_the_accounts(books, &mut out);
    outstanding_follows_the_payment_ledger(books, &mut out);
    statuses_follow_their_rules(books, &mut out);
    sales_of_tills_are_posted_once(books, &mut out);
    invoices_of_tills_are_logged_once(books, &mut out);
    out
}

fn vouchers_balance(books: &SimBooks, out: &mut Vec<String>) {
    let mut sums: BTreeMap<(&str, &str), (Decimal, bool)> = BTreeMap::new();
    let mut companies: BTreeMap<&str, Decimal> = BTreeMap::new();
    for entry in books.all("GL Entry") {
        let change = entry.num("debit") - entry.num("credit");
        *companies.entry(entry.text("company")).or_default() += change;
        if !entry.flag("is_cancelled") {
            let key = (entry.text("voucher_type"), entry.text("voucher_no"));
            let (sum, _) = sums.entry(key).or_default();
            *sum += change;
        }
    }
    for (company, sum) in companies.iter().filter(|(_, sum)| !sum.is_zero()) {
        out.push(format!("the trial balance of {company} is {sum}"));
    }
    for ((kind, name), (sum, _)) in sums {
        if !sum.is_zero() {
            out.push(format!("{kind} {name} posts {sum} more debit than credit"));
        }
        if !is_submitted(books, kind, name) && !ledger::is_immutable(books) {
            out.push(format!("{kind} {name} is not submitted and has live lines"));
        }
    }
}

/// Lines of an immutable ledger stay live, so those of a cancelled voucher have to be nothing in each account.
fn dead_vouchers_cancel_out(books: &SimBooks, out: &mut Vec<String>) {
    if !ledger::is_immutable(books) {
        return;
    }
    let mut sums: BTreeMap<(&str, &str, &str), Decimal> = BTreeMap::new();
    for entry in books.all("GL Entry").filter(|it| !it.flag("is_cancelled")) {
        let [kind, name, account] =
            ["voucher_type", "voucher_no", "account"].map(|field| entry.text(field));
        *sums.entry((kind, name, account)).or_default() += entry.num("debit") - entry.num("credit");
    }
    for ((kind, name, account), sum) in sums {
        if !sum.is_zero() && !is_submitted(books, kind, name) {
            out.push(format!(
                "{kind} {name} is not submitted and has {sum} in {account}"
            ));
        }
    }
}

fn is_submitted(books: &SimBooks, kind: &str, name: &str) -> bool {
    let found = books.find(kind, name);
    found.is_some_and(|doc| doc.docstatus() == 1)
}

fn bins_follow_the_stock_ledger(books: &SimBooks, out: &mut Vec<String>) {
    let mut sums: BTreeMap<(&str, &str), (Decimal, Decimal)> = BTreeMap::new();
    for entry in books.all("Stock Ledger Entry") {
        let key = (entry.text("item_code"), entry.text("warehouse"));
        let (qty, value) = sums.entry(key).or_default();
        *qty += entry.num("actual_qty");
        *value += entry.num("stock_value_difference");
        let live = is_submitted(books, entry.text("voucher_type"), entry.text("voucher_no"));
        if !live && !entry.flag("is_cancelled") {
            out.push(format!("{} is live of a dead voucher", entry.name));
        }
    }
    let reserved = reserved(books);
    for bin in books.all("Bin") {
        let key = (bin.text("item_code"), bin.text("warehouse"));
        let (qty, value) = sums.remove(&key).unwrap_or_default();
        let (own, own_value) = (bin.num("actual_qty"), bin.num("stock_value"));
        if own != qty || own_value != value {
            out.push(format!(
                "bin {key:?} has {own} of {own_value}, the ledger {qty} of {value}"
            ));
        }
        if own.is_sign_negative() && !own.is_zero() {
            out.push(format!("bin {key:?} is negative"));
        }
        let reserved = reserved.get(&key).copied().unwrap_or_default();
        if bin.num("reserved_qty") != reserved {
            out.push(format!(
                "bin {key:?} reserves {}, orders {reserved}",
                bin.num("reserved_qty")
            ));
        }
    }
    if let Some((key, _)) = sums.into_iter().find(|(_, (qty, _))| !qty.is_zero()) {
        out.push(format!("no bin for {key:?}"));
    }
}

/// Quantities not yet delivered for open orders, by item and warehouse; read from all orders, without an index.
fn reserved(books: &SimBooks) -> BTreeMap<(&str, &str), Decimal> {
    let mut sums: BTreeMap<(&str, &str), Decimal> = BTreeMap::new();
    let orders = books.all("Sales Order").filter(|it| it.docstatus() == 1);
    for order in orders.filter(|it| !matches!(it.text("status"), "Closed" | "Stopped")) {
        for row in order.rows("items") {
            let left = (row.num("qty") - row.num("delivered_qty")).max(Decimal::ZERO);
            let place = (row.text("item_code"), row.text("warehouse"));
            *sums.entry(place).or_default() += left * row.num("conversion_factor");
        }
    }
    sums
}

fn stock_value_is_in_the_accounts(books: &SimBooks, out: &mut Vec<String>) {
    let mut stock_value: BTreeMap<String, Decimal> = BTreeMap::new();
    for bin in books.all("Bin") {
        let company = books.value_text("Warehouse", bin.text("warehouse"), "company");
        if let Some(company) = books.find("Company", &company) {
            let account = stock::stock_account(books, company, bin.text("warehouse"));
            *stock_value.entry(account).or_default() += bin.num("stock_value");
        }
    }
    let mut booked: BTreeMap<String, Decimal> = BTreeMap::new();
    for entry in books.all("GL Entry") {
        let account = entry.text("account");
        if books.value_text("Account", account, "account_type") == "Stock" {
            let sum = booked.entry(account.to_owned()).or_default();
            *sum += entry.num("debit") - entry.num("credit");
        }
    }
    let accounts: BTreeSet<_> = booked.keys().chain(stock_value.keys()).collect();
    for account in accounts {
        let [sum, value] = [&booked, &stock_value].map(|it| it.get(account).copied());
        let (sum, value) = (sum.unwrap_or_default(), value.unwrap_or_default());
        if sum != value {
            out.push(format!("{account} has {sum}, the stock is worth {value}"));
        }
    }
}

fn outstanding_follows_the_payment_ledger(books: &SimBooks, out: &mut Vec<String>) {
    for kind in ["Sales Invoice", "Purchase Invoice"] {
        for invoice in books.all(kind).filter(|it| it.docstatus() == 1) {
            let open = ledger::outstanding(books, kind, &invoice.name);
            let own = invoice.num("outstanding_amount");
            if own != open {
                out.push(format!(
                    "{} says {own} is open, the ledger {open}",
                    invoice.name
                ));
            }
        }
    }
    // What parties owe by the accounts, less what the payment ledger says, by company.
    let mut owed: BTreeMap<&str, Decimal> = BTreeMap::new();
    for entry in books.all("GL Entry").filter(|it| !it.flag("is_cancelled")) {
        let kind = books.value_text("Account", entry.text("account"), "account_type");
        let change = entry.num("debit") - entry.num("credit");
        let sum = owed.entry(entry.text("company")).or_default();
        match kind.as_str() {
            "Receivable" => *sum += change,
            "Payable" => *sum -= change,
            _ => {}
        }
    }
    let lines = books.all("Payment Ledger Entry");
    for line in lines.filter(|it| !it.flag("delinked")) {
        *owed.entry(line.text("company")).or_default() -= line.num("amount");
        for [kind, name] in [
            ["voucher_type", "voucher_no"],
            ["against_voucher_type", "against_voucher_no"],
        ] {
            let (kind, name) = (line.text(kind), line.text(name));
            if !is_submitted(books, kind, name) {
                out.push(format!("{} is live, {kind} {name} is dead", line.name));
            }
        }
    }
    for (company, more) in owed.iter().filter(|(_, more)| !more.is_zero()) {
        out.push(format!(
            "parties of {company} owe {more} more than the payment ledger says"
        ));
    }
}

/// Each sale of a till is in the one invoice that its closing made, and in no other.
fn sales_of_tills_are_posted_once(books: &SimBooks, out: &mut Vec<String>) {
    let mut sold: BTreeMap<&str, Decimal> = BTreeMap::new();
    for sale in books.all("POS Invoice").filter(|it| it.docstatus() == 1) {
        let invoice = sale.text("consolidated_invoice");
        if !invoice.is_empty() {
            *sold.entry(invoice).or_default() += sale.num("grand_total");
        }
    }
    for invoice in books.all("Sales Invoice").filter(|it| it.docstatus() == 1) {
        let sum = sold.remove(invoice.name.as_str());
        let own = invoice
            .flag("is_consolidated")
            .then(|| invoice.num("grand_total"));
        if sum != own {
            out.push(format!(
                "{} is of {own:?}, its sales of {sum:?}",
                invoice.name
            ));
        }
    }
    for invoice in sold.keys() {
        out.push(format!(
            "{invoice} has sales of tills, and is not submitted"
        ));
    }
}

/// Each invoice of a till's sales is in one log, and in no other.
fn invoices_of_tills_are_logged_once(books: &SimBooks, out: &mut Vec<String>) {
    let mut logged: BTreeMap<&str, usize> = BTreeMap::new();
    let logs = books.all("POS Invoice Merge Log");
    for log in logs.filter(|it| it.docstatus() == 1) {
        for field in ["consolidated_invoice", "consolidated_credit_note"] {
            let invoice = log.text(field);
            if !invoice.is_empty() {
                *logged.entry(invoice).or_default() += 1;
            }
        }
    }
    for invoice in books.all("Sales Invoice").filter(|it| it.docstatus() == 1) {
        let logs = logged.remove(invoice.name.as_str()).unwrap_or_default();
        if logs != usize::from(invoice.flag("is_consolidated")) {
            out.push(format!("{} is in {logs} logs of tills", invoice.name));
        }
    }
    for invoice in logged.keys() {
        out.push(format!(
            "{invoice} is in a log of tills, and is not submitted"
        ));
    }
}

fn statuses_follow_their_rules(books: &SimBooks, out: &mut Vec<String>) {
    for kind in [
        "Sales Order",
        "Purchase Order",
        "Delivery Note",
        "Purchase Receipt",
        "Sales Invoice",
        "Purchase Invoice",
        "Work Order",
        "Material Request",
        "Timesheet",
        "POS Invoice",
    ] {
        for doc in books.all(kind) {
            let word = status::word(books, doc);
            if doc.text("status") != word {
                out.push(format!(
                    "{} is {:?}, not {word:?}",
                    doc.name,
                    doc.text("status")
                ));
            }
        }
    }
}

#[cfg(test)]
mod tests;
