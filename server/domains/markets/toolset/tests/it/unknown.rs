//! A price that is unknown looks unknown everywhere: on the board, in tools and in the context.

use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use agent::ports::{ContextPart, Screen, Toolset};
use async_trait::async_trait;
use markets::{Live, Markets, PriceSource, SILENT_SECONDS, Time, intake};
use markets_testkit::{MemoryAlerts, MemoryCandles, MemoryDrawings, MemoryRecords};
use protocol::{ErrorCode, Timestamp};
use serde_json::{Value, json};
use testkit::FixedEnv;
use tokio::{sync::mpsc, time::Instant};

use crate::{
    desk::{board, data, line, model, refusal},
    scripted::ScriptedMarket,
};

/// The part of the price on the board.
async fn shown(markets: &Markets) -> Value {
    board(markets).await.remove("price/EURUSD").unwrap()
}

async fn context(markets: &Markets, source: &str) -> Result<Value, String> {
    let parts = markets.context(&[]).await;
    let part = |part: ContextPart| (part.source == source).then_some(part.data);
    parts.into_iter().find_map(part).unwrap()
}

#[tokio::test]
async fn what_a_source_does_wrong_is_seen_everywhere() {
    let world = ScriptedMarket::new().await;
    let markets = world.start();
    world.source.says("2018-01-02T10:00:00Z", 1.2005, 1.2006);
    assert_eq!(shown(&markets).await["bid"], 1.2005);
    assert!(context(&markets, "price").await.is_ok());
    let price = || model(1, 1, "get_current_price", json!({ "symbol": "EURUSD" }));
    assert_eq!(data(&markets, price()).await["simulated"], false);
    let candles = async |before: Option<&str>| {
        let mut input = json!({ "symbol": "EURUSD", "timeframe": "H1", "count": 1 });
        if let Some(before) = before {
            input["before"] = json!(before);
        }
        data(&markets, model(3, 1, "get_candles", input)).await
    };
    assert_eq!(candles(None).await.get("price_unknown"), None);

    let check = async |reason: &str, age: i64| {
        let part = shown(&markets).await;
        let unknown = part["unknown"].as_str().unwrap_or_else(|| panic!("{part}"));
        assert!(unknown.contains(reason), "{unknown}");
        assert_eq!(part.get("bid"), None);
        assert_eq!(
            part["last"],
            json!({ "bid": 1.2005, "ask": 1.2006, "at": "2018-01-02T10:00:00Z", "age_s": age })
        );
        let last = format!("1.20050 / 1.20060 at 2018-01-02T10:00:00Z, {age} s ago");
        let (code, message) = refusal(&markets, price()).await;
        assert_eq!(code, ErrorCode::StorageFailed);
        assert!(
            message.contains(reason) && message.contains(&last),
            "{message}"
        );
        let told = context(&markets, "price").await.unwrap_err();
        assert!(told.contains(reason) && told.contains(&last), "{told}");
        // The forming candle ends where the price was known; those of the past are whole.
        let forming = candles(None).await;
        assert_eq!(forming["rows"][0][0], "2018-01-02T10:00:00Z");
        let told = forming["price_unknown"].as_str().unwrap();
        assert!(told.contains(reason) && told.contains(&last), "{told}");
        let past = candles(Some("2017-12-29T22:00:00Z")).await;
        assert_eq!(past.get("price_unknown"), None);
        // The rest is known anyway, and drawing goes on.
        assert!(context(&markets, "candle_range").await.is_ok());
    };
    // Ten seconds are enough, and nothing has to be asked in between.
    world.source.waits(10.0);
    assert_eq!(shown(&markets).await["bid"], 1.2005);
    world.source.waits(1.0);
    check("nothing new since 2018-01-02T10:00:00Z", 11).await;
    world.source.says_text(Err("no such file"));
    check("no such file", 11).await;
    for (text, reason) in [
        (
            r#"{"EURUSD": {"bid": 1.3, "ask": 1.2, "at": "2018-01-02T10:00:11Z"}}"#,
            "not between",
        ),
        (
            r#"{"EURUSD": {"bid": "<b>1</b>", "ask": 1, "at": "now"}}"#,
            "cannot be read",
        ),
        (
            r#"{"EURUSD": {"bid": 1.2, "ask": 1.2, "at": "2030-01-02T10:00:11Z"}}"#,
            "in the future",
        ),
        (
            r#"{"EURUSD": {"bid": 1.2, "ask": 1.2, "at": "2018-01-02T09:59:59Z"}}"#,
            "back in time",
        ),
        (
            r#"{"EURUSD": {"bid": 1.5, "ask": 1.5, "at": "2018-01-02T10:00:11Z"}}"#,
            "jumped",
        ),
        ("{}", "no longer has a price of EURUSD"),
    ] {
        world.source.says_text(Ok(text));
        check(reason, 11).await;
    }
    data(&markets, model(2, 1, "draw_horizontal_line", line(1.2))).await;

    // It is raised, with a text that stays the same while the reason does.
    let notice = async || {
        let picture = board(&markets).await;
        let board = markets.board().unwrap();
        let survey = board.survey(&picture, &BTreeSet::new(), Timestamp(1));
        let holds = survey.holds.into_iter();
        holds.map(|held| (held.key, held.text)).collect::<Vec<_>>()
    };
    let raised = notice().await;
    let text = "The price of EURUSD is unknown: the source no longer has a price of EURUSD.";
    assert_eq!(
        raised,
        [("price/EURUSD/unknown".to_owned(), text.to_owned())]
    );
    world.source.waits(5.0);
    assert_eq!(notice().await, raised);
    world.source.says("2018-01-02T10:00:20Z", 1.2007, 1.2008);
    assert_eq!(notice().await, []);
    assert_eq!(shown(&markets).await["bid"], 1.2007);
}

/// A source with one price, which takes its time and may hang after it.
struct LastPriceSource {
    takes: Duration,
    hangs: bool,
    is_known: AtomicBool,
}

#[async_trait]
impl PriceSource for LastPriceSource {
    async fn read(&self) -> Result<String, String> {
        tokio::time::sleep(self.takes).await;
        if self.hangs && self.is_known.load(Ordering::Relaxed) {
            std::future::pending::<()>().await;
        }
        let price = json!({ "bid": 1.2005, "ask": 1.2006, "at": "2018-01-02T10:00:00Z" });
        Ok(json!({ "EURUSD": price }).to_string())
    }
}

/// By the clock, which goes on only while everything waits.
#[tokio::test(start_paused = true)]
async fn an_unknown_price_is_on_the_board_within_ten_seconds() {
    let slow = Duration::from_millis(1_900);
    for (takes, hangs) in [
        (Duration::ZERO, false),
        (slow, false),
        (Duration::ZERO, true),
    ] {
        let (candles, records) = (MemoryCandles::default(), MemoryRecords::default());
        intake::samples(&candles, &records).await.unwrap();
        let source = Arc::new(LastPriceSource {
            takes,
            hangs,
            is_known: AtomicBool::new(false),
        });
        let start = Instant::now();
        let said = Time::parse("2018-01-02T10:00:00Z").unwrap().0 as f64;
        let clock = Arc::new(move || said + start.elapsed().as_secs_f64());
        let from = Arc::clone(&source) as Arc<dyn PriceSource>;
        let markets = Markets::new(
            Live::told(Arc::new(candles), clock, from, SILENT_SECONDS),
            Arc::new(records),
            Arc::new(MemoryDrawings::default()),
            Arc::new(MemoryAlerts::default()),
            Arc::new(FixedEnv::default()),
        );
        let (sender, mut pictures) = mpsc::unbounded_channel();
        let screen = Screen::new(move |picture| drop(sender.send((start.elapsed(), picture))));
        let board = markets.board().unwrap();
        let shown = async {
            loop {
                let (at, picture) = pictures.recv().await.unwrap();
                if picture["price/EURUSD"].get("unknown").is_some() {
                    return at;
                }
                source.is_known.store(true, Ordering::Relaxed);
            }
        };
        tokio::select! {
            () = board.watch(screen) => unreachable!(),
            at = shown => assert!(at <= Duration::from_secs(10), "{at:?} {takes:?} {hangs}"),
        }
        assert!(source.is_known.load(Ordering::Relaxed));
    }
}
