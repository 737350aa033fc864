//! Shapes of drawings, and the constraints on each.

use serde::Serialize;

use super::{Extent, Shape};
use crate::{Points, Symbol, Time, maths::position::Plan, price, session, texts};

/// Reason that a drawing is invalid, with its field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{field}: {reason}")]
pub struct Invalid {
    pub field: String,
    pub reason: String,
}

impl Invalid {
    pub(super) fn new(field: impl Into<String>, reason: impl Into<String>) -> Self {
        Self {
            field: field.into(),
            reason: reason.into(),
        }
    }
}

/// The shape with its prices on the nearest tick, because dragging by hand ends between ticks.
#[must_use]
pub(crate) fn snapped(mut shape: Shape<Time>, symbol: Symbol) -> Shape<Time> {
    let snap = |price: &mut f64| *price = symbol.number(symbol.round(*price));
    match &mut shape {
        Shape::HorizontalLine { price } | Shape::HorizontalRay { price, .. } => snap(price),
        Shape::Trendline { from, to, .. }
        | Shape::Rectangle { from, to, .. }
        | Shape::Fibonacci { from, to, .. } => {
            snap(&mut from.price);
            snap(&mut to.price);
        }
        Shape::Circle { centre, edge } => {
            snap(&mut centre.price);
            snap(&mut edge.price);
        }
        Shape::Position {
            entry,
            stop,
            target,
            ..
        } => {
            snap(entry);
            snap(stop);
            snap(target);
        }
        Shape::Marker { at, .. } => snap(&mut at.price),
    }
    shape
}

/// Returns whether two shapes are the same kind at the same place, by ticks: one would hide the
/// other.
pub(crate) fn is_at(one: &Shape<Time>, other: &Shape<Time>, symbol: Symbol) -> bool {
    one.kind() == other.kind() && place(one, symbol) == place(other, symbol)
}

fn place(shape: &Shape<Time>, symbol: Symbol) -> Vec<(Option<Time>, Points)> {
    // A rectangle is the same whichever pair of opposite corners is given.
    if let Shape::Rectangle { from, to, .. } = shape {
        let (one, other) = (symbol.round(from.price), symbol.round(to.price));
        return vec![
            (Some(from.time.min(to.time)), one.min(other)),
            (Some(from.time.max(to.time)), one.max(other)),
        ];
    }
    let start = shape.start().copied();
    let levels = shape.levels().into_iter();
    let levels = levels.map(|(_, price)| (start, symbol.round(price)));
    let anchors = shape.anchors().into_iter();
    let anchors = anchors.map(|(_, anchor)| (Some(anchor.time), symbol.round(anchor.price)));
    levels.chain(anchors).collect()
}

/// The plan of a position, for an account in the quote currency; `None` for other shapes.
pub(crate) fn plan(shape: &Shape<Time>, symbol: Symbol, spread: Points) -> Option<Plan> {
    let Shape::Position {
        side,
        entry,
        stop,
        target,
        account,
        risk,
        leverage,
        lot,
        lot_step,
        ..
    } = shape
    else {
        return None;
    };
    Some(Plan {
        symbol,
        side: *side,
        entry: symbol.round(*entry),
        stop: symbol.round(*stop),
        target: symbol.round(*target),
        account: *account,
        risk: *risk,
        leverage: *leverage,
        lot: *lot,
        lot_step: *lot_step,
        spread,
        point_value: 1.0,
    })
}

/// Verifies that a shape can be drawn on a chart of the symbol.
///
/// # Errors
/// Names the first invalid field.
pub(super) fn check(shape: &Shape<Time>, symbol: Symbol) -> Result<(), Invalid> {
    let field = |name: &str| format!("shape.{name}");
    for (name, price) in prices(shape) {
        match price::points(symbol, price) {
            Ok(points) if points.0 > 0 => {}
            Ok(_) => {
                return Err(Invalid::new(
                    field(&name),
                    texts::drawings::PRICE_IS_ABOVE_ZERO,
                ));
            }
            Err(error) => return Err(Invalid::new(field(&name), error.to_string())),
        }
    }
    for (name, time) in times(shape) {
        session::check_open(symbol, time)
            .map_err(|closed| Invalid::new(field(&name), closed.to_string()))?;
    }
    match shape {
        Shape::Trendline { from, to, .. } if from == to => Err(Invalid::new(
            field("to"),
            texts::drawings::LINE_OF_ONE_POINT,
        )),
        Shape::Trendline { from, to, extent } if from.time == to.time => match extent {
            Extent::Segment | Extent::Arrow => Ok(()),
            _ => Err(Invalid::new(
                field("to.time"),
                texts::drawings::UPRIGHT_LINE_CANNOT_BE_EXTENDED,
            )),
        },
        Shape::Rectangle { from, to, .. } if from.time == to.time || from.price == to.price => {
            let reason = texts::drawings::CORNERS_MUST_DIFFER_IN_TIME;
            Err(Invalid::new(field("to"), reason))
        }
        Shape::Circle { centre, edge } if centre == edge => {
            Err(Invalid::new(field("edge"), texts::drawings::IT_IS_CENTRE))
        }
        Shape::Fibonacci {
            from, to, levels, ..
        } => {
            let fits = |level: &f64| level.is_finite() && (-10.0..=10.0).contains(level);
            if from.price == to.price {
                Err(Invalid::new(
                    field("to.price"),
                    texts::drawings::PRICE_OF_THE_FIRST_ANCHOR,
                ))
            } else if levels.is_empty() || levels.len() > 20 || !levels.iter().all(fits) {
                let reason = texts::drawings::LEVELS_ARE_OUT_OF_RANGE;
                Err(Invalid::new(field("levels"), reason))
            } else {
                Ok(())
            }
        }
        Shape::Position { .. } => match plan(shape, symbol, Points(0)).map(|plan| plan.check()) {
            Some(Err(bad)) => Err(Invalid::new(field(bad.field), bad.reason)),
            _ => Ok(()),
        },
        Shape::Marker { text, icon, .. } => {
            text_fits("shape.text", text, 200)?;
            text_fits("shape.icon", icon, 20)
        }
        _ => Ok(()),
    }
}

/// All prices, each with the path of its field.
fn prices(shape: &Shape<Time>) -> Vec<(String, f64)> {
    let levels = shape.levels().into_iter();
    let levels = levels.map(|(name, price)| (name.to_owned(), price));
    let anchors = shape.anchors().into_iter();
    let anchors = anchors.map(|(name, anchor)| (format!("{name}.price"), anchor.price));
    levels.chain(anchors).collect()
}

/// All times, each with the path of its field.
fn times(shape: &Shape<Time>) -> Vec<(String, Time)> {
    let start = shape.start().map(|start| ("start".to_owned(), *start));
    let anchors = shape.anchors().into_iter();
    let anchors = anchors.map(|(name, anchor)| (format!("{name}.time"), anchor.time));
    start.into_iter().chain(anchors).collect()
}

/// Verifies that a text has at most `most` characters, none of them a control character.
pub(crate) fn text_fits(field: &str, text: &str, most: usize) -> Result<(), Invalid> {
    if text.chars().count() > most {
        return Err(Invalid::new(field, texts::drawings::is_longer_than(most)));
    }
    if text.chars().any(|sign| sign.is_control() && sign != '\n') {
        Err(Invalid::new(
            field,
            texts::drawings::IT_HAS_CONTROL_CHARACTERS,
        ))
    } else {
        Ok(())
    }
}
