//! Content hashes: of the inputs of a step, and for the names of files.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use sha2::{Digest as _, Sha256};

/// The hash of everything that decides a step's result.
#[derive(Default)]
pub(crate) struct Fingerprint(Sha256);

impl Fingerprint {
    /// Starts with the source of the step itself, so that a changed step runs again.
    pub(crate) fn of(source: &str) -> Self {
        Self::default().with(source.as_bytes())
    }

    pub(crate) fn with(mut self, bytes: &[u8]) -> Self {
        self.0.update(bytes.len().to_le_bytes());
        self.0.update(bytes);
        self
    }

    pub(crate) fn with_file(self, path: &Path) -> Result<Self> {
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok(self.with(&bytes))
    }

    /// Adds the names and contents of all files below a folder.
    pub(crate) fn with_folder(mut self, folder: &Path) -> Result<Self> {
        for file in files_below(folder)? {
            let name = file.strip_prefix(folder)?.to_string_lossy().into_owned();
            self = self.with(name.as_bytes()).with_file(&file)?;
        }
        Ok(self)
    }

    /// Returns the first 48 bits, as 12 hexadecimal digits.
    pub(crate) fn short(self) -> String {
        use std::fmt::Write as _;
        self.0
            .finalize()
            .iter()
            .take(6)
            .fold(String::new(), |mut text, byte| {
                write!(text, "{byte:02x}").ok();
                text
            })
    }
}

/// Runs `make` unless `stamp` shows that it already ran with the same inputs; returns whether it
/// ran.
pub(crate) fn once(
    stamp: &Path,
    key: Fingerprint,
    make: impl FnOnce() -> Result<()>,
) -> Result<bool> {
    let key = key.short();
    if fs::read_to_string(stamp).is_ok_and(|made| made == key) {
        return Ok(false);
    }
    if stamp.exists() {
        fs::remove_file(stamp)?;
    }
    make()?;
    if let Some(folder) = stamp.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(stamp, key)?;
    Ok(true)
}

/// Returns all files below a folder, in a fixed order; none if there is no such folder.
pub(crate) fn files_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        if !folder.is_dir() {
            continue;
        }
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                open.push(entry.path());
            } else {
                files.push(entry.path());
            }
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use anyhow::bail;

    use super::*;

    #[test]
    fn a_step_runs_when_its_inputs_changed_or_it_failed() {
        let folder = tempfile::tempdir().unwrap();
        let stamp = folder.path().join("out").join("stamp");
        let step = |input: &str, works: bool| {
            once(&stamp, Fingerprint::of(input), || {
                if works { Ok(()) } else { bail!("broken") }
            })
            .ok()
        };
        assert_eq!(step("a", true), Some(true), "first time");
        assert_eq!(step("a", true), Some(false), "unchanged");
        assert_eq!(step("b", false), None, "failed");
        assert_eq!(
            step("a", true),
            Some(true),
            "what stood before the failure is gone"
        );
    }

    #[test]
    fn a_folder_is_its_names_and_contents() {
        let folder = tempfile::tempdir().unwrap();
        let print = || {
            let key = Fingerprint::default().with_folder(folder.path());
            key.unwrap().short()
        };
        let empty = print();
        fs::create_dir(folder.path().join("in")).unwrap();
        fs::write(folder.path().join("in/a"), "1").unwrap();
        let one = print();
        fs::rename(folder.path().join("in/a"), folder.path().join("in/b")).unwrap();
        let renamed = print();
        assert!(empty != one && one != renamed);
    }
}
