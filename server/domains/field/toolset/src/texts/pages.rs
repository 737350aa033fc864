//! Words of pages.

pub(crate) const NO_PAGE: &str = "There is no such part of a page.";

pub(crate) const YES: &str = "yes";
pub(crate) const NO: &str = "no";
pub(crate) const NONE: &str = "none";

pub(crate) fn unknown(reason: &str) -> String {
    format!("unknown ({reason})")
}

/// The label of one of several records.
pub(crate) fn entry(name: &str, number: usize) -> String {
    format!("{} {number}", name.replace('_', " "))
}

pub(crate) fn clock_agrees(shown: &str) -> String {
    format!("{shown}, as on the server")
}

pub(crate) fn clock_ahead(shown: &str, by: &str) -> String {
    format!("{shown}, {by} ahead of the server")
}

pub(crate) fn clock_behind(shown: &str, by: &str) -> String {
    format!("{shown}, {by} behind the server")
}

pub(crate) fn clock_not_compared(shown: &str) -> String {
    format!("{shown}, not compared with the server yet")
}

pub(crate) fn clock_unset(shown: &str) -> String {
    format!("{shown}, never set")
}

pub(crate) const MEMORY: &str = "memory";
pub(crate) const CPU: &str = "processor time";
pub(crate) const TASKS: &str = "processes";
pub(crate) const WORKSPACE: &str = "disk space";
pub(crate) const NO_NETWORK: &str = "no network";
pub(crate) const LISTED_NETWORK: &str = "listed destinations only";
pub(crate) const PACKET_SOCKETS: &str = "packet sockets";

pub(crate) const COLLECT: &str = "Collect diagnostics";
pub(crate) const PROBE_LINKS: &str = "Check the links";
pub(crate) const PROBE_PING: &str = "Ping";
pub(crate) const CANCEL_RUN: &str = "Cancel the run";

pub(crate) const CHECK_AGAIN: &str = "Check again";

pub(crate) fn run_version(version: u64) -> String {
    format!("Run version {version}")
}

/// `by`: the device or the server.
pub(crate) fn refused(by: &str, reason: &str) -> String {
    format!("{by}: {reason}")
}

pub(crate) fn exit(code: i32) -> String {
    format!("exit {code}")
}

pub(crate) fn signal(number: i32) -> String {
    format!("signal {number}")
}

pub(crate) const TIMEOUT: &str = "out of time";
pub(crate) const OUT_OF_MEMORY: &str = "out of memory";
pub(crate) const TOO_MUCH_OUTPUT: &str = "too much output";
pub(crate) const CANCELLED: &str = "cancelled";
pub(crate) const LOST: &str = "lost";
pub(crate) const END_UNKNOWN: &str = "begun, and its end is unknown";

pub(crate) const PACKAGE_SHA: &str = "Package SHA-256";
pub(crate) const SCRIPT_SHA: &str = "Script SHA-256";
pub(crate) const CORE_SHA: &str = "Manifest core SHA-256";
pub(crate) const SIGNING_KEY: &str = "Signed with key";
pub(crate) const SEQUENCE: &str = "Sequence number";
pub(crate) const EXPIRES: &str = "Expires";
pub(crate) const APPROVAL: &str = "Approval";
pub(crate) const APPROVED_BY: &str = "Approved by";
