//! The sections of the HUD, the calls that wait, and wall mode.

pub(crate) const NODES: &str = "Nodes";

pub(crate) const STORAGE: &str = "Storage";

pub(crate) const FULLEST_FIRST: &str = "fullest first";

pub(crate) const TASKS: &str = "Tasks";

pub(crate) const BACKUPS: &str = "Backups";

pub(crate) const BY_NIGHT: &str = "by night";

pub(crate) const WAITING: &str = "Waiting for your decision";

pub(crate) fn waiting(about: &str) -> String {
    format!("Waiting for your decision. {about}")
}

pub(crate) const FROM_ANOTHER: &str = "A request from another person";

pub(crate) const WAITING_AS_SECOND: &str = "Waiting for your approval as the second person";

pub(crate) fn several_waiting(count: usize) -> String {
    format!("{count} requests are waiting for your decision")
}

pub(crate) const REVIEW: &str = "Review";

pub(crate) fn review_all(count: usize) -> String {
    format!("Review all {count}")
}

pub(crate) const LEAVE_WALL_MODE: &str = "Leave wall mode";

pub(crate) const WALL_MODE: &str = "Wall mode";

pub(crate) const WALL_MODE_MEANS: &str = "Wall mode: only the board, in large type";
