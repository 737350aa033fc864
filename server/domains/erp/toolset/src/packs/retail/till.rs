//! The session of a till: its opening, and the sales of its cashier since then.

use jiff::civil::DateTime;
use rust_decimal::Decimal;
use serde_json::{Value, json};

use crate::{
    cell, dates,
    decimal::sane,
    error::{ErpError, RefusalKind},
    meta::TypeMeta,
    packs::{
        figures::{amount, is_set, text},
        lists,
    },
    site::{Document, ErpSite},
    texts::packs::till as say,
};

/// A type of invoice that tills make, as the closing of a session names it.
struct TillInvoices {
    doctype: &'static str,
    /// Names of the closing's table, by version.
    tables: &'static [&'static str],
    /// The field of that table with the invoice.
    link: &'static str,
    /// The field of an invoice that says where it has been closed.
    done: &'static str,
    /// Checks that tell it from other invoices of the type.
    marks: &'static [&'static str],
}

const INVOICES: [TillInvoices; 2] = [
    TillInvoices {
        doctype: "POS Invoice",
        tables: &["pos_transactions", "pos_invoices"],
        link: "pos_invoice",
        done: "consolidated_invoice",
        marks: &[],
    },
    TillInvoices {
        doctype: "Sales Invoice",
        tables: &["sales_invoices"],
        link: "sales_invoice",
        done: "pos_closing_entry",
        marks: &["is_pos", "is_created_using_pos"],
    },
];

/// An invoice of the session.
#[derive(Debug)]
pub(super) struct TillSale {
    /// The closing's table for it, and the field that names it there.
    pub(super) table: &'static str,
    pub(super) link: &'static str,
    pub(super) name: String,
    pub(super) at: DateTime,
    pub(super) day: String,
    pub(super) customer: String,
    pub(super) currency: String,
    pub(super) is_return: bool,
    pub(super) total: Decimal,
    pub(super) net: Decimal,
    pub(super) taxes: Decimal,
    pub(super) qty: Decimal,
    /// Given back, out of an account.
    pub(super) change: (String, Decimal),
    /// Mode, account and amount.
    pub(super) payments: Vec<(String, String, Decimal)>,
    /// Account, rate and amount.
    pub(super) tax_rows: Vec<(String, Decimal, Decimal)>,
}

/// A mode of payment in a session.
#[derive(Debug, PartialEq)]
pub(super) struct TillMode {
    pub(super) mode: String,
    pub(super) opened: Decimal,
    pub(super) expected: Decimal,
}

/// The opening of a session that is open.
pub(super) async fn opening(site: &ErpSite, name: &str) -> Result<Document, ErpError> {
    let meta = site.readable_type("POS Opening Entry").await?;
    let opening = site.document(&meta, name).await?;
    let docstatus = cell::docstatus(opening.get("docstatus").unwrap_or(&Value::Null));
    if docstatus != "submitted" {
        return Err(ErpError::input(say::is_no_session(name, docstatus)));
    }
    let status = text(&opening, "status");
    if status != "Open" {
        let by = text(&opening, "pos_closing_entry");
        return Err(ErpError::input(say::is_closed(name, status, by)));
    }
    Ok(opening)
}

/// The invoices of a session that no closing has, the first sale first: those of its till and its cashier.
pub(super) async fn sales(
    site: &ErpSite,
    closing: &TypeMeta,
    opening: &Document,
) -> Result<Vec<TillSale>, ErpError> {
    let (profile, cashier) = (text(opening, "pos_profile"), text(opening, "user"));
    if profile.is_empty() || cashier.is_empty() {
        return Err(ErpError::input(say::CASHIER_UNKNOWN));
    }
    let since = dates::time(text(opening, "period_start_date"));
    let since = since.ok_or_else(|| site.unusable("period_start_date"))?;
    let filters = [
        json!(["pos_profile", "=", profile]),
        json!(["owner", "=", cashier]),
        json!(["docstatus", "=", 1]),
        json!(["posting_date", ">=", since.date().to_string()]),
    ];
    let mut sales = Vec::new();
    for of in &INVOICES {
        let has = |table: &&&str| closing.table_fields().any(|it| it.name == **table);
        let Some(&table) = of.tables.iter().find(has) else {
            continue;
        };
        let meta = match site.readable_type(of.doctype).await {
            Ok(meta) => meta,
            Err(error) if error.kind() == Some(RefusalKind::NotFound) => continue,
            Err(error) => return Err(error),
        };
        let known = |field: &&str| meta.field(field).is_some();
        if !known(&"pos_profile") || !of.marks.iter().all(known) {
            continue;
        }
        let mut filters = filters.to_vec();
        filters.extend(of.marks.iter().map(|it| json!([it, "=", 1])));
        sales.extend(Box::pin(of_type(site, of, table, &meta, filters)).await?);
    }
    sales.retain(|it| it.at >= since);
    sales.sort_by(|left, right| (left.at, &left.name).cmp(&(right.at, &right.name)));
    Ok(sales)
}

async fn of_type(
    site: &ErpSite,
    of: &TillInvoices,
    table: &'static str,
    meta: &TypeMeta,
    filters: Vec<Value>,
) -> Result<Vec<TillSale>, ErpError> {
    let columns = [
        "name",
        "posting_date",
        "posting_time",
        "customer",
        "currency",
        "is_return",
        "grand_total",
        "net_total",
        "total_taxes_and_charges",
        "total_qty",
        "change_amount",
        "account_for_change_amount",
        of.done,
    ];
    let mut found = lists::documents(site, meta, &columns, filters, "name asc").await?;
    found.retain(|it| text(it, of.done).is_empty());
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let payments = ["mode_of_payment", "account", "amount"];
    let payments = lists::rows(site, meta, "payments", &payments, &[], &found).await?;
    let taxes = [
        "account_head",
        "rate",
        "tax_amount",
        "tax_amount_after_discount_amount",
    ];
    let taxes = lists::rows(site, meta, "taxes", &taxes, &[], &found).await?;
    found
        .iter()
        .map(|it| {
            let own = |row: &&Document| text(row, "parent") == text(it, "name");
            let at = moment(text(it, "posting_date"), text(it, "posting_time"));
            Ok(TillSale {
                table,
                link: of.link,
                name: text(it, "name").to_owned(),
                at: at.ok_or_else(|| site.unusable("posting_time"))?,
                day: text(it, "posting_date").to_owned(),
                customer: text(it, "customer").to_owned(),
                currency: text(it, "currency").to_owned(),
                is_return: is_set(it, "is_return"),
                total: amount(it, "grand_total"),
                net: amount(it, "net_total"),
                taxes: amount(it, "total_taxes_and_charges"),
                qty: amount(it, "total_qty"),
                change: (
                    text(it, "account_for_change_amount").to_owned(),
                    amount(it, "change_amount"),
                ),
                payments: payments.iter().filter(own).map(payment).collect(),
                tax_rows: taxes.iter().filter(own).map(tax).collect(),
            })
        })
        .collect()
}

fn payment(row: &Document) -> (String, String, Decimal) {
    let [mode, account] = ["mode_of_payment", "account"].map(|it| text(row, it).to_owned());
    (mode, account, amount(row, "amount"))
}

fn tax(row: &Document) -> (String, Decimal, Decimal) {
    // What is left of a tax after a discount is what was taken.
    let after = "tax_amount_after_discount_amount";
    let field = if row.contains_key(after) {
        after
    } else {
        "tax_amount"
    };
    let account = text(row, "account_head").to_owned();
    (account, amount(row, "rate"), amount(row, field))
}

/// A day and a time of day, whose hour may have one digit.
fn moment(day: &str, clock: &str) -> Option<DateTime> {
    let zero = if clock.find(':') == Some(1) { "0" } else { "" };
    dates::time(&format!("{day} {zero}{clock}"))
}

/// The modes of a session: those that it opened with, then those that its sales brought.
pub(super) fn modes(opening: &Document, sales: &[TillSale]) -> Vec<TillMode> {
    let rows = opening.get("balance_details").and_then(Value::as_array);
    let rows = rows.into_iter().flatten().filter_map(Value::as_object);
    let mut modes: Vec<TillMode> = Vec::new();
    let mut add = |mode: &str, opened: Decimal, paid: Decimal| {
        let expected = opened + paid;
        match modes.iter_mut().find(|it| it.mode == mode) {
            Some(it) => {
                it.opened += opened;
                it.expected += expected;
            }
            None => modes.push(TillMode {
                mode: mode.to_owned(),
                opened,
                expected,
            }),
        }
    };
    for row in rows {
        let mode = text(row, "mode_of_payment");
        add(mode, amount(row, "opening_amount"), Decimal::ZERO);
    }
    for sale in sales {
        let (account, mut change) = sale.change.clone();
        for (mode, from, paid) in &sale.payments {
            // Change is given once, out of the account of its mode.
            let given = if !account.is_empty() && *from == account {
                std::mem::take(&mut change)
            } else {
                Decimal::ZERO
            };
            add(mode, Decimal::ZERO, *paid - given);
        }
    }
    modes
}

/// Refuses a session with absurd amounts: nothing of it could be told.
pub(super) fn demand_sane(modes: &[TillMode], sales: &[TillSale]) -> Result<(), ErpError> {
    let of_sale = |it: &TillSale| [it.total, it.net, it.taxes, it.qty];
    let of_taxes = sales.iter().flat_map(|it| &it.tax_rows);
    let figures = sales.iter().flat_map(of_sale);
    let figures = figures.chain(of_taxes.flat_map(|it| [it.1, it.2]));
    let mut figures = figures.chain(modes.iter().flat_map(|it| [it.opened, it.expected]));
    if figures.all(|it| sane(it).is_some()) {
        Ok(())
    } else {
        Err(ErpError::input(say::ABSURD))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sale(change: (&str, i64), payments: &[(&str, &str, i64)]) -> TillSale {
        TillSale {
            table: "pos_transactions",
            link: "pos_invoice",
            name: "P-1".to_owned(),
            at: moment("2026-11-21", "9:05:00").unwrap(),
            day: "2026-11-21".to_owned(),
            customer: "Walk-in".to_owned(),
            currency: "EUR".to_owned(),
            is_return: false,
            total: Decimal::ZERO,
            net: Decimal::ZERO,
            taxes: Decimal::ZERO,
            qty: Decimal::ZERO,
            change: (change.0.to_owned(), Decimal::from(change.1)),
            payments: payments
                .iter()
                .map(|it| (it.0.to_owned(), it.1.to_owned(), Decimal::from(it.2)))
                .collect(),
            tax_rows: Vec::new(),
        }
    }

    #[test]
    fn change_leaves_the_drawer_once_and_a_mode_without_opening_counts() {
        let opening = json!({"balance_details": [
            {"mode_of_payment": "Cash", "opening_amount": 150},
        ]});
        let sales = [
            sale(("1110", 4), &[("Cash", "1110", 20), ("Cash", "1110", 1)]),
            sale(("", 3), &[("Voucher", "", 7)]),
            sale(("1110", 0), &[("Cash", "1110", -8)]),
        ];
        let mode = |mode: &str, opened: i64, expected: i64| TillMode {
            mode: mode.to_owned(),
            opened: Decimal::from(opened),
            expected: Decimal::from(expected),
        };
        let found = modes(opening.as_object().unwrap(), &sales);
        assert_eq!(found, [mode("Cash", 150, 159), mode("Voucher", 0, 7)]);
    }

    #[test]
    fn an_hour_may_have_one_digit() {
        let at = |clock: &str| moment("2026-11-21", clock).map(|it| it.to_string());
        assert_eq!(
            at("9:05:00.120000").as_deref(),
            Some("2026-11-21T09:05:00.12")
        );
        assert_eq!(at("16:30:04").as_deref(), Some("2026-11-21T16:30:04"));
        assert_eq!(at("soon"), None);
    }
}
