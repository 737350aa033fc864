//! The pages of devices, bundles, proposals and runs.

pub(crate) const BREADCRUMB: &str = "Breadcrumb";
pub(crate) const CANNOT_BE_SHOWN: &str = "This page cannot be shown";
pub(crate) const READ_AGAIN: &str = "Read again";

pub(crate) const STATE: &str = "State";
pub(crate) const KEY: &str = "Key";
pub(crate) const RUNNER: &str = "Runner";
pub(crate) const RUNNER_UNKNOWN: &str = "unknown: it doesn't report its version";
pub(crate) const FAILED_UPDATE: &str = "Failed update";

pub(crate) fn runner_version(version: &str) -> String {
    format!("version {version}")
}

/// `reason`: the word of the device's report.
pub(crate) fn failed_update(version: &str, reason: &str, tries: u32, retried: bool) -> String {
    let reason = match reason {
        "no_report" => "didn't report to the server in time",
        "no_start" => "ended at each start",
        _ => "failed for a reason this page doesn't know",
    };
    let tries = match tries {
        0 => String::new(),
        1 => ", 1 try".to_owned(),
        _ => format!(", {tries} tries"),
    };
    let next = if retried {
        "will be tried again"
    } else {
        "won't be tried again"
    };
    format!("version {version} {reason}{tries}; {next}")
}

pub(crate) const FACTS: &str = "Its own report";
pub(crate) const NO_FACTS: &str = "It has not reported anything about itself yet.";
pub(crate) const SANDBOXES: &str = "Sandboxes";
pub(crate) const NO_SANDBOXES: &str = "It has not reported its sandboxes: no run can start on it.";

pub(crate) fn enforces(limits: &str) -> String {
    format!("Enforces {limits}.")
}

pub(crate) fn cannot_enforce(limits: &str) -> String {
    format!("Cannot enforce {limits}: runs that need it are refused.")
}

pub(crate) const PROPOSALS: &str = "Proposals";
pub(crate) const NO_PROPOSALS: &str = "No proposals yet. Ask Jarvis for one.";

pub(crate) fn newest_version(version: u64) -> String {
    format!("version {version}")
}

pub(crate) const LOOKS: &str = "Looks at values of this site";
pub(crate) const LOOKS_NOTE: &str = "each one is recorded";
pub(crate) const NO_LOOKS: &str = "Nobody has looked yet.";

pub(crate) fn values_shown(count: u32, place: &str) -> String {
    match count {
        1 => format!("1 value, {place}"),
        _ => format!("{count} values, {place}"),
    }
}

pub(crate) fn by(name: &str) -> String {
    format!("by {name}")
}

pub(crate) const SHOW_VALUES: &str = "Show values";
pub(crate) const VALUES_MEAN: &str =
    "Tokens stand for addresses and names. A look at their values is recorded.";
pub(crate) const NO_TOKENS: &str = "Nothing on this page is hidden behind a token.";
pub(crate) const ASKING: &str = "Asking…";
pub(crate) const VALUES: &str = "Values behind tokens";

pub(crate) const SECTIONS: &str = "Sections";
pub(crate) const NO_SECTIONS: &str = "No section has arrived yet.";
pub(crate) const FINDINGS: &str = "Stands out";
pub(crate) const BY_RULES: &str = "by plain rules, not all there is";
pub(crate) const NOTHING_FOUND: &str = "No rule found anything in these readings.";
pub(crate) const HIDDEN: &str = "Hidden in it";
pub(crate) const NOTHING_HIDDEN: &str = "No address, name or number had to be hidden.";

pub(crate) fn secrets(count: u64) -> String {
    match count {
        1 => "1 secret was removed for good.".to_owned(),
        _ => format!("{count} secrets were removed for good."),
    }
}

/// The heading of a bundle.
pub(crate) fn diagnostics_of(device: &str) -> String {
    format!("Diagnostics of {device}")
}

pub(crate) const ANALYSE: &str = "Analyse";
pub(crate) const ANALYSE_NOTE: &str =
    "Begins a conversation that only reads these diagnostics: nothing runs.";
/// The person's words behind it.
pub(crate) const ANALYSE_ORDER: &str =
    "Analyse these diagnostics: what is wrong, and what would show which suspicion is right?";
pub(crate) const EXPORT: &str = "Export for others";
pub(crate) const EXPORT_NOTE: &str = "Other addresses with the same network structure, and no name of the site or a device. It is recorded.";
pub(crate) const LEGEND: &str = "Meaning of the tokens";
pub(crate) const TAKEN: &str = "Taken ";
pub(crate) const RECEIVED: &str = "received ";

pub(crate) fn lines(count: u64, size: &str) -> String {
    match count {
        1 => format!("1 line, {size}"),
        _ => format!("{count} lines, {size}"),
    }
}

pub(crate) fn left_out(why: &str) -> String {
    format!("No text here: {why}.")
}

pub(crate) const EMPTY: &str = "No output.";
pub(crate) const EARLIER: &str = "Show earlier lines";
pub(crate) const NEWEST_LINES: &str = "Show the newest lines";

pub(crate) const SCRIPT: &str = "Script";

pub(crate) fn script_against(version: u64) -> String {
    format!("Script, with changes since version {version}")
}

pub(crate) const STEPS: &str = "Steps";
pub(crate) const FREE_SH: &str = "Free sh of a person: it has no steps that could be checked.";
pub(crate) const STOPS: &str = "It ends at the first step that fails.";
pub(crate) const REASON: &str = "Reason";
pub(crate) const EXPECTED: &str = "Expected";
pub(crate) const RAN_LAST: &str = "Ran last";
pub(crate) const VERSIONS: &str = "Versions";

pub(crate) fn version(number: u64) -> String {
    format!("Version {number}")
}

pub(crate) const BY_MODEL: &str = "by Jarvis";
pub(crate) const BY_PROGRAM: &str = "by a program";

pub(crate) const RISK: &str = "Risk";

pub(crate) fn risk(level: &str, points: u32) -> String {
    let level = match level {
        "low" => "Low",
        "medium" => "Medium",
        "high" => "High",
        _ => "Unknown",
    };
    match points {
        1 => format!("{level}, 1 point"),
        _ => format!("{level}, {points} points"),
    }
}

pub(crate) const NOT_JUDGED: &str = "It cannot be judged now.";

pub(crate) fn persons(count: u32) -> String {
    match count {
        1 => "A run needs the approval of one person.".to_owned(),
        _ => format!("A run needs the approval of {count} persons."),
    }
}

pub(crate) fn policy(version: u32) -> String {
    format!("policy {version}")
}

/// The age follows.
pub(crate) const CHECKED: &str = "Checked ";
pub(crate) const NO_REASONS: &str = "No rule of the policy applies to it.";

pub(crate) fn refused(why: &str) -> String {
    format!("Refused: {why}")
}

pub(crate) fn in_line(line: u32) -> String {
    format!("Line {line}")
}

pub(crate) const REMOVED: &str = "Removed: ";
pub(crate) const ADDED: &str = "Added: ";

pub(crate) const RESULTS: &str = "Results";
pub(crate) const NO_RESULTS: &str = "No step has ended.";
pub(crate) const RUNS_NOW: &str = "running";
pub(crate) const NO_VALUES: &str = "No values: ";
pub(crate) const OUTPUT: &str = "Output";
pub(crate) const LOG: &str = "Live log";
pub(crate) const ERRORS: &str = "Errors";
pub(crate) const LIMITS: &str = "Limits used";
pub(crate) const TIME: &str = "Time";
pub(crate) const PROCESSOR: &str = "Processor";
pub(crate) const MEMORY: &str = "Memory at most";
pub(crate) const OUTPUT_SIZE: &str = "Output";
pub(crate) const NOT_MEASURED: &str = "not measured";
pub(crate) const SANDBOX: &str = "Sandbox";
pub(crate) const END: &str = "End";
pub(crate) const PACKAGE: &str = "Signed package";
pub(crate) const NO_PACKAGE: &str = "It has no package.";
pub(crate) const CANCEL_ASKED: &str = "The device is asked to end it.";
pub(crate) const NEVER_RAN: &str = "Nothing of it ran. That is certain.";
/// The age follows.
pub(crate) const QUEUED: &str = "queued ";
pub(crate) const STARTED: &str = "started ";
pub(crate) const ENDED: &str = "ended ";

pub(crate) fn unknown(why: &str) -> String {
    format!(
        "Nobody knows whether it took effect: {why}. Find out before you run it again; Jarvis does not \
         repeat it."
    )
}

pub(crate) fn late(how: &str) -> String {
    format!("The device reported later: {how}. That changes nothing here.")
}

/// A person's word on an unknown outcome.
pub(crate) fn resolution(word: &str) -> &'static str {
    match word {
        "ran" => "A person found out that it ran.",
        "did_not_run" => "A person found out that it did not run.",
        _ => "A person looked into it and cannot tell.",
    }
}

pub(crate) const CALLS: &str = "Calls of Jarvis";
pub(crate) const NO_CALLS: &str = "None that acted on it.";
