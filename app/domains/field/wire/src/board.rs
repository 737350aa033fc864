//! The parts of the board. Each has the identifier that its key ends with.

use protocol::{FromJson, Timestamp};
use serde::{Deserialize, Serialize};

/// Key `site/ID`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct FieldSitePart {
    pub id: String,
    /// The number in its tokens.
    pub number: u32,
    /// As a person wrote it.
    pub name: String,
    /// True if addresses that are routed globally get tokens as well.
    pub hides_public: bool,
}

/// Key `device/ID`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct FieldDevicePart {
    pub id: String,
    pub site: String,
    /// As a person wrote it.
    pub name: String,
    /// `waiting`, `adopted`, `suspended` or `retired`.
    pub standing: String,
    /// True while it has a session.
    pub online: bool,
    /// None if it was never seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_seen: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attention: Vec<DeviceWarning>,
    /// Limits that it cannot enforce, each with the remedy, as sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gaps: Vec<String>,
    /// The program of its runner. None if it does not report it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<DeviceProgram>,
    /// Versions of all proposals for it; none before the first. Its page reads them again when there are
    /// more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposed: Option<u64>,
    /// True for one that is made up.
    #[serde(default)]
    pub simulated: bool,
    /// The key of one that waits to be adopted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pending: Option<PendingKey>,
}

/// The program of a device's runner, by the device's own report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct DeviceProgram {
    /// Such as `1.2.3`.
    pub version: String,
    /// A newer version that was installed and given up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<FailedProgram>,
}

/// A version that a device gave up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct FailedProgram {
    pub version: String,
    /// `no_report`, `no_start` or `unknown`.
    pub reason: String,
    /// Trials so far.
    pub tries: u32,
    /// True if the device tries it again.
    #[serde(default)]
    pub retried: bool,
}

/// The key of a device that waits to be adopted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct PendingKey {
    /// In 64 digits.
    pub fingerprint: String,
    /// The groups that people compare.
    pub shown: String,
}

/// Something about a device that a person should look at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct DeviceWarning {
    /// Such as `wrong_clock`.
    pub kind: String,
    /// One sentence.
    pub text: String,
    pub since: Timestamp,
}

/// Key `run/ID`. Without output: a page reads its tail when the number of bytes has grown.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct FieldRunPart {
    pub id: String,
    pub device: String,
    /// As a person wrote it, also of a retired one. On the board alone: other pages are about the device.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device_name: Option<String>,
    pub site: String,
    pub title: String,
    /// The proposal that it was made from, with its version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// `queued`, `claimed`, `running`, `ended`, `failed` (ended, with a step that failed), `cut`, `refused`,
    /// `not_delivered`, `cancelled` or `unknown`. One that was unknown until a person said what was the case:
    /// `found_ran`, `found_not_run` or `found_nothing`.
    pub phase: String,
    /// The step that runs, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<u32>,
    pub steps: u32,
    /// Bytes of output so far.
    pub output: u64,
    /// One more with each change.
    pub revision: u64,
    pub queued: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<Timestamp>,
    /// A person asked to end it.
    #[serde(default)]
    pub cancel_asked: bool,
    /// True if it is unknown whether it ran, and no person has resolved that.
    #[serde(default)]
    pub unresolved: bool,
    #[serde(default)]
    pub simulated: bool,
}

/// Key `bundle/ID`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct FieldBundlePart {
    pub id: String,
    /// None if a program or a person brought it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// As in a run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device_name: Option<String>,
    pub site: String,
    /// By the clock of the device; none if it does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken: Option<Timestamp>,
    pub received: Timestamp,
    /// False while sections may still come.
    pub complete: bool,
    /// Number of its sections.
    pub sections: u32,
    #[serde(default)]
    pub simulated: bool,
}

/// Key `field`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct FieldFreshness {
    /// The reason why the board may be out of date.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unread: Option<String>,
}
