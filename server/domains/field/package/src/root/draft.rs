//! A root document on its way: made on the server, signed by one key holder after the other, then
//! published.
//!
//! A draft is the envelope itself with the signatures that it has so far, so it travels as one file,
//! and a key holder needs nothing else to sign it on a machine without a network.

use std::collections::BTreeSet;

use super::{ROOT_TYPE, RoleKeys, RootDocument, RootRefusal, TrustedRoot, claimed};
use crate::{
    envelope::{EnvelopeRefusal, MAX_SIGNATURES, SignedEnvelope},
    ids::{Fingerprint, Sha256Hex},
    keys::SigningPair,
    strict,
};

/// The difference between a root document and the next one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RootChange {
    /// The root keys from now on; without them those of before stay.
    pub root: Option<RoleKeys>,
    /// Keys to revoke, besides those that are revoked already.
    pub revoked: BTreeSet<Fingerprint>,
    /// Seconds since 1970.
    pub expires: u64,
}

/// A root document with the signatures that it has so far. Nothing about it is trusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RootDraft {
    envelope: SignedEnvelope,
    document: RootDocument,
}

impl RootDraft {
    /// The next document after a trusted one, without a signature.
    ///
    /// # Errors
    /// If a role would have no possible keys, or more signatures would be needed than an envelope
    /// holds.
    pub fn after(before: &TrustedRoot, change: &RootChange) -> Result<Self, RootRefusal> {
        let old = before.document();
        let mut revoked = old.revoked.clone();
        revoked.extend(change.revoked.iter().cloned());
        let document = RootDocument {
            version: old.version.saturating_add(1),
            expires: change.expires,
            root: change.root.clone().unwrap_or_else(|| old.root.clone()),
            revoked,
            ..old.clone()
        };
        let next = TrustedRoot::of(document)?;
        let stay = before.root_keys().iter();
        let stay = stay.filter(|key| next.root_keys().contains(key)).count();
        let (least, most) = {
            let (old, new) = (old.root.threshold, next.document().root.threshold);
            (old.min(new), old.saturating_add(new))
        };
        // A key of both versions signs once for the two of them.
        if most - least.min(stay) > MAX_SIGNATURES {
            return Err(EnvelopeRefusal::Signatures.into());
        }
        let document = next.document().clone();
        Ok(Self {
            envelope: SignedEnvelope::sign(ROOT_TYPE, &strict::write(&document), &[]),
            document,
        })
    }

    /// Reads a draft, whoever made it.
    ///
    /// # Errors
    /// If the bytes are no envelope of a root document.
    pub fn read(bytes: &[u8]) -> Result<Self, RootRefusal> {
        let (envelope, document) = claimed(bytes)?;
        if envelope.claimed_type() != ROOT_TYPE {
            return Err(EnvelopeRefusal::Type.into());
        }
        Ok(Self { envelope, document })
    }

    /// Adds the signature of a key.
    ///
    /// # Errors
    /// If the key signed before, or there are too many signatures.
    pub fn sign(&mut self, key: &SigningPair) -> Result<(), RootRefusal> {
        Ok(self.envelope.add(key)?)
    }

    /// The document that the signatures cover.
    pub fn document(&self) -> &RootDocument {
        &self.document
    }

    /// SHA-256 of the document, which key holders compare before they sign.
    pub fn digest(&self) -> Sha256Hex {
        Sha256Hex::digest(&strict::write(&self.document))
    }

    /// The keys that the signatures name, verified by nobody.
    pub fn named_signers(&self) -> BTreeSet<Fingerprint> {
        self.envelope.named_signers().cloned().collect()
    }

    /// The bytes of the envelope.
    pub fn write(&self) -> Vec<u8> {
        strict::write(&self.envelope)
    }
}

#[cfg(test)]
mod tests;
