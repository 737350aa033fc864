//! Candles.

use async_trait::async_trait;
use markets::{
    Candle, CandleStore, Coded, MOST, Points, StoreError, Symbol, Time, Timeframe, Upserted,
};
use serde_json::Value;
use sqlx::{Row, sqlite::SqliteRow};

use crate::{MarketsTables, count, failed, refused};

/// Candles of one statement.
const PART: usize = 2_000;

#[async_trait]
impl CandleStore for MarketsTables {
    async fn upsert(
        &self,
        symbol: Symbol,
        frame: Timeframe,
        candles: &[Candle],
    ) -> Result<Upserted, StoreError> {
        let mut writer = self.0.writer().await;
        let mut change = writer.begin_import("candles").await.map_err(refused)?;
        let mut written = 0;
        for part in candles.chunks(PART) {
            let rows: Vec<Value> = part.iter().map(row).collect();
            let done = sqlx::query(
                "INSERT INTO candles (symbol, frame, time, open, high, low, close, volume) \
                 SELECT ?1, ?2, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, \
                     value ->> 5 FROM json_each(?3) WHERE true \
                 ON CONFLICT (symbol, frame, time) DO UPDATE SET open = excluded.open, \
                     high = excluded.high, low = excluded.low, close = excluded.close, \
                     volume = excluded.volume \
                 WHERE (open, high, low, close, volume) IS NOT \
                     (excluded.open, excluded.high, excluded.low, excluded.close, excluded.volume)",
            )
            .bind(symbol.code())
            .bind(frame.code())
            .bind(Value::Array(rows).to_string())
            .execute(change.connection())
            .await
            .map_err(failed)?;
            written += done.rows_affected();
        }
        change.commit().await.map_err(refused)?;
        Ok(Upserted {
            written,
            unchanged: (candles.len() as u64).saturating_sub(written),
        })
    }

    async fn forget(
        &self,
        symbol: Symbol,
        frame: Timeframe,
        candles: &[Candle],
    ) -> Result<u64, StoreError> {
        let mut writer = self.0.writer().await;
        let mut change = writer.begin_import("candles").await.map_err(refused)?;
        let mut gone = 0;
        for part in candles.chunks(PART) {
            let rows: Vec<Value> = part.iter().map(row).collect();
            let done = sqlx::query(
                "DELETE FROM candles WHERE symbol = ?1 AND frame = ?2 \
                 AND (time, open, high, low, close, volume) IN (SELECT value ->> 0, value ->> 1, \
                     value ->> 2, value ->> 3, value ->> 4, value ->> 5 FROM json_each(?3))",
            )
            .bind(symbol.code())
            .bind(frame.code())
            .bind(Value::Array(rows).to_string())
            .execute(change.connection())
            .await
            .map_err(failed)?;
            gone += done.rows_affected();
        }
        change.commit().await.map_err(refused)?;
        Ok(gone)
    }

    async fn range(
        &self,
        symbol: Symbol,
        frame: Timeframe,
        from: Time,
        until: Time,
    ) -> Result<Vec<Candle>, StoreError> {
        let rows = sqlx::query(
            "SELECT time, open, high, low, close, volume FROM candles \
             WHERE symbol = ? AND frame = ? AND time >= ? AND time < ? ORDER BY time LIMIT ?",
        )
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

    async fn last_n(
        &self,
        symbol: Symbol,
        frame: Timeframe,
        wanted: usize,
        before: Option<Time>,
    ) -> Result<Vec<Candle>, StoreError> {
        let rows = sqlx::query(
            "SELECT time, open, high, low, close, volume FROM candles \
             WHERE symbol = ? AND frame = ? AND time < ? ORDER BY time DESC LIMIT ?",
        )
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

fn row(candle: &Candle) -> Value {
    [
        candle.time.0,
        candle.open.0,
        candle.high.0,
        candle.low.0,
        candle.close.0,
        candle.volume,
    ]
    .into_iter()
    .collect()
}

fn candle(row: &SqliteRow) -> Result<Candle, StoreError> {
    let number = |column: usize| row.try_get::<i64, _>(column).map_err(failed);
    Ok(Candle {
        time: Time(number(0)?),
        open: Points(number(1)?),
        high: Points(number(2)?),
        low: Points(number(3)?),
        close: Points(number(4)?),
        volume: number(5)?,
    })
}
