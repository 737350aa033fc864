//! Answers to the assistant's requests to the chart, and errors of the chart and of edits.

pub(crate) const NO_SUCH_CHART: &str = "This page has no such chart.";

pub(crate) fn page_cannot_do(tool: &str) -> String {
    format!("This page cannot do {tool}.")
}

pub(crate) const DRAWING_CANNOT_BE_READ: &str = "The drawing cannot be read.";

pub(crate) const USER_LEFT: &str = "The user left the page.";

pub(crate) fn open_chart_is_of(symbol: &str) -> String {
    format!("The open chart is of {symbol}.")
}

pub(crate) const USER_HIDES_THIS_KIND: &str = "The user has hidden drawings of this kind.";

pub(crate) const USER_HAS_HIDDEN_IT: &str = "The user has hidden it.";

pub(crate) fn not_visible_on(timeframe: &str) -> String {
    format!("It is not visible on {timeframe}, the open timeframe.")
}

pub(crate) fn no_chart_of(timeframe: &str) -> String {
    format!("The page has no chart of {timeframe}.")
}

pub(crate) const NOT_A_UTC_TIME: &str = "That is not a UTC time.";

pub(crate) const ANOTHER_CHART_WAS_OPENED: &str = "Another chart was opened.";

pub(crate) fn shows(chart: &str, from: &str, to: &str) -> String {
    format!("{chart} shows {from} to {to}")
}

pub(crate) const NO_CANDLES_TO_SHOW: &str = "There are no candles to show.";

pub(crate) const NO_CANDLES: &str = "There are no candles for this chart.";

pub(crate) fn script_failed(error: &str) -> String {
    format!("The chart's script failed: {error}.")
}

pub(crate) const SCRIPT_IS_UNKNOWN: &str = "the page does not know where its script is";

pub(crate) const IT_FAILED: &str = "it failed";

pub(crate) const CHECK_CONNECTION: &str = "Check the connection and try again, or reload the page.";

pub(crate) const MAY_HAVE_BEEN_MADE: &str =
    "The change may or may not have been made. Check the drawing.";

pub(crate) const WAS_NOT_MADE: &str = "The change was not made.";
