//! The root document: the keys that a device trusts, and the versions that follow one another.

use super::envelope::{EnvelopeFault, SealedDocument};
use super::keys::{TrustedKey, is_sha256};
use super::members::{self, MemberFault, Members};

/// Type of a root document.
pub(crate) const ROOT_KIND: &str = "application/vnd.jarvis.root+json";
/// Largest envelope of one in bytes.
const MAX_ROOT: usize = 32 * 1024;

/// Reason that a root document is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum RootFault {
    #[error(transparent)]
    Envelope(#[from] EnvelopeFault),
    #[error(transparent)]
    Form(#[from] MemberFault),
    #[error("the keys of the role {0} are not possible")]
    Keys(&'static str),
    #[error("not signed by the root key of the enrolment")]
    Stranger,
    #[error("not the version after {0}")]
    Version(u64),
    #[error("a revoked key is back")]
    Restored,
}

/// A root document that the device trusts.
#[derive(Clone, Debug)]
pub(crate) struct DeviceRoot {
    pub(crate) version: u64,
    pub(crate) expires: u64,
    root: RootRole,
    job: RootRole,
    revoked: Vec<String>,
}

#[derive(Clone, Debug)]
struct RootRole {
    keys: Vec<TrustedKey>,
    threshold: usize,
}

impl DeviceRoot {
    /// The first root document, which one known root key has signed.
    pub(crate) fn first(envelope: &[u8], root_key: &str) -> Result<Self, RootFault> {
        let sealed = SealedDocument::read(envelope, MAX_ROOT)?;
        let root = Self::claimed(&sealed)?;
        let signed = sealed.verified(ROOT_KIND, &root.root.keys, root.root.threshold)?;
        if !signed.signers.iter().any(|it| it == root_key) {
            return Err(RootFault::Stranger);
        }
        Ok(root)
    }

    /// The version after this one, signed by enough keys of both.
    pub(crate) fn next(&self, envelope: &[u8]) -> Result<Self, RootFault> {
        let sealed = SealedDocument::read(envelope, MAX_ROOT)?;
        let root = Self::claimed(&sealed)?;
        let mut both = self.root.keys.clone();
        both.extend(
            root.root
                .keys
                .iter()
                .filter(|it| !self.root.keys.contains(it))
                .cloned(),
        );
        let signed = sealed.verified(ROOT_KIND, &both, 1)?;
        for role in [&self.root, &root.root] {
            let own = |it: &&TrustedKey| signed.signers.contains(&it.fingerprint);
            let count = role.keys.iter().filter(own).count();
            if count < role.threshold {
                return Err(EnvelopeFault::Threshold {
                    signed: count,
                    threshold: role.threshold,
                }
                .into());
            }
        }
        if Some(root.version) != self.version.checked_add(1) {
            return Err(RootFault::Version(self.version));
        }
        if !self.revoked.iter().all(|it| root.revoked.contains(it)) {
            return Err(RootFault::Restored);
        }
        Ok(root)
    }

    pub(crate) fn job_keys(&self) -> &[TrustedKey] {
        &self.job.keys
    }

    pub(crate) fn job_threshold(&self) -> usize {
        self.job.threshold
    }

    fn claimed(sealed: &SealedDocument) -> Result<Self, RootFault> {
        let mut document = members::document(sealed.claimed(), MAX_ROOT)?;
        let revoked = document.texts("revoked")?;
        if !revoked.iter().all(|it| is_sha256(it)) {
            return Err(RootFault::Keys("revoked"));
        }
        let mut role = |name| RootRole::read(document.object(name)?, &revoked, name);
        let (root, job) = (role("root")?, role("job")?);
        role("update")?;
        let read = Self {
            version: document.whole("version")?,
            expires: document.whole("expires")?,
            root,
            job,
            revoked,
        };
        document.end()?;
        Ok(read)
    }
}

impl RootRole {
    fn read(mut role: Members, revoked: &[String], name: &'static str) -> Result<Self, RootFault> {
        let threshold = role.whole("threshold")?;
        let texts = role.texts("keys")?;
        role.end()?;
        let keys = texts
            .iter()
            .map(|it| TrustedKey::read(it).ok_or(RootFault::Keys(name)));
        let mut keys = keys.collect::<Result<Vec<_>, _>>()?;
        keys.retain(|it| !revoked.contains(&it.fingerprint));
        let threshold = usize::try_from(threshold).unwrap_or(usize::MAX);
        if keys.len() > 8 || !(1..=keys.len()).contains(&threshold) {
            return Err(RootFault::Keys(name));
        }
        Ok(Self { keys, threshold })
    }
}
