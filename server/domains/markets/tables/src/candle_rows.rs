//! A candle as a row of a table, to write and to read.

use markets::{Candle, Points, StoreError, Time};
use serde_json::Value;
use sqlx::{Row, sqlite::SqliteRow};

use crate::failed;

pub(crate) fn row(candle: &Candle) -> Value {
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

pub(crate) fn candle(row: &SqliteRow) -> Result<Candle, StoreError> {
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
