//! The part of a manifest that is known before an approval, and that the approval binds.

use std::collections::{BTreeMap, BTreeSet};

use field_package::{
    ids::{DeviceId, Fingerprint, IdRefusal, JobId, PackageNonce, Sha256Hex, SiteId},
    levels::SandboxLevel,
    manifest::{
        ApprovalStamp, JobCaps, JobManifest, JobNetwork, MANIFEST_VERSION, ManifestForm,
        PayloadStamp, PolicyStamp, RiskStamp, WORKDIR,
    },
    policy::{RiskReport, ScriptFacts, ScriptForm},
    script::{FREE_SCRIPT_TYPE, FreeScript, ProbeScript, STEPS_TYPE, StepsPayload},
};
use serde::Serialize;

/// Seconds above those of all steps, for starts and ends.
const GRACE_S: u32 = 30;
/// Timeout of free sh, which says nothing about itself.
pub const FREE_TIMEOUT_S: u32 = 300;

/// Everything of a manifest but the identity of the one package: number, nonce, times, approval.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RunCore {
    device: DeviceId,
    device_key: Fingerprint,
    site: SiteId,
    form: ManifestForm,
    payload: PayloadStamp,
    timeout_s: u32,
    caps: JobCaps,
    net: JobNetwork,
    raw: bool,
    sandbox_min: SandboxLevel,
    policy: PolicyStamp,
    risk: RiskStamp,
    #[serde(skip)]
    bytes: Vec<u8>,
}

/// The identity of one package. Times are seconds since 1970.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IssuedParts {
    pub job: JobId,
    pub seq: u64,
    pub nonce: PackageNonce,
    pub issued: u64,
    pub expires: u64,
    pub claim_until: u64,
    pub approval_digest: Sha256Hex,
    pub approved_by: BTreeSet<String>,
    pub approved_at: u64,
    /// Name of the server that issues it.
    pub server: String,
}

/// The device that a run is for.
pub struct RunTarget<'a> {
    pub device: &'a str,
    pub fingerprint: &'a str,
    pub site: &'a str,
}

impl RunCore {
    /// The core of a run of steps.
    ///
    /// # Errors
    /// An identifier of the device or the site that has another form.
    pub fn of_steps(
        target: &RunTarget<'_>,
        script: &ProbeScript,
        facts: &ScriptFacts,
        report: &RiskReport,
    ) -> Result<Self, IdRefusal> {
        let bytes = StepsPayload::bytes(script);
        let timeout_s = script.seconds().saturating_add(GRACE_S);
        Self::of(target, bytes, STEPS_TYPE, timeout_s, facts, report)
    }

    /// The core of a run of free sh.
    ///
    /// # Errors
    /// An identifier of the device or the site that has another form.
    pub fn of_free(
        target: &RunTarget<'_>,
        script: &FreeScript,
        facts: &ScriptFacts,
        report: &RiskReport,
    ) -> Result<Self, IdRefusal> {
        let bytes = script.text().as_bytes().to_vec();
        let timeout_s = FREE_TIMEOUT_S.saturating_add(GRACE_S);
        Self::of(target, bytes, FREE_SCRIPT_TYPE, timeout_s, facts, report)
    }

    fn of(
        target: &RunTarget<'_>,
        bytes: Vec<u8>,
        kind: &str,
        timeout_s: u32,
        facts: &ScriptFacts,
        report: &RiskReport,
    ) -> Result<Self, IdRefusal> {
        let raw = !facts.raw.is_empty();
        Ok(Self {
            device: DeviceId::new(target.device)?,
            device_key: Fingerprint::new(target.fingerprint)?,
            site: SiteId::new(target.site)?,
            form: match facts.form {
                ScriptForm::Steps | ScriptForm::Remedy => ManifestForm::Steps,
                ScriptForm::Sh => ManifestForm::Sh,
            },
            payload: PayloadStamp::of(&bytes, kind),
            timeout_s,
            caps: JobCaps::default(),
            net: JobNetwork::of(facts),
            raw,
            sandbox_min: if raw {
                SandboxLevel::Systemd
            } else {
                SandboxLevel::Bubblewrap
            },
            policy: PolicyStamp {
                hash: Sha256Hex::new(&report.policy_hash)?,
                version: report.policy_version,
            },
            risk: RiskStamp::of(report),
            bytes,
        })
    }

    /// SHA-256 of the core, which a card's digest covers.
    pub fn digest(&self) -> Sha256Hex {
        // The order of the fields is that of the type, so the same core has the same bytes.
        let bytes = serde_json::to_vec(self).unwrap_or_default();
        Sha256Hex::digest(&bytes)
    }

    /// The manifest of one package with this core.
    pub fn manifest(&self, issued: IssuedParts) -> JobManifest {
        JobManifest {
            v: MANIFEST_VERSION,
            job: issued.job,
            device: self.device.clone(),
            device_key: self.device_key.clone(),
            site: self.site.clone(),
            seq: issued.seq,
            nonce: issued.nonce,
            issued: issued.issued,
            not_before: issued.issued,
            expires: issued.expires,
            form: self.form,
            interpreter: match self.form {
                ManifestForm::Steps => None,
                ManifestForm::Sh => Some("/bin/sh".to_owned()),
            },
            payload: self.payload.clone(),
            args: Vec::new(),
            env: BTreeMap::new(),
            workdir: WORKDIR.to_owned(),
            timeout_s: self.timeout_s,
            claim_until: issued.claim_until,
            caps: self.caps,
            net: self.net.clone(),
            raw: self.raw,
            sandbox_min: self.sandbox_min,
            policy: self.policy.clone(),
            risk: self.risk.clone(),
            approval: ApprovalStamp {
                digest: issued.approval_digest,
                by: issued.approved_by,
                at: issued.approved_at,
            },
            server: issued.server,
        }
    }

    pub fn device(&self) -> &str {
        self.device.as_str()
    }

    pub fn device_key(&self) -> &str {
        self.device_key.as_str()
    }

    pub fn site(&self) -> &str {
        self.site.as_str()
    }

    pub fn form(&self) -> ManifestForm {
        self.form
    }

    /// The bytes that run, with real values.
    pub fn payload(&self) -> &[u8] {
        &self.bytes
    }

    /// SHA-256 of the payload.
    pub fn payload_digest(&self) -> &str {
        self.payload.sha256.as_str()
    }

    pub fn timeout_s(&self) -> u32 {
        self.timeout_s
    }

    pub fn caps(&self) -> JobCaps {
        self.caps
    }

    pub fn network(&self) -> &JobNetwork {
        &self.net
    }

    pub fn is_raw(&self) -> bool {
        self.raw
    }

    pub fn sandbox_min(&self) -> SandboxLevel {
        self.sandbox_min
    }

    pub fn policy(&self) -> &PolicyStamp {
        &self.policy
    }

    pub fn risk(&self) -> &RiskStamp {
        &self.risk
    }
}
