//! Rows of sales orders that are still to be delivered.

use jiff::civil::Date;
use rust_decimal::Decimal;
use serde_json::{Value, json};

use super::{
    figures::{amount, day, text},
    lists,
};
use crate::{
    decimal::times,
    error::ErpError,
    site::{Document, ErpSite},
};

/// Statuses of sales orders that are not delivered.
const OPEN: [&str; 2] = ["To Deliver and Bill", "To Deliver"];

const ORDER_COLUMNS: [&str; 6] = [
    "name",
    "customer",
    "company",
    "delivery_date",
    "territory",
    "status",
];

const ROW_COLUMNS: [&str; 7] = [
    "item_code",
    "item_name",
    "qty",
    "delivered_qty",
    "conversion_factor",
    "delivery_date",
    "warehouse",
];

/// A row of an order that is not delivered whole.
pub(super) struct OpenRow {
    pub(super) order: String,
    pub(super) customer: String,
    pub(super) row: String,
    pub(super) item: String,
    pub(super) warehouse: String,
    /// In the unit of the stock.
    pub(super) qty: Decimal,
    pub(super) day: Option<Date>,
}

/// The open rows of submitted orders that fit, the earliest first.
pub(super) async fn open(
    site: &ErpSite,
    more: Vec<Value>,
    items: Option<&[&str]>,
) -> Result<Vec<OpenRow>, ErpError> {
    let meta = site.readable_type("Sales Order").await?;
    let mut filters = vec![json!(["docstatus", "=", 1]), json!(["status", "in", OPEN])];
    filters.extend(more);
    filters.extend(items.map(|items| lists::with_item(&meta, "items", items)));
    let mut orders = lists::documents(site, &meta, &ORDER_COLUMNS, filters, "name asc").await?;
    // An order with two such rows comes twice from the database's join.
    orders.dedup_by(|left, right| left.get("name") == right.get("name"));
    let of_items: Vec<_> = items
        .map(|items| json!(["item_code", "in", items]))
        .into_iter()
        .collect();
    let rows = lists::rows(site, &meta, "items", &ROW_COLUMNS, &of_items, &orders).await?;
    let by_name = lists::by_name(&orders);
    let mut open: Vec<_> = rows
        .iter()
        .filter_map(|row| open_row(row, by_name.get(text(row, "parent"))?))
        .collect();
    open.sort_by(|left, right| {
        let key = |it: &OpenRow| (it.day.is_none(), it.day);
        (key(left), &left.order, &left.row).cmp(&(key(right), &right.order, &right.row))
    });
    Ok(open)
}

fn open_row(row: &Document, order: &Document) -> Option<OpenRow> {
    let left = amount(row, "qty") - amount(row, "delivered_qty");
    let factor = amount(row, "conversion_factor");
    let factor = if factor.is_zero() {
        Decimal::ONE
    } else {
        factor
    };
    (left > Decimal::ZERO).then(|| OpenRow {
        order: text(order, "name").to_owned(),
        customer: text(order, "customer").to_owned(),
        row: text(row, "name").to_owned(),
        item: text(row, "item_code").to_owned(),
        warehouse: text(row, "warehouse").to_owned(),
        qty: times(left, factor),
        day: day(row, "delivery_date").or_else(|| day(order, "delivery_date")),
    })
}
