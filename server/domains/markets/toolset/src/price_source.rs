//! Prices from a configured source, instead of the simulated ones.
//!
//! A source may die, hang, fall silent, go back in time or say what cannot be. Then the price is
//! unknown, with the reason and the last one that was known: an old price never looks like a new
//! one.

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::{
    Candle, Points, StoreError, Symbol, Time, Timeframe,
    minutes::FormingMinutes,
    passed_prices::PassedPrices,
    price, session,
    simulate::{Origin, Quote},
    texts,
};

/// The usual age in seconds from which a price counts as unknown. With a second until it is passed, the
/// time limit of an answer and the pace of the board, a page shows it within ten.
pub const SILENT_SECONDS: u32 = 6;
/// Time limit of one answer.
const PATIENCE: Duration = Duration::from_secs(2);
/// Seconds by which a source's clock may be ahead.
const AHEAD: i64 = 5;
/// Move from one price to the next, in percent, from which a second price has to confirm it.
const JUMP: i64 = 3;
/// Distance of that second price from the first one, in percent.
const CONFIRMED: i64 = 1;

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

/// No source: prices are unknown rather than simulated.
#[derive(Debug, Clone, Copy)]
pub struct NoPrices;

#[async_trait]
impl PriceSource for NoPrices {
    async fn read(&self) -> Result<String, String> {
        Err(texts::NO_SOURCE_OF_PRICES.to_owned())
    }
}

/// A source's price of a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Told {
    bid: Points,
    ask: Points,
    at: Time,
}

/// A price that is not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownPrice {
    pub symbol: Symbol,
    /// A phrase that stays the same while the reason does.
    pub reason: String,
    /// The last known bid and ask, with their time and age in seconds.
    pub last: Option<(Points, Points, Time, i64)>,
}

impl fmt::Display for UnknownPrice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)?;
        match self.last {
            Some((bid, ask, at, age)) => {
                let (bid, ask) = (self.symbol.show(bid), self.symbol.show(ask));
                f.write_str(&texts::last_known(&bid, &ask, &at, age))
            }
            None => Ok(()),
        }
    }
}

/// A symbol in the text of a source.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Line {
    bid: f64,
    ask: f64,
    at: Time,
}

impl Line {
    /// Verifies that the numbers can be a price of the symbol.
    ///
    /// # Errors
    /// Says what cannot be.
    pub(crate) fn check(&self, symbol: Symbol) -> Result<(), String> {
        self.told(symbol).map(drop)
    }

    fn told(&self, symbol: Symbol) -> Result<Told, String> {
        let points = |name: &str, number: f64| {
            let points = price::points(symbol, number);
            points.map_err(|error| format!("{name} of {symbol}: {error}"))
        };
        let (bid, ask) = (points("bid", self.bid)?, points("ask", self.ask)?);
        if bid.0 > 0 && bid <= ask {
            Ok(Told {
                bid,
                ask,
                at: self.at,
            })
        } else {
            Err(texts::bid_is_not_below_ask(&symbol))
        }
    }
}

fn parse(text: &str, symbol: Symbol) -> Result<Option<Told>, String> {
    let all: HashMap<String, Line> =
        serde_json::from_str(text).map_err(|error| texts::unreadable(&error))?;
    let line = all.get(symbol.name());
    line.map(|line| line.told(symbol)).transpose()
}

/// A source, and what it has said so far. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Source {
    from: Arc<dyn PriceSource>,
    /// Age in seconds from which a price counts as unknown.
    silent: i64,
    heard: Arc<Mutex<HashMap<Symbol, HeardPrice>>>,
    minutes: Arc<FormingMinutes>,
    pub(crate) passed: Arc<PassedPrices>,
}

/// Latest news of a symbol.
#[derive(Debug, Clone, Copy)]
struct HeardPrice {
    last: Told,
    /// The forming hour of ask prices.
    hour: Candle,
    /// True once the hour has what was stored of it before the first request.
    is_whole: bool,
    /// A price far from the last one, which the next has to confirm.
    doubtful: Option<Told>,
}

/// The reason why a price is not known, with what was heard before.
struct RefusedPrice {
    reason: String,
    kept: Option<Box<HeardPrice>>,
}

impl RefusedPrice {
    fn new(reason: String, kept: Option<HeardPrice>) -> Self {
        Self {
            reason,
            kept: kept.map(Box::new),
        }
    }
}

impl Source {
    pub(crate) fn new(from: Arc<dyn PriceSource>, silent: u32) -> Self {
        Self {
            from,
            silent: silent.into(),
            heard: Arc::default(),
            minutes: Arc::default(),
            passed: Arc::default(),
        }
    }

    /// The minutes of a symbol that are not stored, oldest first, with the forming one.
    pub(crate) fn minutes(&self, symbol: Symbol) -> Vec<Candle> {
        self.minutes.of(symbol)
    }

    /// Those of them that no further price can change, at most so many.
    pub(crate) fn closed(&self, symbol: Symbol, now: f64, most: usize) -> Vec<Candle> {
        let now = Time(now as i64);
        self.minutes.closed(symbol, now, self.silent, most)
    }

    /// Forgets minutes that are stored now.
    pub(crate) fn stored(&self, symbol: Symbol, minutes: &[Candle]) {
        self.minutes.stored(symbol, minutes);
    }

    /// The forming hour of a symbol that may lack what was before the first request.
    pub(crate) fn partial_hour(&self, symbol: Symbol) -> Option<Time> {
        let heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        let heard = heard.get(&symbol).filter(|heard| !heard.is_whole);
        heard.map(|heard| heard.hour.time)
    }

    /// Completes a forming hour with what is stored of it. Returns the hour.
    pub(crate) fn complete(&self, symbol: Symbol, stored: Option<Candle>) -> Option<Candle> {
        let mut all = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        let heard = all.get_mut(&symbol)?;
        let stored = stored.filter(|stored| !heard.is_whole && stored.time == heard.hour.time);
        if let Some(stored) = stored {
            heard.hour = Candle {
                high: stored.high.max(heard.hour.high),
                low: stored.low.min(heard.hour.low),
                close: heard.hour.close,
                ..stored
            };
        }
        heard.is_whole = true;
        Some(heard.hour)
    }

    /// The time of the last known price.
    fn known(&self, symbol: Symbol) -> Option<Time> {
        let heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        heard.get(&symbol).map(|heard| heard.last.at)
    }

    /// The current price; `None` if the source has never had one for the symbol.
    ///
    /// # Errors
    /// The price is unknown: the source fails, is silent, or what it says cannot be.
    pub(crate) async fn quote(
        &self,
        symbol: Symbol,
        now: impl Fn() -> f64 + Send,
    ) -> Result<Option<Quote>, StoreError> {
        let known = self.known(symbol);
        let said = match tokio::time::timeout(PATIENCE, self.from.read()).await {
            Ok(Ok(text)) => parse(&text, symbol),
            Ok(Err(why)) => Err(why),
            Err(_elapsed) => Err(texts::source_does_not_answer(PATIENCE.as_secs())),
        };
        // After the answer, which may have taken a while.
        let now = now() as i64;
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        let before = heard.get(&symbol).copied();
        // What another reading has heard meanwhile, if it was newer than this one.
        let overtaken = |told: &Told| {
            before.filter(|heard| {
                let last = heard.last.at;
                Some(last) > known && Some(told.at) >= known && told.at < last
            })
        };
        let next = match said {
            Ok(Some(told)) => match overtaken(&told) {
                Some(heard) => Ok(heard),
                None => weigh(before, told, symbol, now),
            },
            Ok(None) if before.is_none() => return Ok(None),
            Ok(None) => Err(RefusedPrice::new(
                texts::source_has_no_price(&symbol),
                before,
            )),
            Err(why) => Err(RefusedPrice::new(why, before)),
        };
        let unknown = |reason: String, heard: Option<HeardPrice>| {
            let last = heard.map(|HeardPrice { last, .. }| {
                let age = (now - last.at.0).max(0);
                (last.bid, last.ask, last.at, age)
            });
            Err(StoreError::Source(Box::new(UnknownPrice {
                symbol,
                reason,
                last,
            })))
        };
        match next {
            Ok(next) => {
                heard.insert(symbol, next);
                if now - next.last.at.0 > self.silent {
                    let reason = if session::is_open(symbol, Time(now)) {
                        texts::source_is_silent(&next.last.at)
                    } else {
                        texts::market_is_closed(&next.last.at)
                    };
                    return unknown(reason, Some(next));
                }
                self.minutes.take(symbol, next.last.at, next.last.ask);
                let quote = Quote {
                    symbol,
                    time: next.last.at,
                    bid: next.last.bid,
                    ask: next.last.ask,
                    bar: next.hour,
                    origin: Origin::Told,
                };
                self.passed.take(&quote);
                Ok(Some(quote))
            }
            Err(RefusedPrice { reason, kept }) => {
                let kept = kept.map(|kept| *kept);
                if let Some(kept) = kept {
                    heard.insert(symbol, kept);
                }
                unknown(reason, kept)
            }
        }
    }
}

/// Takes a price in, or gives the reason why it cannot be, with what is kept.
fn weigh(
    before: Option<HeardPrice>,
    told: Told,
    symbol: Symbol,
    now: i64,
) -> Result<HeardPrice, RefusedPrice> {
    if told.at.0 - now > AHEAD {
        return Err(RefusedPrice::new(texts::source_is_ahead(&told.at), before));
    }
    let Some(heard) = before else {
        return Ok(HeardPrice {
            last: told,
            hour: hour(None, told),
            is_whole: false,
            doubtful: None,
        });
    };
    if told.at < heard.last.at {
        let reason = texts::source_goes_back(&heard.last.at, &told.at);
        return Err(RefusedPrice::new(reason, before));
    }
    let is_confirmed = heard
        .doubtful
        .is_some_and(|first| first.at < told.at && !is_far(first.ask, told.ask, CONFIRMED));
    if is_far(heard.last.ask, told.ask, JUMP) && !is_confirmed {
        let reason = texts::price_jumped(&symbol.show(heard.last.ask), &symbol.show(told.ask));
        // The first of the doubtful ones stays, or else a reading of the same price would confirm it.
        let first = heard
            .doubtful
            .filter(|first| !is_far(first.ask, told.ask, CONFIRMED));
        let kept = HeardPrice {
            doubtful: first.or(Some(told)),
            ..heard
        };
        return Err(RefusedPrice::new(reason, Some(kept)));
    }
    Ok(HeardPrice {
        last: told,
        hour: hour(Some(heard.hour), told),
        is_whole: heard.is_whole,
        doubtful: None,
    })
}

/// Returns whether two prices are more than some percent of the first apart.
fn is_far(one: Points, other: Points, percent: i64) -> bool {
    (one - other).0.abs() * 100 > one.0 * percent
}

fn hour(before: Option<Candle>, told: Told) -> Candle {
    let seconds = Timeframe::H1.seconds();
    let time = Time(told.at.0 - told.at.0.rem_euclid(seconds));
    let price = told.ask;
    match before.filter(|hour| hour.time == time) {
        Some(hour) => Candle {
            high: hour.high.max(price),
            low: hour.low.min(price),
            close: price,
            ..hour
        },
        None => Candle {
            time,
            open: price,
            high: price,
            low: price,
            close: price,
            volume: 0,
        },
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
        let source = Source::new(Arc::clone(&says) as Arc<dyn PriceSource>, 10);
        let mut quotes = Vec::new();
        for (bid, ask, at) in [
            ("1.08412", "1.0842", "2026-11-23T10:15:00Z"),
            ("1.0846", "1.08475", "2026-11-23T10:16:00Z"),
            ("1.0838", "1.0839", "2026-11-23T10:19:00Z"),
        ] {
            *says.0.lock().unwrap() = Ok(line(bid, ask, at));
            let now = Time::parse(at).unwrap().0 as f64;
            quotes.push(source.quote(Symbol::EurUsd, || now).await.unwrap().unwrap());
        }
        let last = quotes.last().unwrap();
        let bar = last.part().bar;
        assert_eq!(
            [bar.open, bar.high, bar.low, bar.close],
            [1.0842, 1.08475, 1.0839, 1.0839]
        );
        assert_eq!(bar.time.to_string(), "2026-11-23T10:00:00Z");
        assert!(!last.is_simulated());
        assert_eq!(source.quote(Symbol::UsdJpy, || 0.0).await.unwrap(), None);
    }

    /// A source that dies, falls silent, lies, goes back in time and jumps; the clock is a number.
    #[tokio::test]
    async fn what_a_source_does_wrong_is_unknown() {
        let says = Arc::new(Says(Mutex::new(Ok(String::new()))));
        let source = Source::new(Arc::clone(&says) as Arc<dyn PriceSource>, 10);
        let start = Time::parse("2026-11-23T10:15:00Z").unwrap().0;
        let ask = async |text: Result<String, String>, seconds: i64| {
            *says.0.lock().unwrap() = text;
            let now = (start + seconds) as f64;
            let quote = source.quote(Symbol::EurUsd, || now).await;
            match quote {
                Ok(quote) => Ok(quote.unwrap().ask.0),
                Err(StoreError::Source(unknown)) => Err(unknown),
                Err(other) => panic!("{other}"),
            }
        };
        let at = |price: &str, time: &str| Ok(line(price, price, &format!("2026-11-23T{time}Z")));
        let first = at("1.08", "10:15:00");
        assert_eq!(ask(first.clone(), 0).await, Ok(108_000));
        assert_eq!(ask(first.clone(), 10).await, Ok(108_000));
        let silent = ask(first.clone(), 11).await.unwrap_err();
        assert_eq!(
            silent.to_string(),
            "the source has told nothing new since 2026-11-23T10:15:00Z; the last known price was \
             1.08000 / 1.08000 at 2026-11-23T10:15:00Z, 11 s ago"
        );
        let dead = ask(Err("no such file".to_owned()), 3).await.unwrap_err();
        assert_eq!(
            (&dead.reason[..], dead.last.unwrap().3),
            ("no such file", 3)
        );
        let gone = ask(Ok("{}".to_owned()), 3).await.unwrap_err();
        assert_eq!(gone.reason, "the source no longer has a price of EURUSD");
        for (text, reason) in [
            (at("1.08", "10:16:00"), "in the future"),
            (at("1.08", "10:14:59"), "back in time"),
            (at("1.2", "10:15:05"), "jumped from 1.08000 to 1.20000"),
            // The same again is no confirmation, and neither is another jump.
            (at("1.2", "10:15:05"), "jumped from 1.08000 to 1.20000"),
            (at("1.4", "10:15:06"), "jumped from 1.08000 to 1.40000"),
        ] {
            let unknown = ask(text, 6).await.unwrap_err();
            assert!(unknown.reason.contains(reason), "{unknown}");
            assert_eq!(unknown.last.unwrap().0.0, 108_000);
        }
        assert_eq!(ask(at("1.401", "10:15:08"), 8).await, Ok(140_100));
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
            (
                Ok(line("1.08", "1.09", "1969-12-30T00:00:00Z")),
                "cannot be read",
            ),
        ] {
            let source = Source::new(Arc::new(Says(Mutex::new(text))), 10);
            let error = source.quote(Symbol::EurUsd, || 0.0).await.unwrap_err();
            assert!(error.to_string().contains(why), "{error}");
        }
    }
}
