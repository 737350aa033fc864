//! Tool that drafts the closing of a till's session.

use agent::ports::ToolExample;
use async_trait::async_trait;
use protocol::{ErrorBody, RiskReason, RiskWeight};
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Number, Value, json};

use super::till::{self, TillMode, TillSale};
use crate::{
    decimal::{decimal, money, number, sane},
    error::ErpError,
    meta::TypeMeta,
    packs::{
        draft::{DraftField, PackDocument, PackDraft, PackMaking, text_of},
        figures::text,
        lists,
    },
    site::ErpSite,
    texts::packs::till as say,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PreparePosClosingInput {
    /// Exact name of the session's opening entry, as open_sessions of pos_day.
    #[schemars(length(min = 1, max = 140))]
    opening_entry: String,
    /// The counted amounts, one for each mode of payment of the session.
    #[schemars(length(min = 1, max = 20))]
    counted: Vec<CountedMode>,
}

/// The count of a mode of payment.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CountedMode {
    /// Exact name, such as Cash.
    #[schemars(length(min = 1, max = 140))]
    mode_of_payment: String,
    /// The amount as somebody counted it, what was opened with included.
    amount: Number,
}

pub(crate) struct PreparePosClosing;

#[async_trait]
impl PackDraft for PreparePosClosing {
    const NAME: &'static str = "prepare_pos_closing";
    const DESCRIPTION: &'static str = "Makes a DRAFT closing entry of a till's open session: its sales, what \
        each mode of payment should hold, what was counted, and the differences. A person is asked before it is \
        made; nothing is in the books until it is submitted.";
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::worked(
            "Prepare the closing of the till session POS-OPE-2026-00001: 187.60 Cash and 49.90 Credit Card counted.",
            r#"{"opening_entry": "POS-OPE-2026-00001", "counted": [{"mode_of_payment": "Cash", "amount": 187.6}, {"mode_of_payment": "Credit Card", "amount": 49.9}]}"#,
        ),
        ToolExample::worked(
            "Close the session POS-OPE-2026-00001: counted are 185.50 in Cash and 49.90 in Credit Card.",
            r#"{"opening_entry": "POS-OPE-2026-00001", "counted": [{"mode_of_payment": "Cash", "amount": 185.5}, {"mode_of_payment": "Credit Card", "amount": 49.9}]}"#,
        ),
    ];
    const EDITABLE: &'static [&'static str] = &["/counted/*/amount"];
    const DOCTYPE: &'static str = "POS Closing Entry";
    const FOLLOWS_INPUT: bool = false;
    const FORM: &'static [&'static str] = &[
        "account_head",
        "amount",
        "company",
        "customer",
        "difference",
        "expected_amount",
        "grand_total",
        "net_total",
        "opening_amount",
        "period_start_date",
        "pos_invoice",
        "pos_invoices",
        "pos_profile",
        "pos_transactions",
        "posting_date",
        "rate",
        "sales_invoice",
        "sales_invoices",
        "taxes",
        "total_quantity",
        "total_taxes_and_charges",
        "user",
    ];
    type Input = PreparePosClosingInput;

    async fn input(site: &ErpSite, input: Self::Input) -> Result<PackMaking, ErrorBody> {
        let closing = site.readable_type(Self::DOCTYPE).await?;
        let opening = till::opening(site, &input.opening_entry).await?;
        let sales = till::sales(site, &closing, &opening).await?;
        let company = text(&opening, "company");
        let currencies = site.currencies().await?;
        let currency = currencies.get(company).map_or("", String::as_str);
        let stray = sales.iter().find(|it| it.currency != currency);
        if let Some(sale) = stray {
            let message = say::other_currency(&sale.name, &sale.currency, currency);
            return Err(ErpError::input(message).into());
        }
        let modes = till::modes(&opening, &sales);
        let counts = counts(&modes, &input.counted)?;
        till::demand_sane(&modes, &sales)?;
        let risks = vec![
            agreement(&modes, &counts, currency),
            summary(&sales, currency),
        ];
        let mut fields = vec![("pos_opening_entry", json!(input.opening_entry))];
        let fetched = ["company", "pos_profile", "user", "period_start_date"];
        fields.extend(fetched.map(|field| (field, json!(text(&opening, field)))));
        // Not the time of the call, which would be another when the person has decided.
        let start = text(&opening, "period_start_date").to_owned();
        let end = sales.last().map(|it| stamp(it.at));
        fields.push(("period_end_date", json!(end.unwrap_or(start))));
        fields.extend(totals(&closing, &sales));
        let mut tables = invoices(&sales);
        tables.push(("taxes", taxes(&sales)));
        tables.push(("payment_reconciliation", reconciliation(&modes, &counts)));
        let document = PackDocument {
            doctype: Self::DOCTYPE,
            fields,
            tables,
        };
        Ok(document.into_making().because(risks))
    }

    /// Two drafts of a session would each take its sales.
    async fn demand_new(site: &ErpSite, making: &Value) -> Result<Vec<RiskReason>, ErrorBody> {
        let name = text_of(making, "pos_opening_entry").unwrap_or_default();
        let meta = site.readable_type(Self::DOCTYPE).await?;
        let filters = vec![
            json!(["pos_opening_entry", "=", name]),
            json!(["docstatus", "<", 2]),
        ];
        let found = lists::documents(site, &meta, &["name"], filters, "name asc").await?;
        if found.is_empty() {
            return Ok(Vec::new());
        }
        let names: Vec<_> = found.iter().map(|it| text(it, "name")).collect();
        Err(ErpError::input(say::is_being_closed(name, &names.join(", "))).into())
    }
}

/// The counted amount of each mode, in their order. None is left out: an amount that nobody counted is not
/// the one that is expected.
fn counts(modes: &[TillMode], counted: &[CountedMode]) -> Result<Vec<Decimal>, ErpError> {
    let names: Vec<_> = modes.iter().map(|it| it.mode.as_str()).collect();
    let mut counts = vec![None; modes.len()];
    for CountedMode {
        mode_of_payment: mode,
        amount,
    } in counted
    {
        let at = names.iter().position(|it| it == mode);
        let at = at.ok_or_else(|| ErpError::input(say::no_such_mode(mode, &names.join(", "))))?;
        let amount = decimal(&Value::Number(amount.clone())).and_then(sane);
        let amount = amount.ok_or_else(|| ErpError::input(say::amount_is_no_number(mode)))?;
        if counts[at].replace(amount).is_some() {
            return Err(ErpError::input(say::counted_twice(mode)));
        }
    }
    let missing = names.iter().zip(&counts);
    let missing: Vec<_> = missing
        .filter(|(_, count)| count.is_none())
        .map(|(name, _)| *name)
        .collect();
    if missing.is_empty() {
        Ok(counts.into_iter().flatten().collect())
    } else {
        Err(ErpError::input(say::not_counted(&missing.join(", "))))
    }
}

fn agreement(modes: &[TillMode], counts: &[Decimal], currency: &str) -> RiskReason {
    let differences = modes.iter().zip(counts).filter_map(|(it, count)| {
        let gap = *count - it.expected;
        (!gap.is_zero()).then(|| format!("{} {}", it.mode, money(gap, currency)))
    });
    let differences: Vec<_> = differences.collect();
    if differences.is_empty() {
        RiskReason::new("till_agrees", RiskWeight::Good, say::AGREES).meaning(say::AGREES_DETAIL)
    } else {
        let sentence = say::differs(&differences.join(", "));
        let reason = RiskReason::new("till_differs", RiskWeight::Warning, sentence);
        reason.meaning(say::DIFFERS_DETAIL)
    }
}

fn summary(sales: &[TillSale], currency: &str) -> RiskReason {
    let returns = sales.iter().filter(|it| it.is_return).count();
    let total: Decimal = sales.iter().map(|it| it.total).sum();
    let sentence = if sales.is_empty() {
        say::NO_SALES.to_owned()
    } else {
        say::sales(sales.len(), returns, &money(total, currency))
    };
    RiskReason::new("till_sales", RiskWeight::Note, sentence).meaning(say::SALES_DETAIL)
}

fn stamp(at: jiff::civil::DateTime) -> String {
    at.strftime("%Y-%m-%d %H:%M:%S").to_string()
}

/// The sums that the type has.
fn totals(closing: &TypeMeta, sales: &[TillSale]) -> Vec<DraftField> {
    let sum = |of: fn(&TillSale) -> Decimal| number(sales.iter().map(of).sum());
    let totals = [
        ("total_quantity", sum(|it| it.qty)),
        ("net_total", sum(|it| it.net)),
        ("total_taxes_and_charges", sum(|it| it.taxes)),
        ("grand_total", sum(|it| it.total)),
    ];
    let mut totals = Vec::from(totals);
    totals.retain(|(field, _)| closing.field(field).is_some());
    totals
}

type TillTable = (&'static str, Vec<Vec<DraftField>>);

/// The invoices, each in its table.
fn invoices(sales: &[TillSale]) -> Vec<TillTable> {
    let mut tables: Vec<TillTable> = Vec::new();
    for sale in sales {
        let row = vec![
            (sale.link, json!(sale.name)),
            ("posting_date", json!(sale.day)),
            ("customer", json!(sale.customer)),
            ("grand_total", number(sale.total)),
        ];
        match tables.iter_mut().find(|(table, _)| *table == sale.table) {
            Some((_, rows)) => rows.push(row),
            None => tables.push((sale.table, vec![row])),
        }
    }
    tables
}

/// The taxes of all invoices by account and rate.
fn taxes(sales: &[TillSale]) -> Vec<Vec<DraftField>> {
    let mut sums: Vec<(&str, Decimal, Decimal)> = Vec::new();
    for (account, rate, amount) in sales.iter().flat_map(|it| &it.tax_rows) {
        let mut known = sums.iter_mut();
        match known.find(|it| it.0 == account && it.1 == *rate) {
            Some(sum) => sum.2 += *amount,
            None => sums.push((account, *rate, *amount)),
        }
    }
    let rows = sums.into_iter().map(|(account, rate, amount)| {
        vec![
            ("account_head", json!(account)),
            ("rate", number(rate)),
            ("amount", number(amount)),
        ]
    });
    rows.collect()
}

fn reconciliation(modes: &[TillMode], counts: &[Decimal]) -> Vec<Vec<DraftField>> {
    let rows = modes.iter().zip(counts).map(|(it, count)| {
        vec![
            ("mode_of_payment", json!(it.mode)),
            ("opening_amount", number(it.opened)),
            ("expected_amount", number(it.expected)),
            ("closing_amount", number(*count)),
            ("difference", number(*count - it.expected)),
        ]
    });
    rows.collect()
}
