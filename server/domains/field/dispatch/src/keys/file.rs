//! Files with keys: made once, closed to everybody but their owner, and refused if they are not.

use std::fs::{self, DirBuilder, File};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt, MetadataExt as _, OpenOptionsExt};
use std::path::Path;

use field_package::hex;

use super::KeyError;

/// Bits that let somebody besides the owner in.
const OPEN: u32 = 0o077;
/// First line of a file.
const HEAD: &str = "jarvis field key 1";
/// Bytes of a file at most.
const LARGEST: u64 = 1024;

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
    let keys: [[u8; 32]; KEYS] = std::array::from_fn(|_| rand::random());
    let lines: Vec<_> = keys.iter().map(|key| hex::write(key)).collect();
    write_new(path, format!("{HEAD}\n{}\n", lines.join("\n")).as_bytes())?;
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
pub(super) fn write_new(path: &Path, bytes: &[u8]) -> Result<(), KeyError> {
    let part = path.with_extension("new");
    let write = || -> io::Result<()> {
        // What an interrupted start left behind was never used.
        match fs::remove_file(&part) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(()) | Err(_) => {}
        }
        let mut options = File::options();
        let mut file = options
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&part)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        // Unlike a rename this does not replace a file that came in between.
        fs::hard_link(&part, path)?;
        fs::remove_file(&part)?;
        match path.parent() {
            Some(folder) => File::open(folder)?.sync_all(),
            None => Ok(()),
        }
    };
    write().map_err(failed(path))
}
