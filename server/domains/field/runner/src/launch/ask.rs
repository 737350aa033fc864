//! Requests and answers on the launcher's socket: one line of JSON each.

use std::collections::BTreeMap;

use field_package::{
    abilities::SandboxAbilities,
    ids::{JobId, Sha256Hex},
};
use field_queue::report::JobReport;
use serde::{Deserialize, Serialize};

use crate::sandbox::probe::ProbeLine;

/// Bytes of a request or an answer at most: a package or pieces of all streams in base64.
pub(super) const MOST_LINE: u64 = 512 * 1024;
/// Code of the refusal of a report: runner and launcher are not the same program.
pub(crate) const OTHER_PROGRAM: &str = "other_program";
/// Code of the refusal of what can't be done now: a job runs, or a program was installed.
pub(crate) const BUSY: &str = "busy";

/// A request of the runner. Nothing in it is believed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case", deny_unknown_fields)]
pub enum LaunchAsk {
    Abilities,
    /// The next root document, in base64.
    Root {
        envelope: String,
    },
    /// Would this package be started?
    Check(LaunchOrder),
    Launch(LaunchOrder),
    /// The state of a job, and its output from these offsets on.
    Look {
        job: JobId,
        offsets: [u64; 3],
    },
    Kill {
        job: JobId,
    },
    /// The server has everything: the output can go, the fence stays.
    Forget {
        job: JobId,
    },
    /// Would this release be installed? Its program is fetched after that.
    Release(UpdateOrder),
    /// Installs a release, whose program is in the runner's folder of downloads.
    Install(UpdateOrder),
    /// The version that runs here, and the one that failed, for the server.
    Program,
    /// The server has answered the runner, which is this program.
    Reported {
        program: Sha256Hex,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LaunchOrder {
    pub job: JobId,
    /// In base64.
    pub package: String,
    /// The server's time in seconds, if the runner has heard it. It can't make an old package new: the
    /// launcher has a memory of its own.
    pub time: Option<u64>,
}

/// A release for the launcher.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UpdateOrder {
    /// In base64.
    pub envelope: String,
    /// As in [`LaunchOrder`].
    pub time: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "snake_case", deny_unknown_fields)]
pub enum LaunchAnswer {
    Abilities {
        abilities: SandboxAbilities,
        probes: Vec<ProbeLine>,
    },
    Done,
    Program(ProgramReport),
    Running {
        pieces: StreamPieces,
    },
    Ended {
        report: JobReport,
        sandbox: String,
        sums: JobSums,
        pieces: StreamPieces,
    },
    /// It never passed the fence, and never will.
    NeverStarted,
    /// It has no end: what it had written so far, in whole lines.
    Nothing {
        rebooted: bool,
        /// A step had begun.
        #[serde(default)]
        begun: bool,
        #[serde(default)]
        pieces: StreamPieces,
    },
    Refused {
        code: String,
        message: String,
    },
}

/// The program of this device, as its server is shown it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramReport {
    /// Three numbers.
    pub version: String,
    pub failed: Option<FailedVersion>,
}

/// A version that was given up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FailedVersion {
    pub version: String,
    /// `no_report`, `no_start` or `unknown`.
    pub reason: String,
    /// Trials so far.
    pub tries: u32,
    /// True if it is tried again.
    pub retried: bool,
}

/// Bytes in base64 of the streams `out`, `err` and `step`, from the offsets that were asked for.
pub type StreamPieces = [String; 3];

/// Sums of the streams by their words.
pub type JobSums = BTreeMap<String, StreamTotal>;

/// Bytes and digest of a stream: of what is kept, and of all that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StreamTotal {
    pub kept: u64,
    pub sha256: String,
    pub all: u64,
    pub all_sha256: String,
}
