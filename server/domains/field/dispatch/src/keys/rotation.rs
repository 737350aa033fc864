//! A new key for jobs, signed into the next root document while the server is stopped.
//!
//! Three files change, one after the other, and the server finishes what was interrupted: the new key
//! under another name, the document that trusts it and revokes the old one, then the key's own name.

use std::fs;
use std::path::Path;

use field_package::keys::SigningPair;

use super::{FOLDER, KeyError, KeySummary, RootDocuments, ServerKeys, file};

/// The new key until the root document trusts it.
const NEXT: &str = "job-next.key";
const CURRENT: &str = "job.key";

/// Makes a new key for jobs and revokes the old one. Packages that the old one signed start no more;
/// devices follow with their next hello. The root key must be on this server.
///
/// # Errors
/// The root key is away, or a file cannot be read or written.
pub fn rotate_job_key(data_folder: &Path, now_s: u64) -> Result<KeySummary, KeyError> {
    // It checks all files, and finishes a rotation that was interrupted.
    let keys = ServerKeys::open(data_folder, true, now_s)?;
    let folder = data_folder.join(FOLDER);
    trust_next(&folder, &keys, now_s)?;
    take_next(&folder)?;
    Ok(ServerKeys::open(data_folder, true, now_s)?.summary())
}

/// Signs the next root document.
pub(super) fn trust_next(folder: &Path, keys: &ServerKeys, now_s: u64) -> Result<(), KeyError> {
    let root = folder.join("root.key");
    if !file::exists(&root)? {
        return Err(KeyError::RootKeyAway(root));
    }
    let [root] = file::read(&root)?;
    let [next] = file::read_or_make(&folder.join(NEXT))?;
    let (root, next) = (SigningPair::from_seed(&root), SigningPair::from_seed(&next));
    keys.roots
        .write_next(folder, &root, &keys.job, &next, now_s)
}

/// Gives the new key its name.
fn take_next(folder: &Path) -> Result<(), KeyError> {
    let current = folder.join(CURRENT);
    let failed = |source| KeyError::File {
        path: current.clone(),
        source,
    };
    fs::rename(folder.join(NEXT), &current).map_err(failed)?;
    let synced = fs::File::open(folder).and_then(|folder| folder.sync_all());
    synced.map_err(failed)
}

/// The key for jobs that the newest root document trusts: the current one, or the new one if a
/// rotation was interrupted behind the document.
pub(super) fn job_key(folder: &Path, roots: &RootDocuments) -> Result<SigningPair, KeyError> {
    let trusted = |pair: &SigningPair| {
        let mut keys = roots.newest().job_keys().iter();
        keys.any(|key| key.fingerprint() == pair.fingerprint())
    };
    let [current] = file::read(&folder.join(CURRENT))?;
    let current = SigningPair::from_seed(&current);
    if trusted(&current) {
        return Ok(current);
    }
    let next = folder.join(NEXT);
    if file::exists(&next)? {
        let [next] = file::read(&next)?;
        let next = SigningPair::from_seed(&next);
        if trusted(&next) {
            take_next(folder)?;
            return Ok(next);
        }
    }
    Err(KeyError::NotTrusted)
}
