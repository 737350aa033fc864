//! The device's part in the life of a job.
//!
//! The caller carries out the effects in their order and stops at the first that fails. An entry of the
//! journal is on the disk before the next effect is carried out.

mod memory;
mod phase;

use field_package::ids::JobId;

pub use self::{
    memory::recover,
    phase::{RunnerInput, RunnerState, UnitFound, step},
};

use crate::{journal::JournalEntry, message::JobCall, secret::ClaimSecret};

/// Milliseconds that a device waits for the answer to a start before it gives the job up.
pub const START_PATIENCE_MS: u64 = 60_000;

/// An order of the machine to its caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunnerEffect {
    /// Append to the journal and sync.
    Append(JournalEntry),
    /// Ask the server for a job.
    Ask(ClaimSecret),
    Call(JobCall),
    /// Fetch and check the package of this job.
    Admit(JobId),
    /// Start the job. At most once in the life of the journal.
    Run(JobId),
    /// End the job early.
    Kill(JobId),
    /// Look for the job of an earlier life: its unit, or the note of its end.
    Look(JobId),
}
