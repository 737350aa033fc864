//! The state of the folder of programs, as it is on the disk.

use std::{io, path::Path};

use field_package::{ids::Sha256Hex, release::ReleaseVersion};
use serde::{Deserialize, Serialize};

use crate::{error::RunnerError, files};

/// Seconds before a version that did not report is tried again: one wait for each further try.
pub(super) const WAITS: [u64; 2] = [60 * 60, 24 * 60 * 60];

/// All that is remembered. The starter is the packaged program and may be older than the launcher, so each keeps
/// the members that it does not know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ProgramState {
    pub(super) version: ReleaseVersion,
    /// The highest minimum of all releases that were installed. It stays when a program is given up.
    pub(super) minimum: ReleaseVersion,
    /// A version that was given up.
    pub(super) failed: Option<ReleaseVersion>,
    /// The failure of that version. Without it, or with that of another one, the version is not tried again.
    #[serde(default)]
    pub(super) failure: Option<ProgramFailure>,
    pub(super) trial: Option<ProgramTrial>,
    #[serde(flatten)]
    pub(super) unknown: serde_json::Map<String, serde_json::Value>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ProgramTrial {
    pub(super) before: ReleaseVersion,
    pub(super) sha256: Sha256Hex,
    pub(super) starts: u32,
    /// Set once it is given up, before anything is changed: the way back is then finished, whatever interrupts it.
    #[serde(default)]
    pub(super) ended: Option<FailureReason>,
}

/// A version that was given up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramFailure {
    pub version: ReleaseVersion,
    pub reason: FailureReason,
    /// Trials of this version so far.
    pub tries: u32,
    /// Seconds since 1970 from which it is tried again. None until it is offered: then a server answers, and its
    /// time is known.
    #[serde(default)]
    pub(super) retry_at: Option<u64>,
}

/// Reason that a version was given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureReason {
    /// It ran, and no server answered it in time. That may have been the network.
    NoReport,
    /// It ended at each start, or its file was damaged.
    NoStart,
    /// Of another version of the program.
    #[serde(other)]
    Unknown,
}

impl ProgramState {
    pub(super) fn new(version: ReleaseVersion) -> Self {
        Self {
            version,
            minimum: ReleaseVersion::default(),
            failed: None,
            failure: None,
            trial: None,
            unknown: serde_json::Map::new(),
        }
    }

    /// Reads the state, None if there is none.
    pub(super) fn read(folder: &Path) -> Result<Option<Self>, RunnerError> {
        let path = folder.join("state.json");
        let bytes = files::read(&path).map_err(RunnerError::file(&path))?;
        let state = bytes.map(|bytes| serde_json::from_slice(&bytes));
        state
            .transpose()
            .map_err(|error: serde_json::Error| RunnerError::file(path)(io::Error::from(error)))
    }

    /// The version that was given up last.
    pub(super) fn failure(&self) -> Option<ProgramFailure> {
        let version = self.failed?;
        let known = self.failure.clone().filter(|it| it.version == version);
        Some(known.unwrap_or(ProgramFailure {
            version,
            reason: FailureReason::Unknown,
            tries: 0,
            retry_at: None,
        }))
    }

    /// The failure of the program on trial.
    pub(super) fn failed_now(&self, reason: FailureReason) -> ProgramFailure {
        let before = self.failure().filter(|it| it.version == self.version);
        ProgramFailure {
            version: self.version,
            reason,
            tries: before.map_or(0, |it| it.tries).saturating_add(1),
            retry_at: None,
        }
    }
}

impl ProgramFailure {
    /// True if the version is tried again.
    pub fn is_retried(&self) -> bool {
        self.wait_s().is_some()
    }

    /// Seconds between the offer and the next try, None if there is none.
    pub(super) fn wait_s(&self) -> Option<u64> {
        let further = usize::try_from(self.tries).ok()?.checked_sub(1)?;
        match self.reason {
            FailureReason::NoReport => WAITS.get(further).copied(),
            FailureReason::NoStart | FailureReason::Unknown => None,
        }
    }
}

impl FailureReason {
    /// The word on the wire and in logs.
    pub fn word(self) -> &'static str {
        match self {
            Self::NoReport => "no_report",
            Self::NoStart => "no_start",
            Self::Unknown => "unknown",
        }
    }
}
