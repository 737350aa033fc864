//! `jarvis markets`: brings files, and the data that comes with Jarvis, into the database.

use std::{
    fs::File,
    io::BufReader,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::Context;
use clap::{Args, Subcommand};
use markets::{
    Instrument, Timeframe, Upserted,
    intake::{self, IntakeError, Records},
    symbols::{declared, settle},
};
use markets_tables::MarketsTables;
use store::DomainDatabase;

use super::{MarketsOptions, texts};
use crate::{
    config::Section,
    subcommand::{DataArgs, REFUSED, Run, or_refused, print, report, runtime},
};

#[derive(Subcommand)]
pub(super) enum Command {
    /// Import data for market charts
    Markets {
        #[command(subcommand)]
        command: MarketsCommand,
    },
}

#[derive(Subcommand)]
pub(super) enum MarketsCommand {
    /// Import a file, all of it or nothing; importing it again changes nothing. Exit codes: 0
    /// imported, 1 a line is invalid, 2 not readable. The server must not be running
    Import {
        #[command(flatten)]
        data: DataArgs,
        #[command(flatten)]
        import: FileImport,
    },
    /// Import the data that ships with Jarvis: real EUR/USD candles of 2017, and an invented
    /// calendar, headlines, reports and trades, marked as such
    Samples {
        #[command(flatten)]
        data: DataArgs,
    },
    /// Delete data for good. The server must not be running
    Forget {
        #[command(flatten)]
        data: DataArgs,
        /// Data to delete
        what: Forgotten,
    },
}

// A file, and its kind of data. No doc comment: it would become the help of the command.
#[derive(Args)]
pub(super) struct FileImport {
    /// Kind of data in the file
    what: ImportKind,
    file: PathBuf,
    /// Symbol of the candles
    #[arg(long, default_value = "EURUSD")]
    symbol: String,
    /// Timeframe of the candles
    #[arg(long, default_value_t = Timeframe::H1)]
    timeframe: Timeframe,
}

/// Kinds of data that can be deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Forgotten {
    /// The data that ships with Jarvis; it does not come back
    Samples,
}

/// Kinds of data in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum ImportKind {
    /// Prices: time, open, high, low, close and optionally volume; times in UTC
    Candles,
    /// The CFTC's legacy report on positions, futures only
    Cot,
    /// Economic releases: CSV with a header line
    Calendar,
    /// Trades: CSV with a header line
    Trades,
    /// Headlines: CSV with a header line, or one JSON object per line
    Headlines,
}

impl Run for Command {
    fn run(self, sections: &[Section]) -> anyhow::Result<ExitCode> {
        let Self::Markets { command } = self;
        Ok(or_refused(bring_in(command, sections)))
    }
}

fn bring_in(command: MarketsCommand, sections: &[Section]) -> anyhow::Result<ExitCode> {
    let (MarketsCommand::Import { data, .. }
    | MarketsCommand::Samples { data }
    | MarketsCommand::Forget { data, .. }) = &command;
    let Some(config) = data.clone().config(sections) else {
        return Ok(ExitCode::from(REFUSED));
    };
    let options = config.domain::<MarketsOptions>();
    let configured = options.map_or_else(Vec::new, |options| options.symbols.clone());
    let folder = config.server.data_dir.value;
    let taken = match command {
        MarketsCommand::Import { import, .. } => {
            runtime()?.block_on(import.run(&folder, &configured))?
        }
        MarketsCommand::Samples { .. } => {
            runtime()?.block_on(samples(&folder))?;
            true
        }
        MarketsCommand::Forget {
            what: Forgotten::Samples,
            ..
        } => {
            runtime()?.block_on(forget_samples(&folder))?;
            true
        }
    };
    Ok(ExitCode::from(u8::from(!taken)))
}

impl FileImport {
    /// Brings the file in. Gives whether it was taken; what is wrong with a line is reported.
    ///
    /// # Errors
    /// The file or the database cannot be opened or fails, or no such symbol is declared.
    async fn run(&self, folder: &Path, configured: &[Instrument]) -> anyhow::Result<bool> {
        let database = DomainDatabase::open(folder).await?;
        let taken = self.run_on(&database, configured).await;
        database.close().await?;
        taken
    }

    async fn run_on(
        &self,
        database: &DomainDatabase,
        configured: &[Instrument],
    ) -> anyhow::Result<bool> {
        let tables = MarketsTables::open(database).await?;
        settle(&tables, configured).await?;
        let symbol = declared(&self.symbol)?;
        let open = || File::open(&self.file).map(BufReader::new);
        let taken = match self.what {
            ImportKind::Candles => intake::candles(open, symbol, self.timeframe, &tables).await,
            ImportKind::Cot => intake::records(open, Records::Cot, &tables).await,
            ImportKind::Calendar => intake::records(open, Records::Calendar, &tables).await,
            ImportKind::Trades => intake::records(open, Records::Trades, &tables).await,
            ImportKind::Headlines => intake::records(open, Records::Headlines, &tables).await,
        };
        match taken {
            Ok(done) => {
                print(&told(done))?;
                Ok(true)
            }
            Err(IntakeError::Import(error)) => {
                report(&format!("jarvis: {}: {error}", self.file.display()));
                Ok(false)
            }
            Err(error) => Err(error).with_context(|| self.file.display().to_string()),
        }
    }
}

/// Brings in the data that comes with Jarvis.
///
/// # Errors
/// The database cannot be opened or fails.
async fn samples(folder: &Path) -> anyhow::Result<()> {
    let database = DomainDatabase::open(folder).await?;
    let tables = MarketsTables::open(&database).await?;
    let done = intake::samples(&tables, &tables).await;
    database.close().await?;
    print(&told(done?))
}

/// Deletes the data that comes with Jarvis.
///
/// # Errors
/// The database cannot be opened or fails.
async fn forget_samples(folder: &Path) -> anyhow::Result<()> {
    let database = DomainDatabase::open(folder).await?;
    let tables = MarketsTables::open(&database).await?;
    let gone = intake::forget_samples(&tables, &tables, &tables).await;
    database.close().await?;
    print(&texts::rows_deleted(gone?))
}

fn told(done: Upserted) -> String {
    let Upserted { written, unchanged } = done;
    let rows = written + unchanged;
    texts::rows_written_unchanged(rows, written, unchanged)
}
