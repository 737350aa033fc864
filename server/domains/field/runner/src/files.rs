//! Files that survive a loss of power: replaced as a whole or made once, and synced with their folder.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read as _, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::Path,
};

/// Bytes of a file of ours at most.
const MOST: u64 = 4 * 1024 * 1024;

/// Replaces a file. A reader sees the old bytes or the new ones.
///
/// # Errors
/// If the file can't be written and synced.
pub fn replace(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let partial = path.with_extension("new");
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(mode);
    let mut file = options.open(&partial)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&partial, path)?;
    sync_folder(path)
}

/// Makes a file that must not be there yet. Of two who try, one succeeds.
///
/// # Errors
/// If it is there, or can't be written and synced.
pub fn create_once(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(mode);
    let mut file = options.open(path)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    sync_folder(path)
}

/// Reads a file, None if there is none.
///
/// # Errors
/// If it can't be read, or is larger than any of ours.
pub fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut bytes = Vec::new();
    file.take(MOST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    Ok(Some(bytes))
}

/// Makes a folder that only its owner reads, unless it is there.
///
/// # Errors
/// If it can't be made.
pub fn make_private_folder(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path)
}

/// Syncs the folder of a file: without it a new name may be lost.
pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(folder) => File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}
