//! Shapes of drawings: where they are on a chart.

use protocol::FromJson;
use serde::{Deserialize, Serialize};

use crate::words::words;

words! {
    /// Direction of a trade.
    Side {
        Long = "long",
        Short = "short",
    }
}

words! {
    /// Extent of a line through two points.
    Extent {
        Segment = "segment",
        Ray = "ray",
        Extended = "extended",
        Arrow = "arrow",
    }
}

words! {
    /// Fill of a box.
    Fill {
        None = "none",
        Light = "light",
        Strong = "strong",
    }
}

words! {
    /// Shape of a marker.
    MarkerKind {
        Dot = "dot",
        ArrowUp = "arrow_up",
        ArrowDown = "arrow_down",
        Cross = "cross",
        Flag = "flag",
        Diamond = "diamond",
    }
}

words! {
    /// Size of a marker.
    MarkerSize {
        Small = "small",
        Medium = "medium",
        Large = "large",
    }
}

/// A point on a chart, independent of the timeframe.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, FromJson)]
#[serde(deny_unknown_fields)]
pub struct Anchor<T = String> {
    pub time: T,
    pub price: f64,
}

/// Amount at risk.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, FromJson)]
#[serde(rename_all = "snake_case")]
pub enum Risk {
    /// Percentage of the account.
    Percent(f64),
    /// Amount in the account's currency.
    Money(f64),
}

/// Shape of a drawing. Prices are numbers on the tick of the symbol.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Shape<T = String> {
    HorizontalLine {
        price: f64,
    },
    HorizontalRay {
        start: T,
        price: f64,
    },
    Trendline {
        from: Anchor<T>,
        to: Anchor<T>,
        extent: Extent,
    },
    Rectangle {
        from: Anchor<T>,
        to: Anchor<T>,
        /// A light one if missing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fill: Option<Fill>,
    },
    Circle {
        centre: Anchor<T>,
        edge: Anchor<T>,
    },
    /// 100 % at the first anchor, 0 % at the second.
    Fibonacci {
        from: Anchor<T>,
        to: Anchor<T>,
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
        start: T,
        entry: f64,
        stop: f64,
        target: f64,
        /// The balance; without it the size may be unknown.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        account: Option<f64>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        risk: Option<Risk>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        leverage: Option<f64>,
        lot: f64,
        lot_step: f64,
    },
    Marker {
        at: Anchor<T>,
        text: String,
        #[serde(default)]
        icon: String,
        /// A dot if missing, unless the sign says which way it points.
        #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
        form: Option<MarkerKind>,
        /// Medium if missing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        size: Option<MarkerSize>,
    },
}

impl Side {
    /// 1 for long, -1 for short.
    pub fn sign(self) -> i64 {
        match self {
            Self::Long => 1,
            Self::Short => -1,
        }
    }
}

/// The names of the kinds of shapes, in the order of [`Shape`].
pub const SHAPE_KINDS: [&str; 8] = [
    "horizontal_line",
    "horizontal_ray",
    "trendline",
    "rectangle",
    "circle",
    "fibonacci",
    "position",
    "marker",
];

impl<T> Shape<T> {
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

    /// Its points, each with the name of its field.
    pub fn anchors(&self) -> Vec<(&'static str, &Anchor<T>)> {
        match self {
            Self::Trendline { from, to, .. }
            | Self::Rectangle { from, to, .. }
            | Self::Fibonacci { from, to, .. } => vec![("from", from), ("to", to)],
            Self::Circle { centre, edge } => vec![("centre", centre), ("edge", edge)],
            Self::Marker { at, .. } => vec![("at", at)],
            Self::HorizontalLine { .. } | Self::HorizontalRay { .. } | Self::Position { .. } => {
                Vec::new()
            }
        }
    }

    /// Its prices that are not those of points, each with the name of its field.
    pub fn levels(&self) -> Vec<(&'static str, f64)> {
        match self {
            Self::HorizontalLine { price } | Self::HorizontalRay { price, .. } => {
                vec![("price", *price)]
            }
            Self::Position {
                entry,
                stop,
                target,
                ..
            } => vec![("entry", *entry), ("stop", *stop), ("target", *target)],
            _ => Vec::new(),
        }
    }

    /// The time from which it is drawn, if that is not one of its points.
    pub fn start(&self) -> Option<&T> {
        match self {
            Self::HorizontalRay { start, .. } | Self::Position { start, .. } => Some(start),
            _ => None,
        }
    }
}
