//! What is derived from minutes is what a read of these would give, however they came in.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::future::Future;

use markets::{Candle, CandleStore, Coded, DERIVED, Points, Symbol, Time, Timeframe, merged};
use markets_tables::MarketsTables;
use proptest::{collection::vec, prelude::*};
use store::{DomainDatabase, Store, TablesVersion};

const EUR: Symbol = Symbol::EurUsd;
const M1: Timeframe = Timeframe::M1;
/// Friday, 10 March 2017, 23:00 UTC: midnight, a weekend and a change of clocks follow.
const START: i64 = 1_489_186_800;

/// A minute by its number from the start.
fn minute(number: i64, price: i64) -> Candle {
    Candle {
        time: Time(START + number * 60),
        open: Points(price),
        high: Points(price + price % 7),
        low: Points(price - price % 5),
        close: Points(price + price % 3 - 1),
        volume: price % 11,
    }
}

/// A piece of minutes, which may be one of a file, a correction or a repetition, in any order.
fn piece(numbers: std::ops::Range<i64>) -> impl Strategy<Value = Vec<Candle>> {
    vec((numbers, 100_000_i64..101_000), 1..40).prop_map(|minutes| {
        let mut seen = std::collections::BTreeMap::new();
        for (number, price) in minutes {
            seen.insert(price * 7 % 13 * 100_000 + number, minute(number, price));
        }
        let mut times = std::collections::BTreeSet::new();
        let all = seen.into_values();
        all.filter(|candle| times.insert(candle.time)).collect()
    })
}

#[derive(Debug, Clone)]
enum Change {
    Upsert(Vec<Candle>),
    Add(Vec<Candle>),
    Forget,
    Hour(i64),
    Step,
    Restart,
}

fn change(numbers: std::ops::Range<i64>) -> impl Strategy<Value = Change> {
    prop_oneof![
        4 => piece(numbers.clone()).prop_map(Change::Upsert),
        2 => piece(numbers).prop_map(Change::Add),
        1 => Just(Change::Forget),
        1 => (0_i64..30).prop_map(Change::Hour),
        2 => Just(Change::Step),
        1 => Just(Change::Restart),
    ]
}

fn run(test: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.unwrap().block_on(test);
}

async fn open(folder: &std::path::Path) -> MarketsTables {
    MarketsTables::open(&Store::open(folder).await.unwrap())
        .await
        .unwrap()
}

async fn all(tables: &MarketsTables, frame: Timeframe) -> Vec<Candle> {
    let all = tables.range(EUR, frame, Time(0), Time(i64::MAX)).await;
    all.unwrap()
}

/// The candles that a read of the minutes gives, and the written ones in their place.
async fn expected(tables: &MarketsTables, frame: Timeframe) -> Vec<Candle> {
    let (from, until) = (Time(0), Time(i64::MAX));
    let derived = tables.resample(EUR, M1, frame, from, until).await.unwrap();
    let written = tables.written(EUR, frame, from, until).await.unwrap();
    merged(written, derived)
}

async fn apply(tables: &MarketsTables, change: &Change) {
    match change {
        Change::Upsert(piece) => {
            tables.upsert(EUR, M1, piece).await.unwrap();
        }
        Change::Add(piece) => {
            tables.add(EUR, M1, piece).await.unwrap();
        }
        Change::Forget => {
            let minutes = all(tables, M1).await;
            let some: Vec<_> = minutes.into_iter().step_by(3).collect();
            tables.forget(EUR, M1, &some).await.unwrap();
        }
        Change::Hour(number) => {
            let hour = minute(number * 60, 90_000 + number);
            tables.upsert(EUR, Timeframe::H1, &[hour]).await.unwrap();
        }
        Change::Step => {
            tables.derive_step().await.unwrap();
        }
        Change::Restart => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn derived_is_what_a_read_of_the_minutes_gives(changes in vec(change(0..300), 1..10)) {
        run(async {
            let folder = tempfile::tempdir().unwrap();
            let mut tables = open(folder.path()).await;
            for change in &changes {
                apply(&tables, change).await;
                if matches!(change, Change::Restart) {
                    drop(tables);
                    tables = open(folder.path()).await;
                }
                for frame in DERIVED {
                    let expect = expected(&tables, frame).await;
                    assert_eq!(all(&tables, frame).await, expect, "{frame}");
                    let newest = tables.last_n(EUR, frame, 3, None).await.unwrap();
                    assert!(expect.ends_with(&newest), "{frame}");
                    assert_eq!(newest.len(), expect.len().min(3));
                }
            }
        });
    }

    /// Minutes of an earlier release, derived in steps between imports and restarts without a close.
    #[test]
    fn older_minutes_are_derived_without_a_hole(
        older in piece(0..60_000),
        changes in vec(change(0..60_000), 0..8),
    ) {
        run(async {
            let folder = tempfile::tempdir().unwrap();
            earlier_release(folder.path(), &older).await;
            let mut tables = open(folder.path()).await;
            let frame = Timeframe::M30;
            for change in &changes {
                apply(&tables, change).await;
                if matches!(change, Change::Restart) {
                    drop(tables);
                    tables = open(folder.path()).await;
                }
                let shown = all(&tables, frame).await;
                assert!(expected(&tables, frame).await.ends_with(&shown));
            }
            while tables.derive_step().await.unwrap() {
                let shown = all(&tables, frame).await;
                assert!(expected(&tables, frame).await.ends_with(&shown));
            }
            for frame in DERIVED {
                assert_eq!(all(&tables, frame).await, expected(&tables, frame).await, "{frame}");
            }
        });
    }
}

/// A database of the release before candles were derived, with minutes.
async fn earlier_release(folder: &std::path::Path, minutes: &[Candle]) {
    let store = Store::open(folder).await.unwrap();
    let version = |number, name, sql| TablesVersion { number, name, sql };
    let first = include_str!("../migrations/0001_samples_apart.sql");
    let second = include_str!("../migrations/0002_alerts.sql");
    let versions = [
        version(1, "samples apart", first),
        version(2, "alerts", second),
    ];
    let database = DomainDatabase::from(&store);
    let tables = database.tables("markets", &versions).await.unwrap();
    {
        let mut writer = tables.writer().await;
        let mut change = writer.begin("minutes of an earlier release").await.unwrap();
        for candle in minutes {
            sqlx::query("INSERT INTO candles VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
                .bind(EUR.code())
                .bind(M1.code())
                .bind(candle.time.0)
                .bind(candle.open.0)
                .bind(candle.high.0)
                .bind(candle.low.0)
                .bind(candle.close.0)
                .bind(candle.volume)
                .execute(change.connection())
                .await
                .unwrap();
        }
        change.commit().await.unwrap();
    }
    store.close().await.unwrap();
}
