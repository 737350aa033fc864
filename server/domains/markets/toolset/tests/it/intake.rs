//! Imports into stores: all or nothing, and idempotent.

use markets::{
    CandleStore, RecordKind, RecordStore, Symbol, Time, Timeframe, Trade, Upserted,
    intake::{self, Records},
    sample, typed,
};
use markets_testkit::{MemoryCandles, MemoryFacts, MemoryRecords};
use serde_json::json;

use crate::{desk::board, scripted::ScriptedMarket};

const CALENDAR: &str = "\
id,currency,name,impact,scheduled_at,source_zone,forecast,actual,previous,revised,unit,synthetic
us-1,USD,\"Payrolls, all\",high,2017-03-10T13:30:00Z,America/New_York,190,235,227,238,thousand,false
eu-1,EUR,Rates,medium,2017-03-09T12:45:00Z,,,0,0,,%,true
";

const TRADES: &str = "\
id,symbol,side,lots,opened_at,entry,stop,closed_at,exit,gross,costs,initial_risk
1,EUR/USD,buy,0.10,2017-03-10T14:00:00Z,1.06,1.055,2017-03-10T18:00:00Z,1.065,50.00,0.7,50
2,EURUSD,short,0.2,2017-03-13T14:00:00Z,1.066,,,,,,
";

fn counts(written: u64, unchanged: u64) -> Upserted {
    Upserted { written, unchanged }
}

#[tokio::test]
async fn twice_is_once() {
    let store = MemoryRecords::default();
    let file = sample::cot_file();
    for (what, text, rows) in [
        (Records::Calendar, CALENDAR, 2),
        (Records::Trades, TRADES, 2),
        (Records::Cot, file.as_str(), 52),
    ] {
        let open = || Ok(text.as_bytes());
        let first = intake::records(open, what, &store).await.unwrap();
        assert_eq!(first, counts(rows, 0), "{what:?}");
        let again = intake::records(open, what, &store).await.unwrap();
        assert_eq!(again, counts(0, rows), "{what:?}");
    }
    let rows = store
        .newest(RecordKind::Trade, Some("EURUSD"), Time(i64::MAX), 9)
        .await;
    let trades: Vec<Trade> = typed(&rows.unwrap()).unwrap();
    assert_eq!(trades[0].net(), Some(4_930));
    assert_eq!(
        (trades[0].millilots, trades[0].initial_risk),
        (100, Some(5_000))
    );
    assert_eq!((trades[1].closed_at, trades[1].net()), (None, None));
}

#[tokio::test]
async fn a_mistake_leaves_nothing_behind() {
    let records = MemoryRecords::default();
    let check = async |what, text: &str, expect: &str| {
        let error = intake::records(|| Ok(text.as_bytes()), what, &records)
            .await
            .unwrap_err();
        assert_eq!(error.to_string(), expect);
    };
    check(
        Records::Calendar,
        &CALENDAR.replace(",medium,", ",huge,"),
        "line 3: impact: \"huge\" is none of low, medium and high (word)",
    )
    .await;
    check(
        Records::Calendar,
        &CALENDAR.replace("scheduled_at", "when"),
        "line 1: no column is called \"when\" (columns)",
    )
    .await;
    check(
        Records::Calendar,
        &CALENDAR.replace("2017-03-09T12:45:00Z", "2017-03-09 12:45"),
        "line 3: scheduled_at: \"2017-03-09 12:45\" is no time in UTC such as \
         2017-03-10T13:30:00Z (time)",
    )
    .await;
    check(
        Records::Trades,
        &TRADES.replace(",1.065,50.00", ",,50.00"),
        "line 2: closed_at, exit and gross stand together or not at all (contradiction)",
    )
    .await;
    check(
        Records::Trades,
        &TRADES.replace("50.00", "50.001"),
        "line 2: gross: \"50.001\" is no number of at most 2 decimals (number)",
    )
    .await;
    check(
        Records::Trades,
        &TRADES.replace("short,0.2", "short,0.2,9"),
        "line 3: 13 values stand under 12 names (columns)",
    )
    .await;
    let rows = records
        .newest(RecordKind::Event, None, Time(i64::MAX), 9)
        .await
        .unwrap();
    assert!(rows.is_empty());

    let candles = MemoryCandles::default();
    let text = "2017-01-01T22:00:00Z,1.2,1.3,1.1,1.2\n2017-01-01T21:00:00Z,1.2,1.3,1.1,1.2\n";
    let open = || Ok(text.as_bytes());
    let failed = intake::candles(open, Symbol::EurUsd, Timeframe::H1, &candles).await;
    assert!(failed.is_err());
    assert_eq!(
        candles.latest(Symbol::EurUsd, Timeframe::H1).await.unwrap(),
        None
    );
}

#[tokio::test]
async fn the_data_that_comes_with_it() {
    let (candles, records) = (MemoryCandles::default(), MemoryRecords::default());
    let first = intake::samples(&candles, &records).await.unwrap();
    assert!(first.written > 6_225 + 64 + 520 + 52 + 50);
    let again = intake::samples(&candles, &records).await.unwrap();
    assert_eq!(again, counts(0, first.written));
    let newest = candles.latest(Symbol::EurUsd, Timeframe::H1).await.unwrap();
    assert_eq!(newest.unwrap().time.to_string(), "2017-12-29T21:00:00Z");
}

/// Open charts read their candles again when the number on the board changes.
#[tokio::test]
async fn an_import_of_candles_is_counted_on_the_board() {
    let world = ScriptedMarket::new().await;
    let markets = world.start();
    let count = async || board(&markets).await.remove("candles/EURUSD");
    assert_eq!(count().await, None);
    let import = async || {
        let hours = "2018-01-02T10:00:00Z,1.2,1.3,1.1,1.2\n2018-01-02T11:00:00Z,1.2,1.3,1.1,1.2\n";
        let open = || Ok(hours.as_bytes());
        let done = intake::candles(open, Symbol::EurUsd, Timeframe::H1, &*world.candles).await;
        done.unwrap()
    };
    assert_eq!(import().await, counts(2, 0));
    assert_eq!(count().await, Some(json!(1)));
    // There is nothing new to read.
    assert_eq!(import().await, counts(0, 2));
    assert_eq!(count().await, Some(json!(1)));
    let (records, facts) = (MemoryRecords::default(), MemoryFacts::default());
    let gone = intake::forget_samples(&*world.candles, &records, &facts).await;
    assert!(gone.unwrap() > 0);
    assert_eq!(count().await, Some(json!(2)));
}

const HEADLINES: &str = "\
published_at,text,currencies
2017-12-29T10:15:00Z,Euro steady,EUR
";

/// Once there is something real of a kind, its samples are in no figure and no list; deleted, they do
/// not come back.
#[tokio::test]
async fn samples_stay_apart() {
    let (candles, records) = (MemoryCandles::default(), MemoryRecords::default());
    let facts = MemoryFacts::default();
    intake::samples(&candles, &records).await.unwrap();
    let count = async |kind| {
        let rows = records.newest(kind, None, Time(i64::MAX), 999).await;
        rows.unwrap().len()
    };
    let headlines = || Ok(HEADLINES.as_bytes());
    let done = intake::records(headlines, Records::Headlines, &records).await;
    assert_eq!(done.unwrap(), counts(1, 0));
    assert_eq!(count(RecordKind::Headline).await, 1);
    assert!(count(RecordKind::Trade).await > 1);
    let trades = || Ok(TRADES.as_bytes());
    intake::records(trades, Records::Trades, &records)
        .await
        .unwrap();
    assert_eq!(count(RecordKind::Trade).await, 2);

    assert!(!intake::are_samples_forgotten(&facts).await.unwrap());
    let gone = intake::forget_samples(&candles, &records, &facts).await;
    assert!(gone.unwrap() > 6_225);
    assert!(intake::are_samples_forgotten(&facts).await.unwrap());
    let newest = candles.latest(Symbol::EurUsd, Timeframe::H1).await;
    assert_eq!(newest.unwrap(), None);
    assert_eq!(count(RecordKind::Event).await, 0);
    assert_eq!(count(RecordKind::Trade).await, 2);
    let again = intake::forget_samples(&candles, &records, &facts).await;
    assert_eq!(again.unwrap(), 0);
}
