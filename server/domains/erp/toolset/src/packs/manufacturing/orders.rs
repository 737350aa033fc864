//! Work orders as the tools read them.

use jiff::civil::Date;
use rust_decimal::Decimal;
use serde_json::{Value, json};

use crate::{
    error::ErpError,
    packs::{
        figures::{amount, day, text},
        lists,
    },
    site::{Document, ErpSite},
    texts::packs as say,
};

/// Statuses of work orders that take and make nothing more.
const DONE: [&str; 4] = ["Completed", "Stopped", "Closed", "Cancelled"];

const COLUMNS: [&str; 13] = [
    "name",
    "production_item",
    "item_name",
    "qty",
    "produced_qty",
    "status",
    "planned_start_date",
    "planned_end_date",
    "expected_delivery_date",
    "sales_order",
    "source_warehouse",
    "wip_warehouse",
    "company",
];

/// Submitted work orders of a company: those of a status, or all that are not done.
pub(super) async fn read(
    site: &ErpSite,
    company: &str,
    status: Option<&str>,
    name: Option<&str>,
) -> Result<Vec<Document>, ErpError> {
    let meta = site.readable_type("Work Order").await?;
    let mut filters = vec![
        json!(["company", "=", company]),
        json!(["docstatus", "=", 1]),
    ];
    match (status, name) {
        (Some(status), _) => filters.push(json!(["status", "=", status])),
        (None, Some(_)) => {}
        (None, None) => filters.push(json!(["status", "not in", DONE])),
    }
    filters.extend(name.map(|it| json!(["name", "=", it])));
    let order = "planned_start_date asc, name asc";
    let found = lists::documents(site, &meta, &COLUMNS, filters, order).await?;
    if let Some(name) = name
        && !found.iter().any(|it| text(it, "name") == name)
    {
        return Err(ErpError::input(say::no_work_order(name)));
    }
    Ok(found)
}

/// The day on which an order is due: when its goods are expected, else when it is planned to end,
/// else when it is planned to start.
pub(super) fn due(order: &Document) -> Option<Date> {
    let fields = [
        "expected_delivery_date",
        "planned_end_date",
        "planned_start_date",
    ];
    fields.iter().find_map(|field| day(order, field))
}

/// The goods that an order still makes.
pub(super) fn open(order: &Document) -> Decimal {
    (amount(order, "qty") - amount(order, "produced_qty")).max(Decimal::ZERO)
}

pub(super) fn is_done(order: &Document) -> bool {
    DONE.contains(&text(order, "status"))
}

pub(super) fn shown(day: Option<Date>) -> Value {
    day.map_or(Value::Null, |day| day.to_string().into())
}
