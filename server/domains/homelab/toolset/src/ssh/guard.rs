//! Guard on the node: the forced command of Jarvis's key.
//!
//! `sshd` starts it instead of the requested command, with that text in `SSH_ORIGINAL_COMMAND`. It
//! parses the text with the grammar and starts the one matching program: no shell, a fixed
//! environment, no input, a timeout and a limit on the output. It repeats the server's checks, so
//! that the key alone grants no more than the grammar.

mod log;
mod run;
mod units;

use std::{ffi::OsStr, os::unix::ffi::OsStrExt, path::PathBuf, process::ExitCode, time::Duration};

use self::log::{GuardLog, LineWeight};
use super::grammar::{self, CommandRefusal, GrammarCommand};

pub use self::log::LOG_SOCKET;

/// Default path of the list of units that may be restarted.
pub const UNITS_FILE: &str = "/etc/jarvis/units";
/// Environment variable in which `sshd` passes the requested text.
pub const ORIGINAL_COMMAND: &str = "SSH_ORIGINAL_COMMAND";

/// Options of the guard. The defaults are for a node.
#[derive(Debug, Clone)]
pub struct GuardOptions {
    /// File with one unit per line; `#` begins a comment.
    pub units: PathBuf,
    /// The user id that must own that file and its folder.
    pub units_owner: u32,
    /// Socket of the system log. Nothing is logged if it is missing.
    pub log: PathBuf,
    /// Folder prepended to the absolute paths of the programs, for tests.
    pub root: Option<PathBuf>,
    /// Timeout of a program.
    pub timeout: Duration,
    /// Timeout of a restart.
    pub restart_timeout: Duration,
    /// Limit on the output, both streams together, in bytes.
    pub output_limit: usize,
}

impl Default for GuardOptions {
    fn default() -> Self {
        Self {
            units: UNITS_FILE.into(),
            units_owner: 0,
            log: LOG_SOCKET.into(),
            root: None,
            timeout: Duration::from_secs(20),
            restart_timeout: Duration::from_secs(90),
            output_limit: 256 * 1024,
        }
    }
}

/// Exit codes of the guard itself, above those of the table's programs. The reason is on standard
/// error after `node-guard: `.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// No command was requested: somebody wanted a shell.
    NoCommand = 200,
    /// The command is not in the grammar, or the unit not in the list.
    Refused = 201,
    /// The list of units is missing or invalid.
    Units = 202,
    /// The program does not exist or cannot be started.
    NotStarted = 203,
    /// The program took too long and was killed.
    Timeout = 204,
    /// The program wrote too much and was killed; the output up to the limit was sent.
    TooMuch = 205,
    /// A signal ended the program.
    Signal = 206,
    /// The guard itself failed.
    Failed = 207,
}

/// Reason that the guard did not run a command to its end.
#[derive(Debug, thiserror::Error)]
pub(crate) enum GuardError {
    #[error("no command was given, and there are no sessions here")]
    NoCommand,
    #[error("refused: {0}")]
    Refused(#[from] CommandRefusal),
    #[error("refused: {unit} is not in {}, the list of units that may be restarted", list.display())]
    NotListed { unit: String, list: PathBuf },
    #[error("the list of units {} cannot be used: {reason}", path.display())]
    Units { path: PathBuf, reason: String },
    #[error("{program} cannot be started: {source}")]
    NotStarted {
        program: String,
        source: std::io::Error,
    },
    #[error("killed after {} s", .0.as_secs_f32())]
    Timeout(Duration),
    #[error("killed after {0} bytes of output")]
    TooMuch(usize),
    #[error("a signal ended the program")]
    Signal,
    #[error("{0}")]
    Failed(#[from] std::io::Error),
}

impl GuardError {
    fn exit(&self) -> Exit {
        match self {
            Self::NoCommand => Exit::NoCommand,
            Self::Refused(_) | Self::NotListed { .. } => Exit::Refused,
            Self::Units { .. } => Exit::Units,
            Self::NotStarted { .. } => Exit::NotStarted,
            Self::Timeout(_) => Exit::Timeout,
            Self::TooMuch(_) => Exit::TooMuch,
            Self::Signal => Exit::Signal,
            Self::Failed(_) => Exit::Failed,
        }
    }
}

/// Runs the command requested in the environment, with the standard streams of this process.
/// Returns the program's exit code, or an [`Exit`].
pub fn main(options: &GuardOptions) -> ExitCode {
    let asked = std::env::var_os(ORIGINAL_COMMAND);
    match serve(options, asked.as_deref()) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            let line = format!("node-guard: {error}\n");
            // With no reader left, the exit code has to do.
            std::io::Write::write_all(&mut std::io::stderr(), line.as_bytes()).unwrap_or_default();
            ExitCode::from(error.exit() as u8)
        }
    }
}

fn serve(options: &GuardOptions, asked: Option<&OsStr>) -> Result<u8, GuardError> {
    let log = GuardLog::open(&options.log);
    let command = read(options, asked).inspect_err(|error| {
        log.line(LineWeight::Warning, "refused", asked, &format!(": {error}"));
    })?;
    // Logged before it runs: a connection that ends kills this process too.
    log.line(LineWeight::Info, "runs", asked, "");
    let ended = run::run(options, &command);
    match &ended {
        Ok(code) => log.line(
            LineWeight::Info,
            "ran",
            asked,
            &format!(": exit code {code}"),
        ),
        Err(error) => log.line(LineWeight::Warning, "ran", asked, &format!(": {error}")),
    }
    ended
}

/// Returns the permitted command, or the reason for a refusal.
pub(crate) fn read(
    options: &GuardOptions,
    asked: Option<&OsStr>,
) -> Result<GrammarCommand, GuardError> {
    let asked = asked
        .filter(|text| !text.is_empty())
        .ok_or(GuardError::NoCommand)?;
    let command = grammar::parse_with_restart(asked.as_bytes())?;
    if let Some(unit) = command.restarts() {
        let list = units::read(&options.units, options.units_owner)?;
        if !list.iter().any(|listed| listed == unit) {
            return Err(GuardError::NotListed {
                unit: unit.to_owned(),
                list: options.units.clone(),
            });
        }
    }
    Ok(command)
}

#[cfg(test)]
mod tests;
