//! Stock that would fall below zero.

use std::collections::BTreeMap;

use protocol::RiskWeight;
use rust_decimal::Decimal;
use serde_json::{Value, json};

use super::Hazard;
use crate::tools::writing::posting::Posting;
use crate::{
    decimal::{decimal, number},
    error::ErpError,
    site::{Document, ErpSite, ListQuery, NEWEST},
    texts::hazard as say,
};

/// The most places that are read.
const MOST: usize = 100;

pub(super) async fn check(site: &ErpSite, posting: &Posting) -> Result<Vec<Hazard>, ErpError> {
    let below = if posting.is_from_own_rows {
        below_by_bins(site, &posting.stock).await?
    } else {
        below_by_preview(&posting.stock)
    };
    Ok(below
        .into_iter()
        .map(|((item, warehouse), left)| {
            Hazard::new(
                "stock",
                RiskWeight::Grave,
                say::below_zero(&item, &warehouse, &number(left).to_string()),
                say::BELOW_ZERO_DETAIL,
            )
        })
        .collect())
}

/// Item and warehouse.
type StockPlace = (String, String);

fn place(line: &Document) -> Option<StockPlace> {
    let text = |field: &str| line.get(field).and_then(Value::as_str);
    Some((text("item_code")?.to_owned(), text("warehouse")?.to_owned()))
}

/// The preview says what is left after each move.
fn below_by_preview(lines: &[Document]) -> BTreeMap<StockPlace, Decimal> {
    let below = lines.iter().filter_map(|line| {
        let left = decimal(line.get("qty_after_transaction")?)?;
        (left < Decimal::ZERO).then_some((place(line)?, left))
    });
    below.collect()
}

/// The stock that is there, less that which goes out.
async fn below_by_bins(
    site: &ErpSite,
    lines: &[Document],
) -> Result<BTreeMap<StockPlace, Decimal>, ErpError> {
    let mut moves: BTreeMap<StockPlace, Decimal> = BTreeMap::new();
    for line in lines {
        let quantity = line.get("actual_qty").and_then(decimal);
        if let (Some(place), Some(quantity)) = (place(line), quantity) {
            *moves.entry(place).or_default() += quantity;
        }
    }
    moves.retain(|_, quantity| *quantity < Decimal::ZERO);
    if moves.is_empty() {
        return Ok(moves);
    }
    let meta = site.readable_type("Bin").await?;
    let items: Vec<&String> = moves.keys().map(|(item, _)| item).collect();
    let places: Vec<&String> = moves.keys().map(|(_, warehouse)| warehouse).collect();
    let query = ListQuery {
        doctype: "Bin",
        fields: ["item_code", "warehouse", "actual_qty"]
            .map(|field| json!(field))
            .into(),
        filters: vec![
            json!(["item_code", "in", items]),
            json!(["warehouse", "in", places]),
        ],
        order: NEWEST.to_owned(),
        limit: MOST,
        ..ListQuery::default()
    };
    let found = site.list(&meta, query).await?;
    for bin in &found.rows {
        if let Some(left) = place(bin).and_then(|place| moves.get_mut(&place)) {
            *left += bin.get("actual_qty").and_then(decimal).unwrap_or_default();
        }
    }
    moves.retain(|_, left| *left < Decimal::ZERO);
    Ok(moves)
}
