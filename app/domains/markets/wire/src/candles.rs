//! A page of candles.

use protocol::{FromJson, JsonReader};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Symbol, Timeframe};

/// A candle, which is an array in JSON: time, open, high, low, close, volume.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(from = "Row", into = "Row")]
pub struct CandleRow {
    /// Opening time, in seconds since 1970.
    pub time: i64,
    pub open: f64,
    pub high: f64,
    pub low: f64,
    pub close: f64,
    pub volume: i64,
}

type Row = (i64, f64, f64, f64, f64, i64);

/// Part `candles/COUNT` or `candles/COUNT/BEFORE` of the page `chart` `SYMBOL/TIMEFRAME`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct CandlesPage {
    pub symbol: Symbol,
    pub timeframe: Timeframe,
    /// Decimals of a price.
    pub digits: u32,
    /// A pip, as a price.
    pub pip: f64,
    /// Their source, in a sentence.
    pub source: String,
    /// True if they are made up.
    pub synthetic: bool,
    /// Candles that end after this are simulated; in seconds since 1970.
    pub simulated_from: Option<i64>,
    /// Oldest first.
    pub candles: Vec<CandleRow>,
    /// True if there are older ones.
    pub more: bool,
}

impl FromJson for CandleRow {
    fn read_json(json: &mut JsonReader) -> Self {
        let row: Vec<Value> = Vec::read_json(json);
        if row.len() != 6 {
            json.fail();
        }
        let mut row = row.into_iter();
        Self {
            time: json.next(&mut row),
            open: json.next(&mut row),
            high: json.next(&mut row),
            low: json.next(&mut row),
            close: json.next(&mut row),
            volume: json.next(&mut row),
        }
    }
}

impl From<Row> for CandleRow {
    fn from((time, open, high, low, close, volume): Row) -> Self {
        Self {
            time,
            open,
            high,
            low,
            close,
            volume,
        }
    }
}

impl From<CandleRow> for Row {
    fn from(row: CandleRow) -> Self {
        (row.time, row.open, row.high, row.low, row.close, row.volume)
    }
}
