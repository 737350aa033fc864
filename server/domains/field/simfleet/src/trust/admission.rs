//! The device's checks of a package, in the order of the format's description.

use serde::Deserialize;

use super::envelope::{EnvelopeFault, SealedDocument};
use super::keys::{base64_bytes, sha256_hex};
use super::manifest::{MANIFEST_KIND, ReadManifest};
use super::members::{self, MemberFault};
use super::root::DeviceRoot;
use crate::step::OfficeStep;

/// Largest package in bytes.
pub(crate) const MAX_PACKAGE: usize = 128 * 1024;
/// Steps of a job at most.
const MAX_STEPS: usize = 20;

/// A package that the device may ask to start.
#[derive(Clone, Debug)]
pub(crate) struct AdmittedPackage {
    pub(crate) manifest: ReadManifest,
    pub(crate) steps: Vec<OfficeStep>,
    pub(crate) stop_on_failure: bool,
    pub(crate) signers: Vec<String>,
}

/// The first check that failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PackageFault {
    #[error(transparent)]
    Form(#[from] MemberFault),
    #[error(transparent)]
    Envelope(#[from] EnvelopeFault),
    #[error("the manifest: {0}")]
    Manifest(MemberFault),
    #[error("for another {0}")]
    Other(&'static str),
    #[error("not to be used before {not_before}, and it is {now}")]
    NotYet { not_before: u64, now: u64 },
    #[error("expired at {expires}, and it is {now}")]
    Expired { expires: u64, now: u64 },
    #[error("a number or nonce that was here before")]
    Seen,
    #[error("the payload is not the one of the manifest")]
    PayloadDigest,
    #[error("the payload is no list of steps: {0}")]
    Payload(String),
    #[error("no sandbox here enforces {0}")]
    Sandbox(&'static str),
    #[error("another package than the claim named")]
    Claim,
}

impl PackageFault {
    /// Stable code, sent with the refusal.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::Form(MemberFault::TooLarge { .. }) => "package_too_large",
            Self::Form(_) => "package_form",
            Self::Envelope(EnvelopeFault::Type) => "package_type",
            Self::Envelope(EnvelopeFault::Base64) => "package_base64",
            Self::Envelope(EnvelopeFault::Threshold { .. }) => "key_threshold",
            Self::Envelope(_) => "signature",
            Self::Manifest(_) => "manifest_field",
            Self::Other(_) => "other_device",
            Self::NotYet { .. } => "not_yet",
            Self::Expired { .. } => "expired",
            Self::Seen => "replayed",
            Self::PayloadDigest => "payload_digest",
            Self::Payload(_) => "payload_form",
            Self::Sandbox(_) => "sandbox",
            Self::Claim => "other_claim",
        }
    }
}

/// The device that checks: who it is and what it has seen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CheckingDevice<'a> {
    pub(crate) device: &'a str,
    pub(crate) key: &'a str,
    pub(crate) site: &'a str,
    pub(crate) server: &'a str,
    pub(crate) root: &'a DeviceRoot,
    /// Seconds since 1970, by the server where the device has heard of it.
    pub(crate) now: u64,
    /// True for a number of a signing key, or a nonce, that was here before.
    pub(crate) seen: &'a dyn PackageMemory,
}

/// Numbers and nonces of packages that were here before.
pub(crate) trait PackageMemory: std::fmt::Debug {
    fn has_seen(&self, signers: &[String], seq: u64, nonce: &str) -> bool;
}

/// Checks the bytes of a package against the claim that it answers.
pub(crate) fn admit(
    bytes: &[u8],
    device: CheckingDevice<'_>,
    job: &str,
    sha256: &str,
) -> Result<AdmittedPackage, PackageFault> {
    let mut package = members::document(bytes, MAX_PACKAGE)?;
    let envelope = SealedDocument::of(package.object("manifest")?)?;
    let payload = package.text("payload")?;
    package.end()?;
    let root = device.root;
    let signed = envelope.verified(MANIFEST_KIND, root.job_keys(), root.job_threshold())?;
    let manifest = ReadManifest::read(&signed.bytes).map_err(PackageFault::Manifest)?;
    for (same, what) in [
        (manifest.device == device.device, "device"),
        (manifest.device_key == device.key, "key"),
        (manifest.site == device.site, "site"),
        (manifest.server == device.server, "server"),
    ] {
        if !same {
            return Err(PackageFault::Other(what));
        }
    }
    let now = device.now;
    let expires = manifest.expires.min(manifest.claim_until).min(root.expires);
    if now < manifest.not_before {
        let not_before = manifest.not_before;
        return Err(PackageFault::NotYet { not_before, now });
    }
    if now > expires {
        return Err(PackageFault::Expired { expires, now });
    }
    if device
        .seen
        .has_seen(&signed.signers, manifest.seq, &manifest.nonce)
    {
        return Err(PackageFault::Seen);
    }
    let payload = base64_bytes(&payload).ok_or(EnvelopeFault::Base64)?;
    let same = payload.len() as u64 == manifest.payload_bytes
        && sha256_hex(&payload) == manifest.payload_sha256;
    if !same {
        return Err(PackageFault::PayloadDigest);
    }
    if !manifest.steps {
        // It has no shell to begin with.
        return Err(PackageFault::Sandbox("form"));
    }
    let list = steps(&payload)?;
    if !["bubblewrap", "systemd"].contains(&manifest.sandbox_min.as_str()) {
        return Err(PackageFault::Sandbox("sandbox_min"));
    }
    if list.steps.iter().any(|it| it.run.is_raw()) && !manifest.raw {
        return Err(PackageFault::Sandbox("raw"));
    }
    if manifest.job != job || sha256_hex(bytes) != sha256 {
        return Err(PackageFault::Claim);
    }
    Ok(AdmittedPackage {
        manifest,
        steps: list.steps,
        stop_on_failure: list.stop_on_failure,
        signers: signed.signers,
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StepList {
    steps: Vec<OfficeStep>,
    stop_on_failure: bool,
}

fn steps(payload: &[u8]) -> Result<StepList, PackageFault> {
    let list: StepList = serde_json::from_slice(payload)
        .map_err(|error| PackageFault::Payload(error.to_string()))?;
    if !(1..=MAX_STEPS).contains(&list.steps.len()) {
        return Err(PackageFault::Payload("none or too many steps".to_owned()));
    }
    let faults = list.steps.iter().enumerate();
    let fault = faults
        .filter_map(|(at, step)| Some((at, step.fault()?)))
        .next();
    match fault {
        Some((at, slot)) => Err(PackageFault::Payload(format!("step {}: {slot}", at + 1))),
        None => Ok(list),
    }
}
