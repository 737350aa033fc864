//! Lines of the feed.

pub(crate) fn device(name: &str) -> String {
    format!("device {name}")
}

pub(crate) fn run(title: &str, device: &str) -> String {
    format!("Run “{title}” on {device}")
}

pub(crate) fn outcome(phase: &str) -> &'static str {
    match phase {
        "queued" => "waits for the device",
        "claimed" => "the device has it",
        "running" => "running",
        "ended" => "ended",
        "failed" => "ended with a failure",
        "cut" => "cut short",
        "refused" => "refused, nothing ran",
        "not_delivered" => "not delivered, nothing ran",
        "cancelled" => "cancelled, nothing ran",
        "found_ran" => "was unknown: a person found that it ran",
        "found_not_run" => "was unknown: a person found that it did not run",
        "found_nothing" => "unknown: nobody can tell",
        _ => "outcome unknown",
    }
}

pub(crate) fn bundle(device: Option<&str>, sections: usize) -> String {
    match device {
        Some(device) => format!("Diagnostics of {device} arrived ({sections} sections)"),
        None => format!("Diagnostics arrived ({sections} sections)"),
    }
}
