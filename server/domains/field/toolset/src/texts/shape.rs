//! Words in results.

use serde_json::{Value, json};

pub(crate) const NEVER_SEEN: &str = "never seen";
pub(crate) const NO_CLOCK: &str = "the device does not say";
pub(crate) const NOT_MEASURED: &str = "not measured";
pub(crate) const INTERRUPTED: &str =
    "the device was interrupted between its note of the start and any sign of the run";
pub(crate) const LOST: &str = "the device lost it while it ran";
pub(crate) const REBOOTED: &str = "the device was switched off or restarted while it ran";
pub(crate) const NEVER_STARTED: &str = "the device reports an end without a recorded start";
pub(crate) const SILENT: &str =
    "the server heard nothing until after the last moment at which it could run";

pub(crate) const ONLINE: &str = "online";

pub(crate) fn silent(seconds: u64) -> String {
    format!("silent for {}", units::span(seconds))
}

/// The last step of a run that is known.
fn seen(step: u32, steps: u32, ended: bool) -> String {
    let did = if ended { "ended" } else { "begun" };
    format!("step {step} of {steps} had {did}")
}

pub(crate) fn lost_in(step: u32, steps: u32, ended: bool) -> String {
    format!("{} when the device lost it", seen(step, steps, ended))
}

pub(crate) fn unknown_from(reason: &str, step: u32, steps: u32, ended: bool) -> String {
    let seen = seen(step, steps, ended);
    format!("{reason}; as far as the server heard, {seen}")
}

/// A device in one sentence, without a full stop.
pub(crate) fn standing(name: &str, contact: &str, attention: &[&str]) -> String {
    if attention.is_empty() {
        return format!("{name} is {contact}, and nothing about it needs attention");
    }
    let attention: Vec<&str> = attention
        .iter()
        .map(|it| it.trim_end_matches('.'))
        .collect();
    format!("{name} is {contact}: {}", attention.join("; "))
}

/// An unknown value with its reason.
pub(crate) fn unknown(reason: &str) -> Value {
    json!({ "unknown": reason })
}

pub(crate) fn refused_by(by_device: bool) -> &'static str {
    if by_device {
        "the device"
    } else {
        "the server"
    }
}
