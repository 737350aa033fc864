//! Measurements: builds what is measured and what measures, and starts it.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};
use clap::{Args, ValueEnum};

use crate::build::{self, Profile};
use crate::workspace::Workspace;
use crate::{process, setup, site};

/// What to measure, and beside what.
#[derive(Args)]
pub(crate) struct Options {
    #[arg(value_enum)]
    what: Bench,
    /// Which sets of it, in place of all
    sets: Vec<String>,
    /// Figures of an earlier run, to print the change
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,
    /// A server to measure, in place of the one that is built from these sources
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Bench {
    /// The server under load: latency, processor time, memory.
    Engine,
    /// Sizes of what the browser loads, after packing.
    Size,
    /// What the browser does while a long answer streams.
    Browser,
    /// What the gate and the journal add to a tool call.
    Gate,
}

pub(crate) fn bench(workspace: &Workspace, options: &Options) -> Result<()> {
    match options.what {
        Bench::Engine => engine(workspace, options),
        Bench::Size => size(workspace),
        Bench::Browser => browser(workspace),
        Bench::Gate => gate(workspace),
    }
}

fn engine(workspace: &Workspace, options: &Options) -> Result<()> {
    let server = server(workspace, options)?;
    let mut command = tool(workspace, options)?;
    command.arg("--binary").arg(server);
    foreground(command.args(&options.sets))
}

/// The server that is measured.
fn server(workspace: &Workspace, options: &Options) -> Result<PathBuf> {
    match &options.binary {
        Some(binary) => {
            fs::canonicalize(binary).with_context(|| format!("there is no {}", binary.display()))
        }
        None => build::all(workspace, Profile::Release),
    }
}

/// The tool that measures, with where its data and its figures go.
fn tool(workspace: &Workspace, options: &Options) -> Result<Command> {
    let (profile, folder) = Profile::Release.server();
    process::run(
        workspace
            .cargo_build()
            .args(["--package", "bench", "--profile", profile]),
    )?;
    let name = options
        .what
        .to_possible_value()
        .map_or_else(String::new, |value| value.get_name().to_owned());
    let data = workspace.target.join("bench");
    fs::create_dir_all(&data)?;
    let file = format!("jarvis-bench{}", std::env::consts::EXE_SUFFIX);
    let mut command = Command::new(workspace.target.join(folder).join(file));
    command
        .arg(&name)
        .arg("--folder")
        .arg(&data)
        .arg("--json")
        .arg(kept(data.join(format!("{name}.json")))?);
    if let Some(compare) = &options.compare {
        let compare = fs::canonicalize(compare)
            .with_context(|| format!("there is no {}", compare.display()))?;
        command.arg("--compare").arg(compare);
    }
    Ok(command)
}

/// The figures of the last run stay beside the new ones.
fn kept(file: PathBuf) -> Result<PathBuf> {
    if file.exists() {
        fs::copy(&file, file.with_extension("last.json"))?;
    }
    Ok(file)
}

/// Runs to the end; what it prints is the result.
fn foreground(command: &mut Command) -> Result<()> {
    let status = command.stdin(Stdio::null()).status()?;
    if !status.success() {
        bail!("the measurement ended with {status}");
    }
    Ok(())
}

/// Prints the size of every file of the release site.
fn size(workspace: &Workspace) -> Result<()> {
    let folder = site::build(workspace, Profile::Release)?;
    let manifest = site::Manifest::read(&folder)?;
    println!(
        "\n{:28} {:>10} {:>10} {:>10}",
        "file", "bytes", "gzip", "brotli"
    );
    for (name, file) in manifest.files() {
        let packed =
            |size: Option<u64>| size.map_or_else(|| "-".to_owned(), |size| size.to_string());
        println!(
            "{name:28} {:>10} {:>10} {:>10}",
            file.size,
            packed(file.gz),
            packed(file.br)
        );
    }
    Ok(())
}

/// Prints what the browser does while a long answer streams, with the release build.
fn browser(workspace: &Workspace) -> Result<()> {
    let end2end = setup::npm::end2end(workspace)?;
    let chromium = setup::browser::chromium(&end2end)?;
    let binary = build::all(workspace, Profile::Release)?;
    process::run(
        Command::new("node")
            .current_dir(&end2end)
            .args(["node_modules/@playwright/test/cli.js", "test"])
            .args(["--config", "bench/bench.config.ts"])
            .env("JARVIS_BIN", binary)
            .env("CHROMIUM", chromium),
    )
}

/// Prints what the gate and the journal add to a tool call, on a real database.
fn gate(workspace: &Workspace) -> Result<()> {
    process::run(workspace.cargo("run").args([
        "--package",
        "server",
        "--release",
        "--example",
        "gate",
    ]))
}
