//! Sentences of the markets for people: records, events and prices that tools read.

use std::fmt::Display;

pub(crate) fn no_candles(symbol: &impl Display) -> String {
    format!("No candles of {symbol} are stored.")
}

pub(crate) fn it_is_now(removed: &impl Display) -> String {
    format!("It is now: {removed}")
}

pub(crate) fn input_does_not_fit(error: &impl Display) -> String {
    format!("The input does not fit the tool: {error}.")
}

pub(crate) fn count_out_of_range(count: usize, most: usize) -> String {
    format!("{count} is not between 1 and {most}.")
}

pub(crate) fn releases_around(count: usize, now: &impl Display) -> String {
    format!("{count} releases around {now}")
}

pub(crate) const HORIZONS_ARE_OUT_OF_RANGE: &str =
    "There must be 1 to 5 horizons of 1 to 120 hours each.";

pub(crate) fn no_such_release(event: &str) -> String {
    format!("No past release is called {event:?}.")
}

pub(crate) const NO_RELEASE_HAS_BAR: &str = "no release has a bar";

pub(crate) fn release_reactions(n: usize, name: &str, symbol: &impl Display) -> String {
    format!("{n} releases of {name} in {symbol}")
}

pub(crate) fn headlines_up_to(count: usize, now: &impl Display) -> String {
    format!("{count} headlines up to {now}")
}

pub(crate) fn no_report(symbol: &impl Display, now: &impl Display) -> String {
    format!("No report on {symbol} was published by {now}.")
}

pub(crate) const THERE_IS_NO_REPORT: &str = "There is no report.";

pub(crate) fn positions_as_of(day: &str, age: f64) -> String {
    format!("Positions as of {day}, {age:.0} days old")
}

pub(crate) fn weekly_reports_up_to(count: usize, now: &impl Display) -> String {
    format!("{count} weekly reports up to {now}")
}

pub(crate) fn trades_of(count: usize, symbol: &impl Display) -> String {
    format!("{count} trades of {symbol}")
}

pub(crate) const WHOSE_TRADES: &str =
    "person is the name of the one whose trade it is; null is a trade of the installation";

pub(crate) const INITIAL_BALANCE_IS_NOT_ABOVE_ZERO: &str = "initial_balance is not above zero.";

pub(crate) fn figures_of_closed_trades(closed: usize) -> String {
    format!("Figures of {closed} closed trades")
}

pub(crate) fn no_candles_there(timeframe: &impl Display, symbol: &impl Display) -> String {
    format!("No {timeframe} candles of {symbol} are stored there.")
}

pub(crate) fn candles(
    count: usize,
    timeframe: &impl Display,
    symbol: &impl Display,
    until: &impl Display,
) -> String {
    format!("{count} {timeframe} candles of {symbol} up to {until}")
}

/// Follows the summary of candles.
pub(crate) const NO_PRICE_IS_KNOWN_NOW: &str = "; no price is known now";

pub(crate) fn quote(
    symbol: &impl Display,
    bid: &str,
    ask: &str,
    mark: &str,
    at: &impl Display,
) -> String {
    format!("{symbol} {bid} / {ask}{mark}, at {at}")
}
