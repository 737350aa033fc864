//! The stored candles and the simulated ones after them as one: what a chart shows and the tools read.

use std::sync::Arc;

use async_trait::async_trait;

use crate::{
    Candle, CandleStore, MOST, StoreError, Symbol, Time, Timeframe, Upserted,
    simulate::{Quote, REPLAYED, Simulated},
    told::{PriceSource, Source},
};

/// The real clock, in seconds since 1970.
pub type Clock = Arc<dyn Fn() -> f64 + Send + Sync>;

/// Candles that go on. As a [`CandleStore`] it gives simulated hours, the one that is being formed
/// included, after the stored ones; what is written is stored. Cheap to clone.
#[derive(Clone)]
pub struct Live {
    stored: Arc<dyn CandleStore>,
    clock: Clock,
    started: f64,
    speed: f64,
    /// Tells the price in place of the simulation.
    source: Option<Source>,
}

impl Live {
    /// Goes on from now, `speed` seconds of the market in a real one.
    pub fn new(stored: Arc<dyn CandleStore>, clock: Clock, speed: f64) -> Self {
        let started = clock();
        Self {
            stored,
            clock,
            started,
            speed,
            source: None,
        }
    }

    /// With the prices that a source tells. Nothing is simulated: candles end with the stored ones.
    pub fn told(stored: Arc<dyn CandleStore>, clock: Clock, source: Arc<dyn PriceSource>) -> Self {
        Self {
            source: Some(Source::new(source)),
            ..Self::new(stored, clock, 0.0)
        }
    }

    /// Stands still where the stored candles end.
    pub fn still(stored: Arc<dyn CandleStore>) -> Self {
        Self::new(stored, Arc::new(|| 0.0), 0.0)
    }

    /// The same at this one instant: all that is read through it fits together.
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

    /// The real clock.
    pub fn now(&self) -> f64 {
        (self.clock)()
    }

    /// What goes on after the stored hours of a symbol; none if there are no hours, or a source
    /// tells the price.
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
        Ok(Simulated::new(symbol, &hours, self.started, self.speed))
    }

    /// The price now; none if there are no hours.
    ///
    /// # Errors
    /// The store fails.
    pub async fn quote(&self, symbol: Symbol) -> Result<Option<Quote>, StoreError> {
        if let Some(source) = &self.source {
            return source.quote(symbol, self.now()).await;
        }
        let simulated = self.simulated(symbol).await?;
        Ok(simulated.map(|simulated| simulated.at(self.now())))
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

    async fn range(
        &self,
        symbol: Symbol,
        frame: Timeframe,
        from: Time,
        until: Time,
    ) -> Result<Vec<Candle>, StoreError> {
        let mut candles = self.stored.range(symbol, frame, from, until).await?;
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
        let mut candles = self.stored.last_n(symbol, frame, wanted, before).await?;
        candles.extend(hours);
        Ok(candles)
    }
}
