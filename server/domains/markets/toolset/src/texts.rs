//! Sentences for people of this toolset in one place, so that another language is another such module.

pub(crate) mod alerts;
pub(crate) mod drawings;
pub(crate) mod imports;
pub(crate) mod maths;
pub(crate) mod records;
pub(crate) mod symbols;

use std::fmt::Display;

pub(crate) fn no_candles(symbol: &impl Display) -> String {
    format!("no candles of {symbol} are stored")
}

pub(crate) fn market_time_unknown(why: &str) -> String {
    format!("the time of the market is not known: {why}")
}

pub(crate) fn no_answer_yet(millis: u128) -> String {
    format!("no answer yet, after {millis} ms")
}

pub(crate) fn no_candles_of_frame(frame: &impl Display, symbol: &impl Display) -> String {
    format!("no {frame} candles of {symbol} are stored")
}

pub(crate) fn no_report(symbol: &impl Display, now: &impl Display) -> String {
    format!("no report on {symbol} was published by {now}")
}

pub(crate) const CFTC_LEGACY_FUTURES_ONLY: &str = "CFTC legacy, futures only";

pub(crate) const INDEX_OF_26_REPORTS: &str =
    "100 (net - lowest) / (highest - lowest) of 26 reports";

pub(crate) const THERE_ARE_NO_CANDLES: &str = "there are no candles";

pub(crate) const PART_OF_CHART: &str = "part of a chart";

/// The source of a chart's candles. `day` is the local time and the zone in which its days begin; none
/// for days in UTC.
pub(crate) fn prices_of_chart(day: Option<(String, &str)>) -> String {
    match day {
        Some((time, zone)) => {
            let place = zone.rsplit('/').next().unwrap_or(zone).replace('_', " ");
            format!("Stored candles, asked prices; days begin at {time} in {place}.")
        }
        None => "Stored candles, asked prices; days are in UTC.".to_owned(),
    }
}

pub(crate) fn no_value_of_filter(field: &str) -> String {
    format!("The filter's field {field:?} has a value that it cannot have.")
}

pub(crate) fn no_such_field_of_filter(field: &str) -> String {
    format!("The filter has no field {field:?}.")
}

pub(crate) fn no_such(what: &str) -> String {
    format!("There is no such {what}.")
}

pub(crate) const NO_TIME_OF_CHART: &str =
    "The time is no number of seconds since 1970 that a chart could show.";

pub(crate) fn chart_asks_for_candles(most: usize) -> String {
    format!("A chart asks for 1 to {most} candles.")
}

pub(crate) fn unreadable(error: &impl Display) -> String {
    format!("what it says cannot be read: {error}")
}

pub(crate) const FORM_OF_FILE_NAME: &str = "it is not called by symbol and timeframe, such as \
     EURUSD_M1.csv, or by its records, such as trades.csv";

/// Begins the reason for an unknown price that nobody wanted to know.
pub(crate) const NO_SOURCE_OF_PRICES: &str =
    "there is no source of prices, only a folder of candles";

pub(crate) fn candle_file_has_problem(file: &str, why: &str) -> String {
    format!("{file}: not imported, because {why}.")
}

pub(crate) const MESSAGE_WITHOUT_PRICES: &str = "the message has no price";

pub(crate) const NOTHING_WAS_SENT: &str = "no program has sent a price since the start";

pub(crate) fn bid_is_not_below_ask(symbol: &impl Display) -> String {
    format!("the bid of {symbol} is not between 0 and its ask")
}

pub(crate) const NO_REFERENCE_TO_A_CHART: &str = "this is no reference to a chart or a drawing";

pub(crate) const CHART_IN_VIEW: &str = "The chart that the person looks at.";

pub(crate) const TOLD_BY_SOURCE: &str = "The configured source told it.";

pub(crate) fn source_is_silent(since: &impl Display) -> String {
    format!("the source has told nothing new since {since}")
}

/// Begins the reason for an unknown price that nobody has to look after.
pub(crate) const MARKET_IS_CLOSED: &str = "the market is closed";

pub(crate) fn market_is_closed(since: &impl Display) -> String {
    format!("{MARKET_IS_CLOSED}, and the source has told nothing new since {since}")
}

pub(crate) fn source_does_not_answer(seconds: u64) -> String {
    format!("the source does not answer within {seconds} s")
}

pub(crate) fn source_has_no_price(symbol: &impl Display) -> String {
    format!("the source no longer has a price of {symbol}")
}

pub(crate) fn source_is_ahead(at: &impl Display) -> String {
    format!("the source says a time in the future, {at}")
}

pub(crate) fn source_goes_back(from: &impl Display, to: &impl Display) -> String {
    format!("the source goes back in time, from {from} to {to}")
}

pub(crate) fn price_jumped(from: &str, to: &str) -> String {
    format!("the price jumped from {from} to {to}, and no second one confirms it yet")
}

/// Follows the reason why a price is unknown.
pub(crate) fn last_known(bid: &str, ask: &str, at: &impl Display, age: i64) -> String {
    format!("; the last known price was {bid} / {ask} at {at}, {age} s ago")
}

pub(crate) fn assumed_spread(spread: f64) -> String {
    format!(
        "There is no live source: the ask is the close of the last stored hour, and the spread of \
         {spread} pip is assumed."
    )
}

pub(crate) fn replayed(speed: f64, spread: f64) -> String {
    format!(
        "There is no live source: after the last stored hour the moves of the stored candles are \
         replayed, {speed} times as fast as real time; the spread of {spread} pip is assumed."
    )
}

pub(crate) fn price_is_unknown(symbol: &str, why: &str) -> String {
    format!("The price of {symbol} is unknown: {why}.")
}
