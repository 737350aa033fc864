//! Answers to devices.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

#[derive(Debug, Clone, Serialize)]
pub struct EnrolmentAnswer {
    pub device: String,
    pub name: String,
    pub site: String,
    pub server: String,
    /// The envelope of the newest root document.
    pub root: Value,
}

#[derive(Debug, Clone, Serialize)]
pub struct ChallengeAnswer {
    pub nonce: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OpenedSession {
    pub token: String,
    pub expires_s: u64,
    pub state: &'static str,
}

#[derive(Debug, Clone, Serialize)]
pub struct GreetingAnswer {
    pub state: &'static str,
    pub root_version: u64,
    pub reports: Vec<JournalAnswer>,
}

/// The answer to one entry of a journal.
#[derive(Debug, Clone, Serialize)]
pub struct JournalAnswer {
    pub job: String,
    pub epoch: u32,
    /// `recorded`, `stale` or `gone`.
    pub answer: &'static str,
    pub offsets: StreamLengths,
}

/// Bytes that the server has of each stream.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct StreamLengths {
    pub out: u64,
    pub err: u64,
    pub step: u64,
}

/// Work for a device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum DeviceWork {
    Job {
        job: String,
        epoch: u32,
        lease_s: u64,
        /// The bytes of the package in base64.
        package: String,
        /// SHA-256 of these bytes.
        sha256: String,
    },
    /// Diagnostics are wanted, as the bundle of this request.
    Collect { request: String },
}

/// The answer to a call about a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum JobAnswerMessage {
    Go { nonce: String },
    Kept { cancel: bool, lease_s: u64 },
    Recorded,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct NextOffset {
    pub offset: u64,
}

#[derive(Debug, Clone, Serialize)]
pub struct BundleProgress {
    pub bundle: String,
    /// Bytes that the server has of each section.
    pub offsets: BTreeMap<String, u64>,
}
