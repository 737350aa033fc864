//! The device's journal on disk: each entry is synced before anything follows from it.

use std::{
    fs::{File, OpenOptions},
    io::{Seek as _, SeekFrom, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
};

use field_package::sequence::SeenPackages;
use field_queue::journal::{JournalEntry, MAGIC, compacted, read, record};

use crate::{error::RunnerError, files};

/// Bytes above which the journal is written anew at a start.
const COMPACT_ABOVE: usize = 256 * 1024;

/// The open file.
pub struct JournalFile {
    file: File,
    path: PathBuf,
}

impl JournalFile {
    /// Opens the journal, cuts a torn tail, and returns the entries.
    ///
    /// # Errors
    /// If the file is damaged in the middle, another runner has it, or it can't be written.
    pub fn open(state: &Path, now: u64) -> Result<(Self, Vec<JournalEntry>), RunnerError> {
        files::make_private_folder(state).map_err(RunnerError::file(state))?;
        let path = state.join("journal");
        let failed = || RunnerError::file(&path);
        let bytes = files::read(&path).map_err(failed())?.unwrap_or_default();
        let contents = read(&bytes)?;
        let mut whole = contents.whole;
        if whole == 0 {
            files::replace(&path, MAGIC, 0o600).map_err(failed())?;
            whole = MAGIC.len();
        } else if bytes.len() > COMPACT_ABOVE {
            let mut shorter = MAGIC.to_vec();
            for entry in compacted(&contents.entries, now) {
                shorter.extend(record(&entry)?);
            }
            files::replace(&path, &shorter, 0o600).map_err(failed())?;
            whole = shorter.len();
        }
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).mode(0o600).open(&path);
        let mut file = file.map_err(failed())?;
        // Two runners on one journal would each believe that a job was not started.
        file.try_lock()
            .map_err(|error| RunnerError::Launcher(error.to_string()))?;
        file.set_len(whole as u64).map_err(failed())?;
        file.seek(SeekFrom::End(0)).map_err(failed())?;
        file.sync_all().map_err(failed())?;
        files::sync_folder(&path).map_err(failed())?;
        Ok((Self { file, path }, contents.entries))
    }

    /// Appends an entry and syncs.
    ///
    /// # Errors
    /// If it is not certain that the entry is on the disk.
    pub fn append(&mut self, entry: &JournalEntry) -> Result<(), RunnerError> {
        let bytes = record(entry)?;
        let written = self.file.write_all(&bytes);
        let synced = written.and_then(|()| self.file.sync_data());
        synced.map_err(RunnerError::file(&self.path))
    }
}

/// Reads the memory of packages that were started.
///
/// # Errors
/// If it is there and can't be read: a device that forgot would take a package twice.
pub fn load_seen(folder: &Path) -> Result<SeenPackages, RunnerError> {
    let path = folder.join("seen.json");
    match files::read(&path).map_err(RunnerError::file(&path))? {
        None => Ok(SeenPackages::default()),
        Some(bytes) => serde_json::from_slice(&bytes).map_err(|error| RunnerError::Config {
            path,
            reason: error.to_string(),
        }),
    }
}

/// Writes that memory and syncs.
///
/// # Errors
/// If it is not certain that it is on the disk.
pub fn save_seen(folder: &Path, seen: &SeenPackages) -> Result<(), RunnerError> {
    let path = folder.join("seen.json");
    let bytes = serde_json::to_vec(seen).unwrap_or_default();
    files::replace(&path, &bytes, 0o600).map_err(RunnerError::file(path))
}
