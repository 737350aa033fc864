//! The known prices of a source, in the order in which they came, for readers that look once a second:
//! a level that was touched between two looks was touched.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Mutex, MutexGuard, PoisonError},
};

use crate::{Live, Points, Symbol, Time, simulate::Quote};

/// Prices of a symbol that are kept: more than a minute of the busiest market. With more of them between
/// two looks, the oldest are lost.
const MOST: usize = 4_096;

/// A known price.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PassedPrice {
    pub(crate) time: Time,
    pub(crate) bid: Points,
    pub(crate) ask: Points,
}

impl From<&Quote> for PassedPrice {
    fn from(quote: &Quote) -> Self {
        Self {
            time: quote.time,
            bid: quote.bid,
            ask: quote.ask,
        }
    }
}

/// A place in the order of prices. The default is before the first one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PriceMark(u64);

/// The newest prices of each symbol.
#[derive(Debug, Default)]
pub(crate) struct PassedPrices(Mutex<PriceLog>);

#[derive(Debug, Default)]
struct PriceLog {
    newest: PriceMark,
    /// Each with its place.
    prices: HashMap<Symbol, VecDeque<(PriceMark, PassedPrice)>>,
}

impl PassedPrices {
    /// Takes in a price that is known. Those of a symbol come in their order; the last one, read again,
    /// is no other.
    pub(crate) fn take(&self, quote: &Quote) {
        let price = PassedPrice::from(quote);
        let mut log = self.lock();
        let PriceLog { newest, prices } = &mut *log;
        let prices = prices.entry(quote.symbol).or_default();
        if prices.back().is_some_and(|(_, last)| *last == price) {
            return;
        }
        newest.0 += 1;
        prices.push_back((*newest, price));
        if prices.len() > MOST {
            prices.pop_front();
        }
    }

    /// The place of the newest price.
    fn newest(&self) -> PriceMark {
        self.lock().newest
    }

    /// The prices of a symbol after a mark, oldest first, and the place of the newest one.
    fn after(&self, symbol: Symbol, mark: PriceMark) -> (Vec<PassedPrice>, PriceMark) {
        let log = self.lock();
        let Some(all) = log.prices.get(&symbol) else {
            return (Vec::new(), log.newest);
        };
        let first = all.partition_point(|(at, _)| *at <= mark);
        let prices = all.range(first..).map(|(_, price)| *price);
        (prices.collect(), log.newest)
    }

    fn lock(&self) -> MutexGuard<'_, PriceLog> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Live {
    /// The place of the newest price of a source.
    pub(crate) fn price_mark(&self) -> PriceMark {
        let passed = self.passed();
        passed.map(PassedPrices::newest).unwrap_or_default()
    }

    /// The prices that a reader judges who has judged those up to a mark, oldest first, and its next mark.
    /// If none has passed since, it is the price now, if that is known.
    pub(crate) fn passed_since(
        &self,
        symbol: Symbol,
        mark: PriceMark,
        now: Option<&Quote>,
    ) -> (Vec<PassedPrice>, PriceMark) {
        let (mut prices, mark) = match self.passed() {
            Some(passed) => passed.after(symbol, mark),
            // A simulated price is what each look finds.
            None => (Vec::new(), mark),
        };
        if prices.is_empty() {
            prices.extend(now.map(PassedPrice::from));
        }
        (prices, mark)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Candle, simulate::Origin};

    fn quote(symbol: Symbol, time: i64, ask: i64) -> Quote {
        Quote {
            symbol,
            time: Time(time),
            bid: Points(ask - 1),
            ask: Points(ask),
            bar: Candle {
                time: Time(0),
                open: Points(ask),
                high: Points(ask),
                low: Points(ask),
                close: Points(ask),
                volume: 0,
            },
            origin: Origin::Told,
        }
    }

    #[test]
    fn each_reader_has_what_came_after_its_mark() {
        let prices = PassedPrices::default();
        let asks = |symbol, mark| {
            let (prices, next) = prices.after(symbol, mark);
            let asks: Vec<i64> = prices.iter().map(|price| price.ask.0).collect();
            (asks, next)
        };
        let (eur, yen) = (Symbol::EurUsd, Symbol::UsdJpy);
        let start = prices.newest();
        assert_eq!(asks(eur, start), (vec![], start));
        // The third is the second, read again; a later one with the same numbers is another.
        for (time, ask) in [(1, 10), (1, 12), (1, 12), (2, 12)] {
            prices.take(&quote(eur, time, ask));
        }
        let early = prices.newest();
        prices.take(&quote(yen, 2, 90));
        prices.take(&quote(eur, 3, 9));
        let (all, late) = asks(eur, start);
        assert_eq!(all, [10, 12, 12, 9]);
        assert_eq!(asks(eur, early), (vec![9], late));
        assert_eq!(asks(eur, late), (vec![], late));
        assert_eq!(asks(yen, early).0, [90]);
    }

    #[test]
    fn the_oldest_are_lost_first() {
        let prices = PassedPrices::default();
        let count = MOST as i64 + 3;
        for time in 0..count {
            prices.take(&quote(Symbol::EurUsd, time, 100 + time));
        }
        let (kept, _) = prices.after(Symbol::EurUsd, PriceMark::default());
        assert_eq!(kept.len(), MOST);
        assert_eq!(kept.first().map(|price| price.time), Some(Time(3)));
    }
}
