//! Drawings that a tool makes: one type each, with its input and its shape.

use agent::ports::ToolExample;
use schemars::JsonSchema;
use serde::{Deserialize, de::DeserializeOwned};

use super::fields::{Amount, Levels, Place, Price, RiskInput};
use crate::{
    Side, Time,
    drawing::{Extent, Fill, MarkerKind, MarkerSize, Shape},
    maths::fibonacci::LEVELS,
};

/// A kind of drawing with the texts of its tool.
pub(super) trait Figure: DeserializeOwned + JsonSchema + Send + Sync + 'static {
    const NAME: &'static str;
    const DESCRIPTION: &'static str;
    const EXAMPLES: &'static [ToolExample];

    fn shape(self) -> Shape<Time>;
}

/// A level across the whole chart.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct HorizontalLine {
    /// Price, such as 1.10500, on the tick, in the digits of its symbol.
    price: Price,
}

impl Figure for HorizontalLine {
    const NAME: &'static str = "draw_horizontal_line";
    const DESCRIPTION: &'static str = "Draws a line at one price across the whole chart: support, resistance, a round number. \
             The result says how often prices touched it and how far away it is: a level that was \
             never touched is a projection, say so or remove it.";
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::new("Draw a line at 1.105."),
        ToolExample::new("Mark the main support of EURUSD."),
    ];

    fn shape(self) -> Shape<Time> {
        Shape::HorizontalLine {
            price: self.price.0,
        }
    }
}

/// A level from a time on.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct HorizontalRay {
    /// Start in UTC, such as 2017-03-10T13:00:00Z, while the market is open.
    start: Time,
    /// Price, such as 1.10500, on the tick, in the digits of its symbol.
    price: Price,
}

impl Figure for HorizontalRay {
    const NAME: &'static str = "draw_horizontal_ray";
    const DESCRIPTION: &'static str = "Draws a line at one price from a time to the right: a level that counts only since \
             something happened, such as the high of a release.";
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::new("Draw a ray from today's high."),
        ToolExample::new("Mark the high of the release from there on."),
    ];

    fn shape(self) -> Shape<Time> {
        Shape::HorizontalRay {
            start: self.start,
            price: self.price.0,
        }
    }
}

/// Levels between two anchors.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Fibonacci {
    /// Start of the swing: 100 %.
    from: Place,
    /// End of the swing: 0 %.
    to: Place,
    levels: Option<Levels>,
    /// Draw the levels on to the right; false if left out.
    #[serde(default)]
    extend: bool,
    /// Swap 0 % and 100 %; false if left out.
    #[serde(default)]
    reverse: bool,
    /// Write the price at each level; true if left out.
    show_prices: Option<bool>,
}

impl Figure for Fibonacci {
    const NAME: &'static str = "draw_fibonacci";
    const DESCRIPTION: &'static str = "Draws fibonacci levels between two anchors: 100 % at the first, 0 % at the second. \
             Anchor it where a swing begins (from) and ends (to), on its real high and low. The \
             result says what prices did at each level.";
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::new("Draw the fibonacci of the last swing."),
        ToolExample::new("Mark the retracements of this rise."),
    ];

    fn shape(self) -> Shape<Time> {
        Shape::Fibonacci {
            from: self.from.into(),
            to: self.to.into(),
            levels: self
                .levels
                .map_or_else(|| LEVELS.to_vec(), |levels| levels.0),
            extend: self.extend,
            reverse: self.reverse,
            show_prices: self.show_prices.unwrap_or(true),
        }
    }
}

/// A line through two points.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Trendline {
    /// The first point.
    from: Place,
    /// The second point.
    to: Place,
    /// segment ends at the points, ray goes on beyond the second, extended goes on both
    /// ways, arrow has a head at the second; segment if left out.
    extent: Option<Extent>,
}

impl Figure for Trendline {
    const NAME: &'static str = "draw_trendline";
    const DESCRIPTION: &'static str = "Draws a line through two points: two lows of a rise, two highs of a fall, an arrow to a \
             target. Put the points on real highs and lows.";
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::new("Draw a trendline through the last two lows."),
        ToolExample::new("Draw an arrow to the target."),
    ];

    fn shape(self) -> Shape<Time> {
        Shape::Trendline {
            from: self.from.into(),
            to: self.to.into(),
            extent: self.extent.unwrap_or(Extent::Segment),
        }
    }
}

/// A box between two corners.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Rectangle {
    /// One corner.
    from: Place,
    /// The corner opposite, at another time and another price.
    to: Place,
    /// light if left out. strong for what matters most, none for a mere frame.
    fill: Option<Fill>,
}

impl Figure for Rectangle {
    const NAME: &'static str = "draw_rectangle";
    const DESCRIPTION: &'static str =
        "Draws a box between two corners: a zone of supply or demand, a range, a session.";
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::new("Mark the range of this week."),
        ToolExample::new("Draw a box around the demand zone."),
    ];

    fn shape(self) -> Shape<Time> {
        Shape::Rectangle {
            from: self.from.into(),
            to: self.to.into(),
            fill: self.fill,
        }
    }
}

/// A circle around a place.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Circle {
    /// The middle.
    centre: Place,
    /// A point on its edge.
    edge: Place,
}

impl Figure for Circle {
    const NAME: &'static str = "draw_circle";
    const DESCRIPTION: &'static str = "Draws a circle around a place on the chart, to point at it.";
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::new("Circle the false break."),
        ToolExample::new("Point at the newest high."),
    ];

    fn shape(self) -> Shape<Time> {
        Shape::Circle {
            centre: self.centre.into(),
            edge: self.edge.into(),
        }
    }
}

/// Fields that both plans of a trade have.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Plan {
    /// Start of the plan in UTC, such as 2017-03-10T13:00:00Z, while the market is open.
    start: Time,
    /// Entry price, on the tick, in the digits of its symbol.
    entry: Price,
    /// Stop price, where the idea is wrong, within 20 % of the entry; on the tick, in the digits of
    /// its symbol.
    stop: Price,
    /// Target price, where to leave with profit, within 20 % of the entry; on the tick, in the
    /// digits of its symbol.
    target: Price,
    /// The balance, in the quote currency, such as 10000. Only if the person has said it: never
    /// make one up. Without it, the size may stay unknown.
    account: Option<Amount>,
    /// Amount lost at the stop, as either percent or money. Only if the person has said it.
    risk: Option<RiskInput>,
    /// Such as 30 for 1:30. Only if the person has said it.
    leverage: Option<Amount>,
    /// Units in a lot; if left out 100000 of a currency pair, and 1 of all else.
    lot: Option<Amount>,
    /// The smallest difference between sizes, in lots; if left out 0.01, of shares and indices
    /// 1.
    lot_step: Option<Amount>,
}

impl Plan {
    fn shape(self, side: Side) -> Shape<Time> {
        let or = |given: Option<Amount>, usual| given.map_or(usual, |amount| amount.0);
        Shape::Position {
            side,
            start: self.start,
            entry: self.entry.0,
            stop: self.stop.0,
            target: self.target.0,
            account: self.account.map(|amount| amount.0),
            risk: self.risk.map(|risk| risk.0),
            leverage: self.leverage.map(|amount| amount.0),
            lot: or(self.lot, 100_000.0),
            lot_step: or(self.lot_step, 0.01),
        }
    }
}

/// The plan of a purchase.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(super) struct LongPosition(Plan);

impl Figure for LongPosition {
    const NAME: &'static str = "draw_long_position";
    const DESCRIPTION: &'static str = "Draws the plan of a purchase: entry, a stop below it and a target above it. The server \
             computes reward to risk and, if account and risk are known, the size and the balance at \
             stop and target; take the figures from the result. It begins as a signal. Once accepted, it \
             follows the price automatically. It places no order.";
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::new("Plan a long from here with 1 % at risk."),
        ToolExample::new("Draw a long position at the support."),
    ];

    fn shape(self) -> Shape<Time> {
        self.0.shape(Side::Long)
    }
}

/// The plan of a sale.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(super) struct ShortPosition(Plan);

impl Figure for ShortPosition {
    const NAME: &'static str = "draw_short_position";
    const DESCRIPTION: &'static str = "Draws the plan of a sale: entry, a stop above it and a target below it. The server \
             computes reward to risk and, if account and risk are known, the size and the balance at \
             stop and target; take the figures from the result. It begins as a signal. Once accepted, it \
             follows the price automatically. It places no order.";
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::new("Plan a short from here with 1 % at risk."),
        ToolExample::new("Draw a short position at the resistance."),
    ];

    fn shape(self) -> Shape<Time> {
        self.0.shape(Side::Short)
    }
}

/// A short text at a place.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Marker {
    /// The place.
    at: Place,
    /// Text of the marker, such as "Nonfarm payrolls".
    #[schemars(length(min = 1, max = 200))]
    text: String,
    /// A short sign before the text; none if left out.
    #[serde(default)]
    #[schemars(length(min = 0, max = 20))]
    icon: String,
    /// Shape of the marker; a dot if left out. Arrows point at the place: up from below, down from
    /// above.
    r#type: Option<MarkerKind>,
    /// medium if left out.
    size: Option<MarkerSize>,
}

impl Figure for Marker {
    const NAME: &'static str = "draw_marker";
    const DESCRIPTION: &'static str =
        "Writes a short text at a place on the chart: a release, a false break, an entry.";
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::new("Mark Nonfarm payrolls on the chart."),
        ToolExample::new("Write \"entry\" at the last low."),
    ];

    fn shape(self) -> Shape<Time> {
        Shape::Marker {
            at: self.at.into(),
            text: self.text,
            icon: self.icon,
            form: self.r#type,
            size: self.size,
        }
    }
}
