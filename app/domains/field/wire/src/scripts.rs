//! The pages of a proposal and of a run.

use protocol::{DiffLine, Fact, FromJson, Offer, RiskReason, Timestamp};
use serde::{Deserialize, Serialize};

use crate::{FieldProposalRow, FieldRunPart, PersonNote};

/// Parts `proposal` and `version/N` of a proposal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct FieldProposalPage {
    pub proposal: FieldProposalRow,
    pub device: String,
    pub device_name: String,
    pub site_name: String,
    /// The version on view.
    pub version: u64,
    pub why: String,
    /// The expected result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expect: Option<String>,
    pub made: Timestamp,
    /// Name of the person who wrote it; none for the model or a program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
    /// True if that is the person who asks.
    #[serde(default)]
    pub yours: bool,
    /// True if a program sent it.
    #[serde(default)]
    pub by_program: bool,
    /// The newest version that a device was let start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_that_ran: Option<u64>,
    /// The version that the lines are compared with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<u64>,
    /// As sh.
    pub lines: Vec<DiffLine>,
    /// One for each step, such as `ping ip-s1-n1.1`. Empty for free sh.
    #[serde(default)]
    pub steps: Vec<String>,
    #[serde(default)]
    pub stop_on_failure: bool,
    /// The policy's word on it now.
    pub risk: FieldRiskReport,
    #[serde(default)]
    pub offers: Vec<Offer>,
    #[serde(default)]
    pub tokens: Vec<String>,
}

/// The policy's word on a script.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct FieldRiskReport {
    /// `low`, `medium` or `high`; none if it cannot be judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    pub points: u32,
    /// Number of persons who have to approve it.
    pub persons: u32,
    /// Each points at a line of the script as it is now.
    #[serde(default)]
    pub reasons: Vec<RiskReason>,
    /// The reasons why it is refused, in one text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    pub policy_version: u32,
    pub at: Timestamp,
}

/// Part `run` of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct FieldRunPage {
    pub run: FieldRunPart,
    pub device_name: String,
    pub site_name: String,
    /// Until then the device may take it.
    pub claim_until: Timestamp,
    /// `systemd` or `bubblewrap`; none before it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<FieldRunEnd>,
    /// The end that its device reported after it was over: it changes nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub late: Option<FieldRunEnd>,
    /// By whom it was refused and why, or why its outcome is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// True if it is certain that nothing of it ran.
    #[serde(default)]
    pub never_ran: bool,
    /// A person's word on an unknown outcome: `ran`, `did_not_run` or `cannot_tell`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolution: Option<String>,
    /// By whom, when and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolved: Option<PersonNote>,
    /// The word before it that nobody could tell, if somebody found out since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub could_not_tell: Option<PersonNote>,
    #[serde(default)]
    pub results: Vec<FieldRunStep>,
    /// Facts of its package; empty before it has one.
    #[serde(default)]
    pub package: Vec<Fact>,
    #[serde(default)]
    pub offers: Vec<Offer>,
}

/// The end of a run. None of a measurement: it was not measured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct FieldRunEnd {
    /// Such as `exit 0` or `timeout`.
    pub how: String,
    /// True if it ended by itself without an error.
    #[serde(default)]
    pub good: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_bytes: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_bytes: Option<u64>,
}

/// A step of a run that has begun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct FieldRunStep {
    /// From 1.
    pub number: u32,
    /// Such as `ping ip-s1-n1.1`.
    pub step: String,
    /// None while it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<ReportedStep>,
    /// Its values with units.
    #[serde(default)]
    pub fields: Vec<Fact>,
    /// The reason why there are no values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lacks: Option<String>,
    /// Its output, as in [`crate::FieldText`].
    #[serde(default)]
    pub pieces: Vec<String>,
    pub bytes: u64,
}

/// The end of a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct ReportedStep {
    /// Such as `exit 0` or `timeout`.
    pub how: String,
    #[serde(default)]
    pub good: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<u64>,
}
