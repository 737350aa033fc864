//! A small model of the queue: what each act answers, and what it leaves behind.

use std::collections::{BTreeMap, BTreeSet};

use field_tables::{FinishedAs, JobState};

use JobState::{Cancelled, Claimed, Cut, Ended, NotDelivered, Queued, Refused, Running, Unknown};

/// Milliseconds from now: how long a job may be claimed and started, a claim be silent, a job run.
pub(crate) const CLAIM_FOR: i64 = 400;
pub(crate) const EXPIRES_IN: i64 = 430;
pub(crate) const LEASE_FOR: i64 = 60;
pub(crate) const RUN_FOR: i64 = 150;

/// A claim as a runner remembers it, perhaps for far too long.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Remembered {
    pub(crate) job: usize,
    pub(crate) epoch: u64,
    pub(crate) request: String,
}

#[derive(Debug)]
pub(crate) struct ModelJob {
    pub(crate) device: usize,
    pub(crate) seq: u64,
    pub(crate) state: JobState,
    pub(crate) epoch: u64,
    pub(crate) request: Option<String>,
    pub(crate) nonce: Option<String>,
    /// The state that a report would have led to that came too late.
    pub(crate) late: Option<JobState>,
    pub(crate) is_resolved: bool,
    pub(crate) is_removed: bool,
    pub(crate) log: Vec<Vec<u8>>,
    /// The epochs and nonces for which the server said go.
    pub(crate) goes: BTreeSet<(u64, String)>,
    is_cancel_asked: bool,
    queued: i64,
    lease: i64,
    deadline: i64,
    ended: i64,
}

#[derive(Debug, Default)]
pub(crate) struct Model {
    pub(crate) now: i64,
    pub(crate) jobs: Vec<ModelJob>,
    pub(crate) is_suspended: [bool; 2],
    pub(crate) requests: BTreeMap<(usize, String), (usize, u64)>,
}

impl Model {
    pub(crate) fn next_seq(&self, device: usize) -> u64 {
        let of_device = self.jobs.iter().filter(|job| job.device == device);
        of_device.map(|job| job.seq).max().unwrap_or(0) + 1
    }

    pub(crate) fn waiting(&self, device: usize) -> usize {
        let of_device = self.jobs.iter().filter(|job| job.device == device);
        of_device.filter(|job| job.state == Queued).count()
    }

    /// `job`: the index of an earlier one if its call is repeated.
    pub(crate) fn queue(&mut self, device: usize, seq: u64, job: Option<usize>) -> &'static str {
        if let Some(job) = job {
            let removed = self.jobs[job].is_removed;
            return if removed { "removed" } else { "repeated" };
        }
        if self.is_suspended[device] {
            return "not adopted";
        }
        if seq != self.next_seq(device) {
            return "sequence";
        }
        self.jobs.push(ModelJob {
            device,
            seq,
            state: Queued,
            epoch: 1,
            request: None,
            nonce: None,
            late: None,
            is_resolved: false,
            is_removed: false,
            log: Vec::new(),
            goes: BTreeSet::new(),
            is_cancel_asked: false,
            queued: self.now,
            lease: 0,
            deadline: 0,
            ended: 0,
        });
        "queued"
    }

    pub(crate) fn claim(&mut self, device: usize, request: &str) -> (&'static str, Option<usize>) {
        for index in 0..self.jobs.len() {
            if self.jobs[index].device == device {
                self.due(index);
            }
        }
        if self.is_suspended[device] {
            return ("not adopted", None);
        }
        let key = (device, request.to_owned());
        if let Some((job, epoch)) = self.requests.get(&key).copied() {
            let is_same = self.jobs[job].state == Claimed && self.jobs[job].epoch == epoch;
            return if is_same {
                ("repeated", Some(job))
            } else {
                ("spent", None)
            };
        }
        let now = self.now;
        let is_busy =
            |job: &ModelJob| job.device == device && matches!(job.state, Claimed | Running);
        if self.jobs.iter().any(is_busy) {
            return ("busy", None);
        }
        let mut jobs = self.jobs.iter_mut().enumerate();
        let next = jobs.find(|(_, job)| {
            job.device == device && job.state == Queued && now < job.queued + CLAIM_FOR
        });
        let Some((index, job)) = next else {
            return ("nothing", None);
        };
        job.state = Claimed;
        job.request = Some(request.to_owned());
        job.lease = now + LEASE_FOR;
        let epoch = job.epoch;
        self.requests.insert(key, (index, epoch));
        ("claimed", Some(index))
    }

    /// The job of a claim that is the current one, or the answer to one that is not. What is due
    /// comes first.
    fn current(&mut self, claim: &Remembered) -> Result<&mut ModelJob, &'static str> {
        self.due(claim.job);
        self.as_noted(claim)
    }

    /// The same without looking at the clock.
    fn as_noted(&mut self, claim: &Remembered) -> Result<&mut ModelJob, &'static str> {
        let job = &mut self.jobs[claim.job];
        let is_current = job.epoch == claim.epoch && job.request.as_ref() == Some(&claim.request);
        if job.is_removed || (!is_current && job.state.is_over()) {
            return Err("over");
        }
        if is_current { Ok(job) } else { Err("stale") }
    }

    pub(crate) fn start(&mut self, claim: &Remembered, nonce: &str) -> &'static str {
        let now = self.now;
        let suspended = self.is_suspended[self.jobs[claim.job].device];
        let job = match self.current(claim) {
            Ok(job) => job,
            Err(answer) => return answer,
        };
        let expired = job.queued + EXPIRES_IN <= now;
        match job.state {
            _ if suspended => "not adopted",
            Claimed if expired => "expired",
            Claimed => {
                job.state = Running;
                job.nonce = Some(nonce.to_owned());
                job.deadline = now + RUN_FOR;
                job.lease = now + LEASE_FOR;
                job.goes.insert((claim.epoch, nonce.to_owned()));
                "go"
            }
            Running if job.nonce.as_deref() != Some(nonce) => "other nonce",
            Running if expired || job.deadline <= now => "expired",
            Running => {
                job.goes.insert((claim.epoch, nonce.to_owned()));
                "go again"
            }
            _ => "over",
        }
    }

    pub(crate) fn renew(&mut self, claim: &Remembered) -> &'static str {
        let lease = self.now + LEASE_FOR;
        match self.current(claim) {
            Ok(job) if matches!(job.state, Claimed | Running) => {
                job.lease = job.lease.max(lease);
                let asked = job.is_cancel_asked;
                if asked { "cancel" } else { "renewed" }
            }
            Ok(_) => "over",
            Err(answer) => answer,
        }
    }

    /// `for_good`: the device refuses the job, rather than not having run it.
    pub(crate) fn not_run(&mut self, claim: &Remembered, for_good: bool) -> &'static str {
        let now = self.now;
        let job = match self.current(claim) {
            Ok(job) => job,
            Err(answer) => return answer,
        };
        match job.state {
            Claimed if !for_good => {
                job.back();
                "back"
            }
            Claimed | Running => {
                job.end(Refused, now);
                "refused"
            }
            Refused => "repeated",
            _ => job.reported_late(Refused),
        }
    }

    pub(crate) fn finish(&mut self, claim: &Remembered, finished: FinishedAs) -> &'static str {
        let now = self.now;
        let job = match self.current(claim) {
            Ok(job) => job,
            Err(answer) => return answer,
        };
        let state = match finished {
            FinishedAs::Ended => Ended,
            FinishedAs::Cut => Cut,
            FinishedAs::Unknown => Unknown,
        };
        match job.state {
            Running => {
                job.end(state, now);
                "finished"
            }
            Claimed => {
                job.end(Unknown, now);
                job.reported_late(state);
                "unasked"
            }
            _ if state == job.state => "repeated",
            _ => job.reported_late(state),
        }
    }

    pub(crate) fn cancel(&mut self, job: usize) -> &'static str {
        self.due(job);
        let now = self.now;
        let job = &mut self.jobs[job];
        match job.state {
            _ if job.is_removed => "gone",
            Queued | Claimed => {
                job.end(Cancelled, now);
                "cancelled"
            }
            Running if job.is_cancel_asked => "asked before",
            Running => {
                job.is_cancel_asked = true;
                "asked"
            }
            _ => "over",
        }
    }

    /// A device that is suspended is asked to end what runs on it.
    pub(crate) fn suspend(&mut self, device: usize, is_suspended: bool) {
        self.is_suspended[device] = is_suspended;
        let mut jobs = self.jobs.iter_mut();
        let running = jobs.find(|job| job.device == device && job.state == Running);
        if let Some(job) = running.filter(|_| is_suspended) {
            job.is_cancel_asked = true;
        }
    }

    pub(crate) fn refuse(&mut self, job: usize) -> &'static str {
        self.due(job);
        let now = self.now;
        let job = &mut self.jobs[job];
        match job.state {
            _ if job.is_removed => "gone",
            Queued | Claimed => {
                job.end(Refused, now);
                "refused"
            }
            _ => "too late",
        }
    }

    pub(crate) fn resolve(&mut self, job: usize) -> &'static str {
        let job = &mut self.jobs[job];
        match job.state {
            _ if job.is_removed => "gone",
            Unknown if job.is_resolved => "resolved before",
            Unknown => {
                job.is_resolved = true;
                "resolved"
            }
            _ => "not unknown",
        }
    }

    /// The number of jobs that time changed.
    pub(crate) fn settle(&mut self) -> usize {
        let jobs = 0..self.jobs.len();
        jobs.filter(|index| self.due(*index)).count()
    }

    /// Does to a job what time has done, whether anybody has noted it or not.
    fn due(&mut self, index: usize) -> bool {
        let now = self.now;
        let job = &mut self.jobs[index];
        match job.state {
            Claimed if job.lease <= now => {
                job.back();
                if job.queued + CLAIM_FOR <= now {
                    job.end(NotDelivered, now);
                }
            }
            Queued if job.queued + CLAIM_FOR <= now => job.end(NotDelivered, now),
            Running if job.deadline <= now => job.end(Unknown, now),
            _ => return false,
        }
        true
    }

    /// `offset`: where the bytes should be, by the word of the device.
    pub(crate) fn append(&mut self, claim: &Remembered, offset: u64, bytes: &[u8]) -> &'static str {
        let job = match self.as_noted(claim) {
            Ok(job) => job,
            Err(answer) => return answer,
        };
        match job.state {
            Running | Ended | Cut | Unknown => {}
            Claimed => return "not started",
            _ => return "over",
        }
        let length: usize = job.log.iter().map(Vec::len).sum();
        if offset == length as u64 {
            job.log.push(bytes.to_vec());
            return "kept";
        }
        if offset + bytes.len() as u64 <= length as u64 {
            return "kept before";
        }
        "elsewhere"
    }

    pub(crate) fn prune(&mut self, before: i64) -> usize {
        let mut removed = 0;
        for (index, job) in self.jobs.iter_mut().enumerate() {
            let is_settled = job.state != Unknown || job.is_resolved || job.late.is_some();
            if !job.is_removed && job.state.is_over() && job.ended < before && is_settled {
                job.is_removed = true;
                self.requests.retain(|_, claim| claim.0 != index);
                removed += 1;
            }
        }
        removed
    }
}

impl ModelJob {
    fn back(&mut self) {
        self.state = Queued;
        self.epoch += 1;
        self.request = None;
    }

    fn reported_late(&mut self, state: JobState) -> &'static str {
        if state == Unknown || self.late.is_some() {
            return "repeated";
        }
        self.late = Some(state);
        "late"
    }

    fn end(&mut self, state: JobState, now: i64) {
        self.state = state;
        self.ended = now;
    }
}
