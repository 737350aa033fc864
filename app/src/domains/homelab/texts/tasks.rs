//! Tasks of the cluster.

pub(crate) const NO_RECENT_TASKS: &str = "No recent tasks.";

pub(crate) const RUNNING: &str = "running";

pub(crate) const DONE: &str = "done";

pub(crate) const DONE_WITH_WARNINGS: &str = "done, with warnings";

pub(crate) const FAILED: &str = "failed";

pub(crate) const OUTCOME_UNKNOWN: &str = "outcome unknown";

/// Returns the action of a task, for common kinds; the name of a guest follows.
pub(crate) fn deed(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "vzdump" => BACK_UP,
        "qmigrate" | "vzmigrate" => "Migrate",
        "qmstart" | "vzstart" => "Start",
        "qmstop" | "vzstop" => "Force off",
        "qmshutdown" | "vzshutdown" => "Shut down",
        "qmreboot" | "vzreboot" => "Restart",
        "qmsnapshot" | "vzsnapshot" => "Take a snapshot of",
        "qmrestore" | "vzrestore" => "Restore",
        "qmclone" | "vzclone" => "Clone",
        "qmdestroy" | "vzdestroy" => "Remove",
        "imgcopy" => "Copy image",
        "srvrestart" => "Restart service",
        "srvreload" => "Reload service",
        "aptupdate" => "Refresh package lists",
        "vncproxy" | "termproxy" => "Console of",
        "vncshell" | "termshell" => "Shell",
        _ => return None,
    })
}

const BACK_UP: &str = "Back up";

/// A deed of no particular guest.
pub(crate) fn on_node(deed: &str, node: &str) -> String {
    let deed = match deed {
        BACK_UP => "Back up guests",
        deed => deed.trim_end_matches(" of"),
    };
    format!("{deed} on {node}")
}

/// Its age follows.
pub(crate) fn took(span: &str) -> String {
    format!("took {span}, ended ")
}

pub(crate) fn for_now(span: &str) -> String {
    format!("for {span}")
}
