//! What the pages of several domains say alike.

pub(crate) const NEVER: &str = "never";

pub(crate) fn ago(age: &str) -> String {
    format!("{age} ago")
}

pub(crate) fn utc(time: &str) -> String {
    format!("{time} UTC")
}

pub(crate) const RECONNECT_NOW: &str = "Reconnect now";

pub(crate) const ACKNOWLEDGE: &str = "Acknowledge";

pub(crate) const CALLS_IN_FEED: &str = "Show them in the feed";

pub(crate) const ACTIONS: &str = "Available actions";
pub(crate) const OWN_CALLS: &str = "Your actions on it";
pub(crate) const NO_CONNECTION: &str = "No connection to the server.";
pub(crate) const ASKING_SERVER: &str = "Asking the server…";
pub(crate) const LAST_ACTION_UNFINISHED: &str = "Your last action on it isn't finished.";

pub(crate) fn fill_in_first(field: &str) -> String {
    format!("Fill in “{field}” first.")
}
