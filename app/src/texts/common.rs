//! Sentences that several parts of the page say.

pub(crate) const LOADING: &str = "Loading…";
pub(crate) const TRY_AGAIN: &str = "Try again";

pub(crate) const KILL_SWITCH_BLOCKS_ACTIONS: &str =
    "The kill switch is on: actions are blocked until it's lifted.";

/// `time`: such as `4:05`.
pub(crate) fn time_left(time: &str) -> String {
    format!("{time} left")
}
