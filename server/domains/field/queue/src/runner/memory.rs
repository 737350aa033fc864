//! A device after a restart: what its journal says, which is reported and never run.

use std::collections::BTreeMap;

use field_package::ids::JobId;

use super::{
    RunnerEffect,
    phase::{ClaimedWork, RunnerState},
};
use crate::{journal::JournalEntry, message::JobCallKind};

/// The state after a restart, and the first things to do.
pub fn recover(entries: &[JournalEntry]) -> (RunnerState, Vec<RunnerEffect>) {
    let mut state = RunnerState::default();
    let mut open: BTreeMap<JobId, (ClaimedWork, &JournalEntry)> = BTreeMap::new();
    for entry in entries {
        let job = entry.job();
        match entry {
            JournalEntry::Claimed {
                job, epoch, claim, ..
            } => {
                let work = ClaimedWork {
                    job: job.clone(),
                    epoch: *epoch,
                    claim: claim.clone(),
                };
                open.insert(job.clone(), (work, entry));
            }
            JournalEntry::Settled { .. } => {
                open.remove(job);
            }
            JournalEntry::Started { .. }
            | JournalEntry::Ended { .. }
            | JournalEntry::Lost { .. }
            | JournalEntry::Dropped { .. } => {
                if matches!(entry, JournalEntry::Started { .. }) {
                    state.started.insert(job.clone());
                }
                if let Some((_, last)) = open.get_mut(job) {
                    *last = entry;
                }
            }
        }
    }
    let mut effects = Vec::new();
    for (job, (work, last)) in open {
        let kind = match last {
            // Whatever was asked under this claim: nothing was started, and now never will be.
            JournalEntry::Claimed { .. }
            | JournalEntry::Dropped { .. }
            | JournalEntry::Settled { .. } => JobCallKind::DidNotRun,
            JournalEntry::Started { .. } => {
                state.looking.insert(job.clone(), work);
                effects.push(RunnerEffect::Look(job));
                continue;
            }
            JournalEntry::Ended { report, .. } => JobCallKind::End(report.clone()),
            JournalEntry::Lost { reason, .. } => JobCallKind::Unknown(*reason),
        };
        let call = work.call(kind);
        state.pending.insert(job, call.clone());
        effects.push(RunnerEffect::Call(call));
    }
    (state, effects)
}
