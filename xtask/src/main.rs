#![doc = include_str!("../README.md")]
#![expect(
    clippy::print_stdout,
    reason = "a command line tool: standard output is its interface"
)]

mod bench;
mod build;
mod build_profile;
mod crash;
mod fingerprint;
mod process;
mod report;
mod run;
mod setup;
mod site;
mod test;
mod texts;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand, ValueEnum};

use crate::build_profile::BuildProfile;
use crate::workspace::Workspace;

/// Builds, runs, tests and measures Jarvis.
#[derive(Parser)]
#[command(bin_name = "cargo xtask", disable_help_subcommand = true)]
struct XtaskCli {
    #[command(subcommand)]
    command: XtaskCommand,
}

#[derive(Subcommand)]
enum XtaskCommand {
    /// Build everything and start the server in the foreground.
    Run {
        /// Build without any optimisation: quicker to build, slower to use.
        #[arg(long)]
        dev: bool,
        /// What follows `--` is handed to `jarvis serve`.
        #[arg(last = true)]
        args: Vec<String>,
    },
    /// Build the site and the `jarvis` binary that embeds it.
    Build {
        /// Build what is shipped: fully optimised (the default).
        #[arg(long, conflicts_with_all = ["quick", "dev"])]
        release: bool,
        /// Build what `cargo xtask run` and the browser tests use.
        #[arg(long, conflicts_with = "dev")]
        quick: bool,
        /// Build without optimisation.
        #[arg(long)]
        dev: bool,
    },
    /// Check and test.
    Test {
        #[arg(value_enum, default_value_t)]
        subset: Subset,
        /// With `live`: allow requests that cost a few cents.
        #[arg(long)]
        pay: bool,
    },
    /// Set up the tests and print their variables, for `eval "$(cargo xtask env)"`.
    ///
    /// After it, `cargo nextest run` works on single tests.
    Env,
    /// Kill the server at the points that it passes, and check what comes after.
    Crash {
        /// What follows `--` is handed to the harness: see `-- --help`.
        #[arg(last = true)]
        args: Vec<String>,
    },
    /// Measure.
    Bench(bench::BenchOptions),
}

/// Which of the checks to run.
#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Subset {
    /// Format, lints, dependencies.
    Lint,
    /// The tests of every crate but the server.
    Unit,
    /// The tests of the server crate.
    Server,
    /// Kills of the server, at a few points of every scenario.
    Crash,
    /// The long forms of tests, which are marked as ignored; not part of `all`.
    Long,
    /// The real API of the model's vendor, with a key and `--pay`; not part of `all`.
    Live,
    /// Playwright against the build of `cargo xtask run`.
    Browser,
    /// Everything.
    #[default]
    All,
}

fn main() -> ExitCode {
    match run(XtaskCli::parse().command) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: XtaskCommand) -> anyhow::Result<ExitCode> {
    let workspace = Workspace::find()?;
    match command {
        XtaskCommand::Run { dev, args } => {
            let profile = if dev {
                BuildProfile::Dev
            } else {
                BuildProfile::Quick
            };
            run::run(&workspace, profile, &args)
        }
        XtaskCommand::Build {
            release: _,
            quick,
            dev,
        } => {
            let profile = match (quick, dev) {
                (true, _) => BuildProfile::Quick,
                (_, true) => BuildProfile::Dev,
                _ => BuildProfile::Release,
            };
            let binary = build::all(&workspace, profile)?;
            println!("{}", binary.display());
            if !dev {
                site::check_budget(&workspace)?;
            }
            Ok(ExitCode::SUCCESS)
        }
        XtaskCommand::Test {
            subset: Subset::Live,
            pay,
        } => {
            let cost = if pay {
                test::LiveCost::Allowed
            } else {
                test::LiveCost::Refused
            };
            test::live(&workspace, cost)
        }
        XtaskCommand::Test { subset, .. } => test::test(&workspace, subset),
        XtaskCommand::Env => test::env(&workspace),
        XtaskCommand::Crash { args } => crash::crash(&workspace, &args),
        XtaskCommand::Bench(options) => {
            bench::bench(&workspace, &options)?;
            Ok(ExitCode::SUCCESS)
        }
    }
}
