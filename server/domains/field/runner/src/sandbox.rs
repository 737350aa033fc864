//! Sandboxes of jobs: A, a transient unit of systemd; B, bubblewrap with a stage. Each is a command whose
//! standard input takes a plan, and a byte for each step that may begin; its standard output has the records of
//! the stage.

pub mod bubblewrap;
pub mod confinement;
pub mod probe;
pub mod systemd;

use std::{
    collections::BTreeMap,
    io::{self, Write as _},
    path::PathBuf,
    process::{Child, Command, Stdio},
};

use field_package::manifest::{ENV_NAMES, WORKDIR};

use crate::{error::RunnerError, stage::StagePlan};

/// This program, for the stage inside.
///
/// # Errors
/// If the system does not tell.
pub fn own_program() -> Result<PathBuf, RunnerError> {
    std::env::current_exe().map_err(RunnerError::file("/proc/self/exe"))
}

/// Starts a sandbox and gives it its plan. Its standard input stays open, for [`let_begin`].
///
/// # Errors
/// If it does not start, or does not take the plan.
pub fn start(mut command: Command, plan: &StagePlan) -> Result<Child, RunnerError> {
    let failed = |error: io::Error| RunnerError::Sandbox(error.to_string());
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let mut bytes = serde_json::to_vec(plan).unwrap_or_default();
    bytes.push(b'\n');
    let given = match child.stdin.as_mut() {
        Some(input) => input.write_all(&bytes),
        None => Err(io::ErrorKind::BrokenPipe.into()),
    };
    if let Err(error) = given {
        let _ended = child.kill();
        let _reaped = child.wait();
        return Err(failed(error));
    }
    Ok(child)
}

/// Lets the step begin that the stage has told of. Until then it waits.
///
/// # Errors
/// If the stage is gone.
pub fn let_begin(child: &mut Child) -> io::Result<()> {
    match child.stdin.as_mut() {
        Some(input) => input.write_all(b"\n"),
        None => Err(io::ErrorKind::BrokenPipe.into()),
    }
}

/// The whole environment of a job: four variables of ours, and those that its manifest may set.
fn environment(temporary: &str, more: &BTreeMap<String, String>) -> Vec<(String, String)> {
    let own = [
        ("PATH", "/usr/sbin:/usr/bin:/sbin:/bin"),
        ("LC_ALL", "C.UTF-8"),
        ("HOME", WORKDIR),
        ("TMPDIR", temporary),
    ];
    let own = own.map(|(name, value)| (name.to_owned(), value.to_owned()));
    // The manifest's check allows these as well; a job never gets another one.
    let more = more
        .iter()
        .filter(|(name, _)| ENV_NAMES.contains(&name.as_str()));
    own.into_iter()
        .chain(more.map(|(name, value)| (name.clone(), value.clone())))
        .collect()
}
