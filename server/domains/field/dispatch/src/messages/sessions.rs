//! Requests of a device that is not at work.

use serde::Deserialize;
use serde_json::Value;

use super::JournalEntryMessage;

/// `POST enrol`.
#[derive(Debug, Clone, Deserialize)]
pub struct EnrolMessage {
    /// The secret of the enrolment token.
    pub token: String,
    /// The public key of the device, in 64 digits.
    pub key: String,
    /// Signature in base64 over the DSSE bytes of secret and key.
    pub proof: String,
    #[serde(default)]
    pub facts: Value,
    #[serde(default)]
    pub capabilities: Value,
}

/// `POST session`.
#[derive(Debug, Clone, Deserialize)]
pub struct ChallengeMessage {
    pub device: String,
}

/// `PUT session`.
#[derive(Debug, Clone, Deserialize)]
pub struct SessionMessage {
    pub device: String,
    pub nonce: String,
    /// Random word of one life of the runner.
    pub instance: String,
    /// Signature in base64 over the DSSE bytes of device, nonce, instance and server.
    pub signature: String,
}

/// `POST hello`.
#[derive(Debug, Clone, Deserialize)]
pub struct HelloMessage {
    #[serde(default)]
    pub facts: Value,
    #[serde(default)]
    pub capabilities: Value,
    pub root_version: u64,
    #[serde(default)]
    pub clock: Value,
    /// `{version, failed: {version, reason, tries, retried}}`; `failed` may be null or missing.
    #[serde(default)]
    pub program: Value,
    #[serde(default)]
    pub journal: Vec<JournalEntryMessage>,
}
