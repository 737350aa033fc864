//! Format, lints and dependencies.

use std::process::Command;

use crate::process;
use crate::report::{Done, Report};
use crate::setup;
use crate::workspace::Workspace;

pub(super) fn steps(workspace: &Workspace, report: &mut Report) {
    report.step("format", || {
        process::run(workspace.cargo("fmt").args(["--all", "--check"]))?;
        Ok(Done::Checked)
    });
    report.step("lints, native", || {
        // `frontend` would turn on the browser's half of `app`.
        let packages = ["--workspace", "--exclude", "frontend", "--all-targets"];
        process::run(workspace.cargo("clippy").args(packages).args(DENY))?;
        Ok(Done::Checked)
    });
    report.step("lints, wasm32", || {
        setup::wasm_target(workspace)?;
        let target = ["--target", "wasm32-unknown-unknown"];
        // Apart from each other: the pure crates must compile without what the user interface
        // happens to turn on in their dependencies.
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
            ][..],
            &["--package", "frontend", "--package", "app"],
        ] {
            process::run(
                workspace
                    .cargo("clippy")
                    .args(target)
                    .args(packages)
                    .args(DENY),
            )?;
        }
        Ok(Done::Checked)
    });
    report.step("types of the chart", || {
        let folder = setup::npm::chart_sources(workspace)?;
        let tsc = folder.join("node_modules/typescript/bin/tsc");
        process::run(Command::new("node").current_dir(&folder).arg(tsc))?;
        Ok(Done::Checked)
    });
    report.step("dependencies", || {
        if process::find("cargo-deny").is_none() {
            return Ok(Done::Skipped("cargo-deny is not installed".to_owned()));
        }
        process::run(workspace.cargo("deny").args(["check"]))?;
        Ok(Done::Checked)
    });
}

const DENY: [&str; 3] = ["--", "--deny", "warnings"];
