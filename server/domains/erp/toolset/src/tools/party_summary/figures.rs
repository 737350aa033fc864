//! Figures of one party in one company.

use futures::join;
use rust_decimal::Decimal;
use serde_json::{Value, json};

use super::PartyKind;
use crate::tools::{
    amounts::{self, CurrencySums},
    drop_empty, known, unknown,
};
use crate::{
    cell, dates,
    decimal::{decimal_or_zero, times},
    error::ErpError,
    site::{Document, ErpSite, ListQuery},
    texts::readings as say,
};

/// The most documents that are summed; above that the figure is unknown.
const MOST_SUMMED: usize = 500;
/// The currency of a payment's `paid_amount`.
const PAID_IN: &str = "paid_from_account_currency";

/// A party in a company.
#[derive(Debug, Clone, Copy)]
pub(super) struct PartyAt<'a> {
    pub(super) kind: PartyKind,
    pub(super) party: &'a str,
    /// The party as people call it.
    pub(super) title: &'a str,
    pub(super) company: &'a str,
}

/// The figures of a place, with the sentence that tells the most of them.
pub(super) struct PartyFigures {
    pub(super) sentence: String,
    pub(super) data: Value,
}

/// `party`: the document. What cannot be read is unknown, with the reason.
pub(super) async fn read(site: &ErpSite, of: PartyAt<'_>, party: &Document) -> PartyFigures {
    let (orders, invoices, balance) = join!(
        open_orders(site, of),
        open_invoices(site, of),
        ledger_balance(site, of),
    );
    let (payment, currency) = join!(
        last_payment(site, of),
        amounts::company_currency(site, of.company)
    );
    let own = currency.as_ref().ok().and_then(Value::as_str);
    let credit = match (&balance, credit_limit(party, of.company)) {
        (_, None) => Value::Null,
        (Ok(balance), Some(limit)) => json!({
            "limit": amounts::shown(limit, own),
            "left": amounts::shown(limit - *balance, own),
            "definition": say::CREDIT_LEFT,
        }),
        (Err(error), Some(limit)) => json!({
            "limit": amounts::shown(limit, own),
            "left": unknown(error.reason()),
        }),
    };
    let overdue = invoices.as_ref().ok().map(|it| it.overdue.shown(own));
    let sentence = sentence(of, balance.as_ref().ok(), own, overdue.as_deref());
    let balance = balance.map(|balance| {
        json!({
            "value": amounts::shown(balance, own),
            "definition": say::balance(of.kind.doctype()),
        })
    });
    let mut data = json!({
        "party": of.party,
        "company": of.company,
        "disabled": (party.get("disabled") == Some(&json!(1))).then_some(true),
        "balance": known(balance),
        "open_invoices": known(invoices.map(|it| it.told(own))),
        "open_orders": known(orders.map(|it| it.told(own))),
        "credit": credit,
        "last_payment": known(payment.map(|it| with_currency(it, own))),
        "company_currency": known(currency),
    });
    for field in ["disabled", "credit"] {
        drop_empty(&mut data, field);
    }
    PartyFigures { sentence, data }
}

/// The debt between the two, and the part of it that is overdue. `own`: the currency of the company.
fn sentence(
    of: PartyAt<'_>,
    balance: Option<&Decimal>,
    own: Option<&str>,
    overdue: Option<&str>,
) -> String {
    let (Some(balance), Some(own)) = (balance, own) else {
        return say::party_unknown(of.title);
    };
    // Below zero the other one owes.
    let mut sides = (of.title, of.company);
    if (of.kind == PartyKind::Supplier) != (*balance < Decimal::ZERO) {
        sides = (sides.1, sides.0);
    }
    let owed = amounts::shown(balance.abs(), Some(own));
    say::party(sides.0, sides.1, &owed, overdue)
}

/// Documents of the party in the company, as many as can be summed.
async fn documents(
    site: &ErpSite,
    doctype: &str,
    columns: &[&str],
    filters: Vec<Value>,
) -> Result<Vec<Document>, ErpError> {
    let meta = site.readable_type(doctype).await?;
    let query = ListQuery {
        filters,
        order: "creation asc, name asc".to_owned(),
        limit: MOST_SUMMED,
        ..ListQuery::of(&meta, columns)
    };
    let found = site.list(&meta, query).await?;
    if found.has_more {
        Err(ErpError::input(say::too_many_to_sum(MOST_SUMMED, doctype)))
    } else {
        Ok(found.rows)
    }
}

fn sum(rows: &[Document], value: impl Fn(&Document) -> Decimal) -> Decimal {
    rows.iter().map(value).sum()
}

fn amount(row: &Document, field: &str) -> Decimal {
    row.get(field).map(decimal_or_zero).unwrap_or_default()
}

/// Orders that are neither done nor closed, in the currency of the company.
struct OpenOrders {
    count: usize,
    value: Decimal,
    not_billed: Decimal,
}

impl OpenOrders {
    fn told(&self, own: Option<&str>) -> Value {
        json!({
            "count": self.count,
            "value": amounts::shown(self.value, own),
            "not_billed": amounts::shown(self.not_billed, own),
            "definition": say::OPEN_ORDERS,
        })
    }
}

async fn open_orders(site: &ErpSite, of: PartyAt<'_>) -> Result<OpenOrders, ErpError> {
    let mut filters = of.kind.open_orders(of.party);
    filters.push(json!(["company", "=", of.company]));
    let columns = ["name", "base_grand_total", "per_billed", "status"];
    let rows = documents(site, of.kind.order(), &columns, filters).await?;
    let hundred = Decimal::ONE_HUNDRED;
    let not_billed = sum(&rows, |row| {
        let share = (hundred - amount(row, "per_billed")).max(Decimal::ZERO) / hundred;
        times(amount(row, "base_grand_total"), share)
    });
    Ok(OpenOrders {
        count: rows.len(),
        value: sum(&rows, |row| amount(row, "base_grand_total")),
        not_billed: not_billed.round_dp(2),
    })
}

/// Invoices that are not paid, each in the currency of the party's account.
struct OpenInvoices {
    count: usize,
    outstanding: CurrencySums,
    overdue_count: usize,
    /// Nothing in a currency in which nothing is overdue.
    overdue: CurrencySums,
    /// The first that was due, and its day.
    oldest_due: Option<Value>,
}

impl OpenInvoices {
    fn told(&self, own: Option<&str>) -> Value {
        let mut told = json!({
            "count": self.count,
            "outstanding": self.outstanding.shown(own),
            "overdue_count": self.overdue_count,
            "overdue": self.overdue.shown(own),
            "oldest_due": self.oldest_due,
            "definition": say::OPEN_INVOICES,
        });
        drop_empty(&mut told, "oldest_due");
        told
    }
}

async fn open_invoices(site: &ErpSite, of: PartyAt<'_>) -> Result<OpenInvoices, ErpError> {
    let kind = of.kind;
    let filters = vec![
        json!([kind.field(), "=", of.party]),
        json!(["company", "=", of.company]),
        json!(["docstatus", "=", 1]),
        json!(["outstanding_amount", "!=", 0]),
    ];
    let columns = [
        "name",
        "due_date",
        "outstanding_amount",
        "party_account_currency",
    ];
    let rows = documents(site, kind.invoice(), &columns, filters).await?;
    let zone = &site.identity().await?.time_zone;
    let today = dates::today(site.client.now(), zone);
    let mut open = OpenInvoices {
        count: rows.len(),
        outstanding: CurrencySums::default(),
        overdue_count: 0,
        overdue: CurrencySums::default(),
        oldest_due: None,
    };
    let mut oldest = None;
    for row in &rows {
        let text = |field: &str| row.get(field).and_then(Value::as_str);
        let currency = text("party_account_currency");
        let outstanding = amount(row, "outstanding_amount");
        open.outstanding.add(currency, outstanding);
        let due = text("due_date").and_then(dates::day);
        let late = due.filter(|due| *due < today && outstanding > Decimal::ZERO);
        let overdue = late.map_or(Decimal::ZERO, |_| outstanding);
        open.overdue.add(currency, overdue);
        let Some(due) = late else {
            continue;
        };
        open.overdue_count += 1;
        if oldest.is_none_or(|before| due < before) {
            oldest = Some(due);
            open.oldest_due = Some(json!({ "name": row.get("name"), "due": due.to_string() }));
        }
    }
    Ok(open)
}

/// The balance of the party by the ledger: positive is what a customer owes, or what the company
/// owes a supplier.
async fn ledger_balance(site: &ErpSite, of: PartyAt<'_>) -> Result<Decimal, ErpError> {
    let meta = site.readable_type("GL Entry").await?;
    let filters = vec![
        json!(["party_type", "=", of.kind.doctype()]),
        json!(["party", "=", of.party]),
        json!(["company", "=", of.company]),
        json!(["is_cancelled", "=", 0]),
    ];
    let sums = site.sums(&meta, &["debit", "credit"], filters).await?;
    let (debit, credit) = (amount(&sums, "debit"), amount(&sums, "credit"));
    Ok(match of.kind {
        PartyKind::Customer => debit - credit,
        PartyKind::Supplier => credit - debit,
    })
}

async fn last_payment(site: &ErpSite, of: PartyAt<'_>) -> Result<Value, ErpError> {
    let meta = site.readable_type("Payment Entry").await?;
    let columns = [
        "name",
        "posting_date",
        "paid_amount",
        PAID_IN,
        "payment_type",
        "mode_of_payment",
    ];
    let columns = columns.into_iter().filter(|it| meta.field(it).is_some());
    let columns: Vec<_> = columns.collect();
    let query = ListQuery {
        doctype: "Payment Entry",
        fields: columns.iter().map(|column| json!(column)).collect(),
        filters: vec![
            json!(["party_type", "=", of.kind.doctype()]),
            json!(["party", "=", of.party]),
            json!(["company", "=", of.company]),
            json!(["docstatus", "=", 1]),
        ],
        order: "posting_date desc, name asc".to_owned(),
        limit: 1,
        ..ListQuery::default()
    };
    let found = site.list(&meta, query).await?;
    Ok(match found.rows.first() {
        Some(row) => Value::Object(cell::row(
            columns.iter().map(|it| (*it, meta.field(it))),
            row,
        )),
        None => say::NO_PAYMENT.into(),
    })
}

/// A payment with its currency in its amount.
fn with_currency(mut payment: Value, own: Option<&str>) -> Value {
    if let Some(fields) = payment.as_object_mut() {
        let currency = fields.shift_remove(PAID_IN);
        let currency = currency.as_ref().and_then(Value::as_str).or(own);
        if let Some(paid) = fields.get_mut("paid_amount") {
            *paid = amounts::shown(decimal_or_zero(paid), currency).into();
        }
    }
    payment
}

/// The party's own credit limit in the company. Group and company limits are not read.
fn credit_limit(party: &Document, company: &str) -> Option<Decimal> {
    let rows = party.get("credit_limits")?.as_array()?;
    let row = rows.iter().find(|row| row["company"] == company)?;
    Some(decimal_or_zero(&row["credit_limit"])).filter(|limit| !limit.is_zero())
}
