//! Prices from a configured source, instead of the simulated ones.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use async_trait::async_trait;
use serde::Deserialize;

use crate::{
    Candle, Points, StoreError, Symbol, Time, Timeframe, price,
    simulate::{Origin, Quote},
    texts,
};

/// Age in seconds from which a price counts as old.
const OLD: i64 = 120;

/// Source of prices: text with an object such as
/// `{"EURUSD": {"bid": 1.08412, "ask": 1.08420, "at": "2026-11-23T10:15:00Z"}}`.
#[async_trait]
pub trait PriceSource: Send + Sync {
    /// The current text.
    ///
    /// # Errors
    /// The reason for a failure, in a few words.
    async fn read(&self) -> Result<String, String>;
}

/// A source's price of a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Told {
    bid: Points,
    ask: Points,
    at: Time,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    bid: f64,
    ask: f64,
    at: Time,
}

fn parse(text: &str, symbol: Symbol) -> Result<Option<Told>, String> {
    let all: HashMap<String, Line> =
        serde_json::from_str(text).map_err(|error| texts::unreadable(&error))?;
    let Some(line) = all.get(symbol.name()) else {
        return Ok(None);
    };
    let points = |name: &str, number: f64| {
        let points = price::points(symbol, number);
        points.map_err(|error| format!("{name} of {symbol}: {error}"))
    };
    let (bid, ask) = (points("bid", line.bid)?, points("ask", line.ask)?);
    if bid.0 > 0 && bid <= ask {
        Ok(Some(Told {
            bid,
            ask,
            at: line.at,
        }))
    } else {
        Err(texts::bid_is_not_below_ask(&symbol))
    }
}

/// A source, and the hours seen from it so far. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Source {
    from: Arc<dyn PriceSource>,
    /// The forming hour of ask prices, since the first request.
    hours: Arc<Mutex<HashMap<Symbol, Candle>>>,
}

impl Source {
    pub(crate) fn new(from: Arc<dyn PriceSource>) -> Self {
        Self {
            from,
            hours: Arc::default(),
        }
    }

    /// The current price; `None` if the source has none for the symbol.
    pub(crate) async fn quote(
        &self,
        symbol: Symbol,
        now: f64,
    ) -> Result<Option<Quote>, StoreError> {
        let told = match self.from.read().await {
            Ok(text) => parse(&text, symbol),
            Err(why) => Err(why),
        };
        let Some(told) = told.map_err(StoreError::Source)? else {
            return Ok(None);
        };
        Ok(Some(Quote {
            symbol,
            time: told.at,
            bid: told.bid,
            ask: told.ask,
            bar: self.hour(symbol, told),
            origin: Origin::Told {
                is_old: now as i64 - told.at.0 > OLD,
            },
        }))
    }

    fn hour(&self, symbol: Symbol, told: Told) -> Candle {
        let seconds = Timeframe::H1.seconds();
        let time = Time(told.at.0 - told.at.0.rem_euclid(seconds));
        let price = told.ask;
        let mut hours = self.hours.lock().unwrap_or_else(PoisonError::into_inner);
        let before = hours.get(&symbol).filter(|hour| hour.time == time);
        let hour = match before {
            Some(hour) => Candle {
                high: hour.high.max(price),
                low: hour.low.min(price),
                close: price,
                ..*hour
            },
            None => Candle {
                time,
                open: price,
                high: price,
                low: price,
                close: price,
                volume: 0,
            },
        };
        hours.insert(symbol, hour);
        hour
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Says(Mutex<Result<String, String>>);

    #[async_trait]
    impl PriceSource for Says {
        async fn read(&self) -> Result<String, String> {
            self.0.lock().unwrap().clone()
        }
    }

    fn line(bid: &str, ask: &str, at: &str) -> String {
        format!(r#"{{"EURUSD":{{"bid":{bid},"ask":{ask},"at":"{at}"}}}}"#)
    }

    #[tokio::test]
    async fn an_hour_forms_from_what_is_told() {
        let says = Arc::new(Says(Mutex::new(Ok(String::new()))));
        let source = Source::new(Arc::clone(&says) as Arc<dyn PriceSource>);
        let now = Time::parse("2026-11-23T10:20:00Z").unwrap().0 as f64;
        let mut quotes = Vec::new();
        for (bid, ask, at) in [
            ("1.08412", "1.0842", "2026-11-23T10:15:00Z"),
            ("1.0846", "1.08475", "2026-11-23T10:16:00Z"),
            ("1.0838", "1.0839", "2026-11-23T10:19:00Z"),
        ] {
            *says.0.lock().unwrap() = Ok(line(bid, ask, at));
            quotes.push(source.quote(Symbol::EurUsd, now).await.unwrap().unwrap());
        }
        let last = quotes.last().unwrap();
        let bar = last.part().bar;
        assert_eq!(
            [bar.open, bar.high, bar.low, bar.close],
            [1.0842, 1.08475, 1.0839, 1.0839]
        );
        assert_eq!(bar.time.to_string(), "2026-11-23T10:00:00Z");
        assert!(!last.is_simulated() && !last.is_old());
        assert!(quotes[0].is_old(), "five minutes");
        assert_eq!(source.quote(Symbol::UsdJpy, now).await.unwrap(), None);
    }

    #[tokio::test]
    async fn what_cannot_be_told_has_a_reason() {
        for (text, why) in [
            (Err("no such file".to_owned()), "no such file"),
            (Ok("{".to_owned()), "cannot be read"),
            (
                Ok(line("1.0842", "1.0841", "2026-11-23T10:15:00Z")),
                "is not between 0 and its ask",
            ),
            (
                Ok(line("1.084123", "1.0843", "2026-11-23T10:15:00Z")),
                "bid of EURUSD",
            ),
            (Ok(line("1.08", "1.09", "yesterday")), "cannot be read"),
        ] {
            let source = Source::new(Arc::new(Says(Mutex::new(text))));
            let error = source.quote(Symbol::EurUsd, 0.0).await.unwrap_err();
            assert!(error.to_string().contains(why), "{error}");
        }
    }
}
