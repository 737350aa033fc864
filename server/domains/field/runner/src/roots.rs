//! The chain of root documents, from the enrolled one on, each verified by the one before it.

use std::path::{Path, PathBuf};

use field_package::{ids::Fingerprint, root::TrustedRoot};

use crate::{error::RunnerError, files};

/// Root documents that follow one another at most.
const MOST: u64 = 10_000;
/// The enrolled document, in the settings.
pub(crate) const FIRST_FILE: &str = "root.json";

/// The newest trusted root document, and the folder of those that led to it.
#[derive(Debug)]
pub struct RootChain {
    folder: PathBuf,
    newest: TrustedRoot,
}

impl RootChain {
    /// Reads the chain and verifies all of it again: a file in the folder proves nothing.
    ///
    /// # Errors
    /// If the first document is missing, or one is not trusted.
    pub fn load(settings: &Path, folder: &Path, key: &Fingerprint) -> Result<Self, RunnerError> {
        let first = settings.join(FIRST_FILE);
        let bytes = files::read(&first).map_err(RunnerError::file(&first))?;
        let bytes = bytes.ok_or(RunnerError::NotEnrolled)?;
        let mut newest = TrustedRoot::enrol(&bytes, key)?;
        let folder = folder.join("roots");
        for version in newest.version() + 1..MOST {
            let path = folder.join(version.to_string());
            match files::read(&path).map_err(RunnerError::file(&path))? {
                Some(bytes) => newest = newest.rotate(&bytes)?,
                None => break,
            }
        }
        Ok(Self { folder, newest })
    }

    pub fn newest(&self) -> &TrustedRoot {
        &self.newest
    }

    /// Takes the next document. The newest one again changes nothing.
    ///
    /// # Errors
    /// If it is not the next one, or not signed by enough keys of both.
    pub fn add(&mut self, envelope: &[u8]) -> Result<(), RunnerError> {
        let next = self.newest.rotate(envelope)?;
        files::make_private_folder(&self.folder).map_err(RunnerError::file(&self.folder))?;
        let path = self.folder.join(next.version().to_string());
        files::replace(&path, envelope, 0o600).map_err(RunnerError::file(path))?;
        self.newest = next;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
