//! A program on its way to the device, in pieces that go on where they stopped. Its digest is computed with
//! each piece, so that a whole program is never in memory here.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read as _, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
};

use field_package::{
    hex,
    ids::Sha256Hex,
    release::{ReleaseRefusal, RunnerRelease},
};
use sha2::{Digest as _, Sha256};

use super::remove;
use crate::{error::RunnerError, files};

/// Begins the name of a program that is not whole yet; its digest follows.
const PREFIX: &str = "download-";

/// The folder of downloads in the runner's state.
pub(crate) fn downloads_folder(state: &Path) -> PathBuf {
    state.join("programs")
}

/// The file of a download in their folder.
pub(crate) fn download_file(folder: &Path, sha256: &Sha256Hex) -> PathBuf {
    folder.join(format!("{PREFIX}{sha256}"))
}

/// The pieces of one program so far.
pub struct ProgramDownload {
    path: PathBuf,
    release: RunnerRelease,
    length: u64,
    digest: Sha256,
}

impl ProgramDownload {
    /// Goes on with the program of a release. Pieces of others are removed.
    ///
    /// # Errors
    /// If the folder can't be read or written.
    pub fn open(folder: &Path, release: &RunnerRelease) -> Result<Self, RunnerError> {
        files::make_private_folder(folder).map_err(RunnerError::file(folder))?;
        let path = download_file(folder, &release.sha256);
        for entry in fs::read_dir(folder).map_err(RunnerError::file(folder))? {
            let entry = entry.map_err(RunnerError::file(folder))?;
            let found = entry.file_name();
            if found.to_string_lossy().starts_with(PREFIX) && entry.path() != path {
                remove(&entry.path())?;
            }
        }
        let mut opened = Self {
            path,
            release: release.clone(),
            length: 0,
            digest: Sha256::new(),
        };
        opened.digest_known()?;
        if opened.length > release.bytes {
            opened.discard()?;
        }
        Ok(opened)
    }

    /// The offset of the next piece.
    pub fn offset(&self) -> u64 {
        self.length
    }

    pub fn is_whole(&self) -> bool {
        self.length == self.release.bytes
    }

    /// The file of the pieces so far.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends the next piece.
    ///
    /// # Errors
    /// If the program would be longer than it was signed, or the file can't be written.
    pub fn append(&mut self, piece: &[u8]) -> Result<(), RunnerError> {
        let length = self.length.saturating_add(piece.len() as u64);
        if length > self.release.bytes {
            self.discard()?;
            return Err(ReleaseRefusal::Bytes.into());
        }
        let mut options = OpenOptions::new();
        options.append(true).create(true).mode(0o600);
        let written = options
            .open(&self.path)
            .and_then(|mut file| file.write_all(piece));
        written.map_err(RunnerError::file(&self.path))?;
        self.digest.update(piece);
        self.length = length;
        Ok(())
    }

    /// Checks that the program is whole and the one that was signed. Another one is removed, and fetched
    /// from its start.
    ///
    /// # Errors
    /// If it is not, or can't be removed.
    pub fn check(&mut self) -> Result<(), RunnerError> {
        let found = hex::write(&self.digest.clone().finalize());
        if self.is_whole() && found == self.release.sha256.as_str() {
            return Ok(());
        }
        if self.is_whole() {
            self.discard()?;
        }
        Err(ReleaseRefusal::Bytes.into())
    }

    /// Removes what was fetched.
    ///
    /// # Errors
    /// If the file can't be removed.
    pub fn discard(&mut self) -> Result<(), RunnerError> {
        remove(&self.path)?;
        self.length = 0;
        self.digest = Sha256::new();
        Ok(())
    }

    /// Digests the pieces of an earlier life, and one byte too many at most.
    fn digest_known(&mut self) -> Result<(), RunnerError> {
        let file = match File::open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(RunnerError::file(&self.path)(error)),
        };
        let mut file = file.take(self.release.bytes.saturating_add(1));
        let mut piece = vec![0; 64 * 1024];
        loop {
            let length = file
                .read(&mut piece)
                .map_err(RunnerError::file(&self.path))?;
            if length == 0 {
                return Ok(());
            }
            self.digest.update(&piece[..length]);
            self.length += length as u64;
        }
    }
}
