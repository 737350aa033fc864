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
