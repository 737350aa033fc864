//! The context of a message about a chart.

use std::sync::Arc;

use agent::ports::ContextPart;
use async_trait::async_trait;
use markets::{
    Candle, CandleStore, Live, RecordKind, RecordRow, RecordStore, StoreError, Symbol, Time,
    Timeframe, Upserted,
    context::{Sources, chart, parts},
    drawing::{Actor, Content, DrawingReader, DrawingStore, EVERYONE, NewDrawing, create},
};
use markets_testkit::{MemoryDrawings, MemoryRecords};
use protocol::Reference;
use serde_json::{Value, json};

use crate::live::Hand;

const SOURCES: [&str; 7] = [
    "price",
    "drawings",
    "key_levels",
    "events_24h",
    "cot",
    "headlines",
    "candle_range",
];

/// Failure mode of a source.
#[derive(Clone, Copy)]
enum Fault {
    Fails,
    Hangs,
}

/// Records of which one kind cannot be read.
struct Broken(Arc<MemoryRecords>, RecordKind, Fault);

impl Broken {
    async fn check(&self, kind: RecordKind) -> Result<(), StoreError> {
        match self.2 {
            _ if kind != self.1 => Ok(()),
            Fault::Fails => Err(StoreError::Failed("disk".to_owned())),
            Fault::Hangs => std::future::pending().await,
        }
    }
}

#[async_trait]
impl RecordStore for Broken {
    async fn put(&self, kind: RecordKind, rows: &[RecordRow]) -> Result<Upserted, StoreError> {
        self.0.put(kind, rows).await
    }

    async fn between(
        &self,
        kind: RecordKind,
        about: Option<&str>,
        from: Time,
        until: Time,
        most: usize,
    ) -> Result<Vec<RecordRow>, StoreError> {
        self.check(kind).await?;
        self.0.between(kind, about, from, until, most).await
    }

    async fn newest(
        &self,
        kind: RecordKind,
        about: Option<&str>,
        until: Time,
        count: usize,
    ) -> Result<Vec<RecordRow>, StoreError> {
        self.check(kind).await?;
        self.0.newest(kind, about, until, count).await
    }

    async fn forget_samples(&self) -> Result<u64, StoreError> {
        self.0.forget_samples().await
    }
}

/// Candles that never arrive.
struct NoCandles;

#[async_trait]
impl CandleStore for NoCandles {
    async fn upsert(&self, _: Symbol, _: Timeframe, _: &[Candle]) -> Result<Upserted, StoreError> {
        Ok(Upserted::default())
    }

    async fn add(&self, _: Symbol, _: Timeframe, _: &[Candle]) -> Result<Upserted, StoreError> {
        Ok(Upserted::default())
    }

    async fn written(
        &self,
        _: Symbol,
        _: Timeframe,
        _: Time,
        _: Time,
    ) -> Result<Vec<Candle>, StoreError> {
        std::future::pending().await
    }

    async fn range(
        &self,
        _: Symbol,
        _: Timeframe,
        _: Time,
        _: Time,
    ) -> Result<Vec<Candle>, StoreError> {
        std::future::pending().await
    }

    async fn last_n(
        &self,
        _: Symbol,
        _: Timeframe,
        _: usize,
        _: Option<Time>,
    ) -> Result<Vec<Candle>, StoreError> {
        std::future::pending().await
    }

    async fn forget(&self, _: Symbol, _: Timeframe, _: &[Candle]) -> Result<u64, StoreError> {
        Ok(0)
    }
}

async fn sources(hand: &Hand) -> (Sources, Arc<MemoryRecords>) {
    let (live, records) = hand.live().await;
    let sources = Sources {
        live,
        records: records.clone(),
        drawings: Arc::new(MemoryDrawings::default()),
    };
    (sources, records)
}

async fn draw(store: &dyn DrawingStore, id: &str, shape: Value, at: i64) {
    let content: Content<Time> =
        serde_json::from_value(json!({ "shape": shape, "label": format!("line {id}") })).unwrap();
    let new = NewDrawing {
        id: id.to_owned(),
        owner: EVERYONE.to_owned(),
        symbol: Symbol::EurUsd,
        content,
        reason: "two swings".to_owned(),
        actor: Actor::Model,
        person: None,
        call: None,
        conversation: None,
        message: None,
        group: None,
        candles: Vec::new(),
    };
    store.insert(&create(new, Time(at)).unwrap()).await.unwrap();
}

fn about() -> Vec<Reference> {
    vec![Reference::new("chart", "EURUSD/H1")]
}

fn part<'p>(all: &'p [ContextPart], source: &str) -> &'p Value {
    let part = all.iter().find(|part| part.source == source).unwrap();
    part.data.as_ref().unwrap()
}

fn texts(value: &Value, out: &mut Vec<String>) {
    match value {
        Value::String(text) => out.extend(text.split(' ').map(str::to_owned)),
        Value::Array(all) => all.iter().for_each(|one| texts(one, out)),
        Value::Object(all) => all.values().for_each(|one| texts(one, out)),
        _ => {}
    }
}

#[tokio::test]
async fn all_of_a_chart_is_small_and_nothing_of_it_is_later_than_now() {
    let hand = Hand::default();
    let (sources, _) = sources(&hand).await;
    draw(
        &*sources.drawings,
        "d1",
        json!({ "kind": "horizontal_line", "price": 1.195 }),
        1,
    )
    .await;
    // At the end of the stored data, a little later, and weeks later.
    for (seconds, now, news) in [
        (0, "2017-12-29T22:00:00Z", "ok"),
        (150, "2018-01-01T00:30:00Z", "ok"),
        (30_000, "2018-01-29T18:00:00Z", "stale"),
    ] {
        hand.set(seconds);
        let all = parts(&sources, DrawingReader::Anybody, &about()).await;
        let names: Vec<_> = all.iter().map(|part| part.source).collect();
        assert_eq!(names, SOURCES);
        let size: usize = all
            .iter()
            .map(|part| part.data.as_ref().unwrap().to_string().len())
            .sum();
        assert!(size < 4_096, "{size} bytes: {all:#?}");
        let now = Time::parse(now).unwrap();
        for source in SOURCES {
            let part = part(&all, source);
            let mut words = Vec::new();
            texts(part, &mut words);
            let latest = words.iter().filter_map(|word| Time::parse(word).ok()).max();
            assert!(
                latest.is_none_or(|latest| latest <= now),
                "{source}: {part}"
            );
            if source != "drawings" {
                let as_of = Time::parse(part["as_of"].as_str().unwrap()).unwrap();
                assert_eq!(part["age_s"], now.0 - as_of.0, "{source}");
            }
        }
        assert_eq!(part(&all, "price")["as_of"], json!(now));
        assert_eq!(part(&all, "price")["data"]["simulated"], true);
        assert_eq!(part(&all, "price")["data"]["digits"], 5);
        assert_eq!(part(&all, "headlines")["status"], news);
        assert_eq!(part(&all, "cot")["status"], news);
        assert_eq!(part(&all, "cot")["as_of"], "2017-12-26T00:00:00Z");
        let index = &part(&all, "cot")["data"]["groups"]["noncommercial"]["index_26_weeks"];
        assert!((0.0..=100.0).contains(&index.as_f64().unwrap()), "{index}");
        assert_eq!(
            part(&all, "candle_range")["data"]["last"]
                .as_array()
                .unwrap()
                .len(),
            5
        );
        assert!(
            part(&all, "key_levels")["data"]["levels"]
                .as_array()
                .unwrap()
                .len()
                > 2
        );
        let drawing = &part(&all, "drawings")["data"]["drawings"][0];
        assert_eq!(
            *drawing,
            json!({
                "id": "d1", "kind": "horizontal_line", "at": ["@ 1.19500"], "label": "line d1",
                "version": 1, "by": "model",
            })
        );
    }
}

/// A file's future values are hidden, but the coming release is listed.
#[tokio::test]
async fn releases_of_the_next_day_have_no_outcome() {
    let hand = Hand::default();
    let (mut sources, _) = sources(&hand).await;
    // Up to the morning of a jobs day: the release is at 13:30.
    let (year, cut) = (
        markets::sample::candles(),
        Time::parse("2017-12-08T10:00:00Z").unwrap(),
    );
    let until = year.partition_point(|candle| candle.time < cut);
    let candles = markets_testkit::MemoryCandles::default();
    candles
        .upsert(Symbol::EurUsd, Timeframe::H1, &year[..until])
        .await
        .unwrap();
    sources.live = Live::still(Arc::new(candles));
    let all = parts(&sources, DrawingReader::Anybody, &about()).await;
    let events = &part(&all, "events_24h")["data"]["events"];
    assert_eq!(events.as_array().map(Vec::len), Some(1), "{events}");
    assert_eq!(events[0]["at"], "2017-12-08T13:30:00Z");
    assert_eq!(
        (&events[0]["impact"], &events[0]["synthetic"]),
        (&json!("high"), &json!(true))
    );
    assert!(events[0]["forecast"].is_number() && events[0].get("actual").is_none());
    // The report of the 5th is published in the evening.
    assert_eq!(part(&all, "cot")["as_of"], "2017-11-28T00:00:00Z");
}

#[tokio::test(start_paused = true)]
async fn one_dead_source_says_so_and_the_others_are_there() {
    for (kind, dead) in [
        (RecordKind::Event, "events_24h"),
        (RecordKind::Report, "cot"),
        (RecordKind::Headline, "headlines"),
    ] {
        for (fault, expect) in [
            (Fault::Fails, "the database failed: disk"),
            (Fault::Hangs, "no answer yet, after 140 ms"),
        ] {
            let (mut sources, records) = sources(&Hand::default()).await;
            sources.records = Arc::new(Broken(records, kind, fault));
            let all = parts(&sources, DrawingReader::Anybody, &about()).await;
            for part in &all {
                match &part.data {
                    Err(why) => assert_eq!((part.source, why.as_str()), (dead, expect)),
                    Ok(_) => assert_ne!(part.source, dead),
                }
            }
            assert_eq!(all.iter().filter(|part| part.data.is_ok()).count(), 6);
        }
    }
}

#[tokio::test]
async fn indicators_on_the_chart_are_told_with_their_values() {
    let (sources, _) = sources(&Hand::default()).await;
    let chart = [Reference::new("chart", "EURUSD/H4/+RSI+MA")];
    let all = parts(&sources, DrawingReader::Anybody, &chart).await;
    let told = &part(&all, "indicators")["data"];
    assert_eq!((told["timeframe"].as_str(), all.len()), (Some("H4"), 8));
    let names: Vec<_> = told["values"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["RSI 14", "MA 50", "MA 200"]);
    // The stored year ends at 22:00, when the day's last four hours have closed.
    assert_eq!(told["candle"], "2017-12-29T18:00:00Z");
    let strength = told["values"]["RSI 14"].as_f64().unwrap();
    assert!((50.0..100.0).contains(&strength), "{strength}");
    let mean = told["values"]["MA 50"].as_f64().unwrap();
    assert!((1.18..1.2008).contains(&mean), "{mean}");
    assert!(told.to_string().len() < 300, "{told}");
    // An unknown word makes it no chart at all.
    let other = [Reference::new("chart", "USDJPY/H1/+EVIL")];
    let all = parts(&sources, DrawingReader::Anybody, &other).await;
    let price = part(&all, "price");
    assert_eq!(
        (price["data"]["symbol"].as_str(), all.len()),
        (Some("EURUSD"), 7)
    );
}

#[tokio::test(start_paused = true)]
async fn without_candles_nothing_is_guessed() {
    let (mut sources, _) = sources(&Hand::default()).await;
    let yen = parts(
        &sources,
        DrawingReader::Anybody,
        &[Reference::new("chart", "USDJPY/D1")],
    )
    .await;
    assert_eq!(
        yen[0].data,
        Err("no candles of USDJPY are stored".to_owned())
    );
    sources.live = Live::still(Arc::new(NoCandles));
    draw(
        &*sources.drawings,
        "d1",
        json!({ "kind": "horizontal_line", "price": 1.2 }),
        1,
    )
    .await;
    let began = tokio::time::Instant::now();
    let all = parts(&sources, DrawingReader::Anybody, &about()).await;
    // Within the time that the engine waits.
    assert!(began.elapsed() < agent::EngineConfig::new("m").context_timeout);
    assert_eq!(
        all.iter().map(|part| part.source).collect::<Vec<_>>(),
        SOURCES
    );
    assert_eq!(all[0].data, Err("no answer yet, after 140 ms".to_owned()));
    assert_eq!(part(&all, "drawings")["data"]["drawings"][0]["id"], "d1");
    let cot = all[4].data.as_ref().unwrap_err();
    assert!(
        cot.starts_with("the time of the market is not known"),
        "{cot}"
    );
}

#[tokio::test]
async fn of_many_drawings_the_newest_and_how_many_more() {
    let (sources, _) = sources(&Hand::default()).await;
    let anchor = |day: usize, price: f64| json!({ "time": format!("2017-03-{:02}T13:00:00Z", day), "price": price });
    for number in 0..70_usize {
        let shape = json!({
            "kind": "fibonacci", "from": anchor(6, 1.05), "to": anchor(10, 1.06), "levels": [0.5],
        });
        draw(
            &*sources.drawings,
            &format!("call_{number:02}"),
            shape,
            number as i64,
        )
        .await;
    }
    let all = parts(
        &sources,
        DrawingReader::Anybody,
        &[Reference::new("drawing", "call_07")],
    )
    .await;
    let data = &part(&all, "drawings")["data"];
    let shown = data["drawings"].as_array().unwrap();
    assert!((20..=50).contains(&shown.len()), "{}", shown.len());
    assert_eq!(data["more"], 70 - shown.len());
    assert_eq!(shown[0]["id"], "call_69");
    assert_eq!(
        shown[0]["at"],
        json!([
            "2017-03-06T13:00:00Z @ 1.05000",
            "2017-03-10T13:00:00Z @ 1.06000"
        ])
    );
    assert!(data.to_string().len() < 8_000);
}

#[test]
fn identifiers_of_charts() {
    assert_eq!(chart("EURUSD/H1"), Some((Symbol::EurUsd, Timeframe::H1)));
    for id in [
        "EURUSD",
        "EURUSD/15m",
        "eurusd/H1",
        "DOGE/H1",
        "EURUSD/H1/",
        "",
    ] {
        assert_eq!(chart(id), None, "{id}");
    }
}
