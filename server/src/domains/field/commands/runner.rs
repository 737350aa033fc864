//! Starts `jarvis-runner` in the place of this process, so that signals and exit codes are its own.

use std::{ffi::OsString, io, os::unix::process::CommandExt as _, path::PathBuf, process::Command};

use super::texts;

const PROGRAM: &str = "jarvis-runner";

/// Becomes the runner. It returns only if that failed.
pub(super) fn become_it(arguments: &[OsString]) -> anyhow::Error {
    let beside = std::env::current_exe().map(|own| own.with_file_name(PROGRAM));
    let program = beside.ok().filter(|path| path.is_file());
    let program = program.unwrap_or_else(|| PathBuf::from(PROGRAM));
    failure(Command::new(program).args(arguments).exec())
}

fn failure(error: io::Error) -> anyhow::Error {
    let words = match error.kind() {
        io::ErrorKind::NotFound => texts::RUNNER_IS_NOT_INSTALLED,
        _ => texts::RUNNER_DID_NOT_START,
    };
    anyhow::Error::new(error).context(words)
}
