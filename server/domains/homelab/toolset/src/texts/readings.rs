//! Sentences of the homelab for people: results of the tools that read.

pub(crate) fn unknown(many: &str, reason: &str) -> String {
    format!("{many} unknown: {reason}")
}

pub(crate) const IN_OTHER_STATES: &str = "in other states";

pub(crate) fn nothing_measured(span: &str) -> String {
    format!("nothing was measured in the last {span}")
}

pub(crate) const SINGLE_VALUE: &str =
    "a single value was measured, so the time that it stands for cannot be told";

pub(crate) fn points(about: &str, span: &str, count: usize) -> String {
    format!("{about} over the last {span}: {count} points")
}

pub(crate) const OTHER_NODES_DO_NOT_SEE_IT: &str = "the other nodes do not see it";

pub(crate) const NO_QUORUM: &str = ", NO quorum";

pub(crate) const QUORUM_UNKNOWN: &str = ", quorum unknown";

pub(crate) fn offline_count(offline: usize) -> String {
    format!(", {offline} offline")
}

pub(crate) fn is_offline(name: &str) -> String {
    format!("{name} is offline")
}

pub(crate) fn cpu_memory(name: &str, cpu_percent: &str, memory_percent: &str) -> String {
    format!("{name}: CPU {cpu_percent}, memory {memory_percent}")
}

pub(crate) fn does_not_answer(name: &str) -> String {
    format!("{name} does not answer")
}

pub(crate) const NODE_IS_NEVER_REBOOTED_OR_SHUT_DOWN: &str =
    "A node is never rebooted or shut down from here.";

pub(crate) const NODE_IS_NEVER_REBOOTED: &str = "A node is never rebooted from here.";

pub(crate) const GUESTS_UNKNOWN: &str = "guests unknown";

pub(crate) const STORAGES_UNKNOWN: &str = "storages unknown";

pub(crate) fn storages_unknown(reason: &str) -> String {
    format!("storages unknown: {reason}")
}

pub(crate) fn fullest_at(storage: &str, on: &str, percent: &str) -> String {
    format!(", fullest {storage}{on} at {percent}")
}

pub(crate) fn not_available(gone: usize) -> String {
    format!(", {gone} not available")
}

pub(crate) const NO_STORAGE_IS_AVAILABLE: &str = "no storage is available";

pub(crate) fn tasks_unknown(reason: &str) -> String {
    format!("tasks unknown: {reason}")
}

pub(crate) const NEWEST_TASKS_OF_NODE: &str = "the newest tasks of the node";

pub(crate) const FAILED_TASK: &str = "failed task";

pub(crate) const FAILED_TASKS: &str = "failed tasks";

pub(crate) fn tasks_with_failures(of: &str, failed: usize) -> String {
    format!("{of}, {failed} failed")
}

pub(crate) fn running_count(running: usize) -> String {
    format!(", {running} running")
}

/// Reason given if no temperature can be read.
pub(crate) const NO_SSH: &str =
    "temperatures are read over SSH, which is not configured; the API of Proxmox has none";

pub(crate) const NO_PROCESSOR: &str = "no sensor of the processor is among those that can be read";

pub(crate) fn temperature_needs_ssh(node: &str) -> String {
    format!("temperature of {node} unknown: SSH is not configured")
}

pub(crate) fn temperature_of_unknown(node: &str, reason: &str) -> String {
    format!("temperature of {node} unknown: {reason}")
}

pub(crate) fn celsius(node: &str, celsius: f64) -> String {
    format!("{node}: {celsius:.0} °C")
}

pub(crate) fn no_temperature_of_processor(node: &str) -> String {
    format!("{node}: no temperature of the processor")
}

pub(crate) const OTHER_SENSORS_ARE_LEFT_OUT: &str = "the other sensors are left out";

pub(crate) const NO_PROGRAM_SENSORS: &str =
    "the program sensors (package lm-sensors) is not on the node";

pub(crate) const NO_SENSORS: &str = "the node has no sensors, or none is set up (sensors-detect)";

pub(crate) fn sensors_ended_with(code: &str) -> String {
    format!("sensors ended with {code}")
}

pub(crate) const NO_CODE: &str = "no code";

pub(crate) const SENSOR_REPORTS_IMPOSSIBLE_VALUE: &str = "the sensor reports an impossible value";
