//! Rows of timesheets as the tools read them.

use std::collections::BTreeMap;

use jiff::civil::Date;
use rust_decimal::Decimal;
use serde_json::{Value, json};

use crate::{
    currency::Currencies,
    error::ErpError,
    packs::{
        figures::{amount, day, is_set, text},
        lists,
    },
    site::{Document, ErpSite},
};

const SHEET_COLUMNS: [&str; 7] = [
    "name",
    "employee",
    "employee_name",
    "company",
    "currency",
    "docstatus",
    "customer",
];

const ROW_COLUMNS: [&str; 10] = [
    "activity_type",
    "from_time",
    "hours",
    "project",
    "is_billable",
    "billing_hours",
    "billing_amount",
    "costing_amount",
    "sales_invoice",
    "task",
];

/// A row of a timesheet.
pub(super) struct LoggedTime {
    pub(super) sheet: String,
    pub(super) employee: String,
    pub(super) employee_name: String,
    /// That of the company, if the ERP keeps none with timesheets; None if neither is known.
    pub(super) currency: Option<String>,
    pub(super) project: String,
    pub(super) day: Option<Date>,
    pub(super) hours: Decimal,
    /// Zero for what is not billable.
    pub(super) billable_hours: Decimal,
    pub(super) billable: Decimal,
    /// None if the ERP keeps no costs with timesheets.
    pub(super) cost: Option<Decimal>,
    pub(super) is_billed: bool,
}

/// The rows of timesheets that fit.
pub(super) async fn read(
    site: &ErpSite,
    filters: Vec<Value>,
    of_rows: &[Value],
) -> Result<Vec<LoggedTime>, ErpError> {
    let meta = site.readable_type("Timesheet").await?;
    let mut sheets = lists::documents(site, &meta, &SHEET_COLUMNS, filters, "name asc").await?;
    // A sheet with two such rows comes twice from the database's join.
    sheets.dedup_by(|left, right| left.get("name") == right.get("name"));
    let rows = lists::rows(site, &meta, "time_logs", &ROW_COLUMNS, of_rows, &sheets).await?;
    let by_name = lists::by_name(&sheets);
    let currencies = site.known_currencies().await;
    let logged = rows.iter().filter_map(|row| {
        let sheet = by_name.get(text(row, "parent"))?;
        Some(logged(row, sheet, &currencies))
    });
    Ok(logged.collect())
}

fn logged(row: &Document, sheet: &Document, currencies: &Currencies) -> LoggedTime {
    let currency = Some(text(sheet, "currency")).filter(|it| !it.is_empty());
    let of_company = || currencies.get(text(sheet, "company")).cloned();
    let is_billable = is_set(row, "is_billable");
    let hours = amount(row, "hours");
    let billing = amount(row, "billing_hours");
    let only_billable = |value: Decimal| if is_billable { value } else { Decimal::ZERO };
    LoggedTime {
        sheet: text(sheet, "name").to_owned(),
        employee: text(sheet, "employee").to_owned(),
        employee_name: text(sheet, "employee_name").to_owned(),
        currency: currency.map(str::to_owned).or_else(of_company),
        project: text(row, "project").to_owned(),
        day: day(row, "from_time"),
        hours,
        billable_hours: only_billable(if billing.is_zero() { hours } else { billing }),
        billable: only_billable(amount(row, "billing_amount")),
        cost: row
            .contains_key("costing_amount")
            .then(|| amount(row, "costing_amount")),
        is_billed: !text(row, "sales_invoice").is_empty(),
    }
}

/// The filters for sheets with hours in a span of days.
pub(super) fn within(from: Date, to: Date) -> Vec<Value> {
    vec![
        json!(["start_date", "<=", to.to_string()]),
        json!(["end_date", ">=", from.to_string()]),
    ]
}

/// Names of employees, where timesheets do not have them.
pub(super) async fn names(
    site: &ErpSite,
    filters: Vec<Value>,
) -> Result<BTreeMap<String, String>, ErpError> {
    let meta = site.readable_type("Employee").await?;
    let columns = ["name", "employee_name"];
    let found = lists::documents(site, &meta, &columns, filters, "name asc").await?;
    let names = found.iter().map(|row| {
        let [name, shown] = ["name", "employee_name"].map(|field| text(row, field).to_owned());
        (name, shown)
    });
    Ok(names.collect())
}
