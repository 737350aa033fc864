//! The next root document by several key holders: drafted on the server, signed anywhere, published on
//! the server.
//!
//! A holder needs the draft, a key file and the digest that whoever drafted it names on another way: no
//! network, and no data folder. The server writes a document only if each device would take it.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use field_package::ids::{Fingerprint, Sha256Hex};
use field_package::keys::{PublicSigningKey, SigningPair};
use field_package::root::{RoleKeys, RootChange, RootDocument, RootDraft};

use super::file::KeyPlace;
use super::roots::{VALID_S, path};
use super::{FOLDER, KeyError, RootDocuments, file, rotation};

/// A change of the root keys, as a person orders it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RootOrder {
    /// Public keys in hex: all root keys from now on. None of them: those of before stay.
    pub keys: BTreeSet<String>,
    /// Root keys that have to sign; as before if nobody says otherwise.
    pub threshold: Option<usize>,
    /// Keys of any role that count for nothing from now on.
    pub revoked: BTreeSet<Fingerprint>,
}

/// The root documents of a server, oldest first, all verified.
///
/// # Errors
/// There is none, or one cannot be read or trusted.
pub fn root_documents(data_folder: &Path) -> Result<Vec<RootDocument>, KeyError> {
    let (_, roots) = opened(data_folder)?;
    Ok(roots.documents().cloned().collect())
}

/// Makes the next root document and writes its draft to a new file. The root key of this server signs it
/// if it is here and has a say.
///
/// # Errors
/// The order is not possible, or a file cannot be read or written.
pub fn draft_root(
    data_folder: &Path,
    order: &RootOrder,
    to: &Path,
    now_s: u64,
) -> Result<RootDraft, KeyError> {
    let (folder, roots) = opened(data_folder)?;
    let newest = roots.newest();
    let before = newest.document();
    let root = (!order.keys.is_empty() || order.threshold.is_some()).then(|| RoleKeys {
        keys: if order.keys.is_empty() {
            before.root.keys.clone()
        } else {
            order.keys.clone()
        },
        threshold: order.threshold.unwrap_or(before.root.threshold),
    });
    let change = RootChange {
        root,
        revoked: order.revoked.clone(),
        expires: before.expires.max(now_s.saturating_add(VALID_S)),
    };
    let mut draft = RootDraft::after(newest, &change)?;
    let key = folder.join("root.key");
    if file::exists(&key)? {
        let [seed] = file::read(&key)?;
        let key = SigningPair::from_seed(&seed);
        if has_say(&key, newest.root_keys(), draft.document()) {
            draft.sign(&key)?;
        }
    }
    file::write_new(to, &draft.write(), KeyPlace::Chosen)?;
    Ok(draft)
}

/// Reads a draft.
///
/// # Errors
/// It cannot be read, or is none.
pub fn read_draft(draft_file: &Path) -> Result<RootDraft, KeyError> {
    Ok(RootDraft::read(&file::read_bytes(draft_file)?)?)
}

/// Adds the signature of a key file to a draft, if the draft is the one with this digest.
///
/// # Errors
/// The draft is another one, the key signed before, or a file cannot be read or written.
pub fn sign_draft(
    draft_file: &Path,
    key_file: &Path,
    digest: &Sha256Hex,
) -> Result<RootDraft, KeyError> {
    let mut draft = read_draft(draft_file)?;
    let found = draft.digest();
    if found != *digest {
        return Err(KeyError::OtherDigest { found });
    }
    let [seed] = file::read(key_file)?;
    draft.sign(&SigningPair::from_seed(&seed))?;
    file::replace(draft_file, &draft.write(), KeyPlace::Chosen)?;
    Ok(draft)
}

/// Makes the draft the newest root document of this server, which serves it from its next start on.
///
/// # Errors
/// Devices would not take it, it has expired, it does not trust the job key of this server, or a file
/// cannot be read or written.
pub fn publish_root(
    data_folder: &Path,
    draft_file: &Path,
    now_s: u64,
) -> Result<RootDocument, KeyError> {
    let (folder, roots) = opened(data_folder)?;
    let envelope = file::read_bytes(draft_file)?;
    let next = roots.newest().rotate(&envelope)?;
    if next.expires() <= now_s {
        return Err(KeyError::RootExpired);
    }
    // With a document that does not trust it the server would not start.
    let job = rotation::job_key(&folder, &roots)?.fingerprint();
    let mut trusted = next.job_keys().iter();
    if !trusted.any(|key| key.fingerprint() == job) {
        return Err(KeyError::NotTrusted);
    }
    let place = path(&folder, next.version());
    file::write_new(&place, &envelope, KeyPlace::Own)?;
    Ok(next.document().clone())
}

/// Makes a key in a new file that its owner alone can read.
///
/// # Errors
/// The file is there, or cannot be written.
pub fn make_signing_key(key_file: &Path) -> Result<PublicSigningKey, KeyError> {
    if file::exists(key_file)? {
        return Err(KeyError::File {
            path: key_file.to_owned(),
            source: io::ErrorKind::AlreadyExists.into(),
        });
    }
    let [seed] = file::make(key_file, KeyPlace::Chosen)?;
    let public = SigningPair::from_seed(&seed).public();
    public.map_err(|_| KeyError::NotTrusted)
}

/// The folder of the keys and the root documents in it. Unlike the start of a server it makes no file.
pub(super) fn opened(data_folder: &Path) -> Result<(PathBuf, RootDocuments), KeyError> {
    file::check_closed(data_folder)?;
    let folder = data_folder.join(FOLDER);
    if !file::exists(&path(&folder, 1))? {
        return Err(KeyError::NoRoots(folder));
    }
    file::check_closed(&folder)?;
    let roots = RootDocuments::read(&folder, false)?;
    Ok((folder, roots))
}

/// True for a key of the version before or of the next one: the signature of any other spoils a document.
fn has_say(key: &SigningPair, before: &[PublicSigningKey], next: &RootDocument) -> bool {
    let Ok(public) = key.public() else {
        return false;
    };
    let is_new = next.root.keys.contains(&public.to_hex());
    before.contains(&public) || is_new && !next.revoked.contains(&public.fingerprint())
}

#[cfg(test)]
mod tests;
