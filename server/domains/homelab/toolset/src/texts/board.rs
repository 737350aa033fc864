//! Sentences of the homelab for people: why a figure of the board is unknown.

/// The reason for a missing value before the first answers.
pub(crate) const NOT_ASKED: &str = "not asked yet";

pub(crate) fn node_does_not_answer(node: &str) -> String {
    format!("node {node} does not answer")
}

pub(crate) const MEASURED_FOR_TOO_SHORT_TIME: &str = "measured for too short a time";

pub(crate) const FULLNESS_OF_VM_DISK_UNKNOWN: &str =
    "Proxmox does not know how full a VM's disk is";

pub(crate) const SSH_IS_NOT_CONFIGURED: &str = "SSH is not configured";

pub(crate) const SEEN_FOR_LESS_THAN_DAY: &str = "seen for less than a day";
