//! States of a job on the server.

use field_package::ids::JobId;

use crate::{
    message::JobEpoch,
    report::{JobReport, UnknownReason},
    secret::{ClaimHash, StartNonce},
};

/// A packaged job. Times are seconds since 1970 by the server's clock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerJob {
    pub job: JobId,
    /// Until when it may be claimed.
    pub claim_until: u64,
    pub timeout_s: u32,
    pub state: ServerState,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServerState {
    Queued {
        epoch: JobEpoch,
    },
    Claimed {
        epoch: JobEpoch,
        claim: ClaimHash,
        lease_until: u64,
    },
    /// The server said go. From here there is no way back to the queue.
    Running {
        epoch: JobEpoch,
        claim: ClaimHash,
        nonce: StartNonce,
        /// After which the device is silent.
        deadline: u64,
        /// A person asked to end it.
        cancel: bool,
    },
    /// The end, which stays.
    Final {
        epoch: JobEpoch,
        /// The claim that was current then.
        claim: Option<ClaimHash>,
        state: FinalState,
        /// A report of that claim that came afterwards, kept beside the state.
        late: Option<JobReport>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FinalState {
    /// It ended on its own.
    Ended(JobReport),
    /// A limit or a person ended it.
    Cut(JobReport),
    Refused(JobRefusal),
    /// No device claimed it in time. Certain: it never ran.
    NotDelivered,
    /// Cancelled before it was started. Certain: it never ran.
    Cancelled,
    Unknown(UnknownReason),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobRefusal {
    /// By the device, with the code of its check.
    Device(String),
    /// By the server's checks at the start, with the code of the check.
    Server(&'static str),
    /// The server had said go, and the device is certain that nothing ran.
    NotStarted,
}

impl ServerJob {
    /// A job that was just packaged.
    pub fn queued(job: JobId, claim_until: u64, timeout_s: u32) -> Self {
        Self {
            job,
            claim_until,
            timeout_s,
            state: ServerState::Queued { epoch: JobEpoch(1) },
        }
    }

    pub fn epoch(&self) -> JobEpoch {
        match self.state {
            ServerState::Queued { epoch }
            | ServerState::Claimed { epoch, .. }
            | ServerState::Running { epoch, .. }
            | ServerState::Final { epoch, .. } => epoch,
        }
    }

    pub fn is_final(&self) -> bool {
        matches!(self.state, ServerState::Final { .. })
    }

    /// True if this claim is the job's current or last one. A repeated claim belongs to this job, and to
    /// no other that waits.
    pub fn has_claim(&self, claim: ClaimHash) -> bool {
        self.claim() == Some(claim)
    }

    pub(super) fn claim(&self) -> Option<ClaimHash> {
        match self.state {
            ServerState::Queued { .. } => None,
            ServerState::Claimed { claim, .. } | ServerState::Running { claim, .. } => Some(claim),
            ServerState::Final { claim, .. } => claim,
        }
    }
}
