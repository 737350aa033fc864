//! Sentences of the homelab for people: starts, shutdowns and restarts of guests.

use std::fmt::Display;

use crate::time::span;

pub(crate) fn it_was_stopped_but_not_started(message: &str) -> String {
    format!("It was stopped, but not started again. {message}")
}

pub(crate) fn was_refused(doing: &str, guest: &str, message: &str) -> String {
    format!("{doing} {guest} was refused. {message}")
}

pub(crate) fn may_have_taken_effect(
    doing: &str,
    guest: &str,
    lost: &impl Display,
    why: &str,
) -> String {
    format!(
        "{doing} {guest}: the answer to the order was lost ({lost}), and {why}. It may have taken \
         effect."
    )
}

pub(crate) const LOOK_AT_GUEST_AND_TASKS: &str = "Look at the guest and at the tasks of its node.";

pub(crate) const TASKS_COULD_NOT_BE_COMPARED: &str = "the tasks could not be compared";

pub(crate) fn did_not_begin(doing: &str, guest: &str, lost: &impl Display, node: &str) -> String {
    format!(
        "{doing} {guest} did not begin: the connection was lost ({lost}), and node {node} has no \
         task for it."
    )
}

pub(crate) fn its_task_cannot_be_looked_for(error: &impl Display) -> String {
    format!("its task cannot be looked for: {error}")
}

pub(crate) fn its_task_has_no_name(doing: &str, guest: &str) -> String {
    format!("{doing} {guest}: its task has no name.")
}

pub(crate) fn has_not_ended(doing: &str, guest: &str, task: &str) -> String {
    format!("{doing} {guest} has not ended: task {task} is still running.")
}

pub(crate) fn outcome_cannot_be_seen(
    doing: &str,
    guest: &str,
    error: &impl Display,
    task: &str,
) -> String {
    format!("{doing} {guest} was begun, but how it went cannot be seen: {error}. Task {task}.")
}

pub(crate) fn ended_without_proof(
    doing: &str,
    guest: &str,
    reason: &str,
    now: &str,
    task: &str,
) -> String {
    format!("{doing} {guest}: {reason}; the guest is {now}. Task {task}.")
}

pub(crate) fn ended_well_but_guest_is(doing: &str, guest: &str, now: &str, task: &str) -> String {
    format!("{doing} {guest}: the task ended well, but it is {now}. Task {task}.")
}

pub(crate) const MANAGER_DECIDES: &str =
    "The high-availability manager decides what its guests do.";

pub(crate) const SOMEBODY_ELSE_MAY_HAVE_ACTED: &str =
    "Somebody else may have acted on it meanwhile.";

pub(crate) fn ended_well_but_guest_cannot_be_seen(
    doing: &str,
    guest: &str,
    error: &impl Display,
    task: &str,
) -> String {
    format!(
        "{doing} {guest}: the task ended well, but the guest cannot be seen: {error}. Task {task}."
    )
}

pub(crate) const TASK_LOG_HAS_THEM: &str = "the task's log has them";

pub(crate) fn it_is_now(status: &str) -> String {
    format!("It is {status} now.")
}

pub(crate) fn its_state_is_not_known(error: &impl Display) -> String {
    format!("Its state is not known: {error}.")
}

pub(crate) fn failed(doing: &str, guest: &str, error: &str, now: &str, upid: &str) -> String {
    format!("{doing} {guest} failed: {error}. {now} Task {upid}")
}

pub(crate) fn its_log_ends(log: &str) -> String {
    format!("; its log ends: {log}")
}

pub(crate) const ONLY_HARD_STOP_HELPS: &str = "A guest that does not react to a shutdown can only be stopped hard, which a person chooses \
     on the card.";

pub(crate) const IS_RUNNING: &str = "is running";

pub(crate) const IS_SHUT_DOWN: &str = "is shut down";

pub(crate) const IS_OFF_PLUG_WAS_PULLED: &str = "is off: the plug was pulled";

pub(crate) const WAS_SHUT_DOWN_AND_IS_RUNNING: &str = "was shut down and is running again";

pub(crate) const WAS_RESTARTED_HARD_AND_IS_RUNNING: &str = "was restarted hard and is running";

pub(crate) fn elapsed_suffix(seconds: i64) -> String {
    format!(", after {}", span(seconds))
}

pub(crate) fn with_warnings(warnings: &str) -> String {
    format!("; with warnings: {warnings}")
}

pub(crate) const IN_UNKNOWN_STATE: &str = "in an unknown state";

pub(crate) fn running_task(doing: &str, seconds: i64, upid: &str) -> String {
    format!("{doing}, {}; task {upid}", span(seconds))
}

pub(crate) fn running_task_cannot_be_seen(
    doing: &str,
    seconds: i64,
    error: &impl Display,
) -> String {
    format!(
        "{doing}, {}; the task cannot be seen: {error}",
        span(seconds)
    )
}

pub(crate) const SHUTTING_DOWN: &str = "Shutting down";

pub(crate) const STOPPING_HARD: &str = "Stopping hard";

pub(crate) fn grant_the_privilege(privilege: &str, path: &str) -> String {
    format!(
        "Give a role with {privilege} to the token on {path}; a token with privilege separation \
         needs its own entry beside its user's."
    )
}

pub(crate) const PAUSED_VM_IGNORES_SHUTDOWN: &str = "A paused VM does not react to a shutdown.";

pub(crate) const STARTS_WITH_ITS_NODE: &str = "Starts with its node";

pub(crate) const OTHER_GUESTS_ON_NODE: &str = "Other guests on the node";

pub(crate) const NEWEST_BACKUP: &str = "Newest backup";

pub(crate) const UNSAVED_DATA_IS_LOST: &str =
    "What programs in it have not saved is lost, and its disks may need a check.";

pub(crate) fn ago(time: &str, age: &str) -> String {
    format!("{time}, {age} ago")
}

pub(crate) fn tagged(tags: &str) -> String {
    format!("Tagged {tags}")
}

pub(crate) const OTHERS_MAY_DEPEND_ON_IT: &str = "Others may depend on it.";

pub(crate) const MANAGED_BY_HIGH_AVAILABILITY: &str = "Managed by high availability";

pub(crate) const CLUSTER_MANAGER_CARRIES_THIS_OUT: &str = "The cluster's manager carries this out.";

pub(crate) const NO_BACKUP: &str = "No backup";

pub(crate) const WHAT_IS_LOST_CANNOT_BE_RESTORED: &str = "What is lost cannot be restored.";

pub(crate) const BACKUP_UNKNOWN: &str = "Backup unknown";

pub(crate) fn backup_is_old(age: &str) -> String {
    format!("Backup is {age} old")
}

pub(crate) const UNKNOWN_NODE: &str = "an unknown node";

pub(crate) fn is_of_another_kind(guest: &str, on: &str, noun: &str) -> String {
    format!("{guest} on node {on} is no {noun}.")
}

pub(crate) fn is_on_node_not_on(guest: &str, on: &str, node: &str) -> String {
    format!("{guest} is on node {on}, not on {node}.")
}

pub(crate) fn guest_cannot_be_seen(vmid: u32, reason: &str) -> String {
    format!("Guest {vmid} cannot be seen: {reason}.")
}

pub(crate) fn is_a_template(guest: &str) -> String {
    format!("{guest} is a template: it cannot run.")
}

pub(crate) fn runs_already(guest: &str) -> String {
    format!("{guest} runs already.")
}

pub(crate) fn was_started_already(guest: &str, state: &str) -> String {
    format!("{guest} is {state}: it was started already.")
}

pub(crate) fn is_stopped_already(guest: &str) -> String {
    format!("{guest} is stopped already.")
}

pub(crate) fn is_locked(guest: &str, lock: &str) -> String {
    format!("{guest} is locked ({lock}): Proxmox refuses until the lock is gone.")
}

pub(crate) fn start_on_node(guest: &str, node: &str) -> String {
    format!("Start {guest} on node {node}.")
}

pub(crate) fn shut_down_on_node(guest: &str, node: &str) -> String {
    format!("Shut down {guest} on node {node}.")
}

pub(crate) fn force_off_on_node(guest: &str, node: &str) -> String {
    format!("Force off {guest} on node {node}.")
}

pub(crate) fn restart_on_node(guest: &str, node: &str) -> String {
    format!("Shut down {guest} on node {node} and start it again.")
}

pub(crate) fn force_restart_on_node(guest: &str, node: &str) -> String {
    format!("Force off {guest} on node {node} and start it again.")
}

pub(crate) fn managed_with_state(state: &str) -> String {
    format!("managed (wanted: {state}); the manager carries it out")
}

pub(crate) const MANAGED: &str = "managed; the manager carries it out";

pub(crate) const STORAGES_DID_NOT_ANSWER_IN_TIME: &str = "the storages did not answer in time";

pub(crate) const WAITING_FOR_IT_TO_BE_DOWN: &str = "Waiting for it to be down";

pub(crate) const WAITING_FOR_IT_TO_RUN: &str = "Waiting for it to run";

pub(crate) const WAITING_FOR_IT_TO_RUN_AGAIN: &str = "Waiting for it to run again";

pub(crate) fn waiting(what: &str, seconds: i64) -> String {
    format!("{what}, {}", span(seconds))
}

pub(crate) const NOBODY_LOOKED: &str = "nobody looked";

pub(crate) const IT_IS_STOPPED: &str = "it is stopped";

pub(crate) const IT_IS_RUNNING: &str = "it is running";

pub(crate) const IT_IS_RUNNING_WITHOUT_TRACE: &str =
    "it is running; a reset leaves no trace in its uptime";

pub(crate) const SEEN_STOPPED_AND_RUNS: &str = "it was seen stopped, and is running";

pub(crate) const RUNNING_SINCE_THE_TASK: &str = "it has been running only since the task";

pub(crate) const RUNS_AS_ANOTHER_PROCESS: &str = "it is running with another process id";

pub(crate) const RUNS_WITH_SMALLER_UPTIME: &str = "it is running with a smaller uptime";

pub(crate) fn no_task_by_our_clock(node: &str) -> String {
    format!(
        "Node {node} has no task for it since then by our clock, and its own clock cannot be read."
    )
}

pub(crate) fn its_task_on_node(node: &str, error: &impl Display) -> String {
    format!("Its task on node {node} cannot be looked for: {error}.")
}

pub(crate) fn begun_but_clock_unknown(upid: &str, node: &str) -> String {
    format!(
        "Task {upid} was begun, but without the clock of node {node} it cannot be told whether \
         the guest was restarted."
    )
}

pub(crate) fn begun_but_guest_cannot_be_seen(upid: &str, error: &impl Display) -> String {
    format!("Task {upid} was begun, but the guest cannot be seen: {error}.")
}

pub(crate) const ORDER_HAS_NO_STEPS: &str = "The order has no steps.";

pub(crate) fn node_has_no_task(node: &str, caller: &str, since: &str) -> String {
    format!("Node {node} answers, and has no task of {caller} for it since {since}.")
}

pub(crate) fn second_step_did_not_follow(name: &str, action: &str, status: &str) -> String {
    format!("{name} was stopped, but the {action} did not follow. It is {status} now.")
}

pub(crate) fn stopped_and_then_unknown(error: &impl Display) -> String {
    format!("It was stopped, and whether it was started again cannot be seen: {error}.")
}

pub(crate) const VM_STOPS_AT_ONCE: &str =
    "The VM stops at once, without a shutdown. Data that is not saved is lost.";

pub(crate) const VM_IS_RESET_AT_ONCE: &str =
    "The VM is reset at once, without a shutdown. Data that is not saved is lost.";

pub(crate) const CONTAINER_STOPS_AT_ONCE: &str =
    "The container stops at once, without a shutdown. Data that is not saved is lost.";

pub(crate) const CONTAINER_STOPS_AND_STARTS: &str = "The container stops at once, without a shutdown, and is started again. Data that is not \
     saved is lost.";

pub(crate) const FORCE_OFF: &str = "Force off";

pub(crate) const SHUT_DOWN: &str = "Shut down";
