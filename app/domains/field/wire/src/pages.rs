//! The pages of a device and of a bundle, and looks at values.

use protocol::{Fact, FromJson, Offer, Timestamp};
use serde::{Deserialize, Serialize};

use crate::{FieldBundlePart, FieldDevicePart, FieldRunPart};

/// Part `device` of a device.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct FieldDevicePage {
    pub device: FieldDevicePart,
    /// By whom, when and why it was retired: nothing can be done with it any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retired: Option<PersonNote>,
    pub site_name: String,
    /// Of its key, in groups as people compare it.
    pub fingerprint: String,
    /// Its own report.
    #[serde(default)]
    pub facts: Vec<Fact>,
    #[serde(default)]
    pub sandboxes: Vec<SandboxRow>,
    /// The newest ones, newest first.
    #[serde(default)]
    pub bundles: Vec<FieldBundlePart>,
    #[serde(default)]
    pub runs: Vec<FieldRunPart>,
    #[serde(default)]
    pub proposals: Vec<FieldProposalRow>,
    /// Actions that make sense now. A null in an input is what the person has to say.
    #[serde(default)]
    pub offers: Vec<Offer>,
    /// The tokens in its facts.
    #[serde(default)]
    pub tokens: Vec<String>,
}

/// An act or a finding of a person, with the reason as they wrote it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct PersonNote {
    /// The name of the person.
    pub by: String,
    pub at: Timestamp,
    pub reason: String,
}

/// A sandbox of a device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct SandboxRow {
    /// `systemd` or `bubblewrap`.
    pub level: String,
    /// Limits that it enforces.
    #[serde(default)]
    pub limits: Vec<String>,
    /// Limits that it does not enforce: runs that need one are refused.
    #[serde(default)]
    pub lacks: Vec<String>,
}

/// A proposal in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct FieldProposalRow {
    pub id: String,
    pub title: String,
    /// The newest version; they count from 1.
    pub newest: u64,
    pub changed: Timestamp,
}

/// Part `bundle` of a bundle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct FieldBundlePage {
    pub bundle: FieldBundlePart,
    /// None if no device brought it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device_name: Option<String>,
    pub site_name: String,
    #[serde(default)]
    pub sections: Vec<BundleSectionRow>,
    /// Sections with what stands out in them by plain rules, in a sentence.
    #[serde(default)]
    pub findings: Vec<Fact>,
    /// Values in all of it by class, such as `ipv4: 14`.
    #[serde(default)]
    pub hidden: Vec<Fact>,
    /// Secrets that the device and the server removed: they never come back.
    pub secrets: u64,
    /// The lines that say what the tokens mean.
    pub legend: String,
}

/// A section: the output of one collector.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct BundleSectionRow {
    pub name: String,
    pub lines: u64,
    pub bytes: u64,
    /// Values in it by class.
    #[serde(default)]
    pub hidden: Vec<Fact>,
    /// The reason why it has no text here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<String>,
}

/// Parts `section/NAME` of a bundle, and `log/…` of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct FieldText {
    /// In turn text as it is, a token, text as it is, and so on. Together they are the text.
    pub pieces: Vec<String>,
    /// Bytes of the whole.
    pub bytes: u64,
    /// Offset of the text in it; above 0 if lines before it are left out.
    #[serde(default)]
    pub start: u64,
}

/// A value for one look of one person. Parts `values/TOKEN,…` of all things are lists of them.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct RevealedToken {
    pub token: String,
    /// Such as `ipv4`.
    pub class: String,
    pub value: String,
}

impl std::fmt::Debug for RevealedToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "RevealedToken({} …)", self.token)
    }
}

/// A look at values that was recorded. Part `looks` of a device is a list of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct FieldLookRow {
    pub at: Timestamp,
    /// The name of the person; the identifier of one who is gone.
    pub person: String,
    /// Such as `bundle bun_…`.
    pub place: String,
    /// Number of values that were given out.
    pub shown: u32,
}
