//! Minutes of a source's prices are there after the death of the process, each once.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::{
    collections::BTreeMap,
    path::Path,
    sync::{Arc, Mutex},
};

use async_trait::async_trait;
use markets::{
    Candle, CandleStore, Live, Points, PriceKeeper, PriceSource, Symbol, Time, Timeframe, aggregate,
};
use markets_tables::MarketsTables;
use store::Store;

const EUR: Symbol = Symbol::EurUsd;
const M1: Timeframe = Timeframe::M1;
/// Monday, 23 November 2026, 10:57 UTC.
const START: i64 = 1_795_431_420;
/// Seconds after which a price is unknown.
const SILENT: u32 = 10;

/// Prices in points by the second after the start: some minutes over a full hour, one of them without any.
static PRICES: [(i64, i64); 10] = [
    (0, 108_000),
    (20, 108_040),
    (59, 107_990),
    (60, 108_010),
    (95, 108_030),
    (180, 108_050),
    (239, 108_020),
    (240, 108_000),
    (241, 108_070),
    (299, 108_060),
];

/// A price with its time, and the time of the clock.
#[derive(Clone, Default)]
struct ScriptedPrice(Arc<Mutex<(i64, i64, i64)>>);

#[async_trait]
impl PriceSource for ScriptedPrice {
    async fn read(&self) -> Result<String, String> {
        let (at, ask, _) = *self.0.lock().unwrap();
        let (at, ask) = (Time(START + at), EUR.show(Points(ask)));
        Ok(format!(
            r#"{{"EURUSD":{{"bid":{ask},"ask":{ask},"at":"{at}"}}}}"#
        ))
    }
}

impl ScriptedPrice {
    fn says(&self, (at, ask): (i64, i64)) {
        *self.0.lock().unwrap() = (at, ask, at);
    }

    fn waits_until(&self, second: i64) {
        self.0.lock().unwrap().2 = second;
    }
}

/// One life of the process.
struct KeptPrices {
    source: ScriptedPrice,
    live: Live,
    keeper: PriceKeeper,
    tables: MarketsTables,
}

impl KeptPrices {
    async fn begin(folder: &Path, source: &ScriptedPrice) -> Self {
        let store = Store::open(folder).await.unwrap();
        let tables = MarketsTables::open(&store).await.unwrap();
        let clock = source.clone();
        let live = Live::told(
            Arc::new(tables.clone()),
            Arc::new(move || (START + clock.0.lock().unwrap().2) as f64),
            Arc::new(source.clone()),
            SILENT,
        );
        Self {
            source: source.clone(),
            keeper: PriceKeeper::new(live.clone()),
            live,
            tables,
        }
    }

    /// A price comes, charts are right at once, and what has closed is stored.
    async fn hears(&self, price: (i64, i64), expect: &[Candle]) {
        self.source.says(price);
        self.live.quote(EUR).await.unwrap();
        assert_eq!(all(&self.live, M1).await, expect);
        self.keeper.round().await.unwrap();
        assert_eq!(all(&self.live, M1).await, expect);
        for frame in [Timeframe::M5, Timeframe::H1] {
            let minutes = expect.iter().copied();
            let derived = aggregate(EUR, minutes, M1, frame).unwrap();
            assert_eq!(all(&self.live, frame).await, derived, "{frame}");
            let newest = self.live.last_n(EUR, frame, 1, None).await.unwrap();
            assert_eq!(newest.last(), derived.last(), "{frame}");
        }
    }
}

async fn all(store: &dyn CandleStore, frame: Timeframe) -> Vec<Candle> {
    let all = store.range(EUR, frame, Time(0), Time(i64::MAX)).await;
    all.unwrap()
}

/// A minute that was imported before, in which a price comes too.
fn imported() -> Candle {
    Candle {
        time: Time(START + 60),
        open: Points(107_000),
        high: Points(107_009),
        low: Points(107_000),
        close: Points(107_001),
        volume: 9,
    }
}

/// The candles of prices.
fn candles(prices: impl Iterator<Item = (i64, i64)>) -> Vec<Candle> {
    let mut minutes = BTreeMap::from([(imported().time, imported())]);
    for (at, ask) in prices {
        let (time, price) = (Time(START + at / 60 * 60), Points(ask));
        if time == imported().time {
            continue;
        }
        let minute = minutes.entry(time).or_insert(Candle {
            time,
            open: price,
            high: price,
            low: price,
            close: price,
            volume: 0,
        });
        minute.high = minute.high.max(price);
        minute.low = minute.low.min(price);
        minute.close = price;
    }
    minutes.into_values().collect()
}

/// The prices up to one, if the process has died after so many: those of the minute that was forming are
/// gone, but for the last, which the source says again.
fn told(until: usize, died: usize) -> impl Iterator<Item = (i64, i64)> {
    let last = died.saturating_sub(1);
    let forming = PRICES[last].0 / 60;
    let lost = move |number: usize, at: i64| died < until && number < last && at / 60 == forming;
    let numbered = PRICES[..until].iter().copied().enumerate();
    numbered.filter_map(move |(number, price)| (!lost(number, price.0)).then_some(price))
}

#[tokio::test]
async fn minutes_of_a_source_are_kept_once() {
    for died in 1..PRICES.len() {
        let folder = tempfile::tempdir().unwrap();
        let source = ScriptedPrice::default();
        let mut life = KeptPrices::begin(folder.path(), &source).await;
        life.tables.upsert(EUR, M1, &[imported()]).await.unwrap();
        for (number, price) in PRICES.iter().copied().enumerate() {
            if number == died {
                // Nothing is closed or told to end.
                drop(life);
                life = KeptPrices::begin(folder.path(), &source).await;
                life.keeper.round().await.unwrap();
            }
            let expect = candles(told(number + 1, died));
            life.hears(price, &expect).await;
        }
        // The last minute closes by the clock, once, whatever the source repeats.
        let expect = candles(told(PRICES.len(), died));
        source.waits_until(300 + 9);
        assert_eq!(life.keeper.round().await.unwrap(), 0);
        source.waits_until(300 + 10);
        assert_eq!(life.keeper.round().await.unwrap(), 1);
        drop(life);
        let life = KeptPrices::begin(folder.path(), &source).await;
        assert_eq!(life.keeper.round().await.unwrap(), 0);
        assert_eq!(all(&life.tables, M1).await, expect, "died after {died}");
        assert_eq!(all(&life.live, M1).await, expect);
        // Two hours, and a gap that stays one.
        assert_eq!(all(&life.tables, Timeframe::H1).await.len(), 2);
        let gap = Time(START + 120);
        assert!(expect.iter().all(|minute| minute.time != gap));
    }
}

/// The forming hour that a page gets goes on after a restart.
#[tokio::test]
async fn the_forming_hour_has_what_was_before_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let source = ScriptedPrice::default();
    let life = KeptPrices::begin(folder.path(), &source).await;
    for price in [(0, 108_000), (5, 108_090), (65, 108_010)] {
        source.says(price);
        life.keeper.round().await.unwrap();
    }
    drop(life);
    source.says((70, 108_020));
    let life = KeptPrices::begin(folder.path(), &source).await;
    let bar = life.live.quote(EUR).await.unwrap().unwrap().bar;
    let hour = Candle {
        time: Time(START - 57 * 60),
        open: Points(108_000),
        high: Points(108_090),
        low: Points(108_000),
        close: Points(108_020),
        volume: 0,
    };
    assert_eq!(bar, hour);
    assert_eq!(all(&life.live, Timeframe::H1).await, [hour]);
}
