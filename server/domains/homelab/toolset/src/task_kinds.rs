//! Proxmox VE's kinds of tasks in plain English.

/// The kind of a task in words, with Proxmox VE's own term where people may search for it.
pub(crate) fn of(kind: &str) -> String {
    match plain_kind(kind) {
        Some(words) => format!("{words} ({kind})"),
        None => format!("Task {kind}"),
    }
}

/// Describes a task and its object within a sentence: `backup of guest 101`.
pub(crate) fn of_thing(kind: &str, about: Option<&str>) -> String {
    let Some(words) = plain_kind(kind) else {
        let about = about.map_or(String::new(), |about| format!(" {about}"));
        return format!("task {kind}{about}");
    };
    let words = words.to_lowercase();
    let Some(about) = about else { return words };
    let is_guest = about.chars().all(|c| c.is_ascii_digit());
    match words.strip_suffix("a guest") {
        Some(act) => format!("{act}guest {about}"),
        None if is_guest => format!("{words} of guest {about}"),
        None => format!("{words} ({about})"),
    }
}

/// The kind of a task in words alone; none for one that has no other name.
pub(crate) fn plain_kind(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "vzdump" => "Backup",
        "qmrestore" | "vzrestore" => "Restore from a backup",
        "qmstart" | "vzstart" => "Start of a guest",
        "qmshutdown" | "vzshutdown" => "Shutdown of a guest",
        "qmstop" | "vzstop" => "Stop of a guest",
        "qmreboot" | "vzreboot" => "Restart of a guest",
        "qmreset" => "Reset of a guest",
        "qmsuspend" | "vzsuspend" => "Pause of a guest",
        "qmresume" | "vzresume" => "Resumption of a guest",
        "qmigrate" | "vzmigrate" => "Migration of a guest",
        "qmcreate" | "vzcreate" => "Creation of a guest",
        "qmclone" | "vzclone" => "Clone of a guest",
        "qmdestroy" | "vzdestroy" => "Removal of a guest",
        "qmconfig" => "Change of a guest",
        "qmsnapshot" | "vzsnapshot" => "Snapshot",
        "qmrollback" | "vzrollback" => "Rollback to a snapshot",
        "qmdelsnapshot" | "vzdelsnapshot" => "Removal of a snapshot",
        "qmmove" | "move_volume" => "Move of a disk",
        "resize" => "Resize of a disk",
        "aptupdate" => "Update of the package lists",
        "vncproxy" | "vncshell" | "termproxy" | "spiceproxy" => "Console",
        "startall" => "Start of all guests",
        "stopall" => "Stop of all guests",
        "srvrestart" => "Restart of a service",
        "srvstart" => "Start of a service",
        "srvstop" => "Stop of a service",
        "srvreload" => "Reload of a service",
        "imgcopy" => "Copy of an image",
        "imgdel" => "Removal of an image",
        "download" => "Download",
        "prunejob" => "Removal of old backups",
        "zfsscrub" => "Check of a pool",
        "hastart" => "Start by high availability",
        "hastop" => "Stop by high availability",
        "wakeonlan" => "Wake-up of a node",
        _ => return None,
    })
}
