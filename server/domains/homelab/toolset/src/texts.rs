//! Sentences for people of this toolset in one place, so that another language is another such module.

pub(crate) mod backups;
pub(crate) mod board;
pub(crate) mod client;
pub(crate) mod conditions;
pub(crate) mod config;
pub(crate) mod context;
pub(crate) mod happenings;
pub(crate) mod pages;
pub(crate) mod power;
pub(crate) mod readings;
pub(crate) mod service;
pub(crate) mod ssh;
pub(crate) mod systems;
pub(crate) mod wake;

use std::fmt::Display;

pub(crate) const NOT_REPORTED: &str = "not reported";

pub(crate) const BELONGS_TO_NO_CLUSTER: &str = "a single node that belongs to no cluster";

pub(crate) fn only_own_tasks(reason: &str) -> String {
    format!("only one's own tasks: {reason}")
}

pub(crate) fn storage_on(name: &str, node: &str) -> String {
    format!("storage {name} on {node}")
}

pub(crate) const ITS_NODE_SENDS_NO_STATISTICS: &str = "its node sends no statistics";

pub(crate) const ONLINE_BUT_SILENT: &str = "listed as online, but it does not answer";

pub(crate) const STATE_NOT_REPORTED_BY_CLUSTER: &str = "the cluster does not report its state";

pub(crate) const NOT_REPORTED_BY_ITS_NODE: &str = "its node does not report it as available";

pub(crate) fn only_callers_tasks(reason: &str) -> String {
    format!("only the caller's own tasks: {reason}")
}

pub(crate) fn node_is_offline(name: &str) -> String {
    format!("node {name} is offline")
}

pub(crate) fn no_such_node(name: &str, known: &str) -> String {
    format!("There is no node {name:?}. The nodes are: {known}.")
}

pub(crate) fn no_such_guest(vmid: u32) -> String {
    format!("There is no guest {vmid}.")
}

pub(crate) const HIGH_AVAILABILITY: &str = "High availability";

pub(crate) const NOT_MANAGED: &str = "not managed";

pub(crate) const LIST_INCOMPLETE: &str = " (list incomplete)";

pub(crate) fn answer_was_lost(lost: &impl Display) -> String {
    format!("The answer was lost ({lost}); looking for the task")
}

pub(crate) const OK_WITH_WARNINGS: &str = "ok with warnings";

pub(crate) const STATE_NOW: &str = "State now";

pub(crate) const RUNNING_SINCE: &str = "Running since";
