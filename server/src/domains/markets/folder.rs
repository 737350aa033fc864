//! A folder of files that is watched: one that has changed is imported as soon as it stays the same for a
//! round.

use std::{
    collections::{BTreeMap, HashMap},
    ffi::{OsStr, OsString},
    fs::File,
    io::{BufReader, Read as _},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use markets::{
    Upserted,
    candle_folder::{EXTENSIONS, FileKind, FolderProblems, of_name},
    intake::{self, IntakeError},
};
use markets_tables::MarketsTables;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use super::{regular_file, texts};

/// Interval between rounds.
const PACE: Duration = Duration::from_secs(1);
/// The most files of a folder.
const MOST_FILES: usize = 500;
/// The largest file, in bytes: each change is read from its beginning.
const LARGEST: u64 = 16 * 1024 * 1024;
/// Rounds in which a file may change without being read.
const RESTLESS: u32 = 8;
/// Characters of a name that are shown.
const SHOWN_NAME: usize = 64;

/// The state of a file, by which a change is noticed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FileStamp {
    modified: Option<SystemTime>,
    length: u64,
}

/// A file as it was in the last round.
#[derive(Debug)]
struct SeenFile {
    stamp: FileStamp,
    /// Rounds in a row in which it had changed.
    changes: u32,
    is_read: bool,
    problem: Option<String>,
}

/// The reason why a file is not imported.
struct UnreadFile {
    why: String,
    /// True if it will be the same until the file changes.
    is_lasting: bool,
}

impl UnreadFile {
    fn lasting(why: String) -> Self {
        Self {
            why,
            is_lasting: true,
        }
    }

    fn passing(error: &dyn std::fmt::Display) -> Self {
        Self {
            why: error.to_string(),
            is_lasting: false,
        }
    }
}

/// The folder, with what was seen of it.
pub(super) struct CandleFolder {
    path: PathBuf,
    tables: MarketsTables,
    problems: FolderProblems,
    seen: HashMap<OsString, SeenFile>,
}

impl CandleFolder {
    pub(super) fn new(path: PathBuf, tables: MarketsTables, problems: FolderProblems) -> Self {
        Self {
            path,
            tables,
            problems,
            seen: HashMap::new(),
        }
    }

    /// Watches until it is stopped.
    pub(super) async fn run(mut self, stop: CancellationToken) {
        while !stop.is_cancelled() {
            self.round().await;
            tokio::select! {
                () = stop.cancelled() => {}
                () = tokio::time::sleep(PACE) => {}
            }
        }
    }

    /// Looks at the folder once.
    async fn round(&mut self) {
        let path = self.path.clone();
        let listed = tokio::task::spawn_blocking(move || list(&path)).await;
        let listed = match listed {
            Ok(Ok(listed)) => listed,
            Ok(Err(error)) => return self.fails(&error),
            Err(error) => return self.fails(&error),
        };
        self.seen.retain(|name, _| listed.contains_key(name));
        for (name, stamp) in listed {
            match self.seen.get_mut(&name) {
                Some(seen) if seen.stamp == stamp => {
                    seen.changes = 0;
                    if !seen.is_read {
                        let unread = read(&self.path, &name, stamp, &self.tables).await.err();
                        seen.is_read = unread.as_ref().is_none_or(|it| it.is_lasting);
                        let before = std::mem::replace(&mut seen.problem, unread.map(|it| it.why));
                        if let Some(problem) = seen
                            .problem
                            .as_ref()
                            .filter(|it| before.as_ref() != Some(it))
                        {
                            tracing::warn!(file = ?name, %problem, "file not imported");
                        }
                    }
                }
                Some(seen) => {
                    seen.stamp = stamp;
                    seen.changes = seen.changes.saturating_add(1);
                    seen.is_read = false;
                    if seen.changes >= RESTLESS {
                        seen.problem = Some(texts::FILE_KEEPS_CHANGING.to_owned());
                    }
                }
                None => {
                    let seen = SeenFile {
                        stamp,
                        changes: 0,
                        is_read: false,
                        problem: None,
                    };
                    self.seen.insert(name, seen);
                }
            }
        }
        let problems = self.seen.iter().filter_map(|(name, seen)| {
            let problem = seen.problem.clone()?;
            Some((shown(&name.to_string_lossy()), problem))
        });
        self.problems.set(problems.collect());
    }

    /// Tells that the folder itself cannot be read.
    fn fails(&self, error: &dyn std::fmt::Display) {
        let problem = texts::folder_of_candles(&error);
        let folder = texts::THE_FOLDER.to_owned();
        self.problems.set(BTreeMap::from([(folder, problem)]));
    }
}

/// The files that may have something to import, in the order of their names.
fn list(path: &Path) -> std::io::Result<BTreeMap<OsString, FileStamp>> {
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(path)? {
        let entry = entry?;
        let name = entry.file_name();
        let extension = Path::new(&name).extension().and_then(OsStr::to_str);
        if extension.is_none_or(|it| !EXTENSIONS.contains(&it)) {
            continue;
        }
        // Follows links; a pipe or a device is no file. One that leads out of the folder is refused when
        // it is read.
        let Ok(data) = std::fs::metadata(entry.path()) else {
            continue;
        };
        if !data.is_file() {
            continue;
        }
        if files.len() == MOST_FILES {
            return Err(std::io::Error::other(texts::too_many_files(MOST_FILES)));
        }
        let stamp = FileStamp {
            modified: data.modified().ok(),
            length: data.len(),
        };
        files.insert(name, stamp);
    }
    Ok(files)
}

/// Imports a file.
///
/// # Errors
/// Says why it is not imported, without any text of the file.
async fn read(
    folder: &Path,
    name: &OsStr,
    stamp: FileStamp,
    tables: &MarketsTables,
) -> Result<Upserted, UnreadFile> {
    let named = of_name(&name.to_string_lossy());
    let kind = named.map_err(|error| UnreadFile::lasting(error.to_string()))?;
    if stamp.length > LARGEST {
        let why = texts::file_of_candles_has_bytes(stamp.length, LARGEST);
        return Err(UnreadFile::lasting(why));
    }
    let (folder, file, tables) = (folder.to_owned(), folder.join(name), tables.clone());
    let import = move || {
        // It may have grown since it was looked at.
        let limited = |file: File| BufReader::new(file.take(LARGEST));
        let open = || regular_file::open_within(&folder, &file).map(limited);
        let taken = async {
            match kind {
                FileKind::Candles(symbol, frame) => {
                    intake::candles(open, symbol, frame, &tables).await
                }
                FileKind::Records(what) => intake::records(open, what, &tables).await,
            }
        };
        Handle::current().block_on(taken)
    };
    match tokio::task::spawn_blocking(import).await {
        Ok(Ok(done)) => Ok(done),
        Ok(Err(IntakeError::Import(error))) => {
            let why = texts::line_is_refused(error.line, error.code.name());
            Err(UnreadFile::lasting(why))
        }
        Ok(Err(error)) => Err(UnreadFile::passing(&error)),
        Err(error) => Err(UnreadFile::passing(&error)),
    }
}

/// A name of a file that is safe to show.
fn shown(name: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_graphic() && c != '/' {
            c
        } else {
            '?'
        }
    };
    name.chars().take(SHOWN_NAME).map(plain).collect()
}

#[cfg(test)]
mod tests {
    use markets::{CandleStore, RecordKind, RecordStore, Symbol, Time, Timeframe};
    use store::Store;

    use super::*;

    /// The moment between looking at a folder and reading it is an attacker's.
    #[tokio::test]
    async fn a_pipe_in_the_place_of_a_file_holds_nothing_up() {
        let folder = tempfile::TempDir::new().unwrap();
        let store = Store::open(&folder.path().join("data")).await.unwrap();
        let tables = MarketsTables::open(&store).await.unwrap();
        let path = folder.path().join("candles");
        std::fs::create_dir(&path).unwrap();
        let name = OsStr::new("EURUSD_H1.csv");
        let stamp = FileStamp {
            modified: None,
            length: 1,
        };
        let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
        rustix::fs::mkfifoat(rustix::fs::CWD, path.join(name), mode).unwrap();
        let unread = read(&path, name, stamp, &tables).await.err().unwrap();
        assert!(unread.why.ends_with(texts::NOT_A_REGULAR_FILE));
        assert!(list(&path).unwrap().is_empty());
        store.close().await.unwrap();
    }

    #[tokio::test]
    async fn what_comes_into_the_folder_is_imported_once_it_rests() {
        let folder = tempfile::TempDir::new().unwrap();
        let store = Store::open(&folder.path().join("data")).await.unwrap();
        let tables = MarketsTables::open(&store).await.unwrap();
        let problems = FolderProblems::default();
        let path = folder.path().join("candles");
        let mut watched = CandleFolder::new(path.clone(), tables.clone(), problems.clone());
        watched.round().await;
        assert!(problems.all()["folder"].contains("cannot be read"));

        std::fs::create_dir(&path).unwrap();
        let row = |hour: u32| format!("2026-11-23T{hour:02}:00:00Z,1.08,1.09,1.07,1.08,5\n");
        let write = |name: &str, text: &str| std::fs::write(path.join(name), text).unwrap();
        let count = async || {
            let all = tables.last_n(Symbol::EurUsd, Timeframe::H1, 99, None);
            all.await.unwrap().len()
        };
        write("EURUSD_H1.csv", &row(10));
        watched.round().await;
        // It may still be written.
        assert_eq!((count().await, problems.all().len()), (0, 0));
        watched.round().await;
        assert_eq!(count().await, 1);

        // One that never rests is a problem, and the others go on.
        for hour in 11..20 {
            let rows: String = (10..=hour).map(row).collect();
            write("EURUSD_H1.csv", &rows);
            watched.round().await;
        }
        assert_eq!(count().await, 1);
        assert!(problems.all()["EURUSD_H1.csv"].contains("changing"));
        watched.round().await;
        assert_eq!((count().await, problems.all().len()), (10, 0));

        // Hostile files harm nothing, and none of their text is repeated.
        let bad = format!("{}2026-11-23T20:00:00Z,<b>,1,1,1,5\n", row(10));
        write("EURUSD_H1_bad.csv", &bad);
        write("XAUUSD_H1.csv", &row(10));
        write("EURUSD_H1_<\u{202e}.csv", "x");
        std::fs::create_dir(path.join("EURUSD_M1.csv")).unwrap();
        let outside = folder.path().join("outside.csv");
        std::fs::write(&outside, row(20)).unwrap();
        std::os::unix::fs::symlink(&outside, path.join("EURUSD_H1_out.csv")).unwrap();
        // Records come in beside candles.
        write(
            "wire.rss",
            "<rss><channel><item><title>Euro steady</title>\
             <pubDate>Mon, 23 Nov 2026 10:15:00 GMT</pubDate></item></channel></rss>",
        );
        watched.round().await;
        watched.round().await;
        let told = tables.newest(RecordKind::Headline, None, Time(i64::MAX), 9);
        assert!(told.await.unwrap()[0].body.contains("Euro steady"));
        let all = problems.all();
        assert_eq!(all["EURUSD_H1_bad.csv"], "line 2 is refused (number)");
        assert!(all["XAUUSD_H1.csv"].contains("no symbol is called"));
        assert_eq!(all["EURUSD_H1_<?.csv"], "line 1 is refused (columns)");
        assert!(all["EURUSD_H1_out.csv"].ends_with("leads out of the folder"));
        assert_eq!((count().await, all.len()), (10, 4));
        std::fs::remove_dir_all(&path).unwrap();
        watched.round().await;
        assert!(problems.all()["folder"].contains("cannot be read"));
        store.close().await.unwrap();
    }
}
