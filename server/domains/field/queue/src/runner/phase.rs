//! States of a device, and the next one for each event.

use std::collections::{BTreeMap, BTreeSet};

use field_package::ids::JobId;

use super::{RunnerEffect, START_PATIENCE_MS};
use crate::{
    journal::JournalEntry,
    message::{JobAnswer, JobCall, JobCallKind, JobEpoch},
    report::{JobReport, UnknownReason},
    secret::{ClaimSecret, StartNonce},
};

/// A device's memory: what its journal says, and the job of this life.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunnerState {
    pub(super) phase: RunnerPhase,
    /// Jobs that were started once, in any life.
    pub(super) started: BTreeSet<JobId>,
    /// Reports that the server has not acknowledged.
    pub(super) pending: BTreeMap<JobId, JobCall>,
    /// Jobs that an earlier life started, and whose end is not known yet.
    pub(super) looking: BTreeMap<JobId, ClaimedWork>,
}

/// A job under one claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ClaimedWork {
    pub(super) job: JobId,
    pub(super) epoch: JobEpoch,
    pub(super) claim: ClaimSecret,
}

/// The job of this life.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) enum RunnerPhase {
    #[default]
    Idle,
    Asking {
        claim: ClaimSecret,
    },
    /// Claimed, and its package is being checked.
    Checking(ClaimedWork),
    Starting {
        work: ClaimedWork,
        nonce: StartNonce,
        since_ms: u64,
    },
    Running {
        work: ClaimedWork,
        killed: bool,
    },
}

/// An event on a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunnerInput {
    /// Ask for work, with a new secret. Ignored while there is something else to do.
    Poll(ClaimSecret),
    /// An answer of the server. For an offer, with the time until which the job is remembered.
    Answer { answer: JobAnswer, keep_until: u64 },
    /// The package passed all checks; with a new nonce for its start.
    Admitted {
        job: JobId,
        nonce: StartNonce,
        now_ms: u64,
    },
    /// A check failed, by its code.
    NotAdmitted { job: JobId, code: String },
    /// A job was not started after all, or ended before its first step, by the code of the reason. Certain:
    /// nothing ran.
    NotStarted { job: JobId, code: String },
    /// The job of this life ended.
    Ended { job: JobId, report: JobReport },
    /// The answer to a look, at a job of this life too.
    Found { job: JobId, found: UnitFound },
    /// Time has passed, by a clock that nobody sets.
    Tick { now_ms: u64 },
}

/// The trace of a job that was started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UnitFound {
    Running,
    Ended(JobReport),
    /// It has no end. `begun`: one of its steps had begun.
    Nothing {
        rebooted: bool,
        begun: bool,
    },
}

/// The next state and what follows from it, in order.
pub fn step(mut state: RunnerState, input: RunnerInput) -> (RunnerState, Vec<RunnerEffect>) {
    let effects = match input {
        RunnerInput::Poll(claim) => state.poll(claim),
        RunnerInput::Answer { answer, keep_until } => state.answered(answer, keep_until),
        RunnerInput::Admitted { job, nonce, now_ms } => state.admitted(&job, nonce, now_ms),
        RunnerInput::NotAdmitted { job, code } => state.not_admitted(&job, code),
        RunnerInput::NotStarted { job, code } => state.not_started(&job, code),
        RunnerInput::Ended { job, report } => state.ended(&job, report),
        RunnerInput::Found { job, found } => state.found(&job, found),
        RunnerInput::Tick { now_ms } => state.tick(now_ms),
    };
    (state, effects)
}

impl RunnerState {
    /// True if the device has nothing to do and nothing to report.
    pub fn is_idle(&self) -> bool {
        self.phase == RunnerPhase::Idle && self.pending.is_empty() && self.looking.is_empty()
    }

    fn poll(&mut self, claim: ClaimSecret) -> Vec<RunnerEffect> {
        // A second job never displaces the first, and reports come before new work.
        if !self.is_idle() {
            return Vec::new();
        }
        self.phase = RunnerPhase::Asking {
            claim: claim.clone(),
        };
        vec![RunnerEffect::Ask(claim)]
    }

    fn answered(&mut self, answer: JobAnswer, keep_until: u64) -> Vec<RunnerEffect> {
        match answer {
            JobAnswer::Nothing => {
                if matches!(self.phase, RunnerPhase::Asking { .. }) {
                    self.phase = RunnerPhase::Idle;
                }
                Vec::new()
            }
            JobAnswer::Offer { job, epoch } => self.offered(job, epoch, keep_until),
            JobAnswer::Go { job, epoch, nonce } => self.go(&job, epoch, nonce),
            JobAnswer::Kept { job, epoch, cancel } => self.kept(&job, epoch, cancel),
            JobAnswer::Recorded { job, epoch } => self.settled(&job, epoch),
            JobAnswer::Stale { job, epoch } => {
                let mut effects = self.settled(&job, epoch);
                effects.extend(self.lost(&job, epoch));
                effects
            }
            JobAnswer::Gone { job, epoch } => self.lost(&job, epoch),
        }
    }

    fn offered(&mut self, job: JobId, epoch: JobEpoch, keep_until: u64) -> Vec<RunnerEffect> {
        let RunnerPhase::Asking { claim } = &self.phase else {
            return Vec::new();
        };
        let work = ClaimedWork {
            job: job.clone(),
            epoch,
            claim: claim.clone(),
        };
        let claimed = RunnerEffect::Append(JournalEntry::Claimed {
            job: job.clone(),
            epoch,
            claim: claim.clone(),
            keep_until,
        });
        if self.started.contains(&job) {
            self.phase = RunnerPhase::Idle;
            let refused = self.report(work, JobCallKind::Refuse("already_started".to_owned()));
            return vec![claimed, refused];
        }
        self.phase = RunnerPhase::Checking(work);
        vec![claimed, RunnerEffect::Admit(job)]
    }

    fn admitted(&mut self, job: &JobId, nonce: StartNonce, now_ms: u64) -> Vec<RunnerEffect> {
        let RunnerPhase::Checking(work) = &self.phase else {
            return Vec::new();
        };
        if work.job != *job {
            return Vec::new();
        }
        let work = work.clone();
        let start = work.call(JobCallKind::Start(nonce));
        self.phase = RunnerPhase::Starting {
            work,
            nonce,
            since_ms: now_ms,
        };
        vec![RunnerEffect::Call(start)]
    }

    fn not_admitted(&mut self, job: &JobId, code: String) -> Vec<RunnerEffect> {
        match std::mem::take(&mut self.phase) {
            RunnerPhase::Checking(work) if work.job == *job => {
                let dropped = RunnerEffect::Append(JournalEntry::Dropped { job: job.clone() });
                vec![dropped, self.report(work, JobCallKind::Refuse(code))]
            }
            other => {
                self.phase = other;
                Vec::new()
            }
        }
    }

    /// The server had said go, so the job is never queued again. `started` stays: it is never run either.
    fn not_started(&mut self, job: &JobId, code: String) -> Vec<RunnerEffect> {
        let Some(work) = self.started_work(job) else {
            return Vec::new();
        };
        let dropped = RunnerEffect::Append(JournalEntry::Dropped { job: job.clone() });
        vec![dropped, self.report(work, JobCallKind::Refuse(code))]
    }

    /// The one place from which a job is run.
    fn go(&mut self, job: &JobId, epoch: JobEpoch, nonce: StartNonce) -> Vec<RunnerEffect> {
        let RunnerPhase::Starting {
            work, nonce: own, ..
        } = &self.phase
        else {
            return Vec::new();
        };
        let meant = work.job == *job && work.epoch == epoch && *own == nonce;
        if !meant || self.started.contains(job) {
            return Vec::new();
        }
        self.started.insert(job.clone());
        self.phase = RunnerPhase::Running {
            work: work.clone(),
            killed: false,
        };
        let started = JournalEntry::Started {
            job: job.clone(),
            nonce,
        };
        vec![
            RunnerEffect::Append(started),
            RunnerEffect::Run(job.clone()),
        ]
    }

    fn kept(&mut self, job: &JobId, epoch: JobEpoch, cancel: bool) -> Vec<RunnerEffect> {
        match &mut self.phase {
            RunnerPhase::Running { work, killed }
                if cancel && !*killed && work.job == *job && work.epoch == epoch =>
            {
                *killed = true;
                vec![RunnerEffect::Kill(job.clone())]
            }
            _ => Vec::new(),
        }
    }

    /// The claim counts for nothing any longer. What runs goes on: its end is reported as late.
    fn lost(&mut self, job: &JobId, epoch: JobEpoch) -> Vec<RunnerEffect> {
        let mine = match &self.phase {
            RunnerPhase::Checking(work) | RunnerPhase::Starting { work, .. } => {
                work.job == *job && work.epoch == epoch
            }
            RunnerPhase::Idle | RunnerPhase::Asking { .. } | RunnerPhase::Running { .. } => false,
        };
        if !mine {
            return Vec::new();
        }
        self.phase = RunnerPhase::Idle;
        let settled = JournalEntry::Settled { job: job.clone() };
        vec![RunnerEffect::Append(settled)]
    }

    fn ended(&mut self, job: &JobId, report: JobReport) -> Vec<RunnerEffect> {
        match self.started_work(job) {
            Some(work) => self.over(work, report),
            None => Vec::new(),
        }
    }

    /// Takes a job that was started and has no end yet: of this life, or of an earlier one.
    fn started_work(&mut self, job: &JobId) -> Option<ClaimedWork> {
        match std::mem::take(&mut self.phase) {
            RunnerPhase::Running { work, .. } if work.job == *job => Some(work),
            other => {
                self.phase = other;
                self.looking.remove(job)
            }
        }
    }

    fn found(&mut self, job: &JobId, found: UnitFound) -> Vec<RunnerEffect> {
        let (rebooted, begun) = match found {
            UnitFound::Running => return Vec::new(),
            UnitFound::Ended(report) => return self.ended(job, report),
            UnitFound::Nothing { rebooted, begun } => (rebooted, begun),
        };
        let Some(work) = self.started_work(job) else {
            return Vec::new();
        };
        let reason = match (rebooted, begun) {
            (true, _) => UnknownReason::Rebooted,
            (false, true) => UnknownReason::Lost,
            (false, false) => UnknownReason::InterruptedAtStart,
        };
        let lost = JournalEntry::Lost {
            job: job.clone(),
            reason,
        };
        let report = self.report(work, JobCallKind::Unknown(reason));
        vec![RunnerEffect::Append(lost), report]
    }

    fn over(&mut self, work: ClaimedWork, report: JobReport) -> Vec<RunnerEffect> {
        let ended = JournalEntry::Ended {
            job: work.job.clone(),
            report: report.clone(),
        };
        let report = self.report(work, JobCallKind::End(report));
        vec![RunnerEffect::Append(ended), report]
    }

    fn tick(&mut self, now_ms: u64) -> Vec<RunnerEffect> {
        let mut effects: Vec<_> = self
            .pending
            .values()
            .cloned()
            .map(RunnerEffect::Call)
            .collect();
        effects.extend(self.looking.keys().cloned().map(RunnerEffect::Look));
        match &self.phase {
            RunnerPhase::Idle => {}
            RunnerPhase::Asking { claim } => effects.push(RunnerEffect::Ask(claim.clone())),
            RunnerPhase::Checking(work) => {
                effects.push(RunnerEffect::Call(work.call(JobCallKind::Renew)));
                effects.push(RunnerEffect::Admit(work.job.clone()));
            }
            RunnerPhase::Starting {
                work,
                nonce,
                since_ms,
            } => {
                if now_ms.saturating_sub(*since_ms) > START_PATIENCE_MS {
                    let work = work.clone();
                    self.phase = RunnerPhase::Idle;
                    let job = work.job.clone();
                    effects.push(RunnerEffect::Append(JournalEntry::Dropped { job }));
                    effects.push(self.report(work, JobCallKind::DidNotRun));
                } else {
                    let start = work.call(JobCallKind::Start(*nonce));
                    effects.push(RunnerEffect::Call(start));
                }
            }
            RunnerPhase::Running { work, .. } => {
                effects.push(RunnerEffect::Call(work.call(JobCallKind::Renew)));
            }
        }
        effects
    }

    /// Forgets a report that the server has, or whose claim counts for nothing.
    fn settled(&mut self, job: &JobId, epoch: JobEpoch) -> Vec<RunnerEffect> {
        let mine = self
            .pending
            .get(job)
            .is_some_and(|call| call.epoch == epoch);
        if !mine {
            return Vec::new();
        }
        self.pending.remove(job);
        let settled = JournalEntry::Settled { job: job.clone() };
        vec![RunnerEffect::Append(settled)]
    }

    /// Sends a report now, and again until it is settled.
    fn report(&mut self, work: ClaimedWork, kind: JobCallKind) -> RunnerEffect {
        let call = work.call(kind);
        self.pending.insert(work.job, call.clone());
        RunnerEffect::Call(call)
    }
}

impl ClaimedWork {
    pub(super) fn call(&self, kind: JobCallKind) -> JobCall {
        JobCall {
            job: self.job.clone(),
            epoch: self.epoch,
            claim: self.claim.clone(),
            kind,
        }
    }
}
