//! Receipts that purchase orders still bring.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde_json::{Value, json};

use super::{
    figures::{amount, day, number, text},
    lists,
};
use crate::{decimal::times, error::ErpError, site::ErpSite};

/// Statuses of purchase orders that bring nothing more.
const DONE: [&str; 5] = ["Completed", "Closed", "Delivered", "To Bill", "Cancelled"];

/// A receipt of an item that is due.
pub(super) struct DueReceipt {
    pub(super) item: String,
    pub(super) order: String,
    pub(super) supplier: String,
    pub(super) warehouse: String,
    /// In the unit of the stock.
    pub(super) qty: Decimal,
    pub(super) day: Option<jiff::civil::Date>,
}

/// The open rows of purchase orders for these items, the earliest first. Those of the companies
/// within reach, or of one.
pub(super) async fn receipts(
    site: &ErpSite,
    company: Option<&str>,
    items: &[&str],
) -> Result<Vec<DueReceipt>, ErpError> {
    if items.is_empty() {
        return Ok(Vec::new());
    }
    let meta = site.readable_type("Purchase Order").await?;
    let mut filters = vec![
        json!(["docstatus", "=", 1]),
        json!(["status", "not in", DONE]),
        lists::with_item(&meta, "items", items),
    ];
    filters.extend(company.map(|it| json!(["company", "=", it])));
    let columns = ["name", "supplier", "schedule_date"];
    let mut orders = lists::documents(site, &meta, &columns, filters, "name asc").await?;
    // An order with two such rows comes twice from the database's join.
    orders.dedup_by(|left, right| left.get("name") == right.get("name"));
    let columns = [
        "item_code",
        "qty",
        "received_qty",
        "conversion_factor",
        "schedule_date",
        "warehouse",
    ];
    let of_items = [json!(["item_code", "in", items])];
    let rows = lists::rows(site, &meta, "items", &columns, &of_items, &orders).await?;
    let by_name = lists::by_name(&orders);
    let mut due: Vec<_> = rows
        .iter()
        .filter_map(|row| {
            let order = by_name.get(text(row, "parent"))?;
            let open = amount(row, "qty") - amount(row, "received_qty");
            let factor = amount(row, "conversion_factor");
            let factor = if factor.is_zero() {
                Decimal::ONE
            } else {
                factor
            };
            (open > Decimal::ZERO).then(|| DueReceipt {
                item: text(row, "item_code").to_owned(),
                order: text(order, "name").to_owned(),
                supplier: text(order, "supplier").to_owned(),
                warehouse: text(row, "warehouse").to_owned(),
                qty: times(open, factor),
                day: day(row, "schedule_date").or_else(|| day(order, "schedule_date")),
            })
        })
        .collect();
    due.sort_by(|left, right| {
        let key = |it: &DueReceipt| (it.day.is_none(), it.day);
        (key(left), &left.order).cmp(&(key(right), &right.order))
    });
    Ok(due)
}

/// The same by item, for a result.
pub(super) async fn due(
    site: &ErpSite,
    company: &str,
    items: &[&str],
) -> Result<BTreeMap<String, Value>, ErpError> {
    let mut found: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for receipt in receipts(site, Some(company), items).await? {
        found.entry(receipt.item).or_default().push(json!({
            "purchase_order": receipt.order,
            "supplier": receipt.supplier,
            "qty": number(receipt.qty),
            "due": receipt.day.map(|day| day.to_string()),
        }));
    }
    Ok(found
        .into_iter()
        .map(|(item, due)| (item, due.into()))
        .collect())
}
