//! A second symbol on the chart.

pub(crate) const COMPARE_WITH: &str = "Compare with";

pub(crate) const NOTHING: &str = "Nothing";

pub(crate) fn no_candles(symbol: &str) -> String {
    format!("There are no candles of {symbol} to compare with.")
}
