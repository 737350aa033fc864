//! Versions of the runner, signed by the update keys of the root document.
//!
//! A device goes up and never down: a release must be newer than what is installed, and not below the
//! highest minimum that any release that it installed has named.

use serde::{Deserialize, Serialize};

use crate::{
    envelope::{EnvelopeRefusal, SignedEnvelope},
    ids::Sha256Hex,
    keys::SigningPair,
    root::TrustedRoot,
    strict::{self, StrictError},
    texts,
};

/// Type of a release.
pub const RELEASE_TYPE: &str = "application/vnd.jarvis.runner-release+json";
/// Largest envelope of a release in bytes.
pub const MAX_RELEASE: usize = 16 * 1024;
/// Largest program in bytes.
pub const MAX_PROGRAM: u64 = 32 * 1024 * 1024;

/// Version of a program: major, minor, patch.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct ReleaseVersion(pub [u32; 3]);

/// A release as it is signed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunnerRelease {
    pub version: ReleaseVersion,
    /// Nothing older may be installed from this release on.
    pub minimum: ReleaseVersion,
    /// As Rust names it, such as `aarch64`.
    pub architecture: String,
    /// Length of the program.
    pub bytes: u64,
    pub sha256: Sha256Hex,
    /// Seconds since 1970.
    pub expires: u64,
}

/// The runner that a device has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InstalledRunner<'a> {
    pub version: ReleaseVersion,
    /// The highest minimum of the releases that it installed.
    pub minimum: ReleaseVersion,
    pub architecture: &'a str,
}

/// Reason that a release is not installed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReleaseRefusal {
    #[error(transparent)]
    Form(#[from] StrictError),
    #[error(transparent)]
    Envelope(#[from] EnvelopeRefusal),
    #[error("{}", texts::releases::NO_VERSION)]
    Version,
    #[error("{}", texts::releases::IMPOSSIBLE)]
    Impossible,
    #[error("{}", texts::releases::other_architecture(release, device))]
    Architecture { release: String, device: String },
    #[error("{}", texts::releases::not_newer(release, installed))]
    NotNewer {
        release: ReleaseVersion,
        installed: ReleaseVersion,
    },
    #[error("{}", texts::releases::below_minimum(release, minimum))]
    BelowMinimum {
        release: ReleaseVersion,
        minimum: ReleaseVersion,
    },
    #[error("{}", texts::releases::RELEASE_EXPIRED)]
    Expired,
    #[error("{}", texts::releases::RELEASE_ROOT_EXPIRED)]
    RootExpired,
    #[error("{}", texts::releases::OTHER_BYTES)]
    Bytes,
}

impl ReleaseVersion {
    /// Reads three numbers between points, in their one spelling.
    ///
    /// # Errors
    /// If the text has another form.
    pub fn read(text: &str) -> Result<Self, ReleaseRefusal> {
        let numbers: Option<Vec<u32>> = text.split('.').map(|it| it.parse().ok()).collect();
        let numbers = numbers.and_then(|it| <[u32; 3]>::try_from(it).ok());
        let version = Self(numbers.ok_or(ReleaseRefusal::Version)?);
        if version.to_string() == text {
            Ok(version)
        } else {
            Err(ReleaseRefusal::Version)
        }
    }
}

impl std::fmt::Display for ReleaseVersion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self([major, minor, patch]) = self;
        write!(f, "{major}.{minor}.{patch}")
    }
}

impl RunnerRelease {
    /// Signs the release and returns the bytes of its envelope.
    pub fn sign(&self, keys: &[&SigningPair]) -> Vec<u8> {
        strict::write(&SignedEnvelope::sign(
            RELEASE_TYPE,
            &strict::write(self),
            keys,
        ))
    }

    /// The release in an envelope that enough update keys signed.
    ///
    /// # Errors
    /// If it is not signed so, or its figures are not possible.
    pub fn verified(envelope: &[u8], root: &TrustedRoot) -> Result<Self, ReleaseRefusal> {
        let envelope: SignedEnvelope = strict::read(envelope, MAX_RELEASE)?;
        let (keys, threshold) = (root.update_keys(), root.update_threshold());
        let verified = envelope.verify(RELEASE_TYPE, keys, threshold)?;
        let release: Self = strict::read(&verified.document, MAX_RELEASE)?;
        let is_possible =
            release.minimum <= release.version && (1..=MAX_PROGRAM).contains(&release.bytes);
        if is_possible {
            Ok(release)
        } else {
            Err(ReleaseRefusal::Impossible)
        }
    }

    /// Checks that a device may install the release. `now` are seconds since 1970, the latest that the
    /// device knows of.
    ///
    /// # Errors
    /// If it is for another architecture, not newer, below the minimum, or over.
    pub fn admit(
        &self,
        installed: &InstalledRunner<'_>,
        root: &TrustedRoot,
        now: u64,
    ) -> Result<(), ReleaseRefusal> {
        if now >= root.expires() {
            return Err(ReleaseRefusal::RootExpired);
        }
        if now >= self.expires {
            return Err(ReleaseRefusal::Expired);
        }
        if self.architecture != installed.architecture {
            return Err(ReleaseRefusal::Architecture {
                release: self.architecture.clone(),
                device: installed.architecture.to_owned(),
            });
        }
        let release = self.version;
        if release <= installed.version {
            let installed = installed.version;
            return Err(ReleaseRefusal::NotNewer { release, installed });
        }
        if release < installed.minimum {
            let minimum = installed.minimum;
            return Err(ReleaseRefusal::BelowMinimum { release, minimum });
        }
        Ok(())
    }

    /// Checks that these bytes are the whole program.
    ///
    /// # Errors
    /// If they are others, fewer or more.
    pub fn check_program(&self, program: &[u8]) -> Result<(), ReleaseRefusal> {
        let is_whole = u64::try_from(program.len()).is_ok_and(|length| length == self.bytes);
        if is_whole && Sha256Hex::digest(program) == self.sha256 {
            Ok(())
        } else {
            Err(ReleaseRefusal::Bytes)
        }
    }
}

#[cfg(test)]
mod tests;
