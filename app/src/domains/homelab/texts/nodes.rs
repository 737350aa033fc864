//! The nodes side by side.

pub(crate) const NO_GUESTS: &str = "no guests";

pub(crate) fn guests_running(running: usize, total: usize) -> String {
    format!("{running} of {total} running")
}

/// Follows the figure.
pub(crate) fn of_total(total: &str) -> String {
    format!(" of {total}")
}

pub(crate) const PROTECTED: &str = "Protected";

pub(crate) const IS_PROTECTED: &str = "protected";

/// The uptime follows.
pub(crate) const UP: &str = "up ";

pub(crate) const ONLINE: &str = "online";

pub(crate) const OFFLINE: &str = "offline";
