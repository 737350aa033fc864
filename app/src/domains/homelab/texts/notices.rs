//! Notices.

pub(crate) const NOTICES: &str = "Notices";

pub(crate) const ARE_OFF: &str = "Notices are off in the server’s configuration.";

pub(crate) const ARE_UNKNOWN: &str = "Notices unknown: the cluster does not answer.";

pub(crate) const NONE_OPEN: &str = "No open notices.";

pub(crate) const ACKNOWLEDGE: &str = "Acknowledge";

pub(crate) const ACKNOWLEDGE_ALL: &str = "Acknowledge all";

pub(crate) const ACKNOWLEDGING: &str = "Acknowledging…";

/// The time follows.
pub(crate) fn acknowledged_by(name: &str) -> String {
    format!(" · acknowledged by {name} ")
}

/// The notice follows.
pub(crate) const GRAVE: &str = "Grave: ";

/// The duration follows.
pub(crate) const FOR: &str = "open for ";

/// The duration follows.
pub(crate) const NEWEST_FOR: &str = "the newest open for ";

pub(crate) const SOME_TIME: &str = "some time";

pub(crate) fn resolved(count: usize) -> String {
    format!("{count} resolved in the last day")
}

/// The time follows.
pub(crate) fn lasted(span: &str) -> String {
    format!("lasted {span}, resolved ")
}

pub(crate) const SHOW: &str = "Show";

pub(crate) const HIDE: &str = "Hide";

/// `what` is one of the constants below.
pub(crate) fn several(count: usize, what: &str) -> String {
    format!("{count} {what}")
}

pub(crate) const GUESTS_WITHOUT_BACKUP: &str = "guests have no recent backup";

pub(crate) const ALMOST_FULL: &str = "disks and storages are almost full";

pub(crate) const FILLING_UP: &str = "disks and storages are filling up";

pub(crate) const STORAGES_NOT_AVAILABLE: &str = "storages are not available";

pub(crate) const NODES_ARE_DOWN: &str = "nodes are down";

pub(crate) const NODES_COME_AND_GO: &str = "nodes come and go";

pub(crate) const NODES_ARE_TOO_HOT: &str = "nodes are too hot";

pub(crate) const TASKS_FAILED: &str = "tasks failed";

pub(crate) const OTHER_NOTICES: &str = "notices";
