//! The sets of `jarvis-bench engine`.

mod agui;
mod burst;
mod crash;
mod idle;
mod long;
mod monitoring;
mod start;
mod steady;
mod steps;
pub(crate) mod tools;

use anyhow::Result;
use clap::{Args, ValueEnum};

use crate::{
    domains, machine,
    process::{Measured, MeasuredWorld},
    report::{Report, ReportOutput},
};

#[derive(Args)]
pub(crate) struct EngineOptions {
    #[command(flatten)]
    measured: Measured,
    #[command(flatten)]
    output: ReportOutput,
    /// Sets to run, in place of all
    #[arg(value_enum)]
    sets: Vec<Set>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Set {
    /// Latency per token and added time to first token at 20, 100 and 400 sessions
    Steady,
    /// Tokens a second with p99 under 50 ms
    Steps,
    /// Answers that come as fast as they are taken
    Burst,
    /// Memory with 0, 100, 1,000 and 10,000 connections
    Idle,
    /// Around GREEN and RED calls
    Tools,
    /// kill -9 in mid-answer
    Crash,
    /// From start to the first 200
    Start,
    /// A conversation of 10,000 messages
    Long,
    /// Times to the first event and the first token over AG-UI, beside the websocket's
    Agui,
    /// Processor time per token with metrics that are read every second, and with traces, beside that without
    Monitoring,
}

impl Set {
    fn name(self) -> String {
        self.to_possible_value()
            .map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

pub(crate) async fn run(options: EngineOptions) -> Result<()> {
    machine::keep_on(machine::OTHERS)?;
    let files = machine::open_many_files()?;
    let mut report = Report::start("engine");
    let sets = match options.sets.as_slice() {
        [] => Set::value_variants(),
        some => some,
    };
    for set in sets {
        eprintln!("{} …", set.name());
        let mut world = MeasuredWorld::start(&options.measured, domains::system)?;
        let result = match set {
            Set::Steady => steady::run(&world, &mut report).await,
            Set::Steps => steps::run(&world, &mut report).await,
            Set::Burst => burst::run(&world, &mut report).await,
            Set::Idle => idle::run(&world, &mut report, files).await,
            Set::Tools => tools::run(&world, &mut report).await,
            Set::Crash => crash::run(&world, &mut report).await,
            Set::Start => start::run(&world, &mut report).await,
            Set::Long => long::run(&world, &mut report).await,
            Set::Agui => agui::run(&world, &mut report).await,
            Set::Monitoring => monitoring::run(&mut world, &mut report).await,
        };
        if let Err(error) = result {
            // The figures of the sets before it still count.
            report.note(format!("{} failed: {error}", set.name()));
            eprintln!("{}", world.log());
        }
    }
    report.finish(&options.output)
}
