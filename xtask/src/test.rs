//! `cargo xtask test`: checks and tests, one table at the end.

mod browser;
mod count;
mod examples;
mod lint;
mod live;
mod skips;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Result, bail};

use crate::report::{DoneStep, TestReport};
use crate::workspace::Workspace;
use crate::{Subset, crash, process, setup};

pub(crate) use live::{LiveCost, live};

/// Continues after a failing step where the next one can still find something.
pub(crate) fn test(workspace: &Workspace, subset: Subset) -> Result<ExitCode> {
    let wants = |one: Subset| subset == one || subset == Subset::All;
    let mut report = TestReport::start();
    if wants(Subset::Lint) {
        lint::steps(workspace, &mut report);
    }
    if !matches!(subset, Subset::Lint | Subset::Crash)
        && let Some(fixtures) = report.step_with("set up the tests", || {
            Fixtures::prepare(workspace).map(|fixtures| (DoneStep::Checked, fixtures))
        })
    {
        if subset != Subset::Browser {
            rust(workspace, subset, &fixtures, &mut report);
        }
        if subset == Subset::All {
            crash_short(workspace, &mut report);
        }
        if subset == Subset::Long {
            report.step("crash, runs on field devices", || {
                crash::field_long(workspace)
            });
        }
        if wants(Subset::Browser) {
            browser::steps(workspace, &fixtures, &mut report);
        }
    }
    if subset == Subset::Crash {
        crash_short(workspace, &mut report);
    }
    Ok(if report.finish() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Sets up the tests and prints their environment variables, for a shell.
pub(crate) fn env(workspace: &Workspace) -> Result<ExitCode> {
    for (name, path) in Fixtures::prepare(workspace)?.variables() {
        println!("export {name}='{}'", path.display());
    }
    Ok(ExitCode::SUCCESS)
}

/// The environment of the tests.
struct Fixtures {
    python: PathBuf,
    anthropic: PathBuf,
    end2end: PathBuf,
    mcp: PathBuf,
    clients: PathBuf,
    node: PathBuf,
}

impl Fixtures {
    fn prepare(workspace: &Workspace) -> Result<Self> {
        setup::sshd::server()?;
        setup::systemd::device()?;
        setup::prometheus::server()?;
        let python = setup::python::interpreter(workspace)?;
        let anthropic = setup::python::anthropic_fixtures(workspace, &python)?;
        let end2end = setup::npm::end2end(workspace)?;
        let mcp = setup::npm::mcp(workspace)?;
        let clients = setup::npm::clients(workspace)?;
        let node = process::output(Command::new("node").args(["-p", "process.execPath"]))?;
        Ok(Self {
            python,
            anthropic,
            end2end,
            mcp,
            clients,
            node: node.into(),
        })
    }

    fn variables(&self) -> [(&'static str, &Path); 6] {
        [
            ("JARVIS_PYTHON", &self.python),
            ("JARVIS_ANTHROPIC_FIXTURES", &self.anthropic),
            ("JARVIS_END2END", &self.end2end),
            ("JARVIS_MCP", &self.mcp),
            ("JARVIS_CLIENTS", &self.clients),
            ("JARVIS_NODE", &self.node),
        ]
    }
}

/// Runs the tests of the crates. All subsets select from the same build of the workspace, so that
/// no subset compiles anything twice. `frontend` is left out: it would enable the browser's half of
/// `app`.
fn rust(workspace: &Workspace, subset: Subset, fixtures: &Fixtures, report: &mut TestReport) {
    const PACKAGES: [&str; 3] = ["--workspace", "--exclude", "frontend"];
    let nextest = process::output(workspace.cargo("nextest").arg("--version")).is_ok();
    let profile = match subset {
        Subset::Long => "long",
        _ => "default",
    };
    skips::forget(workspace, profile);
    let mut left_out = Vec::new();
    report.step("unit and integration tests", || {
        let mut command = if nextest {
            let mut command = workspace.cargo("nextest");
            command.arg("run").args(PACKAGES).arg("--no-fail-fast");
            command.args(["--config-file", "xtask/nextest.toml"]);
            match subset {
                Subset::Unit => command.args(["--filterset", "not package(server)"]),
                Subset::Server => command.args(["--filterset", "package(server)"]),
                Subset::Long => command.args(["--run-ignored", "only", "--profile", profile]),
                _ => &mut command,
            };
            command
        } else {
            let mut command = workspace.cargo("test");
            match subset {
                Subset::Server => command.args(["--package", "server"]),
                Subset::Unit => command.args(PACKAGES).args(["--exclude", "server"]),
                _ => command.args(PACKAGES),
            };
            command.args(["--no-fail-fast", "--all-targets"]);
            // Tests that passed would keep to themselves what they left out.
            command.args(["--", "--show-output"]);
            if subset == Subset::Long {
                command.arg("--ignored");
            }
            command
        };
        let (text, success) = process::tee(command.envs(fixtures.variables()))?;
        left_out = if nextest {
            skips::of(workspace, profile)
        } else {
            skips::read(&text)
        };
        total(&text, success)
    });
    for said in left_out {
        report.left_out(said);
    }
    if !matches!(subset, Subset::Server | Subset::Long) {
        report.step("documentation tests", || {
            let mut command = workspace.cargo("test");
            command.arg("--doc").args(PACKAGES).arg("--no-fail-fast");
            counted(command.envs(fixtures.variables()))
        });
    }
}

fn crash_short(workspace: &Workspace, report: &mut TestReport) {
    report.step("crash, short form", || crash::short(workspace));
}

/// Runs one of cargo's test runners and reads its totals.
fn counted(command: &mut Command) -> Result<DoneStep> {
    let (text, success) = process::tee(command)?;
    total(&text, success)
}

/// The totals in what a runner printed; the second value is true if it ended with zero.
fn total(text: &str, success: bool) -> Result<DoneStep> {
    let counts = count::read(text);
    if !success && counts.failed == 0 {
        bail!("the tests did not run to their end");
    }
    Ok(DoneStep::Tested(counts))
}
