//! `jarvis markets`: brings files, and the data that comes with Jarvis, into the database.

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::Context;
use clap::Subcommand;
use markets::{Instrument, Timeframe, Upserted, symbols::settle};
use markets_tables::MarketsTables;
use protocol::UserId;
use store::DomainDatabase;

use super::{
    MarketsOptions,
    imports::{ImportAnswer, ImportKind, WantedImport, ask, perform},
    texts,
};
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
    /// importing it again changes nothing. A running server does it. Exit codes: 0 imported, 1 a
    /// line is invalid, 2 not readable
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
        /// Identifier of the user who alone sees the trades; without it, everybody does
        #[arg(long, value_name = "USER")]
        only_for: Option<UserId>,
    },
    /// Import the data that ships with Jarvis: real EUR/USD candles of 2017, and an invented
    /// calendar, headlines, reports and trades, marked as such
    Samples {
        #[command(flatten)]
        data: DataArgs,
    },
    /// Delete data for good. A running server does it
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
            only_for: owner,
            ..
        } => {
            let files = files_of(&file).with_context(|| file.display().to_string())?;
            let wanted = WantedImport::File {
                what,
                symbol,
                timeframe,
                owner,
            };
            runtime()?.block_on(change(&folder, &configured, &wanted, &files))?
        }
        MarketsCommand::Samples { .. } => {
            let wanted = WantedImport::Samples;
            runtime()?.block_on(change(&folder, &configured, &wanted, &[PathBuf::new()]))?
        }
        MarketsCommand::Forget {
            what: Forgotten::Samples,
            ..
        } => {
            let wanted = WantedImport::Forget;
            runtime()?.block_on(change(&folder, &configured, &wanted, &[PathBuf::new()]))?
        }
    };
    Ok(ExitCode::from(u8::from(!taken)))
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

/// Changes the stored data, or has the server do it that has the database open. Gives whether all files were
/// taken; what is wrong with a line is reported.
///
/// # Errors
/// A file or the database cannot be opened or fails, or no such symbol is declared.
async fn change(
    folder: &Path,
    configured: &[Instrument],
    wanted: &WantedImport,
    files: &[PathBuf],
) -> anyhow::Result<bool> {
    let database = match DomainDatabase::open(folder).await {
        Ok(database) => database,
        Err(store::Error::InUse(_)) => return each(None, folder, wanted, files).await,
        Err(error) => return Err(error.into()),
    };
    let taken = async {
        let tables = MarketsTables::open(&database).await?;
        settle(&tables, configured).await?;
        each(Some(&tables), folder, wanted, files).await
    };
    let taken = taken.await;
    database.close().await?;
    taken
}

/// Does it with each file: on the tables, or else by the server.
async fn each(
    tables: Option<&MarketsTables>,
    folder: &Path,
    wanted: &WantedImport,
    files: &[PathBuf],
) -> anyhow::Result<bool> {
    let mut stored = Upserted::default();
    let mut is_taken = true;
    for file in files {
        let answer = match tables {
            Some(tables) => perform(tables, wanted, file).await,
            None => ask(folder, wanted, file).await?,
        };
        match answer {
            ImportAnswer::Stored { written, unchanged } => {
                stored += Upserted { written, unchanged };
            }
            ImportAnswer::Deleted(rows) => {
                print(&texts::rows_deleted(rows))?;
                return Ok(true);
            }
            // The other files of a folder may be in order.
            ImportAnswer::Refused(why) => {
                report(&format!("jarvis: {}: {why}", file.display()));
                is_taken = false;
            }
            ImportAnswer::Failed(why) => {
                let of = match wanted {
                    WantedImport::File { .. } => format!("{}: ", file.display()),
                    WantedImport::Samples | WantedImport::Forget => String::new(),
                };
                anyhow::bail!("{of}{why}");
            }
        }
    }
    if is_taken || stored != Upserted::default() {
        let Upserted { written, unchanged } = stored;
        let rows = written + unchanged;
        print(&texts::rows_written_unchanged(rows, written, unchanged))?;
    }
    Ok(is_taken)
}
