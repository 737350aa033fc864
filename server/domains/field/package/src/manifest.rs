//! The signed manifest of a job: everything that a device must know, in one closed object.

mod caps;
mod check;
mod network;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

pub use self::{
    caps::JobCaps,
    check::ManifestRefusal,
    network::{JobNetwork, NetworkClass},
};

use crate::{
    ids::{DeviceId, Fingerprint, JobId, PackageNonce, Sha256Hex, SiteId},
    levels::SandboxLevel,
    policy::{RiskFinding, RiskLevel, RiskReport, RuleWeight},
    strict::{self, StrictError},
};

/// Type of a manifest.
pub const MANIFEST_TYPE: &str = "application/vnd.jarvis.job+json";
/// Largest manifest in bytes.
pub const MAX_MANIFEST: usize = 16 * 1024;
/// Version of the format.
pub const MANIFEST_VERSION: u32 = 1;
/// The only working folder of a job.
pub const WORKDIR: &str = "/job";

/// Everything about a job that is signed. Times are seconds since 1970.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobManifest {
    pub v: u32,
    pub job: JobId,
    pub device: DeviceId,
    /// The device's own key: a device that was set up again is another one.
    pub device_key: Fingerprint,
    pub site: SiteId,
    /// Counts up for each signing key.
    pub seq: u64,
    pub nonce: PackageNonce,
    pub issued: u64,
    pub not_before: u64,
    pub expires: u64,
    pub form: ManifestForm,
    /// Absolute path. None for steps, which are started without an interpreter.
    pub interpreter: Option<String>,
    pub payload: PayloadStamp,
    /// Arguments of free sh.
    pub args: Vec<String>,
    /// More variables than those that the runner sets itself; see [`ENV_NAMES`].
    pub env: BTreeMap<String, String>,
    pub workdir: String,
    pub timeout_s: u32,
    /// Until when a device may claim the job.
    pub claim_until: u64,
    pub caps: JobCaps,
    pub net: JobNetwork,
    /// Needs packet sockets.
    pub raw: bool,
    pub sandbox_min: SandboxLevel,
    pub policy: PolicyStamp,
    pub risk: RiskStamp,
    pub approval: ApprovalStamp,
    /// Name of the server that issued it.
    pub server: String,
}

/// Variables that a manifest may set for free sh. The runner alone sets PATH, LC_ALL, HOME and TMPDIR.
pub const ENV_NAMES: [&str; 2] = ["COLUMNS", "LINES"];

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ManifestForm {
    Steps,
    Sh,
}

/// The payload by digest, length and type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PayloadStamp {
    pub sha256: Sha256Hex,
    pub bytes: u64,
    #[serde(rename = "type")]
    pub kind: String,
}

/// The policy that judged the script.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PolicyStamp {
    pub hash: Sha256Hex,
    pub version: u32,
}

/// The risk that was shown and approved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RiskStamp {
    pub level: RiskLevel,
    pub reasons: Vec<ReasonStamp>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReasonStamp {
    /// Id of the rule.
    pub rule: String,
    pub weight: RuleWeight,
}

/// The decision that the job rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ApprovalStamp {
    /// Digest of the confirmation: of exactly what was shown.
    pub digest: Sha256Hex,
    /// Names of those who approved.
    pub by: BTreeSet<String>,
    pub at: u64,
}

impl JobManifest {
    /// Reads and checks a manifest.
    ///
    /// # Errors
    /// If it is not in its one form, or a field is not possible.
    pub fn read(bytes: &[u8]) -> Result<Self, ManifestError> {
        let manifest: Self = strict::read(bytes, MAX_MANIFEST)?;
        manifest.check()?;
        Ok(manifest)
    }

    /// The bytes that are signed.
    pub fn bytes(&self) -> Vec<u8> {
        strict::write(self)
    }
}

impl RiskStamp {
    pub fn of(report: &RiskReport) -> Self {
        let stamp = |finding: &RiskFinding| ReasonStamp {
            rule: finding.rule.id().to_owned(),
            weight: finding.weight,
        };
        Self {
            level: report.level,
            reasons: report.findings.iter().map(stamp).collect(),
        }
    }
}

impl PayloadStamp {
    pub fn of(bytes: &[u8], kind: &str) -> Self {
        Self {
            sha256: Sha256Hex::digest(bytes),
            bytes: bytes.len() as u64,
            kind: kind.to_owned(),
        }
    }
}

/// Reason that bytes are no manifest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ManifestError {
    #[error(transparent)]
    Form(#[from] StrictError),
    #[error(transparent)]
    Field(#[from] ManifestRefusal),
}
