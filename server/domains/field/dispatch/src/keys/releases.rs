//! Releases of the runner: signed by the update key of the server, kept beside the database.
//!
//! | file | what it is |
//! | --- | --- |
//! | `ARCHITECTURE.json` | the newest release for an architecture |
//! | `SHA-256` | a program, by its digest |

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use field_package::ids::Sha256Hex;
use field_package::keys::SigningPair;
use field_package::release::{MAX_PROGRAM, ReleaseRefusal, ReleaseVersion, RunnerRelease};

use super::ceremony::opened;
use super::file::KeyPlace;
use super::{KeyError, file};

/// Seconds that a release can be installed: a year.
const VALID_S: u64 = 366 * 24 * 60 * 60;

/// A release, as a person orders it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReleaseOrder {
    pub version: ReleaseVersion,
    /// Nothing older may be installed from then on; as before if nobody says otherwise, and never lower.
    pub minimum: Option<ReleaseVersion>,
    /// As Rust names it, such as `aarch64`.
    pub architecture: String,
}

/// The folder of releases in a data folder.
pub(crate) fn releases_folder(data_folder: &Path) -> PathBuf {
    data_folder.join("field-releases")
}

/// The file of the newest release for an architecture. None for what is no name of one.
pub(crate) fn release_file(releases: &Path, architecture: &str) -> Option<PathBuf> {
    let is_plain = |it: u8| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'_';
    let is_name = (1..=20).contains(&architecture.len()) && architecture.bytes().all(is_plain);
    is_name.then(|| releases.join(format!("{architecture}.json")))
}

/// Signs a program as the newest release for its architecture. A running server serves it at once.
///
/// # Errors
/// It is not newer than the one before, devices would not take it, or a file cannot be read or written.
pub fn make_release(
    data_folder: &Path,
    program: &Path,
    order: &ReleaseOrder,
    now_s: u64,
) -> Result<RunnerRelease, KeyError> {
    let (keys, roots) = opened(data_folder)?;
    let folder = releases_folder(data_folder);
    let newest = release_file(&folder, &order.architecture).ok_or(KeyError::Architecture)?;
    file::make_folder(&folder)?;
    let before = if file::exists(&newest)? {
        // One that is not trusted now binds nobody.
        RunnerRelease::verified(&file::read_bytes(&newest)?, roots.newest()).ok()
    } else {
        None
    };
    let mut minimum = order.minimum.unwrap_or_default();
    if let Some(before) = before {
        if order.version <= before.version {
            let (release, installed) = (order.version, before.version);
            return Err(ReleaseRefusal::NotNewer { release, installed }.into());
        }
        minimum = minimum.max(before.minimum);
    }
    let bytes = read_program(program)?;
    let release = RunnerRelease {
        version: order.version,
        minimum,
        architecture: order.architecture.clone(),
        bytes: bytes.len() as u64,
        sha256: Sha256Hex::digest(&bytes),
        expires: now_s.saturating_add(VALID_S),
    };
    let [seed] = file::read(&keys.join("update.key"))?;
    let envelope = release.sign(&[&SigningPair::from_seed(&seed)]);
    // What devices would refuse is not served.
    RunnerRelease::verified(&envelope, roots.newest())?;
    let place = folder.join(release.sha256.as_str());
    if !file::exists(&place)? {
        file::write_new(&place, &bytes, KeyPlace::Own)?;
    }
    file::replace(&newest, &envelope, KeyPlace::Own)?;
    Ok(release)
}

/// Reads a program. Of one that is too large enough to be refused.
fn read_program(path: &Path) -> Result<Vec<u8>, KeyError> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MAX_PROGRAM + 1).read_to_end(&mut bytes));
    read.map_err(|source| KeyError::File {
        path: path.to_owned(),
        source,
    })?;
    Ok(bytes)
}
