//! `cargo xtask crash`: kills the server at its crash points; see `server/tests/crash`.

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context as _, Result, bail, ensure};

use crate::process;
use crate::report::{DoneStep, ReportCounts};
use crate::workspace::Workspace;

/// The least number of kills in a full run; fewer mean that the harness itself is broken.
const LEAST: &str = "1000";
/// The least number of kills in the short form.
const LEAST_SHORT: &str = "40";
/// Kills at each point of a run on a field device in the long form, and all of them.
const TIMES_FIELD: &str = "20";
const LEAST_FIELD: &str = "160";

/// Names of variables that only a build for tests reads, each with the part of it that does.
const MARKS: [(&str, &str); 2] = [
    ("CRASH_AT", "crash points"),
    ("JARVIS_LAMPS_COUNT", "the sample domain"),
];

/// Builds the server with its crash points and runs the harness, with the given arguments.
pub(crate) fn crash(workspace: &Workspace, args: &[String]) -> Result<ExitCode> {
    let mut command = harness(workspace);
    if args.is_empty() {
        command.args(["--least", LEAST]);
    }
    let status = command.args(args).status().context("cannot start cargo")?;
    Ok(ExitCode::from(u8::from(!status.success())))
}

/// Runs some kills of every scenario, at the same points each time.
pub(crate) fn short(workspace: &Workspace) -> Result<DoneStep> {
    counted(harness(workspace).args(["--short", "--least", LEAST_SHORT]))
}

/// Kills the server many times at each point that is named for a run on a field device.
pub(crate) fn field_long(workspace: &Workspace) -> Result<DoneStep> {
    let mut command = harness(workspace);
    command.args(["--short", "--scenario", "field", "--times", TIMES_FIELD]);
    counted(command.args(["--least", LEAST_FIELD]))
}

/// Runs the harness and reads its totals.
fn counted(command: &mut Command) -> Result<DoneStep> {
    let (text, success) = process::tee(command)?;
    let counts = read(&text).context("the harness did not run to its end")?;
    if !success && counts.failed == 0 {
        bail!("there were too few kills");
    }
    Ok(DoneStep::Tested(counts))
}

/// Checks that a build for use has nothing that is for tests alone.
pub(crate) fn is_for_use(binary: &Path) -> Result<()> {
    let bytes = std::fs::read(binary).context("cannot read the binary")?;
    for (mark, part) in MARKS {
        let mut windows = bytes.windows(mark.len());
        let found = windows.any(|window| window == mark.as_bytes());
        ensure!(!found, "the build for use has {part}");
    }
    Ok(())
}

/// Returns the command with the same selection of packages as for all tests: another selection
/// would make cargo build the server again.
fn harness(workspace: &Workspace) -> Command {
    let mut command: Command = workspace.cargo("test");
    command.args(["--workspace", "--exclude", "frontend"]);
    command.args(["--test", "crash", "--"]);
    command
}

/// Reads the harness's last line, such as `47 kills, 0 failed`.
fn read(text: &str) -> Option<ReportCounts> {
    let line = text.lines().rev().find(|line| line.ends_with(" failed"))?;
    let (kills, failed) = line.split_once(" kills, ")?;
    Some(ReportCounts {
        passed: kills.parse().ok()?,
        failed: failed.strip_suffix(" failed")?.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals() {
        let text = "a look: 3 kills, 1 failed\nscenario  failed\n\n47 kills, 1 failed\n";
        let counts = read(text).unwrap();
        assert_eq!((counts.passed, counts.failed), (47, 1));
        assert!(read("a look: 3 kills, 1 failed\n").is_none());
        assert!(read("").is_none());
    }
}
