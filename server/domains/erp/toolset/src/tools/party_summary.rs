//! Tool that shows a customer or supplier at a glance.

use std::{sync::Arc, time::Duration};

use agent::ports::{Progress, ReadingTool, ToolExample};
use async_trait::async_trait;
use futures::join;
use protocol::{ErrorBody, ToolOutput};
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{LONG, about, amounts, known, told, touched};
use crate::{
    cell, dates,
    decimal::{decimal, decimal_or_zero, money, number},
    error::ErpError,
    plain_text::plain,
    site::{Document, ErpSite, ListQuery},
    texts::readings as say,
};

/// The most documents that are summed; above that the figure is unknown.
const MOST_SUMMED: usize = 500;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PartySummaryInput {
    /// Customer or Supplier.
    party_type: PartyKind,
    /// Exact name; see find_link.
    #[schemars(length(min = 1, max = 140))]
    party: String,
    /// The company.
    #[schemars(length(min = 1, max = 140))]
    company: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
enum PartyKind {
    Customer,
    Supplier,
}

impl PartyKind {
    const fn doctype(self) -> &'static str {
        match self {
            Self::Customer => "Customer",
            Self::Supplier => "Supplier",
        }
    }

    const fn field(self) -> &'static str {
        match self {
            Self::Customer => "customer",
            Self::Supplier => "supplier",
        }
    }

    const fn order(self) -> &'static str {
        match self {
            Self::Customer => "Sales Order",
            Self::Supplier => "Purchase Order",
        }
    }

    const fn invoice(self) -> &'static str {
        match self {
            Self::Customer => "Sales Invoice",
            Self::Supplier => "Purchase Invoice",
        }
    }
}

pub(crate) struct PartySummary(pub(crate) Arc<ErpSite>);

#[async_trait]
impl ReadingTool for PartySummary {
    const NAME: &'static str = "party_summary";
    const DESCRIPTION: &'static str = "Shows a customer or supplier of the ERP at a glance: open orders, \
        outstanding, overdue, credit limit left, last payment, each with its definition.";
    const TIMEOUT: Duration = LONG;
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::worked(
            "How much does the customer Kestrel Cycles owe Aldergate Cycles?",
            r#"{"party_type": "Customer", "party": "Kestrel Cycles", "company": "Aldergate Cycles"}"#,
        ),
        ToolExample::worked(
            "How do we stand with the supplier Rimfire Wheels at Aldergate Cycles?",
            r#"{"party_type": "Supplier", "party": "Rimfire Wheels", "company": "Aldergate Cycles"}"#,
        ),
    ];
    type Input = PartySummaryInput;

    fn target(&self, input: &Value) -> Option<String> {
        about(input)
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        touched(input)
    }

    async fn read(&self, input: PartySummaryInput, _: Progress) -> Result<ToolOutput, ErrorBody> {
        Box::pin(summarise(&self.0, &input)).await
    }
}

async fn summarise(site: &ErpSite, input: &PartySummaryInput) -> Result<ToolOutput, ErrorBody> {
    site.reach.company(&input.company)?;
    let kind = input.party_type;
    let meta = site.readable_type(kind.doctype()).await?;
    // First, because a party that is not there has zeros everywhere.
    let party = site.document(&meta, &input.party).await?;
    let (orders, invoices, balance) = join!(
        open_orders(site, input),
        open_invoices(site, input),
        ledger_balance(site, input),
    );
    let (payment, currency) = join!(
        last_payment(site, input),
        amounts::company_currency(site, &input.company)
    );
    let limit = credit_limit(&party, &input.company);
    let credit = match (&balance, limit) {
        (_, None) => Value::Null,
        (Ok(balance), Some(limit)) => json!({
            "limit": number(limit),
            "left": number(limit - *balance),
            "definition": say::CREDIT_LEFT,
        }),
        (Err(error), Some(limit)) => json!({
            "limit": number(limit),
            "left": super::unknown(error.reason()),
        }),
    };
    let summary = summary(input, balance.as_ref().ok(), &currency, &invoices);
    let balance = balance
        .map(|it| json!({ "value": number(it), "definition": say::balance(kind.doctype()) }));
    let mut data = json!({
        "party_type": kind.doctype(),
        "party": input.party,
        "company": input.company,
        "company_currency": known(currency),
        "disabled": (party.get("disabled") == Some(&json!(1))).then_some(true),
        "balance": known(balance),
        "open_invoices": known(invoices),
        "open_orders": known(orders),
        "credit": credit,
        "last_payment": known(payment),
        "as_of": dates::utc(site.client.now()),
    });
    for field in ["disabled", "credit"] {
        super::drop_empty(&mut data, field);
    }
    told(summary, data)
}

/// The debt between the two, and the part of it that is overdue.
fn summary(
    input: &PartySummaryInput,
    balance: Option<&Decimal>,
    currency: &Result<Value, ErpError>,
    invoices: &Result<Value, ErpError>,
) -> String {
    let currency = currency.as_ref().ok().and_then(Value::as_str);
    let (Some(balance), Some(currency)) = (balance, currency) else {
        return say::party_unknown(&input.party);
    };
    let overdue = invoices.as_ref().ok().and_then(|invoices| {
        let of = invoices["currency"].as_str().unwrap_or(currency);
        Some(money(decimal(&invoices["overdue"])?, &plain(of, 10)))
    });
    let currency = plain(currency, 10);
    // Below zero the other one owes.
    let mut sides = (input.party.as_str(), input.company.as_str());
    if (input.party_type == PartyKind::Supplier) != (*balance < Decimal::ZERO) {
        sides = (sides.1, sides.0);
    }
    say::party(
        sides.0,
        sides.1,
        &money(balance.abs(), &currency),
        overdue.as_deref(),
    )
}

/// Documents of the party in the company, as many as can be summed.
async fn documents(
    site: &ErpSite,
    doctype: &str,
    columns: &[&str],
    filters: Vec<Value>,
) -> Result<Vec<Document>, ErpError> {
    let meta = site.readable_type(doctype).await?;
    let columns = columns.iter().filter(|it| meta.field(it).is_some());
    let query = ListQuery {
        doctype,
        fields: columns.map(|column| json!(column)).collect(),
        filters,
        order: "creation asc, name asc".to_owned(),
        limit: MOST_SUMMED,
        ..ListQuery::default()
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

async fn open_orders(site: &ErpSite, input: &PartySummaryInput) -> Result<Value, ErpError> {
    let kind = input.party_type;
    let filters = vec![
        json!([kind.field(), "=", input.party]),
        json!(["company", "=", input.company]),
        json!(["docstatus", "=", 1]),
        json!(["status", "not in", ["Completed", "Closed"]]),
    ];
    let columns = ["name", "base_grand_total", "per_billed", "status"];
    let rows = documents(site, kind.order(), &columns, filters).await?;
    let hundred = Decimal::ONE_HUNDRED;
    let unbilled = sum(&rows, |row| {
        let share = (hundred - amount(row, "per_billed")).max(Decimal::ZERO) / hundred;
        amount(row, "base_grand_total") * share
    });
    Ok(json!({
        "count": rows.len(),
        "value": number(sum(&rows, |row| amount(row, "base_grand_total"))),
        "not_billed": number(unbilled.round_dp(2)),
        "definition": say::OPEN_ORDERS,
    }))
}

async fn open_invoices(site: &ErpSite, input: &PartySummaryInput) -> Result<Value, ErpError> {
    let kind = input.party_type;
    let filters = vec![
        json!([kind.field(), "=", input.party]),
        json!(["company", "=", input.company]),
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
    let due = |row: &Document| {
        row.get("due_date")
            .and_then(Value::as_str)
            .and_then(dates::day)
    };
    let overdue: Vec<_> = rows
        .iter()
        .filter(|row| due(row).is_some_and(|due| due < today))
        .filter(|row| amount(row, "outstanding_amount") > Decimal::ZERO)
        .cloned()
        .collect();
    let oldest = overdue
        .iter()
        .filter_map(|row| Some((due(row)?, row.get("name")?)))
        .min_by_key(|it| it.0);
    Ok(json!({
        "count": rows.len(),
        "outstanding": number(sum(&rows, |row| amount(row, "outstanding_amount"))),
        "overdue_count": overdue.len(),
        "overdue": number(sum(&overdue, |row| amount(row, "outstanding_amount"))),
        "oldest_due": oldest.map(|(due, name)| json!({ "name": name, "due": due.to_string() })),
        "currency": rows.first().and_then(|row| row.get("party_account_currency")),
        "definition": say::OPEN_INVOICES,
    }))
}

/// The balance of the party by the ledger: positive is what a customer owes, or what the company
/// owes a supplier.
async fn ledger_balance(site: &ErpSite, input: &PartySummaryInput) -> Result<Decimal, ErpError> {
    let meta = site.readable_type("GL Entry").await?;
    let filters = vec![
        json!(["party_type", "=", input.party_type.doctype()]),
        json!(["party", "=", input.party]),
        json!(["company", "=", input.company]),
        json!(["is_cancelled", "=", 0]),
    ];
    let sums = site.sums(&meta, &["debit", "credit"], filters).await?;
    let (debit, credit) = (amount(&sums, "debit"), amount(&sums, "credit"));
    Ok(match input.party_type {
        PartyKind::Customer => debit - credit,
        PartyKind::Supplier => credit - debit,
    })
}

async fn last_payment(site: &ErpSite, input: &PartySummaryInput) -> Result<Value, ErpError> {
    let meta = site.readable_type("Payment Entry").await?;
    let columns = [
        "name",
        "posting_date",
        "paid_amount",
        "payment_type",
        "mode_of_payment",
    ];
    let columns = columns.into_iter().filter(|it| meta.field(it).is_some());
    let columns: Vec<_> = columns.collect();
    let query = ListQuery {
        doctype: "Payment Entry",
        fields: columns.iter().map(|column| json!(column)).collect(),
        filters: vec![
            json!(["party_type", "=", input.party_type.doctype()]),
            json!(["party", "=", input.party]),
            json!(["company", "=", input.company]),
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

/// The party's own credit limit in the company. Group and company limits are not read.
fn credit_limit(party: &Document, company: &str) -> Option<Decimal> {
    let rows = party.get("credit_limits")?.as_array()?;
    let row = rows.iter().find(|row| row["company"] == company)?;
    decimal(&row["credit_limit"]).filter(|limit| !limit.is_zero())
}
