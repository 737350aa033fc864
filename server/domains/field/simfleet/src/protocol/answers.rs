//! Answers of the server. Unknown members are passed over: the API grows by addition.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

/// The one shape of a refusal.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct ApiRefusal {
    pub code: String,
    #[serde(default)]
    pub message: String,
    #[serde(default)]
    pub help: String,
    #[serde(default)]
    pub request_id: String,
    /// With 409: the offset to go on from.
    #[serde(default)]
    pub right: Option<OffsetAnswer>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct EnrolAnswer {
    pub device: String,
    pub name: String,
    pub site: String,
    pub server: String,
    /// The envelope of the root document.
    pub root: Value,
}

#[derive(Clone, Debug, Deserialize)]
pub struct NonceAnswer {
    pub nonce: String,
}

#[derive(Clone, Debug, Deserialize)]
pub struct SessionAnswer {
    pub token: String,
    pub expires_s: u64,
    /// `waiting`, `adopted`, `suspended` or `retired`.
    pub state: String,
}

#[derive(Clone, Debug, Deserialize)]
pub struct HelloAnswer {
    pub state: String,
    pub root_version: u64,
    #[serde(default)]
    pub reports: Vec<ReportAnswer>,
}

/// The answer to one entry of a journal.
#[derive(Clone, Debug, Deserialize)]
pub struct ReportAnswer {
    pub job: String,
    pub epoch: u32,
    /// `recorded`, `stale` or `gone`.
    pub answer: String,
    #[serde(default)]
    pub offsets: StreamOffsets,
}

/// Bytes that the server has of each stream.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub struct StreamOffsets {
    #[serde(default)]
    pub out: u64,
    #[serde(default)]
    pub err: u64,
    #[serde(default)]
    pub step: u64,
}

/// Work for a device.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ClaimAnswer {
    Job(JobOffer),
    Collect { request: String },
}

#[derive(Clone, Debug, Deserialize)]
pub struct JobOffer {
    pub job: String,
    pub epoch: u32,
    pub lease_s: u32,
    /// The bytes of the package in base64.
    pub package: String,
    /// SHA-256 of these bytes.
    pub sha256: String,
}

/// Answer to a call about a job.
#[derive(Clone, Debug, Deserialize)]
pub struct JobReply {
    /// `go`, `kept` or `recorded`.
    pub answer: String,
    #[serde(default)]
    pub nonce: String,
    #[serde(default)]
    pub cancel: bool,
    #[serde(default)]
    pub lease_s: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct OffsetAnswer {
    pub offset: u64,
}

/// Answer to a bundle.
#[derive(Clone, Debug, Deserialize)]
pub struct BundleAnswer {
    pub bundle: String,
    /// Bytes that the server has of each section.
    #[serde(default)]
    pub offsets: BTreeMap<String, u64>,
}
