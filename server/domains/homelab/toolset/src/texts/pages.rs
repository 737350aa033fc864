//! Sentences of the homelab for people: the pages of nodes, guests and storages.

use std::fmt::Display;

pub(crate) const PART_OF_PAGE: &str = "part of a page";

pub(crate) fn guest_is_not_visible(vmid: u32, reason: &str) -> String {
    format!("Guest {vmid} is not visible: {reason}.")
}

pub(crate) fn storage_is_not_visible(reason: &str) -> String {
    format!("The storage is not visible: {reason}.")
}

pub(crate) fn no_such(what: &str) -> String {
    format!("There is no such {what}.")
}

pub(crate) fn page_cannot_be_written(error: &impl Display) -> String {
    format!("The page cannot be written: {error}.")
}

pub(crate) const PROXMOX_VE: &str = "Proxmox VE";

pub(crate) const CAN_BE_WOKEN: &str = "Can be woken";

pub(crate) const SERVICES_THAT_MAY_BE_RESTARTED: &str = "Services that may be restarted";

pub(crate) fn state_with_pid(state: &str, pid: i64) -> String {
    format!("{state}, number {pid}")
}

pub(crate) const STATE_NOT_REPORTED: &str = "state not reported";

pub(crate) const PROTECTED_HERE: &str = "Protected here";

pub(crate) const MAY_BE_STARTED_AND_STOPPED: &str = "May be started and stopped";

pub(crate) const SWITCHED_ON: &str = "Switched on";

pub(crate) const IN_REACH_OF_ITS_NODE: &str = "In reach of its node";

pub(crate) const READ_THROUGH: &str = "Read through";

pub(crate) fn only_newest_are_listed(most: usize, count: usize) -> String {
    format!("only the newest {most} of {count} are listed")
}

pub(crate) const I_O_WAIT: &str = "I/O wait";

pub(crate) const ROOT_DISK: &str = "Root disk";

pub(crate) const DISK_TRAFFIC: &str = "Disk traffic";

/// The part of a source that names Jarvis's own measurements.
const OWN_MEASUREMENTS: &str = "Jarvis's own measurements, means over 5 min";

pub(crate) fn measured_as_proxmox_failed(reason: &str) -> String {
    format!("{OWN_MEASUREMENTS}; Proxmox: {reason}")
}

pub(crate) fn with_measured_temperature(source: &str) -> String {
    format!("{source}; temperature: {OWN_MEASUREMENTS}")
}

pub(crate) fn without_temperature(source: &str, error: &str) -> String {
    format!("{source}; temperature unknown: {error}")
}
