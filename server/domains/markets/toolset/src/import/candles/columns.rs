//! Columns of candle files: by the names in the header line, or in a fixed order.

use std::collections::BTreeMap;

use super::shown;
use crate::{
    import::{ImportCode, ImportError, csv::Row},
    texts,
};

/// The places of a candle's values in a row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Columns {
    /// The day of the time, if it is in a column of its own.
    pub(super) day: Option<usize>,
    pub(super) time: usize,
    /// Open, high, low and close.
    pub(super) prices: [usize; 4],
    pub(super) volume: Option<usize>,
    /// Number of values in a row.
    width: usize,
}

/// True for a header line: a time begins with a digit, and the name of a column does not.
pub(super) fn is_header(row: &Row) -> bool {
    let first = row.fields.first().map(String::as_str).unwrap_or_default();
    !first.starts_with(|character: char| character.is_ascii_digit())
}

impl Columns {
    /// The columns that a header line names, in any order.
    pub(super) fn named(row: &Row) -> Result<Self, ImportError> {
        let wrong = |fault: &str| {
            let message = texts::imports::with_columns_of_candles(fault);
            ImportError::new(row.line, ImportCode::Columns, message)
        };
        let mut found = BTreeMap::new();
        for (index, field) in row.fields.iter().enumerate() {
            let bare = field
                .strip_prefix('<')
                .and_then(|rest| rest.strip_suffix('>'));
            let name = bare.unwrap_or(field).to_ascii_lowercase();
            let meaning = meaning(&name)
                .ok_or_else(|| wrong(&texts::imports::no_column_is_called(&shown(&name))))?;
            if found.insert(meaning, index).is_some() {
                return Err(wrong(&texts::imports::column_is_there_twice(&name)));
            }
        }
        let at = |name: &str| found.get(name).copied();
        let needed =
            |name: &str| at(name).ok_or_else(|| wrong(&texts::imports::column_is_missing(name)));
        let (day, time) = match (at("date"), at("time"), at("datetime")) {
            (day, Some(time), None) => (day, time),
            // A single column has both.
            (Some(whole), None, None) | (None, None, Some(whole)) => (None, whole),
            (None, None, None) => return Err(wrong(&texts::imports::column_is_missing("time"))),
            _ => return Err(wrong(texts::imports::TIME_IS_IN_TWO_WAYS)),
        };
        let volume = match (at("volume"), at("tickvol"), at("vol")) {
            // MetaTrader writes both, and of currencies the second is zero.
            (None, Some(ticks), _) => Some(ticks),
            (volume, None, None) | (None, None, volume) => volume,
            _ => return Err(wrong(texts::imports::VOLUME_IS_IN_TWO_WAYS)),
        };
        Ok(Self {
            day,
            time,
            prices: [
                needed("open")?,
                needed("high")?,
                needed("low")?,
                needed("close")?,
            ],
            volume,
            width: row.fields.len(),
        })
    }

    /// The columns of a row below a header line, or of a file without one.
    pub(super) fn of(row: &Row, named: Option<Self>) -> Result<Self, ImportError> {
        let count = row.fields.len();
        let message = match named {
            Some(columns) if columns.width == count => return Ok(columns),
            Some(columns) => texts::imports::values_stand_under_names(count, columns.width),
            None if matches!(count, 5 | 6) => {
                return Ok(Self {
                    day: None,
                    time: 0,
                    prices: [1, 2, 3, 4],
                    volume: (count == 6).then_some(5),
                    width: count,
                });
            }
            None => texts::imports::candle_has_5_or_6_values(count),
        };
        Err(ImportError::new(row.line, ImportCode::Columns, message))
    }
}

/// The one name of what a column has, by a name in lower case. A closing or a local time is none of them.
fn meaning(name: &str) -> Option<&'static str> {
    Some(match name {
        "time" => "time",
        "date" => "date",
        "datetime" | "date time" | "date_time" | "timestamp" | "gmt time" | "utc time"
        | "open time" | "open_time" | "opentime" => "datetime",
        "open" => "open",
        "high" => "high",
        "low" => "low",
        "close" => "close",
        "volume" => "volume",
        "tickvol" => "tickvol",
        "vol" => "vol",
        // Known, and not read.
        "spread" => "spread",
        _ => return None,
    })
}
