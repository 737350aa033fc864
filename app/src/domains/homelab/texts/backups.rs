//! Backups by night, and how many guests they cover.

pub(crate) fn may_be_missing(lack: &str) -> String {
    format!("Some backups may be missing here: {lack}.")
}

pub(crate) fn have_none_or_old(none: usize, old: usize) -> String {
    match (none, old) {
        (none, 0) => format!("{none} have none"),
        (0, old) => format!("{old} have only old ones"),
        (none, old) => format!("{none} have none, {old} only old ones"),
    }
}

pub(crate) fn in_no_job(count: usize) -> String {
    format!("{count} in no backup job")
}

pub(crate) fn failed_verification(count: usize) -> String {
    format!("{count} failed verification")
}

/// Their age follows.
pub(crate) fn seen(count: u32, storages: &str) -> String {
    if storages.is_empty() {
        format!("{count} backups, seen ")
    } else {
        format!("{count} backups on {storages}, seen ")
    }
}

pub(crate) const NO_GUESTS: &str = "No guests to back up.";

pub(crate) const STATUS_UNKNOWN: &str = "Backup status unknown.";

pub(crate) fn good(fresh: usize, all: usize, hours: u32, unknown: usize) -> String {
    let unknown = match unknown {
        0 => String::new(),
        unknown => format!(", {unknown} unknown"),
    };
    format!("{fresh} of {all} guests have a good backup from the last {hours} hours{unknown}.")
}

pub(crate) const BY_NIGHT: &str = "Backups by night";

pub(crate) fn of_night(count: u32) -> String {
    match count {
        1 => "1 backup".to_owned(),
        count => format!("{count} backups"),
    }
}

pub(crate) const NONE_OF_NIGHT: &str = "no backup from this night";

pub(crate) fn of_night_failed(kept: &str, failed: u32) -> String {
    format!("{kept}, {failed} failed")
}

pub(crate) fn of_night_unverified(kept: &str, unverified: u32) -> String {
    format!("{kept}, {unverified} failed verification")
}

pub(crate) fn last_night(good: u32) -> String {
    format!("Last night: {good} good")
}

pub(crate) fn failed(count: u32) -> String {
    format!("{count} failed")
}

pub(crate) const VERIFICATION_FAILED: &str = "verification failed";

pub(crate) const NONE: &str = "none";
