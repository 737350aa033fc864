//! The head of the page: the sentence about the cluster, its counts, and how old they are.

pub(crate) const CLUSTER_DOES_NOT_ANSWER: &str = "The cluster does not answer.";

pub(crate) const NODES_ARE_UP: &str = "All nodes are up.";

/// The problems follow.
pub(crate) const NODES_ARE_UP_BUT: &str = "All nodes are up, but ";

/// Stands before the last problem.
pub(crate) const AND: &str = " and ";

pub(crate) const NO_QUORUM: &str = "the cluster has no quorum";

pub(crate) const QUORUM_IS_UNKNOWN: &str = "the quorum is unknown";

/// Follows the name of one thing, or the number of several.
pub(crate) const NOT_ONLINE: [&str; 2] = ["is not online", "nodes are not online"];

pub(crate) const ALMOST_FULL: [&str; 2] = ["is almost full", "storages are almost full"];

pub(crate) const LOW_ON_MEMORY: [&str; 2] = ["is low on memory", "nodes are low on memory"];

pub(crate) const FILLING_UP: [&str; 2] = ["is filling up", "storages are filling up"];

pub(crate) fn storage_on(name: &str, node: &str) -> String {
    format!("{name} on {node}")
}

pub(crate) fn tasks_failed(count: usize) -> String {
    match count {
        1 => "1 task failed".to_owned(),
        count => format!("{count} tasks failed"),
    }
}

pub(crate) const NO_BACKUP: &str = "no backup";

pub(crate) const NO_RECENT_BACKUP: &str = "no recent backup";

pub(crate) fn guests_have(count: usize, lack: &str) -> String {
    match count {
        1 => format!("1 guest has {lack}"),
        count => format!("{count} guests have {lack}"),
    }
}

pub(crate) fn more_things(count: usize) -> String {
    format!("{count} more things need attention")
}

/// Capitalises a sentence that begins with "the"; a name stays as it is.
pub(crate) fn capital(text: String) -> String {
    match text.strip_prefix("the ") {
        Some(rest) => format!("The {rest}"),
        None => text,
    }
}

pub(crate) const QUORATE: &str = "quorate";

pub(crate) const WITHOUT_QUORUM: &str = "no quorum";

pub(crate) fn quorum_unknown(reason: &str) -> String {
    format!("quorum unknown: {reason}")
}

pub(crate) fn nodes_online(online: u32, total: u32) -> String {
    format!("{online} of {total} nodes online")
}

/// Follows "unknown".
pub(crate) const NODES: &str = " nodes";

pub(crate) fn guests_running(running: u32, total: u32, unknown: u32) -> String {
    let unknown = match unknown {
        0 => String::new(),
        unknown => format!(", {unknown} unknown"),
    };
    format!("{running} of {total} guests running{unknown}")
}

/// Follows "unknown".
pub(crate) const GUESTS: &str = " guests";

/// The age follows.
pub(crate) const UPDATED: &str = "Updated ";

pub(crate) const NO_FIGURES_YET: &str = "No figures yet";

pub(crate) fn last_figures_of(time: &str) -> String {
    format!("Last figures of {time}")
}

pub(crate) fn last_figures_old(age: &str) -> String {
    format!("Last figures {age} old")
}

pub(crate) const LIST_OF_GUESTS: &str = "guests";

pub(crate) const LIST_OF_STORAGES: &str = "storages";

pub(crate) const LIST_OF_TASKS: &str = "tasks";

pub(crate) fn may_be_incomplete(list: &str, reason: &str) -> String {
    format!("The list of {list} may be incomplete: {reason}.")
}
