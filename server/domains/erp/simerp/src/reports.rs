//! Reports, computed from the ledgers and documents.

mod accounting;
mod orders;
mod stock_levels;

use serde_json::{Map, Value, json};

use crate::books::SimBooks;
use crate::cell::{Decimal, float, parse_decimal};
use crate::refusal::{SimResult, forbidden, no_document, unsuitable};
use crate::rights::{self, Right};
use crate::wire::Args;

/// Columns and rows.
pub(crate) struct Sheet {
    columns: Vec<Value>,
    rows: Vec<Value>,
    /// True if the last row is Frappe's own total of the others.
    has_total: bool,
}

impl Sheet {
    /// Columns as `(fieldname, label, fieldtype, options)`.
    fn new(columns: &[(&str, &str, &str, &str)]) -> Self {
        let columns = columns.iter().map(|(name, label, kind, options)| {
            json!({
                "fieldname": name, "label": label, "fieldtype": kind,
                "options": if options.is_empty() { Value::Null } else { json!(options) },
                "width": 120,
            })
        });
        Self {
            columns: columns.collect(),
            rows: Vec::new(),
            has_total: false,
        }
    }

    fn row(&mut self, cells: Value) {
        self.rows.push(cells);
    }

    /// Adds the total row of Frappe: a list with the sum of each column of numbers, whatever it has.
    fn add_total(&mut self) {
        let number = |value: &Value| parse_decimal(&value.to_string());
        let cells = self.columns.iter().enumerate().map(|(at, column)| {
            match (column["fieldtype"].as_str(), column["fieldname"].as_str()) {
                (Some("Currency" | "Float" | "Int"), Some(field)) => {
                    cell(self.rows.iter().map(|row| number(&row[field])).sum())
                }
                _ if at == 0 => json!("Total"),
                _ => json!(""),
            }
        });
        let cells = Value::Array(cells.collect());
        self.rows.push(cells);
        self.has_total = true;
    }
}

type ReportFunction = fn(&SimBooks, &Args) -> SimResult<Sheet>;

/// Name, type whose right to read is needed, mandatory filters, and the function.
const REPORTS: [(&str, &str, &[&str], ReportFunction); 15] = [
    (
        "General Ledger",
        "GL Entry",
        &["company", "from_date", "to_date"],
        accounting::general_ledger,
    ),
    (
        "Trial Balance",
        "GL Entry",
        &["company", "fiscal_year"],
        accounting::trial_balance,
    ),
    (
        "Profit and Loss Statement",
        "GL Entry",
        &["company"],
        accounting::profit_and_loss,
    ),
    (
        "Balance Sheet",
        "GL Entry",
        &["company"],
        accounting::balance_sheet,
    ),
    (
        "Accounts Receivable",
        "GL Entry",
        &["company"],
        |books, args| Ok(accounting::open_items(books, args, "Receivable")),
    ),
    (
        "Accounts Payable",
        "GL Entry",
        &["company"],
        |books, args| Ok(accounting::open_items(books, args, "Payable")),
    ),
    (
        "Gross Profit",
        "Sales Invoice",
        &["company", "from_date", "to_date"],
        orders::gross_profit,
    ),
    (
        "Sales Analytics",
        "Sales Order",
        &["company", "from_date", "to_date"],
        orders::analytics,
    ),
    (
        "Sales Order Analysis",
        "Sales Order",
        &["company", "from_date", "to_date"],
        |books, args| Ok(orders::analysis(books, args, "Sales Order")),
    ),
    (
        "Purchase Order Analysis",
        "Purchase Order",
        &["company", "from_date", "to_date"],
        |books, args| Ok(orders::analysis(books, args, "Purchase Order")),
    ),
    (
        "Delayed Order Report",
        "Sales Order",
        &["company", "from_date", "to_date"],
        orders::delayed,
    ),
    (
        "Stock Ledger",
        "Stock Ledger Entry",
        &["company", "from_date", "to_date"],
        stock_levels::ledger,
    ),
    (
        "Stock Balance",
        "Stock Ledger Entry",
        &["from_date", "to_date"],
        stock_levels::balance,
    ),
    ("Stock Projected Qty", "Bin", &[], stock_levels::projected),
    (
        "Item Shortage Report",
        "Bin",
        &["company"],
        stock_levels::shortage,
    ),
];

/// Runs a report. Stock Balance is prepared: without `now` it says that it was not generated.
pub(crate) fn run(books: &SimBooks, name: &str, filters: &Args, now: bool) -> SimResult<Value> {
    let found = REPORTS.iter().find(|it| it.0 == name);
    let Some((_, kind, needed, report)) = found else {
        return Err(no_document("Report", name));
    };
    let of = books.type_of(kind)?;
    if !rights::may(books, &of, Right::Read) {
        return Err(forbidden(format!(
            "You don't have permission to get a report on: {kind}"
        )));
    }
    if name == "Stock Balance" && !now {
        return Ok(json!({
            "prepared_report": true, "doc": null, "columns": [], "result": [],
        }));
    }
    let lacking: Vec<_> = needed
        .iter()
        .filter(|it| filters.text(it).is_empty())
        .copied()
        .collect();
    if !lacking.is_empty() {
        return Err(unsuitable(format!(
            "Please set filters: {}",
            lacking.join(", ")
        )));
    }
    let sheet = report(books, filters)?;
    Ok(json!({
        "columns": sheet.columns, "result": sheet.rows, "message": null, "chart": null,
        "report_summary": null, "skip_total_row": 0, "status": null, "execution_time": 0.01,
        "add_total_row": sheet.has_total,
    }))
}

/// Both ends of the days that are asked for; years that are named count whole.
fn days(books: &SimBooks, filters: &Args) -> SimResult<(String, String)> {
    let first = |names: &[&str]| {
        let texts = names.iter().map(|name| filters.text(name));
        texts.into_iter().find(|it| !it.is_empty())
    };
    let year = |name: Option<String>, field: &str| -> SimResult<Option<String>> {
        match name {
            Some(name) => {
                let year = books.load("Fiscal Year", &name)?;
                Ok(Some(year.text(field).to_owned()))
            }
            None => Ok(None),
        }
    };
    let from_year = year(
        first(&["fiscal_year", "from_fiscal_year"]),
        "year_start_date",
    )?;
    let to_year = year(first(&["fiscal_year", "to_fiscal_year"]), "year_end_date")?;
    let from = first(&["from_date", "period_start_date"]).or(from_year);
    let to = first(&["to_date", "period_end_date", "report_date"]).or(to_year);
    Ok((
        from.unwrap_or_default(),
        to.unwrap_or_else(|| books.today().to_string()),
    ))
}

/// A filter of a list, or of one value; nothing asks for all.
fn wanted(filters: &Args, name: &str, value: &str) -> bool {
    match filters.json(name) {
        None => true,
        Some(Value::Array(values)) => values.is_empty() || values.iter().any(|it| it == value),
        Some(Value::String(text)) => text == value,
        Some(other) => other == json!(value),
    }
}

fn cell(value: Decimal) -> Value {
    float(value)
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}
