//! Proposals.

use field_package::policy::RiskLevel;

pub(crate) const SAFE_TO_REPEAT: &str = "A repetition of the call keeps nothing twice.";
pub(crate) const STEPS_OR_VERSION: &str = "Name either the steps, or the proposal and its version.";

pub(crate) const fn level(level: RiskLevel) -> &'static str {
    match level {
        RiskLevel::Low => "low",
        RiskLevel::Medium => "medium",
        RiskLevel::High => "high",
    }
}

pub(crate) fn keep(title: &str, device: &str) -> String {
    format!("Keep “{title}” as a proposal for {device}.")
}

pub(crate) const STEPS_OR_FREE: &str =
    "Write either steps, which may end at the first failure, or a text for /bin/sh.";
pub(crate) const NO_NAME: &str =
    "Your name cannot be read now, and a version needs the name of the person who wrote it.";

pub(crate) fn edit(title: &str, version: u64, is_free: bool) -> String {
    let form = if is_free { "free sh" } else { "steps" };
    format!("Keep your {form} as version {version} of “{title}”.")
}

pub(crate) fn line(line: u32) -> String {
    format!("Line {line}")
}

/// A step, counted from 1; 0 stands for all of them.
pub(crate) fn step(step: u32) -> String {
    match step {
        0 => "The script".to_owned(),
        step => format!("Step {step}"),
    }
}

/// `place`: a line or a step.
pub(crate) fn about(place: &str, why: &str) -> String {
    format!("{place}: {why}")
}

pub(crate) fn refused(place: &str, why: &str, by: &str) -> String {
    format!("{place} is refused by {by}: {why}")
}

pub(crate) fn not_as_written(place: &str) -> String {
    format!(
        "{place} has a secret, or a value in a spelling that cannot be hidden. Leave secrets out, and write \
         addresses in their usual form."
    )
}

pub(crate) fn kept(title: &str, version: u64, risk: RiskLevel) -> String {
    format!("“{title}”, version {version}, {} risk", level(risk))
}

pub(crate) fn checked(risk: RiskLevel, is_refused: bool) -> String {
    if is_refused {
        "refused by the policy".to_owned()
    } else {
        format!("{} risk", level(risk))
    }
}
