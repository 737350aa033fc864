//! Runs: approved packages on their way to a device, and their outcomes.

use agent::ports::Approval;
use async_trait::async_trait;
use field_package::{levels::SandboxLevel, steps::ProbeStep};
use field_queue::report::{JobEnding, JobReport, UnknownReason};
use protocol::{CallId, Timestamp, UserId};
use serde_json::Value;

use super::FieldFault;
use crate::RunCore;

/// The queue of runs, and what came of them.
#[async_trait]
pub trait FieldRuns: Send + Sync + 'static {
    /// Signs a package and queues it, once for each call: the same call again is the run that it made,
    /// whatever the order says. It is on the disk when this returns. In the same transaction the device
    /// must be adopted, have the key of the order and be able to enforce it, and the policy must be that
    /// of the order. Nothing runs yet: the server checks again when the device asks to start.
    ///
    /// # Errors
    /// A [`super::FieldFaultCode`] that says which of these does not hold. Nothing is queued then. Only
    /// [`super::FieldFaultCode::Storage`] leaves that open; [`Self::run_of`] finds it out.
    async fn queue(&self, order: &RunOrder) -> Result<RunRecord, FieldFault>;

    /// A run.
    async fn run(&self, id: &str) -> Result<Option<RunRecord>, FieldFault>;

    /// The run that a call queued. None: it queued none, and never will.
    async fn run_of(&self, call: CallId) -> Result<Option<RunOfCall>, FieldFault>;

    /// A run as soon as its revision is another one than this. Dropping it costs nothing.
    async fn run_after(&self, id: &str, revision: u64) -> Result<RunRecord, FieldFault>;

    /// The newest runs of a selection, newest first.
    async fn runs(&self, filter: &RunFilter) -> Result<Vec<RunRecord>, FieldFault>;

    /// The steps of a run that have begun, in their order.
    async fn results(&self, id: &str) -> Result<Vec<StepResult>, FieldFault>;

    /// The last lines of the output of a run, or of one step of it.
    async fn log(&self, id: &str, tail: &OutputTail) -> Result<LogText, FieldFault>;

    /// Cancels a run that has not started, or asks its device to end it.
    async fn cancel(&self, order: &CancelOrder) -> Result<CancelResult, FieldFault>;

    /// The facts of a run's package.
    async fn package(&self, id: &str) -> Result<Option<PackageFacts>, FieldFault>;

    /// True if a run with this payload, as SHA-256, ended on the device before.
    async fn has_ended_on(&self, device: &str, payload: &str) -> Result<bool, FieldFault>;

    /// Number of runs that were queued for a device since a time, whatever became of them.
    async fn queued_since(&self, device: &str, since: Timestamp) -> Result<u64, FieldFault>;
}

/// The order to queue a run.
#[derive(Debug, Clone, PartialEq)]
pub struct RunOrder {
    /// The call whose approval is in the package.
    pub call: CallId,
    /// For lists and pages, covered.
    pub title: String,
    /// The part of the manifest that was shown and approved.
    pub core: RunCore,
    /// The steps with tokens in place of values, for [`StepResult::step`]; none for free sh.
    pub steps: Vec<ProbeStep>,
    /// The proposal that it was made from, with its version.
    pub proposal: Option<(String, u64)>,
    /// Goes into the manifest: the digest of the card, or that of the core for a call that needs none.
    pub approval: Approval,
    pub person: UserId,
    /// Until then the device may claim it.
    pub claim_until: Timestamp,
}

/// A run, without its output.
#[derive(Debug, Clone, PartialEq)]
pub struct RunRecord {
    /// `run_` and 26 characters.
    pub id: String,
    pub call: CallId,
    pub site: String,
    pub device: String,
    pub title: String,
    pub proposal: Option<(String, u64)>,
    /// One more with each change, each step that begins, and each piece of output.
    pub revision: u64,
    pub phase: RunPhase,
    /// The steps of it, and the one that runs, from 1; of an unknown outcome the last that is known to have
    /// begun. None before it has begun, and for free sh.
    pub steps: u32,
    pub step: Option<u32>,
    /// Steps whose end is known.
    pub steps_ended: u32,
    /// Steps that ended with a failure.
    pub steps_failed: u32,
    /// Bytes of output that have come so far.
    pub output: u64,
    pub sandbox: Option<SandboxLevel>,
    pub queued: Timestamp,
    pub claim_until: Timestamp,
    pub started: Option<Timestamp>,
    pub ended: Option<Timestamp>,
    /// A person asked to end it.
    pub cancel_asked: bool,
    /// A report of the device that came after it was over: it changes nothing else.
    pub late: Option<JobReport>,
    pub resolution: Option<RunResolution>,
    pub is_simulated: bool,
}

impl RunRecord {
    /// True if it ran to its end, and a step of it failed.
    pub fn has_failed(&self) -> bool {
        // The device's report is about the last step alone.
        match &self.phase {
            RunPhase::Ended(report) => report.how.is_failure() || self.steps_failed > 0,
            _ => false,
        }
    }
}

/// Phase of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunPhase {
    /// Signed, and waits for its device.
    Queued,
    /// The device has it, and has not been let start it.
    Claimed,
    /// The server said go: it may have begun.
    Running,
    Ended(JobReport),
    /// A limit or a person ended it.
    Cut(JobReport),
    /// Certain: it never ran. By whom and why, covered.
    Refused {
        by_device: bool,
        code: String,
        reason: String,
    },
    /// Certain: it never ran.
    NotDelivered,
    /// Certain: it never ran.
    Cancelled,
    /// It may have run.
    Unknown(UnknownReason),
}

impl RunPhase {
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Claimed => "claimed",
            Self::Running => "running",
            Self::Ended(_) => "ended",
            Self::Cut(_) => "cut",
            Self::Refused { .. } => "refused",
            Self::NotDelivered => "not_delivered",
            Self::Cancelled => "cancelled",
            Self::Unknown(_) => "unknown",
        }
    }

    pub const fn is_over(&self) -> bool {
        !matches!(self, Self::Queued | Self::Claimed | Self::Running)
    }

    /// True if it is certain that nothing of it ran, and that nothing ever will.
    pub const fn never_ran(&self) -> bool {
        matches!(
            self,
            Self::Refused { .. } | Self::NotDelivered | Self::Cancelled
        )
    }
}

/// A person's word on a run whose outcome is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunResolution {
    Ran,
    DidNotRun,
    CannotTell,
}

impl RunResolution {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Ran => "ran",
            Self::DidNotRun => "did_not_run",
            Self::CannotTell => "cannot_tell",
        }
    }
}

/// The run of a call.
#[derive(Debug, Clone, PartialEq)]
pub enum RunOfCall {
    There(Box<RunRecord>),
    /// Its record was removed; it ended in a phase of this word.
    Removed(String),
}

/// A selection of runs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunFilter {
    pub site: Option<String>,
    pub device: Option<String>,
    /// Words of phases; all if empty.
    pub phases: Vec<&'static str>,
    pub limit: u32,
}

/// The outcome of one step.
#[derive(Debug, Clone, PartialEq)]
pub struct StepResult {
    /// From 1.
    pub number: u32,
    /// With tokens in place of values.
    pub step: ProbeStep,
    /// None while it runs, or if the run is over and nobody knows: then there are no fields either.
    pub end: Option<JobEnding>,
    pub ms: Option<u64>,
    /// The results by name with units, covered, or the reason why there are none.
    pub fields: Result<Value, String>,
    /// The text, covered; its middle is left out if it is long.
    pub text: String,
    /// Bytes of all output of it.
    pub bytes: u64,
}

/// Lines of the output that are asked for: the last ones, or those before a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutputTail {
    /// From 1; all steps if there is none.
    pub step: Option<u32>,
    /// True for the output of errors.
    pub errors: bool,
    /// 200 at most, or 1,000 before a place.
    pub lines: u32,
    /// The `start` of a later text. For all steps alone.
    pub before: Option<u64>,
}

/// Output, covered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogText {
    pub text: String,
    /// Bytes of the whole stream or step so far.
    pub bytes: u64,
    /// Offset of the text in it; above 0 if lines before it are left out.
    pub start: u64,
}

/// The order to cancel a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CancelOrder {
    pub run: String,
    /// Covered; may be empty.
    pub reason: String,
    pub person: UserId,
}

/// The outcome of a cancellation.
#[derive(Debug, Clone, PartialEq)]
pub enum CancelResult {
    /// It did not start, and never will.
    Cancelled(Box<RunRecord>),
    /// It may have begun: the device is asked to end it.
    Asked(Box<RunRecord>),
    /// It was over before.
    Over(Box<RunRecord>),
}

/// Facts of a package, all of them in the clear for everybody.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageFacts {
    pub sha256: String,
    pub payload_sha256: String,
    pub core_sha256: String,
    pub sequence: u64,
    pub signing_key: String,
    pub expires: Timestamp,
    pub approval_digest: String,
    pub approved_by: Vec<String>,
}
