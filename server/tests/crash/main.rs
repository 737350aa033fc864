//! `cargo xtask crash`: kills the real server at the points that it passes, starts it again, and
//! checks against an effect ledger outside of it that nothing was lost, doubled or done unasked.
#![expect(
    clippy::print_stdout,
    reason = "a command line tool: standard output is its interface"
)]

mod check;
mod cycle;
mod ledger;
mod process;
mod scenario;
mod scenarios;
mod standins;
mod tab;
mod table;

use std::{path::PathBuf, process::ExitCode, sync::Arc};

use anyhow::Context;
use clap::Parser;
use futures::{StreamExt, stream};

use crate::{
    cycle::Cycle,
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
}

fn main() -> anyhow::Result<ExitCode> {
    let arguments = Arguments::parse();
    // Plain HTTP for the most part, but the library wants a provider.
    rustls::crypto::ring::default_provider()
        .install_default()
        .ok();
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?
        .block_on(run(arguments))
}

async fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let started = std::time::Instant::now();
    let folder = tempfile::tempdir()?;
    // A copy: another build may replace the original while this runs.
    let binary = folder.path().join("jarvis");
    std::fs::copy(&arguments.binary, &binary).context("cannot copy the binary")?;
    let binary: Arc<PathBuf> = Arc::new(binary);
    let mut lines = Vec::new();
    for scenario in scenarios::all() {
        let wanted = arguments.scenario.as_deref();
        if wanted.is_none_or(|name| scenario.name.starts_with(name)) {
            let line = play(&binary, Arc::new(scenario), &arguments).await?;
            lines.push(line);
        }
    }
    let kills: usize = lines.iter().map(|line| line.kills).sum();
    let failed: usize = lines.iter().map(|line| line.failures.len()).sum();
    table::print(&lines, started.elapsed());
    if kills < arguments.least {
        println!(
            "Only {kills} kills; at least {} are wanted.",
            arguments.least
        );
    }
    let good = failed == 0 && kills >= arguments.least && !lines.is_empty();
    Ok(ExitCode::from(u8::from(!good)))
}

/// One scenario: once without a fault to count its points, then once for each of them, or for
/// those that its [`Sample`] takes.
async fn play(
    binary: &Arc<PathBuf>,
    scenario: Arc<Scenario>,
    arguments: &Arguments,
) -> anyhow::Result<Line> {
    let mut line = Line::new(scenario.name);
    let counted = Cycle::new(binary, &scenario).count().await;
    let points = counted.with_context(|| format!("{}, without a fault", scenario.name))?;
    line.points = points.len();
    if arguments.points {
        for point in &points {
            println!("{:24} {point}", scenario.name);
        }
    }
    let sample = match arguments.all {
        true => Sample::All,
        false => scenario.sample,
    };
    let numbers = match arguments.at {
        Some(at) => vec![at],
        None => sample.numbers(&points),
    };
    let mut cycles = stream::iter(numbers)
        .map(|at| {
            let cycle = Cycle::new(binary, &scenario);
            let work = tokio::spawn(async move { cycle.kill_at(at).await });
            async move { (at, work.await) }
        })
        .buffer_unordered(arguments.jobs.max(1));
    while let Some((at, result)) = cycles.next().await {
        match result.context("a cycle panicked").and_then(|result| result) {
            Ok(survived) => line.add(survived),
            Err(error) => {
                let name = usize::try_from(at)
                    .ok()
                    .and_then(|at| points.get(at - 1))
                    .map_or("", String::as_str);
                // Cards and results of tools are long.
                let why: String = format!("{error:#}").chars().take(1500).collect();
                println!("FAILED {} at {name}: {why}", scenario.name);
                line.failures.push(at);
            }
        }
    }
    println!(
        "{}: {} kills, {} failed",
        scenario.name,
        line.kills,
        line.failures.len()
    );
    Ok(line)
}
