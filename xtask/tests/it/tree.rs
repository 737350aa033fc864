//! The files of the tree.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the files that git tracks or would track, by paths from the root.
pub(crate) fn files() -> Vec<String> {
    let output = Command::new("git")
        .current_dir(root())
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .output()
        .expect("git");
    assert!(output.status.success(), "git ls-files failed");
    let mut files: Vec<_> = String::from_utf8(output.stdout)
        .expect("names are UTF-8")
        .lines()
        .filter(|file| root().join(file).is_file())
        .map(str::to_owned)
        .collect();
    files.sort();
    files
}

pub(crate) fn files_ending(ends: &[&str]) -> Vec<String> {
    let mut files = files();
    files.retain(|file| ends.iter().any(|end| file.ends_with(end)));
    files
}

/// Returns the Rust files of a folder.
pub(crate) fn rust_files(folder: &str) -> Vec<String> {
    let mut files = files_ending(&[".rs"]);
    files.retain(|file| Path::new(file).starts_with(folder));
    files
}

/// True for files of tests, of golden snapshots and of examples.
pub(crate) fn is_test(file: &str) -> bool {
    let marks = ["/tests", "/golden", "/examples"];
    marks.iter().any(|mark| {
        let ends = [".rs", "/"].map(|end| format!("{mark}{end}"));
        file.ends_with(&ends[0]) || file.contains(&ends[1])
    })
}

pub(crate) fn read(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// Reads a file without the tests at its end.
pub(crate) fn read_shipped(file: &str) -> String {
    let text = read(file);
    let shipped = text.split("#[cfg(test)]\nmod tests {").next();
    shipped.unwrap_or_default().to_owned()
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
