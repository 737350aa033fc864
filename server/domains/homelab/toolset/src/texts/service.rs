//! Sentences of the homelab for people: restarts of services.

use std::fmt::Display;

pub(crate) fn is_not_name_of_service(node: &str, name: &str) -> String {
    format!("{node}: {name:?} is not the name of a service")
}

pub(crate) fn configured_but_never_restarted(node: &str, name: &str) -> String {
    format!(
        "{node}: {name} is never restarted from here: that can cost the quorum, fence the node or \
         cut the way to it"
    )
}

pub(crate) fn restart(service: &str) -> String {
    format!("Restart {service}")
}

pub(crate) const CUTS_OUR_CONNECTION: &str =
    "Proxmox's API runs in this service: connections to it break for a moment, ours too.";

pub(crate) fn not_a_service(service: &str) -> String {
    format!("{service:?} is not the name of a service; write it as pveproxy or pveproxy.service.")
}

pub(crate) fn is_never_restarted(unit: &str) -> String {
    format!(
        "{unit} is never restarted from here: that can cost the quorum, fence the node or cut the \
         way to it."
    )
}

pub(crate) fn may_not_be_restarted(unit: &str, node: &str, names: &str) -> String {
    format!(
        "{unit} may not be restarted on node {node:?}; the configuration lists for it: {names}."
    )
}

pub(crate) fn none_may_be_restarted(node: &str) -> String {
    format!("The configuration lists no service that may be restarted on node {node:?}.")
}

pub(crate) const SERVICE_IS_CUT_OFF: &str = "What the service is doing now is cut off.";

pub(crate) fn restart_service_on_node(name: &str, node: &str) -> String {
    format!("Restart the service {name} on node {node}.")
}

pub(crate) fn restarted(service: &str, node: &str, state: &str) -> String {
    format!("{service} on {node}: restarted, {state}")
}

pub(crate) fn outcome_is_not_known(unit: &str, node: &str, why: &str) -> String {
    format!("It is not known whether {unit} on node {node} was restarted: {why}.")
}

pub(crate) fn failed(unit: &str, node: &str, why: &str) -> String {
    format!("{unit} on node {node}: {why}.")
}

pub(crate) const NO_SUCH_SERVICE: &str = "systemd does not have this service, so nothing was done";

pub(crate) fn restarting_on(name: &str, node: &str) -> String {
    format!("restarting {name} on {node}")
}

pub(crate) fn exit_code_but_running(code: &str, state: &str, said: &str) -> String {
    format!("systemctl ended with exit code {code}, but the service is {state} now: {said}")
}

pub(crate) fn it_is_now(state: &str) -> String {
    format!("it is {state} now")
}

pub(crate) const ITS_STATE_CANNOT_BE_READ_NOW: &str = "its state cannot be read now";

pub(crate) fn restart_failed_with_code(code: &str, now: &str, said: &str) -> String {
    format!("the restart failed with exit code {code} and {now}: {said}")
}

pub(crate) fn checking_stability(name: &str) -> String {
    format!("looking whether {name} stays up")
}

pub(crate) const SAME_START_AS_BEFORE: &str =
    "the order was accepted, but systemd shows the same start as before";

pub(crate) fn new_start(seconds: f32) -> String {
    format!("systemd shows another start than before, and no automatic restart within {seconds} s")
}

pub(crate) fn its_state_cannot_be_read(error: &impl Display) -> String {
    format!("its state cannot be read: {error}")
}

pub(crate) fn it_is_still(state: &str) -> String {
    format!("it is still {state}")
}

pub(crate) fn restart_not_shown(state: &str) -> String {
    format!("it is {state} now, and systemd does not show whether it was started again")
}

pub(crate) fn started_then_unreadable(error: &impl Display) -> String {
    format!("it was started again, and then its state could not be read: {error}")
}

pub(crate) const RESTARTED_TWICE: &str = "it was restarted, and then systemd had to start it again";

pub(crate) fn it_was_restarted_and_is_now(state: &str) -> String {
    format!("it was restarted and is {state} now")
}

pub(crate) fn because_of(result: &str) -> String {
    format!(", because of {result}")
}

pub(crate) fn exit_code(status: i64) -> String {
    format!(", exit code {status}")
}

pub(crate) fn restarting_with_task(name: &str, node: &str, upid: &str) -> String {
    format!("restarting {name} on {node}; task {upid}")
}

pub(crate) const TASK_SUCCEEDED_BUT_SAME_START: &str =
    "Proxmox's task succeeded, but systemd shows the same start as before";

pub(crate) fn task_lookup_failed(reason: &str, why: &str) -> String {
    format!("{reason}, and its task cannot be looked for: {why}")
}

pub(crate) fn was_not_restarted(unit: &str, node: &str, lost: &impl Display) -> String {
    format!(
        "{unit} on node {node} was not restarted: the connection was lost ({lost}), and the node \
         has no task for it."
    )
}

pub(crate) fn restart_failed(error: &str) -> String {
    format!("the restart failed: {error}")
}

pub(crate) const TASK_HAS_NOT_ENDED_YET: &str = "the task has not ended yet";

pub(crate) const ACTIVE_BUT_START_NOT_SEEN: &str = "Proxmox's task ended well, and it says that the service is active; without SSH the new start \
     itself cannot be seen";

pub(crate) const PROXMOX_NAMED_NO_TASK: &str = "Proxmox named no task";

pub(crate) fn task_cannot_be_seen(reason: &str) -> String {
    format!("the task cannot be seen: {reason}")
}

pub(crate) const NOT_LISTED_ANY_MORE: &str = "The configuration no longer lists this service.";

pub(crate) fn tasks_cannot_be_read(reason: &str) -> String {
    format!("The tasks cannot be read: {reason}.")
}

pub(crate) fn no_task_by_our_clock(node: &str) -> String {
    format!(
        "Node {node} has no such task since then by our clock, and its own clock cannot be read."
    )
}

pub(crate) fn node_has_no_task(node: &str, unit: &str) -> String {
    format!("Node {node} has no task that restarted {unit} since then.")
}

pub(crate) const RESTART_AT_ABOUT_THAT_TIME: &str = "A restart began at about the time when this one was ordered; without the node's clock it \
     cannot be told which was first.";

pub(crate) const IT_CANNOT_BE_TOLD: &str = "It cannot be told.";

pub(crate) const SERVICE_IS_DOWN: &str =
    "The service is down now, which may come from a restart that failed.";

pub(crate) fn last_check(why: &str) -> String {
    format!("At last {why}.")
}

pub(crate) const START_IS_UNKNOWN: &str = "systemd does not say since when it runs.";

pub(crate) fn running_by_another_clock(at: &str, node: &str) -> String {
    format!(
        "The service has been running since {at} by the clock of node {node}, which cannot be \
         compared with ours."
    )
}

pub(crate) fn running_since_before_the_order(at: &str) -> String {
    format!("The service has been running since {at}, before the restart was ordered.")
}

pub(crate) fn started_after_the_order(at: &str) -> String {
    format!("systemd shows a start at {at}, after the restart was ordered")
}

pub(crate) const API_OF_PROXMOX: &str = "the API of Proxmox";

pub(crate) fn ssh_as(address: &str) -> String {
    format!("SSH as {address}")
}

pub(crate) fn service_cannot_be_restarted(silence: &str) -> String {
    format!("The service cannot be restarted: {silence}.")
}

pub(crate) fn no_way_to_service(name: &str, node: &str) -> String {
    format!(
        "Proxmox has no service {name} on node {node}, and SSH is not configured for this node."
    )
}
