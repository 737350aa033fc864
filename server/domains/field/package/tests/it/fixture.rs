//! One device, its keys, and a good package for it.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

use field_package::{
    abilities::{LevelAbilities, MemoryLimit, SandboxAbilities},
    admission::{AdmissionRefusal, AdmittedJob, ClaimedJob, DeviceView, admit},
    clock::DeviceClock,
    ids::{DeviceId, Fingerprint, JobId, PackageNonce, Sha256Hex, SiteId},
    keys::SigningPair,
    levels::SandboxLevel,
    manifest::{
        ApprovalStamp, JobCaps, JobManifest, JobNetwork, MANIFEST_TYPE, ManifestForm, PayloadStamp,
        PolicyStamp, RiskStamp,
    },
    package::SignedPackage,
    policy::{
        DeviceVeto, FieldPolicy, PolicySettings, RiskReport, ScriptFacts, ScriptSurroundings,
    },
    root::{RoleKeys, RootDocument, TrustedRoot},
    script::{ProbeScript, STEPS_TYPE, StepsPayload},
    sequence::SeenPackages,
};
use serde_json::Value;

pub(crate) const NOW: u64 = 1_790_000_000;
pub(crate) const SERVER: &str = "jarvis.example";
/// Seeds of keys: the root's, two for jobs, one for updates, the device's own, and nobody's.
pub(crate) const ROOT: u8 = 1;
pub(crate) const JOB: u8 = 11;
pub(crate) const OTHER_JOB: u8 = 12;
pub(crate) const UPDATE: u8 = 21;
pub(crate) const DEVICE: u8 = 31;
pub(crate) const NOBODY: u8 = 99;

pub(crate) struct Fixture {
    pub(crate) device: DeviceId,
    pub(crate) key: Fingerprint,
    pub(crate) site: SiteId,
    pub(crate) root: TrustedRoot,
    pub(crate) seen: SeenPackages,
    pub(crate) abilities: SandboxAbilities,
    pub(crate) veto: DeviceVeto,
    pub(crate) clock: DeviceClock,
}

pub(crate) fn pair(seed: u8) -> SigningPair {
    SigningPair::from_seed(&[seed; 32])
}

pub(crate) fn role(seeds: &[u8], threshold: usize) -> RoleKeys {
    let keys = seeds
        .iter()
        .map(|seed| pair(*seed).public().unwrap().to_hex());
    RoleKeys {
        keys: keys.collect(),
        threshold,
    }
}

pub(crate) fn root_document(version: u64, threshold: usize) -> RootDocument {
    RootDocument {
        version,
        expires: NOW + 1_000_000,
        root: role(&[ROOT], 1),
        job: role(&[JOB, OTHER_JOB], threshold),
        update: role(&[UPDATE], 1),
        revoked: BTreeSet::new(),
    }
}

pub(crate) fn enrolled(document: &RootDocument) -> TrustedRoot {
    let bytes = document.sign(&[&pair(ROOT)]);
    TrustedRoot::enrol(&bytes, &pair(ROOT).fingerprint()).unwrap()
}

pub(crate) fn all_abilities() -> LevelAbilities {
    LevelAbilities {
        memory: MemoryLimit::Controller,
        cpu: true,
        tasks: true,
        workspace: true,
        no_network: true,
        listed_network: true,
        raw: false,
    }
}

impl Fixture {
    pub(crate) fn new() -> Self {
        let systemd = LevelAbilities {
            raw: true,
            ..all_abilities()
        };
        Self {
            device: DeviceId::new("dev_01jx0000000000000000000001").unwrap(),
            key: pair(DEVICE).fingerprint(),
            site: SiteId::new("nordlicht").unwrap(),
            root: enrolled(&root_document(1, 1)),
            seen: SeenPackages::default(),
            abilities: SandboxAbilities {
                levels: BTreeMap::from([
                    (SandboxLevel::Bubblewrap, all_abilities()),
                    (SandboxLevel::Systemd, systemd),
                ]),
            },
            veto: DeviceVeto::default(),
            clock: at(NOW),
        }
    }

    /// Checks a package that came as the answer to a claim of this job, whatever its bytes are: the digest
    /// in the answer is no defence against whoever made the answer.
    pub(crate) fn admit(&self, bytes: &[u8]) -> Result<AdmittedJob, AdmissionRefusal> {
        let claim = ClaimedJob {
            job: job(),
            package: Sha256Hex::digest(bytes),
        };
        self.admit_as(bytes, &claim)
    }

    pub(crate) fn admit_as(
        &self,
        bytes: &[u8],
        claim: &ClaimedJob,
    ) -> Result<AdmittedJob, AdmissionRefusal> {
        let view = DeviceView {
            device: &self.device,
            key: &self.key,
            site: &self.site,
            server: SERVER,
            root: &self.root,
            seen: &self.seen,
            abilities: &self.abilities,
            veto: &self.veto,
            clock: self.clock,
        };
        admit(bytes, &view, claim)
    }

    /// The manifest for a script, valid from 100 s ago for an hour.
    pub(crate) fn manifest(&self, script: &ProbeScript) -> JobManifest {
        let around = ScriptSurroundings::default();
        let facts = ScriptFacts::of_steps(script, &around);
        let policy = FieldPolicy::new(&PolicySettings::default()).unwrap();
        let report = RiskReport::new(&facts, &around, &policy);
        let raw = !facts.raw.is_empty();
        JobManifest {
            v: 1,
            job: job(),
            device: self.device.clone(),
            device_key: self.key.clone(),
            site: self.site.clone(),
            seq: 51,
            nonce: nonce(7),
            issued: NOW - 100,
            not_before: NOW - 100,
            expires: NOW + 3600,
            form: ManifestForm::Steps,
            interpreter: None,
            payload: PayloadStamp::of(&StepsPayload::bytes(script), STEPS_TYPE),
            args: Vec::new(),
            env: BTreeMap::new(),
            workdir: "/job".to_owned(),
            timeout_s: script.seconds() + 10,
            claim_until: NOW + 600,
            caps: JobCaps::default(),
            net: JobNetwork::of(&facts),
            raw,
            sandbox_min: if raw {
                SandboxLevel::Systemd
            } else {
                SandboxLevel::Bubblewrap
            },
            policy: PolicyStamp {
                hash: Sha256Hex::new(&report.policy_hash).unwrap(),
                version: report.policy_version,
            },
            risk: RiskStamp::of(&report),
            approval: ApprovalStamp {
                digest: Sha256Hex::digest(b"what was shown"),
                by: BTreeSet::from(["anna".to_owned(), "ben".to_owned()]),
                at: NOW - 150,
            },
            server: SERVER.to_owned(),
        }
    }

    /// A good package: manifest and payload.
    pub(crate) fn good(&self) -> (JobManifest, Vec<u8>) {
        let script = script(1);
        (self.manifest(&script), StepsPayload::bytes(&script))
    }
}

pub(crate) fn at(now: u64) -> DeviceClock {
    DeviceClock {
        wall: now,
        floor: NOW - 5_000,
        server: Some(now),
    }
}

pub(crate) fn job() -> JobId {
    JobId::new("run_01jx00000000000000000000ab").unwrap()
}

pub(crate) fn nonce(number: u64) -> PackageNonce {
    PackageNonce::new(&format!("{number:032x}")).unwrap()
}

/// A small script, another one for each number.
pub(crate) fn script(number: u32) -> ProbeScript {
    let json = format!(
        r#"[{{"run":"ping","target":"192.0.2.{}"}},{{"run":"links"}},{{"run":"wait","seconds":{}}}]"#,
        number % 250,
        number % 7 + 1,
    );
    ProbeScript::new(&serde_json::from_str::<Vec<_>>(&json).unwrap(), true).unwrap()
}

pub(crate) fn signed(manifest: &JobManifest, payload: &[u8], seeds: &[u8]) -> Vec<u8> {
    let pairs: Vec<_> = seeds.iter().map(|seed| pair(*seed)).collect();
    SignedPackage::sign(manifest, payload, &pairs.iter().collect::<Vec<_>>()).bytes()
}

/// A package whose manifest is any bytes, signed as the given type.
pub(crate) fn signed_bytes(kind: &str, manifest: &[u8], payload: &[u8], seeds: &[u8]) -> Vec<u8> {
    // Any manifest will do: its envelope is replaced.
    static ANY: LazyLock<JobManifest> = LazyLock::new(|| Fixture::new().good().0);
    let pairs: Vec<_> = seeds.iter().map(|seed| pair(*seed)).collect();
    let envelope = field_package::envelope::SignedEnvelope::sign(
        kind,
        manifest,
        &pairs.iter().collect::<Vec<_>>(),
    );
    let mut package = SignedPackage::sign(&ANY, payload, &[]);
    package.manifest = envelope;
    package.bytes()
}

/// The package with a manifest whose text was changed, and signed again by a key for jobs.
pub(crate) fn retold(text: &str, payload: &[u8]) -> Vec<u8> {
    signed_bytes(MANIFEST_TYPE, text.as_bytes(), payload, &[JOB])
}

/// The manifest with one member set, as JSON.
pub(crate) fn with(manifest: &JobManifest, pointer: &str, value: Value) -> String {
    let mut json: Value = serde_json::to_value(manifest).unwrap();
    *json
        .pointer_mut(pointer)
        .unwrap_or_else(|| panic!("{pointer}")) = value;
    json.to_string()
}

/// Counts refusals, and stops at anything else.
#[derive(Default)]
pub(crate) struct Tally(pub(crate) usize);

impl Tally {
    pub(crate) fn refused(&mut self, fixture: &Fixture, bytes: &[u8], codes: &[&str], about: &str) {
        match fixture.admit(bytes) {
            Ok(_) => panic!("accepted: {about}"),
            Err(refusal) => {
                assert!(
                    codes.contains(&refusal.code()),
                    "{about}: {}, {refusal}",
                    refusal.code()
                );
                self.0 += 1;
            }
        }
    }
}

/// Checks that the untampered package of a class is accepted.
pub(crate) fn control(fixture: &Fixture, bytes: &[u8]) {
    if let Err(refusal) = fixture.admit(bytes) {
        panic!("the control is refused: {refusal}");
    }
}
