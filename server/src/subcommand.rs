//! Common parts of the subcommands of `jarvis`: arguments, output, threads, exit codes.

use std::{io::Write, path::PathBuf, process::ExitCode};

use anyhow::Context;
use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand};

use crate::{
    config::{Config, Flags, Section},
    texts,
};

/// Subcommands that a domain adds.
pub(crate) struct Added {
    pub(crate) to: fn(Command) -> Command,
    pub(crate) has: fn(&str) -> bool,
    pub(crate) run: fn(&ArgMatches, &[Section]) -> anyhow::Result<ExitCode>,
}

impl Added {
    pub(crate) fn of<T: Run>() -> Self {
        Self {
            to: T::augment_subcommands,
            has: T::has_subcommand,
            run: |matches, sections| T::from_arg_matches(matches)?.run(sections),
        }
    }
}

/// Subcommands, and their work.
pub(crate) trait Run: Subcommand + FromArgMatches {
    /// # Errors
    /// It could not be done; the message says why.
    fn run(self, sections: &[Section]) -> anyhow::Result<ExitCode>;
}

/// Exit code of a subcommand that was refused before it did anything.
pub(crate) const REFUSED: u8 = 2;

#[derive(Args, Clone)]
pub(crate) struct DataArgs {
    /// Configuration file [default: jarvis.toml in the working folder, if it is there]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Folder of the database [default: $XDG_DATA_HOME/jarvis]
    #[arg(long, value_name = "FOLDER")]
    data_dir: Option<PathBuf>,
}

impl DataArgs {
    /// The folder of the database. None, and reported, if the configuration is wrong.
    pub(crate) fn folder(self, sections: &[Section]) -> Option<PathBuf> {
        self.config(sections)
            .map(|config| config.server.data_dir.value)
    }

    /// The configuration. None, and reported, if it is wrong.
    pub(crate) fn config(self, sections: &[Section]) -> Option<Config> {
        let flags = Flags {
            config: self.config,
            data_dir: self.data_dir,
            ..Flags::default()
        };
        load(&flags, sections)
    }
}

#[derive(Args)]
pub(crate) struct StandaloneArgs {
    /// Port on loopback; 0 takes a free one
    #[arg(long, default_value_t = 0)]
    pub(crate) port: u16,
    /// Let tests script it over HTTP
    #[arg(long, hide = true)]
    pub(crate) control: bool,
}

/// The configuration. None, and every problem reported, if it is wrong.
pub(crate) fn load(flags: &Flags, sections: &[Section]) -> Option<Config> {
    match Config::load(flags, sections) {
        Ok(config) => Some(config),
        Err(problems) => {
            for problem in problems {
                report(&format!("jarvis: {problem}"));
            }
            None
        }
    }
}

/// The exit code of something that reports its own errors, which all count as refused.
pub(crate) fn or_refused(done: anyhow::Result<ExitCode>) -> ExitCode {
    done.unwrap_or_else(|error| {
        report(&format!("jarvis: {error:#}"));
        ExitCode::from(REFUSED)
    })
}

pub(crate) fn runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context(texts::start::CANNOT_START_THREADS)
}

/// Prints one line on standard output, for people and for scripts that start the server.
pub(crate) fn print(line: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}")
        .and_then(|()| out.flush())
        .context(texts::start::CANNOT_WRITE_TO_STANDARD_OUTPUT)
}

/// Prints one line on standard error.
pub(crate) fn report(line: &str) {
    // When standard error is gone there is nobody left to tell.
    std::io::stderr()
        .lock()
        .write_all(format!("{line}\n").as_bytes())
        .unwrap_or_default();
}
