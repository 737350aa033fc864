//! Signed documents for tests: root documents and packages, made by hand.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use ed25519_dalek::{Signer as _, SigningKey};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::START;

pub(crate) const DEVICE: &str = "dev_00000000000000000000000001";
pub(crate) const JOB: &str = "run_00000000000000000000000001";
pub(crate) const SITE: &str = "nordlicht";
pub(crate) const SERVER: &str = "test-server";
pub(crate) const JOB_KIND: &str = "application/vnd.jarvis.job+json";
pub(crate) const ROOT_KIND: &str = "application/vnd.jarvis.root+json";

pub(crate) fn key(seed: u8) -> SigningKey {
    SigningKey::from_bytes(&[seed; 32])
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|it| format!("{it:02x}")).collect()
}

pub(crate) fn digest(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

pub(crate) fn fingerprint(key: &SigningKey) -> String {
    digest(key.verifying_key().as_bytes())
}

pub(crate) fn base64(bytes: &[u8]) -> String {
    BASE64_STANDARD.encode(bytes)
}

pub(crate) fn from_base64(text: &str) -> Vec<u8> {
    BASE64_STANDARD.decode(text).unwrap()
}

/// The bytes of the signature scheme, written down once more.
pub(crate) fn to_sign(kind: &str, body: &[u8]) -> Vec<u8> {
    let mut bytes = format!("DSSEv1 {} {kind} {} ", kind.len(), body.len()).into_bytes();
    bytes.extend_from_slice(body);
    bytes
}

pub(crate) fn envelope(kind: &str, body: &[u8], keys: &[&SigningKey]) -> Value {
    let signatures = keys.iter().map(|key| {
        let sig = base64(&key.sign(&to_sign(kind, body)).to_bytes());
        json!({ "keyid": fingerprint(key), "sig": sig })
    });
    let signatures: Vec<_> = signatures.collect();
    json!({ "payload": base64(body), "payloadType": kind, "signatures": signatures })
}

/// A root document with one key for each role.
pub(crate) fn root(version: u64, root: &SigningKey, job: &SigningKey) -> Value {
    let role =
        |key: &SigningKey| json!({ "keys": [hex(key.verifying_key().as_bytes())], "threshold": 1 });
    json!({
        "version": version, "expires": START + 90 * 86_400,
        "root": role(root), "job": role(job), "update": role(root), "revoked": [],
    })
}

/// A package in the making.
#[derive(Clone)]
pub(crate) struct PackageDraft {
    pub(crate) manifest: Value,
    pub(crate) payload: Vec<u8>,
    pub(crate) kind: &'static str,
    pub(crate) key: SigningKey,
}

impl PackageDraft {
    /// A package of these steps for a device with this key.
    pub(crate) fn new(device_key: &str, steps: &Value) -> Self {
        let payload = json!({ "steps": steps, "stop_on_failure": false }).to_string();
        let mut draft = Self {
            manifest: manifest(device_key),
            payload: payload.into_bytes(),
            kind: JOB_KIND,
            key: key(2),
        };
        draft.stamp();
        draft
    }

    /// Writes the digest of the payload into the manifest.
    pub(crate) fn stamp(&mut self) {
        self.manifest["payload"]["sha256"] = digest(&self.payload).into();
        self.manifest["payload"]["bytes"] = self.payload.len().into();
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.bytes_of(self.manifest.to_string().as_bytes())
    }

    /// A package with these bytes as its manifest.
    pub(crate) fn bytes_of(&self, manifest: &[u8]) -> Vec<u8> {
        let envelope = envelope(self.kind, manifest, &[&self.key]);
        let package = json!({ "manifest": envelope, "payload": base64(&self.payload) });
        package.to_string().into_bytes()
    }
}

fn manifest(device_key: &str) -> Value {
    json!({
        "v": 1, "job": JOB, "device": DEVICE, "device_key": device_key, "site": SITE, "seq": 1,
        "nonce": "0123456789abcdef0123456789abcdef", "issued": START - 20, "not_before": START - 20,
        "expires": START + 3600, "form": "steps", "interpreter": null,
        "payload": { "sha256": "", "bytes": 0, "type": "application/vnd.jarvis.steps+json" },
        "args": [], "env": {}, "workdir": "/job", "timeout_s": 120, "claim_until": START + 600,
        "caps": {
            "cpu_pct": 50, "memory": 67_108_864, "tasks": 32, "workspace": 16_777_216,
            "output": 1_048_576, "file": 8_388_608, "procs": 32,
        },
        "net": { "class": "listed", "destinations": ["192.168.41.1"], "protocols": ["arp", "icmp"] },
        "raw": true, "sandbox_min": "systemd",
        "policy": { "hash": "11".repeat(32), "version": 1 },
        "risk": { "level": "medium", "reasons": [{ "rule": "raw", "weight": 3 }] },
        "approval": { "digest": "22".repeat(32), "by": ["anna"], "at": START - 30 },
        "server": SERVER,
    })
}
