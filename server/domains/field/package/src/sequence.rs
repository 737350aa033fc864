//! Packages that a device has seen: the highest number of each signing key, and nonces.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::ids::{Fingerprint, PackageNonce};

/// Seconds that a nonce is kept after its package expired.
const KEEP_NONCES: u64 = 24 * 60 * 60;

/// The memory of a device. Numbers are kept for good, one for each key: with a single one a leaked
/// key could count so far ahead that the key which replaces it never gets there.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeenPackages {
    /// Highest number seen, by the fingerprint of the signing key.
    highest: BTreeMap<Fingerprint, u64>,
    /// Nonces, with the expiry of their packages.
    nonces: BTreeMap<PackageNonce, u64>,
}

/// Reason that a package is not a new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeenBefore {
    /// The number is not above the highest of one of its signers.
    Sequence,
    Nonce,
}

impl SeenPackages {
    /// # Errors
    /// If a package with this number or nonce was there before.
    pub fn check(
        &self,
        signers: &BTreeSet<Fingerprint>,
        seq: u64,
        nonce: &PackageNonce,
    ) -> Result<(), SeenBefore> {
        if self.nonces.contains_key(nonce) {
            return Err(SeenBefore::Nonce);
        }
        let highest = |key| self.highest.get(key).copied().unwrap_or(0);
        if signers.iter().any(|key| seq <= highest(key)) {
            return Err(SeenBefore::Sequence);
        }
        Ok(())
    }

    /// Remembers a package, and forgets nonces of packages that expired more than a day before `now`.
    pub fn remember(
        &mut self,
        signers: &BTreeSet<Fingerprint>,
        seq: u64,
        nonce: &PackageNonce,
        expires: u64,
        now: u64,
    ) {
        for key in signers {
            let highest = self.highest.entry(key.clone()).or_default();
            *highest = seq.max(*highest);
        }
        self.nonces
            .retain(|_, expires| expires.saturating_add(KEEP_NONCES) > now);
        self.nonces.insert(nonce.clone(), expires);
    }
}
