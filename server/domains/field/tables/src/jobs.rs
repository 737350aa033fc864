//! Jobs: packages on their way to a device, and their outcomes.
//!
//! Each transition is a function of its own, with one conditional update and one event in the same
//! transaction. A device names the claim that it acts for; if the job's claim is another one now,
//! nothing changes.

mod cancel;
mod claim;
mod deadlines;
mod finish;
mod late;
mod lease;
mod miss;
mod not_run;
mod queue;
mod records;
mod resolve;
mod retention;
mod start;

use serde_json::Value;

use crate::columns::words;

pub use cancel::{CancelOutcome, RefuseOutcome};
pub(crate) use cancel::{ask_running_job, cancel_waiting_jobs};
pub use claim::{ClaimOutcome, ClaimRequest};
pub use deadlines::{DueJob, DueKind};
pub use finish::{FinishOutcome, FinishedAs};
pub use lease::RenewOutcome;
pub use miss::ClaimMiss;
pub(crate) use miss::current;
pub use not_run::NotRunOutcome;
pub use queue::{NewJob, QueueOutcome};
pub use records::JobOfCall;
pub use resolve::{JobResolution, ResolveOutcome};
pub(crate) use retention::remove_jobs;
pub use start::{StartOutcome, StartRequest};

/// State of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JobState {
    /// Signed, and waits for its device.
    Queued,
    /// The device has it, and has not been let start it.
    Claimed,
    /// The server said go, so it may have begun.
    Running,
    /// It ran to its end.
    Ended,
    /// It was ended: by time, memory, output, on demand.
    Cut,
    /// The server or the device refused it; it did not run.
    Refused,
    /// The device did not come in time; it did not run.
    NotDelivered,
    /// A person cancelled it before it started.
    Cancelled,
    /// It may have run.
    Unknown,
}

words!(JobState {
    Queued = "queued",
    Claimed = "claimed",
    Running = "running",
    Ended = "ended",
    Cut = "cut",
    Refused = "refused",
    NotDelivered = "not_delivered",
    Cancelled = "cancelled",
    Unknown = "unknown",
});

impl JobState {
    /// True if the job neither waits nor runs.
    #[must_use]
    pub fn is_over(self) -> bool {
        !matches!(self, Self::Queued | Self::Claimed | Self::Running)
    }
}

/// A job, without its package.
#[derive(Debug, Clone, PartialEq)]
pub struct JobRecord {
    /// Order in the queue.
    pub number: i64,
    pub id: String,
    /// The call that asked for it.
    pub call: String,
    pub site: String,
    pub device: String,
    /// Covered text for people and the model, such as its title.
    pub about: Value,
    /// The proposal that it was made from, with its version.
    pub proposal: Option<(String, u64)>,
    pub signing_key: String,
    pub seq: u64,
    pub payload_digest: String,
    pub state: JobState,
    /// One more each time that a claim is lost.
    pub epoch: u64,
    pub queued_ms: i64,
    pub claim_until_ms: i64,
    pub expires_ms: i64,
    /// The request of the device that claimed it, and the hash of the claim's token.
    pub claim_request: Option<String>,
    pub claim_hash: Option<Vec<u8>>,
    pub claimed_ms: Option<i64>,
    pub lease_until_ms: Option<i64>,
    pub start_nonce: Option<String>,
    pub started_ms: Option<i64>,
    pub deadline_ms: Option<i64>,
    pub cancel_asked_ms: Option<i64>,
    pub cancel_asked_by: Option<String>,
    pub ended_ms: Option<i64>,
    /// The end as the device or the server tells it.
    pub ending: Option<Value>,
    /// The device's report after the job was over.
    pub late: Option<LateReport>,
    pub resolution: Option<JobResolution>,
    pub resolved_by: Option<String>,
    pub resolved_ms: Option<i64>,
}

/// A report of the device after the job was over. The state stays as it was told to people.
#[derive(Debug, Clone, PartialEq)]
pub struct LateReport {
    pub at_ms: i64,
    /// The state that it would have led to.
    pub state: JobState,
    pub ending: Value,
}

/// The claim that a device acts for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobClaim {
    pub job: String,
    /// The device that asks, from its session.
    pub device: String,
    pub epoch: u64,
    /// Hash of the token that came with the claim.
    pub claim_hash: Vec<u8>,
}

/// A selection of jobs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JobFilter {
    pub site: Option<String>,
    pub device: Option<String>,
    /// Any of these; all if empty.
    pub states: Vec<JobState>,
    /// Only those with a smaller number.
    pub before: Option<i64>,
}
