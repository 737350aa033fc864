//! `cargo xtask crash`: kills the server at the points that it passes; see `server/tests/crash`.

use std::process::{Command, ExitCode};

use anyhow::{Context as _, Result};

use crate::workspace::Workspace;

/// Fewer kills in a whole run are a failure of the harness itself.
const LEAST: &str = "200";

/// Builds the server with its crash points and runs the harness. Its arguments are handed on.
pub(crate) fn crash(workspace: &Workspace, args: &[String]) -> Result<ExitCode> {
    let mut command = harness(workspace);
    if args.is_empty() {
        command.args(["--least", LEAST]);
    }
    let status = command.args(args).status().context("cannot start cargo")?;
    Ok(ExitCode::from(u8::from(!status.success())))
}

/// The same selection as that of all tests, whose server it is: with another one cargo would build
/// the server once more.
fn harness(workspace: &Workspace) -> Command {
    let mut command: Command = workspace.cargo("test");
    command.args(["--workspace", "--exclude", "frontend"]);
    command.args(["--test", "crash", "--"]);
    command
}
