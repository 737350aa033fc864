//! The device's journal, in memory: what it has claimed, started and ended, and what it has seen.
//!
//! A real one is synced to the disk at each of these points. Here it outlives [`super::FleetDevice::restart`],
//! which is as much as a simulation needs.

use std::collections::{BTreeMap, BTreeSet};

use super::streams::JobStreams;
use crate::protocol::{JournalMessage, JournalReport, ReportMessage};
use crate::trust::admission::PackageMemory;

#[derive(Debug, Default)]
pub(super) struct DeviceJournal {
    entries: Vec<ClaimEntry>,
    /// Highest number of each signing key.
    numbers: BTreeMap<String, u64>,
    nonces: BTreeSet<String>,
}

/// A job under one claim.
#[derive(Debug)]
pub(super) struct ClaimEntry {
    pub(super) job: String,
    pub(super) epoch: u32,
    pub(super) claim: String,
    pub(super) state: JournalState,
    pub(super) streams: JobStreams,
}

/// The last record of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum JournalState {
    Claimed,
    Started,
    Ended(ReportMessage),
    /// The server knows the end.
    Settled,
}

impl DeviceJournal {
    /// Records a claim. What an earlier claim of this job left behind is over with it.
    pub(super) fn claimed(&mut self, job: &str, epoch: u32, claim: &str) {
        self.entries.push(ClaimEntry {
            job: job.to_owned(),
            epoch,
            claim: claim.to_owned(),
            state: JournalState::Claimed,
            streams: JobStreams::default(),
        });
    }

    /// Records a start, which spends the package's number and nonce.
    pub(super) fn started(&mut self, claim: &str, signers: &[String], seq: u64, nonce: &str) {
        for signer in signers {
            let number = self.numbers.entry(signer.clone()).or_default();
            *number = seq.max(*number);
        }
        self.nonces.insert(nonce.to_owned());
        self.record(claim, JournalState::Started);
    }

    pub(super) fn record(&mut self, claim: &str, state: JournalState) {
        if let Some(entry) = self.entry(claim) {
            entry.state = state;
        }
    }

    /// The entry of a claim, whose secret is unique.
    pub(super) fn entry(&mut self, claim: &str) -> Option<&mut ClaimEntry> {
        self.entries.iter_mut().find(|it| it.claim == claim)
    }

    /// The entry that an answer is about.
    pub(super) fn answered(&mut self, job: &str, epoch: u32) -> Option<&mut ClaimEntry> {
        let mut open = self.entries.iter_mut().rev();
        open.find(|it| it.job == job && it.epoch == epoch && it.state != JournalState::Settled)
    }

    /// Reports of a new life, in which nothing of an earlier one runs.
    pub(super) fn reports(&self) -> Vec<JournalMessage> {
        let open = self.entries.iter().filter_map(|entry| {
            let report = match &entry.state {
                JournalState::Claimed => JournalReport::DidNotRun,
                JournalState::Started => JournalReport::Unknown("rebooted"),
                JournalState::Ended(report) => JournalReport::End(report.clone()),
                JournalState::Settled => return None,
            };
            Some(JournalMessage {
                job: entry.job.clone(),
                epoch: entry.epoch,
                claim: entry.claim.clone(),
                report,
            })
        });
        open.collect()
    }
}

impl PackageMemory for DeviceJournal {
    fn has_seen(&self, signers: &[String], seq: u64, nonce: &str) -> bool {
        let behind = |key: &String| self.numbers.get(key).is_some_and(|highest| seq <= *highest);
        self.nonces.contains(nonce) || signers.iter().any(behind)
    }
}
