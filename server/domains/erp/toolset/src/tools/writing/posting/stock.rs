//! Stock before and after the moves of a document. It changes whenever somebody else moves stock, so it is
//! shown as facts and no decision is bound to it.

use protocol::Fact;
use rust_decimal::Decimal;
use serde_json::{Value, json};

use super::{LineSource, Posting};
use crate::{
    decimal::{decimal, number},
    error::ErpError,
    plain_text::plain,
    site::{Document, ErpSite, ListQuery, NEWEST},
    texts::posting as say,
};

/// The most places that are read.
const MOST: usize = 100;
/// The most places on a card.
const MOST_SHOWN: usize = 6;
/// The most characters of a name.
const NAME: usize = 60;
/// Decimal places of a quantity that count: the ERP's own are floating-point numbers.
const PLACES: u32 = 6;

/// The moves of an item in a warehouse, together.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StockChange {
    pub(crate) item: String,
    pub(crate) warehouse: String,
    unit: String,
    pub(crate) moved: Decimal,
    /// The quantity before and after, or the reason why it is not known.
    pub(crate) level: Result<[Decimal; 2], &'static str>,
}

/// The stock that a posting changes.
#[derive(Debug)]
pub(crate) struct StockChanges {
    changes: Result<Vec<StockChange>, ErpError>,
    /// True for quantities as of the document's day, not as of now.
    is_of_day: bool,
}

impl StockChanges {
    /// Of a draft: as the ERP's preview says, and otherwise by the stock that is there.
    pub(crate) async fn of_draft(site: &ErpSite, posting: &Posting) -> Self {
        if posting.source == LineSource::Ledger {
            return Self {
                changes: Ok(by_preview(&posting.stock)),
                is_of_day: true,
            };
        }
        Self::of_now(site, posting).await
    }

    /// By the stock that is there.
    pub(crate) async fn of_now(site: &ErpSite, posting: &Posting) -> Self {
        Self {
            changes: by_bins(site, &posting.stock).await,
            is_of_day: false,
        }
    }

    pub(crate) fn known(&self) -> Result<&[StockChange], &ErpError> {
        self.changes.as_deref()
    }

    /// For the head of a card. `day`: that of the document, if it is not today.
    pub(crate) fn facts(&self, day: Option<&str>) -> Vec<Fact> {
        let fact = |label: String, value: String| Fact { label, value };
        let changes = match &self.changes {
            Ok(changes) => changes,
            Err(error) => {
                let value = say::unknown_stock(&error.reason());
                return vec![fact(say::STOCK_AFTER.to_owned(), value)];
            }
        };
        let day = day.filter(|_| self.is_of_day);
        let mut facts: Vec<_> = changes
            .iter()
            .take(MOST_SHOWN)
            .map(|it| {
                let label = say::stock_of(&plain(&it.item, NAME), &plain(&it.warehouse, NAME), day);
                fact(label, it.told())
            })
            .collect();
        if changes.len() > MOST_SHOWN {
            let more = say::more_places(changes.len() - MOST_SHOWN);
            facts.push(fact(say::STOCK_AFTER.to_owned(), more));
        }
        facts
    }
}

impl StockChange {
    fn told(&self) -> String {
        match &self.level {
            Ok(level) => {
                let [before, after] = level.map(|it| number(it).to_string());
                say::from_to(&before, &after, &plain(&self.unit, NAME))
            }
            Err(reason) => say::unknown_stock(reason),
        }
    }
}

/// True for a fact about stock, which is never what makes a card another one.
pub(crate) fn is_about_stock(fact: &Fact) -> bool {
    fact.label.starts_with(say::STOCK_AFTER)
}

/// The lines of each item and warehouse, in the order of the first of each.
fn places(lines: &[Document]) -> Vec<(StockChange, Vec<&Document>)> {
    let mut places: Vec<(StockChange, Vec<&Document>)> = Vec::new();
    for line in lines {
        let text = |field: &str| line.get(field).and_then(Value::as_str);
        let (Some(item), Some(warehouse)) = (text("item_code"), text("warehouse")) else {
            continue;
        };
        let moved = moved(line);
        let same = |it: &&mut (StockChange, Vec<&Document>)| {
            it.0.item == item && it.0.warehouse == warehouse
        };
        if let Some((change, lines)) = places.iter_mut().find(same) {
            change.moved = change.moved.saturating_add(moved);
            lines.push(line);
            continue;
        }
        let change = StockChange {
            item: item.to_owned(),
            warehouse: warehouse.to_owned(),
            unit: text("stock_uom").unwrap_or_default().to_owned(),
            moved,
            level: Err(say::STOCK_NOT_TOLD),
        };
        places.push((change, vec![line]));
    }
    places
}

fn moved(line: &Document) -> Decimal {
    line.get("actual_qty").and_then(decimal).unwrap_or_default()
}

/// The preview says what is there after each move.
fn by_preview(lines: &[Document]) -> Vec<StockChange> {
    let places = places(lines).into_iter();
    let known = places.map(|(change, lines)| {
        let level = level(&lines, change.moved).ok_or(say::STOCK_NOT_TOLD);
        StockChange { level, ..change }
    });
    known.collect()
}

/// The quantity before the first and after the last of several moves, which the preview has in one order or
/// the other.
fn level(lines: &[&Document], moved_in_all: Decimal) -> Option<[Decimal; 2]> {
    let steps = lines.iter().map(|line| {
        let after = decimal(line.get("qty_after_transaction")?)?;
        Some((moved(line), after))
    });
    let mut steps = steps.collect::<Option<Vec<_>>>()?;
    let follows = |steps: &[(Decimal, Decimal)]| {
        steps.windows(2).all(|it| {
            let next = it[0].1.saturating_add(it[1].0);
            next.round_dp(PLACES) == it[1].1.round_dp(PLACES)
        })
    };
    if !follows(&steps) {
        steps.reverse();
    }
    let after = steps.last().filter(|_| follows(&steps))?.1;
    Some([after.checked_sub(moved_in_all)?, after])
}

/// The stock that is there, and with the moves.
async fn by_bins(site: &ErpSite, lines: &[Document]) -> Result<Vec<StockChange>, ErpError> {
    let places = places(lines).into_iter();
    let mut changes: Vec<_> = places.map(|(change, _)| change).collect();
    if changes.is_empty() {
        return Ok(changes);
    }
    let meta = site.readable_type("Bin").await?;
    let items: Vec<&String> = changes.iter().map(|it| &it.item).collect();
    let warehouses: Vec<&String> = changes.iter().map(|it| &it.warehouse).collect();
    let query = ListQuery {
        doctype: "Bin",
        fields: ["item_code", "warehouse", "actual_qty"]
            .map(|field| json!(field))
            .into(),
        filters: vec![
            json!(["item_code", "in", items]),
            json!(["warehouse", "in", warehouses]),
        ],
        order: NEWEST.to_owned(),
        limit: MOST,
        ..ListQuery::default()
    };
    let found = site.list(&meta, query).await?;
    for change in &mut changes {
        let is_of = |field: &str, name: &str, bin: &Document| {
            bin.get(field).and_then(Value::as_str) == Some(name)
        };
        let bin = found.rows.iter().find(|bin| {
            is_of("item_code", &change.item, bin) && is_of("warehouse", &change.warehouse, bin)
        });
        let before = bin.and_then(|bin| decimal(bin.get("actual_qty")?));
        let both = before.and_then(|before| Some([before, before.checked_add(change.moved)?]));
        change.level = both.ok_or(say::NO_STOCK_RECORD);
    }
    Ok(changes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(item: &str, moved: Value, after: Value) -> Document {
        let line = json!({"item_code": item, "warehouse": "Stores", "stock_uom": "Nos",
            "actual_qty": moved, "qty_after_transaction": after});
        line.as_object().cloned().unwrap()
    }

    #[test]
    fn the_moves_of_a_place_are_one_change_in_either_order() {
        let (first, second) = (
            line("PUMP", json!(-2), json!(0.1)),
            line("PUMP", json!(5.2), json!(5.3)),
        );
        let other = || line("LOCK", json!("-1"), json!("-1"));
        let told = |lines: &[Document]| {
            let changes = StockChanges {
                changes: Ok(by_preview(lines)),
                is_of_day: true,
            };
            let facts = changes.facts(Some("2026-11-01"));
            facts
                .into_iter()
                .map(|it| (it.label, it.value))
                .collect::<Vec<_>>()
        };
        let at = |item: &str, value: &str| {
            let label = format!("Stock after it: {item} in Stores on 2026-11-01");
            (label, value.to_owned())
        };
        let pumps = at("PUMP", "2.1 → 5.3 Nos");
        let forth = told(&[first.clone(), other(), second.clone()]);
        assert_eq!(forth, [pumps.clone(), at("LOCK", "0 → -1 Nos")]);
        assert_eq!(told(&[second, first.clone()]), [pumps]);
        // Neither order fits, or the preview does not tell.
        let unknown = at("PUMP", "unknown: the ERP's preview does not tell");
        let gap = line("PUMP", json!(1), json!(40));
        assert_eq!(told(&[first, gap]), std::slice::from_ref(&unknown));
        assert_eq!(told(&[line("PUMP", json!(1), json!(""))]), [unknown]);
        let many: Vec<_> = (0..8)
            .map(|at| line(&format!("I{at}"), json!(1), json!(1)))
            .collect();
        let many = told(&many);
        assert_eq!((many.len(), &*many[6].1), (7, "of 2 more places not shown"));
    }
}
