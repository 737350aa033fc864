//! Changes of the stored data by `jarvis markets`: by the command itself, or by the server that has the
//! database open. The command then leaves a request in the data folder, and waits for the answer there.

use std::{
    io::{BufRead, BufReader, ErrorKind},
    path::{Path, PathBuf},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use anyhow::Context;
use markets::{
    CandleStore, Symbol, Timeframe, Upserted,
    intake::{self, IntakeError, Records},
    symbols::declared,
};
use markets_tables::MarketsTables;
use protocol::UserId;
use serde::{Deserialize, Serialize};
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use super::{regular_file, texts};

/// Folder of requests and answers, within the data folder.
const FOLDER: &str = "imports";
/// Interval between two looks of the server, and of a command that waits.
const PACE: Duration = Duration::from_secs(1);
const LOOK: Duration = Duration::from_millis(100);
/// Time in which a server takes a request. What it does then may take longer.
const PATIENCE: Duration = Duration::from_secs(20);
/// Age of files that a killed command has left behind.
const LEFT_BEHIND: Duration = Duration::from_secs(24 * 3_600);

/// Endings of the files of one request.
const DATA: &str = "data";
const PART: &str = "part";
const REQUEST: &str = "request";
const TAKEN: &str = "taken";
const ANSWER: &str = "answer";

/// Kinds of data in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ImportKind {
    /// Prices: time, open, high, low, close and optionally volume, in this order or below a header line,
    /// between commas, semicolons or tabs; times in UTC or with an offset
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

/// A change of the stored data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum WantedImport {
    /// A file comes in.
    File {
        what: ImportKind,
        /// Of candles.
        symbol: String,
        timeframe: Timeframe,
        /// Of trades: the user who alone sees them.
        #[serde(default)]
        owner: Option<UserId>,
    },
    /// The data that ships with Jarvis comes in.
    Samples,
    /// That data goes, for good.
    Forget,
}

/// Outcome of one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ImportAnswer {
    Stored {
        written: u64,
        unchanged: u64,
    },
    Deleted(u64),
    /// A line is invalid.
    Refused(String),
    /// The file or the database fails, or no such symbol is declared.
    Failed(String),
}

impl From<Upserted> for ImportAnswer {
    fn from(Upserted { written, unchanged }: Upserted) -> Self {
        Self::Stored { written, unchanged }
    }
}

/// Changes the stored data. `file` is read for [`WantedImport::File`] alone.
pub(super) async fn perform(
    tables: &MarketsTables,
    wanted: &WantedImport,
    file: &Path,
) -> ImportAnswer {
    let open = || regular_file::open(file).map(BufReader::new);
    perform_on(tables, wanted, open).await
}

/// The same with what `open` opens.
pub(super) async fn perform_on<R: BufRead + Send>(
    tables: &MarketsTables,
    wanted: &WantedImport,
    open: impl Fn() -> std::io::Result<R>,
) -> ImportAnswer {
    let taken = match wanted {
        WantedImport::Samples => {
            let done = intake::samples(tables, tables).await;
            tables.count_import(Symbol::EurUsd);
            done.map_err(IntakeError::from)
        }
        WantedImport::Forget => {
            return match intake::forget_samples(tables, tables, tables).await {
                Ok(rows) => ImportAnswer::Deleted(rows),
                Err(error) => ImportAnswer::Failed(error.to_string()),
            };
        }
        WantedImport::File {
            what,
            owner: Some(_),
            ..
        } if *what != ImportKind::Trades => {
            return ImportAnswer::Refused(texts::ONLY_TRADES_ARE_PRIVATE.to_owned());
        }
        WantedImport::File {
            what,
            symbol,
            timeframe,
            owner,
        } => match what {
            ImportKind::Candles => match declared(symbol) {
                Ok(symbol) => intake::candles(open, symbol, *timeframe, tables).await,
                Err(unknown) => return ImportAnswer::Failed(unknown.to_string()),
            },
            ImportKind::Cot => intake::records(open, Records::Cot, tables).await,
            ImportKind::Calendar => intake::records(open, Records::Calendar, tables).await,
            ImportKind::Trades => {
                let owner = owner.map(|owner| owner.to_string());
                intake::trades(open, owner.as_deref(), tables).await
            }
            ImportKind::Headlines => intake::records(open, Records::Headlines, tables).await,
        },
    };
    match taken {
        Ok(done) => done.into(),
        Err(IntakeError::Import(error)) => ImportAnswer::Refused(error.to_string()),
        Err(error) => ImportAnswer::Failed(error.to_string()),
    }
}

/// Asks the server that has the database open. The file is copied: the server may not be allowed to read
/// where it is.
///
/// # Errors
/// The file or the folder cannot be read or written, or no server takes the request.
pub(super) async fn ask(
    data: &Path,
    wanted: &WantedImport,
    file: &Path,
) -> anyhow::Result<ImportAnswer> {
    let folder = data.join(FOLDER);
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?;
    let name = format!("{}-{}", std::process::id(), now.as_nanos());
    let place = |ending: &str| folder.join(format!("{name}.{ending}"));
    if matches!(wanted, WantedImport::File { .. }) {
        std::fs::copy(file, place(DATA)).with_context(|| file.display().to_string())?;
    }
    std::fs::write(place(PART), serde_json::to_vec(wanted)?)?;
    std::fs::rename(place(PART), place(REQUEST))?;
    let start = Instant::now();
    loop {
        match std::fs::read(place(ANSWER)) {
            Ok(answer) => {
                std::fs::remove_file(place(ANSWER))?;
                return Ok(serde_json::from_slice(&answer)?);
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error.into()),
        }
        // Whoever moves or removes the request first has it.
        if start.elapsed() > PATIENCE && std::fs::remove_file(place(REQUEST)).is_ok() {
            std::fs::remove_file(place(DATA)).unwrap_or_default();
            anyhow::bail!(texts::SERVER_TAKES_NO_IMPORTS);
        }
        tokio::time::sleep(LOOK).await;
    }
}

/// The requests of commands, as the server does them. One that a killed server has taken is done again,
/// which changes nothing.
pub(super) struct ImportRequests {
    folder: PathBuf,
    tables: MarketsTables,
}

impl ImportRequests {
    pub(super) fn new(data: &Path, tables: MarketsTables) -> Self {
        Self {
            folder: data.join(FOLDER),
            tables,
        }
    }

    /// Does what is requested until it is stopped.
    pub(super) async fn run(self, stop: CancellationToken) {
        while !stop.is_cancelled() {
            self.round().await;
            tokio::select! {
                () = stop.cancelled() => {}
                () = tokio::time::sleep(PACE) => {}
            }
        }
    }

    /// Looks at the folder once.
    async fn round(&self) {
        let (folder, tables) = (self.folder.clone(), self.tables.clone());
        let done = tokio::task::spawn_blocking(move || answer_all(&folder, &tables)).await;
        let done = done.map_err(std::io::Error::other).flatten();
        if let Err(error) = done {
            tracing::warn!(%error, "imports of commands not done, trying again");
        }
    }
}

/// Answers each request of the folder, which is missing before the first one.
fn answer_all(folder: &Path, tables: &MarketsTables) -> std::io::Result<()> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    for entry in entries {
        let file = entry?.path();
        let ending = file.extension().and_then(|it| it.to_str());
        match ending {
            Some(REQUEST) => {
                let taken = file.with_extension(TAKEN);
                // The command may have given up.
                if std::fs::rename(&file, &taken).is_ok() {
                    answer(&taken, tables)?;
                }
            }
            Some(TAKEN) => answer(&file, tables)?,
            _ if is_left_behind(&file) => std::fs::remove_file(&file)?,
            _ => {}
        }
    }
    Ok(())
}

fn answer(taken: &Path, tables: &MarketsTables) -> std::io::Result<()> {
    let data = taken.with_extension(DATA);
    let answer = match serde_json::from_slice::<WantedImport>(&std::fs::read(taken)?) {
        Ok(wanted) => Handle::current().block_on(perform(tables, &wanted, &data)),
        Err(error) => ImportAnswer::Failed(error.to_string()),
    };
    let is_done = matches!(
        answer,
        ImportAnswer::Stored { .. } | ImportAnswer::Deleted(_)
    );
    tracing::info!(is_done, "request of a command answered");
    let part = taken.with_extension(PART);
    std::fs::write(&part, serde_json::to_vec(&answer)?)?;
    std::fs::rename(&part, taken.with_extension(ANSWER))?;
    std::fs::remove_file(taken)?;
    match std::fs::remove_file(&data) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn is_left_behind(file: &Path) -> bool {
    let modified = file.metadata().and_then(|data| data.modified());
    let age = modified.ok().and_then(|at| at.elapsed().ok());
    age.is_some_and(|age| age > LEFT_BEHIND)
}
