//! The device's checks of a package, in their order.
//!
//! Size, signature, type, form, device and key, time, number and nonce, payload, sandbox, the
//! device's own veto, the claim. A package that passes may ask the server to start; it does not start.

mod refusal;

use crate::{
    abilities::SandboxAbilities,
    clock::{ClockFault, DeviceClock},
    envelope::EnvelopeRefusal,
    ids::{DeviceId, Fingerprint, JobId, Sha256Hex, SiteId},
    levels::SandboxLevel,
    manifest::{JobManifest, JobNetwork, MANIFEST_TYPE, ManifestForm},
    package::SignedPackage,
    policy::{DeviceVeto, ScriptFacts, ScriptSurroundings},
    root::TrustedRoot,
    script::{FreeScript, ProbeScript, StepsPayload},
    sequence::SeenPackages,
};

pub use self::refusal::AdmissionRefusal;

/// A device's own facts and memory.
#[derive(Debug, Clone, Copy)]
pub struct DeviceView<'a> {
    pub device: &'a DeviceId,
    /// The fingerprint of its key.
    pub key: &'a Fingerprint,
    pub site: &'a SiteId,
    /// Name of the server that it was enrolled with.
    pub server: &'a str,
    pub root: &'a TrustedRoot,
    pub seen: &'a SeenPackages,
    pub abilities: &'a SandboxAbilities,
    pub veto: &'a DeviceVeto,
    pub clock: DeviceClock,
}

/// The claim that the package came as an answer to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimedJob {
    pub job: JobId,
    /// SHA-256 of the package, as the server's answer to the claim named it.
    pub package: Sha256Hex,
}

/// A package that the device may ask to start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdmittedJob {
    pub manifest: JobManifest,
    pub payload: AdmittedPayload,
    /// The sandbox that it runs in.
    pub sandbox: SandboxLevel,
    /// Keys that signed it, whose numbers the device remembers.
    pub signers: std::collections::BTreeSet<Fingerprint>,
    /// The time that it was checked at.
    pub at: u64,
    /// The device's own clock is wrong, which its owner has to know.
    pub clock: Option<ClockFault>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AdmittedPayload {
    Steps(ProbeScript),
    /// For the interpreter of the manifest.
    Sh(FreeScript),
}

/// Checks a package.
///
/// # Errors
/// The first check that fails, with its code.
pub fn admit(
    bytes: &[u8],
    device: &DeviceView<'_>,
    claim: &ClaimedJob,
) -> Result<AdmittedJob, AdmissionRefusal> {
    // Size and form of what is around the signature, then the signature, then the type.
    let package = SignedPackage::read(bytes)?;
    let root = device.root;
    let verified = package
        .manifest
        .verify(MANIFEST_TYPE, root.job_keys(), root.job_threshold())?;
    // Exactly the bytes that were verified.
    let manifest = JobManifest::read(&verified.document)?;
    is_for(&manifest, device)?;
    let time = device.clock.time().map_err(AdmissionRefusal::Clock)?;
    in_time(&manifest, root, time.now, time.fault)?;
    device
        .seen
        .check(&verified.signers, manifest.seq, &manifest.nonce)
        .map_err(AdmissionRefusal::Seen)?;
    let payload = read_payload(&package, &manifest)?;
    let facts = check_payload(&manifest, &payload)?;
    let sandbox = device
        .abilities
        .choose(&manifest)
        .map_err(|field| AdmissionRefusal::Sandbox { field })?;
    let script = match &payload {
        AdmittedPayload::Steps(script) => Some(script),
        AdmittedPayload::Sh(_) => None,
    };
    device.veto.check(&facts, script, manifest.risk.level)?;
    if claim.job != manifest.job || claim.package != Sha256Hex::digest(bytes) {
        return Err(AdmissionRefusal::Claim);
    }
    Ok(AdmittedJob {
        manifest,
        payload,
        sandbox,
        signers: verified.signers,
        at: time.now,
        clock: time.fault,
    })
}

fn is_for(manifest: &JobManifest, device: &DeviceView<'_>) -> Result<(), AdmissionRefusal> {
    for (same, field) in [
        (manifest.device == *device.device, "device"),
        (manifest.device_key == *device.key, "device_key"),
        (manifest.site == *device.site, "site"),
        (manifest.server == device.server, "server"),
    ] {
        if !same {
            return Err(AdmissionRefusal::Device { field });
        }
    }
    Ok(())
}

fn in_time(
    manifest: &JobManifest,
    root: &TrustedRoot,
    now: u64,
    clock: Option<ClockFault>,
) -> Result<(), AdmissionRefusal> {
    if now >= root.expires() {
        return Err(AdmissionRefusal::RootExpired { clock });
    }
    if now < manifest.not_before {
        return Err(AdmissionRefusal::NotYet { clock });
    }
    if now >= manifest.expires || now > manifest.claim_until {
        return Err(AdmissionRefusal::Expired { clock });
    }
    Ok(())
}

fn read_payload(
    package: &SignedPackage,
    manifest: &JobManifest,
) -> Result<AdmittedPayload, AdmissionRefusal> {
    let bytes = package
        .payload()
        .ok_or(AdmissionRefusal::Envelope(EnvelopeRefusal::Base64))?;
    let same = bytes.len() as u64 == manifest.payload.bytes
        && Sha256Hex::digest(&bytes) == manifest.payload.sha256;
    if !same {
        return Err(AdmissionRefusal::PayloadDigest);
    }
    Ok(match manifest.form {
        ManifestForm::Steps => AdmittedPayload::Steps(StepsPayload::read(&bytes)?),
        ManifestForm::Sh => {
            let text = std::str::from_utf8(&bytes).map_err(|_| AdmissionRefusal::PayloadText)?;
            // The manifest's check demands two names.
            let author = manifest.approval.by.first().cloned().unwrap_or_default();
            AdmittedPayload::Sh(FreeScript::by_person(text, &author)?)
        }
    })
}

/// Compares the manifest with the facts of its payload: a manifest that says less than the script does
/// would be a weaker sandbox.
fn check_payload(
    manifest: &JobManifest,
    payload: &AdmittedPayload,
) -> Result<ScriptFacts, AdmissionRefusal> {
    let facts = match payload {
        AdmittedPayload::Steps(script) => {
            ScriptFacts::of_steps(script, &ScriptSurroundings::default())
        }
        AdmittedPayload::Sh(script) => ScriptFacts::of_free(script, manifest.timeout_s),
    };
    let needed = JobNetwork::of(&facts);
    for (holds, field) in [
        (manifest.raw != facts.raw.is_empty(), "raw"),
        (manifest.timeout_s >= facts.seconds, "timeout_s"),
        (manifest.net.class >= needed.class, "net.class"),
        (
            manifest.net.destinations.is_superset(&needed.destinations),
            "net.destinations",
        ),
        (
            manifest.net.protocols.is_superset(&needed.protocols),
            "net.protocols",
        ),
    ] {
        if !holds {
            return Err(AdmissionRefusal::Contradiction { field });
        }
    }
    Ok(facts)
}
