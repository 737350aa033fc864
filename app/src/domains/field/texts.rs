//! Sentences of this panel for people in one place, so that another language is another such
//! module.

pub(crate) mod pages;
pub(crate) mod people;
pub(crate) mod script_editor;

pub(crate) const FIELD: &str = "FIELD";
pub(crate) const GO_TO_FIELD: &str = "Go to the field devices";
pub(crate) const LOADING: &str = "Loading…";
pub(crate) const FIELD_CANNOT_BE_SHOWN: &str = "Field devices cannot be shown";
pub(crate) const SIMULATED_DEVICES: &str = "Simulated devices";
pub(crate) const NO_DEVICE: &str =
    "No field device is enrolled: everything shown comes from the built-in simulation.";
pub(crate) const OPEN: &str = "Open its page";

pub(crate) const FIELD_DEVICES: &str = "Field devices";
pub(crate) const SIMULATED: &str = "Simulated";

pub(crate) fn out_of_date(reason: &str) -> String {
    format!("This may be out of date: {reason}.")
}

pub(crate) const NOT_LIVE: &str = "No connection: this may be out of date.";
pub(crate) const NOTICES: &str = "Notices";
pub(crate) const NO_NOTICES: &str = "No open notices of field devices.";
pub(crate) const NO_SITES: &str = "No site yet. Add the first device.";
pub(crate) const NO_DEVICES: &str = "No device at this site.";
pub(crate) const QUESTIONS_OF_A_SITE: &str = "Questions about this site";
/// Examples of the tools that read, so the rehearsal model answers each.
pub(crate) const QUESTIONS: [&str; 3] = [
    "Which field devices need attention?",
    "Which field devices are offline?",
    "Which runs on field devices are open?",
];
pub(crate) const ONLINE: &str = "online";
pub(crate) const OFFLINE: &str = "offline";

/// The age follows.
pub(crate) const LAST_HEARD: &str = "last heard ";

pub(crate) fn devices(online: usize, of: usize) -> String {
    format!("{online} of {of} online")
}

/// The word of a standing, for one that is not adopted.
pub(crate) fn standing(word: &str) -> &'static str {
    match word {
        "waiting" => "waits to be adopted",
        "suspended" => "suspended",
        "retired" => "retired",
        _ => "unknown standing",
    }
}

pub(crate) const RUNS: &str = "Runs";
pub(crate) const NO_RUNS: &str = "No runs yet.";
pub(crate) const BUNDLES: &str = "Diagnostics";
pub(crate) const NO_BUNDLES: &str = "No diagnostics yet.";

/// The word of a run's phase.
pub(crate) fn phase(word: &str) -> &'static str {
    match word {
        "queued" => "waits for the device",
        "claimed" => "delivered",
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
        "unknown" => "outcome unknown",
        _ => "unknown phase",
    }
}

pub(crate) fn step(step: u32, of: u32) -> String {
    format!("step {step} of {of}")
}

pub(crate) fn sections(count: u32) -> String {
    match count {
        1 => "1 section".to_owned(),
        _ => format!("{count} sections"),
    }
}

pub(crate) const INCOMPLETE: &str = "still arriving";
