//! The page of one thing: a node, a guest, a storage, a task.

pub(crate) const NOW: &str = "Now";

pub(crate) const BREADCRUMB: &str = "Breadcrumb";

pub(crate) const BACK_TO_HUD: &str = "Back to HUD";
pub(crate) const NOT_FOUND: &str = "Not found in the cluster.";

pub(crate) fn of_threads(percent: &str, threads: u64) -> String {
    format!("{percent} of {threads} threads")
}

pub(crate) fn of_cores(percent: &str, cores: f64) -> String {
    format!("{percent} of {cores} cores")
}

pub(crate) const VIRTUAL_MACHINE: &str = "virtual machine";

pub(crate) const CONTAINER: &str = "container";

pub(crate) const BACKUP: &str = "Backup";

pub(crate) const NO_TAGS: &str = "none";

pub(crate) const HISTORY: &str = "History";

pub(crate) const TIME: &str = "Time";

pub(crate) const HOUR: &str = "Hour";

pub(crate) const DAY: &str = "Day";

pub(crate) const WEEK: &str = "Week";

pub(crate) const MONTH: &str = "Month";

/// The age follows.
pub(crate) fn each_point(span: &str) -> String {
    format!("Each point is the mean of {span} · ")
}

pub(crate) const NOT_MEASURED: &str = "not measured";

pub(crate) fn line_not_measured(name: &str) -> String {
    format!("{name}: not measured.")
}

pub(crate) fn line_measured(name: &str, [low, high, mean]: [String; 3], gaps: &str) -> String {
    format!("{name}: lowest {low}, highest {high}, mean {mean}{gaps}.")
}

pub(crate) fn points_not_measured(gaps: usize, points: usize) -> String {
    format!(", {gaps} of {points} points not measured")
}

pub(crate) const NO_DATA: &str = "No data for this period.";

pub(crate) fn time_in(chart: &str) -> String {
    format!("Time in {chart}")
}

pub(crate) const LOG: &str = "Log";

pub(crate) const LOG_OF_TASK: &str = "Log of the task";

pub(crate) const LOG_IS_EMPTY: &str = "The log is empty.";

pub(crate) const SHOW_MORE: &str = "Show more";

/// The age follows.
pub(crate) const READ: &str = "Read ";

pub(crate) const DETAILS: &str = "Details";

pub(crate) fn unknown(reason: &str) -> String {
    format!("Unknown: {reason}.")
}

pub(crate) fn may_be_incomplete(lack: &str) -> String {
    format!("This list may be incomplete: {lack}.")
}

pub(crate) const BACKUPS: &str = "Backups";

pub(crate) const NO_BACKUPS: &str = "No backups.";

pub(crate) const SNAPSHOTS: &str = "Snapshots";

pub(crate) const NO_SNAPSHOTS: &str = "No snapshots.";

pub(crate) const CONFIGURATION: &str = "Configuration";

pub(crate) const NO_CONFIGURATION: &str = "No configuration.";

pub(crate) const TASKS: &str = "Tasks";

pub(crate) const NO_KNOWN_TASKS: &str = "No known tasks.";

pub(crate) const SERVICES: &str = "Services";

pub(crate) const NO_SERVICES: &str = "No services.";

pub(crate) const MAY_BE_SECRET: &str = "not shown: may contain a secret";

pub(crate) const CONFIGURATION_COLUMNS: [&str; 2] = ["Name", "Value"];

pub(crate) const SNAPSHOT_COLUMNS: [&str; 5] = ["Name", "Created", "Contents", "Parent", "Note"];

pub(crate) const BACKUP_COLUMNS: [&str; 6] =
    ["Created", "Guest", "Size", "Storage", "Verified", "Volume"];

pub(crate) const WITH_MEMORY: &str = "with memory";

pub(crate) const DISKS_ONLY: &str = "disks only";

pub(crate) const DISKS: &str = "disks";
