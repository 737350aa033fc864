//! Prices that a program sends, honest and hostile.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use markets::{CandleStore, Live, Markets, PriceSource, PushedPrices, StoreError, Symbol, Time};
use markets_testkit::{MemoryAlerts, MemoryCandles, MemoryDrawings, MemoryRecords};
use serde_json::{Value, json};
use testkit::FixedEnv;

use crate::desk::{data, model};

/// Charts on pushed prices, and the seconds of their clock.
struct PushedMarket {
    pushed: Arc<PushedPrices>,
    live: Live,
    markets: Markets,
    now: Arc<AtomicI64>,
}

impl PushedMarket {
    fn new(now: &str) -> Self {
        let now = Arc::new(AtomicI64::new(Time::parse(now).unwrap().0));
        let pushed = Arc::new(PushedPrices::default());
        let clock = Arc::clone(&now);
        let live = Live::told(
            Arc::new(MemoryCandles::default()) as Arc<dyn CandleStore>,
            Arc::new(move || clock.load(Ordering::Relaxed) as f64),
            Arc::clone(&pushed) as Arc<dyn PriceSource>,
            10,
        );
        let markets = Markets::new(
            live.clone(),
            Arc::<MemoryRecords>::default() as _,
            Arc::<MemoryDrawings>::default() as _,
            Arc::<MemoryAlerts>::default() as _,
            Arc::new(FixedEnv::default()),
        );
        Self {
            pushed,
            live,
            markets,
            now,
        }
    }

    /// The answer to a message, or the word and the sentence of its refusal.
    async fn bring(&self, text: &str) -> Result<Value, (&'static str, String)> {
        let answer = self.markets.bring(&self.pushed, text).await;
        answer
            .map(|answer| json!(answer))
            .map_err(|refused| (refused.code(), refused.to_string()))
    }

    /// The ask of EURUSD in points, or the reason that it is unknown.
    async fn ask(&self) -> Result<i64, String> {
        match self.live.quote(Symbol::EurUsd).await {
            Ok(quote) => Ok(quote.unwrap().ask.0),
            Err(StoreError::Source(unknown)) => Err(unknown.reason),
            Err(other) => panic!("{other}"),
        }
    }
}

fn message(symbol: &str, bid: &str, ask: &str, time: &str) -> String {
    format!(r#"{{"{symbol}":{{"bid":{bid},"ask":{ask},"at":"2026-11-23T{time}Z"}}}}"#)
}

#[tokio::test]
async fn a_message_is_a_price_until_it_is_old() {
    let market = PushedMarket::new("2026-11-23T10:15:00Z");
    let silent = market.ask().await.unwrap_err();
    assert_eq!(silent, "no program has sent a price since the start");
    let good = message("EURUSD", "1.08412", "1.0842", "10:15:00");
    let accepted = json!({ "accepted": ["EURUSD"], "unknown": {} });
    assert_eq!(market.bring(&good).await, Ok(accepted.clone()));
    assert_eq!(market.ask().await, Ok(108_420));
    // A symbol of which nothing was sent has no price, and no reason for alarm.
    assert_eq!(market.live.quote(Symbol::UsdJpy).await.unwrap(), None);
    market.now.fetch_add(11, Ordering::Relaxed);
    let silent = market.ask().await.unwrap_err();
    assert!(silent.contains("nothing new since"), "{silent}");

    for (text, reason) in [
        (
            message("EURUSD", "1.08", "1.08", "10:14:59"),
            "back in time",
        ),
        (message("EURUSD", "1.5", "1.5", "10:15:11"), "jumped"),
        (
            message("EURUSD", "1.08", "1.08", "10:15:40"),
            "in the future",
        ),
    ] {
        let answer = market.bring(&text).await.unwrap();
        assert_eq!(answer["accepted"], json!([]));
        let unknown = answer["unknown"]["EURUSD"].as_str().unwrap();
        assert!(unknown.contains(reason), "{unknown}");
        assert_eq!(market.ask().await.unwrap_err(), unknown);
    }
    let good = message("EURUSD", "1.0841", "1.0843", "10:15:11");
    assert_eq!(market.bring(&good).await, Ok(accepted));
    assert_eq!(market.ask().await, Ok(108_430));
}

#[tokio::test]
async fn two_messages_between_two_looks_fire_an_alert() {
    let market = PushedMarket::new("2026-11-23T10:15:00Z");
    let bring = async |bid: &str, ask: &str, time: &str| {
        let text = message("EURUSD", bid, ask, time);
        market.bring(&text).await.unwrap();
    };
    bring("1.08412", "1.0842", "10:15:00").await;
    let input = json!({ "symbol": "EURUSD", "level": 1.085 });
    data(&market.markets, model(1, 1, "set_alert", input)).await;
    let watcher = market.markets.watcher();
    assert_eq!(watcher.round().await.unwrap(), 0);
    bring("1.08495", "1.08503", "10:15:01").await;
    bring("1.08412", "1.0842", "10:15:01").await;
    assert_eq!(watcher.round().await.unwrap(), 1);
    assert_eq!(watcher.round().await.unwrap(), 0);
}

#[tokio::test]
async fn a_hostile_message_changes_nothing() {
    let market = PushedMarket::new("2026-11-23T10:15:00Z");
    let good = message("EURUSD", "1.08412", "1.0842", "10:15:00");
    market.bring(&good).await.unwrap();
    let at = |symbol: &str, bid: &str, ask: &str| message(symbol, bid, ask, "10:15:00");
    let pounds = at("GBPUSD", "1.3", "1.3");
    let half = pounds.replace(
        "}}",
        r#"},"XAUUSD":{"bid":1,"ask":1,"at":"2026-11-23T10:15:00Z"}}"#,
    );
    for (text, code) in [
        (String::new(), "prices_unreadable"),
        ("{}".to_owned(), "prices_unreadable"),
        ("[".repeat(16_000), "prices_unreadable"),
        (at("EURUSD", "NaN", "1.08"), "prices_unreadable"),
        (at("EURUSD", "1.08", "1e999"), "prices_unreadable"),
        (at("EURUSD", "\"1.08\"", "1.08"), "prices_unreadable"),
        (good.replace("10:15:00", "25:15:00"), "prices_unreadable"),
        (good.replace("bid", "bit"), "prices_unreadable"),
        (at("EURUSD", "-1.08", "1.08"), "price_impossible"),
        (at("EURUSD", "0", "1.08"), "price_impossible"),
        (at("EURUSD", "1.09", "1.08"), "price_impossible"),
        (at("EURUSD", "1.08", "1e18"), "price_impossible"),
        (at("EURUSD", "1.084123", "1.0843"), "price_impossible"),
        (at(&"X".repeat(9_000), "1", "1"), "symbol_unknown"),
        (half, "symbol_unknown"),
    ] {
        let (word, sentence) = market.bring(&text).await.unwrap_err();
        assert_eq!(word, code, "{sentence}");
        assert!(sentence.len() < 200, "{sentence}");
    }
    assert_eq!(market.ask().await, Ok(108_420));
    // A message counts as a whole.
    assert_eq!(market.live.quote(Symbol::GbpUsd).await.unwrap(), None);
}
