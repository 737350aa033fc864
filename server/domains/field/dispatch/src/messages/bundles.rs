//! The announcement of diagnostics.

use serde::Deserialize;
use serde_json::Value;

/// `POST bundles`.
#[derive(Debug, Clone, Deserialize)]
pub struct BundleMessage {
    /// In 32 digits: the same once more is the same bundle.
    pub request: String,
    #[serde(default)]
    pub taken_ms: Option<i64>,
    #[serde(default)]
    pub clock: Value,
    #[serde(default)]
    pub dropped: DroppedMessage,
    pub sections: Vec<SectionAnnouncement>,
    #[serde(default)]
    pub simulated: bool,
}

/// Number of values that the device removed before sending.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
pub struct DroppedMessage {
    #[serde(default)]
    pub secrets: u64,
}

/// A section that will come.
#[derive(Debug, Clone, Deserialize)]
pub struct SectionAnnouncement {
    /// Of `[a-z0-9_]`, 40 characters at most.
    pub name: String,
    #[serde(rename = "type", default)]
    pub media_type: String,
    pub bytes: u64,
    /// In 64 digits.
    pub sha256: String,
    #[serde(default)]
    pub exit: Option<i32>,
}
