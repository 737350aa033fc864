//! Playwright against the release build.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use super::Fixtures;
use crate::bench;
use crate::build;
use crate::build_profile::BuildProfile;
use crate::report::{DoneStep, ReportCounts, TestReport};
use crate::workspace::Workspace;
use crate::{crash, process, setup, site};

pub(super) fn steps(workspace: &Workspace, fixtures: &Fixtures, report: &mut TestReport) {
    report.step("types of the browser tests", || {
        process::run(
            Command::new(&fixtures.node)
                .current_dir(&fixtures.end2end)
                .arg("node_modules/typescript/bin/tsc"),
        )?;
        Ok(DoneStep::Checked)
    });
    let binary = report.step_with("build for the browser", || {
        build::all(workspace, BuildProfile::Quick).map(|binary| (DoneStep::Checked, binary))
    });
    if let Some(binary) = binary {
        report.step("weight of the module", || {
            site::check_budget(workspace).map(|()| DoneStep::Checked)
        });
        report.step("nothing for tests in the build", || {
            crash::is_for_use(&binary).map(|()| DoneStep::Checked)
        });
        report.step("load of field devices, short form", || {
            bench::field_short(workspace, &binary).map(|()| DoneStep::Checked)
        });
        report.step("browser tests", || playwright(workspace, fixtures, &binary));
    }
}

fn playwright(workspace: &Workspace, fixtures: &Fixtures, binary: &Path) -> Result<DoneStep> {
    let chromium = setup::browser::chromium(&fixtures.end2end)?;
    eprintln!("    with {}", chromium.display());
    let results = workspace.target.join("browser-tests.json");
    if results.exists() {
        fs::remove_file(&results)?;
    }
    let (_, success) = process::tee(
        Command::new(&fixtures.node)
            .envs(fixtures.variables())
            .current_dir(&fixtures.end2end)
            .args(["node_modules/@playwright/test/cli.js", "test"])
            .env("JARVIS_BIN", binary)
            .env("JARVIS_CHART", site::chart(workspace))
            .env("CHROMIUM", chromium)
            .env("PLAYWRIGHT_JSON_OUTPUT_FILE", &results),
    )?;
    let results = fs::read(&results).context("Playwright did not run to its end")?;
    let counts = totals(&serde_json::from_slice(&results)?);
    if counts.passed + counts.failed == 0 {
        bail!("Playwright ran no test");
    }
    if !success && counts.failed == 0 {
        bail!("Playwright failed outside the tests");
    }
    Ok(DoneStep::Tested(counts))
}

/// Counts the results; a test that passes only when it is retried has failed.
fn totals(results: &Value) -> ReportCounts {
    let count = |name: &str| {
        let number = results.pointer(&format!("/stats/{name}"));
        number.and_then(Value::as_u64).unwrap_or(0) as usize
    };
    ReportCounts {
        passed: count("expected"),
        failed: count("unexpected") + count("flaky"),
    }
}
