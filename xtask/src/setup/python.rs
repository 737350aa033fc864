//! Python for the tests: third-party clients and MCP servers, a library of indicators, and recorded streams.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use super::cached;
use crate::fingerprint::{Fingerprint, files_below};
use crate::process;
use crate::workspace::Workspace;

const REQUIREMENTS: &str = include_str!("../../requirements.txt");

/// Returns the interpreter of a virtual environment with the pinned packages.
pub(crate) fn interpreter(workspace: &Workspace) -> Result<PathBuf> {
    let (python, version) = base()?;
    let key = Fingerprint::of(include_str!("python.rs"))
        .with(REQUIREMENTS.as_bytes())
        .with(python.to_string_lossy().as_bytes())
        .with(version.as_bytes());
    let folder = cached(workspace, "python", key, super::COMPLETE, |folder| {
        process::run(Command::new(&python).args(["-m", "venv"]).arg(folder)).context(
            "cannot make a virtual environment (on Debian and Ubuntu: apt-get install python3-venv)",
        )?;
        let list = folder.join("requirements.txt");
        fs::write(&list, REQUIREMENTS)?;
        // The list is complete; without --no-deps, a web framework that nothing here uses comes
        // too.
        process::run(
            pip(&inside(folder))
                .args(["install", "--no-deps", "--require-hashes", "-r"])
                .arg(&list),
        )
    })?;
    Ok(inside(&folder))
}

/// Returns the folder `tests` of the source distribution of `anthropic`, with recorded streams
/// below `lib/streaming/fixtures` and `fixtures`.
pub(crate) fn anthropic_fixtures(workspace: &Workspace, python: &Path) -> Result<PathBuf> {
    let requirement =
        requirement("anthropic").context("requirements.txt does not pin anthropic")?;
    let pin = requirement.split_whitespace().next().unwrap_or_default();
    let unpacked = pin.replace("==", "-");
    let key = Fingerprint::of(&requirement);
    let folder = cached(workspace, "fixtures", key, super::COMPLETE, |folder| {
        let list = folder.join("requirements.txt");
        fs::write(&list, &requirement)?;
        process::run(
            pip(python)
                .args(["download", "--no-deps", "--require-hashes"])
                .args(["--no-binary", "anthropic", "--dest"])
                .arg(folder)
                .arg("-r")
                .arg(&list),
        )?;
        let archive = folder.join(format!("{unpacked}.tar.gz"));
        process::run(
            Command::new(python)
                .args(["-m", "tarfile", "-e"])
                .arg(&archive)
                .arg(folder),
        )?;
        let streams = folder.join(&unpacked).join("tests/lib/streaming/fixtures");
        if files_below(&streams)?.is_empty() {
            bail!("{pin} has no recorded streams where they were expected");
        }
        fs::remove_file(archive)?;
        Ok(())
    })?;
    Ok(folder.join(unpacked).join("tests"))
}

/// Returns the lines of one package: its version, and the hashes of its files.
fn requirement(package: &str) -> Option<String> {
    let pinned = format!("{package}==");
    let mut lines = REQUIREMENTS
        .lines()
        .skip_while(|line| !line.starts_with(&pinned));
    let mut found = format!("{}\n", lines.next()?);
    for line in lines.take_while(|line| line.starts_with(' ')) {
        found.push_str(line);
        found.push('\n');
    }
    Some(found)
}

fn pip(python: &Path) -> Command {
    let mut command = Command::new(python);
    command.args(["-m", "pip", "--quiet", "--disable-pip-version-check"]);
    command
}

fn inside(folder: &Path) -> PathBuf {
    if cfg!(windows) {
        folder.join("Scripts").join("python.exe")
    } else {
        folder.join("bin").join("python")
    }
}

/// Returns the first Python on `PATH` that is new enough, and its version.
fn base() -> Result<(PathBuf, String)> {
    const PROBE: &str =
        "import sys; sys.version_info >= (3, 11) or sys.exit(1); print(sys.version)";
    [
        "python3",
        "python3.13",
        "python3.12",
        "python3.11",
        "python",
    ]
    .into_iter()
    .filter_map(process::find)
    .find_map(|path| {
        let version = process::output(Command::new(&path).args(["-c", PROBE])).ok()?;
        Some((path, version))
    })
    .context("the tests need Python 3.11 or newer with venv")
}
