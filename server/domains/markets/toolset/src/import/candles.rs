//! Candle files: time, open, high, low, close and optionally volume, in this order or below a header line that
//! names the columns, between commas, semicolons or tabs. Where a text has two readings, it is refused;
//! docs/prices.md has the forms.

mod columns;
mod times;

use std::{borrow::Cow, io::BufRead};

use self::{
    columns::{Columns, is_header},
    times::instant,
};
use super::{
    ImportCode, ImportError,
    csv::{Row, Rows},
};
use crate::{Candle, Points, Symbol, Time, Timeframe, price::parse, texts};

/// Limit on the characters of a file that a refusal repeats.
const SHOWN: usize = 40;

/// Reads candles; the file must have the oldest first.
pub fn candles(
    input: impl BufRead,
    symbol: Symbol,
    frame: Timeframe,
) -> impl Iterator<Item = Result<Candle, ImportError>> {
    let mut reader = CandleReader {
        symbol,
        frame,
        is_first: true,
        columns: None,
        decimal_mark: None,
        last: None,
    };
    Rows::of_any_separator(input).filter_map(move |row| match row {
        Ok(row) => reader.read(&row).transpose(),
        Err(error) => Some(Err(error)),
    })
}

/// The beginning of a text of the file.
fn shown(text: &str) -> String {
    text.chars().take(SHOWN).collect()
}

/// The reader of rows, with the choices that the rows so far have settled for those that follow.
struct CandleReader {
    symbol: Symbol,
    frame: Timeframe,
    is_first: bool,
    /// As the header line names them.
    columns: Option<Columns>,
    /// Of the numbers so far, in a file where it may be a comma.
    decimal_mark: Option<char>,
    last: Option<Time>,
}

impl CandleReader {
    /// The candle of a row; `None` of a header line.
    fn read(&mut self, row: &Row) -> Result<Option<Candle>, ImportError> {
        if std::mem::take(&mut self.is_first) && is_header(row) {
            self.columns = Some(Columns::named(row)?);
            return Ok(None);
        }
        let candle = self.candle(row)?;
        if let Some(last) = self.last
            && last >= candle.time
        {
            let message = texts::imports::does_not_come_after(&candle.time, &last);
            return Err(ImportError::new(row.line, ImportCode::Order, message));
        }
        self.last = Some(candle.time);
        Ok(Some(candle))
    }

    fn candle(&mut self, row: &Row) -> Result<Candle, ImportError> {
        let (symbol, frame) = (self.symbol, self.frame);
        let error = |code, message: String| ImportError::new(row.line, code, message);
        let columns = Columns::of(row, self.columns)?;
        let text = |index: usize| row.fields.get(index).map_or("", String::as_str);
        let clock = text(columns.time);
        let told = match columns.day {
            Some(day) => Cow::Owned(format!("{} {clock}", text(day))),
            None => Cow::Borrowed(clock),
        };
        let time = instant(&told).ok_or_else(|| {
            let message = texts::imports::is_no_time_of_candle(&shown(&told));
            error(ImportCode::Time, message)
        })?;
        let mut prices = [Points(0); 4];
        for (price, index) in prices.iter_mut().zip(columns.prices) {
            let number = self.number(row, text(index))?;
            *price =
                parse(symbol, &number).map_err(|bad| error(ImportCode::Number, bad.to_string()))?;
        }
        let [open, high, low, close] = prices;
        let volume = match columns.volume {
            None => 0,
            Some(index) => self.volume(row, text(index))?,
        };
        let candle = Candle {
            time,
            open,
            high,
            low,
            close,
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

    fn volume(&mut self, row: &Row, text: &str) -> Result<i64, ImportError> {
        let number = self.number(row, text)?;
        match number.parse::<f64>() {
            Ok(volume) if (0.0..1e18).contains(&volume) => Ok(volume.round() as i64),
            _ => {
                let message = texts::imports::is_no_volume(&shown(text));
                Err(ImportError::new(row.line, ImportCode::Number, message))
            }
        }
    }

    /// A number with a point as its decimal mark. Between semicolons and tabs it may have a comma; then one mark
    /// holds for the whole file, since the other one could separate thousands.
    fn number<'a>(&mut self, row: &Row, text: &'a str) -> Result<Cow<'a, str>, ImportError> {
        let mut marks = text.chars().filter(|mark| matches!(mark, '.' | ','));
        // Between commas a number with one is in quotes, and none is read.
        let (Some(mark), true) = (marks.next(), row.separator != ',') else {
            return Ok(Cow::Borrowed(text));
        };
        let wrong = |message: String| Err(ImportError::new(row.line, ImportCode::Number, message));
        if marks.next().is_some() {
            return wrong(texts::imports::has_more_than_decimal_mark(&shown(text)));
        }
        if *self.decimal_mark.get_or_insert(mark) != mark {
            return wrong(texts::imports::has_another_decimal_mark(&shown(text)));
        }
        Ok(match mark {
            ',' => Cow::Owned(text.replace(',', ".")),
            _ => Cow::Borrowed(text),
        })
    }
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

    /// The examples are those of the documentation, so each of them is read as it says.
    #[test]
    fn the_documented_files_mean_the_same() {
        let page = include_str!("../../../../../../docs/prices.md");
        let examples = page.split("```text\n").skip(1);
        let examples: Vec<_> = examples
            .map(|block| block.split("```").next().unwrap())
            .collect();
        let mut expect = read(
            "2017-11-01T00:00:00Z,1.16466,1.165,1.164,1.1648,1234\n\
             2017-11-01T01:00:00Z,1.1648,1.1652,1.1646,1.165,987\n",
        );
        assert_eq!(expect.as_ref().map(Vec::len), Ok(2));
        assert_eq!(examples.len(), 4);
        assert!(examples[1].starts_with("<DATE>\t<TIME>\t"));
        for example in examples {
            assert_eq!(read(example), expect, "{example}");
        }
        // The same in other ways: milliseconds, an offset, names in another order, no names.
        for text in [
            "timestamp,open,high,low,close,volume\n\
             1509494400000,1.16466,1.165,1.164,1.1648,1234\n\
             1509498000000,1.1648,1.1652,1.1646,1.165,987\n",
            "2017-10-31T20:00:00-04:00;1,16466;1,165;1,164;1,1648;1234\n\
             2017-11-01 06:30:00+05:30;1,1648;1,1652;1,1646;1,165;987\n",
            "Vol\tclose\tlow\thigh\topen\tDate Time\n\
             1234\t1.1648\t1.164\t1.165\t1.16466\t2017.11.01 00:00\n\
             987\t1.165\t1.1646\t1.1652\t1.1648\t2017.11.01 01:00\n",
        ] {
            assert_eq!(read(text), expect, "{text}");
        }
        for candle in expect.iter_mut().flatten() {
            candle.volume = 0;
        }
        let without = "date;time;open;high;low;close\n\
            2017-11-01;00:00;1,16466;1,165;1,164;1,1648\n\
            01.11.2017;01:00:00;1,1648;1,1652;1,1646;1,165\n";
        assert_eq!(read(without), expect);
    }

    const READ_TIMES: &str = "is no time of a candle, which is such as 2017-11-01T00:00:00Z, \
        2017-11-01 00:00, 2017.11.01 00:00 or 01.11.2017 00:00, in UTC or with an offset such as \
        +01:00, or in Unix seconds or milliseconds (time)";

    const READ_COLUMNS: &str = "candles have the columns time (or date and time), open, high, low \
        and close, and optionally volume, tickvol, vol and spread (columns)";

    #[test]
    fn a_time_with_two_readings_or_none_is_refused() {
        for (time, shown) in [
            // A day alone may open in any zone or session.
            ("2017-11-01", None),
            ("2017.11.01", None),
            // The day or the month may be first.
            ("01/11/2017 00:00", None),
            ("01-11-2017 00:00", None),
            ("2017/11/01 00:00", None),
            ("11.1.2017 00:00", None),
            ("2017.13.01 00:00", None),
            ("13.13.2017 22:00:00.000", None),
            ("2017-11-01 12:00 AM", None),
            ("2017-11-01T00:00:00+0100", None),
            ("2017-11-01T00:00:00+15:00", None),
            ("2017-11-01T00:00:00+0\u{e9}:00", None),
            ("2017-11-01T00:00:00.5Z", None),
            ("1970-01-01T00:00:00+01:00", None),
            ("01.11.2017 00:00:00.000 GMT+0100", None),
            // Dates without separators are no Unix times, and fractions no whole seconds.
            ("20171101", None),
            ("201711010000", None),
            ("20171101000000", None),
            ("1509494400.0", None),
            ("1509494400500", None),
            ("0001509494400", None),
            ("9999999999", None),
            ("9999999999000", None),
            ("99999999999999999999999999", None),
            (
                "1999999999999999999999999999999999999999999",
                Some("1999999999999999999999999999999999999999"),
            ),
            ("1\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9} 00:00", None),
        ] {
            let shown = shown.unwrap_or(time);
            let expect = format!("line 1: {shown:?} {READ_TIMES}");
            let found = read(&format!("{time},1.2,1.3,1.1,1.2\n"));
            assert_eq!(found, Err(expect), "{time}");
        }
        // As Unix seconds this is in 2033.
        let hour = read("2017110100,1.2,1.3,1.1,1.2\n").unwrap_err();
        assert!(hour.contains("it does not open where"), "{hour}");
    }

    #[test]
    fn a_header_line_names_each_value_once() {
        for (header, fault) in [
            ("time,open,high,low", "the column \"close\" is missing"),
            ("open,high,low,close", "the column \"time\" is missing"),
            (
                "<DATE>;<OPEN>;<HIGH>;<LOW>",
                "the column \"close\" is missing",
            ),
            (
                "time,open,high,low,close,Close",
                "the column \"close\" is there twice",
            ),
            (
                "time,open,high,low,close,adj close",
                "no column is called \"adj close\"",
            ),
            (
                "Local time,open,high,low,close",
                "no column is called \"local time\"",
            ),
            ("time,open,high,low,close,", "no column is called \"\""),
            // Of several separators only one separates.
            (
                "time;open,high;low;close",
                "no column is called \"open,high\"",
            ),
            (
                "date,datetime,open,high,low,close",
                "two columns tell the time",
            ),
            (
                "time,open,high,low,close,volume,vol",
                "two columns tell the volume",
            ),
        ] {
            let found = read(&format!("{header}\n")).unwrap_err();
            assert_eq!(found, format!("line 1: {fault}; {READ_COLUMNS}"));
        }
        let long = read(&format!("{}\n", "x".repeat(9_000))).unwrap_err();
        assert!(long.len() < 300, "{long}");
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        let check = |text: &str, expect: &str| {
            assert_eq!(read(text).unwrap_err(), expect, "{text}");
        };
        let good = "2017-01-01T22:00:00Z,1.2,1.3,1.1,1.2,5\n";
        check(
            &format!("{good}2017-01-01T23:00:00Z,1.2,1.3,1.1\n"),
            "line 2: without a header line a candle has 5 or 6 values between commas, semicolons or tabs \
             (time, open, high, low, close and optionally volume), and here are 4 (columns)",
        );
        check(
            &format!(
                "time,open,high,low,close,volume\n{good}2017-01-01T23:00:00Z,1.2,1.3,1.1,1.2\n"
            ),
            "line 3: 5 values stand under 6 names (columns)",
        );
        check(
            "2017-01-01T22:00:00Z;1.2;1.3;1.1;1.2;\t5",
            "line 1: semicolons stand beside tabs, and only one of them can separate values (syntax)",
        );
        for (numbers, fault) in [
            // Either mark could separate thousands.
            (
                "1,2;1.3;1,1;1,2",
                "\"1.3\" has another decimal mark than the numbers before it",
            ),
            (
                "1,2;1,3;1,1;1,2;143.539",
                "\"143.539\" has another decimal mark than the numbers before it",
            ),
            (
                "1.234,5;1,3;1,1;1,2",
                "\"1.234,5\": nothing but one decimal mark stands between the digits of a number",
            ),
            ("1,2;,3;1,1;1,2", "\".3\" is no price"),
            ("1 2;1,3;1,1;1,2", "\"1 2\" is no price"),
        ] {
            check(
                &format!("2017-01-01T22:00:00Z;{numbers}"),
                &format!("line 1: {fault} (number)"),
            );
        }
        // A comma that separates is no decimal mark, not even in quotes.
        check(
            "2017-01-01T22:00:00Z,\"1,2\",1.3,1.1,1.2",
            "line 1: \"1,2\" is no price (number)",
        );
        check(
            &format!("{good}{good}"),
            "line 2: 2017-01-01T22:00:00Z does not come after 2017-01-01T22:00:00Z (order)",
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
