//! Sentences of the homelab for people: conditions that raise notices.

pub(crate) fn cluster_does_not_answer(reason: &str) -> String {
    format!("The cluster does not answer: {reason}.")
}

pub(crate) const CLUSTER: &str = "the cluster";

pub(crate) const NO_QUORUM: &str = "The cluster has no quorum: nothing can be started or changed.";

pub(crate) fn no_backup(about: &str) -> String {
    format!("There is no backup of {about}.")
}

pub(crate) fn days(days: i64) -> String {
    format!("{days} days")
}

pub(crate) fn old_backup(about: &str, age: &str) -> String {
    format!("The newest backup of {about} is {age} old.")
}

pub(crate) fn node_is(name: &str, state: &str) -> String {
    format!("Node {name} is {state}.")
}

pub(crate) fn node_does_not_answer(name: &str) -> String {
    format!("Node {name} does not answer.")
}

pub(crate) fn node_comes_and_goes(name: &str, times: u32) -> String {
    format!("Node {name} comes and goes: {times} times in the last 10 minutes.")
}

pub(crate) fn hot_processor(name: &str, celsius: f64) -> String {
    format!("The processor of node {name} is at {celsius:.0} °C.")
}

pub(crate) fn full_root_disk(name: &str, percent: f64) -> String {
    format!("The root disk of node {name} is {percent:.0} % full.")
}

pub(crate) fn is_not_available(about: &str) -> String {
    format!("{about} is not available.")
}

pub(crate) fn is_full(about: &str, percent: f64) -> String {
    format!("{about} is {percent:.0} % full.")
}
