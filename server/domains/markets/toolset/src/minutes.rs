//! Minutes that form out of the known prices of a source, until they are stored.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Mutex, MutexGuard, PoisonError},
};

use crate::{Candle, Points, Symbol, Time, Timeframe, session};

/// Minutes of a symbol that wait to be stored: a week. With more, the oldest are lost.
const MOST_WAITING: usize = 10_080;

/// The forming minute of each symbol, and those before it that are not stored yet.
#[derive(Debug, Default)]
pub(crate) struct FormingMinutes(Mutex<HashMap<Symbol, BTreeMap<Time, Candle>>>);

impl FormingMinutes {
    /// Takes a price in. Prices of a symbol come in the order of their times. While its market is closed
    /// there are no candles, whatever a source repeats or invents.
    pub(crate) fn take(&self, symbol: Symbol, at: Time, price: Points) {
        if !session::is_open(symbol, at) {
            return;
        }
        let time = session::open_of(symbol, Timeframe::M1, at);
        let mut all = self.lock();
        let minutes = all.entry(symbol).or_default();
        let minute = minutes.entry(time).or_insert(Candle {
            time,
            open: price,
            high: price,
            low: price,
            close: price,
            volume: 0,
        });
        minute.high = minute.high.max(price);
        minute.low = minute.low.min(price);
        minute.close = price;
        if minutes.len() > MOST_WAITING
            && let Some((lost, _)) = minutes.pop_first()
        {
            tracing::warn!(%symbol, minute = %lost, "a minute of prices is lost: it could not be stored");
        }
    }

    /// The minutes of a symbol that are not stored, oldest first, with the forming one.
    pub(crate) fn of(&self, symbol: Symbol) -> Vec<Candle> {
        let all = self.lock();
        let minutes = all.get(&symbol).into_iter().flat_map(BTreeMap::values);
        minutes.copied().collect()
    }

    /// The oldest `most` minutes of a symbol that no further price can change: there is a later one, or a
    /// price of it would be older than `silent` seconds and so not known.
    pub(crate) fn closed(
        &self,
        symbol: Symbol,
        now: Time,
        silent: i64,
        most: usize,
    ) -> Vec<Candle> {
        let minutes = self.of(symbol);
        let newest = minutes.last().map(|minute| minute.time);
        let is_closed = |minute: &Candle| {
            let end = minute.time.plus(Timeframe::M1.seconds());
            Some(minute.time) < newest || now >= end.plus(silent)
        };
        minutes.into_iter().filter(is_closed).take(most).collect()
    }

    /// Forgets minutes that are stored now.
    pub(crate) fn stored(&self, symbol: Symbol, minutes: &[Candle]) {
        let mut all = self.lock();
        if let Some(waiting) = all.get_mut(&symbol) {
            for minute in minutes {
                waiting.remove(&minute.time);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Symbol, BTreeMap<Time, Candle>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minute_is_closed_once_no_price_can_change_it() {
        let minutes = FormingMinutes::default();
        let symbol = Symbol::EurUsd;
        for (at, price) in [(61, 10), (90, 14), (119, 9), (200, 11)] {
            minutes.take(symbol, Time(at), Points(price));
        }
        let candle = |time, [open, high, low, close]: [i64; 4]| Candle {
            time: Time(time),
            open: Points(open),
            high: Points(high),
            low: Points(low),
            close: Points(close),
            volume: 0,
        };
        // Nothing is made up for the minute without prices.
        let (first, last) = (candle(60, [10, 14, 9, 9]), candle(180, [11; 4]));
        assert_eq!(minutes.of(symbol), [first, last]);
        let closed = |now, most| minutes.closed(symbol, Time(now), 10, most);
        assert_eq!(closed(200, 9), [first]);
        assert_eq!(closed(249, 9), [first]);
        assert_eq!(closed(250, 9), [first, last]);
        assert_eq!(closed(250, 1), [first]);
        minutes.stored(symbol, &[first]);
        assert_eq!(minutes.of(symbol), [last]);
        assert!(minutes.of(Symbol::UsdJpy).is_empty());
        // A Saturday.
        minutes.take(symbol, Time(2 * 86_400 + 43_200), Points(12));
        assert_eq!(minutes.of(symbol), [last]);
    }
}
