//! Candles that are derived from minutes, in the same transaction as these. Minutes of earlier releases are
//! done in steps from the newest hour back, so what is derived never has a hole.

use std::{collections::BTreeSet, future::Future, time::Duration};

use markets::{Candle, Coded, DERIVED, StoreError, Symbol, Time, Timeframe, aggregate, session};
use serde_json::Value;
use sqlx::{Row, SqliteConnection};

use crate::{
    MarketsTables,
    candle_rows::{candle, row},
    failed, refused,
};

/// Seconds of the longest derived candle, which contains whole ones of each other timeframe.
const HOUR: i64 = 3_600;
/// Hours that are derived at once.
const HOURS: i64 = 200;
/// Time between two steps, for other writes.
const PAUSE: Duration = Duration::from_millis(50);
/// Time after a step that failed.
const AGAIN: Duration = Duration::from_secs(30);

/// Derives the hours of some minutes again, inside the transaction that has changed these.
pub(crate) async fn derive_around(
    connection: &mut SqliteConnection,
    symbol: Symbol,
    minutes: &[Candle],
) -> Result<(), StoreError> {
    let first = first_derived(connection, symbol).await?;
    let hour_of = |minute: &Candle| session::open_of(symbol, Timeframe::H1, minute.time);
    let hours: BTreeSet<Time> = minutes.iter().map(hour_of).collect();
    let mut spans: Vec<(Time, Time)> = Vec::new();
    // Earlier ones are derived when their turn comes.
    for hour in hours.range(first..) {
        match spans.last_mut() {
            Some((from, until)) if *until == *hour && hour.0 - from.0 < HOURS * HOUR => {
                *until = hour.plus(HOUR);
            }
            _ => spans.push((*hour, hour.plus(HOUR))),
        }
    }
    for (from, until) in spans {
        derive(connection, symbol, from, until).await?;
    }
    Ok(())
}

/// The hour from which on everything of a symbol is derived.
async fn first_derived(
    connection: &mut SqliteConnection,
    symbol: Symbol,
) -> Result<Time, StoreError> {
    let row = sqlx::query("SELECT before FROM market_underived WHERE symbol = ?")
        .bind(symbol.code())
        .fetch_optional(connection)
        .await
        .map_err(failed)?;
    let before = row.map(|row| row.try_get::<i64, _>(0).map_err(failed));
    Ok(Time(before.transpose()?.unwrap_or(i64::MIN)))
}

/// Derives the candles of whole hours from their minutes, in place of those that are there.
async fn derive(
    connection: &mut SqliteConnection,
    symbol: Symbol,
    from: Time,
    until: Time,
) -> Result<(), StoreError> {
    let rows = sqlx::query(
        "SELECT time, open, high, low, close, volume FROM candles \
         WHERE symbol = ? AND frame = ? AND time >= ? AND time < ? ORDER BY time",
    )
    .bind(symbol.code())
    .bind(Timeframe::M1.code())
    .bind(from.0)
    .bind(until.0)
    .fetch_all(&mut *connection)
    .await
    .map_err(failed)?;
    let minutes: Vec<Candle> = rows.iter().map(candle).collect::<Result<_, _>>()?;
    for frame in DERIVED {
        let derived = aggregate(symbol, minutes.iter().copied(), Timeframe::M1, frame)?;
        sqlx::query(
            "DELETE FROM market_derived_candles \
             WHERE symbol = ? AND frame = ? AND time >= ? AND time < ?",
        )
        .bind(symbol.code())
        .bind(frame.code())
        .bind(from.0)
        .bind(until.0)
        .execute(&mut *connection)
        .await
        .map_err(failed)?;
        let rows: Vec<Value> = derived.iter().map(row).collect();
        sqlx::query(
            "INSERT INTO market_derived_candles \
                 (symbol, frame, time, open, high, low, close, volume) \
             SELECT ?1, ?2, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, \
                 value ->> 5 FROM json_each(?3)",
        )
        .bind(symbol.code())
        .bind(frame.code())
        .bind(Value::Array(rows).to_string())
        .execute(&mut *connection)
        .await
        .map_err(failed)?;
    }
    Ok(())
}

impl MarketsTables {
    /// Derives candles from the minutes of earlier releases until all are done or `stop` is ready. What is
    /// done stays done, whatever ends it.
    pub async fn derive_older(self, stop: impl Future<Output = ()>) {
        let steps = async {
            loop {
                match self.derive_step().await {
                    Ok(true) => tokio::time::sleep(PAUSE).await,
                    Ok(false) => return,
                    Err(error) => {
                        tracing::warn!(%error, "candles not derived from minutes, trying again");
                        tokio::time::sleep(AGAIN).await;
                    }
                }
            }
        };
        tokio::select! {
            biased;
            () = stop => {}
            () = steps => {}
        }
    }

    /// Derives some hours more. Returns whether there may be others.
    ///
    /// # Errors
    /// The database fails; nothing has changed then.
    pub async fn derive_step(&self) -> Result<bool, StoreError> {
        let mut writer = self.0.writer().await;
        let begun = writer.begin_import("derived candles").await;
        let mut change = begun.map_err(refused)?;
        let connection = change.connection();
        let rows = sqlx::query("SELECT symbol, before FROM market_underived ORDER BY symbol")
            .fetch_all(&mut *connection)
            .await
            .map_err(failed)?;
        let mut next = None;
        for row in &rows {
            let code: i64 = row.try_get(0).map_err(failed)?;
            let before: i64 = row.try_get(1).map_err(failed)?;
            // Symbols that nobody declares keep their turn.
            let symbol = Symbol::all().into_iter().find(|it| it.code() == code);
            if let Some(symbol) = symbol {
                next = Some((symbol, before));
                break;
            }
        }
        let Some((symbol, before)) = next else {
            return Ok(false);
        };
        let newest = sqlx::query(
            "SELECT max(time) FROM candles WHERE symbol = ? AND frame = ? AND time < ?",
        )
        .bind(symbol.code())
        .bind(Timeframe::M1.code())
        .bind(before)
        .fetch_one(&mut *connection)
        .await
        .map_err(failed)?;
        let newest: Option<i64> = newest.try_get(0).map_err(failed)?;
        let done = match newest {
            Some(newest) => {
                // Across a gap in one step.
                let hour = session::open_of(symbol, Timeframe::H1, Time(newest));
                let until = hour.plus(HOUR);
                let from = until.plus(-HOURS * HOUR);
                derive(&mut *connection, symbol, from, until).await?;
                sqlx::query("UPDATE market_underived SET before = ? WHERE symbol = ?")
                    .bind(from.0)
                    .bind(symbol.code())
                    .execute(&mut *connection)
                    .await
            }
            None => {
                sqlx::query("DELETE FROM market_underived WHERE symbol = ?")
                    .bind(symbol.code())
                    .execute(&mut *connection)
                    .await
            }
        };
        done.map_err(failed)?;
        change.commit().await.map_err(refused)?;
        Ok(true)
    }
}
