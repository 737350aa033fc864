//! Stored candles followed by simulated ones, or by those that form out of a source's prices, as charts and
//! tools read them.

use std::sync::Arc;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::{
    Candle, CandleStore, DERIVED, FactStore, MOST, StoreError, Symbol, Time, Timeframe, Upserted,
    aggregate, merged,
    passed_prices::PassedPrices,
    price_source::{PriceSource, Source},
    session,
    simulate::{Quote, REPLAYED, Simulated},
};

/// Source of the real time, in seconds since 1970.
pub type Clock = Arc<dyn Fn() -> f64 + Send + Sync>;

/// Minutes of a source that are stored in one transaction.
const KEPT: usize = 500;

/// The fact that tells the progress of the simulated market.
const PROGRESS: &str = "simulation";

/// The candles of a symbol that open in `from..until`.
struct CandleSpan {
    symbol: Symbol,
    frame: Timeframe,
    from: Time,
    until: Time,
}

/// MarketProgress of the simulated market.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct MarketProgress {
    /// Real time from which it counts, in seconds since 1970.
    since: f64,
    /// Seconds of the market that had passed by then.
    elapsed: f64,
    speed: f64,
}

impl MarketProgress {
    fn at(self, now: f64) -> f64 {
        self.elapsed + (now - self.since).max(0.0) * self.speed
    }
}

/// Candles that continue in real time. As a [`CandleStore`] it returns simulated hours, including
/// the one that is forming, after the stored ones, or what forms out of a source's prices; writes go to the
/// stored ones. Cheap to clone.
#[derive(Clone)]
pub struct Live {
    stored: Arc<dyn CandleStore>,
    clock: Clock,
    started: f64,
    speed: f64,
    /// Seconds of the market that had passed before.
    already: f64,
    /// Source of prices in place of the simulation.
    source: Option<Source>,
}

impl Live {
    /// Continues from now; `speed` seconds of the market pass in a real one.
    pub fn new(stored: Arc<dyn CandleStore>, clock: Clock, speed: f64) -> Self {
        let started = clock();
        Self {
            stored,
            clock,
            started,
            speed,
            already: 0.0,
            source: None,
        }
    }

    /// The same, going on from where the simulated market was when the server last ran: it goes on
    /// as if it had never stopped, and never goes back.
    ///
    /// # Errors
    /// The store fails.
    pub async fn resumed(self, facts: &dyn FactStore) -> Result<Self, StoreError> {
        let now = self.now();
        let kept = facts.fact(PROGRESS).await?;
        // What cannot be read is of a newer release, and counts as nothing.
        let kept: Option<MarketProgress> = kept.and_then(|text| serde_json::from_str(&text).ok());
        let progress = match kept {
            Some(kept) if kept.speed == self.speed => kept,
            // Another speed counts from now on.
            kept => MarketProgress {
                since: now,
                elapsed: kept.map_or(0.0, |kept| kept.at(now)),
                speed: self.speed,
            },
        };
        if kept != Some(progress) {
            let text = serde_json::to_string(&progress);
            let text = text.map_err(|error| StoreError::Damaged(error.to_string()))?;
            facts.put_fact(PROGRESS, &text).await?;
        }
        Ok(Self {
            started: progress.since,
            already: progress.elapsed,
            ..self
        })
    }

    /// Uses the prices of a source. Nothing is simulated: after the stored candles come those that form
    /// out of these prices. A price counts as unknown once it is older than `silent` seconds.
    pub fn told(
        stored: Arc<dyn CandleStore>,
        clock: Clock,
        source: Arc<dyn PriceSource>,
        silent: u32,
    ) -> Self {
        Self {
            source: Some(Source::new(source, silent)),
            ..Self::new(stored, clock, 0.0)
        }
    }

    /// Stops where the stored candles end.
    pub fn still(stored: Arc<dyn CandleStore>) -> Self {
        Self::new(stored, Arc::new(|| 0.0), 0.0)
    }

    /// A copy fixed at the current instant, so that everything read through it is consistent.
    #[must_use]
    pub fn pinned(&self) -> Self {
        let now = self.now();
        Self {
            clock: Arc::new(move || now),
            ..self.clone()
        }
    }

    /// The candles without the simulated ones.
    pub fn stored(&self) -> &Arc<dyn CandleStore> {
        &self.stored
    }

    /// The real time in seconds since 1970.
    pub fn now(&self) -> f64 {
        (self.clock)()
    }

    /// The market's time: that of the price, or the real one while a source's price is unknown;
    /// `None` without stored hours.
    ///
    /// # Errors
    /// The store fails.
    pub async fn market_time(&self, symbol: Symbol) -> Result<Option<Time>, StoreError> {
        match self.quote(symbol).await {
            Ok(quote) => Ok(quote.map(|quote| quote.time)),
            Err(StoreError::Source(_)) => Ok(Some(Time(self.now() as i64))),
            Err(error) => Err(error),
        }
    }

    /// The simulation after the stored hours of a symbol; `None` without hours, or with a source.
    ///
    /// # Errors
    /// The store fails.
    pub async fn simulated(&self, symbol: Symbol) -> Result<Option<Simulated>, StoreError> {
        if self.source.is_some() {
            return Ok(None);
        }
        let hours = self
            .stored
            .last_n(symbol, Timeframe::H1, REPLAYED + 1, None)
            .await?;
        let simulated = Simulated::new(symbol, &hours, self.started, self.speed);
        Ok(simulated.map(|simulated| simulated.after(self.already)))
    }

    /// The known prices of a source.
    pub(crate) fn passed(&self) -> Option<&PassedPrices> {
        self.source.as_ref().map(|source| &*source.passed)
    }

    /// The current price; `None` without stored hours.
    ///
    /// # Errors
    /// The store fails.
    pub async fn quote(&self, symbol: Symbol) -> Result<Option<Quote>, StoreError> {
        if let Some(source) = &self.source {
            let Some(mut quote) = source.quote(symbol, || self.now()).await? else {
                return Ok(None);
            };
            if let Some(hour) = source.partial_hour(symbol) {
                let end = hour.plus(Timeframe::H1.seconds());
                let minutes = self.stored.range(symbol, Timeframe::M1, hour, end).await?;
                let stored = aggregate(symbol, minutes, Timeframe::M1, Timeframe::H1)?.pop();
                quote.bar = source.complete(symbol, stored).unwrap_or(quote.bar);
            }
            return Ok(Some(quote));
        }
        let simulated = self.simulated(symbol).await?;
        Ok(simulated.map(|simulated| simulated.at(self.now())))
    }

    /// The newest minutes of a source, oldest first: the forming one, and the one before it, as every reader has
    /// them. None while nothing forms.
    ///
    /// # Errors
    /// The store fails.
    pub(crate) async fn newest_minutes(&self, symbol: Symbol) -> Result<Vec<Candle>, StoreError> {
        if self.forming(symbol, Timeframe::M1).is_empty() {
            return Ok(Vec::new());
        }
        self.last_n(symbol, Timeframe::M1, 2, None).await
    }

    /// Stores minutes of a source that have closed; those that are stored already stay as they are.
    /// Returns the number of new ones.
    ///
    /// # Errors
    /// The store fails. The minutes wait then.
    pub(crate) async fn keep(&self, symbol: Symbol) -> Result<u64, StoreError> {
        let Some(source) = &self.source else {
            return Ok(0);
        };
        let closed = source.closed(symbol, self.now(), KEPT);
        if closed.is_empty() {
            return Ok(0);
        }
        let done = self.stored.add(symbol, Timeframe::M1, &closed).await?;
        // Not before: until then they are read from memory.
        source.stored(symbol, &closed);
        Ok(done.written)
    }

    /// Like [`CandleStore::range`], without what forms out of a source's prices.
    ///
    /// # Errors
    /// The store fails.
    pub(crate) async fn given(
        &self,
        symbol: Symbol,
        frame: Timeframe,
        from: Time,
        until: Time,
    ) -> Result<Vec<Candle>, StoreError> {
        if self.source.is_some() {
            self.stored.written(symbol, frame, from, until).await
        } else {
            self.range(symbol, frame, from, until).await
        }
    }

    /// The minutes of a source that are not stored, as far as they matter for a timeframe. To be read
    /// before the stored candles: what is stored in between is in both, and otherwise would be in neither.
    fn forming(&self, symbol: Symbol, frame: Timeframe) -> Vec<Candle> {
        match &self.source {
            Some(source) if frame == Timeframe::M1 || DERIVED.contains(&frame) => {
                source.minutes(symbol)
            }
            _ => Vec::new(),
        }
    }

    /// The stored candles of a span with those in which such minutes are.
    async fn with_forming(
        &self,
        span: CandleSpan,
        forming: Vec<Candle>,
        stored: Vec<Candle>,
    ) -> Result<Vec<Candle>, StoreError> {
        let CandleSpan {
            symbol,
            frame,
            from,
            until,
        } = span;
        let opened = |minute: &Candle| session::open_of(symbol, frame, minute.time);
        let mut opens = forming.iter().map(opened);
        let Some(first) = opens.find(|open| (from..until).contains(open)) else {
            return Ok(stored);
        };
        let last = opens.take_while(|open| *open < until).last();
        let end = last.unwrap_or(first).plus(frame.seconds());
        let inside = |minute: &Candle| (first..end).contains(&minute.time);
        let minutes = self.stored.range(symbol, Timeframe::M1, first, end).await?;
        let minutes = merged(minutes, forming.iter().copied().filter(inside));
        let mut fresh = aggregate(symbol, minutes, Timeframe::M1, frame)?;
        if frame != Timeframe::M1 {
            let written = self.stored.written(symbol, frame, first, end).await?;
            fresh = merged(written, fresh);
        }
        Ok(merged(fresh, stored))
    }
}

#[async_trait]
impl CandleStore for Live {
    async fn upsert(
        &self,
        symbol: Symbol,
        frame: Timeframe,
        candles: &[Candle],
    ) -> Result<Upserted, StoreError> {
        self.stored.upsert(symbol, frame, candles).await
    }

    async fn add(
        &self,
        symbol: Symbol,
        frame: Timeframe,
        candles: &[Candle],
    ) -> Result<Upserted, StoreError> {
        self.stored.add(symbol, frame, candles).await
    }

    async fn written(
        &self,
        symbol: Symbol,
        frame: Timeframe,
        from: Time,
        until: Time,
    ) -> Result<Vec<Candle>, StoreError> {
        self.stored.written(symbol, frame, from, until).await
    }

    async fn forget(
        &self,
        symbol: Symbol,
        frame: Timeframe,
        candles: &[Candle],
    ) -> Result<u64, StoreError> {
        self.stored.forget(symbol, frame, candles).await
    }

    fn count_import(&self, symbol: Symbol) {
        self.stored.count_import(symbol);
    }

    fn imports(&self, symbol: Symbol) -> u64 {
        self.stored.imports(symbol)
    }

    async fn range(
        &self,
        symbol: Symbol,
        frame: Timeframe,
        from: Time,
        until: Time,
    ) -> Result<Vec<Candle>, StoreError> {
        let forming = self.forming(symbol, frame);
        let candles = self.stored.range(symbol, frame, from, until).await?;
        let span = CandleSpan {
            symbol,
            frame,
            from,
            until,
        };
        let mut candles = self.with_forming(span, forming, candles).await?;
        candles.truncate(MOST);
        if frame == Timeframe::H1
            && candles.len() < MOST
            && let Some(simulated) = self.simulated(symbol).await?
            && simulated.end() < until
        {
            let hours = simulated.hours(self.now(), Some(until), MOST);
            candles.extend(hours.into_iter().filter(|hour| hour.time >= from));
            candles.truncate(MOST);
        }
        Ok(candles)
    }

    async fn last_n(
        &self,
        symbol: Symbol,
        frame: Timeframe,
        count: usize,
        before: Option<Time>,
    ) -> Result<Vec<Candle>, StoreError> {
        let count = count.min(MOST);
        let simulated = match frame {
            Timeframe::H1 => self.simulated(symbol).await?,
            _ => None,
        };
        let hours = simulated.map_or_else(Vec::new, |simulated| {
            simulated.hours(self.now(), before, count)
        });
        let wanted = count - hours.len().min(count);
        let forming = self.forming(symbol, frame);
        let candles = self.stored.last_n(symbol, frame, wanted, before).await?;
        let span = CandleSpan {
            symbol,
            frame,
            from: Time(i64::MIN),
            until: before.unwrap_or(Time(i64::MAX)),
        };
        let mut candles = self.with_forming(span, forming, candles).await?;
        let surplus = candles.len().saturating_sub(wanted);
        candles.drain(..surplus);
        candles.extend(hours);
        Ok(candles)
    }
}
