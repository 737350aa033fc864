//! `cargo xtask crash`: kills the real server at the points that it passes, starts it again, and
//! checks against an effect ledger outside of it that nothing was lost, doubled or done unasked.
#![expect(
    clippy::print_stdout,
    reason = "a command line tool: standard output is its interface"
)]

mod browser;
mod check;
mod company;
mod cycle;
mod field_device;
mod ground;
mod ledger;
mod letter;
mod prices;
mod process;
mod scenario;
mod scenarios;
mod second;
mod standins;
mod tab;
mod table;

use std::{iter, path::PathBuf, process::ExitCode, sync::Arc};

use anyhow::{Context, ensure};
use clap::Parser;
use futures::{StreamExt, stream};

use crate::{
    cycle::Cycle,
    ground::Ground,
    process::At,
    scenario::{Sample, Scenario},
    table::Line,
};

/// Kills the server at the points that it passes, and checks what comes after. In most scenarios it
/// is every third point, and all after commits, around effects and around decisions.
#[derive(Parser)]
struct Arguments {
    /// Cycles at the same time: they wait more than they work
    #[arg(long, default_value_t = 8)]
    jobs: usize,
    /// Only scenarios whose name begins with this
    #[arg(long)]
    scenario: Option<String>,
    /// Every point of every scenario, which takes about twice as long
    #[arg(long)]
    all: bool,
    /// The few points of each scenario that are named for it: two minutes
    #[arg(long, conflicts_with_all = ["all", "at", "points"])]
    short: bool,
    /// Kills at each point, one after the other
    #[arg(long, default_value_t = 1)]
    times: usize,
    /// Only this point
    #[arg(long)]
    at: Option<u64>,
    /// Fewer kills than this are a failure
    #[arg(long, default_value_t = 0)]
    least: usize,
    /// The server, built with its crash points [default: the one of this build]
    #[arg(long, default_value = env!("CARGO_BIN_EXE_jarvis"))]
    binary: PathBuf,
    /// Show the points of each scenario
    #[arg(long)]
    points: bool,
    /// Asked by runners of tests
    #[arg(long, hide = true)]
    list: bool,
    #[arg(long, hide = true)]
    format: Option<String>,
    #[arg(long, hide = true)]
    ignored: bool,
    #[arg(long, hide = true)]
    show_output: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if arguments.list {
        // A test runner can run none of them.
        return ExitCode::SUCCESS;
    }
    if std::env::args().len() == 1 || arguments.ignored || arguments.show_output {
        // `cargo test` starts it like this, among all others, and so among the ignored ones.
        println!("Not run: see `cargo xtask crash` and `cargo xtask test crash`.");
        return ExitCode::SUCCESS;
    }
    // Plain HTTP for the most part, but the library wants a provider.
    rustls::crypto::ring::default_provider()
        .install_default()
        .ok();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    let ran = runtime
        .context("no threads for it")
        .and_then(|runtime| runtime.block_on(run(arguments)));
    // With a backtrace, as `main` would print it, nobody finds the reason.
    ran.unwrap_or_else(|error| {
        println!("The harness cannot run: {error:#}");
        ExitCode::FAILURE
    })
}

async fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let started = std::time::Instant::now();
    let folder = tempfile::tempdir().context("no folder for it")?;
    // A copy: another build may replace the original while this runs.
    let binary = folder.path().join("jarvis");
    std::fs::copy(&arguments.binary, &binary).with_context(|| {
        let (from, to) = (arguments.binary.display(), binary.display());
        format!("the server {from} cannot be copied to {to}")
    })?;
    let ground = Ground::make(&binary).await;
    let ground = Arc::new(ground.context("the server does not start in an empty folder")?);
    let binary = Arc::new(binary);
    let scenarios = scenarios::all(&ground).await?;
    let scenarios = scenarios.into_iter().filter(|scenario| {
        let wanted = arguments.scenario.as_deref();
        wanted.is_none_or(|name| scenario.name.starts_with(name))
    });
    let cycles = scenarios.map(|scenario| Cycle {
        binary: Arc::clone(&binary),
        ground: Arc::clone(&ground),
        scenario: Arc::new(scenario),
    });
    let cycles: Vec<_> = cycles.collect();
    let mut lines = Vec::new();
    if arguments.short {
        lines = play_short(&cycles, &arguments).await?;
    } else {
        for cycle in &cycles {
            lines.push(play(cycle, &arguments).await?);
        }
    }
    let kills: usize = lines.iter().map(|line| line.kills).sum();
    let failed: usize = lines.iter().map(|line| line.failures).sum();
    table::print(&lines, started.elapsed());
    if kills < arguments.least {
        println!(
            "Only {kills} kills; at least {} are wanted.",
            arguments.least
        );
    }
    println!("{kills} kills, {failed} failed");
    let good = failed == 0 && kills >= arguments.least && !lines.is_empty();
    Ok(ExitCode::from(u8::from(!good)))
}

/// All scenarios at once, killed at the points that are named for them.
async fn play_short(cycles: &[Cycle], arguments: &Arguments) -> anyhow::Result<Vec<Line>> {
    let names = cycles.iter().map(|cycle| cycle.scenario.name);
    let mut lines: Vec<_> = names.map(Line::new).collect();
    let mut work = Vec::new();
    for (number, cycle) in cycles.iter().enumerate() {
        let Scenario { name, short, .. } = *cycle.scenario;
        ensure!(!short.is_empty(), "{name} has no points for the short form");
        lines[number].points = short.len();
        let named = short.iter().map(|part| (number, At::Named(part)));
        work.extend(named.flat_map(|at| iter::repeat_n(at, arguments.times)));
    }
    let (killed, tells) = tokio::join!(
        kill(cycles, work, arguments.jobs, &mut lines),
        tells_what_is_not_reached(cycles)
    );
    killed?;
    if let (Err(error), Some(line)) = (tells, lines.first_mut()) {
        fail(line, NOWHERE, &error);
    }
    Ok(lines)
}

/// Part of no point's name.
const NOWHERE: &str = "a point that is nowhere";

/// Checks the harness itself: a point that is not reached is no kill, but a failure with its name.
async fn tells_what_is_not_reached(cycles: &[Cycle]) -> anyhow::Result<()> {
    let cycle = cycles.first().context("no scenario")?.clone();
    let told = match cycle.kill_at(At::Named(NOWHERE)).await {
        Ok(survived) => format!("{} kills", survived.kills),
        Err(error) => format!("{error:#}"),
    };
    let wanted = format!("the point {NOWHERE:?} was not reached");
    ensure!(told.contains(&wanted), "it is told as {told}");
    Ok(())
}

/// One scenario: once without a fault to count its points, then once for each of them, or for
/// those that its [`Sample`] takes.
async fn play(cycle: &Cycle, arguments: &Arguments) -> anyhow::Result<Line> {
    let scenario = &cycle.scenario;
    let mut lines = [Line::new(scenario.name)];
    let points = match cycle.clone().count().await {
        Ok(points) => points,
        Err(error) => {
            fail(&mut lines[0], "no point", &error);
            Vec::new()
        }
    };
    lines[0].points = points.len();
    if arguments.points {
        for point in &points {
            println!("{:24} {point}", scenario.name);
        }
    }
    let sample = if arguments.all {
        Sample::All
    } else {
        scenario.sample
    };
    let at = match arguments.at {
        Some(number) => vec![At::number(number)],
        None => sample.of(&points),
    };
    let work = at.into_iter().map(|at| (0, at));
    let work = work.flat_map(|at| iter::repeat_n(at, arguments.times));
    kill(
        std::slice::from_ref(cycle),
        work.collect(),
        arguments.jobs,
        &mut lines,
    )
    .await?;
    let [line] = lines;
    println!(
        "{}: {} kills, {} failed",
        scenario.name, line.kills, line.failures
    );
    Ok(line)
}

/// Kills the server at these points of these scenarios, some at the same time.
async fn kill(
    cycles: &[Cycle],
    work: Vec<(usize, At)>,
    jobs: usize,
    lines: &mut [Line],
) -> anyhow::Result<()> {
    let mut ends = stream::iter(work)
        .map(|(number, at)| {
            let cycle = cycles.get(number).cloned();
            let point = at.clone();
            let work = tokio::spawn(async move {
                let cycle = cycle.context("no such scenario")?;
                cycle.kill_at(point).await
            });
            async move { (number, at, work.await) }
        })
        .buffer_unordered(jobs.max(1));
    while let Some((number, at, result)) = ends.next().await {
        let line = lines.get_mut(number).context("no such line")?;
        match result.context("a cycle panicked").and_then(|result| result) {
            Ok(survived) => line.add(survived),
            Err(error) => {
                fail(line, &at.to_string(), &error);
            }
        }
    }
    Ok(())
}

fn fail(line: &mut Line, at: &str, error: &anyhow::Error) {
    // Cards and results of tools are long.
    let why: String = format!("{error:#}").chars().take(1500).collect();
    println!("FAILED {} at {at}: {why}", line.name);
    line.failures += 1;
}
