//! Stock of items in warehouses, as the ERP's bins have it.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde_json::json;

use super::{
    figures::{amount, text},
    lists,
};
use crate::{
    error::ErpError,
    site::{Document, ErpSite},
    texts::packs as say,
};

/// The most items in one filter.
const MOST_ITEMS: usize = 100;

/// The bins of some items, and of these warehouses alone.
pub(super) struct StockLevels(Vec<Document>);

impl StockLevels {
    /// Reads the bins of items in warehouses.
    pub(super) async fn read(
        site: &ErpSite,
        items: &[&str],
        warehouses: &[String],
    ) -> Result<Self, ErpError> {
        // An empty list is no filter that every version of the ERP takes.
        if items.is_empty() || warehouses.is_empty() {
            return Ok(Self(Vec::new()));
        }
        let meta = site.readable_type("Bin").await?;
        let columns = [
            "item_code",
            "warehouse",
            "actual_qty",
            "reserved_qty",
            "ordered_qty",
            "indented_qty",
            "planned_qty",
            "reserved_qty_for_production",
            "projected_qty",
            "stock_uom",
        ];
        let mut found = Vec::new();
        // Each item may have a bin in each warehouse.
        let at_once = lists::MOST_DOCUMENTS / warehouses.len().max(1);
        for items in items.chunks(at_once.clamp(1, MOST_ITEMS)) {
            let filters = vec![
                json!(["item_code", "in", items]),
                json!(["warehouse", "in", warehouses]),
            ];
            let order = "item_code asc, warehouse asc";
            found.extend(lists::documents(site, &meta, &columns, filters, order).await?);
        }
        Ok(Self(found))
    }

    pub(super) fn bins(&self) -> &[Document] {
        &self.0
    }

    /// The quantity of an item that is there, in one warehouse or in all.
    pub(super) fn on_hand(&self, item: &str, warehouse: Option<&str>) -> Decimal {
        let bins = self.0.iter().filter(|bin| text(bin, "item_code") == item);
        let bins = bins.filter(|bin| warehouse.is_none_or(|it| text(bin, "warehouse") == it));
        bins.map(|bin| amount(bin, "actual_qty")).sum()
    }

    /// The quantity that is there, by item and warehouse.
    pub(super) fn by_place(&self) -> BTreeMap<(String, String), Decimal> {
        let bins = self.0.iter().map(|bin| {
            let place = (text(bin, "item_code"), text(bin, "warehouse"));
            let place = (place.0.to_owned(), place.1.to_owned());
            (place, amount(bin, "actual_qty"))
        });
        bins.collect()
    }
}

/// The warehouses with these names, or those of a company, or all within reach.
pub(super) async fn warehouses(
    site: &ErpSite,
    names: &[String],
    company: Option<&str>,
) -> Result<Vec<String>, ErpError> {
    let meta = site.readable_type("Warehouse").await?;
    let mut filters = vec![json!(["is_group", "=", 0])];
    filters.extend(company.map(|it| json!(["company", "=", it])));
    if !names.is_empty() {
        filters.push(json!(["name", "in", names]));
    }
    let found = lists::documents(site, &meta, &["name"], filters, "name asc").await?;
    let found: Vec<_> = found.iter().map(|it| text(it, "name").to_owned()).collect();
    // A bin of a warehouse that is not there would count as nothing.
    match names.iter().find(|name| !found.contains(name)) {
        Some(name) => Err(ErpError::input(say::no_warehouse(name))),
        None => Ok(found),
    }
}

/// Refuses an item that is not there, whose stock would be nothing. Returns it.
pub(super) async fn item(site: &ErpSite, code: &str) -> Result<Document, ErpError> {
    let meta = site.readable_type("Item").await?;
    let columns = [
        "name",
        "item_name",
        "stock_uom",
        "is_stock_item",
        "disabled",
        "has_variants",
        "item_group",
        "brand",
    ];
    let filters = vec![json!(["name", "=", code])];
    let found = lists::documents(site, &meta, &columns, filters, "name asc").await?;
    let item = found.into_iter().find(|it| text(it, "name") == code);
    item.ok_or_else(|| ErpError::input(say::no_item(code)))
}
