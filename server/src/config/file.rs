//! The configuration file as it lies on the disk, and who else could read or write it.

use std::{
    fs::{self, File, Metadata},
    io::{self, Read},
    os::unix::fs::MetadataExt,
    path::Path,
};

use super::reader::Problem;

/// Bits that let somebody besides the owner write.
const OTHERS_WRITE: u32 = 0o022;
/// Bits that let everybody read or write.
const WORLD: u32 = 0o006;
/// The bit of folders such as `/tmp`, where nobody can exchange the files of others.
const STICKY: u32 = 0o1000;
/// The administrator, who can change every file in any case.
const ROOT: u32 = 0;

/// The contents of the file.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) text: String,
    /// True if every user of this machine can read it.
    pub(super) exposed: bool,
}

/// Reads the file, unless somebody else could have written it: whoever writes it decides what Jarvis
/// may do. One that nobody named may be absent, and must be ours: the working folder may be anybody's.
pub(super) fn read(path: &Path, is_named: bool) -> Result<Found, Vec<Problem>> {
    let us = rustix::process::geteuid().as_raw();
    read_as(us, path, is_named).map_err(|message| {
        vec![Problem {
            source: None,
            message,
        }]
    })
}

fn read_as(us: u32, path: &Path, is_named: bool) -> Result<Found, String> {
    let unreadable = |error: io::Error| format!("cannot read {}: {error}", path.display());
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound && !is_named => {
            return Ok(Found::default());
        }
        Err(error) => return Err(unreadable(error)),
    };
    // What was opened is what is judged.
    let found = file.metadata().map_err(unreadable)?;
    if found.is_file() {
        let folder = path.parent().filter(|folder| *folder != Path::new(""));
        let folder = fs::metadata(folder.unwrap_or(Path::new("."))).map_err(unreadable)?;
        let refused = |why: &str| Err(format!("{} is refused: {why}", path.display()));
        let by_root = us == ROOT && is_named;
        let is_trusted = |it: &Metadata| [us, ROOT].contains(&it.uid()) || by_root;
        if !is_trusted(&found) {
            return refused("it belongs to another user");
        }
        if found.mode() & OTHERS_WRITE != 0 {
            return refused("other users can write it; run chmod go-w on it");
        }
        if folder.mode() & STICKY == 0 {
            if folder.mode() & OTHERS_WRITE != 0 {
                return refused("other users can write its folder; run chmod go-w on that");
            }
            if !is_trusted(&folder) {
                return refused("its folder belongs to another user");
            }
        }
    }
    let mut text = String::new();
    file.read_to_string(&mut text).map_err(unreadable)?;
    Ok(Found {
        text,
        exposed: found.is_file() && found.mode() & WORLD != 0,
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn set(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn a_file_that_others_could_have_written_is_refused() {
        let above = tempfile::tempdir().unwrap();
        let folder = above.path().join("jarvis");
        fs::create_dir(&folder).unwrap();
        let file = folder.join("jarvis.toml");
        fs::write(&file, "[agent]\n").unwrap();
        let us = fs::metadata(&file).unwrap().uid();
        for (folder_mode, mode, expect) in [
            (0o700, 0o600, Ok(false)),
            (0o755, 0o640, Ok(false)),
            (0o755, 0o644, Ok(true)),
            (0o775, 0o600, Err("other users can write its folder")),
            (0o777, 0o600, Err("other users can write its folder")),
            (0o1777, 0o600, Ok(false)),
            (0o700, 0o620, Err("other users can write it;")),
            (0o700, 0o606, Err("other users can write it;")),
        ] {
            set(&folder, folder_mode);
            set(&file, mode);
            let case = format!("{folder_mode:o} {mode:o}");
            match (read_as(us, &file, true), expect) {
                (Ok(found), Ok(exposed)) => assert_eq!(found.exposed, exposed, "{case}"),
                (Err(why), Err(part)) => assert!(why.contains(part), "{case}: {why}"),
                (found, _) => panic!("{case}: {found:?}"),
            }
        }
        // Somebody else's: as if we were another user, who is not root.
        set(&folder, 0o755);
        set(&file, 0o600);
        let other = us + 4242;
        if us != ROOT {
            assert!(read_as(other, &file, true).is_err());
            assert!(read_as(ROOT, &file, false).is_err(), "root did not name it");
            assert!(read_as(ROOT, &file, true).is_ok(), "root named it");
        }
    }

    #[test]
    fn only_a_file_that_nobody_named_may_be_absent() {
        let folder = tempfile::tempdir().unwrap();
        let absent = folder.path().join("jarvis.toml");
        assert_eq!(read_as(0, &absent, false).unwrap().text, "");
        assert!(read_as(0, &absent, true).is_err());
    }
}
