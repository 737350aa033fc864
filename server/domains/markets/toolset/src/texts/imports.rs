//! Sentences of the markets for people: mistakes in imported files.

use std::fmt::Display;

pub(crate) fn is_no_currency(currency: &str) -> String {
    format!("currency: {currency:?} is none such as USD")
}

pub(crate) fn is_no_impact(other: &str) -> String {
    format!("impact: {other:?} is none of low, medium and high")
}

pub(crate) fn does_not_come_after(time: &impl Display, last: &impl Display) -> String {
    format!("{time} does not come after {last}")
}

pub(crate) fn has_no_such_candles(symbol: &impl Display, frame: &impl Display) -> String {
    format!("{symbol} is declared without {frame} candles")
}

pub(crate) fn candle_has_5_or_6_values(count: usize) -> String {
    format!(
        "without a header line a candle has 5 or 6 values between commas, semicolons or tabs (time, \
         open, high, low, close and optionally volume), and here are {count}"
    )
}

/// Of the header line of candles.
pub(crate) fn with_columns_of_candles(fault: &str) -> String {
    format!(
        "{fault}; candles have the columns time (or date and time), open, high, low and close, and \
         optionally volume, tickvol, vol and spread"
    )
}

pub(crate) const TIME_IS_IN_TWO_WAYS: &str = "two columns tell the time";

pub(crate) const VOLUME_IS_IN_TWO_WAYS: &str = "two columns tell the volume";

pub(crate) fn is_no_time_of_candle(text: &str) -> String {
    format!(
        "{text:?} is no time of a candle, which is such as 2017-11-01T00:00:00Z, 2017-11-01 00:00, \
         2017.11.01 00:00 or 01.11.2017 00:00, in UTC or with an offset such as +01:00, or in Unix \
         seconds or milliseconds"
    )
}

pub(crate) fn has_more_than_decimal_mark(text: &str) -> String {
    format!("{text:?}: nothing but one decimal mark stands between the digits of a number")
}

pub(crate) fn has_another_decimal_mark(text: &str) -> String {
    format!("{text:?} has another decimal mark than the numbers before it")
}

pub(crate) fn is_no_time(text: &str) -> String {
    format!("{text:?} is no time that is read here")
}

pub(crate) fn is_no_volume(text: &str) -> String {
    format!("{text:?} is no volume")
}

pub(crate) fn report_has_values(expected: usize, found: usize) -> String {
    format!("a report has {expected} values, and here are {found}")
}

pub(crate) fn column_is_missing(name: &str) -> String {
    format!("the column {name:?} is missing")
}

pub(crate) fn is_no_number_of_contracts(text: &str) -> String {
    format!("{text:?} is no number of contracts")
}

pub(crate) fn is_no_date(date: &str) -> String {
    format!("{date:?} is no date")
}

pub(crate) fn report_is_of_two_dates(date: &str, short: &str) -> String {
    format!("the report is of {date} and of {short}")
}

pub(crate) fn positions_are_not_open_interest(name: &str, sum: i64, open: i64) -> String {
    format!("the {name} positions are {sum}, and the open interest is {open}")
}

pub(crate) fn file_cannot_be_read(error: &impl Display) -> String {
    format!("the file cannot be read: {error}")
}

pub(crate) const QUOTE_IS_NEVER_CLOSED: &str = "a quote is never closed";

pub(crate) const ROW_IS_TOO_LONG: &str = "the row is longer than 65536 bytes";

pub(crate) const TEXT_IS_NOT_UTF_8: &str = "the text is not UTF-8";

pub(crate) const QUOTE_STANDS_WITHIN_VALUE: &str = "a quote stands within a value";

pub(crate) const SOMETHING_STANDS_BEHIND_CLOSED_QUOTE: &str =
    "something stands behind a closed quote";

pub(crate) const SEMICOLONS_STAND_BESIDE_TABS: &str =
    "semicolons stand beside tabs, and only one of them can separate values";

pub(crate) const FILE_IS_EMPTY: &str = "the file is empty";

pub(crate) fn no_column_is_called(name: &str) -> String {
    format!("no column is called {name:?}")
}

pub(crate) fn column_is_there_twice(name: &str) -> String {
    format!("the column {name:?} is there twice")
}

pub(crate) fn values_stand_under_names(found: usize, expected: usize) -> String {
    format!("{found} values stand under {expected} names")
}

pub(crate) fn is_empty(name: &str) -> String {
    format!("{name} is empty")
}

pub(crate) fn value_is_no_number(name: &str, text: &str) -> String {
    format!("{name}: {text:?} is no number")
}

pub(crate) fn value_has_too_many_decimals(name: &str, text: &str, digits: usize) -> String {
    format!("{name}: {text:?} is no number of at most {digits} decimals")
}

pub(crate) fn value_is_no_boolean(name: &str, other: &str) -> String {
    format!("{name}: {other:?} is neither true nor false")
}

pub(crate) fn is_no_side(other: &str) -> String {
    format!("side: {other:?} is neither long nor short")
}

pub(crate) const LOTS_ARE_NOT_ABOVE_ZERO: &str = "lots are not above zero";

pub(crate) const IT_CLOSES_BEFORE_IT_OPENS: &str = "it closes before it opens";

pub(crate) const CLOSING_IS_INCOMPLETE: &str =
    "closed_at, exit and gross stand together or not at all";

pub(crate) const INITIAL_RISK_IS_NOT_ABOVE_ZERO: &str = "initial_risk is not above zero";

pub(crate) fn line_is_no_headline(error: &impl Display) -> String {
    format!("the line is no headline: {error}")
}

pub(crate) fn is_longer_than(name: &str, most: usize) -> String {
    format!("{name} is longer than {most} characters")
}

pub(crate) fn has_control_characters(name: &str) -> String {
    format!("{name} has control characters")
}

pub(crate) fn has_too_many_currencies(most: usize) -> String {
    format!("currencies: there are more than {most}")
}

pub(crate) fn feed_is_larger_than(most: u64) -> String {
    format!("the feed is larger than {most} bytes")
}

pub(crate) const FEED_IS_NOT_READABLE: &str = "the file is not a readable RSS or Atom feed";

pub(crate) const ENTRY_HAS_NO_TIME: &str = "the entry has no time of publication";
