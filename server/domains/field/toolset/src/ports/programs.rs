//! The program of a device's runner, by the device's own report.

/// The program of a runner: numbers and closed words, whatever the device sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownProgram {
    /// Three numbers, such as `1.2.3`.
    pub version: String,
    /// The newer version that was given up.
    pub failed: Option<RunnerUpdateFailure>,
}

/// An update that a device gave up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunnerUpdateFailure {
    pub version: String,
    pub reason: UpdateFailureReason,
    /// Trials of this version so far, 99 at most.
    pub tries: u32,
    /// True if the device tries it again.
    pub is_retried: bool,
}

/// Reason that an update was given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UpdateFailureReason {
    /// The version ran and did not report to the server in time.
    NoReport,
    /// It ended at each start.
    NoStart,
    /// A reason that this server does not know.
    Unknown,
}

impl UpdateFailureReason {
    pub const fn word(self) -> &'static str {
        match self {
            Self::NoReport => "no_report",
            Self::NoStart => "no_start",
            Self::Unknown => "unknown",
        }
    }
}
