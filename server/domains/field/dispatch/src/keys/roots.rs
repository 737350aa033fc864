//! The root documents of this server: made at the first start, checked at each, and rotated.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use field_package::ids::Fingerprint;
use field_package::keys::{PublicSigningKey, SigningPair};
use field_package::root::{RoleKeys, RootDocument, TrustedRoot};

use super::file::KeyPlace;
use super::signing_keys::{SigningKeyState, keys_of};
use super::{KeyError, file};

/// Seconds that a root document is valid: five years. A device whose document expires refuses all
/// packages, so it is longer than anybody leaves a server alone.
pub(super) const VALID_S: u64 = 5 * 366 * 24 * 60 * 60;
/// Versions that are read at most.
const MOST: u64 = 1_000;

/// All root documents, oldest first.
pub(crate) struct RootDocuments {
    envelopes: Vec<Vec<u8>>,
    /// Each with the second at which it was signed.
    documents: Vec<(u64, RootDocument)>,
    newest: TrustedRoot,
    /// A key of the newest one that signed it.
    root_key: Fingerprint,
    has_key: bool,
}

impl RootDocuments {
    /// Reads the documents of a folder, or makes the first one.
    pub(super) fn open(folder: &Path, job: &SigningPair, now_s: u64) -> Result<Self, KeyError> {
        let key = folder.join("root.key");
        let first = path(folder, 1);
        if !file::exists(&first)? {
            let [seed] = file::read_or_make(&key)?;
            let [update] = file::read_or_make(&folder.join("update.key"))?;
            let (root, update) = (
                SigningPair::from_seed(&seed),
                SigningPair::from_seed(&update),
            );
            let document = RootDocument {
                version: 1,
                expires: now_s.saturating_add(VALID_S),
                root: one(&root)?,
                job: one(job)?,
                update: one(&update)?,
                revoked: BTreeSet::new(),
            };
            file::write_new(&first, &document.sign(&[&root]), KeyPlace::Own)?;
        }
        let has_key = file::exists(&key)?;
        if has_key {
            file::check_closed(&key)?;
        }
        Self::read(folder, has_key)
    }

    /// Reads and verifies the documents of a folder, and makes nothing.
    pub(super) fn read(folder: &Path, has_key: bool) -> Result<Self, KeyError> {
        let mut envelopes = vec![file::read_bytes(&path(folder, 1))?];
        let mut newest = first(folder, &envelopes[0])?;
        let mut documents = vec![dated(&newest)];
        for version in 2..=MOST {
            let path = path(folder, version);
            if !file::exists(&path)? {
                break;
            }
            let envelope = file::read_bytes(&path)?;
            newest = newest
                .rotate(&envelope)
                .map_err(|reason| bad(&path, &reason))?;
            envelopes.push(envelope);
            documents.push(dated(&newest));
        }
        let root_key = envelopes.last().and_then(|it| root_key(&newest, it));
        let root_key = root_key.ok_or(KeyError::NotTrusted)?;
        Ok(Self {
            envelopes,
            documents,
            newest,
            root_key,
            has_key,
        })
    }

    /// Writes the next document: `next` signs jobs from now on, and `old` is revoked.
    pub(super) fn write_next(
        &self,
        folder: &Path,
        root: &SigningPair,
        old: &SigningPair,
        next: &SigningPair,
        now_s: u64,
    ) -> Result<(), KeyError> {
        let before = self.newest.document();
        let mut revoked = before.revoked.clone();
        revoked.insert(old.fingerprint());
        let document = RootDocument {
            version: before.version + 1,
            expires: before.expires.max(now_s.saturating_add(VALID_S)),
            job: one(next)?,
            revoked,
            ..before.clone()
        };
        let envelope = document.sign(&[root]);
        let path = path(folder, document.version);
        // What devices would refuse is not written: another root key, for one.
        self.newest
            .rotate(&envelope)
            .map_err(|reason| bad(&path, &reason))?;
        file::write_new(&path, &envelope, KeyPlace::Own)
    }

    pub(crate) fn newest(&self) -> &TrustedRoot {
        &self.newest
    }

    /// The key whose fingerprint enrolment tokens carry.
    pub(crate) fn root_key(&self) -> &Fingerprint {
        &self.root_key
    }

    pub(crate) fn has_key(&self) -> bool {
        self.has_key
    }

    /// The keys that the documents name, oldest first.
    pub(super) fn signing_keys(&self) -> Vec<SigningKeyState> {
        keys_of(&self.documents)
    }

    /// The documents, oldest first.
    pub(super) fn documents(&self) -> impl Iterator<Item = &RootDocument> {
        self.documents.iter().map(|(_, document)| document)
    }

    /// The newest document as a device takes it that has none yet.
    pub(crate) fn for_enrolment(&self) -> Option<Vec<u8>> {
        let envelope = self.envelope(self.newest.version())?;
        self.newest.for_enrolment(envelope).ok()
    }

    /// The envelope of a version, as it was signed.
    pub(crate) fn envelope(&self, version: u64) -> Option<&[u8]> {
        let at = usize::try_from(version.checked_sub(1)?).ok()?;
        self.envelopes.get(at).map(Vec::as_slice)
    }
}

/// Checks the first document against the keys that it names itself: the server wrote it, and what
/// must not happen is that a damaged one is handed out.
fn first(folder: &Path, envelope: &[u8]) -> Result<TrustedRoot, KeyError> {
    let path = path(folder, 1);
    // Its one key is the one that must have signed it, so whichever it names is tried.
    let named = named_root_keys(envelope);
    let mut reason = None;
    for key in named {
        match TrustedRoot::enrol(envelope, &key) {
            Ok(root) => return Ok(root),
            Err(refusal) => reason = Some(refusal),
        }
    }
    Err(match reason {
        Some(reason) => bad(&path, &reason),
        None => KeyError::Damaged(path),
    })
}

/// A document with the second at which it was signed: each is valid for the same time from then on.
fn dated(root: &TrustedRoot) -> (u64, RootDocument) {
    let signed = root.expires().saturating_sub(VALID_S);
    (signed, root.document().clone())
}

/// Fingerprints of the root keys that an envelope's signatures name.
fn named_root_keys(envelope: &[u8]) -> Vec<Fingerprint> {
    let Ok(value) = serde_json::from_slice::<serde_json::Value>(envelope) else {
        return Vec::new();
    };
    let signatures = value["signatures"].as_array().into_iter().flatten();
    let keys = signatures.filter_map(|it| it["keyid"].as_str());
    keys.filter_map(|it| Fingerprint::new(it).ok()).collect()
}

/// A root key of a verified document that is among its signers: a device that enrols looks for the
/// signature of exactly the key that its token names.
fn root_key(root: &TrustedRoot, envelope: &[u8]) -> Option<Fingerprint> {
    let named = named_root_keys(envelope);
    let mut keys = root.root_keys().iter().map(PublicSigningKey::fingerprint);
    keys.find(|key| named.contains(key))
}

fn one(pair: &SigningPair) -> Result<RoleKeys, KeyError> {
    let public = pair.public().map_err(|_| KeyError::NotTrusted)?;
    Ok(RoleKeys {
        keys: BTreeSet::from([public.to_hex()]),
        threshold: 1,
    })
}

pub(super) fn path(folder: &Path, version: u64) -> PathBuf {
    folder.join(format!("root-{version}.json"))
}

fn bad(path: &Path, reason: &dyn std::fmt::Display) -> KeyError {
    KeyError::Root {
        path: path.to_owned(),
        reason: reason.to_string(),
    }
}
