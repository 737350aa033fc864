//! The server's process, which is killed.

use std::{
    fmt,
    fs::File,
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{ExitStatus, Stdio},
    time::Duration,
};

use anyhow::{Context, bail, ensure};
use tokio::{
    io::{AsyncBufReadExt, BufReader, Lines},
    process::{Child, ChildStdout, Command},
};

/// Timeout: an event that has not happened by then never happens.
const PATIENCE: Duration = Duration::from_secs(30);

/// Timeout of the server's own work in the background.
const LATER: Duration = Duration::from_secs(20);

/// A process of the binary; killed when it is dropped.
struct Process {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Process {
    fn start(
        binary: &Path,
        folder: &Path,
        arguments: &[&str],
        environment: &[(&str, String)],
    ) -> anyhow::Result<Self> {
        let errors = File::options()
            .create(true)
            .append(true)
            .open(folder.join("errors.log"))?;
        let mut child = Command::new(binary)
            .args(arguments)
            .env_clear()
            .env("HOME", folder)
            .env("JARVIS_LOG", "warn")
            // A background watcher would leave commands in the ledger.
            .env("JARVIS_NOTICES", "false")
            .envs(environment.iter().map(|(name, value)| (name, value)))
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(errors)
            .kill_on_drop(true)
            .spawn()
            .context("cannot start the binary")?;
        let out = child.stdout.take().context("no output")?;
        let lines = BufReader::new(out).lines();
        Ok(Self { child, lines })
    }

    /// The rest of the line that begins with these words; none if the process ends before.
    async fn told(&mut self, words: &str) -> anyhow::Result<Option<String>> {
        let wait = async {
            loop {
                match self.lines.next_line().await {
                    Ok(Some(line)) => {
                        if let Some(rest) = line.strip_prefix(words) {
                            return Ok(Some(rest.trim().to_owned()));
                        }
                    }
                    Ok(None) => return Ok(None),
                    Err(error) => return Err(error),
                }
            }
        };
        let told = tokio::time::timeout(PATIENCE, wait).await;
        Ok(told.with_context(|| format!("{words:?} was never said"))??)
    }

    async fn end(&mut self, patience: Duration) -> anyhow::Result<ExitStatus> {
        let end = tokio::time::timeout(patience, self.child.wait()).await;
        Ok(end.context("the process has not ended")??)
    }
}

/// `jarvis serve` on the folder of a cycle.
pub(crate) struct Server {
    process: Process,
    pub(crate) pid: u32,
    /// The link that signs in once.
    pub(crate) link: String,
}

/// The result of a start.
pub(crate) enum Start {
    Up(Box<Server>),
    /// It ended before it could be used.
    Ended(u32, ExitStatus),
}

impl Server {
    /// Starts it. It kills itself at this point of its life.
    pub(crate) async fn start(
        binary: &Path,
        folder: &Path,
        environment: &[(&str, String)],
        at: &At,
    ) -> anyhow::Result<Start> {
        let log = points_of(folder);
        std::fs::remove_file(&log).or_else(|error| match error.kind() {
            std::io::ErrorKind::NotFound => Ok(()),
            _ => Err(error),
        })?;
        let log = log.to_str().context("an odd folder")?;
        let mut environment = environment.to_vec();
        environment.push(("CRASH_LOG", log.to_owned()));
        match at {
            At::Never => {}
            At::Number { number, .. } => environment.push(("CRASH_AT", number.to_string())),
            At::Named(part) => environment.push(("CRASH_AT", (*part).to_owned())),
        }
        let data = data_of(folder);
        let data = data.to_str().context("an odd folder")?;
        let arguments = ["serve", "--listen", "127.0.0.1:0", "--data-dir", data];
        let mut process = Process::start(binary, folder, &arguments, &environment)?;
        let pid = process.child.id().context("no process id")?;
        match process.told("Sign in once with this link: ").await? {
            Some(link) => Ok(Start::Up(Box::new(Self { process, pid, link }))),
            None => Ok(Start::Ended(pid, process.end(PATIENCE).await?)),
        }
    }

    /// Waits for its end.
    pub(crate) async fn end(&mut self) -> anyhow::Result<ExitStatus> {
        self.process.end(PATIENCE).await
    }

    /// Waits for the end of a server that has to die, although nobody wants anything of it any
    /// longer: its background work may come later than the last answer.
    pub(crate) async fn die(&mut self, folder: &Path, at: &At) -> anyhow::Result<ExitStatus> {
        let Ok(status) = self.process.end(LATER).await else {
            let (at, passed) = (at.clone(), points(folder)?);
            return Err(NotReached { at, passed }.into());
        };
        Ok(status)
    }

    /// Asks it to stop, like a service manager.
    pub(crate) async fn stop(mut self) -> anyhow::Result<()> {
        // The shell's own, so that no package is needed.
        let asked = Command::new("sh")
            .args(["-c", "kill -TERM \"$0\"", &self.pid.to_string()])
            .status()
            .await?;
        ensure!(asked.success(), "the server could not be asked to stop");
        let status = self.end().await?;
        ensure!(status.success(), "the server ended with {status}");
        Ok(())
    }
}

/// A server went through all its work and lives.
#[derive(Debug)]
pub(crate) struct NotReached {
    at: At,
    /// The points that it passed, as number and name.
    passed: Vec<String>,
}

impl fmt::Display for NotReached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the point {} was not reached", self.at)
    }
}

impl std::error::Error for NotReached {}

impl NotReached {
    /// The last point of the same name that was passed. Two lives may differ by a few points:
    /// writes that come close together are one.
    pub(crate) fn instead(&self) -> Option<At> {
        let At::Number { name, left, .. } = &self.at else {
            return None;
        };
        let name = name.split_once(' ').map_or("", |(_, name)| name);
        let same = |point: &String| point.ends_with(name);
        let number = self.passed.iter().rposition(same)? + 1;
        Some(At::Number {
            number: u64::try_from(number).ok()?,
            name: self.passed.get(number - 1)?.clone(),
            left: *left,
        })
    }
}

/// The point at which to kill a server.
#[derive(Debug, Clone)]
pub(crate) enum At {
    Never,
    /// The one with this number, from 1.
    Number {
        number: u64,
        /// Its name when the points were counted; empty if they were not.
        name: String,
        /// The number of points that came after it then.
        left: u64,
    },
    /// The first with this in its name.
    Named(&'static str),
}

impl At {
    /// The one with this number, of which nothing else is known.
    pub(crate) fn number(number: u64) -> Self {
        Self::Number {
            number,
            name: String::new(),
            left: 0,
        }
    }
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Never => f.write_str("none"),
            Self::Number { number, name, .. } if name.is_empty() => write!(f, "{number}"),
            Self::Number { name, .. } => write!(f, "{name:?}"),
            Self::Named(part) => write!(f, "{part:?}"),
        }
    }
}

/// Checks that a process was killed, and where.
pub(crate) fn killed(status: ExitStatus, folder: &Path, at: &At) -> anyhow::Result<()> {
    const SIGKILL: i32 = 9;
    if status.signal() != Some(SIGKILL) {
        bail!("the server was not killed at {at}: {status}");
    }
    let passed = points(folder)?;
    let last = passed.last().map(String::as_str).unwrap_or_default();
    let is_there = match at {
        At::Never => false,
        At::Number { number, .. } => {
            passed.len() as u64 == *number && last.starts_with(&format!("{number} "))
        }
        At::Named(part) => {
            last.contains(part) && passed.iter().filter(|name| name.contains(part)).count() == 1
        }
    };
    ensure!(is_there, "it was killed after {last:?}, not at {at}");
    Ok(())
}

/// The points that the newest server has passed, as number and name.
pub(crate) fn points(folder: &Path) -> anyhow::Result<Vec<String>> {
    let text = std::fs::read_to_string(points_of(folder))
        .context("no points were passed: was the binary built with them?")?;
    Ok(text.lines().map(str::to_owned).collect())
}

fn points_of(folder: &Path) -> PathBuf {
    folder.join("points")
}

/// The server's data folder.
pub(crate) fn data_of(folder: &Path) -> PathBuf {
    folder.join("data")
}

/// The log of the processes, for whoever looks into a failure.
pub(crate) fn errors(folder: &Path) -> String {
    let said = std::fs::read_to_string(folder.join("errors.log")).unwrap_or_default();
    let lines: Vec<&str> = said.lines().collect();
    let last = lines.len().saturating_sub(12);
    format!("the processes said: {}", lines[last..].join("\n"))
}
