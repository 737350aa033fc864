//! Words of the card of a run.

use field_package::policy::RiskLevel;

pub(crate) const DEVICE_NOW: &str = "Device now";
pub(crate) const STANDING: &str = "Standing";
pub(crate) const DEVICE_KEY: &str = "Device key";
pub(crate) const SANDBOXES: &str = "Sandboxes";
pub(crate) const POLICY: &str = "Policy";
pub(crate) const SCRIPT: &str = "Script";
pub(crate) const RAN_BEFORE: &str = "Ran here before";
pub(crate) const NOT_REPORTED: &str = "not reported";

pub(crate) const WHAT_RUNS: &str = "What runs";
pub(crate) const PROPOSAL: &str = "Proposal";
pub(crate) const VERSION: &str = "Version";
pub(crate) const WRITTEN_BY: &str = "Written by";
pub(crate) const BY_MODEL: &str = "the model";
pub(crate) const BY_PROGRAM: &str = "a program";
pub(crate) const WHY: &str = "Reason";
pub(crate) const EXPECTED: &str = "Expected";
pub(crate) const DEVICE: &str = "Device";
pub(crate) const SITE: &str = "Site";
pub(crate) const DELIVERY: &str = "Delivery";

pub(crate) const DESTINATIONS: &str = "Destinations";
pub(crate) const NO_DESTINATIONS: &str = "None: it reads the device's own state.";
pub(crate) const UNKNOWN_DESTINATIONS: &str =
    "Unknown: free sh can connect to anything that the device reaches.";
pub(crate) const STEP: &str = "Step";
pub(crate) const VALUE: &str = "Destination";
pub(crate) const TOKEN: &str = "Token";
pub(crate) const NO_TOKEN: &str = "–";
pub(crate) const PROTOCOL: &str = "Protocol";
pub(crate) const LOOKED_UP: &str = "looked up";
pub(crate) const PLACE: &str = "Where";
pub(crate) const PLACE_OWN: &str = "the device's own network";
pub(crate) const PLACE_SITE: &str = "the site";
pub(crate) const PLACE_ELSEWHERE: &str = "another private network";
pub(crate) const PLACE_PUBLIC: &str = "the internet";
pub(crate) const WORD: &str = "Whose word";
pub(crate) const WORD_CONFIGURATION: &str = "configuration";
pub(crate) const WORD_ROW: &str = "the step itself";
/// As on the values of an input.
pub(crate) const WORD_PERSON: &str = "set by a person";
pub(crate) const WORD_EARLIER: &str = "an earlier version";
pub(crate) const WORD_SEE_ABOVE: &str = "see the values above";

pub(crate) const PACKAGE: &str = "Limits and package";
pub(crate) const TIME: &str = "Ended after";
pub(crate) const MEMORY: &str = "Memory";
pub(crate) const OUTPUT: &str = "Leaves the device";
pub(crate) const NETWORK: &str = "Network";
pub(crate) const NETWORK_NONE: &str = "none";
pub(crate) const NETWORK_LOCAL: &str = "interfaces to look at, no destinations";
pub(crate) const NETWORK_LISTED: &str = "the destinations above and no others";
pub(crate) const NETWORK_ANY: &str = "anything that the device reaches";
pub(crate) const SANDBOX: &str = "Sandbox at least";
pub(crate) const SANDBOX_A: &str = "systemd unit";
pub(crate) const SANDBOX_B: &str = "bubblewrap";
pub(crate) const SANDBOX_NONE: &str = "not offered";
pub(crate) const RAW: &str = "Packet sockets";
pub(crate) const PAYLOAD_SHA: &str = "Script SHA-256";
pub(crate) const CORE_SHA: &str = "Manifest core SHA-256";

pub(crate) const NEWER_VERSION: &str = "The proposal has a newer version than this one.";
pub(crate) const OFFLINE: &str = "The device is offline.";
pub(crate) const TWO_PERSONS: &str = "A run of high risk takes two persons.";
pub(crate) const RISK_CHANGED: &str = "The risk of the script is another one now.";

pub(crate) fn script(has_changes: bool) -> &'static str {
    if has_changes {
        "Script, with changes since the version that ran last"
    } else {
        "Script"
    }
}

pub(crate) fn device(name: &str) -> String {
    format!("device {name}")
}

pub(crate) fn run(title: &str, steps: usize, seconds: u32, device: &str) -> String {
    let steps = match steps {
        0 => "free sh".to_owned(),
        1 => "1 step".to_owned(),
        steps => format!("{steps} steps"),
    };
    format!("Run “{title}” ({steps}, at most {seconds} s) on {device}.")
}

pub(crate) fn probe(row: &str, seconds: u32, device: &str) -> String {
    format!("Run the probe {row} (at most {seconds} s) on {device}.")
}

pub(crate) fn contact(is_online: bool, seen: Option<u64>) -> String {
    match (is_online, seen) {
        (true, _) => "online".to_owned(),
        (false, Some(seconds)) => format!("offline, last seen {} ago", units::age(seconds)),
        (false, None) => "offline, never seen".to_owned(),
    }
}

pub(crate) fn policy(version: u32, hash: &str) -> String {
    format!("version {version}, {hash}")
}

pub(crate) fn ran_before(has: bool) -> &'static str {
    if has { "yes" } else { "no" }
}

pub(crate) fn raw(is_raw: bool) -> &'static str {
    if is_raw { "yes" } else { "no" }
}

pub(crate) fn seconds(seconds: u32) -> String {
    format!("{seconds} s")
}

pub(crate) fn output(size: &str) -> String {
    format!("output up to {size}, without secrets")
}

pub(crate) fn waits(minutes: u32) -> String {
    match minutes {
        1 => "The run waits for the device for 1 minute at most.".to_owned(),
        minutes => format!("The run waits for the device for {minutes} minutes at most."),
    }
}

pub(crate) fn level(level: RiskLevel, points: u32) -> String {
    let level = match level {
        RiskLevel::Low => "Low",
        RiskLevel::Medium => "Medium",
        RiskLevel::High => "High",
    };
    let points = match points {
        1 => "1 point".to_owned(),
        points => format!("{points} points"),
    };
    format!("{level} risk ({points})")
}

pub(crate) fn changed(labels: &[&str]) -> String {
    format!("Changed since it was shown: {}.", labels.join(", "))
}

/// Place of a look, for the record of looks.
pub(crate) fn place(call: &str) -> String {
    format!("card {call}")
}
