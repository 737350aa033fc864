//! The parts of the board: drawings with their check, and prices.

use protocol::{FromJson, JsonReader};
use serde::{Deserialize, Serialize};

use crate::{CandleRow, Drawing, Symbol, words::words};

/// Key `drawing/ID`: the record, with its check against the chart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct DrawingPart<T = String> {
    #[serde(flatten)]
    pub drawing: Drawing<T>,
    /// None without candles.
    pub check: Option<Check<T>>,
    /// The figures of a position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub figures: Option<Figures>,
}

/// Check of a drawing against the chart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct Check<T = String> {
    /// The checked part, such as `the price 1.10500`.
    pub of: String,
    /// Number of times that prices came near; neighbouring bars are one.
    pub touches: u64,
    pub last_touch: Option<T>,
    /// From the last price to it; above zero if it is higher.
    pub distance_pips: f64,
    /// True if prices were never there.
    pub prospective: bool,
    /// Number of hourly bars checked.
    pub bars: u64,
    /// The levels of a fibonacci.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<LevelSeen<T>>,
}

/// Check of one level of a fibonacci.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct LevelSeen<T = String> {
    /// Ratio: 0.618 is 61.8 %.
    pub level: f64,
    pub price: f64,
    pub touches: u64,
    pub last_touch: Option<T>,
    pub distance_pips: f64,
}

words! {
    /// Limit that determines the size of a position.
    Bound {
        Risk = "risk",
        Leverage = "leverage",
    }
}

/// Computed figures of a position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct Figures {
    pub reward_to_risk: f64,
    pub reward_pips: f64,
    pub risk_pips: f64,
    /// `None` without a risk, or with one in percent of an unknown account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lots: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound_by: Option<Bound>,
    /// In the quote currency, like the next; `None` if the size or the account is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub balance_at_target: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub balance_at_stop: Option<f64>,
    /// The reason that a figure is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown: Option<String>,
    /// Set if the size is zero.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
}

/// Key `price/SYMBOL`: the current price, or the reason why there is none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PricePart<T = String> {
    Known(Quoted<T>),
    Unknown {
        symbol: Symbol,
        unknown: String,
        /// The last price that was known.
        #[serde(skip_serializing_if = "Option::is_none")]
        last: Option<LastPrice<T>>,
    },
}

/// A price that was known once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct LastPrice<T = String> {
    pub bid: f64,
    pub ask: f64,
    pub at: T,
    pub age_s: i64,
}

impl<T: FromJson> FromJson for PricePart<T> {
    fn read_json(json: &mut JsonReader) -> Self {
        if json.has("unknown") {
            Self::Unknown {
                symbol: json.take("symbol"),
                unknown: json.take("unknown"),
                last: if json.has("last") {
                    json.take("last")
                } else {
                    None
                },
            }
        } else {
            Self::Known(Quoted::read_json(json))
        }
    }
}

/// A current price.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct Quoted<T = String> {
    pub symbol: Symbol,
    pub bid: f64,
    pub ask: f64,
    pub spread_pips: f64,
    pub at: T,
    /// True if it is no market price.
    pub simulated: bool,
    /// Its source, in a sentence.
    pub why: String,
    /// The forming hour.
    pub bar: HourPart<T>,
    /// The newest minutes of a source, the last of them forming, the one before it as it has closed. None are
    /// simulated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub minutes: Vec<CandleRow>,
}

/// An hour of ask prices.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct HourPart<T = String> {
    /// Opening time.
    pub time: T,
    pub open: f64,
    pub high: f64,
    pub low: f64,
    pub close: f64,
    pub volume: i64,
}
