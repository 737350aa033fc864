//! Candles, and their aggregation to longer timeframes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Points, Symbol, Time, Timeframe, session};

/// The timeframes that a store derives from minutes.
pub const DERIVED: [Timeframe; 4] = [Timeframe::M5, Timeframe::M15, Timeframe::M30, Timeframe::H1];

/// The movement of a price over one period.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Candle {
    /// Opening time.
    pub time: Time,
    pub open: Points,
    pub high: Points,
    pub low: Points,
    pub close: Points,
    /// In whole units of the source.
    pub volume: i64,
}

/// Reason that numbers are not a valid candle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadCandle {
    #[error("a price is not above zero")]
    NotPositive,
    #[error("the high is below another price")]
    High,
    #[error("the low is above another price")]
    Low,
    #[error("the volume is below zero")]
    Volume,
    #[error("it does not open where a candle of its timeframe opens")]
    OffGrid,
}

/// Error for a timeframe shorter than the source's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{into} cannot be made from {from}: candles are only put together, never taken apart")]
pub struct NotDerived {
    pub from: Timeframe,
    pub into: Timeframe,
}

impl Candle {
    /// Verifies that the numbers are a possible movement of a symbol's price.
    ///
    /// # Errors
    /// Names the impossible one.
    pub fn check(&self, symbol: Symbol, frame: Timeframe) -> Result<(), BadCandle> {
        if self.low.0 <= 0 {
            return Err(BadCandle::NotPositive);
        }
        if self.high < self.open.max(self.close) {
            return Err(BadCandle::High);
        }
        if self.low > self.open.min(self.close) || self.low > self.high {
            return Err(BadCandle::Low);
        }
        if self.volume < 0 {
            return Err(BadCandle::Volume);
        }
        if session::open_of(symbol, frame, self.time) != self.time {
            return Err(BadCandle::OffGrid);
        }
        Ok(())
    }

    /// The span from the lowest to the highest price.
    pub fn range(&self) -> Points {
        self.high - self.low
    }

    /// Returns whether the price was reached.
    pub fn holds(&self, price: Points) -> bool {
        self.low <= price && price <= self.high
    }
}

/// Aggregates candles of a symbol, oldest first, to longer ones. The first and the last may be incomplete.
///
/// # Errors
/// The result would need shorter candles than the given ones.
pub fn aggregate(
    symbol: Symbol,
    candles: impl IntoIterator<Item = Candle>,
    from: Timeframe,
    into: Timeframe,
) -> Result<Vec<Candle>, NotDerived> {
    if into < from {
        return Err(NotDerived { from, into });
    }
    let mut out: Vec<Candle> = Vec::new();
    for candle in candles {
        let open = session::open_of(symbol, into, candle.time);
        match out.last_mut() {
            Some(last) if last.time == open => {
                last.high = last.high.max(candle.high);
                last.low = last.low.min(candle.low);
                last.close = candle.close;
                last.volume = last.volume.saturating_add(candle.volume);
            }
            _ => out.push(Candle {
                time: open,
                ..candle
            }),
        }
    }
    Ok(out)
}

/// Combines two series, oldest first; at the same opening time, `first` counts.
pub fn merged(
    first: impl IntoIterator<Item = Candle>,
    second: impl IntoIterator<Item = Candle>,
) -> Vec<Candle> {
    let keyed = |candle: Candle| (candle.time, candle);
    let mut all: BTreeMap<Time, Candle> = second.into_iter().map(keyed).collect();
    all.extend(first.into_iter().map(keyed));
    all.into_values().collect()
}
