//! Errors of the program: a stable code, one sentence and one line of help for each.

use std::path::PathBuf;

use field_package::{clock::ClockFault, release::ReleaseRefusal, root::RootRefusal};
use field_queue::journal::JournalRefusal;

use crate::texts;

/// Reason that the program, or a turn of it, ended early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunnerError {
    #[error("{}: {reason}", path.display())]
    Config { path: PathBuf, reason: String },
    #[error("{}", texts::NOT_ENROLLED)]
    NotEnrolled,
    #[error("{}", texts::ENROLLED)]
    Enrolled,
    #[error("{}", texts::TOKEN)]
    Token,
    #[error("{}", texts::ADDRESS)]
    Address,
    /// The server's own words, which may hold anything: they are shown with escapes.
    #[error("the server refused ({status}, {server_code}): {}", message.escape_debug())]
    Server {
        status: u16,
        server_code: String,
        message: String,
    },
    #[error("no answer from the server: {0}")]
    NoAnswer(String),
    #[error("{0}")]
    Clock(ClockFault),
    #[error("the server's answer is not possible: {0}")]
    Answer(&'static str),
    #[error("the root document is not trusted: {0}")]
    Root(#[from] RootRefusal),
    #[error("the release is not installed: {0}")]
    Release(#[from] ReleaseRefusal),
    /// A program is on trial: before it reports or is given up no other one comes.
    #[error("{}", texts::TRIAL)]
    Trial,
    /// A version that did not report, before its next try.
    #[error("{}", texts::RETRY_LATER)]
    RetryLater,
    #[error("the journal is not usable: {0}")]
    Journal(#[from] JournalRefusal),
    #[error("{}: {source}", path.display())]
    File {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("the launcher does not answer: {0}")]
    Launcher(String),
    /// A refusal of the launcher, by its code.
    #[error("{message}")]
    Refused { code: String, message: String },
    #[error("the sandbox did not start: {0}")]
    Sandbox(String),
}

impl RunnerError {
    pub(crate) fn file(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::File { path, source }
    }

    /// Stable code, for logs and programs.
    pub fn code(&self) -> &str {
        match self {
            Self::Config { .. } => "config",
            Self::NotEnrolled => "not_enrolled",
            Self::Enrolled => "enrolled",
            Self::Token => "token",
            Self::Address => "address",
            Self::Server { .. } => "server_refused",
            Self::NoAnswer(_) => "no_answer",
            Self::Clock(_) => "clock",
            Self::Answer(_) => "bad_answer",
            Self::Root(_) => "root_untrusted",
            Self::Release(ReleaseRefusal::NotNewer { .. }) => "release_not_newer",
            Self::Release(_) => "release_refused",
            Self::Trial => "release_on_trial",
            Self::RetryLater => "release_retried_later",
            Self::Journal(_) => "journal",
            Self::File { .. } => "file",
            Self::Launcher(_) => "launcher",
            Self::Refused { code, .. } => code,
            Self::Sandbox(_) => "sandbox",
        }
    }

    /// One line of help.
    pub fn help(&self) -> &'static str {
        match self {
            Self::Config { .. } => texts::CONFIG_HELP,
            Self::NotEnrolled => texts::NOT_ENROLLED_HELP,
            Self::Enrolled => texts::ENROLLED_HELP,
            Self::Token => texts::TOKEN_HELP,
            Self::Address => texts::ADDRESS_HELP,
            Self::Server { .. } => texts::SERVER_HELP,
            Self::NoAnswer(_) => texts::NO_ANSWER_HELP,
            Self::Clock(_) => texts::CLOCK_HELP,
            Self::Answer(_) => texts::ANSWER_HELP,
            Self::Root(_) => texts::ROOT_HELP,
            Self::Release(_) => texts::RELEASE_HELP,
            Self::Trial => texts::TRIAL_HELP,
            Self::RetryLater => texts::RETRY_LATER_HELP,
            Self::Journal(_) => texts::JOURNAL_HELP,
            Self::File { .. } => texts::FILE_HELP,
            Self::Launcher(_) => texts::LAUNCHER_HELP,
            Self::Refused { .. } => texts::REFUSED_HELP,
            Self::Sandbox(_) => texts::SANDBOX_HELP,
        }
    }

    /// True if the same request may be answered later.
    pub fn is_passing(&self) -> bool {
        match self {
            Self::NoAnswer(_) | Self::Launcher(_) => true,
            Self::Server { status, .. } => *status == 429 || *status >= 500,
            _ => false,
        }
    }

    /// True for the answer to most requests for a release: nothing is wrong, and no log needs it.
    pub fn is_usual(&self) -> bool {
        matches!(
            self,
            Self::Trial | Self::RetryLater | Self::Release(ReleaseRefusal::NotNewer { .. })
        )
    }

    /// True if the server refuses this version of the program.
    pub fn is_outdated(&self) -> bool {
        matches!(self, Self::Server { status: 426, .. })
    }

    /// True for what a repeat would not change: then nothing may start.
    pub fn is_fatal(&self) -> bool {
        matches!(
            self,
            Self::File { .. } | Self::Journal(_) | Self::Config { .. } | Self::NotEnrolled
        )
    }
}
