//! The root document: which keys may sign what, and how it changes hands.
//!
//! A device begins with the fingerprint of a root key, from its enrolment, and trusts nothing on
//! first use. Each later version is signed by enough keys of the version before it and by enough of
//! its own. A device never goes back, and a revoked key stays revoked.

mod draft;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::{
    envelope::{EnvelopeRefusal, SignedEnvelope},
    ids::Fingerprint,
    keys::{PublicSigningKey, SigningPair},
    strict::{self, StrictError},
    texts,
};

pub use self::draft::{RootChange, RootDraft};

/// Type of a root document.
pub const ROOT_TYPE: &str = "application/vnd.jarvis.root+json";
/// Largest root document, and largest envelope of one, in bytes.
const MAX_ROOT: usize = 16 * 1024;
/// Keys of a role at most.
const MAX_KEYS: usize = 8;

/// The document as it is signed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RootDocument {
    pub version: u64,
    /// Seconds since 1970.
    pub expires: u64,
    /// Signs the next root document.
    pub root: RoleKeys,
    /// Signs packages.
    pub job: RoleKeys,
    /// Signs versions of the runner.
    pub update: RoleKeys,
    /// Keys that count for nothing, whatever role names them.
    pub revoked: BTreeSet<Fingerprint>,
}

/// The keys of a role, and the number of them that has to sign.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoleKeys {
    /// In hex, in ascending order.
    pub keys: BTreeSet<String>,
    pub threshold: usize,
}

/// A root document whose signatures were verified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrustedRoot {
    document: RootDocument,
    root: Vec<PublicSigningKey>,
    job: Vec<PublicSigningKey>,
    update: Vec<PublicSigningKey>,
}

/// Reason that a root document is not accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RootRefusal {
    #[error(transparent)]
    Form(#[from] StrictError),
    #[error(transparent)]
    Envelope(#[from] EnvelopeRefusal),
    #[error("{}", texts::keys::root_keys(role))]
    Keys { role: &'static str },
    #[error("{}", texts::keys::ROOT_UNKNOWN)]
    Unknown,
    #[error("{}", texts::keys::ROOT_ROLLED_BACK)]
    RolledBack,
    #[error("{}", texts::keys::ROOT_GAP)]
    Gap,
    #[error("{}", texts::keys::ROOT_RESTORED)]
    Restored,
}

impl RootDocument {
    /// Signs the document and returns the bytes of its envelope.
    pub fn sign(&self, keys: &[&SigningPair]) -> Vec<u8> {
        strict::write(&SignedEnvelope::sign(ROOT_TYPE, &strict::write(self), keys))
    }
}

impl TrustedRoot {
    /// The first root document of a device. Its enrolment gives the fingerprint of one root key.
    ///
    /// # Errors
    /// If the document is not signed by enough of its own root keys, that one among them.
    pub fn enrol(envelope: &[u8], root_key: &Fingerprint) -> Result<Self, RootRefusal> {
        let (envelope, claimed) = claimed(envelope)?;
        let own = usable(&claimed.root, &claimed.revoked, "root")?;
        let verified = envelope.verify(ROOT_TYPE, &own, claimed.root.threshold)?;
        if !verified.signers.contains(root_key) {
            return Err(RootRefusal::Unknown);
        }
        Self::of(claimed)
    }

    /// The document that follows this one.
    ///
    /// # Errors
    /// If it is not the next version, or not signed by enough root keys of both.
    pub fn rotate(&self, envelope: &[u8]) -> Result<Self, RootRefusal> {
        let (envelope, claimed) = claimed(envelope)?;
        let own = usable(&claimed.root, &claimed.revoked, "root")?;
        let mut both = self.root.clone();
        both.extend(own.iter().filter(|key| !self.root.contains(key)).cloned());
        let verified = envelope.verify(ROOT_TYPE, &both, 1)?;
        for (keys, threshold) in [
            (&self.root, self.document.root.threshold),
            (&own, claimed.root.threshold),
        ] {
            let signed = keys
                .iter()
                .filter(|key| verified.signers.contains(&key.fingerprint()))
                .count();
            if signed < threshold {
                return Err(EnvelopeRefusal::Threshold { signed, threshold }.into());
            }
        }
        if claimed.version <= self.document.version {
            return Err(RootRefusal::RolledBack);
        }
        if claimed.version != self.document.version + 1 {
            return Err(RootRefusal::Gap);
        }
        if !claimed.revoked.is_superset(&self.document.revoked) {
            return Err(RootRefusal::Restored);
        }
        Self::of(claimed)
    }

    /// The envelope of this document with the signatures of its own root keys alone: a device that
    /// enrols knows no version before it, and takes no signature of a key that it cannot check.
    ///
    /// # Errors
    /// If the bytes are no envelope of a root document.
    pub fn for_enrolment(&self, envelope: &[u8]) -> Result<Vec<u8>, RootRefusal> {
        let (mut envelope, _) = claimed(envelope)?;
        envelope.keep_signatures(&self.root);
        Ok(strict::write(&envelope))
    }

    pub fn version(&self) -> u64 {
        self.document.version
    }

    /// Seconds since 1970.
    pub fn expires(&self) -> u64 {
        self.document.expires
    }

    pub fn document(&self) -> &RootDocument {
        &self.document
    }

    /// Keys that sign the next root document, without the revoked ones.
    pub fn root_keys(&self) -> &[PublicSigningKey] {
        &self.root
    }

    /// Keys that sign packages, without the revoked ones.
    pub fn job_keys(&self) -> &[PublicSigningKey] {
        &self.job
    }

    pub fn job_threshold(&self) -> usize {
        self.document.job.threshold
    }

    /// Keys that sign versions of the runner, without the revoked ones.
    pub fn update_keys(&self) -> &[PublicSigningKey] {
        &self.update
    }

    pub fn update_threshold(&self) -> usize {
        self.document.update.threshold
    }

    fn of(document: RootDocument) -> Result<Self, RootRefusal> {
        let keys = |role, name| usable(role, &document.revoked, name);
        let (root, job) = (keys(&document.root, "root")?, keys(&document.job, "job")?);
        let update = keys(&document.update, "update")?;
        Ok(Self {
            root,
            job,
            update,
            document,
        })
    }
}

/// The document that an envelope claims to hold. Nothing of it counts before the signatures do: it
/// says whose signatures to look for.
fn claimed(envelope: &[u8]) -> Result<(SignedEnvelope, RootDocument), RootRefusal> {
    let envelope: SignedEnvelope = strict::read(envelope, MAX_ROOT * 2)?;
    let document = envelope.unverified().ok_or(EnvelopeRefusal::Base64)?;
    let document = strict::read(&document, MAX_ROOT)?;
    Ok((envelope, document))
}

/// The keys of a role without the revoked ones, if enough of them are left.
fn usable(
    role: &RoleKeys,
    revoked: &BTreeSet<Fingerprint>,
    name: &'static str,
) -> Result<Vec<PublicSigningKey>, RootRefusal> {
    let refusal = RootRefusal::Keys { role: name };
    let mut keys = Vec::new();
    for text in &role.keys {
        let key = PublicSigningKey::from_hex(text).map_err(|_| refusal.clone())?;
        if !revoked.contains(&key.fingerprint()) {
            keys.push(key);
        }
    }
    let reachable = (1..=keys.len()).contains(&role.threshold);
    if role.keys.len() > MAX_KEYS || !reachable {
        return Err(refusal);
    }
    Ok(keys)
}

#[cfg(test)]
mod tests;
