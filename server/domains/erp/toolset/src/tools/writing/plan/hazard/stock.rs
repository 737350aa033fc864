//! Stock that would fall below zero.

use std::collections::BTreeMap;

use protocol::RiskWeight;
use rust_decimal::Decimal;
use serde_json::Value;

use super::Hazard;
use crate::tools::writing::posting::{LineSource, Posting, StockChange, StockChanges};
use crate::{
    decimal::{decimal, number},
    error::ErpError,
    site::Document,
    texts::hazard as say,
};

pub(super) fn check<'a>(
    posting: &Posting,
    stock: &'a StockChanges,
) -> Result<Vec<Hazard>, &'a ErpError> {
    let below = if posting.source == LineSource::Ledger {
        below_by_preview(&posting.stock)
    } else if posting.stock.iter().any(|line| moved(line) < Decimal::ZERO) {
        stock.known()?.iter().filter_map(below_by_bin).collect()
    } else {
        BTreeMap::new()
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

fn moved(line: &Document) -> Decimal {
    line.get("actual_qty").and_then(decimal).unwrap_or_default()
}

/// The preview says what is left after each move.
fn below_by_preview(lines: &[Document]) -> BTreeMap<StockPlace, Decimal> {
    let below = lines.iter().filter_map(|line| {
        let left = decimal(line.get("qty_after_transaction")?)?;
        (left < Decimal::ZERO).then_some((place(line)?, left))
    });
    below.collect()
}

/// The stock that is there, less that which goes out. Where the ERP shows none, all that goes out is missing.
fn below_by_bin(change: &StockChange) -> Option<(StockPlace, Decimal)> {
    let left = change.level.map_or(change.moved, |[_, after]| after);
    let place = (change.item.clone(), change.warehouse.clone());
    (change.moved < Decimal::ZERO && left < Decimal::ZERO).then_some((place, left))
}
