//! Messages between device and server about one job.

use field_package::ids::JobId;
use serde::{Deserialize, Serialize};

use crate::{
    report::{JobReport, UnknownReason},
    secret::{ClaimSecret, StartNonce},
};

/// Counts the claims of a job. A call with an older one changes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct JobEpoch(pub u32);

impl JobEpoch {
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

/// A device's call about the job that it claimed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobCall {
    pub job: JobId,
    pub epoch: JobEpoch,
    pub claim: ClaimSecret,
    pub kind: JobCallKind,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JobCallKind {
    /// Asks whether the job may run now.
    Start(StartNonce),
    Renew,
    /// The package or its claim was not accepted, by the code of the check.
    Refuse(String),
    /// The device did not run the job under this claim, and never will.
    DidNotRun,
    End(JobReport),
    Unknown(UnknownReason),
}

/// The server's answer to a call or a claim. Its epoch is that of the call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JobAnswer {
    /// There is no job for this claim.
    Nothing,
    Offer {
        job: JobId,
        epoch: JobEpoch,
    },
    /// Run it, for this nonce alone.
    Go {
        job: JobId,
        epoch: JobEpoch,
        nonce: StartNonce,
    },
    /// The claim is still the device's.
    Kept {
        job: JobId,
        epoch: JobEpoch,
        cancel: bool,
    },
    /// The report is stored.
    Recorded {
        job: JobId,
        epoch: JobEpoch,
    },
    /// The call's claim is not the current one, and never will be again.
    Stale {
        job: JobId,
        epoch: JobEpoch,
    },
    /// The job is over, or another nonce started it.
    Gone {
        job: JobId,
        epoch: JobEpoch,
    },
}
