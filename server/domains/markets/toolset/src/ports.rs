//! Ports to a database. `store` implements them; `testkit` has their contract tests.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use async_trait::async_trait;

use crate::{
    Candle, NotDerived, RecordKind, RecordRow, Symbol, Time, Timeframe, aggregate, merged,
    price_source::UnknownPrice,
};

/// Limit on the candles of an answer, whatever the request.
pub const MOST: usize = 100_000;

/// Reason that a store failed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The identifier does not exist.
    #[error("not found")]
    NotFound,
    #[error(transparent)]
    NotDerived(#[from] NotDerived),
    /// The stored data is corrupt.
    #[error("what is stored is damaged: {0}")]
    Damaged(String),
    /// The configured source of prices gives none that can be used.
    #[error("the price is not known: {0}")]
    Source(Box<UnknownPrice>),
    /// The database failed.
    #[error("the database failed: {0}")]
    Failed(String),
}

/// Result of a write.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Upserted {
    /// Rows that are new or changed.
    pub written: u64,
    /// Rows already stored with the same content.
    pub unchanged: u64,
}

impl std::ops::AddAssign for Upserted {
    fn add_assign(&mut self, other: Self) {
        self.written += other.written;
        self.unchanged += other.unchanged;
    }
}

/// Imports of candles since the process started, by symbol. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct ImportCounts(Arc<Mutex<HashMap<Symbol, u64>>>);

impl ImportCounts {
    pub fn raise(&self, symbol: Symbol) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *counts.entry(symbol).or_default() += 1;
    }

    pub fn of(&self, symbol: Symbol) -> u64 {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.get(&symbol).copied().unwrap_or_default()
    }
}

/// Store of candles by symbol, timeframe and opening time. In the timeframes of [`DERIVED`](crate::DERIVED)
/// it has those that were written and, where there is none, those that the minutes give.
#[async_trait]
pub trait CandleStore: Send + Sync {
    /// Writes candles, replacing those with the same opening time. All or none, and idempotent.
    async fn upsert(
        &self,
        symbol: Symbol,
        frame: Timeframe,
        candles: &[Candle],
    ) -> Result<Upserted, StoreError>;

    /// Writes candles where there is none with the same opening time; the others stay. All or none, and
    /// idempotent.
    async fn add(
        &self,
        symbol: Symbol,
        frame: Timeframe,
        candles: &[Candle],
    ) -> Result<Upserted, StoreError>;

    /// Like [`Self::range`], without derived candles.
    async fn written(
        &self,
        symbol: Symbol,
        frame: Timeframe,
        from: Time,
        until: Time,
    ) -> Result<Vec<Candle>, StoreError>;

    /// The candles that open in `from..until`, oldest first, at most [`MOST`].
    async fn range(
        &self,
        symbol: Symbol,
        frame: Timeframe,
        from: Time,
        until: Time,
    ) -> Result<Vec<Candle>, StoreError>;

    /// The newest `count` candles that open before `before`, oldest first.
    async fn last_n(
        &self,
        symbol: Symbol,
        frame: Timeframe,
        count: usize,
        before: Option<Time>,
    ) -> Result<Vec<Candle>, StoreError>;

    /// Deletes candles that are stored exactly so. Returns their number.
    async fn forget(
        &self,
        symbol: Symbol,
        frame: Timeframe,
        candles: &[Candle],
    ) -> Result<u64, StoreError>;

    /// Counts an import of a symbol's candles once it is done: open charts read theirs again. A write does not
    /// do so, for an import has many.
    fn count_import(&self, _symbol: Symbol) {}

    /// The imports of a symbol's candles since the process started.
    fn imports(&self, _symbol: Symbol) -> u64 {
        0
    }

    /// The newest candle.
    async fn latest(&self, symbol: Symbol, frame: Timeframe) -> Result<Option<Candle>, StoreError> {
        let newest = self.last_n(symbol, frame, 1, None).await?;
        Ok(newest.last().copied())
    }

    /// The candles of `from..until` aggregated to longer ones, oldest first. A candle that extends
    /// beyond the range is incomplete.
    async fn resample(
        &self,
        symbol: Symbol,
        source: Timeframe,
        into: Timeframe,
        from: Time,
        until: Time,
    ) -> Result<Vec<Candle>, StoreError> {
        if into < source {
            return Err(NotDerived { from: source, into }.into());
        }
        let candles = self.range(symbol, source, from, until).await?;
        Ok(aggregate(symbol, candles, source, into)?)
    }
}

/// Store of calendar rows, headlines, reports and trades, each by kind and identifier. Only the
/// toolset knows their contents, but for the field `synthetic` of samples: once a kind has a row that
/// is none, its samples are in no answer.
#[async_trait]
pub trait RecordStore: Send + Sync {
    /// Writes rows, replacing those with the same kind and identifier. All or none.
    async fn put(&self, kind: RecordKind, rows: &[RecordRow]) -> Result<Upserted, StoreError>;

    /// The rows of `from..until`, oldest first and then by identifier, at most `most`. `about`
    /// restricts them to one key.
    async fn between(
        &self,
        kind: RecordKind,
        about: Option<&str>,
        from: Time,
        until: Time,
        most: usize,
    ) -> Result<Vec<RecordRow>, StoreError>;

    /// The newest `count` rows up to and including `until`, oldest first.
    async fn newest(
        &self,
        kind: RecordKind,
        about: Option<&str>,
        until: Time,
        count: usize,
    ) -> Result<Vec<RecordRow>, StoreError>;

    /// Deletes the samples of all kinds. Returns their number.
    async fn forget_samples(&self) -> Result<u64, StoreError>;
}

/// Store of a few facts that survive a restart, each a text by name.
#[async_trait]
pub trait FactStore: Send + Sync {
    async fn fact(&self, name: &str) -> Result<Option<String>, StoreError>;

    async fn put_fact(&self, name: &str, value: &str) -> Result<(), StoreError>;
}

/// The timeframe that longer candles are put together from; itself up to an hour.
pub(crate) fn stored(frame: Timeframe) -> Timeframe {
    match frame {
        Timeframe::H4 | Timeframe::D1 | Timeframe::W1 | Timeframe::MN => Timeframe::H1,
        other => other,
    }
}

/// The newest `count` candles of any timeframe, beginning with a complete one. Those longer than an hour
/// are aggregated, except where there is a stored one.
///
/// # Errors
/// The store fails.
pub async fn bars(
    store: &dyn CandleStore,
    symbol: Symbol,
    frame: Timeframe,
    count: usize,
    before: Option<Time>,
) -> Result<Vec<Candle>, StoreError> {
    let source = stored(frame);
    if source == frame {
        return store.last_n(symbol, frame, count.min(MOST), before).await;
    }
    // A month has up to 31 days; one more candle, so that the incomplete first one can be dropped.
    let each = usize::try_from(frame.seconds() / source.seconds()).unwrap_or(1) + 24;
    let wanted = count.saturating_add(1).saturating_mul(each).min(MOST);
    let candles = store.last_n(symbol, source, wanted, before).await?;
    let is_all = candles.len() < wanted;
    let mut out = aggregate(symbol, candles, source, frame)?;
    let mut written = store.last_n(symbol, frame, count.min(MOST), before).await?;
    if !is_all && !out.is_empty() {
        let first = out.remove(0).time;
        // Before that the hours were not read: it would look like a gap.
        written.retain(|candle| candle.time >= first);
    }
    if !written.is_empty() {
        out = merged(written, out);
    }
    let surplus = out.len().saturating_sub(count);
    out.drain(..surplus);
    Ok(out)
}
