//! The processes of a measurement, each on its core; they end with the process that started them.

use std::{
    fs::File,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, ChildStdout, Command, Stdio},
};

use anyhow::{Context, Result, ensure};
use clap::Args;
use rustix::process::{Pid, Signal, kill_process};

use crate::{browser::Browser, machine, upstream};

/// A child that is killed when it is dropped.
pub(crate) struct Process {
    child: Child,
    lines: BufReader<ChildStdout>,
}

impl Process {
    /// Starts a program on a core; its log goes into `errors.log` of the folder.
    pub(crate) fn start(core: usize, folder: &Path, command: &mut Command) -> Result<Self> {
        let errors = File::options()
            .create(true)
            .append(true)
            .open(folder.join("errors.log"))?;
        command
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(errors);
        // A child runs on the core of the thread that starts it.
        machine::keep_on(core)?;
        let child = command.spawn();
        machine::keep_on(machine::OTHERS)?;
        let mut child =
            child.with_context(|| format!("cannot start {}", command.get_program().display()))?;
        let lines = BufReader::new(child.stdout.take().context("no output")?);
        Ok(Self { child, lines })
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Waits for a line that begins with these words, and returns the rest of it.
    pub(crate) fn told(&mut self, words: &str) -> Result<String> {
        let mut line = String::new();
        loop {
            line.clear();
            ensure!(
                self.lines.read_line(&mut line)? > 0,
                "a process ended before it said {words:?}; see errors.log"
            );
            if let Some(rest) = line.strip_prefix(words) {
                return Ok(rest.trim().to_owned());
            }
        }
    }

    /// Kills it, as a power cut would.
    pub(crate) fn kill(&mut self) -> Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    /// True if it still runs.
    pub(crate) fn runs(&mut self) -> Result<bool> {
        Ok(self.child.try_wait()?.is_none())
    }

    /// Asks it to stop and waits for that.
    pub(crate) fn stop(&mut self) -> Result<()> {
        let pid = i32::try_from(self.child.id())?;
        let pid = Pid::from_raw(pid).context("no process id")?;
        kill_process(pid, Signal::TERM)?;
        self.child.wait()?;
        Ok(())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already.
        self.kill().unwrap_or_default();
    }
}

/// The fake model of this program.
pub(crate) fn start_upstream(folder: &Path) -> Result<(Process, String)> {
    let mut command = Command::new(std::env::current_exe()?);
    let mut process = Process::start(machine::OTHERS, folder, command.arg("upstream"))?;
    let url = process.told(upstream::READY)?;
    Ok((process, url))
}

/// The server to measure, and the folder for its data.
#[derive(Args)]
pub(crate) struct Measured {
    /// The server: a release build of `jarvis`
    #[arg(long, value_name = "FILE")]
    pub(crate) binary: PathBuf,
    /// Folder for temporary data, on a real disk
    #[arg(long, value_name = "FOLDER")]
    pub(crate) folder: PathBuf,
}

/// A simulated system as a process, and the variables with which the server finds it.
pub(crate) struct SimulatedSystem {
    pub(crate) process: Process,
    pub(crate) environment: Vec<(&'static str, String)>,
}

/// The server's surroundings: the fake model, the system and the data. They survive a restart of
/// the server.
pub(crate) struct MeasuredWorld {
    binary: PathBuf,
    folder: tempfile::TempDir,
    /// Variables of the server.
    environment: Vec<(&'static str, String)>,
    upstream: Process,
    _system: Process,
}

impl MeasuredWorld {
    /// Starts the fake model and a simulated system; the data goes below the folder.
    pub(crate) fn start(
        Measured { binary, folder }: &Measured,
        system: fn(&Path, &Path) -> Result<SimulatedSystem>,
    ) -> Result<Self> {
        let folder = tempfile::tempdir_in(folder)?;
        let (upstream, url) = start_upstream(folder.path())?;
        let SimulatedSystem {
            process,
            mut environment,
        } = system(binary, folder.path())?;
        environment.extend([
            ("HOME", folder.path().display().to_string()),
            ("ANTHROPIC_BASE_URL", url),
            ("ANTHROPIC_API_KEY", "bench".to_owned()),
            // One user plays all of them here.
            ("JARVIS_USER_SOCKETS", "100000".to_owned()),
            ("JARVIS_USER_COMMANDS", "10000000".to_owned()),
            ("JARVIS_USER_STORED_MB", "10000000".to_owned()),
        ]);
        Ok(Self {
            binary: binary.to_owned(),
            folder,
            environment,
            upstream,
            _system: process,
        })
    }

    /// The folder of this measurement.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Sets a variable of the servers that start from now on.
    pub(crate) fn set(&mut self, name: &'static str, value: String) {
        self.environment.retain(|(known, _)| *known != name);
        self.environment.push((name, value));
    }

    /// The usage of the fake model.
    pub(crate) fn upstream(&self) -> Result<machine::ProcessUsage> {
        machine::usage(self.upstream.pid())
    }

    /// The end of the processes' log.
    pub(crate) fn log(&self) -> String {
        const LINES: usize = 20;
        let path = self.folder.path().join("errors.log");
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let lines: Vec<_> = text.lines().collect();
        lines[lines.len().saturating_sub(LINES)..].join("\n")
    }

    /// The server's data folder.
    pub(crate) fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Starts a server on the data, and signs in.
    pub(crate) async fn server(&self) -> Result<Server> {
        let mut process = self.spawn("127.0.0.1:0")?;
        let link = process.told("Sign in once with this link: ")?;
        Ok(Server {
            browser: Browser::sign_in(&link).await?,
            process,
        })
    }

    /// Starts a server that listens at an address.
    pub(crate) fn spawn(&self, listen: &str) -> Result<Process> {
        let mut command = Command::new(&self.binary);
        command
            .args(["serve", "--listen", listen, "--data-dir"])
            .arg(self.data())
            .env_clear()
            .envs(self.environment.iter().cloned());
        Process::start(machine::SERVER, self.folder.path(), &mut command)
    }
}

/// A running server, and a browser that is signed in.
pub(crate) struct Server {
    pub(crate) process: Process,
    pub(crate) browser: Browser,
}

impl Server {
    pub(crate) fn usage(&self) -> Result<machine::ProcessUsage> {
        machine::usage(self.process.pid())
    }
}
