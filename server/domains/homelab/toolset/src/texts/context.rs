//! Sentences of the homelab for people: the summary of the systems.

pub(crate) fn no_answer_yet(millis: u128) -> String {
    format!("no answer from Proxmox yet, after {millis} ms")
}

pub(crate) const STATE_UNKNOWN: &str = "state unknown";

pub(crate) fn online_usage_unknown(unknown: &str) -> String {
    format!("online, usage unknown: {unknown}")
}

pub(crate) fn online_cpu_memory_up(
    cpu_percent: &str,
    memory_percent: &str,
    total: &str,
    up: &str,
) -> String {
    format!("online, CPU {cpu_percent}, memory {memory_percent}{total}, up {up}")
}

pub(crate) fn running_task(what: &str, start: &str) -> String {
    format!("{what} since {start}")
}

pub(crate) fn failed_task(what: &str, start: &str, error: &str) -> String {
    format!("{what} at {start}: {error}")
}

pub(crate) fn and_more(more: usize) -> String {
    format!("and {more} more")
}

pub(crate) const NODE: &str = "node";

pub(crate) const SHARED_STORAGE: &str = "storage · shared";

pub(crate) fn storage_of(node: &str) -> String {
    format!("storage · {node}")
}
