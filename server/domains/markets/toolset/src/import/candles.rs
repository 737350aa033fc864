//! Candle files: time, open, high, low, close and optionally volume, with or without a header line.
//! Times are UTC, as `31.12.2017 22:00:00.000` or `2017-12-31T22:00:00Z`.

use std::io::BufRead;

use super::{
    ImportCode, ImportError,
    csv::{Row, Rows},
};
use crate::{Candle, Points, Symbol, Time, Timeframe, price::parse, texts};

/// Reads candles; the file must have the oldest first.
pub fn candles(
    input: impl BufRead,
    symbol: Symbol,
    frame: Timeframe,
) -> impl Iterator<Item = Result<Candle, ImportError>> {
    let mut last: Option<Time> = None;
    let mut is_first = true;
    Rows::new(input).filter_map(move |row| {
        let row = match row {
            Ok(row) => row,
            Err(error) => return Some(Err(error)),
        };
        if std::mem::take(&mut is_first) && is_header(&row) {
            return None;
        }
        let candle = candle(&row, symbol, frame).and_then(|candle| match last {
            Some(last) if last >= candle.time => Err(ImportError::new(
                row.line,
                ImportCode::Order,
                texts::imports::does_not_come_after(&candle.time, &last),
            )),
            _ => Ok(candle),
        });
        if let Ok(candle) = &candle {
            last = Some(candle.time);
        }
        Some(candle)
    })
}

fn is_header(row: &Row) -> bool {
    let first = row.fields.first().map(|field| field.to_ascii_lowercase());
    first.is_some_and(|first| first.ends_with("time") || first == "date")
}

fn candle(row: &Row, symbol: Symbol, frame: Timeframe) -> Result<Candle, ImportError> {
    let error = |code, message: String| ImportError::new(row.line, code, message);
    let (prices, volume) = match row.fields.as_slice() {
        [_, prices @ ..] if prices.len() == 4 => (prices, None),
        [_, prices @ .., volume] if prices.len() == 4 => (prices, Some(volume)),
        fields => {
            let message = texts::imports::candle_has_5_or_6_values(fields.len());
            return Err(error(ImportCode::Columns, message));
        }
    };
    let text = row.fields.first().map(String::as_str).unwrap_or_default();
    let time =
        instant(text).ok_or_else(|| error(ImportCode::Time, texts::imports::is_no_time(text)))?;
    let price = |index: usize| -> Result<Points, ImportError> {
        let text = prices.get(index).map(String::as_str).unwrap_or_default();
        let price = parse(symbol, text);
        price.map_err(|bad| error(ImportCode::Number, bad.to_string()))
    };
    let volume = match volume.map(|text| (text, text.parse::<f64>())) {
        None => 0,
        Some((_, Ok(volume))) if (0.0..1e18).contains(&volume) => volume.round() as i64,
        Some((text, _)) => {
            return Err(error(
                ImportCode::Number,
                texts::imports::is_no_volume(text),
            ));
        }
    };
    let candle = Candle {
        time,
        open: price(0)?,
        high: price(1)?,
        low: price(2)?,
        close: price(3)?,
        volume,
    };
    match candle.check(symbol, frame) {
        Ok(()) => Ok(candle),
        Err(bad) => Err(error(
            ImportCode::Contradiction,
            format!("{time} {frame}: {bad}"),
        )),
    }
}

fn instant(text: &str) -> Option<Time> {
    if text.is_char_boundary(10) && text.as_bytes().get(2) == Some(&b'.') {
        let (day, clock) = text.split_once(' ')?;
        let mut parts = day.split('.');
        let (day, month, year) = (parts.next()?, parts.next()?, parts.next()?);
        if parts.next().is_some() || day.len() != 2 || month.len() != 2 || year.len() != 4 {
            return None;
        }
        return Time::parse(&format!("{year}-{month}-{day}T{clock}Z")).ok();
    }
    let text = text.replacen(' ', "T", 1);
    let zoned = if text.ends_with('Z') {
        text
    } else {
        format!("{text}Z")
    };
    Time::parse(&zoned).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Candle>, String> {
        let all = candles(text.as_bytes(), Symbol::EurUsd, Timeframe::H1);
        all.collect::<Result<_, _>>()
            .map_err(|error| error.to_string())
    }

    #[test]
    fn both_formats_mean_the_same() {
        let vendor = "Time,Open,High,Low,Close,Volume\r\n\
            01.01.2017 22:00:00.000,1.05236,1.05253,1.05221,1.05227,143539993.3\r\n\
            01.01.2017 23:00:00.000,1.05227,1.05426,1.05226,1.05282,0\r\n";
        let plain = "2017-01-01T22:00:00Z,1.05236,1.05253,1.05221,1.05227,143539993\n\
            2017-01-01 23:00:00,1.05227,1.05426,1.05226,1.05282\n";
        let read_vendor = read(vendor).unwrap();
        assert_eq!(read_vendor, read(plain).unwrap());
        assert_eq!(read_vendor[0].open, Points(105_236));
        assert_eq!(read_vendor[0].time.to_string(), "2017-01-01T22:00:00Z");
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        let check = |text: &str, expect: &str| {
            assert_eq!(read(text).unwrap_err(), expect, "{text}");
        };
        let good = "2017-01-01T22:00:00Z,1.2,1.3,1.1,1.2,5\n";
        check(
            &format!("{good}2017-01-01T23:00:00Z,1.2,1.3,1.1\n"),
            "line 2: a candle has 5 or 6 values, and here are 4 (columns)",
        );
        check(
            &format!("{good}{good}"),
            "line 2: 2017-01-01T22:00:00Z does not come after 2017-01-01T22:00:00Z (order)",
        );
        check(
            "13.13.2017 22:00:00.000,1,1,1,1,1",
            "line 1: \"13.13.2017 22:00:00.000\" is no time that is read here (time)",
        );
        check(
            "2017-01-01T22:00:00Z,1.2,1.1,1.1,1.2",
            "line 1: 2017-01-01T22:00:00Z H1: the high is below another price (contradiction)",
        );
        check(
            "2017-01-01T22:30:00Z,1.2,1.3,1.1,1.2",
            "line 1: 2017-01-01T22:30:00Z H1: it does not open where a candle of its timeframe \
             opens (contradiction)",
        );
        check(
            "2017-01-01T22:00:00Z,1.2,1.3000001,1.1,1.2",
            "line 1: 1.3000001 is not on the tick: EURUSD quotes 5 decimals (number)",
        );
        check(
            "2017-01-01T22:00:00Z,1.2,1.3,1.1,1.2,-4",
            "line 1: \"-4\" is no volume (number)",
        );
        check(
            "2017-01-01T22:00:00Z,1.2,1.3,1.1,NaN",
            "line 1: \"NaN\" is no price (number)",
        );
    }
}
