//! The end of a job as its device saw it.

use serde::{Deserialize, Serialize};

/// The end of a job, with measurements. What could not be measured is None, never zero.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobReport {
    pub how: JobEnding,
    pub wall_ms: Option<u64>,
    pub cpu_ms: Option<u64>,
    pub peak_bytes: Option<u64>,
    pub tasks: Option<u32>,
    pub output_bytes: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JobEnding {
    Exit(i32),
    /// Ended by a signal of its own making. 128 and more as an exit code are none.
    Signal {
        number: i32,
        core: bool,
    },
    Timeout,
    Memory,
    Output,
    Cancelled,
    /// Its sandbox died, and nobody knows how far it came.
    Lost,
}

impl JobEnding {
    /// True if a limit or a person ended the job.
    pub fn is_cut(self) -> bool {
        match self {
            Self::Exit(_) | Self::Signal { .. } | Self::Lost => false,
            Self::Timeout | Self::Memory | Self::Output | Self::Cancelled => true,
        }
    }

    /// True for every end but that of a program that says it did its work.
    pub fn is_failure(self) -> bool {
        self != Self::Exit(0)
    }

    /// True if this is no end but the loss of one: what the job did is unknown.
    pub fn is_lost(self) -> bool {
        self == Self::Lost
    }
}

/// Reason that a device cannot tell the outcome of a job that it had started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnknownReason {
    /// Interrupted between the journal's `started` and any sign of the job.
    InterruptedAtStart,
    /// A step had begun, and the job was lost with its sandbox or its launcher.
    Lost,
    /// The device was switched off or started again meanwhile.
    Rebooted,
    /// It reports an end without a start that the server recorded.
    NeverStarted,
    /// The server heard nothing until after the last moment at which the job could run.
    Silent,
}
