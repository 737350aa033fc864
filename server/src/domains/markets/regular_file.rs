//! Opening files that other programs put there: only regular ones, and never with a wait.

use std::{
    fs::{File, metadata},
    io,
    path::Path,
};

use rustix::fs::{Mode, OFlags};

use super::texts;

/// Opens a regular file; links are followed.
///
/// # Errors
/// It cannot be opened, or is a pipe, a device or a folder.
pub(super) fn open(path: &Path) -> io::Result<File> {
    opened(path, OFlags::empty())
}

/// Opens a regular file of a folder. A link is followed as long as it leads to a file of the folder.
///
/// # Errors
/// As [`open`], or it is a link that leads out of the folder.
pub(super) fn open_within(folder: &Path, path: &Path) -> io::Result<File> {
    let real = path.canonicalize()?;
    if !real.starts_with(folder.canonicalize()?) {
        return Err(io::Error::other(texts::LINK_LEAVES_FOLDER));
    }
    // A link that has taken its place since is refused.
    opened(&real, OFlags::NOFOLLOW)
}

fn opened(path: &Path, more: OFlags) -> io::Result<File> {
    let refused = || io::Error::other(texts::NOT_A_REGULAR_FILE);
    // Opening a device may already do something.
    if !metadata(path)?.is_file() {
        return Err(refused());
    }
    // A pipe that has taken its place since would wait for a writer without `NONBLOCK`.
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOCTTY | OFlags::NONBLOCK | more;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty())?);
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(refused())
    }
}

#[cfg(test)]
mod tests {
    use std::{io::Read as _, os::unix::fs::symlink};

    use rustix::fs::{CWD, mkfifoat};

    use super::*;

    #[test]
    fn pipes_devices_and_links_out_of_the_folder_are_refused_at_once() {
        let around = tempfile::TempDir::new().unwrap();
        let folder = around.path().join("candles");
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(around.path().join("secret"), "secret").unwrap();
        std::fs::write(folder.join("real"), "candles").unwrap();
        mkfifoat(CWD, folder.join("pipe"), Mode::RUSR | Mode::WUSR).unwrap();
        let link = |to: &str, name: &str| symlink(to, folder.join(name)).unwrap();
        link("real", "link");
        link("pipe", "link to a pipe");
        link("/dev/zero", "device");
        link("../secret", "link out");
        link("link out", "link to a link out");
        link("../candles/real", "link out and in");
        link(".", "folder");

        let within = |name: &str| {
            let mut text = String::new();
            let file = open_within(&folder, &folder.join(name));
            let mut file = file.map_err(|error| error.to_string())?;
            file.read_to_string(&mut text).unwrap();
            Ok::<_, String>(text)
        };
        for name in ["real", "link", "link out and in"] {
            assert_eq!(within(name), Ok("candles".to_owned()), "{name}");
        }
        for (name, why) in [
            ("pipe", texts::NOT_A_REGULAR_FILE),
            ("link to a pipe", texts::NOT_A_REGULAR_FILE),
            ("folder", texts::NOT_A_REGULAR_FILE),
            ("device", texts::LINK_LEAVES_FOLDER),
            ("link out", texts::LINK_LEAVES_FOLDER),
            ("link to a link out", texts::LINK_LEAVES_FOLDER),
        ] {
            assert_eq!(within(name), Err(why.to_owned()), "{name}");
        }
        for name in ["pipe", "device", "folder"] {
            let refused = open(&folder.join(name)).unwrap_err();
            assert_eq!(refused.to_string(), texts::NOT_A_REGULAR_FILE, "{name}");
        }
        assert!(open(&folder.join("link out")).is_ok());
    }
}
