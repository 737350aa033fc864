//! Stored and simulated candles as one, through the tools.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use markets::{Candle, CandleStore, Live, Symbol, Time, Timeframe, bars, intake, tools::Tools};
use markets_testkit::{MemoryCandles, MemoryFacts, MemoryRecords};
use serde_json::json;

use crate::{desk::board, scripted::ScriptedMarket, tools::data};

/// A clock that a test sets, in seconds.
#[derive(Clone, Default)]
pub(crate) struct Hand(Arc<AtomicI64>);

impl Hand {
    pub(crate) fn set(&self, seconds: i64) {
        self.0.store(seconds, Ordering::Relaxed);
    }

    /// The sample data, continuing sixty times as fast.
    pub(crate) async fn live(&self) -> (Live, Arc<MemoryRecords>) {
        let (candles, records) = (MemoryCandles::default(), MemoryRecords::default());
        intake::samples(&candles, &records).await.unwrap();
        let at = Arc::clone(&self.0);
        let clock = Arc::new(move || at.load(Ordering::Relaxed) as f64);
        (Live::new(Arc::new(candles), clock, 60.0), Arc::new(records))
    }
}

#[tokio::test]
async fn candles_go_on_without_a_seam() {
    let hand = Hand::default();
    let (live, records) = hand.live().await;
    let tools = Tools::live(live.clone(), records);
    let call = async |name, input| data(&tools, name, input).await;
    let h1 = json!({ "symbol": "EURUSD", "timeframe": "H1", "count": 3 });
    let before = call("get_candles", h1.clone()).await;
    assert_eq!(before.get("simulated_from"), None);

    // Two and a half hours of the market later.
    hand.set(150);
    let price = call("get_current_price", json!({ "symbol": "EURUSD" })).await;
    assert_eq!(price["as_of"], "2018-01-01T00:30:00Z");
    assert!(
        price["why"].as_str().unwrap().contains("replayed"),
        "{price}"
    );
    let after = call("get_candles", h1).await;
    assert_eq!(after["simulated_from"], "2017-12-29T22:00:00Z");
    let times: Vec<_> = after["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| &row[0])
        .collect();
    assert_eq!(
        times,
        [
            "2017-12-31T22:00:00Z",
            "2017-12-31T23:00:00Z",
            "2018-01-01T00:00:00Z"
        ]
    );
    assert_eq!(after["rows"][2][4], price["ask"]);
    // Before the end of the stored candles nothing is simulated.
    let old = json!({ "symbol": "EURUSD", "timeframe": "H1", "before": "2017-12-29T22:00:00Z", "count": 3 });
    assert_eq!(call("get_candles", old).await, before);

    // Longer candles are aggregated across that point, and none of them is stored.
    let days = bars(&live, Symbol::EurUsd, Timeframe::D1, 2, None)
        .await
        .unwrap();
    let shown: Vec<_> = days.iter().map(|day| day.time.to_string()).collect();
    assert_eq!(shown, ["2017-12-28T22:00:00Z", "2017-12-31T22:00:00Z"]);
    let (from, until) = (Time::parse("2017-12-29T20:00:00Z").unwrap(), Time(i64::MAX));
    let span = async |store: &dyn CandleStore| -> Vec<Candle> {
        store
            .range(Symbol::EurUsd, Timeframe::H1, from, until)
            .await
            .unwrap()
    };
    assert_eq!(span(&live).await.len(), 2 + 3);
    assert_eq!(span(&**live.stored()).await.len(), 2);
    let newest = live
        .last_n(Symbol::EurUsd, Timeframe::H1, 5, None)
        .await
        .unwrap();
    assert_eq!(newest, span(&live).await);
    // The future is hidden: the statistics use past releases only.
    let jobs = json!({ "symbol": "EURUSD", "event": "nonfarm payrolls" });
    assert_eq!(call("get_event_statistics", jobs).await["n"], 12);
}

/// The newest minutes on the board have each price that anybody has read, also of a minute that is stored.
#[tokio::test]
async fn the_minutes_on_the_board_are_the_servers() {
    let world = ScriptedMarket::new().await;
    let markets = world.start();
    let keeper = markets.keeper();
    let shown = async || {
        board(&markets).await["price/EURUSD"]
            .get("minutes")
            .cloned()
    };
    for (second, price) in [
        ("05", 1.2006),
        ("30", 1.2031),
        ("50", 1.1998),
        ("59", 1.2011),
    ] {
        let at = format!("2018-01-02T10:00:{second}Z");
        world.source.says(&at, price, price);
        keeper.round().await.unwrap();
    }
    let first = json!([1_514_887_200, 1.2006, 1.2031, 1.1998, 1.2011, 0]);
    assert_eq!(shown().await, Some(json!([first])));
    world.source.says("2018-01-02T10:01:02Z", 1.2008, 1.2008);
    let both = json!([first, [1_514_887_260, 1.2008, 1.2008, 1.2008, 1.2008, 0]]);
    assert_eq!(shown().await, Some(both.clone()));
    assert_eq!(keeper.round().await.unwrap(), 1);
    assert_eq!(shown().await, Some(both));
}

/// Over restarts, with other speeds and clocks, the simulated market goes on and never back.
#[tokio::test]
async fn the_market_goes_on_after_a_restart() {
    let (candles, records) = (MemoryCandles::default(), MemoryRecords::default());
    intake::samples(&candles, &records).await.unwrap();
    let (candles, facts) = (Arc::new(candles), MemoryFacts::default());
    let start = async |at: i64, speed: f64| {
        let hand = Hand::default();
        hand.set(at);
        let clock = Arc::clone(&hand.0);
        let clock = Arc::new(move || clock.load(Ordering::Relaxed) as f64);
        let live = Live::new(Arc::clone(&candles) as Arc<dyn CandleStore>, clock, speed);
        (hand, live.resumed(&facts).await.unwrap())
    };
    let time = async |live: &Live| live.quote(Symbol::EurUsd).await.unwrap().unwrap().time.0;
    let (hand, live) = start(1_000, 60.0).await;
    let begun = time(&live).await;
    hand.set(1_060);
    let hour_later = live.quote(Symbol::EurUsd).await.unwrap();
    // As if it had never stopped.
    let (hand, live) = start(1_060, 60.0).await;
    assert_eq!(live.quote(Symbol::EurUsd).await.unwrap(), hour_later);
    hand.set(1_070);
    let before = time(&live).await;
    assert!(before > begun + 3_600);
    // Another speed, one that stands still, and a clock that was set back.
    let mut last = before;
    for (at, speed) in [(1_070, 1.0), (1_080, 0.0), (2_000, 0.0), (500, 60.0)] {
        let (_, live) = start(at, speed).await;
        let now = time(&live).await;
        assert!(now >= last, "{at} {speed}");
        last = now;
    }
}
