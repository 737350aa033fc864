//! `jarvis markets`: brings files, and the data that comes with Jarvis, into the database.

use std::{
    fs::File,
    io::BufReader,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::Context;
use clap::Subcommand;
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
    /// Import a file, all of it or nothing, or each file of a folder in the order of their names;
    /// importing it again changes nothing. Exit codes: 0 imported, 1 a line is invalid, 2 not
    /// readable. The server must not be running
    Import {
        #[command(flatten)]
        data: DataArgs,
        /// Kind of data in the file
        what: ImportKind,
        /// File, or folder of such files
        file: PathBuf,
        /// Symbol of the candles
        #[arg(long, default_value = "EURUSD")]
        symbol: String,
        /// Timeframe of the candles
        #[arg(long, default_value_t = Timeframe::H1)]
        timeframe: Timeframe,
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
    /// Headlines: CSV with a header line, one JSON object per line, or an RSS or Atom feed
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
        MarketsCommand::Import {
            what,
            file,
            symbol,
            timeframe,
            ..
        } => {
            let import = import(&folder, &configured, what, &file, &symbol, timeframe);
            runtime()?.block_on(import)?
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

/// Brings a file in. Gives whether it was taken; what is wrong with a line is reported.
///
/// # Errors
/// The file or the database cannot be opened or fails, or no such symbol is declared.
async fn import(
    folder: &Path,
    configured: &[Instrument],
    what: ImportKind,
    file: &Path,
    symbol: &str,
    frame: Timeframe,
) -> anyhow::Result<bool> {
    let database = DomainDatabase::open(folder).await?;
    let taken = import_into(&database, configured, what, file, symbol, frame).await;
    database.close().await?;
    taken
}

async fn import_into(
    database: &DomainDatabase,
    configured: &[Instrument],
    what: ImportKind,
    file: &Path,
    symbol: &str,
    frame: Timeframe,
) -> anyhow::Result<bool> {
    let tables = MarketsTables::open(database).await?;
    settle(&tables, configured).await?;
    let symbol = declared(symbol)?;
    let mut done = Upserted::default();
    let mut is_taken = true;
    for file in files_of(file).with_context(|| file.display().to_string())? {
        let open = || File::open(&file).map(BufReader::new);
        let taken = match what {
            ImportKind::Candles => intake::candles(open, symbol, frame, &tables).await,
            ImportKind::Cot => intake::records(open, Records::Cot, &tables).await,
            ImportKind::Calendar => intake::records(open, Records::Calendar, &tables).await,
            ImportKind::Trades => intake::records(open, Records::Trades, &tables).await,
            ImportKind::Headlines => intake::records(open, Records::Headlines, &tables).await,
        };
        match taken {
            Ok(more) => done += more,
            // The other files of a folder may be in order.
            Err(IntakeError::Import(error)) => {
                report(&format!("jarvis: {}: {error}", file.display()));
                is_taken = false;
            }
            Err(error) => return Err(error).with_context(|| file.display().to_string()),
        }
    }
    if is_taken || done != Upserted::default() {
        print(&told(done))?;
    }
    Ok(is_taken)
}

/// The file itself, or the files of a folder by name, without hidden ones.
fn files_of(path: &Path) -> std::io::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path)? {
        let entry = entry?;
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        let file = entry.path();
        if !is_hidden && file.is_file() {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
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
