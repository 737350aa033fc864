//! Figures of rows: decimals, days, and their form in a result.

use jiff::civil::Date;
use rust_decimal::Decimal;
use serde_json::Value;

use crate::{
    dates,
    decimal::{self, decimal, decimal_or_zero, sane},
    error::ErpError,
    site::{Document, ErpSite},
    texts::{packs as say, readings},
    tools::unknown,
};

/// The most days that a tool looks at.
const MOST_DAYS: i32 = 92;

/// The number of a field; the ERP leaves out or empties a zero.
pub(super) fn amount(row: &Document, field: &str) -> Decimal {
    row.get(field).map(decimal_or_zero).unwrap_or_default()
}

/// A number for a result.
pub(super) fn number(number: Decimal) -> Value {
    sane(number).map_or_else(|| unknown(readings::TOO_LARGE), decimal::number)
}

/// The same in a sentence.
pub(super) fn digits(number: Decimal) -> String {
    sane(number).map_or_else(
        || readings::TOO_LARGE.to_owned(),
        |it| it.normalize().to_string(),
    )
}

pub(super) fn text<'a>(row: &'a Document, field: &str) -> &'a str {
    row.get(field).and_then(Value::as_str).unwrap_or_default()
}

/// The day of a date or time.
pub(super) fn day(row: &Document, field: &str) -> Option<Date> {
    text(row, field).get(..10).and_then(dates::day)
}

pub(super) fn is_set(row: &Document, field: &str) -> bool {
    !amount(row, field).is_zero()
}

/// A quantity of an input as a decimal.
pub(super) fn quantity(value: &serde_json::Number) -> Result<Decimal, ErpError> {
    let number = decimal(&Value::Number(value.clone()));
    let number = number.and_then(sane).filter(|it| *it > Decimal::ZERO);
    number.ok_or_else(|| ErpError::input(say::QUANTITY_IS_NOT_POSITIVE))
}

/// A day of an input.
pub(super) fn input_day(field: &str, value: &str) -> Result<Date, ErpError> {
    dates::day(value).ok_or_else(|| ErpError::input(say::is_no_day(field)))
}

/// The days of an input from the first to the last.
pub(super) fn span(from: &str, to: &str) -> Result<[Date; 2], ErpError> {
    let [from, to] = [input_day("from", from)?, input_day("to", to)?];
    let days = from.until(to).map_or(-1, |span| span.get_days());
    match days {
        ..0 => Err(ErpError::input(say::LAST_DAY_BEFORE_FIRST)),
        0..MOST_DAYS => Ok([from, to]),
        _ => Err(ErpError::input(say::too_many_days(MOST_DAYS))),
    }
}

/// The day at the site, by the clock of its last answer: so it is asked for after the figures, not beside them.
pub(super) async fn today(site: &ErpSite) -> Result<Date, ErpError> {
    let zone = &site.identity().await?.time_zone;
    Ok(dates::today(site.client.now(), zone))
}
