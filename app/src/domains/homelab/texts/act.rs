//! Actions on a guest or a node.

pub(crate) const RUNNING: &str = "Running…";

pub(crate) const WAITING_FOR_YOU: &str = "Waiting for you";

pub(crate) const NO_LONGER_ON_BOARD: &str = "No longer on the board";

pub(crate) const CLOSE: &str = "Close";

pub(crate) fn state_unknown(reason: &str) -> String {
    format!("State unknown: {reason}. No actions available.")
}

/// Its age follows.
pub(crate) fn seen(state: &str) -> String {
    format!("Seen {state}, ")
}

pub(crate) const AVAILABLE_ACTIONS: &str = "Available actions";

pub(crate) fn ask_about(thing: &str) -> String {
    format!("Ask Jarvis about {thing}")
}

pub(crate) const ASK_JARVIS: &str = "Ask Jarvis";

pub(crate) const OPEN: &str = "Open";

pub(crate) const ACTIONS: &str = "Actions";

pub(crate) const ACT: &str = "Act";

/// Follows the word on a button.
pub(crate) fn on(thing: &str) -> String {
    format!(" on {thing}")
}
