//! The server's process, which does not survive.

use std::{
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

/// What has not happened within this time never happens.
const PATIENCE: Duration = Duration::from_secs(30);

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
            // What watches by itself would leave commands in the ledger.
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

    /// What follows these words at the start of a line; none if the process ends before.
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

    async fn end(&mut self) -> anyhow::Result<ExitStatus> {
        let end = tokio::time::timeout(PATIENCE, self.child.wait()).await;
        Ok(end.context("the process has not ended")??)
    }
}

/// `jarvis serve` on the folder of a cycle.
pub(crate) struct Server {
    process: Process,
    pub(crate) pid: u32,
    /// Signs in once.
    pub(crate) link: String,
}

/// How a start went.
pub(crate) enum Start {
    Up(Box<Server>),
    /// It ended before it could be used.
    Ended(u32, ExitStatus),
}

impl Server {
    /// Starts it. It kills itself at this point of its life; zero is never.
    pub(crate) async fn start(
        binary: &Path,
        folder: &Path,
        environment: &[(&str, String)],
        crash_at: u64,
    ) -> anyhow::Result<Start> {
        let log = points_of(folder, crash_at);
        std::fs::remove_file(&log).or_else(|error| match error.kind() {
            std::io::ErrorKind::NotFound => Ok(()),
            _ => Err(error),
        })?;
        let log = log.to_str().context("an odd folder")?;
        let mut environment = environment.to_vec();
        environment.push(("CRASH_AT", crash_at.to_string()));
        environment.push(("CRASH_LOG", log.to_owned()));
        let data = data_of(folder);
        let data = data.to_str().context("an odd folder")?;
        let arguments = ["serve", "--listen", "127.0.0.1:0", "--data-dir", data];
        let mut process = Process::start(binary, folder, &arguments, &environment)?;
        let pid = process.child.id().context("no process id")?;
        match process.told("Sign in once with this link: ").await? {
            Some(link) => Ok(Start::Up(Box::new(Self { process, pid, link }))),
            None => Ok(Start::Ended(pid, process.end().await?)),
        }
    }

    /// Waits for its end.
    pub(crate) async fn end(&mut self) -> anyhow::Result<ExitStatus> {
        self.process.end().await
    }

    /// Asks it to stop, as a service manager does.
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

/// Checks that a process was killed, and where.
pub(crate) fn killed(status: ExitStatus, folder: &Path, at: u64) -> anyhow::Result<()> {
    const SIGKILL: i32 = 9;
    if status.signal() != Some(SIGKILL) {
        bail!("the server was not killed: {status}");
    }
    let passed = points(folder, at)?;
    let last = passed.last().map(String::as_str).unwrap_or_default();
    ensure!(
        passed.len() as u64 == at && last.starts_with(&format!("{at} ")),
        "it was killed after {last:?}, not at {at}"
    );
    Ok(())
}

/// The points that the newest server has passed which was to be killed at this one.
pub(crate) fn points(folder: &Path, crash_at: u64) -> anyhow::Result<Vec<String>> {
    let text = std::fs::read_to_string(points_of(folder, crash_at))
        .context("no points were passed: was the binary built with them?")?;
    Ok(text.lines().map(str::to_owned).collect())
}

fn points_of(folder: &Path, crash_at: u64) -> PathBuf {
    folder.join(format!("points-{crash_at}"))
}

/// Where the server keeps its data.
pub(crate) fn data_of(folder: &Path) -> PathBuf {
    folder.join("data")
}
