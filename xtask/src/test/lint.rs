//! Format, lints and dependencies.

use std::env;
use std::path::Path;
use std::process::Command;

use anyhow::bail;

use super::examples;
use crate::process;
use crate::report::{DoneStep, TestReport};
use crate::setup;
use crate::texts;
use crate::workspace::Workspace;

pub(super) fn steps(workspace: &Workspace, report: &mut TestReport) {
    report.step("format", || {
        process::run(workspace.cargo("fmt").args(["--all", "--check"]))?;
        Ok(DoneStep::Checked)
    });
    report.step("lints, native", || {
        // `frontend` would enable the browser's half of `app`.
        let packages = ["--workspace", "--exclude", "frontend", "--all-targets"];
        process::run(workspace.cargo("clippy").args(packages).args(DENY))?;
        Ok(DoneStep::Checked)
    });
    report.step("lints, wasm32", || {
        setup::wasm_target(workspace)?;
        let target = ["--target", "wasm32-unknown-unknown"];
        // Separately: the pure crates must compile without features that the user interface happens
        // to enable in their dependencies.
        for packages in [
            &[
                "--package",
                "protocol",
                "--package",
                "transcript",
                "--package",
                "markdown",
                "--package",
                "outbox",
                "--package",
                "units",
                "--package",
                "*-wire",
            ][..],
            &[
                "--package",
                "frontend",
                "--package",
                "app",
                "--package",
                "kit",
            ],
        ] {
            process::run(
                workspace
                    .cargo("clippy")
                    .args(target)
                    .args(packages)
                    .args(DENY),
            )?;
        }
        Ok(DoneStep::Checked)
    });
    report.step("types of the chart", || {
        let folder = setup::npm::chart_sources(workspace)?;
        let tsc = folder.join("node_modules/typescript/bin/tsc");
        process::run(Command::new("node").current_dir(&folder).arg(tsc))?;
        Ok(DoneStep::Checked)
    });
    report.step("types of the documents' examples", || {
        examples::check(workspace)?;
        Ok(DoneStep::Checked)
    });
    report.step("dependencies", || {
        let Some(program) = setup::deny::program(workspace)? else {
            return Ok(DoneStep::Skipped(texts::NO_CARGO_DENY.to_owned()));
        };
        let checks = ["check", "licenses", "bans", "sources"];
        process::run(deny(workspace, &program).args(checks))?;
        Ok(DoneStep::Checked)
    });
    report.step("advisories", || {
        let Some(program) = setup::deny::program(workspace)? else {
            return Ok(DoneStep::Skipped(texts::NO_CARGO_DENY.to_owned()));
        };
        let (output, passed) =
            process::tee(deny(workspace, &program).args(["check", "advisories"]))?;
        match passed {
            true => Ok(DoneStep::Checked),
            // Where the database can be fetched, every push and a weekly run check it.
            false if may_miss_advisories() && setup::deny::had_no_advisories(&output) => {
                Ok(DoneStep::Skipped(texts::NO_ADVISORIES.to_owned()))
            }
            false => bail!("cargo deny check advisories failed"),
        }
    });
}

fn deny(workspace: &Workspace, program: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(&workspace.root);
    command
}

/// Returns whether the database may be missing: GitHub's machines can reach it, so there a run
/// without it is a failure.
fn may_miss_advisories() -> bool {
    env::var_os("GITHUB_ACTIONS").is_none()
}

const DENY: [&str; 3] = ["--", "--deny", "warnings"];
