//! What the pages of several domains say alike.

pub(crate) const NEVER: &str = "never";

pub(crate) fn ago(age: &str) -> String {
    format!("{age} ago")
}

pub(crate) fn utc(time: &str) -> String {
    format!("{time} UTC")
}

pub(crate) const RECONNECT_NOW: &str = "Reconnect now";
