//! Candles.

use async_trait::async_trait;
use markets::{
    Candle, CandleStore, Coded, DERIVED, MOST, StoreError, Symbol, Time, Timeframe, Upserted,
};
use serde_json::Value;

use crate::{
    MarketsTables,
    candle_rows::{candle, row},
    count,
    derived::derive_around,
    failed, refused,
};

/// Candles of one statement.
const PART: usize = 2_000;

/// Candles of a span that were written.
const WRITTEN: &str = "SELECT time, open, high, low, close, volume FROM candles \
    WHERE symbol = ?1 AND frame = ?2 AND time >= ?3 AND time < ?4 ORDER BY time LIMIT ?5";

/// The same with derived ones, in one statement: a write in between would show a candle twice.
const WITH_DERIVED: &str = "SELECT time, open, high, low, close, volume FROM candles \
    WHERE symbol = ?1 AND frame = ?2 AND time >= ?3 AND time < ?4 \
    UNION ALL SELECT time, open, high, low, close, volume FROM market_derived_candles AS d \
    WHERE symbol = ?1 AND frame = ?2 AND time >= ?3 AND time < ?4 AND NOT EXISTS \
        (SELECT 1 FROM candles AS c WHERE c.symbol = ?1 AND c.frame = ?2 AND c.time = d.time) \
    ORDER BY time LIMIT ?5";

/// The newest candles that were written, newest first.
const NEWEST: &str = "SELECT time, open, high, low, close, volume FROM candles \
    WHERE symbol = ?1 AND frame = ?2 AND time < ?3 ORDER BY time DESC LIMIT ?4";

/// The same with derived ones.
const NEWEST_WITH_DERIVED: &str = "SELECT time, open, high, low, close, volume FROM candles \
    WHERE symbol = ?1 AND frame = ?2 AND time < ?3 \
    UNION ALL SELECT time, open, high, low, close, volume FROM market_derived_candles AS d \
    WHERE symbol = ?1 AND frame = ?2 AND time < ?3 AND NOT EXISTS \
        (SELECT 1 FROM candles AS c WHERE c.symbol = ?1 AND c.frame = ?2 AND c.time = d.time) \
    ORDER BY time DESC LIMIT ?4";

/// Writes candles in place of others, where they differ.
const REPLACING: &str = "INSERT INTO candles (symbol, frame, time, open, high, low, close, volume) \
    SELECT ?1, ?2, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5 \
    FROM json_each(?3) WHERE true \
    ON CONFLICT (symbol, frame, time) DO UPDATE SET open = excluded.open, high = excluded.high, \
        low = excluded.low, close = excluded.close, volume = excluded.volume \
    WHERE (open, high, low, close, volume) IS NOT \
        (excluded.open, excluded.high, excluded.low, excluded.close, excluded.volume)";

/// Writes candles where there are none.
const ADDING: &str = "INSERT INTO candles (symbol, frame, time, open, high, low, close, volume) \
    SELECT ?1, ?2, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5 \
    FROM json_each(?3) WHERE true ON CONFLICT (symbol, frame, time) DO NOTHING";

/// Deletes candles that are stored exactly so.
const FORGETTING: &str = "DELETE FROM candles WHERE symbol = ?1 AND frame = ?2 \
    AND (time, open, high, low, close, volume) IN (SELECT value ->> 0, value ->> 1, \
        value ->> 2, value ->> 3, value ->> 4, value ->> 5 FROM json_each(?3))";

impl MarketsTables {
    /// Changes candles and what is derived from them, all or none. Returns the number of changed ones.
    async fn change(
        &self,
        sql: &'static str,
        symbol: Symbol,
        frame: Timeframe,
        candles: &[Candle],
    ) -> Result<u64, StoreError> {
        let mut writer = self.0.writer().await;
        let mut change = writer.begin_import("candles").await.map_err(refused)?;
        let mut changed = 0;
        for part in candles.chunks(PART) {
            let rows: Vec<Value> = part.iter().map(row).collect();
            let done = sqlx::query(sql)
                .bind(symbol.code())
                .bind(frame.code())
                .bind(Value::Array(rows).to_string())
                .execute(change.connection())
                .await
                .map_err(failed)?;
            changed += done.rows_affected();
        }
        if frame == Timeframe::M1 && changed > 0 {
            derive_around(change.connection(), symbol, candles).await?;
        }
        change.commit().await.map_err(refused)?;
        Ok(changed)
    }

    async fn span(
        &self,
        sql: &'static str,
        symbol: Symbol,
        frame: Timeframe,
        from: Time,
        until: Time,
    ) -> Result<Vec<Candle>, StoreError> {
        let rows = sqlx::query(sql)
            .bind(symbol.code())
            .bind(frame.code())
            .bind(from.0)
            .bind(until.0)
            .bind(count(MOST))
            .fetch_all(self.0.readers())
            .await
            .map_err(failed)?;
        rows.iter().map(candle).collect()
    }
}

#[async_trait]
impl CandleStore for MarketsTables {
    async fn upsert(
        &self,
        symbol: Symbol,
        frame: Timeframe,
        candles: &[Candle],
    ) -> Result<Upserted, StoreError> {
        let written = self.change(REPLACING, symbol, frame, candles).await?;
        Ok(upserted(candles, written))
    }

    async fn add(
        &self,
        symbol: Symbol,
        frame: Timeframe,
        candles: &[Candle],
    ) -> Result<Upserted, StoreError> {
        let written = self.change(ADDING, symbol, frame, candles).await?;
        Ok(upserted(candles, written))
    }

    async fn written(
        &self,
        symbol: Symbol,
        frame: Timeframe,
        from: Time,
        until: Time,
    ) -> Result<Vec<Candle>, StoreError> {
        self.span(WRITTEN, symbol, frame, from, until).await
    }

    async fn forget(
        &self,
        symbol: Symbol,
        frame: Timeframe,
        candles: &[Candle],
    ) -> Result<u64, StoreError> {
        self.change(FORGETTING, symbol, frame, candles).await
    }

    fn count_import(&self, symbol: Symbol) {
        self.1.raise(symbol);
    }

    fn imports(&self, symbol: Symbol) -> u64 {
        self.1.of(symbol)
    }

    async fn range(
        &self,
        symbol: Symbol,
        frame: Timeframe,
        from: Time,
        until: Time,
    ) -> Result<Vec<Candle>, StoreError> {
        let sql = if DERIVED.contains(&frame) {
            WITH_DERIVED
        } else {
            WRITTEN
        };
        self.span(sql, symbol, frame, from, until).await
    }

    async fn last_n(
        &self,
        symbol: Symbol,
        frame: Timeframe,
        wanted: usize,
        before: Option<Time>,
    ) -> Result<Vec<Candle>, StoreError> {
        let sql = if DERIVED.contains(&frame) {
            NEWEST_WITH_DERIVED
        } else {
            NEWEST
        };
        let rows = sqlx::query(sql)
            .bind(symbol.code())
            .bind(frame.code())
            .bind(before.map_or(i64::MAX, |time| time.0))
            .bind(count(wanted.min(MOST)))
            .fetch_all(self.0.readers())
            .await
            .map_err(failed)?;
        rows.iter().rev().map(candle).collect()
    }
}

fn upserted(candles: &[Candle], written: u64) -> Upserted {
    Upserted {
        written,
        unchanged: (candles.len() as u64).saturating_sub(written),
    }
}
