#![doc = include_str!("../README.md")]
#![expect(
    clippy::print_stdout,
    reason = "a command line tool: standard output is its interface"
)]
// Figures are shown with three digits.
#![allow(
    clippy::cast_precision_loss,
    reason = "counts and times are far below what a float holds exactly"
)]

mod board;
mod browser;
mod clock;
mod domains;
mod engine;
mod fill;
mod gate;
mod idle_tab;
mod journal;
mod load;
mod machine;
mod meter;
mod peers;
mod process;
mod report;
mod samples;
mod session;
mod socket;
mod tab;
mod texts;
mod upstream;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Parser, Subcommand};

/// Measures Jarvis.
#[derive(Parser)]
#[command(name = "jarvis-bench", disable_help_subcommand = true)]
struct BenchCli {
    #[command(subcommand)]
    command: BenchCommand,
}

#[derive(Subcommand)]
enum BenchCommand {
    /// Run the fake model until standard input ends
    Upstream {
        /// Port on loopback; 0 takes a free one
        #[arg(long, default_value_t = 0)]
        port: u16,
    },
    /// Measure the server
    Engine(engine::EngineOptions),
    /// Measure the server and a reference server under the same loads
    Peers(peers::PeersOptions),
    /// Measure the journal
    Store(journal::JournalOptions),
    /// Measure what the gate and the journal add to a tool call
    Gate(gate::GateOptions),
    #[command(flatten)]
    Domain(domains::DomainCommand),
    /// Make one table of figures that another program has collected, one in a line
    Browser(report::ReportLines),
    /// Write a long conversation into a folder where no server runs, and print its id
    Fill {
        #[arg(long, value_name = "FOLDER")]
        data: PathBuf,
        #[arg(long, default_value_t = 10_000)]
        messages: usize,
    },
    /// Print figures that were written
    Show {
        file: PathBuf,
        /// Figures of an earlier run, to print the change
        #[arg(long, value_name = "FILE")]
        compare: Option<PathBuf>,
    },
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    match BenchCli::parse().command {
        BenchCommand::Upstream { port } => upstream::run(port).await,
        BenchCommand::Engine(options) => engine::run(options).await,
        BenchCommand::Peers(options) => peers::run(options).await,
        BenchCommand::Store(options) => journal::run(options).await,
        BenchCommand::Gate(options) => gate::run(options).await,
        BenchCommand::Domain(command) => command.run().await,
        BenchCommand::Browser(lines) => lines.table("browser"),
        BenchCommand::Fill { data, messages } => {
            println!("{}", fill::fill(&data, messages).await?);
            Ok(())
        }
        BenchCommand::Show { file, compare } => {
            let before = compare.as_deref().map(report::Report::read).transpose()?;
            report::Report::read(&file)?.show(before.as_ref());
            Ok(())
        }
    }
}
