//! The server's row of a job, and its next state for each event.
//!
//! `step` decides; the caller writes the new state and the audit line in one transaction, and only
//! then sends the answer. A state that the write did not reach was never there.

mod calls;
mod state;

use field_package::ids::JobId;

pub use self::{
    calls::{ServerInput, StartCheck, step},
    state::{FinalState, JobRefusal, ServerJob, ServerState},
};

use crate::message::JobAnswer;

/// Seconds that a claim stands without a renewal. Each `until` here is the first second after.
pub const LEASE_S: u64 = 30;
/// Seconds after a job's timeout until its device is taken for silent.
pub const GRACE_S: u64 = 60;

/// An order of the machine to its caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServerEffect {
    /// Write the state before anything else happens. Comes first if it comes at all.
    Commit,
    /// Answer the call.
    Answer(JobAnswer),
    /// Wake devices that wait for a job.
    Offer(JobId),
    /// The job is over: tell whoever waits for it.
    Finished(JobId),
}
