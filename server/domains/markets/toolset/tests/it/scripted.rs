//! A source of prices that a test scripts, and a toolset on it whose databases survive a restart.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use markets::{CandleStore, Live, Markets, PriceSource, Symbol, Time, intake};
use markets_testkit::{MemoryAlerts, MemoryCandles, MemoryDrawings, MemoryRecords};
use serde_json::json;
use testkit::FixedEnv;

/// What the source says, and the time of the clock.
struct SaidPrice {
    text: Result<String, String>,
    now: f64,
}

#[derive(Clone)]
pub(crate) struct ScriptedSource(Arc<Mutex<SaidPrice>>);

#[async_trait]
impl PriceSource for ScriptedSource {
    async fn read(&self) -> Result<String, String> {
        self.0.lock().unwrap().text.clone()
    }
}

impl ScriptedSource {
    /// It says a price of EURUSD with its time; the clock follows.
    pub(crate) fn says(&self, at: &str, bid: f64, ask: f64) {
        let mut said = self.0.lock().unwrap();
        said.now = Time::parse(at).unwrap().0 as f64;
        said.text = Ok(json!({ "EURUSD": { "bid": bid, "ask": ask, "at": at } }).to_string());
    }

    /// It says anything at all.
    pub(crate) fn says_text(&self, text: Result<&str, &str>) {
        self.0.lock().unwrap().text = text.map(str::to_owned).map_err(str::to_owned);
    }

    /// The clock goes on, and the source says nothing new.
    pub(crate) fn waits(&self, seconds: f64) {
        self.0.lock().unwrap().now += seconds;
    }
}

/// Databases and a source.
pub(crate) struct ScriptedMarket {
    pub(crate) source: ScriptedSource,
    pub(crate) candles: Arc<MemoryCandles>,
    records: Arc<MemoryRecords>,
    drawings: Arc<MemoryDrawings>,
    pub(crate) alerts: Arc<MemoryAlerts>,
}

impl ScriptedMarket {
    pub(crate) async fn new() -> Self {
        let (candles, records) = (MemoryCandles::default(), MemoryRecords::default());
        intake::samples(&candles, &records).await.unwrap();
        Self {
            source: ScriptedSource(Arc::new(Mutex::new(SaidPrice {
                text: Err("it has said nothing yet".to_owned()),
                now: 0.0,
            }))),
            candles: Arc::new(candles),
            records: Arc::new(records),
            drawings: Arc::default(),
            alerts: Arc::default(),
        }
    }

    pub(crate) fn live(&self) -> Live {
        let said = Arc::clone(&self.source.0);
        Live::told(
            Arc::clone(&self.candles) as Arc<dyn CandleStore>,
            Arc::new(move || said.lock().unwrap().now),
            Arc::new(self.source.clone()),
            10,
        )
    }

    /// A toolset on them, as after a restart.
    pub(crate) fn start(&self) -> Markets {
        let markets = Markets::new(
            self.live(),
            Arc::clone(&self.records) as _,
            Arc::clone(&self.drawings) as _,
            Arc::clone(&self.alerts) as _,
            Arc::new(FixedEnv::default()),
        );
        markets.watched(&[])
    }

    /// Hours of EURUSD, each with its highest and lowest price.
    pub(crate) async fn hours(&self, hours: &[(&str, f64, f64)]) {
        let candles: Vec<_> = hours
            .iter()
            .map(|(time, high, low)| markets::Candle {
                time: Time::parse(time).unwrap(),
                open: Symbol::EurUsd.round(*low),
                high: Symbol::EurUsd.round(*high),
                low: Symbol::EurUsd.round(*low),
                close: Symbol::EurUsd.round(*high),
                volume: 1,
            })
            .collect();
        self.candles
            .upsert(Symbol::EurUsd, markets::Timeframe::H1, &candles)
            .await
            .unwrap();
    }
}
