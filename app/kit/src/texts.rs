//! The sentences for people of this crate, in one place: another language is another such module.

pub(crate) const THE_BROWSER_BLOCKED_COPYING: &str = "The browser blocked copying.";
pub(crate) const COPIED: &str = "Copied";

pub(crate) fn time_in_utc(date: &str, time: &str) -> String {
    format!("{date} {time} UTC")
}

/// The id follows.
pub(crate) const REQUEST_ID: &str = " · Request ID ";

pub(crate) const NOW: &str = "now";
pub(crate) const NO_COST: &str = "no cost";
pub(crate) const UNDER_A_HUNDREDTH_OF_A_CENT: &str = "under $0.0001";

pub(crate) const DONE: &str = "done: ";
pub(crate) const OPEN: &str = "open: ";
pub(crate) const TABLE: &str = "Table";

pub(crate) const PLAIN_TEXT: &str = "text";
pub(crate) const COPY_CODE: &str = "Copy code";

pub(crate) const THIS_PAGE_COULD_NOT_BE_LOADED: &str = "This page could not be loaded.";
pub(crate) const CHECK_THE_CONNECTION_AND_TRY_AGAIN: &str =
    "Check the connection and try again, or reload.";

pub(crate) const TRY_AGAIN: &str = "Try again";

pub(crate) const DARK: &str = "Dark";
pub(crate) const LIGHT: &str = "Light";
pub(crate) const SYSTEM: &str = "System";
#[cfg(feature = "ssr")]
pub(crate) const COMPACT: &str = "Compact";
#[cfg(feature = "ssr")]
pub(crate) const COMFORTABLE: &str = "Comfortable";

pub(crate) const EMPTY: &str = "empty";
pub(crate) const NONE: &str = "none";
pub(crate) const UNKNOWN: &str = "unknown";
pub(crate) const TABLE_OF_THE_RESULT: &str = "Table of the result";
pub(crate) const TOTAL: &str = "Total";

pub(crate) fn unknown_because(reason: &str) -> String {
    format!("unknown: {reason}")
}

/// The head of a column of amounts.
pub(crate) fn amounts_in(label: &str, currency: &str) -> String {
    format!("{label} ({currency})")
}

pub(crate) fn amounts_in_unknown(label: &str, reason: &str) -> String {
    format!("{label} (currency unknown: {reason})")
}

pub(crate) fn values(count: usize) -> String {
    format!("{count} values")
}

pub(crate) fn and_more(hidden: usize) -> String {
    format!("and {hidden} more")
}

pub(crate) fn unknown_values(gaps: usize, values: usize) -> String {
    format!(" · {gaps} of {values} unknown")
}

pub(crate) fn range_of_the_series(low: &str, high: &str, newest: &str, gaps: &str) -> String {
    format!(" {low} to {high} · last {newest}{gaps}")
}

pub(crate) const LOADING_GRAPH: &str = "Loading graph…";
pub(crate) const HIDE_TABLE: &str = "Hide table";
pub(crate) const TIME: &str = "Time";
pub(crate) const NAME: &str = "Name";
pub(crate) const NUMBER: &str = "Number";
pub(crate) const VALUES_OF_THE_GRAPH: &str = "Values of the graph";

pub(crate) fn highest_value(highest: &str, place: &str) -> String {
    format!("highest {highest}, {place}")
}

pub(crate) fn last_and_highest_value(last: &str, highest: &str, place: &str) -> String {
    format!("last {last} · highest {highest} at {place}")
}

pub(crate) const YES: &str = "yes";
pub(crate) const NO: &str = "no";
