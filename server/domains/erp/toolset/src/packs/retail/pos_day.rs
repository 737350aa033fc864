//! Tool that shows the day of a till.

use std::{collections::BTreeMap, time::Duration};

use agent::ports::ToolExample;
use async_trait::async_trait;
use futures::try_join;
use protocol::{ErrorBody, ToolOutput};
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    dates,
    error::{ErpError, RefusalKind},
    packs::{
        figures::{amount, input_day, is_set, number, text},
        lists,
        reading::PackReading,
    },
    site::{Document, ErpSite},
    texts::packs as say,
    tools::{LONG, amounts::CurrencySums, told},
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PosDayInput {
    /// Exact name of the POS Profile, such as Shop Till.
    #[schemars(length(min = 1, max = 140))]
    profile: String,
    /// The day, as YYYY-MM-DD.
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}$"))]
    date: String,
}

pub(crate) struct PosDay;

#[async_trait]
impl PackReading for PosDay {
    const NAME: &'static str = "pos_day";
    const DESCRIPTION: &'static str = "Shows the day of a till: sales, returns, payments by mode, what is \
        consolidated, and its open sessions.";
    const TIMEOUT: Duration = LONG;
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::worked(
            "How was the till Shop Till on 2026-11-21?",
            r#"{"profile": "Shop Till", "date": "2026-11-21"}"#,
        ),
        ToolExample::worked(
            "Which payments did the till Shop Till take on 2026-11-20?",
            r#"{"profile": "Shop Till", "date": "2026-11-20"}"#,
        ),
    ];
    type Input = PosDayInput;

    async fn read(site: &ErpSite, input: PosDayInput) -> Result<ToolOutput, ErrorBody> {
        Box::pin(show(site, &input)).await
    }
}

/// Sales and payments in one currency.
#[derive(Default)]
struct TillSums {
    sales: Decimal,
    sales_count: usize,
    returns: Decimal,
    returns_count: usize,
    change: Decimal,
    open_count: usize,
    modes: BTreeMap<String, Decimal>,
}

async fn show(site: &ErpSite, input: &PosDayInput) -> Result<ToolOutput, ErrorBody> {
    let day = input_day("date", &input.date)?.to_string();
    let meta = site.readable_type("POS Profile").await?;
    // First, because a till that is not there has sold nothing.
    let profile = site.document(&meta, &input.profile).await?;
    let (pos, direct, sessions) = try_join!(
        invoices(site, "POS Invoice", &input.profile, &day),
        direct_invoices(site, &input.profile, &day),
        sessions(site, &input.profile),
    )?;
    let mut sums: BTreeMap<String, TillSums> = BTreeMap::new();
    let mut count = 0;
    for (invoices, payments) in [pos, direct] {
        count += invoices.len();
        for invoice in &invoices {
            let sums = sums
                .entry(text(invoice, "currency").to_owned())
                .or_default();
            let total = amount(invoice, "grand_total");
            if is_set(invoice, "is_return") {
                sums.returns += total;
                sums.returns_count += 1;
            } else {
                sums.sales += total;
                sums.sales_count += 1;
            }
            sums.change += amount(invoice, "change_amount");
            let is_open = text(invoice, "consolidated_invoice").is_empty();
            sums.open_count += usize::from(is_open);
        }
        let by_name = lists::by_name(&invoices);
        for payment in &payments {
            let Some(invoice) = by_name.get(text(payment, "parent")) else {
                continue;
            };
            let sums = sums
                .entry(text(invoice, "currency").to_owned())
                .or_default();
            let mode = text(payment, "mode_of_payment").to_owned();
            *sums.modes.entry(mode).or_default() += amount(payment, "amount");
        }
    }
    let totals = sums.iter().map(|(currency, sums)| {
        let modes = sums.modes.iter();
        let modes = modes.map(|(mode, paid)| json!({ "mode": mode, "paid": number(*paid) }));
        json!({
            "currency": currency,
            "sales": number(sums.sales),
            "sales_count": sums.sales_count,
            "returns": number(sums.returns),
            "returns_count": sums.returns_count,
            "net": number(sums.sales + sums.returns),
            "payments": modes.collect::<Vec<_>>(),
            "change_given": number(sums.change),
            "not_consolidated": sums.open_count,
        })
    });
    let data = json!({
        "profile": input.profile,
        "company": profile.get("company"),
        "date": day,
        "totals": totals.collect::<Vec<_>>(),
        "open_sessions": sessions,
        "definition": say::POS_DAY,
        "as_of": dates::utc(site.client.now()),
    });
    let mut net = CurrencySums::default();
    for (currency, sums) in &sums {
        net.add(Some(currency.as_str()), sums.sales + sums.returns);
    }
    let net = net.shown(None);
    let summary = say::pos_day(&input.profile, &day, count, &net, sessions.len());
    told(summary, data)
}

type TillRows = (Vec<Document>, Vec<Document>);

/// Invoices of the till on a day, and the rows of their payments.
async fn invoices(
    site: &ErpSite,
    doctype: &str,
    profile: &str,
    day: &str,
) -> Result<TillRows, ErpError> {
    let meta = match site.readable_type(doctype).await {
        Ok(meta) => meta,
        // A site may bill at once and have none of these.
        Err(error) if error.kind() == Some(RefusalKind::NotFound) => return Ok(TillRows::default()),
        Err(error) => return Err(error),
    };
    if meta.field("pos_profile").is_none() {
        return Ok(TillRows::default());
    }
    let mut filters = vec![
        json!(["pos_profile", "=", profile]),
        json!(["posting_date", "=", day]),
        json!(["docstatus", "=", 1]),
    ];
    if doctype == "Sales Invoice" {
        filters.push(json!(["is_pos", "=", 1]));
        // A consolidated one has what the invoices of the till have already.
        let has = meta.field("is_consolidated").is_some();
        filters.extend(has.then(|| json!(["is_consolidated", "=", 0])));
    }
    let columns = [
        "name",
        "grand_total",
        "is_return",
        "currency",
        "change_amount",
        "consolidated_invoice",
    ];
    let found = lists::documents(site, &meta, &columns, filters, "name asc").await?;
    if found.is_empty() || meta.table_fields().all(|it| it.name != "payments") {
        return Ok((found, Vec::new()));
    }
    let columns = ["mode_of_payment", "amount"];
    let payments = lists::rows(site, &meta, "payments", &columns, &[], &found).await?;
    Ok((found, payments))
}

async fn direct_invoices(site: &ErpSite, profile: &str, day: &str) -> Result<TillRows, ErpError> {
    let (mut found, payments) = invoices(site, "Sales Invoice", profile, day).await?;
    // They are in the books at once.
    for invoice in &mut found {
        let name = invoice.get("name").cloned().unwrap_or_default();
        invoice.insert("consolidated_invoice".to_owned(), name);
    }
    Ok((found, payments))
}

async fn sessions(site: &ErpSite, profile: &str) -> Result<Vec<Value>, ErpError> {
    let meta = site.readable_type("POS Opening Entry").await?;
    let filters = vec![
        json!(["pos_profile", "=", profile]),
        json!(["docstatus", "=", 1]),
        json!(["status", "=", "Open"]),
    ];
    let who = site.identity().await?;
    let columns = ["name", "user", "period_start_date"];
    let order = "period_start_date asc, name asc";
    let found = lists::documents(site, &meta, &columns, filters, order).await?;
    let shown = found.iter().map(|it| {
        json!({
            "opening_entry": text(it, "name"),
            "user": text(it, "user"),
            "since": dates::moment(text(it, "period_start_date"), &who.time_zone),
        })
    });
    Ok(shown.collect())
}
