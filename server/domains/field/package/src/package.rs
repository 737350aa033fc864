//! The signed package: a manifest in its envelope, and the payload beside it.

use serde::{Deserialize, Serialize};

use crate::{
    envelope::{SignedEnvelope, from_base64, to_base64},
    keys::SigningPair,
    manifest::{JobManifest, MANIFEST_TYPE},
    strict::{self, StrictError},
};

/// Largest package in bytes: the payload and the manifest in base64, and the signatures.
pub const MAX_PACKAGE: usize = 128 * 1024;

/// A package as it travels and is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignedPackage {
    pub manifest: SignedEnvelope,
    /// In base64. The manifest has its digest.
    payload: String,
}

impl SignedPackage {
    /// Signs a manifest. The payload is the one that the manifest was made for.
    pub fn sign(manifest: &JobManifest, payload: &[u8], keys: &[&SigningPair]) -> Self {
        Self {
            manifest: SignedEnvelope::sign(MANIFEST_TYPE, &manifest.bytes(), keys),
            payload: to_base64(payload),
        }
    }

    /// The bytes that travel.
    pub fn bytes(&self) -> Vec<u8> {
        strict::write(self)
    }

    /// Reads a package. Nothing of it is verified yet.
    ///
    /// # Errors
    /// If it is too large, or not in its one form.
    pub fn read(bytes: &[u8]) -> Result<Self, StrictError> {
        strict::read(bytes, MAX_PACKAGE)
    }

    /// The bytes of the payload, None for another base64 than ours.
    pub fn payload(&self) -> Option<Vec<u8>> {
        from_base64(&self.payload)
    }
}
