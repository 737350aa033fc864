//! Sentences of the homelab for people: protected and unknown objects.

use std::fmt::Display;

pub(crate) fn jarvis_runs_on_guest(vmid: u32) -> String {
    format!("Guest {vmid} is the machine that Jarvis itself runs on.")
}

pub(crate) fn guest_is_protected(vmid: u32) -> String {
    format!("Guest {vmid} is protected by the configuration.")
}

pub(crate) fn guest_of_protected_node(vmid: u32, node: &str) -> String {
    format!("Guest {vmid} is on node {node}, which is protected by the configuration.")
}

pub(crate) fn node_is_protected(name: &str) -> String {
    format!("Node {name} is protected by the configuration.")
}

pub(crate) const NOT_A_CLUSTER_REFERENCE: &str = "this is no reference to anything of a cluster";

pub(crate) const CLUSTER_HAS_NO_SUCH_NODE: &str = "the cluster has no such node";

pub(crate) const IT_IS_NOT_AMONG_NEWEST_TASKS: &str =
    "it is not among the newest tasks of the cluster";

pub(crate) fn cluster_has_no_such(what: &str) -> String {
    format!("the cluster has no such {what}")
}

pub(crate) fn no_such_is_to_be_seen(what: &str, lacks: &str) -> String {
    format!("no such {what} is to be seen: {lacks}")
}

pub(crate) fn changed_since_shown(before: &str, now: &str) -> String {
    format!("It was {before} when it was shown, and is {now} now.")
}

pub(crate) fn result_cannot_be_written(error: &impl Display) -> String {
    format!("The result cannot be written: {error}.")
}
