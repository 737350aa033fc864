//! An alert as a record: what it watches, and what has become of it.

use protocol::FromJson;
use serde::{Deserialize, Serialize};

use crate::{Actor, Shape, Symbol, Timeframe, words::words};

words! {
    /// The way through a level.
    #[derive(Default)]
    Crossing {
        Up = "up",
        Down = "down",
        #[default]
        Either = "either",
    }
}

words! {
    /// A line of an indicator of closed candles, of those that people choose on the chart.
    Indicator {
        Rsi = "rsi",
        Sma = "sma",
        Ema = "ema",
        BollUpper = "boll_upper",
        BollLower = "boll_lower",
        Macd = "macd",
        MacdSignal = "macd_signal",
        MacdHistogram = "macd_histogram",
        Atr = "atr",
        Volume = "volume",
    }
}

words! {
    /// A level of a drawing that has several: the edges of a rectangle, the prices of a position.
    DrawingLevel {
        Top = "top",
        Bottom = "bottom",
        Entry = "entry",
        Stop = "stop",
        Target = "target",
    }
}

impl DrawingLevel {
    /// The levels of a shape from which an alert needs one; none of any other shape. Those of a Fibonacci
    /// are numbers.
    pub fn of<T>(shape: &Shape<T>) -> &'static [Self] {
        match shape {
            Shape::Rectangle { .. } => &[Self::Top, Self::Bottom],
            Shape::Position { .. } => &[Self::Entry, Self::Stop, Self::Target],
            _ => &[],
        }
    }
}

words! {
    /// State of an alert.
    AlertState {
        Waiting = "waiting",
        // It rests, unless it repeats.
        Fired = "fired",
        Withdrawn = "withdrawn",
        // The drawing that it watched was removed.
        Lost = "lost",
    }
}

words! {
    /// Side on which a value was seen last.
    LevelSide {
        Below = "below",
        At = "at",
        Above = "above",
    }
}

/// Subject of an alert. A price is an asked one, on the tick of the symbol.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum AlertSubject {
    /// The price, at a level.
    Price { level: f64 },
    /// The price, at a line on the chart, wherever that is moved.
    Drawing {
        drawing: String,
        /// The level of a drawing that has several.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        part: Option<DrawingLevel>,
        /// The level of a Fibonacci, one of those that it has: 0.618 is 61.8 %.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ratio: Option<f64>,
    },
    /// An indicator, at a level of its own.
    Indicator {
        indicator: Indicator,
        /// Number of candles.
        period: u32,
        timeframe: Timeframe,
        level: f64,
    },
}

/// One crossing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct Firing<T = String> {
    /// The market's time.
    pub time: T,
    /// The price, or the value of the indicator.
    pub value: f64,
    /// The level then.
    pub level: f64,
    /// Up or down.
    pub way: Crossing,
    /// True if nobody knows when it was crossed: the value before was unknown for a while.
    pub after_gap: bool,
}

/// An alert.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct AlertRecord<T = String> {
    pub id: String,
    pub symbol: Symbol,
    pub subject: AlertSubject,
    pub crossing: Crossing,
    pub note: String,
    /// False if it rests after it has fired.
    pub repeats: bool,
    pub actor: Actor,
    /// Name of the person who set it, or for whom the assistant did; as it was then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
    /// The tool call that made it.
    pub call: String,
    /// The conversation in which it was made.
    pub conversation: Option<String>,
    pub created_at: T,
    /// Increases by one with each change.
    pub version: u64,
    pub state: AlertState,
    /// Start of the current state, or of the newest firing.
    pub since: T,
    /// None before the first known value.
    pub side: Option<LevelSide>,
    /// Version of the drawing of which that is the side.
    pub drawing_version: Option<u64>,
    /// The number of times that it has fired.
    pub fired: u64,
    /// The newest firing.
    pub last: Option<Firing<T>>,
    /// The call that withdrew it.
    pub withdrawn_by: Option<String>,
}

/// Key `alert/ID` of the board: the record, with what a page says about it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct AlertPart<T = String> {
    #[serde(flatten)]
    pub alert: AlertRecord<T>,
    /// The condition in words, such as `the price goes above 1.09000`.
    pub condition: String,
    /// The reason that it cannot be judged now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown: Option<String>,
    /// The value of the newest firing, as people read it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

/// The fields of an [`AlertPart`] that a page reads: its texts say the rest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct AlertLine {
    pub id: String,
    pub symbol: Symbol,
    pub note: String,
    pub repeats: bool,
    pub actor: Actor,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
    pub state: AlertState,
    pub since: String,
    pub fired: u64,
    pub last: Option<FiringLine>,
    pub condition: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

/// The fields of a [`Firing`] that a page reads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct FiringLine {
    pub time: String,
    pub after_gap: bool,
}
