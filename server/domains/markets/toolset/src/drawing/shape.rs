//! Shapes of drawings, and the constraints on each.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Points, Side, Symbol, Time,
    maths::{
        outcome::Lines,
        position::{Plan, Risk},
    },
    price::points,
    session,
};

/// A point on a chart, independent of the timeframe.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Anchor {
    pub time: Time,
    pub price: f64,
}

/// How far a line through two points goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Extent {
    Segment,
    Ray,
    Extended,
    Arrow,
}

/// Shape of a drawing. Prices are numbers on the tick of the symbol.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Shape {
    HorizontalLine {
        price: f64,
    },
    HorizontalRay {
        start: Time,
        price: f64,
    },
    Trendline {
        from: Anchor,
        to: Anchor,
        extent: Extent,
    },
    Rectangle {
        from: Anchor,
        to: Anchor,
    },
    Circle {
        centre: Anchor,
        edge: Anchor,
    },
    /// 100 % at the first anchor, 0 % at the second.
    Fibonacci {
        from: Anchor,
        to: Anchor,
        levels: Vec<f64>,
        #[serde(default)]
        extend: bool,
        #[serde(default)]
        reverse: bool,
        #[serde(default)]
        show_prices: bool,
    },
    Position {
        side: Side,
        start: Time,
        entry: f64,
        stop: f64,
        target: f64,
        account: f64,
        risk: Risk,
        leverage: f64,
        lot: f64,
        lot_step: f64,
    },
    Marker {
        at: Anchor,
        text: String,
        #[serde(default)]
        icon: String,
    },
}

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

impl Shape {
    /// The name of the kind.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::HorizontalLine { .. } => "horizontal_line",
            Self::HorizontalRay { .. } => "horizontal_ray",
            Self::Trendline { .. } => "trendline",
            Self::Rectangle { .. } => "rectangle",
            Self::Circle { .. } => "circle",
            Self::Fibonacci { .. } => "fibonacci",
            Self::Position { .. } => "position",
            Self::Marker { .. } => "marker",
        }
    }

    fn anchors(&mut self) -> Vec<(&'static str, &mut Anchor)> {
        match self {
            Self::Trendline { from, to, .. }
            | Self::Rectangle { from, to }
            | Self::Fibonacci { from, to, .. } => vec![("from", from), ("to", to)],
            Self::Circle { centre, edge } => vec![("centre", centre), ("edge", edge)],
            Self::Marker { at, .. } => vec![("at", at)],
            Self::HorizontalLine { .. } | Self::HorizontalRay { .. } | Self::Position { .. } => {
                Vec::new()
            }
        }
    }

    /// All prices, each with the name of its field.
    fn prices(&mut self) -> Vec<(String, &mut f64)> {
        match self {
            Self::HorizontalLine { price } | Self::HorizontalRay { price, .. } => {
                vec![("price".to_owned(), price)]
            }
            Self::Position {
                entry,
                stop,
                target,
                ..
            } => vec![
                ("entry".to_owned(), entry),
                ("stop".to_owned(), stop),
                ("target".to_owned(), target),
            ],
            other => other
                .anchors()
                .into_iter()
                .map(|(name, anchor)| (format!("{name}.price"), &mut anchor.price))
                .collect(),
        }
    }

    fn times(&self) -> Vec<(String, Time)> {
        match self {
            Self::HorizontalRay { start, .. } | Self::Position { start, .. } => {
                vec![("start".to_owned(), *start)]
            }
            other => other
                .clone()
                .anchors()
                .into_iter()
                .map(|(name, anchor)| (format!("{name}.time"), anchor.time))
                .collect(),
        }
    }

    /// The shape with its prices on the nearest tick, because dragging by hand ends between ticks.
    #[must_use]
    pub fn snapped(mut self, symbol: Symbol) -> Self {
        for (_, price) in self.prices() {
            *price = symbol.number(symbol.round(*price));
        }
        self
    }

    /// Returns whether another shape is the same kind at the same place, by ticks: one would hide
    /// the other.
    pub fn is_at(&self, other: &Self, symbol: Symbol) -> bool {
        self.kind() == other.kind() && self.place(symbol) == other.place(symbol)
    }

    fn place(&self, symbol: Symbol) -> Vec<(Option<Time>, Points)> {
        let mut shape = self.clone();
        match self {
            Self::HorizontalLine { price } => vec![(None, symbol.round(*price))],
            Self::HorizontalRay { start, price } => vec![(Some(*start), symbol.round(*price))],
            Self::Position { start, .. } => {
                let prices = shape.prices().into_iter();
                let place = prices.map(|(_, price)| (Some(*start), symbol.round(*price)));
                place.collect()
            }
            // A rectangle is the same whichever pair of opposite corners is given.
            Self::Rectangle { from, to } => {
                let (one, other) = (symbol.round(from.price), symbol.round(to.price));
                vec![
                    (Some(from.time.min(to.time)), one.min(other)),
                    (Some(from.time.max(to.time)), one.max(other)),
                ]
            }
            _ => {
                let anchors = shape.anchors().into_iter();
                let place =
                    anchors.map(|(_, anchor)| (Some(anchor.time), symbol.round(anchor.price)));
                place.collect()
            }
        }
    }

    /// The three prices of a position; `None` for other shapes.
    pub fn lines(&self, symbol: Symbol) -> Option<Lines> {
        let Self::Position {
            side,
            entry,
            stop,
            target,
            ..
        } = self
        else {
            return None;
        };
        Some(Lines {
            side: *side,
            entry: symbol.round(*entry),
            stop: symbol.round(*stop),
            target: symbol.round(*target),
        })
    }

    /// The plan of a position, for an account in the quote currency; `None` for other shapes.
    pub fn plan(&self, symbol: Symbol, spread: Points) -> Option<Plan> {
        let lines = self.lines(symbol)?;
        let Self::Position {
            account,
            risk,
            leverage,
            lot,
            lot_step,
            ..
        } = self
        else {
            return None;
        };
        Some(Plan {
            symbol,
            side: lines.side,
            entry: lines.entry,
            stop: lines.stop,
            target: lines.target,
            account: *account,
            risk: *risk,
            leverage: *leverage,
            lot: *lot,
            lot_step: *lot_step,
            spread,
            point_value: 1.0,
        })
    }

    /// Verifies that it can be drawn on a chart of the symbol.
    ///
    /// # Errors
    /// Names the first invalid field.
    pub fn check(&self, symbol: Symbol) -> Result<(), Invalid> {
        let field = |name: &str| format!("shape.{name}");
        for (name, price) in self.clone().prices() {
            match points(symbol, *price) {
                Ok(points) if points.0 > 0 => {}
                Ok(_) => return Err(Invalid::new(field(&name), "a price is above zero")),
                Err(error) => return Err(Invalid::new(field(&name), error.to_string())),
            }
        }
        for (name, time) in self.times() {
            session::check_open(time)
                .map_err(|closed| Invalid::new(field(&name), closed.to_string()))?;
        }
        match self {
            Self::Trendline { from, to, .. } if from == to => Err(Invalid::new(
                field("to"),
                "a line needs two points, and these are one",
            )),
            Self::Trendline { from, to, extent } if from.time == to.time => match extent {
                Extent::Segment | Extent::Arrow => Ok(()),
                _ => Err(Invalid::new(
                    field("to.time"),
                    "a line straight up cannot be extended; it needs two times",
                )),
            },
            Self::Rectangle { from, to } if from.time == to.time || from.price == to.price => {
                let reason = "the corners must differ in time and in price";
                Err(Invalid::new(field("to"), reason))
            }
            Self::Circle { centre, edge } if centre == edge => {
                Err(Invalid::new(field("edge"), "it is the centre"))
            }
            Self::Fibonacci {
                from, to, levels, ..
            } => {
                let fits = |level: &f64| level.is_finite() && (-10.0..=10.0).contains(level);
                if from.price == to.price {
                    Err(Invalid::new(
                        field("to.price"),
                        "it is the price of the first anchor",
                    ))
                } else if levels.is_empty() || levels.len() > 20 || !levels.iter().all(fits) {
                    let reason = "there must be 1 to 20 levels, each between -10 and 10";
                    Err(Invalid::new(field("levels"), reason))
                } else {
                    Ok(())
                }
            }
            Self::Position { .. } => match self.plan(symbol, Points(0)).map(|plan| plan.check()) {
                Some(Err(bad)) => Err(Invalid::new(field(bad.field), bad.reason)),
                _ => Ok(()),
            },
            Self::Marker { text, icon, .. } => {
                text_fits("shape.text", text, 200)?;
                text_fits("shape.icon", icon, 20)
            }
            _ => Ok(()),
        }
    }
}

/// Verifies that a text has at most `most` characters, none of them a control character.
pub(super) fn text_fits(field: &str, text: &str, most: usize) -> Result<(), Invalid> {
    if text.chars().count() > most {
        return Err(Invalid::new(
            field,
            format!("it is longer than {most} characters"),
        ));
    }
    match text.chars().any(|sign| sign.is_control() && sign != '\n') {
        true => Err(Invalid::new(field, "it has control characters")),
        false => Ok(()),
    }
}
