//! A program on its way to the device, in pieces that go on where they stopped.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
};

use field_package::release::{ReleaseRefusal, RunnerRelease};

use super::{read_program, remove};
use crate::{error::RunnerError, files};

/// Begins the name of a program that is not whole yet; its digest follows.
const PREFIX: &str = "download-";

/// The pieces of one program so far.
#[derive(Debug)]
pub struct ProgramDownload {
    path: PathBuf,
    release: RunnerRelease,
    length: u64,
}

impl ProgramDownload {
    /// Goes on with the program of a release. Pieces of others are removed.
    ///
    /// # Errors
    /// If the folder can't be read or written.
    pub fn open(folder: &Path, release: &RunnerRelease) -> Result<Self, RunnerError> {
        files::make_private_folder(folder).map_err(RunnerError::file(folder))?;
        let name = format!("{PREFIX}{}", release.sha256);
        for entry in fs::read_dir(folder).map_err(RunnerError::file(folder))? {
            let entry = entry.map_err(RunnerError::file(folder))?;
            let found = entry.file_name();
            let found = found.to_string_lossy();
            if found.starts_with(PREFIX) && found != name {
                remove(&entry.path())?;
            }
        }
        let path = folder.join(name);
        let length = match fs::symlink_metadata(&path) {
            Ok(found) => found.len(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
            Err(error) => return Err(RunnerError::file(path)(error)),
        };
        let mut opened = Self {
            path,
            release: release.clone(),
            length,
        };
        if length > release.bytes {
            opened.restart()?;
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

    /// Appends the next piece.
    ///
    /// # Errors
    /// If the program would be longer than it was signed, or the file can't be written.
    pub fn append(&mut self, piece: &[u8]) -> Result<(), RunnerError> {
        let length = self.length.saturating_add(piece.len() as u64);
        if length > self.release.bytes {
            self.restart()?;
            return Err(ReleaseRefusal::Bytes.into());
        }
        let mut options = OpenOptions::new();
        options.append(true).create(true).mode(0o600);
        let written = options
            .open(&self.path)
            .and_then(|mut file| file.write_all(piece));
        written.map_err(RunnerError::file(&self.path))?;
        self.length = length;
        Ok(())
    }

    /// The whole program, if it is the one that was signed; another is removed, and fetched from its start.
    ///
    /// # Errors
    /// If it is not whole or another one, or can't be read.
    pub fn program(&mut self) -> Result<Vec<u8>, RunnerError> {
        let program = read_program(&self.path)?.unwrap_or_default();
        match self.release.check_program(&program) {
            Ok(()) => Ok(program),
            Err(refusal) => {
                if self.is_whole() {
                    self.restart()?;
                }
                Err(refusal.into())
            }
        }
    }

    fn restart(&mut self) -> Result<(), RunnerError> {
        remove(&self.path)?;
        self.length = 0;
        Ok(())
    }
}
