//! The value that an alert watches, and its level, as they are now.

use markets_wire::{AlertRecord, AlertSubject, DrawingLevel};

use super::{Reading, indicator::Indicators};
use crate::{
    StoreError, Symbol, Time,
    check::Line,
    drawing::{Drawing, DrawingReader, Shape},
    simulate::Quote,
    texts,
    tools::{ToolProblem, draw::ChartDrawings},
};

/// The result of a look at a value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum AlertLook {
    Known(Reading),
    /// For this reason.
    Unknown(String),
    /// The drawing is not there any more.
    Lost,
}

/// Looks at what an alert watches. The price is the asked one, as on the chart.
///
/// # Errors
/// The store fails.
pub(super) async fn look(
    charts: &ChartDrawings,
    indicators: &Indicators,
    alert: &AlertRecord<Time>,
    quote: &Quote,
) -> Result<AlertLook, StoreError> {
    let symbol = alert.symbol;
    let reading = |value, level, drawing| {
        AlertLook::Known(Reading {
            time: quote.time,
            value,
            level,
            drawing,
        })
    };
    let price = symbol.number(quote.ask);
    match &alert.subject {
        AlertSubject::Price { level } => Ok(reading(price, on_tick(symbol, *level), None)),
        AlertSubject::Drawing { drawing, part } => {
            let drawing = match charts.drawing(DrawingReader::Anybody, drawing).await {
                Ok(drawing) if !drawing.removed => drawing,
                Ok(_) | Err(ToolProblem::Missing(_)) => return Ok(AlertLook::Lost),
                Err(ToolProblem::Store(error)) => return Err(error),
                Err(other) => return Ok(AlertLook::Unknown(other.to_string())),
            };
            Ok(match level_of(&drawing, *part, quote.time) {
                Ok(level) => reading(price, level, Some(drawing.version)),
                Err(why) => AlertLook::Unknown(why),
            })
        }
        AlertSubject::Indicator {
            indicator,
            period,
            timeframe,
            level,
        } => {
            let key = (symbol, *indicator, *period, *timeframe);
            Ok(match indicators.value(key, quote.time).await? {
                Ok(value) => reading(value, *level, None),
                Err(why) => AlertLook::Unknown(why),
            })
        }
    }
}

/// The price of a line at a time, on the tick, or that of a part; the reason if it has none then. The
/// edges of a rectangle count also after its end.
pub(super) fn level_of(
    drawing: &Drawing,
    part: Option<DrawingLevel>,
    at: Time,
) -> Result<f64, String> {
    let shape = &drawing.content.shape;
    let level = match (shape, part) {
        (Shape::HorizontalLine { price }, None) => Some(*price),
        (Shape::HorizontalRay { start, price }, None) => (*start <= at).then_some(*price),
        (Shape::Trendline { from, to, extent }, None) => Line::new(*from, *to, *extent).at_time(at),
        (Shape::Rectangle { from, to, .. }, Some(DrawingLevel::Top)) => {
            Some(from.price.max(to.price))
        }
        (Shape::Rectangle { from, to, .. }, Some(DrawingLevel::Bottom)) => {
            Some(from.price.min(to.price))
        }
        (Shape::Position { entry, .. }, Some(DrawingLevel::Entry)) => Some(*entry),
        (Shape::Position { stop, .. }, Some(DrawingLevel::Stop)) => Some(*stop),
        (Shape::Position { target, .. }, Some(DrawingLevel::Target)) => Some(*target),
        _ => return Err(texts::alerts::has_no_such_level(DrawingLevel::of(shape))),
    };
    let level = level.ok_or_else(|| texts::alerts::line_is_not_there(&at))?;
    Ok(on_tick(drawing.symbol, level))
}

fn on_tick(symbol: Symbol, level: f64) -> f64 {
    symbol.number(symbol.round(level))
}
