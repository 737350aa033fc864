//! Drawings in words, for call summaries and cards.

use crate::{
    Side, Time,
    drawing::{Drawing, Extent, Shape},
    texts,
};

/// The word for a shape.
pub(super) fn kind(shape: &Shape<Time>) -> &'static str {
    match shape {
        Shape::HorizontalLine { .. } => "horizontal line",
        Shape::HorizontalRay { .. } => "horizontal ray",
        Shape::Trendline {
            extent: Extent::Arrow,
            ..
        } => "arrow",
        Shape::Trendline { .. } => "trendline",
        Shape::Rectangle { .. } => "rectangle",
        Shape::Circle { .. } => "circle",
        Shape::Fibonacci { .. } => "fibonacci",
        Shape::Position {
            side: Side::Long, ..
        } => "long position",
        Shape::Position { .. } => "short position",
        Shape::Marker { .. } => "marker",
    }
}

/// The place in words, such as `at 1.10500`.
fn place(drawing: &Drawing) -> String {
    let show = |price: f64| drawing.symbol.show(drawing.symbol.round(price));
    match &drawing.content.shape {
        Shape::HorizontalLine { price } | Shape::HorizontalRay { price, .. } => {
            format!("at {}", show(*price))
        }
        Shape::Trendline { from, to, .. }
        | Shape::Rectangle { from, to, .. }
        | Shape::Fibonacci { from, to, .. } => {
            format!("from {} to {}", show(from.price), show(to.price))
        }
        Shape::Circle { centre, .. } => format!("around {}", show(centre.price)),
        Shape::Position {
            entry,
            stop,
            target,
            ..
        } => format!(
            "entry {}, stop {}, target {}",
            show(*entry),
            show(*stop),
            show(*target)
        ),
        Shape::Marker { at, .. } => format!("at {}", show(at.price)),
    }
}

/// A name such as `horizontal line “June low” on EURUSD`, or without a label `horizontal line on
/// EURUSD at 1.10500`.
pub(super) fn named(drawing: &Drawing) -> String {
    let (kind, symbol) = (kind(&drawing.content.shape), drawing.symbol);
    match drawing.content.label.as_str() {
        "" => format!("{kind} on {symbol} {}", place(drawing)),
        label => format!("{kind} {} on {symbol}", texts::drawings::quoted(label)),
    }
}

/// A phrase such as `a horizontal line on EURUSD at 1.10500`.
pub(super) fn a(drawing: &Drawing) -> String {
    let kind = kind(&drawing.content.shape);
    let article = if kind.starts_with('a') { "an" } else { "a" };
    format!("{article} {kind} on {} {}", drawing.symbol, place(drawing))
}

/// A phrase such as `the horizontal line on EURUSD at 1.10500`.
pub(crate) fn the(drawing: &Drawing) -> String {
    let kind = kind(&drawing.content.shape);
    format!("the {kind} on {} {}", drawing.symbol, place(drawing))
}
