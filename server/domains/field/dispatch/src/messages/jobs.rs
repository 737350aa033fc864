//! Requests about one job.

use std::collections::BTreeMap;

use field_queue::report::{JobReport, UnknownReason};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// `POST claim`.
#[derive(Debug, Clone, Deserialize)]
pub struct ClaimMessage {
    /// Public, in 32 digits: the same once more is the same claim.
    pub request: String,
    /// Secret of the claim, in 64 digits, which the device made.
    pub claim: String,
    /// Seconds to wait for work, 45 at most.
    #[serde(default)]
    pub wait_s: u32,
}

/// `POST jobs/{id}/start`.
#[derive(Debug, Clone, Deserialize)]
pub struct StartMessage {
    pub epoch: u32,
    pub claim: String,
    /// In 32 digits.
    pub nonce: String,
}

/// `POST jobs/{id}/renew`.
#[derive(Debug, Clone, Deserialize)]
pub struct RenewMessage {
    pub epoch: u32,
    pub claim: String,
}

/// `POST jobs/{id}/refuse`.
#[derive(Debug, Clone, Deserialize)]
pub struct RefuseMessage {
    pub epoch: u32,
    pub claim: String,
    /// Code of the check that the package did not pass.
    pub code: String,
    #[serde(default)]
    pub message: String,
}

/// `POST jobs/{id}/end`.
#[derive(Debug, Clone, Deserialize)]
pub struct EndMessage {
    pub epoch: u32,
    pub claim: String,
    pub report: JobReport,
    #[serde(default)]
    pub streams: BTreeMap<String, StreamSum>,
    #[serde(default)]
    pub sandbox: Option<String>,
    #[serde(default)]
    pub simulated: bool,
}

/// Bytes and digest of a stream: of what was uploaded, and of all that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StreamSum {
    pub kept: u64,
    pub sha256: String,
    pub all: u64,
    pub all_sha256: String,
}

/// `PUT jobs/{id}/log/{out,err,step}`.
#[derive(Debug, Clone, Copy)]
pub struct LogPiece<'a> {
    pub epoch: u32,
    pub claim: &'a str,
    /// `out`, `err` or `step`.
    pub stream: &'a str,
    pub offset: u64,
    pub bytes: &'a [u8],
}

/// A job in the journal of a device.
#[derive(Debug, Clone, Deserialize)]
pub struct JournalEntryMessage {
    pub job: String,
    pub epoch: u32,
    pub claim: String,
    pub report: JournalReportMessage,
}

/// The end of a job as a journal knows it.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JournalReportMessage {
    DidNotRun,
    Unknown(UnknownReason),
    End(JobReport),
    /// A report of a newer runner: the job is treated as unknown, not as done.
    #[serde(untagged)]
    Other(Value),
}
