//! The sets of `jarvis-bench engine`.

mod steady;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, ValueEnum};

use crate::{machine, process::World, report::Report};

#[derive(Args)]
pub(crate) struct Options {
    /// The server: a release build of `jarvis`
    #[arg(long, value_name = "FILE")]
    binary: PathBuf,
    /// Where temporary data goes: a folder on a real disk
    #[arg(long, value_name = "FOLDER")]
    folder: PathBuf,
    /// Where the figures go
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Figures of an earlier run, to print the change
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,
    /// Which sets, in place of all
    #[arg(value_enum)]
    sets: Vec<Set>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Set {
    /// Latency per token and added time to first token at 20, 100 and 400 sessions
    Steady,
}

impl Set {
    fn name(self) -> String {
        self.to_possible_value()
            .map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

pub(crate) async fn run(options: Options) -> Result<()> {
    machine::keep_on(machine::OTHERS)?;
    machine::open_many_files()?;
    let mut report = Report::start("engine");
    let sets = match options.sets.as_slice() {
        [] => Set::value_variants(),
        some => some,
    };
    for set in sets {
        eprintln!("{} …", set.name());
        let world = World::start(&options.binary, &options.folder)?;
        match set {
            Set::Steady => steady::run(&world, &mut report).await?,
        }
    }
    report.finish(options.json.as_deref(), options.compare.as_deref())
}
