//! Sentences of this panel for people in one place, so that another language is another such
//! module.

pub(crate) mod act;
pub(crate) mod backups;
pub(crate) mod figures;
pub(crate) mod guests;
pub(crate) mod head;
pub(crate) mod hud;
pub(crate) mod nodes;
pub(crate) mod notices;
pub(crate) mod storages;
pub(crate) mod tasks;
pub(crate) mod things;

pub(crate) const HUD: &str = "HUD";

pub(crate) const GO_TO_HUD: &str = "Go to the HUD";

pub(crate) const VIRTUAL_MACHINES: &str = "Virtual machines";

pub(crate) const RECENT_TASKS: &str = "Recent tasks";

pub(crate) const SSH_COMMAND: &str = "SSH command";

pub(crate) const START_VM: &str = "Start VM";

pub(crate) const STOP_VM: &str = "Stop VM";

pub(crate) const RESTART_VM: &str = "Restart VM";

pub(crate) const SIMULATED: &str = "Simulated";

pub(crate) const SIMULATED_CLUSTER: &str = "Simulated cluster";

pub(crate) const NO_PROXMOX: &str =
    "No Proxmox is configured: everything shown comes from the built-in simulation.";

pub(crate) const LOADING_SYSTEMS: &str = "Loading the systems…";

pub(crate) const SYSTEMS_CANNOT_BE_SHOWN: &str = "The systems cannot be shown";

pub(crate) const UNKNOWN: &str = "unknown";

pub(crate) const NO_DATA_YET: &str = "No data yet.";

pub(crate) const SHOW_FEWER: &str = "Show fewer";

pub(crate) fn show_more(count: usize) -> String {
    format!("Show {count} more")
}

pub(crate) fn out_of_date(trouble: &str) -> String {
    format!("Out of date: {trouble}.")
}

pub(crate) fn node(name: &str) -> String {
    format!("Node {name}")
}

pub(crate) fn guest(vmid: &str) -> String {
    format!("Guest {vmid}")
}

/// A guest whose name is known: `truenas (110)`.
pub(crate) fn named_guest(name: &str, vmid: u64) -> String {
    format!("{name} ({vmid})")
}

pub(crate) fn storage(name: &str) -> String {
    format!("Storage {name}")
}

pub(crate) fn storage_on(name: &str, node: &str) -> String {
    format!("Storage {name} on {node}")
}

pub(crate) const TASK: &str = "Task";

pub(crate) fn task(kind: &str) -> String {
    format!("Task {kind}")
}

pub(crate) fn task_on(kind: &str, about: &str, node: &str) -> String {
    format!("Task {kind} {about} on {node}")
}

/// A task in a sentence.
pub(crate) fn some_task(id: &str) -> String {
    format!("task {id}")
}

/// A node in a sentence.
pub(crate) fn some_node(name: &str) -> String {
    format!("node {name}")
}

/// A guest in a sentence.
pub(crate) fn some_guest(vmid: u64) -> String {
    format!("guest {vmid}")
}

pub(crate) fn guest_on(kind: &str, vmid: u64, node: &str) -> String {
    format!("{kind} {vmid} on node {node}")
}

pub(crate) fn named_guest_on(kind: &str, vmid: u64, name: &str, node: &str) -> String {
    format!("{kind} {vmid} ({name}) on node {node}")
}
