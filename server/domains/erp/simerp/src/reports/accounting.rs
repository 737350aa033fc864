//! Ledgers, balances and open items.

use std::collections::BTreeMap;

use serde_json::json;

use super::{Sheet, cell, days, wanted};
use crate::books::SimBooks;
use crate::cell::{Decimal, SimDoc};
use crate::clock::{days_between, parse_date};
use crate::refusal::SimResult;
use crate::wire::Args;

fn lines<'a>(books: &'a SimBooks, filters: &Args) -> Vec<&'a SimDoc> {
    let company = filters.text("company");
    let mut found: Vec<&SimDoc> = books
        .all("GL Entry")
        .map(AsRef::as_ref)
        .filter(|it| it.text("company") == company && !it.flag("is_cancelled"))
        .filter(|it| {
            [
                "account",
                "party",
                "party_type",
                "voucher_no",
                "cost_center",
                "project",
            ]
            .into_iter()
            .all(|field| wanted(filters, field, it.text(field)))
        })
        .collect();
    found.sort_by(|a, b| {
        let key = |it: &SimDoc| (it.text("posting_date").to_owned(), it.name.clone());
        key(a).cmp(&key(b))
    });
    found
}

pub(super) fn general_ledger(books: &SimBooks, filters: &Args) -> SimResult<Sheet> {
    let (from, to) = days(books, filters)?;
    let mut sheet = Sheet::new(&[
        ("posting_date", "Posting Date", "Date", ""),
        ("account", "Account", "Link", "Account"),
        ("debit", "Debit", "Currency", ""),
        ("credit", "Credit", "Currency", ""),
        ("balance", "Balance", "Currency", ""),
        ("voucher_type", "Voucher Type", "Data", ""),
        ("voucher_no", "Voucher No", "Dynamic Link", "voucher_type"),
        ("against", "Against Account", "Data", ""),
        ("party_type", "Party Type", "Data", ""),
        ("party", "Party", "Data", ""),
        ("cost_center", "Cost Center", "Link", "Cost Center"),
    ]);
    let (mut opening, mut debit, mut credit) = (Decimal::ZERO, Decimal::ZERO, Decimal::ZERO);
    let all = lines(books, filters);
    for it in all
        .iter()
        .filter(|it| it.text("posting_date") < from.as_str())
    {
        opening += it.num("debit") - it.num("credit");
    }
    let sum = |name: &str, debit: Decimal, credit: Decimal, balance: Decimal| {
        json!({
            "account": name, "debit": cell(debit), "credit": cell(credit), "balance": cell(balance),
        })
    };
    let zero = Decimal::ZERO;
    sheet.row(sum(
        "'Opening'",
        opening.max(zero),
        (-opening).max(zero),
        opening,
    ));
    let mut balance = opening;
    let within = |it: &&SimDoc| {
        let day = it.text("posting_date");
        from.as_str() <= day && day <= to.as_str()
    };
    for it in all.into_iter().filter(within) {
        debit += it.num("debit");
        credit += it.num("credit");
        balance += it.num("debit") - it.num("credit");
        let mut row = json!({
            "gl_entry": it.name, "debit": cell(it.num("debit")), "credit": cell(it.num("credit")),
            "balance": cell(balance),
        });
        for field in [
            "posting_date",
            "account",
            "voucher_type",
            "voucher_no",
            "against",
            "party_type",
            "party",
            "cost_center",
            "project",
            "remarks",
            "against_voucher_type",
            "against_voucher",
        ] {
            row[field] = it.get(field).json();
        }
        sheet.row(row);
    }
    sheet.row(sum("'Total'", debit, credit, debit - credit));
    sheet.row(sum("'Closing (Opening + Total)'", debit, credit, balance));
    Ok(sheet)
}

/// AccountSums of an account: before the days, debit and credit within.
#[derive(Default)]
struct AccountSums {
    before: Decimal,
    debit: Decimal,
    credit: Decimal,
}

fn by_account(
    books: &SimBooks,
    filters: &Args,
    from: &str,
    to: &str,
) -> BTreeMap<String, AccountSums> {
    let mut sums: BTreeMap<String, AccountSums> = BTreeMap::new();
    for it in lines(books, filters) {
        let day = it.text("posting_date");
        let sum = sums.entry(it.text("account").to_owned()).or_default();
        if day < from {
            sum.before += it.num("debit") - it.num("credit");
        } else if day <= to {
            sum.debit += it.num("debit");
            sum.credit += it.num("credit");
        }
    }
    sums
}

pub(super) fn trial_balance(books: &SimBooks, filters: &Args) -> SimResult<Sheet> {
    let (from, to) = days(books, filters)?;
    let names = [
        ("opening_debit", "Opening (Dr)"),
        ("opening_credit", "Opening (Cr)"),
        ("debit", "Debit"),
        ("credit", "Credit"),
        ("closing_debit", "Closing (Dr)"),
        ("closing_credit", "Closing (Cr)"),
    ];
    let mut columns = vec![("account", "Account", "Link", "Account")];
    columns.extend(
        names
            .iter()
            .map(|(name, label)| (*name, *label, "Currency", "currency")),
    );
    let mut sheet = Sheet::new(&columns);
    let zero = Decimal::ZERO;
    let mut totals = [zero; 6];
    for (account, sum) in by_account(books, filters, &from, &to) {
        let closing = sum.before + sum.debit - sum.credit;
        let cells = [
            sum.before.max(zero),
            (-sum.before).max(zero),
            sum.debit,
            sum.credit,
            closing.max(zero),
            (-closing).max(zero),
        ];
        let mut row = json!({"account": account, "account_name": account, "indent": 0});
        for (((name, _), value), total) in names.iter().zip(cells).zip(&mut totals) {
            row[*name] = cell(value);
            *total += value;
        }
        sheet.row(row);
    }
    let mut row = json!({"account": "'Total'", "account_name": "'Total'"});
    for ((name, _), value) in names.iter().zip(totals) {
        row[*name] = cell(value);
    }
    sheet.row(row);
    Ok(sheet)
}

pub(super) fn profit_and_loss(books: &SimBooks, filters: &Args) -> SimResult<Sheet> {
    let (from, to) = days(books, filters)?;
    let sums = by_account(books, filters, &from, &to);
    let mut sheet = statement();
    let income = part(books, &mut sheet, &sums, "Income", -1, false);
    let expense = part(books, &mut sheet, &sums, "Expense", 1, false);
    total(&mut sheet, "'Profit for the year'", income - expense);
    Ok(sheet)
}

pub(super) fn balance_sheet(books: &SimBooks, filters: &Args) -> SimResult<Sheet> {
    let (from, to) = days(books, filters)?;
    let sums = by_account(books, filters, &from, &to);
    let mut sheet = statement();
    let assets = part(books, &mut sheet, &sums, "Asset", 1, true);
    let debts = part(books, &mut sheet, &sums, "Liability", -1, true);
    let equity = part(books, &mut sheet, &sums, "Equity", -1, true);
    total(
        &mut sheet,
        "'Provisional Profit / Loss (Credit)'",
        assets - debts - equity,
    );
    total(&mut sheet, "'Total (Credit)'", assets);
    Ok(sheet)
}

fn statement() -> Sheet {
    Sheet::new(&[
        ("account", "Account", "Link", "Account"),
        ("total", "Total", "Currency", "currency"),
    ])
}

fn total(sheet: &mut Sheet, name: &str, value: Decimal) {
    sheet.row(json!({"account": name, "account_name": name, "total": cell(value), "indent": 0}));
}

/// The accounts of a root with their balances; `all` counts what was before, too.
fn part(
    books: &SimBooks,
    sheet: &mut Sheet,
    sums: &BTreeMap<String, AccountSums>,
    root: &str,
    sign: i64,
    all: bool,
) -> Decimal {
    let mut whole = Decimal::ZERO;
    for (account, sum) in sums {
        if books.value_text("Account", account, "root_type") != root {
            continue;
        }
        let before = if all { sum.before } else { Decimal::ZERO };
        let value = (before + sum.debit - sum.credit) * Decimal::from(sign);
        whole += value;
        sheet.row(json!({
            "account": account, "account_name": account, "total": cell(value), "indent": 1,
            "root_type": root,
        }));
    }
    total(sheet, &format!("Total {root}"), whole);
    whole
}

/// Vouchers that are not paid, with their age.
pub(super) fn open_items(books: &SimBooks, filters: &Args, kind: &str) -> Sheet {
    let company = filters.text("company");
    let asked = filters.text("report_date");
    let until = if asked.is_empty() {
        books.today().to_string()
    } else {
        asked
    };
    let mut sheet = Sheet::new(&[
        ("posting_date", "Posting Date", "Date", ""),
        ("party_type", "Party Type", "Data", ""),
        ("party", "Party", "Dynamic Link", "party_type"),
        ("voucher_type", "Voucher Type", "Data", ""),
        ("voucher_no", "Voucher No", "Dynamic Link", "voucher_type"),
        ("due_date", "Due Date", "Date", ""),
        ("invoiced", "Invoiced Amount", "Currency", "currency"),
        ("paid", "Paid Amount", "Currency", "currency"),
        ("outstanding", "Outstanding Amount", "Currency", "currency"),
        ("age", "Age (Days)", "Int", ""),
        ("range1", "0-30", "Currency", "currency"),
        ("range2", "31-60", "Currency", "currency"),
        ("range3", "61-90", "Currency", "currency"),
        ("range4", "91-120", "Currency", "currency"),
        ("range5", "121-Above", "Currency", "currency"),
    ]);
    let mut items: BTreeMap<(String, String), (Option<&SimDoc>, Decimal, Decimal)> =
        BTreeMap::new();
    for it in books.all("Payment Ledger Entry") {
        let counts = it.text("company") == company
            && it.text("account_type") == kind
            && !it.flag("delinked")
            && it.text("posting_date") <= until.as_str()
            && wanted(filters, "party", it.text("party"));
        if !counts {
            continue;
        }
        let key = (
            it.text("against_voucher_type").to_owned(),
            it.text("against_voucher_no").to_owned(),
        );
        let (first, invoiced, paid) = items.entry(key).or_default();
        if it.text("voucher_no") == it.text("against_voucher_no") {
            *first = Some(it);
            *invoiced += it.num("amount");
        } else {
            first.get_or_insert(it);
            *paid -= it.num("amount");
        }
    }
    let currency = books.value("Company", &company, "default_currency").json();
    let today = parse_date(&until);
    for ((voucher, name), (first, invoiced, paid)) in items {
        let (Some(first), open) = (first, invoiced - paid) else {
            continue;
        };
        if open.is_zero() {
            continue;
        }
        let due = first.get("due_date").clone();
        let from = parse_date(due.text()).or_else(|| parse_date(first.text("posting_date")));
        let age = from
            .zip(today)
            .map_or(0, |(from, to)| days_between(from, to));
        let mut row = json!({
            "posting_date": first.get("posting_date").json(), "party_type": first.get("party_type").json(),
            "party": first.get("party").json(), "voucher_type": voucher, "voucher_no": name,
            "due_date": due.json(), "invoiced": cell(invoiced), "paid": cell(paid),
            "outstanding": cell(open), "age": age, "currency": currency,
        });
        for (at, most) in [30, 60, 90, 120, i64::MAX].into_iter().enumerate() {
            let least = [i64::MIN, 30, 60, 90, 120][at];
            let own = if age > least && age <= most {
                open
            } else {
                Decimal::ZERO
            };
            row[format!("range{}", at + 1)] = cell(own);
        }
        sheet.row(row);
    }
    sheet.add_total();
    sheet
}
