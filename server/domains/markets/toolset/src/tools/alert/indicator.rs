//! Values of indicators, each computed once a candle.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use markets_wire::Indicator;

use crate::{
    Live, StoreError, Symbol, Time, Timeframe, bars,
    maths::{
        indicators::{self, PriceSeries},
        numbers::rounded,
    },
    session, texts,
};

/// Real seconds after which candles that were missing are looked for again.
const AGAIN: f64 = 60.0;
/// Least decimals of a value: of one in prices, one more than they have.
const DECIMALS: i32 = 5;
const HOUR: i64 = 3_600;
/// Hours of the longest time between two sessions: those of a week, and a day to spare.
const CLOSED: i64 = 192;

/// A value by what it is computed from.
type IndicatorKey = (Symbol, Indicator, u32, Timeframe);

/// A value, or the reason that it is unknown.
#[derive(Debug, Clone)]
struct KnownIndicator {
    /// Opening time of the candle that was forming.
    open: Time,
    /// Real time.
    at: f64,
    value: Result<f64, String>,
}

/// The indicators that alerts watch. Clones share what is computed.
#[derive(Clone)]
pub(super) struct Indicators {
    live: Live,
    known: Arc<Mutex<HashMap<IndicatorKey, KnownIndicator>>>,
}

impl Indicators {
    pub(super) fn new(live: Live) -> Self {
        Self {
            live,
            known: Arc::default(),
        }
    }

    /// The value at the newest candle that has closed by `now`, or the reason that it is unknown.
    ///
    /// # Errors
    /// The store fails.
    pub(super) async fn value(
        &self,
        key: IndicatorKey,
        now: Time,
    ) -> Result<Result<f64, String>, StoreError> {
        let open = session::open_of(key.0, key.3, now);
        let at = self.live.now();
        if let Some(known) = self.lock().get(&key)
            && known.open == open
            && (known.value.is_ok() || at - known.at < AGAIN)
        {
            return Ok(known.value.clone());
        }
        let value = self.computed(key, open).await?;
        let known = KnownIndicator {
            open,
            at,
            value: value.clone(),
        };
        self.lock().insert(key, known);
        Ok(value)
    }

    async fn computed(
        &self,
        (symbol, indicator, period, frame): IndicatorKey,
        open: Time,
    ) -> Result<Result<f64, String>, StoreError> {
        let count = indicators::candles(period);
        let closed = bars(&self.live, symbol, frame, count, Some(open)).await?;
        // A value of other candles than the newest would be one of another time.
        let newest = closed.last().map(|bar| bar.time);
        if newest != Some(before(symbol, frame, open)) {
            return Ok(Err(texts::alerts::candles_are_missing(&frame, newest)));
        }
        let series = PriceSeries::of(symbol, &closed);
        let value = indicators::value(indicator, &series, period);
        let decimals = DECIMALS.max(symbol.digits().cast_signed() + 1);
        let value = value.map(|value| rounded(value, decimals));
        Ok(value.ok_or_else(|| texts::alerts::too_few_candles(closed.len(), &frame)))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<IndicatorKey, KnownIndicator>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The opening time of the candle before the one that opens then, across times without a session.
fn before(symbol: Symbol, frame: Timeframe, open: Time) -> Time {
    let mut last = open.plus(-1);
    for _ in 0..CLOSED {
        if session::is_open(symbol, last) {
            break;
        }
        last = last.plus(-HOUR);
    }
    session::open_of(symbol, frame, last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_candle_before_is_found_across_weekends() {
        let check = |frame, open: &str, expect: &str| {
            let open = Time::parse(open).unwrap();
            let last = before(Symbol::EurUsd, frame, open);
            assert_eq!(last.to_string(), expect, "{frame}");
        };
        check(
            Timeframe::H1,
            "2018-01-02T10:00:00Z",
            "2018-01-02T09:00:00Z",
        );
        // From Sunday to Friday, in winter and over a change of clocks.
        check(
            Timeframe::H1,
            "2018-01-07T22:00:00Z",
            "2018-01-05T21:00:00Z",
        );
        check(
            Timeframe::H1,
            "2018-03-11T21:00:00Z",
            "2018-03-09T21:00:00Z",
        );
        check(
            Timeframe::D1,
            "2018-01-07T22:00:00Z",
            "2018-01-04T22:00:00Z",
        );
        check(
            Timeframe::W1,
            "2018-01-07T22:00:00Z",
            "2017-12-31T22:00:00Z",
        );
        check(
            Timeframe::MN,
            "2018-01-31T22:00:00Z",
            "2017-12-31T22:00:00Z",
        );
    }
}
