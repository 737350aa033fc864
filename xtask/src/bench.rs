//! Measurements: builds the measured server and the measuring tool, and starts them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};
use clap::{Args, ValueEnum};

use crate::build;
use crate::build_profile::BuildProfile;
use crate::workspace::Workspace;
use crate::{process, setup, site, texts};

/// What to measure, and beside what.
#[derive(Args)]
pub(crate) struct BenchOptions {
    #[arg(value_enum)]
    what: Bench,
    /// Which sets of it, in place of all: for `engine` see `jarvis-bench engine --help`, for
    /// `browser` files such as `stream`. Flags of a measurement come behind `--`, as in
    /// `field -- --devices 100 --seconds 5`
    sets: Vec<String>,
    /// Figures of an earlier run, to print the change
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,
    /// A server to measure, in place of the one that is built from these sources
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// For `peers`: the folder with a reference server in `peer-node`, its packages installed
    /// [default: the variable JARVIS_PEERS]
    #[arg(long, value_name = "FOLDER")]
    peers: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Bench {
    /// The server under load: latency, processor time, memory.
    Engine,
    /// The server and a reference server under the same loads.
    Peers,
    /// The journal: a million events.
    Store,
    /// The store of candles: ten million of them, and the newest 500 of a symbol.
    Candles,
    /// Sizes of what the browser loads, after packing.
    Size,
    /// The page in a browser: weight, first moments, streaming, a long conversation, the chart.
    Browser,
    /// What the gate and the journal add to a tool call.
    Gate,
    /// What a live board of a large cluster costs, with 1 and with 20 tabs.
    Hud,
    /// The cost of prices that change 50 times a second, with charts in 20 tabs.
    Prices,
    /// The ERP's tools and cards on a slow site, the simulated company, and the first token beside them.
    Erp,
    /// Field devices that wait for work, runs at once, and readers of their output, some of them slow; in the
    /// end the server is killed while runs write.
    Field,
    /// The weight that one panel adds to the base of the browser's module, built with and without it.
    Module,
}

/// The wanted limit of what a panel adds to the base, in bytes after brotli.
const PANEL_BUDGET: u64 = 3_000;

pub(crate) fn bench(workspace: &Workspace, options: &BenchOptions) -> Result<()> {
    match options.what {
        Bench::Engine | Bench::Hud | Bench::Prices | Bench::Erp | Bench::Field => {
            engine(workspace, options)
        }
        Bench::Peers => peers(workspace, options),
        Bench::Store | Bench::Candles | Bench::Gate => foreground(&mut tool(workspace, options)?),
        Bench::Size => size(workspace),
        Bench::Module => module(workspace),
        Bench::Browser => browser(workspace, options),
    }
}

fn engine(workspace: &Workspace, options: &BenchOptions) -> Result<()> {
    let server = server(workspace, options)?;
    let mut command = tool(workspace, options)?;
    command.arg("--binary").arg(server);
    foreground(command.args(&options.sets))
}

/// A small load of field devices on a server that was built quickly: what counts is that each run starts and
/// each reader gets each line.
pub(crate) fn field_short(workspace: &Workspace, server: &Path) -> Result<()> {
    let tool = measure(workspace, BuildProfile::Quick)?;
    let folder = workspace.target.join("bench");
    fs::create_dir_all(&folder)?;
    let mut command = Command::new(tool);
    command.arg("field").arg("--binary").arg(server);
    command.arg("--folder").arg(folder).arg("--strict");
    command.args(["--devices", "20", "--runs", "4"]);
    command.args(["--readers", "10", "--seconds", "2"]);
    foreground(&mut command)
}

fn peers(workspace: &Workspace, options: &BenchOptions) -> Result<()> {
    let named = std::env::var_os("JARVIS_PEERS").map(PathBuf::from);
    let Some(folder) = options.peers.clone().or(named) else {
        println!("{}", texts::NO_PEERS);
        return Ok(());
    };
    let folder =
        fs::canonicalize(&folder).with_context(|| format!("there is no {}", folder.display()))?;
    if !folder.join("peer-node/node_modules").is_dir() {
        println!("{}", texts::peers_not_installed(&folder));
        return Ok(());
    }
    let server = server(workspace, options)?;
    let mut command = tool(workspace, options)?;
    foreground(
        command
            .arg("--binary")
            .arg(server)
            .arg("--peers")
            .arg(folder),
    )
}

/// Returns the server to measure.
fn server(workspace: &Workspace, options: &BenchOptions) -> Result<PathBuf> {
    match &options.binary {
        Some(binary) => {
            fs::canonicalize(binary).with_context(|| format!("there is no {}", binary.display()))
        }
        None => build::all(workspace, BuildProfile::Release),
    }
}

/// Builds the measuring tool, with the same options as the server and together with it, so that
/// both share their dependencies.
fn measure(workspace: &Workspace, profile: BuildProfile) -> Result<PathBuf> {
    let (profile, folder) = profile.server();
    process::run(workspace.cargo_build("build").args([
        "--package",
        "server",
        "--package",
        "bench",
        "--bin",
        "jarvis-bench",
        "--profile",
        profile,
    ]))?;
    let file = format!("jarvis-bench{}", std::env::consts::EXE_SUFFIX);
    Ok(workspace.target.join(folder).join(file))
}

/// Returns the command of the measuring tool, with the folders for its data and its figures.
fn tool(workspace: &Workspace, options: &BenchOptions) -> Result<Command> {
    let mut command = output(
        Command::new(measure(workspace, BuildProfile::Release)?),
        workspace,
        options,
    )?;
    command.arg("--folder").arg(workspace.target.join("bench"));
    Ok(command)
}

/// Adds what to measure, the file for the figures, and the figures to compare with.
fn output(mut command: Command, workspace: &Workspace, options: &BenchOptions) -> Result<Command> {
    let name = options
        .what
        .to_possible_value()
        .map_or_else(String::new, |value| value.get_name().to_owned());
    let data = workspace.target.join("bench");
    fs::create_dir_all(&data)?;
    let json = kept(data.join(format!("{name}.json")))?;
    command.arg(&name).arg("--json").arg(json);
    if let Some(compare) = &options.compare {
        let compare = fs::canonicalize(compare)
            .with_context(|| format!("there is no {}", compare.display()))?;
        command.arg("--compare").arg(compare);
    }
    Ok(command)
}

/// Keeps the figures of the previous run beside the new ones.
fn kept(file: PathBuf) -> Result<PathBuf> {
    if file.exists() {
        fs::copy(&file, file.with_extension("last.json"))?;
    }
    Ok(file)
}

/// Runs a command to its end; its output is the result.
fn foreground(command: &mut Command) -> Result<()> {
    let status = command.stdin(Stdio::null()).status()?;
    if !status.success() {
        bail!("the measurement ended with {status}");
    }
    Ok(())
}

/// Prints the size of every file of the release site.
fn size(workspace: &Workspace) -> Result<()> {
    site::build(workspace, BuildProfile::Release)?;
    let manifest = site::manifest(workspace)?;
    println!("\n{:28} {:>10} {:>10}", "file", "bytes", "brotli");
    for (name, file) in manifest.files() {
        let packed = file.br.map(|size| size.to_string());
        let packed = packed.as_deref().unwrap_or("-");
        println!("{name:28} {:>10} {packed:>10}", file.size);
    }
    Ok(())
}

/// Prints the weight of the module's base as it is, and without the panel of the ERP.
fn module(workspace: &Workspace) -> Result<()> {
    let [without, with] = site::bases(workspace, "app/without-erp")?;
    println!("\n{:40} {:>10}", "base of the module", "brotli");
    println!("{:40} {with:>10}", "as it is");
    println!("{:40} {without:>10}", "without the panel of the ERP");
    let added = with.saturating_sub(without);
    println!("{:40} {added:>10}", "added by the panel");
    if added > PANEL_BUDGET {
        bail!("the panel adds more than {PANEL_BUDGET} bytes");
    }
    Ok(())
}

/// Measures the browser with the release build: the page, a stream, a long conversation.
fn browser(workspace: &Workspace, options: &BenchOptions) -> Result<()> {
    let end2end = setup::npm::end2end(workspace)?;
    let chromium = setup::browser::chromium(&end2end)?;
    let server = server(workspace, options)?;
    let binary = measure(workspace, BuildProfile::Release)?;
    let data = workspace.target.join("bench");
    fs::create_dir_all(&data)?;
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();

    let long = data.join("long");
    if long.exists() {
        fs::remove_dir_all(&long)?;
    }
    let conversation = process::output(Command::new(&binary).arg("fill").arg("--data").arg(&long))?;
    let lighthouse = setup::npm::lighthouse(workspace)?;
    let figures = data.join("browser.jsonl");
    fs::write(&figures, "")?;
    process::run(
        Command::new("node")
            .current_dir(&end2end)
            .args(["node_modules/@playwright/test/cli.js", "test"])
            .args(["--config", "bench/bench.config.ts"])
            .args(&options.sets)
            .env("JARVIS_BIN", server)
            .env("CHROMIUM", chromium)
            .env("JARVIS_CHART", site::chart(workspace))
            .env("JARVIS_FIGURES", &figures)
            .env("JARVIS_LIGHTHOUSE", lighthouse)
            .env("JARVIS_BENCH_TOOL", &binary)
            .env("JARVIS_LONG_DATA", &long)
            .env("JARVIS_LONG_CONVERSATION", conversation),
    )?;
    fs::remove_dir_all(&long)?;
    let mut command = output(Command::new(binary), workspace, options)?;
    command.arg("--lines").arg(figures);
    command.args(["--load", load.split(' ').next().unwrap_or_default()]);
    foreground(&mut command)
}
