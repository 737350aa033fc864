//! Hours that an invoice can bill: billable rows of submitted timesheets that no invoice has, of one company,
//! customer and currency.

use std::collections::BTreeSet;

use protocol::ErrorBody;
use rust_decimal::Decimal;
use serde_json::{Value, json};

use crate::tools::writing::acting;
use crate::{
    cell,
    decimal::sane,
    error::ErpError,
    meta::TypeMeta,
    packs::{
        figures::{amount, is_set, text},
        lists,
    },
    site::{Document, ErpSite},
    texts::packs::billing as say,
};

/// More rows are no invoice that anybody reads.
const MOST_ROWS: usize = 100;

const SHEET_COLUMNS: [&str; 6] = [
    "name",
    "employee",
    "company",
    "customer",
    "currency",
    "docstatus",
];

const ROW_COLUMNS: [&str; 12] = [
    "activity_type",
    "description",
    "from_time",
    "to_time",
    "project",
    "project_name",
    "is_billable",
    "hours",
    "billing_hours",
    "billing_rate",
    "billing_amount",
    "sales_invoice",
];

/// The hours that a call names.
pub(super) struct WantedHours<'a> {
    pub(super) project: Option<&'a str>,
    pub(super) customer: Option<&'a str>,
    pub(super) sheets: &'a [String],
}

/// Hours of one invoice.
pub(super) struct ProjectBill {
    pub(super) company: String,
    pub(super) customer: String,
    /// None if the ERP keeps none with timesheets: then it is the company's.
    pub(super) currency: Option<String>,
    /// None if the hours are of several.
    pub(super) project: Option<String>,
    /// Rows of timesheets, each with its timesheet under `parent`.
    pub(super) rows: Vec<Document>,
}

/// Reads the hours that are not billed, and refuses those that are not to be billed together.
pub(super) async fn read(
    site: &ErpSite,
    wanted: &WantedHours<'_>,
) -> Result<ProjectBill, ErrorBody> {
    if wanted.project.is_none() && wanted.sheets.is_empty() {
        return Err(ErpError::input(say::NAME_WHAT).into());
    }
    let meta = site.readable_type("Timesheet").await?;
    let sheets = sheets(site, &meta, wanted).await?;
    let of_project: Vec<_> = wanted
        .project
        .iter()
        .map(|it| json!(["project", "=", it]))
        .collect();
    let rows = lists::rows(site, &meta, "time_logs", &ROW_COLUMNS, &of_project, &sheets).await?;
    let rows = unbilled(wanted, &sheets, rows)?;
    if rows.len() > MOST_ROWS {
        return Err(ErpError::input(say::too_many_rows(MOST_ROWS)).into());
    }
    let used: BTreeSet<_> = rows.iter().map(|row| text(row, "parent")).collect();
    let sheets: Vec<_> = sheets
        .iter()
        .filter(|it| used.contains(text(it, "name")))
        .collect();
    let projects = projects(site, wanted, &rows).await?;
    let customer = customer(wanted, &sheets, &projects)?;
    let one = |field: &str, refusal: fn(&str) -> String| {
        let values: BTreeSet<_> = sheets.iter().map(|it| text(it, field)).collect();
        let names: Vec<_> = values.into_iter().filter(|it| !it.is_empty()).collect();
        match names.as_slice() {
            [] => Ok(None),
            [name] => Ok(Some((*name).to_owned())),
            names => Err(ErpError::input(refusal(&names.join(", ")))),
        }
    };
    let company = one("company", say::several_companies)?.unwrap_or_default();
    let currency = one("currency", say::several_currencies)?;
    acting::unprotected(site, &objects(&sheets, &projects))?;
    let of_rows: BTreeSet<_> = rows.iter().map(|row| text(row, "project")).collect();
    let only = of_rows.iter().next().filter(|_| of_rows.len() == 1);
    let project = only.filter(|it| !it.is_empty()).map(ToString::to_string);
    Ok(ProjectBill {
        company,
        customer,
        currency,
        project,
        rows,
    })
}

/// The timesheets that are named, or all of the project that are not billed whole.
async fn sheets(
    site: &ErpSite,
    meta: &TypeMeta,
    wanted: &WantedHours<'_>,
) -> Result<Vec<Document>, ErpError> {
    let mut filters = Vec::new();
    if wanted.sheets.is_empty() {
        let table = meta.table_fields().find(|it| it.name == "time_logs");
        let rows = table.map_or("", |it| it.options.as_str());
        filters.push(json!([rows, "project", "=", wanted.project]));
        filters.push(json!(["docstatus", "=", 1]));
        let has = meta.field("per_billed").is_some();
        filters.extend(has.then(|| json!(["per_billed", "<", 100])));
    } else {
        filters.push(json!(["name", "in", wanted.sheets]));
    }
    let mut found = lists::documents(site, meta, &SHEET_COLUMNS, filters, "name asc").await?;
    // A sheet with two such rows comes twice from the database's join.
    found.dedup_by(|left, right| left.get("name") == right.get("name"));
    for name in wanted.sheets {
        let sheet = found.iter().find(|it| text(it, "name") == name);
        let sheet = sheet.ok_or_else(|| ErpError::input(say::no_timesheet(name)))?;
        let docstatus = cell::docstatus(sheet.get("docstatus").unwrap_or(&Value::Null));
        if docstatus != "submitted" {
            return Err(ErpError::input(say::is_not_submitted(name, docstatus)));
        }
    }
    Ok(found)
}

/// The billable rows that no invoice has, the earliest first. A timesheet that is named and has none is
/// refused.
fn unbilled(
    wanted: &WantedHours<'_>,
    sheets: &[Document],
    mut rows: Vec<Document>,
) -> Result<Vec<Document>, ErpError> {
    rows.retain(|row| is_set(row, "is_billable"));
    for sheet in sheets.iter().filter(|_| !wanted.sheets.is_empty()) {
        let name = text(sheet, "name");
        let own = rows.iter().filter(|row| text(row, "parent") == name);
        let invoices: Vec<_> = own.map(|row| text(row, "sales_invoice")).collect();
        if invoices.is_empty() {
            let message = say::nothing_billable(name, wanted.project);
            return Err(ErpError::input(message));
        }
        if invoices.iter().all(|it| !it.is_empty()) {
            let names: BTreeSet<_> = invoices.into_iter().collect();
            let names: Vec<_> = names.into_iter().collect();
            return Err(ErpError::input(say::is_billed(name, &names.join(", "))));
        }
    }
    rows.retain(|row| text(row, "sales_invoice").is_empty());
    if rows.is_empty() {
        let project = wanted.project.unwrap_or_default();
        return Err(ErpError::input(say::nothing_unbilled(project)));
    }
    let figures = ["billing_amount", "billing_rate", "billing_hours", "hours"];
    let is_absurd = |row: &&Document| {
        let mut figures = figures.iter();
        figures.any(|field| sane(amount(row, field)).is_none())
    };
    if let Some(row) = rows.iter().find(is_absurd) {
        return Err(ErpError::input(say::is_absurd(text(row, "parent"))));
    }
    // A rate of nothing is one that the ERP fills in.
    let bare = rows
        .iter()
        .find(|row| amount(row, "billing_amount") <= Decimal::ZERO || hours(row) <= Decimal::ZERO);
    if let Some(row) = bare {
        return Err(ErpError::input(say::has_no_amount(text(row, "parent"))));
    }
    rows.sort_by(|left, right| {
        let key =
            |row: &Document| ["from_time", "parent", "name"].map(|it| text(row, it).to_owned());
        key(left).cmp(&key(right))
    });
    Ok(rows)
}

/// The hours of a row that are billed.
pub(super) fn hours(row: &Document) -> Decimal {
    let billed = amount(row, "billing_hours");
    if billed.is_zero() {
        amount(row, "hours")
    } else {
        billed
    }
}

/// The projects of the rows, and the one that is named.
async fn projects(
    site: &ErpSite,
    wanted: &WantedHours<'_>,
    rows: &[Document],
) -> Result<Vec<Document>, ErpError> {
    let mut names: BTreeSet<_> = rows.iter().map(|row| text(row, "project")).collect();
    names.extend(wanted.project);
    names.remove("");
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let meta = site.readable_type("Project").await?;
    let columns = ["name", "customer", "company"];
    let filters = vec![json!(["name", "in", names])];
    let found = lists::documents(site, &meta, &columns, filters, "name asc").await?;
    let is_there = |name: &str| found.iter().any(|it| text(it, "name") == name);
    match names.into_iter().find(|name| !is_there(name)) {
        Some(name) => Err(ErpError::input(say::no_project(name))),
        None => Ok(found),
    }
}

/// The one customer of all projects and timesheets, or the one that is named if they have none.
fn customer(
    wanted: &WantedHours<'_>,
    sheets: &[&Document],
    projects: &[Document],
) -> Result<String, ErpError> {
    let of = projects.iter().chain(sheets.iter().copied());
    let named: Vec<_> = of
        .map(|it| (text(it, "name"), text(it, "customer")))
        .filter(|(_, customer)| !customer.is_empty())
        .collect();
    let customer = wanted.customer.or(named.first().map(|it| it.1));
    let customer = customer.ok_or_else(|| ErpError::input(say::NAME_CUSTOMER))?;
    match named.iter().find(|it| it.1 != customer) {
        Some((of, other)) => Err(ErpError::input(say::other_customer(of, other, customer))),
        None => Ok(customer.to_owned()),
    }
}

/// The objects, in the form of a policy, that the invoice touches without naming them.
fn objects(sheets: &[&Document], projects: &[Document]) -> Vec<String> {
    let employees = sheets.iter().map(|it| ("employee", text(it, "employee")));
    let sheets = sheets.iter().map(|it| ("timesheet", text(it, "name")));
    let projects = projects.iter().map(|it| ("project", text(it, "name")));
    let all = employees.chain(sheets).chain(projects);
    all.map(|(kind, name)| format!("{kind}/{name}").to_lowercase())
        .collect()
}
