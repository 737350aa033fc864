//! Files with keys: made once, closed to everybody but their owner, and refused if they are not.

use std::fs::{self, DirBuilder, File};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt, MetadataExt as _, OpenOptionsExt};
use std::path::{Path, PathBuf};

use field_package::hex;

use super::KeyError;

/// Bits that let somebody besides the owner in.
const OPEN: u32 = 0o077;
/// First line of a file.
const HEAD: &str = "jarvis field key 1";
/// Bytes of a file at most.
const LARGEST: u64 = 1024;
/// Behind the whole name of a file while it is written.
const PART: &str = ".jarvis-new";

/// Whose folder a file is written to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyPlace {
    /// One of the server: what an interrupted write left there is removed.
    Own,
    /// One that a person chose: nothing in it is removed, and a part in the way refuses the write.
    Chosen,
}

fn failed(path: &Path) -> impl Fn(io::Error) -> KeyError + '_ {
    |source| KeyError::File {
        path: path.to_owned(),
        source,
    }
}

/// Refuses a file or folder that somebody besides its owner can enter. It is not closed here: whoever
/// could read it may have done so already, and a person has to know.
pub(super) fn check_closed(path: &Path) -> Result<(), KeyError> {
    // A link is judged by what it leads to, which is what would be read.
    let found = fs::metadata(path).map_err(failed(path))?;
    if found.mode() & OPEN != 0 {
        return Err(KeyError::OpenToOthers(path.to_owned()));
    }
    Ok(())
}

/// Makes the folder of the keys, for its owner alone.
pub(super) fn make_folder(path: &Path) -> Result<(), KeyError> {
    match DirBuilder::new().mode(0o700).create(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(failed(path)(error)),
        Ok(()) | Err(_) => check_closed(path),
    }
}

pub(super) fn exists(path: &Path) -> Result<bool, KeyError> {
    path.try_exists().map_err(failed(path))
}

/// Reads the keys of a file, or makes the file with random ones. A damaged file is never replaced: it
/// may be all that opens what is stored.
pub(super) fn read_or_make<const KEYS: usize>(path: &Path) -> Result<[[u8; 32]; KEYS], KeyError> {
    if exists(path)? {
        return read(path);
    }
    make(path, KeyPlace::Own)
}

/// Makes a file with random keys.
pub(super) fn make<const KEYS: usize>(
    path: &Path,
    place: KeyPlace,
) -> Result<[[u8; 32]; KEYS], KeyError> {
    let keys: [[u8; 32]; KEYS] = std::array::from_fn(|_| rand::random());
    let lines: Vec<_> = keys.iter().map(|key| hex::write(key)).collect();
    let text = format!("{HEAD}\n{}\n", lines.join("\n"));
    write_new(path, text.as_bytes(), place)?;
    Ok(keys)
}

/// Reads the keys of a file.
pub(super) fn read<const KEYS: usize>(path: &Path) -> Result<[[u8; 32]; KEYS], KeyError> {
    check_closed(path)?;
    let text = String::from_utf8(read_bytes(path)?);
    let text = text.map_err(|_| KeyError::Damaged(path.to_owned()))?;
    let mut lines = text.lines();
    let damaged = || KeyError::Damaged(path.to_owned());
    if lines.next() != Some(HEAD) {
        return Err(damaged());
    }
    let keys: Option<Vec<[u8; 32]>> = lines.map(hex::read).collect();
    keys.and_then(|keys| keys.try_into().ok())
        .ok_or_else(damaged)
}

/// The bytes of a small file.
pub(super) fn read_bytes(path: &Path) -> Result<Vec<u8>, KeyError> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(failed(path))?;
    let most = LARGEST * 64;
    file.take(most)
        .read_to_end(&mut bytes)
        .map_err(failed(path))?;
    Ok(bytes)
}

/// Writes a file that is not there yet. It is on the disk, under its name and whole, or not there.
pub(super) fn write_new(path: &Path, bytes: &[u8], place: KeyPlace) -> Result<(), KeyError> {
    let part = write_part(path, bytes, place)?;
    // Unlike a rename this does not replace a file that came in between.
    let linked = fs::hard_link(&part, path);
    let removed = fs::remove_file(&part);
    let done = linked.and(removed).and_then(|()| sync_folder(path));
    done.map_err(failed(path))
}

/// Replaces a file, whole: a reader finds the old bytes or the new ones.
pub(super) fn replace(path: &Path, bytes: &[u8], place: KeyPlace) -> Result<(), KeyError> {
    let part = write_part(path, bytes, place)?;
    let renamed = fs::rename(&part, path);
    let renamed = renamed.or_else(|error| fs::remove_file(&part).and(Err(error)));
    let done = renamed.and_then(|()| sync_folder(path));
    done.map_err(failed(path))
}

/// Writes the bytes to a file beside the path, on the disk.
fn write_part(path: &Path, bytes: &[u8], place: KeyPlace) -> Result<PathBuf, KeyError> {
    let mut part = path.as_os_str().to_owned();
    part.push(PART);
    let part = PathBuf::from(part);
    if place == KeyPlace::Own {
        // What an interrupted start left behind was never used.
        match fs::remove_file(&part) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(failed(&part)(error));
            }
            Ok(()) | Err(_) => {}
        }
    }
    let mut options = File::options();
    options.write(true).create_new(true).mode(0o600);
    let mut file = options.open(&part).map_err(failed(&part))?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    let written = written.or_else(|error| fs::remove_file(&part).and(Err(error)));
    written.map_err(failed(&part))?;
    Ok(part)
}

/// Syncs the folder of a file: without it a new name may be lost.
fn sync_folder(path: &Path) -> io::Result<()> {
    match path.parent() {
        // A name alone is in the working folder.
        Some(folder) if folder.as_os_str().is_empty() => File::open(".")?.sync_all(),
        Some(folder) => File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}
