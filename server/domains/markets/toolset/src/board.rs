//! Board of the charts: everybody's drawings with their checks against the chart, the alerts, and the
//! current prices. What one person alone sees is never on it: all tabs share it.

mod conditions;

use std::{collections::BTreeSet, time::Duration};

pub(crate) use self::conditions::MarketNotices;
pub use self::conditions::NOTICES;
use crate::{
    Candle, CandleStore, Live, StoreError, Symbol, Time,
    candle_folder::FolderProblems,
    check,
    drawing::{Drawing, DrawingReader},
    tools::draw::{Chart, listed_result},
};
use agent::ports::{Board, Picture, Screen, Survey};
use async_trait::async_trait;
use markets_wire::{CandleRow, LastPrice, PricePart, Quoted};
use protocol::Timestamp;
use serde::Serialize;
use serde_json::{Value, json};
use tokio::task::JoinSet;

/// Interval between updates of the prices.
const PACE: Duration = Duration::from_secs(1);
/// Price updates per reload of the drawings without a write: new candles may have arrived.
const ROUND: u32 = 60;
/// Begins the key of an alert.
const ALERT: &str = "alert/";
/// Counts the writes of drawings that one person alone sees: pages read theirs again.
const OWN: &str = "own/written";
/// Begins the key of a symbol's imports of candles: pages read theirs again when the number changes.
const CANDLES: &str = "candles/";
/// Drawings of a symbol on the board, the newest ones.
pub(crate) const MOST_DRAWINGS: usize = 500;

pub(crate) struct Charts {
    pub(crate) live: Live,
    pub(crate) chart: Chart,
    pub(crate) notices: MarketNotices,
    pub(crate) folder: FolderProblems,
}

#[async_trait]
impl Board for Charts {
    async fn watch(&self, screen: Screen) {
        let mut written = self.chart.charts.written();
        // `None` until they could be read: unknown is not the same as no drawings.
        let (mut drawings, mut left) = (None, 0);
        loop {
            // Marked as seen before the read, so that a write meanwhile triggers another one.
            let is_new = written.has_changed().unwrap_or_default();
            written.mark_unchanged();
            if is_new || left == 0 {
                match self.drawings().await {
                    Ok(now) => (drawings, left) = (Some(now), ROUND),
                    Err(error) => {
                        tell(&error);
                        left = 1;
                    }
                }
            }
            left = left.saturating_sub(1);
            if let Some(mut picture) = drawings.clone() {
                self.judge(&mut picture);
                for (file, why) in self.folder.all() {
                    picture.insert(format!("file/{file}"), json!({ "problem": why }));
                }
                for symbol in Symbol::all() {
                    let imports = self.live.imports(symbol);
                    if imports > 0 {
                        picture.insert(format!("{CANDLES}{symbol}"), json!(imports));
                    }
                }
                let declared = Symbol::all().into_iter().filter(|it| it.is_declared());
                for symbol in declared {
                    picture.insert(format!("symbol/{symbol}"), json!(symbol.instrument()));
                }
                match self.prices(&mut picture).await {
                    Ok(()) => screen.show(picture),
                    Err(error) => tell(&error),
                }
            }
            tokio::select! {
                Ok(()) = written.changed() => written.mark_changed(),
                () = tokio::time::sleep(PACE) => {}
            }
        }
    }

    fn is_guarded(&self) -> bool {
        self.notices.are_enabled
    }

    fn survey(&self, picture: &Picture, known: &BTreeSet<String>, now: Timestamp) -> Survey {
        self.notices.survey(picture, known, now)
    }
}

/// Logs the error; the board stays as it was, and the next round tries again.
fn tell(error: &StoreError) {
    tracing::warn!(%error, "the charts cannot be read");
}

fn json(part: &impl Serialize) -> Result<Value, StoreError> {
    serde_json::to_value(part).map_err(|error| StoreError::Damaged(error.to_string()))
}

/// A drawing as pages get it.
pub(crate) fn drawing_part(drawing: Drawing, bars: &[Candle]) -> Result<Value, StoreError> {
    let result = listed_result(&drawing);
    let mut part = json(&check::part(drawing, bars))?;
    if let Some(result) = result {
        part["result"] = result;
    }
    Ok(part)
}

/// A candle as pages get it.
pub(crate) fn candle_row(symbol: Symbol, candle: &Candle) -> CandleRow {
    let number = |points| symbol.number(points);
    CandleRow {
        time: candle.time.0,
        open: number(candle.open),
        high: number(candle.high),
        low: number(candle.low),
        close: number(candle.close),
        volume: candle.volume,
    }
}

/// The current price of a symbol with its newest minutes.
async fn quoted(live: &Live, symbol: Symbol) -> Result<Option<Quoted<Time>>, StoreError> {
    let Some(quote) = live.quote(symbol).await? else {
        return Ok(None);
    };
    // After the price, which is in the last of them.
    let minutes = live.newest_minutes(symbol).await?;
    Ok(Some(Quoted {
        minutes: minutes.iter().map(|it| candle_row(symbol, it)).collect(),
        ..quote.part()
    }))
}

impl Charts {
    async fn drawings(&self) -> Result<Picture, StoreError> {
        let mut picture = Picture::new();
        for symbol in Symbol::all() {
            let all = self
                .chart
                .charts
                .drawings(DrawingReader::Anybody, symbol)
                .await?;
            if all.is_empty() {
                continue;
            }
            let bars = self.chart.charts.bars(symbol).await?;
            for drawing in all.into_iter().rev().take(MOST_DRAWINGS) {
                let key = format!("drawing/{}", drawing.id);
                picture.insert(key, drawing_part(drawing, &bars)?);
            }
        }
        let private = self.chart.charts.private_writes();
        if private > 0 {
            picture.insert(OWN.to_owned(), json!(private));
        }
        let now = Time(self.chart.env.now().0.div_euclid(1_000));
        for part in self.chart.alerts.parts(now).await? {
            picture.insert(format!("{ALERT}{}", part.alert.id), json(&part)?);
        }
        Ok(picture)
    }

    /// Says of each alert why it cannot be judged now.
    fn judge(&self, picture: &mut Picture) {
        let is_alert = |key: &String| key.starts_with(ALERT);
        for (key, part) in picture.iter_mut().filter(|(key, _)| is_alert(key)) {
            let id = key.strip_prefix(ALERT).unwrap_or_default();
            match (self.chart.alerts.unknown(id), part.as_object_mut()) {
                (Some(why), Some(part)) => part.insert("unknown".to_owned(), why.into()),
                (None, Some(part)) => part.remove("unknown"),
                (_, None) => None,
            };
        }
    }

    async fn prices(&self, picture: &mut Picture) -> Result<(), StoreError> {
        // At the same time: a source that hangs costs its time limit once, not for each symbol.
        let mut asked = JoinSet::new();
        for symbol in Symbol::all() {
            let live = self.live.clone();
            asked.spawn(async move { (symbol, quoted(&live, symbol).await) });
        }
        while let Some(done) = asked.join_next().await {
            let (symbol, quote) = done.map_err(|error| StoreError::Failed(error.to_string()))?;
            let part = match quote {
                Ok(Some(now)) => PricePart::Known(now),
                Ok(None) => continue,
                // The drawings are known anyway.
                Err(StoreError::Source(price)) => PricePart::Unknown {
                    symbol,
                    unknown: price.reason,
                    last: price.last.map(|(bid, ask, at, age_s)| LastPrice {
                        bid: symbol.number(bid),
                        ask: symbol.number(ask),
                        at,
                        age_s,
                    }),
                },
                Err(error) => return Err(error),
            };
            picture.insert(format!("price/{symbol}"), json(&part)?);
        }
        Ok(())
    }
}
