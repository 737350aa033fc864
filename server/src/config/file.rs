//! The configuration file as it lies on the disk, and who else could read or write it.

use std::{
    ffi::OsString,
    fs::{self, File, Metadata},
    io::{self, Read},
    os::unix::fs::MetadataExt,
    path::{Component, Path, PathBuf},
};

use super::reader::Problem;
use crate::texts;

/// Bits that let somebody besides the owner write.
const OTHERS_WRITE: u32 = 0o022;
/// Bits that let everybody read or write.
const WORLD: u32 = 0o006;
/// The bit of folders such as `/tmp`, where nobody can exchange the files of others.
const STICKY: u32 = 0o1000;
/// The administrator, who can change every file in any case.
const ROOT: u32 = 0;
/// The most links on the way to the file, as many as Linux follows.
const MAX_LINKS: usize = 40;

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
    let unreadable = |error: io::Error| texts::config::cannot_read(&path.display(), &error);
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
        let refused = |why: &str| Err(texts::config::is_refused(&path.display(), why));
        let by_root = us == ROOT && is_named;
        let is_trusted = |it: &Metadata| [us, ROOT].contains(&it.uid()) || by_root;
        if !is_trusted(&found) {
            return refused(texts::config::IT_BELONGS_TO_ANOTHER_USER);
        }
        if found.mode() & OTHERS_WRITE != 0 {
            return refused(texts::config::OTHERS_CAN_WRITE_IT);
        }
        // One without a name, such as the shell's for `<<`, lies in no folder.
        if found.nlink() > 0 {
            let resolved = ResolvedPath::to(path).map_err(unreadable)?;
            if !resolved.links.iter().all(is_trusted) {
                return refused(texts::config::LINK_OF_ANOTHER_USER);
            }
            for folder in &resolved.folders {
                let of = fs::metadata(folder).map_err(unreadable)?;
                let folder = folder.display();
                if of.mode() & OTHERS_WRITE != 0 && of.mode() & STICKY == 0 {
                    return refused(&texts::config::others_can_write_folder(&folder));
                }
                if of.mode() & STICKY == 0 && !is_trusted(&of) {
                    return refused(&texts::config::folder_of_another_user(&folder));
                }
            }
            let end = fs::metadata(&resolved.end).map_err(unreadable)?;
            if (end.dev(), end.ino()) != (found.dev(), found.ino()) {
                return refused(texts::config::EXCHANGED_WHILE_READ);
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

/// Everything that decides which file a path is: who can change one of these can exchange the file.
#[derive(Debug)]
struct ResolvedPath {
    /// Each folder in which a name was looked up, links followed.
    folders: Vec<PathBuf>,
    links: Vec<Metadata>,
    end: PathBuf,
}

impl ResolvedPath {
    /// Walks a path as the kernel does.
    fn to(path: &Path) -> io::Result<Self> {
        let mut resolved = Self {
            folders: Vec::new(),
            links: Vec::new(),
            end: PathBuf::from("/"),
        };
        let mut left = names(&std::path::absolute(path)?);
        while let Some(name) = left.pop() {
            match Path::new(&name).components().next() {
                Some(Component::RootDir) => resolved.end = PathBuf::from("/"),
                Some(Component::ParentDir) => {
                    resolved.end.pop();
                }
                Some(Component::Normal(_)) => resolved.enter(&name, &mut left)?,
                _ => {}
            }
        }
        Ok(resolved)
    }

    /// Looks up a name in the folder reached so far. The names of a link are added to those left.
    fn enter(&mut self, name: &OsString, left: &mut Vec<OsString>) -> io::Result<()> {
        if !self.folders.contains(&self.end) {
            self.folders.push(self.end.clone());
        }
        let next = self.end.join(name);
        let found = fs::symlink_metadata(&next)?;
        if !found.is_symlink() {
            self.end = next;
            return Ok(());
        }
        if self.links.len() == MAX_LINKS {
            return Err(io::Error::other(texts::config::TOO_MANY_LINKS));
        }
        self.links.push(found);
        left.extend(names(&fs::read_link(&next)?));
        Ok(())
    }
}

/// The names of a path, the first one last.
fn names(path: &Path) -> Vec<OsString> {
    let names = path.components().rev();
    names.map(|name| name.as_os_str().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

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
        set(&folder, 0o700);
        set(&file, 0o600);
        // Whoever can write a folder further up, or one that a link passes, exchanges what is below.
        set(above.path(), 0o777);
        let why = read_as(us, &file, true).unwrap_err();
        let part = format!("write its folder {};", above.path().display());
        assert!(why.contains(&part), "{why}");
        set(above.path(), 0o700);
        let open = above.path().join("open");
        fs::create_dir(&open).unwrap();
        set(&open, 0o777);
        fs::write(open.join("jarvis.toml"), "[agent]\n").unwrap();
        set(&open.join("jarvis.toml"), 0o600);
        symlink(&file, open.join("back.toml")).unwrap();
        for (name, target) in [
            ("direct.toml", open.join("jarvis.toml")),
            ("relative.toml", PathBuf::from("../open/jarvis.toml")),
            // It ends where it should, for as long as nobody exchanges the second link.
            ("through.toml", open.join("back.toml")),
        ] {
            symlink(target, folder.join(name)).unwrap();
            let why = read_as(us, &folder.join(name), true).unwrap_err();
            assert!(why.contains("/open; run"), "{name}: {why}");
        }
        symlink("jarvis.toml", folder.join("own.toml")).unwrap();
        assert!(read_as(us, &folder.join("own.toml"), true).is_ok());
        symlink("around.toml", folder.join("around.toml")).unwrap();
        assert!(read_as(us, &folder.join("around.toml"), true).is_err());
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
