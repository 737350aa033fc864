//! The data folder and its files, closed to everybody but their owner.

use std::{
    fs::{self, File, Metadata},
    io,
    os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
};

use crate::{Error, texts};

/// The database's file name.
pub(crate) const DATABASE: &str = "jarvis.db";
/// The name of the file that a running server keeps locked.
pub(crate) const LOCK: &str = "lock";
/// The name of the file with the key of sealed values, and its name while it is written.
pub(crate) const SECRETS_KEY: &str = "secrets.key";
pub(crate) const SECRETS_KEY_NEW: &str = "secrets.key.new";
/// Other names of files that Jarvis keeps in its data folder.
const OTHERS: [&str; 3] = ["simulated-ssh-key", SECRETS_KEY, SECRETS_KEY_NEW];

/// Bits that let somebody besides the owner in.
const OPEN: u32 = 0o077;
/// The bit of folders such as `/tmp`, which are for everybody.
const STICKY: u32 = 0o1000;
/// The administrator's number, whose files nobody else can plant.
const ROOT: u32 = 0;

/// Makes a folder that only its owner can enter, and closes one that was made too open, with our
/// files in it. A folder that is not for Jarvis alone is refused: closing it would take it away
/// from its other users.
pub(crate) fn close(folder: &Path) -> Result<(), Error> {
    let failed = |source| Error::Folder {
        path: folder.to_owned(),
        source,
    };
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true).mode(0o700);
    builder.create(folder).map_err(failed)?;
    let found = fs::metadata(folder).map_err(failed)?;
    let us = rustix::process::geteuid().as_raw();
    if us != ROOT && ![us, ROOT].contains(&found.uid()) {
        return Err(refused(folder, texts::BELONGS_TO_ANOTHER_USER));
    }
    let open = found.mode() & OPEN != 0;
    if open && found.mode() & STICKY != 0 {
        return Err(refused(folder, texts::IS_FOR_EVERYBODY));
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name();
        if is_ours(&name.to_string_lossy()) {
            files.push(entry.path());
        } else if open && name != "lost+found" {
            let why = texts::is_open_and_holds(&name.to_string_lossy().escape_debug());
            return Err(refused(folder, &why));
        }
    }
    // The folder first: from then on nobody else can open or replace a file in it.
    if open {
        shut(folder, &found).map_err(|_| refused(folder, texts::IS_OPEN_TO_OTHERS))?;
        tracing::warn!(
            folder = %folder.display(),
            mode = format!("{:o}", found.mode() & 0o7777),
            "the data folder was open to other users of this machine; it is closed now"
        );
    }
    for file in files {
        close_file(folder, &file).map_err(failed)?;
    }
    Ok(())
}

fn close_file(folder: &Path, file: &PathBuf) -> io::Result<()> {
    let found = match fs::metadata(file) {
        Ok(found) => found,
        // SQLite removes some when it closes, and a link may lead nowhere yet.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    if found.is_file() && found.mode() & OPEN != 0 {
        shut(file, &found)?;
        tracing::warn!(
            folder = %folder.display(),
            file = %file.display(),
            "a file of the data folder was open to other users; it is closed now"
        );
    }
    Ok(())
}

/// Makes an empty file that only its owner can open, unless it is there. SQLite gives the files
/// beside its database the mode of the database.
pub(crate) fn touch(file: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.create(true).truncate(false).write(true).mode(0o600);
    options.open(file)
}

fn shut(path: &Path, found: &Metadata) -> io::Result<()> {
    let mode = found.mode() & 0o7777 & !OPEN;
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

fn is_ours(name: &str) -> bool {
    name.starts_with(DATABASE) || name == LOCK || OTHERS.contains(&name)
}

fn refused(folder: &Path, why: &str) -> Error {
    Error::Open {
        path: folder.to_owned(),
        why: why.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::Store;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().mode() & 0o7777
    }

    fn set(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    /// A folder and files in it that were made under the usual umask.
    fn open_folder(files: &[&str]) -> (tempfile::TempDir, PathBuf) {
        let above = tempfile::tempdir().unwrap();
        let folder = above.path().join("data");
        fs::create_dir(&folder).unwrap();
        for name in files {
            fs::write(folder.join(name), "").unwrap();
            set(&folder.join(name), 0o644);
        }
        set(&folder, 0o755);
        (above, folder)
    }

    #[tokio::test]
    async fn an_open_folder_and_its_files_are_closed() {
        let (_above, folder) = open_folder(&["jarvis.db", "simulated-ssh-key", "lock"]);
        let store = Store::open(&folder).await.unwrap();
        assert_eq!(mode(&folder), 0o700);
        let mut names = Vec::new();
        for entry in fs::read_dir(&folder).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            assert_eq!(mode(&entry.path()) & OPEN, 0, "{name}");
            names.push(name);
        }
        names.sort();
        let expect = [
            "jarvis.db",
            "jarvis.db-shm",
            "jarvis.db-wal",
            "lock",
            "simulated-ssh-key",
        ];
        assert_eq!(names, expect);
        store.close().await.unwrap();
    }

    /// Files of a private folder may have become open, for instance by a copy of it.
    #[tokio::test]
    async fn files_of_a_closed_folder_are_closed() {
        let (_above, folder) = open_folder(&[]);
        Store::open(&folder).await.unwrap().close().await.unwrap();
        set(&folder, 0o700);
        set(&folder.join("jarvis.db"), 0o666);
        fs::write(folder.join("notes.txt"), "").unwrap();
        set(&folder.join("notes.txt"), 0o644);
        let store = Store::open(&folder).await.unwrap();
        for name in ["jarvis.db", "jarvis.db-wal", "jarvis.db-shm", "lock"] {
            assert_eq!(mode(&folder.join(name)) & OPEN, 0, "{name}");
        }
        assert_eq!(mode(&folder.join("notes.txt")), 0o644, "not a file of ours");
        store.close().await.unwrap();
    }

    #[tokio::test]
    async fn a_folder_that_is_not_for_jarvis_alone_is_refused_and_left_as_it_was() {
        for (name, folder_mode, expect) in [
            ("notes.txt", 0o755, "it also holds notes.txt"),
            ("notes\n.txt", 0o750, "it also holds notes\\n.txt"),
            ("jarvis.db", 0o1777, "it is a folder for everybody"),
        ] {
            let (_above, folder) = open_folder(&[name]);
            set(&folder, folder_mode);
            let refused = Store::open(&folder).await.map(|_| ()).unwrap_err();
            assert!(refused.to_string().contains(expect), "{refused}");
            assert_eq!(mode(&folder), folder_mode, "{name}");
            assert_eq!(mode(&folder.join(name)), 0o644, "{name}");
        }
    }

    #[tokio::test]
    async fn a_database_that_is_a_link_is_closed_where_it_lies() {
        let (above, folder) = open_folder(&[]);
        let real = above.path().join("real.db");
        fs::write(&real, "").unwrap();
        set(&real, 0o644);
        symlink(&real, folder.join("jarvis.db")).unwrap();
        let store = Store::open(&folder).await.unwrap();
        assert_eq!(mode(&real), 0o600);
        store.close().await.unwrap();
    }
}
