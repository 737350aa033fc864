//! Tool that drafts the invoice of hours that are not billed.

use agent::ports::ToolExample;
use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use protocol::{ErrorBody, RiskReason, RiskWeight};
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::billing::{self, ProjectBill, WantedHours, hours};
use crate::{
    decimal::{money, number, times},
    error::ErpError,
    meta::MetaField,
    packs::{
        draft::{DraftField, PackDocument, PackDraft, PackMaking, texts_of},
        figures::{amount, text},
        lists,
    },
    site::{Document, ErpSite},
    texts::packs::billing as say,
};

/// Digits of a rate that is no rate of a timesheet.
const RATE_DIGITS: u32 = 6;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PrepareProjectInvoiceInput {
    /// Exact name of the project, for all its hours that are not billed.
    #[schemars(length(min = 1, max = 140))]
    project: Option<String>,
    /// The customer, if project and timesheets name none.
    #[schemars(length(min = 1, max = 140))]
    customer: Option<String>,
    /// Only the hours of these timesheets, by their exact names.
    #[serde(default)]
    #[schemars(length(max = 50))]
    timesheets: Vec<String>,
    /// Code of the item that the invoice bills hours as, such as SRV-REPAIR.
    #[schemars(length(min = 1, max = 140))]
    item: String,
}

pub(crate) struct PrepareProjectInvoice;

#[async_trait]
impl PackDraft for PrepareProjectInvoice {
    const NAME: &'static str = "prepare_project_invoice";
    const DESCRIPTION: &'static str = "Makes a DRAFT sales invoice of the billable hours of a project, or of \
        timesheets, that no invoice has: one row for each rate. A person is asked before it is made; nothing is \
        billed until it is submitted.";
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::worked(
            "Prepare the invoice of the unbilled time of the project PROJ-00001 as the item SRV-REPAIR.",
            r#"{"project": "PROJ-00001", "item": "SRV-REPAIR"}"#,
        ),
        ToolExample::worked(
            "Draft an invoice of the timesheet TS-2026-00002 with the item SRV-REPAIR.",
            r#"{"timesheets": ["TS-2026-00002"], "item": "SRV-REPAIR"}"#,
        ),
    ];
    const EDITABLE: &'static [&'static str] = &["/item"];
    const DOCTYPE: &'static str = "Sales Invoice";
    const FOLLOWS_INPUT: bool = false;
    const FORM: &'static [&'static str] = &[
        "activity_type",
        "billing_amount",
        "billing_hours",
        "description",
        "project_name",
        "time_sheet",
        "timesheet_detail",
        "timesheets",
    ];
    type Input = PrepareProjectInvoiceInput;

    async fn input(site: &ErpSite, input: Self::Input) -> Result<PackMaking, ErrorBody> {
        let wanted = WantedHours {
            project: input.project.as_deref(),
            customer: input.customer.as_deref(),
            sheets: &input.timesheets,
        };
        let bill = Box::pin(billing::read(site, &wanted)).await?;
        let meta = site.readable_type(Self::DOCTYPE).await?;
        let table = meta.table_fields().find(|it| it.name == "timesheets");
        let columns = table.and_then(|it| meta.rows_of(it)).unwrap_or_default();
        let currencies = site.currencies().await?;
        let own = currencies.get(&bill.company).map_or("", String::as_str);
        let currency = bill.currency.as_deref().unwrap_or(own);
        let groups = by_rate(&bill.rows);
        let risks = risks(&bill, &groups, currency);
        let items = groups.iter().map(|(rate, hours)| {
            vec![
                ("item_code", json!(input.item)),
                ("qty", number(*hours)),
                ("rate", number(*rate)),
            ]
        });
        let document = PackDocument {
            doctype: Self::DOCTYPE,
            fields: vec![
                ("customer", json!(bill.customer)),
                ("company", json!(bill.company)),
                ("currency", json!(bill.currency)),
                ("project", json!(bill.project)),
            ],
            tables: vec![
                ("items", items.collect()),
                (
                    "timesheets",
                    bill.rows.iter().map(|it| billed(it, columns)).collect(),
                ),
            ],
        };
        Ok(document.into_making().because(risks))
    }

    /// A draft does not mark its hours, so that another would take them too.
    async fn demand_new(site: &ErpSite, making: &Value) -> Result<Vec<RiskReason>, ErrorBody> {
        const TABLE: &str = "timesheets";
        let sheets: BTreeSet<_> = texts_of(making, TABLE, "time_sheet").collect();
        let rows: BTreeSet<_> = texts_of(making, TABLE, "timesheet_detail").collect();
        let meta = site.readable_type(Self::DOCTYPE).await?;
        let table = meta.table_fields().find(|it| it.name == TABLE);
        let of_rows = table.map_or("", |it| it.options.as_str());
        let filters = vec![
            json!([of_rows, "time_sheet", "in", sheets]),
            json!(["docstatus", "=", 0]),
        ];
        let mut drafts = lists::documents(site, &meta, &["name"], filters, "name asc").await?;
        // An invoice with two such rows comes twice from the database's join.
        drafts.dedup_by(|left, right| left.get("name") == right.get("name"));
        let columns = ["timesheet_detail"];
        let found = lists::rows(site, &meta, TABLE, &columns, &[], &drafts).await?;
        let taken = found
            .iter()
            .filter(|row| rows.contains(text(row, "timesheet_detail")));
        let names: BTreeSet<_> = taken.map(|row| text(row, "parent")).collect();
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let names: Vec<_> = names.into_iter().collect();
        Err(ErpError::input(say::in_draft(&names.join(", "))).into())
    }
}

/// The hours by their rate.
fn by_rate(rows: &[Document]) -> BTreeMap<Decimal, Decimal> {
    let mut groups = BTreeMap::new();
    for row in rows {
        let (hours, total) = (hours(row), amount(row, "billing_amount"));
        let rate = amount(row, "billing_rate");
        let is_of_rate = (times(rate, hours) - total).abs() < Decimal::new(1, 2);
        let rate = if is_of_rate {
            rate
        } else {
            // Above zero: hours without an amount were refused.
            total
                .checked_div(hours)
                .unwrap_or_default()
                .round_dp(RATE_DIGITS)
        };
        *groups.entry(rate.normalize()).or_default() += hours;
    }
    groups
}

fn risks(
    bill: &ProjectBill,
    groups: &BTreeMap<Decimal, Decimal>,
    currency: &str,
) -> Vec<RiskReason> {
    let rows = bill.rows.iter();
    let total: Decimal = rows.map(|row| amount(row, "billing_amount")).sum();
    let of_rows: Decimal = groups
        .iter()
        .map(|(rate, hours)| times(*rate, *hours).round_dp(2))
        .sum();
    let hours: Decimal = groups.values().sum();
    let sheets: BTreeSet<_> = bill.rows.iter().map(|row| text(row, "parent")).collect();
    let sentence = say::bills(
        &hours.normalize().to_string(),
        &money(total, currency),
        sheets.len(),
    );
    let mut risks =
        vec![RiskReason::new("hours", RiskWeight::Note, sentence).meaning(say::BILLS_DETAIL)];
    if of_rows != total {
        let sentence = say::rounds(&money(of_rows, currency), &money(total, currency));
        let reason = RiskReason::new("hours_round", RiskWeight::Warning, sentence);
        risks.push(reason.meaning(say::ROUNDS_DETAIL));
    }
    risks
}

/// A row of a timesheet as the invoice names it, in the columns that it has.
fn billed(row: &Document, columns: &[MetaField]) -> Vec<DraftField> {
    let given = |field: &str| match text(row, field) {
        "" => Value::Null,
        text => text.into(),
    };
    let values = [
        ("time_sheet", given("parent")),
        ("timesheet_detail", given("name")),
        ("activity_type", given("activity_type")),
        ("description", given("description")),
        ("project_name", given("project_name")),
        ("from_time", given("from_time")),
        ("to_time", given("to_time")),
        ("billing_hours", number(hours(row))),
        ("billing_amount", number(amount(row, "billing_amount"))),
    ];
    let mut values = Vec::from(values);
    values.retain(|(field, _)| columns.iter().any(|it| it.name == *field));
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_of_one_rate_are_one_row() {
        let row = |hours: f64, rate: f64, amount: f64| {
            let row =
                json!({"billing_hours": hours, "billing_rate": rate, "billing_amount": amount});
            row.as_object().unwrap().clone()
        };
        let rows = [
            row(6.5, 90.0, 585.0),
            row(3.0, 65.0, 195.0),
            row(1.0, 90.0, 90.0),
            // Somebody has changed the amount.
            row(3.0, 65.0, 100.0),
        ];
        let found: Vec<_> = by_rate(&rows)
            .iter()
            .map(|(rate, hours)| format!("{hours} x {rate}"))
            .collect();
        assert_eq!(found, ["3.0 x 33.333333", "3.0 x 65", "7.5 x 90"]);
    }
}
