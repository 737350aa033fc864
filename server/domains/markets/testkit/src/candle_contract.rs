//! The contract of every store of candles.

use std::sync::Arc;

use markets::{Candle, CandleStore, Points, StoreError, Symbol, Time, Timeframe, Upserted, bars};

const EUR: Symbol = Symbol::EurUsd;
const H1: Timeframe = Timeframe::H1;

/// Sunday, 2 July 2017, 17:00 in New York.
const SUNDAY: i64 = 1_499_029_200;

/// Hourly candles of whole trading days, five a week, from a Sunday on.
pub fn weeks(count: i64) -> Vec<Candle> {
    let hours = (0..count).flat_map(|week| (0..120).map(move |hour| (week * 168 + hour) * 3_600));
    let each = hours.enumerate().map(|(index, second)| {
        let middle = 114_000 + (index as i64 * 37) % 900;
        Candle {
            time: Time(SUNDAY + second),
            open: Points(middle),
            high: Points(middle + 40 + index as i64 % 7),
            low: Points(middle - 30 - index as i64 % 5),
            close: Points(middle + 11),
            volume: 1_000_000_000 + index as i64,
        }
    });
    each.collect()
}

/// The whole contract, on a store without candles.
pub async fn run(store: Arc<dyn CandleStore>) {
    let all = weeks(3);
    empty(&*store).await;
    writing(&*store, &all).await;
    reading(&*store, &all).await;
    longer(&*store, &all).await;
    beside(&*store, &all).await;
    out_of_minutes(&*store).await;
    forgetting(&*store).await;
    counting(&*store);
    together(store).await;
}

async fn empty(store: &dyn CandleStore) {
    assert_eq!(store.latest(EUR, H1).await.unwrap(), None);
    assert!(store.last_n(EUR, H1, 5, None).await.unwrap().is_empty());
    let span = store.range(EUR, H1, Time(0), Time(i64::MAX)).await;
    assert!(span.unwrap().is_empty());
    let none = store.upsert(EUR, H1, &[]).await.unwrap();
    assert_eq!(none, Upserted::default());
}

/// Writing twice is fine, and the later value counts.
async fn writing(store: &dyn CandleStore, all: &[Candle]) {
    let counts = |written, unchanged| Upserted { written, unchanged };
    let length = all.len() as u64;
    // In any order.
    let backwards: Vec<_> = all.iter().rev().copied().collect();
    let first = store.upsert(EUR, H1, &backwards).await.unwrap();
    assert_eq!(first, counts(length, 0));
    let again = store.upsert(EUR, H1, all).await.unwrap();
    assert_eq!(again, counts(0, length));
    let mut other = all[7];
    other.close = Points(other.close.0 + 1);
    let one = store.upsert(EUR, H1, &[other, all[8]]).await.unwrap();
    assert_eq!(one, counts(1, 1));
    let back = store.upsert(EUR, H1, &all[7..8]).await.unwrap();
    assert_eq!(back, counts(1, 0));
    // Other symbols and timeframes are separate.
    let minutes = store.upsert(EUR, Timeframe::M1, &all[..1]).await.unwrap();
    assert_eq!(minutes, counts(1, 0));
    let pounds = store.upsert(Symbol::GbpUsd, H1, &all[..2]).await.unwrap();
    assert_eq!(pounds, counts(2, 0));
}

async fn reading(store: &dyn CandleStore, all: &[Candle]) {
    assert_eq!(store.latest(EUR, H1).await.unwrap(), all.last().copied());
    let newest = store.last_n(EUR, H1, 130, None).await.unwrap();
    assert_eq!(newest, all[all.len() - 130..]);
    let before = store.last_n(EUR, H1, 3, Some(all[10].time)).await.unwrap();
    assert_eq!(before, all[7..10]);
    assert_eq!(store.last_n(EUR, H1, 9_999, None).await.unwrap(), all);
    assert!(store.last_n(EUR, H1, 0, None).await.unwrap().is_empty());
    // The start is included, the end is not.
    let span = store.range(EUR, H1, all[3].time, all[6].time).await;
    assert_eq!(span.unwrap(), all[3..6]);
    let turned = store.range(EUR, H1, all[6].time, all[3].time).await;
    assert!(turned.unwrap().is_empty());
    // The weekend is a gap, and no bar is made up for it.
    let weekend = store
        .range(EUR, H1, all[119].time.plus(1), all[120].time)
        .await;
    assert!(weekend.unwrap().is_empty());
}

async fn longer(store: &dyn CandleStore, all: &[Candle]) {
    let (from, until) = (all[0].time, Time(i64::MAX));
    let days = store.resample(EUR, H1, Timeframe::D1, from, until).await;
    let days = days.unwrap();
    assert_eq!(days.len(), 15);
    for (day, hours) in days.iter().zip(all.chunks(24)) {
        assert_eq!(day.time, hours[0].time);
        assert_eq!(day.open, hours[0].open);
        assert_eq!(day.close, hours[23].close);
        assert_eq!(Some(day.high), hours.iter().map(|hour| hour.high).max());
        assert_eq!(Some(day.low), hours.iter().map(|hour| hour.low).min());
        let volume: i64 = hours.iter().map(|hour| hour.volume).sum();
        assert_eq!(day.volume, volume);
    }
    let weeks = store.resample(EUR, H1, Timeframe::W1, from, until).await;
    assert_eq!(weeks.unwrap().len(), 3);
    let fours = store.resample(EUR, H1, Timeframe::H4, from, until).await;
    assert_eq!(fours.unwrap().len(), 90);
    let same = store.resample(EUR, H1, H1, from, until).await;
    assert_eq!(same.unwrap(), all);
    let apart = store.resample(EUR, H1, Timeframe::M15, from, until).await;
    assert!(matches!(apart, Err(StoreError::NotDerived(_))), "{apart:?}");

    // The newest of a timeframe that is not stored, each of them whole.
    let newest = bars(store, EUR, Timeframe::D1, 4, None).await.unwrap();
    assert_eq!(newest, days[11..]);
    let before = bars(store, EUR, Timeframe::D1, 2, Some(days[5].time)).await;
    assert_eq!(before.unwrap(), days[3..5]);
    let more = bars(store, EUR, Timeframe::D1, 99, None).await.unwrap();
    assert_eq!(more, days);
}

/// A stored day counts in place of the one out of hours; the others stay.
async fn beside(store: &dyn CandleStore, all: &[Candle]) {
    let (from, until) = (all[0].time, Time(i64::MAX));
    let days = store.resample(EUR, H1, Timeframe::D1, from, until).await;
    let days = days.unwrap();
    let (mut own, mut early) = (days[13], days[0]);
    own.close = own.high;
    early.time = Time(SUNDAY - 7 * 86_400);
    let both = [own, early];
    store.upsert(EUR, Timeframe::D1, &both).await.unwrap();
    let shown = bars(store, EUR, Timeframe::D1, 3, None).await.unwrap();
    assert_eq!(shown, [days[12], own, days[14]]);
    let shown = bars(store, EUR, Timeframe::D1, 99, None).await.unwrap();
    assert_eq!((shown.len(), shown[0]), (16, early));
    store.forget(EUR, Timeframe::D1, &both).await.unwrap();
}

/// A minute after the beginning of the weeks.
fn minute(number: i64, price: i64) -> Candle {
    Candle {
        time: Time(SUNDAY + number * 60),
        open: Points(price),
        high: Points(price + 3),
        low: Points(price - 2),
        close: Points(price + 1),
        volume: number,
    }
}

/// Candles out of minutes are there at once, are corrected with them, and give way to written ones.
async fn out_of_minutes(store: &dyn CandleStore) {
    let (symbol, m1) = (Symbol::UsdJpy, Timeframe::M1);
    let minutes = [0, 1, 59, 60, 200].map(|number| minute(number, 110_000 + number));
    // In pieces, out of order.
    for part in [&minutes[3..], &minutes[..2], &minutes[1..4]] {
        store.upsert(symbol, m1, part).await.unwrap();
    }
    let hours = async || store.last_n(symbol, H1, 99, None).await.unwrap();
    let first = Candle {
        high: Points(110_062),
        close: Points(110_060),
        volume: 60,
        ..minutes[0]
    };
    let last = Candle {
        time: Time(SUNDAY + 10_800),
        ..minutes[4]
    };
    // No candle is made up for the hour without minutes.
    let second = minutes[3];
    assert_eq!(hours().await, [first, second, last]);
    let fives = store.last_n(symbol, Timeframe::M5, 99, None).await.unwrap();
    let opened: Vec<_> = fives.iter().map(|it| (it.time.0 - SUNDAY) / 60).collect();
    assert_eq!(opened, [0, 55, 60, 200]);

    // Added minutes leave those that are there.
    let added = [minute(0, 1), minute(61, 110_000)];
    let done = store.add(symbol, m1, &added).await.unwrap();
    assert_eq!((done.written, done.unchanged), (1, 1));
    let second = Candle {
        low: Points(109_998),
        close: Points(110_001),
        volume: 121,
        ..second
    };
    assert_eq!(hours().await, [first, second, last]);
    // A written hour counts until it is forgotten; the derived one is never lost.
    let own = Candle { volume: 7, ..first };
    store.upsert(symbol, H1, &[own]).await.unwrap();
    store.upsert(symbol, m1, &minutes).await.unwrap();
    assert_eq!(hours().await, [own, second, last]);
    let until = Time(i64::MAX);
    let written = store.written(symbol, H1, Time(0), until).await;
    assert_eq!(written.unwrap(), [own]);
    assert_eq!(store.forget(symbol, H1, &[own]).await.unwrap(), 1);
    let range = store.range(symbol, H1, first.time, last.time).await;
    assert_eq!(range.unwrap(), [first, second]);
    // Minutes that are gone leave nothing behind.
    let all = store.written(symbol, m1, Time(0), until).await.unwrap();
    store.forget(symbol, m1, &all).await.unwrap();
    assert!(hours().await.is_empty());
}

/// Only what is stored exactly so is deleted.
async fn forgetting(store: &dyn CandleStore) {
    let candles = weeks(1);
    let (first, rest) = candles.split_first().expect("candles");
    store.upsert(Symbol::GbpUsd, H1, &candles).await.unwrap();
    let other = Candle {
        volume: first.volume + 1,
        ..*first
    };
    store.upsert(Symbol::GbpUsd, H1, &[other]).await.unwrap();
    let gone = store.forget(Symbol::GbpUsd, H1, &candles).await.unwrap();
    assert_eq!(gone, rest.len() as u64);
    let left = store.last_n(Symbol::GbpUsd, H1, 999, None).await.unwrap();
    assert_eq!(left, [other]);
}

/// An import is counted when somebody says so, by symbol: a write is none.
fn counting(store: &dyn CandleStore) {
    assert_eq!(store.imports(EUR), 0);
    store.count_import(EUR);
    store.count_import(EUR);
    assert_eq!((store.imports(EUR), store.imports(Symbol::GbpUsd)), (2, 0));
}

/// Writers at the same time leave whole rows.
async fn together(store: Arc<dyn CandleStore>) {
    let candles = Arc::new(weeks(1));
    let tasks: Vec<_> = (0..4)
        .map(|_| {
            let (store, candles) = (Arc::clone(&store), Arc::clone(&candles));
            tokio::spawn(async move { store.upsert(Symbol::UsdJpy, H1, &candles).await })
        })
        .collect();
    let mut sum = Upserted::default();
    for task in tasks {
        sum += task.await.unwrap().unwrap();
    }
    assert_eq!((sum.written, sum.unchanged), (120, 360));
    let kept = store.last_n(Symbol::UsdJpy, H1, 999, None).await.unwrap();
    assert_eq!(kept, *candles);
}
