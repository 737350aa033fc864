//! The value that an alert watches, and its level, as they are now.

use markets_wire::{AlertRecord, AlertSubject, DrawingLevel};

use super::{Reading, indicator::Indicators};
use crate::{
    StoreError, Symbol, Time,
    check::Line,
    drawing::{Drawing, DrawingReader, Shape},
    maths::fibonacci,
    passed_prices::PassedPrice,
    texts,
    tools::{ToolProblem, draw::ChartDrawings},
};

/// The result of a look at a value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum AlertLook {
    Seen {
        /// Oldest first.
        readings: Vec<Reading>,
        /// The reason that there is none of the newest price.
        unknown: Option<String>,
    },
    /// The drawing is not there any more.
    Lost,
}

impl AlertLook {
    fn unknown(why: String) -> Self {
        Self::Seen {
            readings: Vec::new(),
            unknown: Some(why),
        }
    }

    fn known(readings: Vec<Reading>) -> Self {
        Self::Seen {
            readings,
            unknown: None,
        }
    }
}

/// Looks at what an alert watches, at prices that have passed, oldest first. The price is the asked one,
/// as on the chart.
///
/// # Errors
/// The store fails.
pub(super) async fn look(
    charts: &ChartDrawings,
    indicators: &Indicators,
    alert: &AlertRecord<Time>,
    prices: &[PassedPrice],
) -> Result<AlertLook, StoreError> {
    let symbol = alert.symbol;
    let reading = |price: &PassedPrice, level, drawing| Reading {
        time: price.time,
        value: symbol.number(price.ask),
        level,
        drawing,
    };
    let Some(newest) = prices.last() else {
        return Ok(AlertLook::known(Vec::new()));
    };
    match &alert.subject {
        AlertSubject::Price { level } => {
            let level = on_tick(symbol, *level);
            let readings = prices.iter().map(|price| reading(price, level, None));
            Ok(AlertLook::known(readings.collect()))
        }
        AlertSubject::Drawing {
            drawing,
            part,
            ratio,
        } => {
            let drawing = match charts.drawing(DrawingReader::Anybody, drawing).await {
                Ok(drawing) if !drawing.removed => drawing,
                Ok(_) | Err(ToolProblem::Missing(_)) => return Ok(AlertLook::Lost),
                Err(ToolProblem::Store(error)) => return Err(error),
                Err(other) => return Ok(AlertLook::unknown(other.to_string())),
            };
            let (version, prices) = match alert.drawing_version {
                // Nobody knows which of them passed before it was moved.
                Some(seen) if is_moved(&drawing, seen) => {
                    (drawing.version, std::slice::from_ref(newest))
                }
                // To the alert it is as it was.
                Some(seen) => (seen, prices),
                None => (drawing.version, prices),
            };
            let (mut readings, mut unknown) = (Vec::new(), None);
            for price in prices {
                unknown = match level_of(&drawing, *part, *ratio, price.time) {
                    Ok(level) => {
                        readings.push(reading(price, level, Some(version)));
                        None
                    }
                    Err(why) => Some(why),
                };
            }
            Ok(AlertLook::Seen { readings, unknown })
        }
        AlertSubject::Indicator {
            indicator,
            period,
            timeframe,
            level,
        } => {
            let key = (symbol, *indicator, *period, *timeframe);
            // Its value stays the same until the next candle has closed.
            Ok(match indicators.value(key, newest.time).await? {
                Ok(value) => AlertLook::known(vec![Reading {
                    value,
                    ..reading(newest, *level, None)
                }]),
                Err(why) => AlertLook::unknown(why),
            })
        }
    }
}

/// The price of a line at a time, on the tick, or that of a part; the reason if it has none then. The
/// edges of a rectangle and the levels of a Fibonacci count also after their end.
pub(super) fn level_of(
    drawing: &Drawing,
    part: Option<DrawingLevel>,
    ratio: Option<f64>,
    at: Time,
) -> Result<f64, String> {
    let (symbol, shape) = (drawing.symbol, &drawing.content.shape);
    let level = match (shape, part, ratio) {
        (Shape::HorizontalLine { price }, None, None) => Some(*price),
        (Shape::HorizontalRay { start, price }, None, None) => (*start <= at).then_some(*price),
        (Shape::Trendline { from, to, extent }, None, None) => {
            Line::new(*from, *to, *extent).at_time(at)
        }
        (Shape::Rectangle { from, to, .. }, Some(DrawingLevel::Top), None) => {
            Some(from.price.max(to.price))
        }
        (Shape::Rectangle { from, to, .. }, Some(DrawingLevel::Bottom), None) => {
            Some(from.price.min(to.price))
        }
        (Shape::Position { entry, .. }, Some(DrawingLevel::Entry), None) => Some(*entry),
        (Shape::Position { stop, .. }, Some(DrawingLevel::Stop), None) => Some(*stop),
        (Shape::Position { target, .. }, Some(DrawingLevel::Target), None) => Some(*target),
        (
            Shape::Fibonacci {
                from,
                to,
                levels,
                reverse,
                ..
            },
            None,
            Some(ratio),
        ) if levels.contains(&ratio) => {
            let (first, second) = (symbol.round(from.price), symbol.round(to.price));
            Some(symbol.number(fibonacci::price(first, second, ratio, *reverse)))
        }
        _ => return Err(texts::alerts::has_no_such_level(shape)),
    };
    let level = level.ok_or_else(|| texts::alerts::line_is_not_there(&at))?;
    Ok(on_tick(symbol, level))
}

/// Returns whether a drawing was moved since a version of it; true if its history no longer tells.
fn is_moved(drawing: &Drawing, since: u64) -> bool {
    let count = usize::try_from(drawing.version.saturating_sub(since)).unwrap_or(usize::MAX);
    let Some(first) = drawing.changes.len().checked_sub(count) else {
        return true;
    };
    let changes = drawing.changes.iter().skip(first);
    let mut fields = changes.flat_map(|change| &change.changes);
    fields.any(|it| it.field == "shape" || it.field.starts_with("shape."))
}

fn on_tick(symbol: Symbol, level: f64) -> f64 {
    symbol.number(symbol.round(level))
}
