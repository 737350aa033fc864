//! Items that run short: those of which more is promised than there will be.

use std::{sync::Arc, time::Duration};

use erp_wire::{DocumentCell, ShortageRow, ShortagesPart};
use protocol::Known;
use rust_decimal::Decimal;
use serde_json::{Value, json};

use crate::{
    coalesced::Coalesced,
    decimal::decimal,
    error::ErpError,
    reach::company_field,
    shown,
    site::{Document, ErpSite, ListQuery},
    texts::board as say,
    warehouses::of_companies,
};

/// Places of items that are read, and those that are shown.
const MOST: usize = 200;
const SHOWN: usize = 20;
/// Time after which the warehouses of the companies are read anew.
const WAREHOUSES_LIFETIME: Duration = Duration::from_secs(900);

pub(super) async fn shortages(
    site: &ErpSite,
    warehouses: &Coalesced<Arc<Vec<String>>>,
) -> Result<ShortagesPart, ErpError> {
    let meta = site.readable_type("Bin").await?;
    let mut filters = Vec::new();
    if company_field(&meta).is_none() && !site.reach.companies().is_empty() {
        // Older versions keep no company there, so the warehouses must.
        let read = async { of_companies(site).await.map(Arc::new) };
        let names = warehouses.get(WAREHOUSES_LIFETIME, read);
        filters.push(json!(["warehouse", "in", *Box::pin(names).await?]));
    }
    let columns = [
        "item_code",
        "warehouse",
        "actual_qty",
        "projected_qty",
        "stock_uom",
    ];
    let query = ListQuery {
        doctype: "Bin",
        fields: columns.map(|it| json!(it)).into(),
        filters,
        any_of: vec![
            json!(["projected_qty", "<", 0]),
            json!(["actual_qty", "<", 0]),
        ],
        order: "projected_qty asc, name asc".to_owned(),
        limit: MOST,
        ..ListQuery::default()
    };
    let found = site.list(&meta, query).await?;
    let mut rows: Vec<_> = found.rows.iter().filter_map(row).collect();
    // Stock that cannot be is worse than stock that will be missing.
    rows.sort_by_key(|row| !row.is_negative);
    rows.truncate(SHOWN);
    Ok(ShortagesPart {
        rows: Known::Value(rows),
        count: (!found.has_more)
            .then_some(found.rows.len())
            .and_then(|count| u32::try_from(count).ok()),
        at: None,
        trouble: None,
    })
}

fn row(row: &Document) -> Option<ShortageRow> {
    let text = |field: &str| row.get(field).and_then(Value::as_str).map(str::to_owned);
    let unit = text("stock_uom");
    let cell = |number: Option<Decimal>| DocumentCell {
        unit: unit.clone(),
        // A figure that the key may not see is left out by the site.
        ..shown::plain(number.map_or_else(|| say::UNKNOWN.to_owned(), shown::quantity))
    };
    let stock = row.get("actual_qty").and_then(decimal);
    let projected = row.get("projected_qty").and_then(decimal);
    Some(ShortageRow {
        item: text("item_code")?,
        warehouse: text("warehouse").unwrap_or_default(),
        is_negative: stock.is_some_and(|stock| stock < Decimal::ZERO),
        stock: cell(stock),
        projected: cell(projected),
    })
}
