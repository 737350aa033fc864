//! What the toolset needs from a database. `store` implements it; `testkit` holds the contract.

use async_trait::async_trait;

use crate::{Candle, NotDerived, RecordKind, RecordRow, Symbol, Time, Timeframe, aggregate};

/// Candles of one answer at most, whatever was asked for.
pub const MOST: usize = 100_000;

/// Why a store did not do as it was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Nothing has this identifier.
    #[error("not found")]
    NotFound,
    #[error(transparent)]
    NotDerived(#[from] NotDerived),
    /// What is stored cannot be understood.
    #[error("what is stored is damaged: {0}")]
    Damaged(String),
    /// The configured source of prices does not tell any.
    #[error("the price is not known: {0}")]
    Source(String),
    /// The database failed.
    #[error("the database failed: {0}")]
    Failed(String),
}

/// What a write came to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Upserted {
    /// Rows that are new, or other than before.
    pub written: u64,
    /// Rows that were there just so.
    pub unchanged: u64,
}

impl std::ops::AddAssign for Upserted {
    fn add_assign(&mut self, other: Self) {
        self.written += other.written;
        self.unchanged += other.unchanged;
    }
}

/// Candles by symbol, timeframe and opening.
#[async_trait]
pub trait CandleStore: Send + Sync {
    /// Writes candles, in the place of those with the same opening. All or none; twice is once.
    async fn upsert(
        &self,
        symbol: Symbol,
        frame: Timeframe,
        candles: &[Candle],
    ) -> Result<Upserted, StoreError>;

    /// The candles that open in `from..until`, oldest first, [`MOST`] at most.
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

    /// The newest candle.
    async fn latest(&self, symbol: Symbol, frame: Timeframe) -> Result<Option<Candle>, StoreError> {
        let newest = self.last_n(symbol, frame, 1, None).await?;
        Ok(newest.last().copied())
    }

    /// The candles of `from..until` put together to longer ones, oldest first. A candle that begins
    /// or ends outside of the span is a part of itself.
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
        Ok(aggregate(candles, source, into)?)
    }
}

/// Rows of the calendar, headlines, reports and trades, each by kind and identifier. What is in
/// them, only the toolset knows.
#[async_trait]
pub trait RecordStore: Send + Sync {
    /// Writes rows in the place of those with the same kind and identifier. All or none.
    async fn put(&self, kind: RecordKind, rows: &[RecordRow]) -> Result<Upserted, StoreError>;

    /// The rows of `from..until`, oldest first and by identifier, `most` at most. `about`: only
    /// those about it.
    async fn between(
        &self,
        kind: RecordKind,
        about: Option<&str>,
        from: Time,
        until: Time,
        most: usize,
    ) -> Result<Vec<RecordRow>, StoreError>;

    /// The newest `count` rows up to `until`, that instant included, oldest first.
    async fn newest(
        &self,
        kind: RecordKind,
        about: Option<&str>,
        until: Time,
        count: usize,
    ) -> Result<Vec<RecordRow>, StoreError>;
}

/// The newest `count` candles of any timeframe, whole ones first of all: those that are not stored
/// are put together from those that are.
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
    let source = frame.stored();
    if source == frame {
        return store.last_n(symbol, frame, count.min(MOST), before).await;
    }
    // A month has up to 31 days; one candle more, so that the first is whole and the part goes.
    let each = usize::try_from(frame.seconds() / source.seconds()).unwrap_or(1) + 24;
    let wanted = count.saturating_add(1).saturating_mul(each).min(MOST);
    let candles = store.last_n(symbol, source, wanted, before).await?;
    let is_all = candles.len() < wanted;
    let mut out = aggregate(candles, source, frame)?;
    if !is_all && !out.is_empty() {
        out.remove(0);
    }
    let surplus = out.len().saturating_sub(count);
    out.drain(..surplus);
    Ok(out)
}
