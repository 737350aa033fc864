//! Keys of the server, in a folder beside the database and never in it.
//!
//! | file | what it is |
//! | --- | --- |
//! | `vault.key` | opens the stored values of all sites; without it they are lost |
//! | `job.key` | signs packages |
//! | `update.key` | signs versions of the runner |
//! | `root.key` | signs root documents; may be taken away after setup and brought back for a rotation |
//! | `root-N.json` | the signed root documents, from 1 |
//! | `job-next.key` | only while a rotation of the job key is under way |

mod ceremony;
mod file;
mod releases;
mod roots;
mod rotation;
mod signing_keys;

use std::path::{Path, PathBuf};

use field_package::ids::{Fingerprint, Sha256Hex};
use field_package::keys::SigningPair;
use field_package::release::ReleaseRefusal;
use field_package::root::RootRefusal;
use field_redaction::VaultKeys;

use crate::texts::keys as texts;

pub use self::ceremony::{
    RootOrder, draft_root, make_signing_key, publish_root, read_draft, root_documents, sign_draft,
};
pub use self::releases::{ReleaseOrder, make_release};
pub(crate) use self::releases::{release_file, releases_folder};
pub(crate) use self::roots::RootDocuments;
pub use self::rotation::rotate_job_key;
pub use self::signing_keys::{SigningKeyState, SigningRole};

/// Folder of the keys in the data folder.
const FOLDER: &str = "field-keys";

/// Reason that the keys cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    #[error("{}", texts::open_to_others(.0))]
    OpenToOthers(PathBuf),
    #[error("{}", texts::damaged(.0))]
    Damaged(PathBuf),
    /// Something depends on this very file, and a new one would not do.
    #[error("{}", texts::missing(.0))]
    Missing(PathBuf),
    #[error("{}", texts::root_not_trusted(path, reason))]
    Root { path: PathBuf, reason: String },
    #[error("{}", texts::KEY_NOT_TRUSTED)]
    NotTrusted,
    /// It was taken away after setup, as it should be: a rotation needs it.
    #[error("{}", texts::root_key_away(.0))]
    RootKeyAway(PathBuf),
    /// No server with field devices was started on this folder.
    #[error("{}", texts::no_roots(.0))]
    NoRoots(PathBuf),
    #[error(transparent)]
    Document(#[from] RootRefusal),
    #[error(transparent)]
    Release(#[from] ReleaseRefusal),
    #[error("{}", texts::NO_ARCHITECTURE)]
    Architecture,
    #[error("{}", texts::ROOT_EXPIRED)]
    RootExpired,
    #[error("{}", texts::other_digest(found.as_str()))]
    OtherDigest { found: Sha256Hex },
    #[error("{}: {source}", path.display())]
    File {
        path: PathBuf,
        source: std::io::Error,
    },
}

/// All keys of the server.
pub(crate) struct ServerKeys {
    pub(crate) vault: VaultKeys,
    pub(crate) job: SigningPair,
    pub(crate) roots: RootDocuments,
}

/// The state of the keys, for people: fingerprints alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeySummary {
    /// Of the root key, which enrolment tokens carry.
    pub root: Fingerprint,
    /// True while the root key is on this server.
    pub root_is_here: bool,
    pub job: Fingerprint,
    /// Version of the newest root document.
    pub version: u64,
    /// Seconds since 1970 at which it expires.
    pub expires: u64,
    /// All keys that a root document ever named, oldest first.
    pub signing: Vec<SigningKeyState>,
}

impl ServerKeys {
    /// Opens the keys of a data folder, and makes those that are missing. `has_values`: values are
    /// stored already, so a missing vault key is an error and not a first start.
    pub(crate) fn open(data: &Path, has_values: bool, now_s: u64) -> Result<Self, KeyError> {
        file::check_closed(data)?;
        let folder = data.join(FOLDER);
        file::make_folder(&folder)?;
        let vault = folder.join("vault.key");
        if has_values && !file::exists(&vault)? {
            return Err(KeyError::Missing(vault));
        }
        let [equality, seal] = file::read_or_make(&vault)?;
        let job = folder.join("job.key");
        if file::exists(&folder.join("root-1.json"))? && !file::exists(&job)? {
            return Err(KeyError::Missing(job));
        }
        let [first] = file::read_or_make(&job)?;
        let roots = RootDocuments::open(&folder, &SigningPair::from_seed(&first), now_s)?;
        let job = rotation::job_key(&folder, &roots)?;
        Ok(Self {
            vault: VaultKeys::new(equality, seal),
            job,
            roots,
        })
    }

    pub(crate) fn summary(&self) -> KeySummary {
        KeySummary {
            root: self.roots.root_key().clone(),
            root_is_here: self.roots.has_key(),
            job: self.job.fingerprint(),
            version: self.roots.newest().version(),
            expires: self.roots.newest().expires(),
            signing: self.roots.signing_keys(),
        }
    }
}

#[cfg(test)]
mod tests;
