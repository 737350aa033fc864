//! Transitions of a job on the server.

use super::{FinalState, GRACE_S, JobRefusal, LEASE_S, ServerEffect, ServerJob, ServerState};
use crate::{
    message::{JobAnswer, JobCall, JobCallKind},
    report::{JobReport, UnknownReason},
    secret::{ClaimHash, StartNonce},
};

/// An event for a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServerInput {
    /// A device asks for work and this job is the next one, or the one that it has already.
    Claim(ClaimHash),
    /// A call, with the checks of the server as they are now. They count for a start alone.
    Call {
        call: JobCall,
        check: StartCheck,
    },
    Cancel,
    /// Time has passed.
    Tick,
}

/// The checks at the start: kill switch, approval, policy and expiry, all again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartCheck {
    Passed,
    /// With the code of the first check that failed.
    Failed(&'static str),
}

/// The next state and what follows from it. `now` is in seconds since 1970.
pub fn step(job: ServerJob, input: ServerInput, now: u64) -> (ServerJob, Vec<ServerEffect>) {
    // A call may come before the tick that would have noticed that time is up.
    let (job, mut effects) = tick(job, now);
    let (job, more) = match input {
        ServerInput::Tick => (job, Vec::new()),
        ServerInput::Claim(claim) => claimed(job, claim, now),
        ServerInput::Cancel => cancelled(job),
        ServerInput::Call { call, check } => called(job, call, check, now),
    };
    let commits = effects.contains(&ServerEffect::Commit);
    effects.extend(
        more.into_iter()
            .filter(|effect| !(commits && *effect == ServerEffect::Commit)),
    );
    (job, effects)
}

fn tick(mut job: ServerJob, now: u64) -> (ServerJob, Vec<ServerEffect>) {
    match job.state {
        ServerState::Queued { .. } if now >= job.claim_until => {
            finish(job, FinalState::NotDelivered)
        }
        // Only a claim lapses. A run does not, or the job would run twice.
        ServerState::Claimed {
            epoch, lease_until, ..
        } if now >= lease_until => {
            job.state = ServerState::Queued {
                epoch: epoch.next(),
            };
            if now >= job.claim_until {
                return finish(job, FinalState::NotDelivered);
            }
            let offer = ServerEffect::Offer(job.job.clone());
            (job, vec![ServerEffect::Commit, offer])
        }
        ServerState::Running { deadline, .. } if now >= deadline => {
            finish(job, FinalState::Unknown(UnknownReason::Silent))
        }
        _ => (job, Vec::new()),
    }
}

fn claimed(mut job: ServerJob, claim: ClaimHash, now: u64) -> (ServerJob, Vec<ServerEffect>) {
    let offer = JobAnswer::Offer {
        job: job.job.clone(),
        epoch: job.epoch(),
    };
    match job.state {
        ServerState::Queued { epoch } => {
            job.state = ServerState::Claimed {
                epoch,
                claim,
                lease_until: now.saturating_add(LEASE_S),
            };
            (job, vec![ServerEffect::Commit, ServerEffect::Answer(offer)])
        }
        // The answer was lost: the same claim again.
        ServerState::Claimed { claim: own, .. } if own == claim => {
            (job, vec![ServerEffect::Answer(offer)])
        }
        _ => (job, vec![ServerEffect::Answer(JobAnswer::Nothing)]),
    }
}

fn cancelled(mut job: ServerJob) -> (ServerJob, Vec<ServerEffect>) {
    match &mut job.state {
        ServerState::Queued { .. } | ServerState::Claimed { .. } => {
            finish(job, FinalState::Cancelled)
        }
        // The device is asked, and says what it did.
        ServerState::Running { cancel, .. } if !*cancel => {
            *cancel = true;
            (job, vec![ServerEffect::Commit])
        }
        ServerState::Running { .. } | ServerState::Final { .. } => (job, Vec::new()),
    }
}

fn called(
    job: ServerJob,
    call: JobCall,
    check: StartCheck,
    now: u64,
) -> (ServerJob, Vec<ServerEffect>) {
    let (id, epoch) = (job.job.clone(), call.epoch);
    // Epoch and secret together: a stale claim changes nothing, whatever it says.
    let current = epoch == job.epoch() && job.claim() == Some(call.claim.hash());
    let (job, mut effects, reply) = if current {
        match call.kind {
            JobCallKind::Start(nonce) => start(job, nonce, check, now),
            JobCallKind::Renew => renew(job, now),
            JobCallKind::Refuse(code) => refuse(job, code),
            JobCallKind::DidNotRun => did_not_run(job),
            JobCallKind::End(report) => end(job, report),
            JobCallKind::Unknown(reason) => unknown(job, reason),
        }
    } else {
        (job, Vec::new(), CallReply::Stale)
    };
    let answer = match reply {
        CallReply::Go(nonce) => JobAnswer::Go {
            job: id,
            epoch,
            nonce,
        },
        CallReply::Kept { cancel } => JobAnswer::Kept {
            job: id,
            epoch,
            cancel,
        },
        CallReply::Recorded => JobAnswer::Recorded { job: id, epoch },
        CallReply::Stale => JobAnswer::Stale { job: id, epoch },
        CallReply::Gone => JobAnswer::Gone { job: id, epoch },
    };
    // Behind the commit, which comes first if it comes at all.
    let behind = usize::from(effects.first() == Some(&ServerEffect::Commit));
    effects.insert(behind, ServerEffect::Answer(answer));
    (job, effects)
}

/// The answer to a call, without job and epoch.
enum CallReply {
    Go(StartNonce),
    Kept { cancel: bool },
    Recorded,
    Stale,
    Gone,
}

type CallOutcome = (ServerJob, Vec<ServerEffect>, CallReply);

fn start(mut job: ServerJob, nonce: StartNonce, check: StartCheck, now: u64) -> CallOutcome {
    match job.state {
        ServerState::Claimed { epoch, claim, .. } => {
            if let StartCheck::Failed(code) = check {
                let state = FinalState::Refused(JobRefusal::Server(code));
                let (job, effects) = finish(job, state);
                return (job, effects, CallReply::Gone);
            }
            let longest = u64::from(job.timeout_s).saturating_add(GRACE_S);
            job.state = ServerState::Running {
                epoch,
                claim,
                nonce,
                deadline: now.saturating_add(longest),
                cancel: false,
            };
            (job, vec![ServerEffect::Commit], CallReply::Go(nonce))
        }
        // The answer was lost. Another nonce is another start, and there is only one. A kill switch
        // that was pulled in between wins, and what the device does then is for it to report.
        ServerState::Running { nonce: own, .. } if own == nonce && check == StartCheck::Passed => {
            (job, Vec::new(), CallReply::Go(nonce))
        }
        _ => (job, Vec::new(), CallReply::Gone),
    }
}

fn renew(mut job: ServerJob, now: u64) -> CallOutcome {
    match &mut job.state {
        ServerState::Claimed { lease_until, .. } => {
            *lease_until = now.saturating_add(LEASE_S);
            let kept = CallReply::Kept { cancel: false };
            (job, vec![ServerEffect::Commit], kept)
        }
        ServerState::Running { cancel, .. } => {
            let kept = CallReply::Kept { cancel: *cancel };
            (job, Vec::new(), kept)
        }
        ServerState::Queued { .. } | ServerState::Final { .. } => {
            (job, Vec::new(), CallReply::Gone)
        }
    }
}

fn refuse(job: ServerJob, code: String) -> CallOutcome {
    let state = match job.state {
        ServerState::Running { .. } => JobRefusal::NotStarted,
        _ => JobRefusal::Device(code),
    };
    reported(job, FinalState::Refused(state))
}

fn did_not_run(mut job: ServerJob) -> CallOutcome {
    // Without a start that was recorded nobody can have run it under this claim.
    if let ServerState::Claimed { epoch, .. } = job.state {
        job.state = ServerState::Queued {
            epoch: epoch.next(),
        };
        let offer = ServerEffect::Offer(job.job.clone());
        return (job, vec![ServerEffect::Commit, offer], CallReply::Recorded);
    }
    reported(job, FinalState::Refused(JobRefusal::NotStarted))
}

fn unknown(job: ServerJob, reason: UnknownReason) -> CallOutcome {
    reported(job, FinalState::Unknown(reason))
}

fn end(mut job: ServerJob, report: JobReport) -> CallOutcome {
    // A lost job is unknown, however its device words it. Of a job that is over it says nothing new.
    let is_claimed = matches!(job.state, ServerState::Claimed { .. });
    if report.how.is_lost() && !is_claimed {
        return unknown(job, UnknownReason::Lost);
    }
    if let ServerState::Final { state, late, .. } = &mut job.state {
        let repeated = match &*state {
            FinalState::Ended(own) | FinalState::Cut(own) => *own == report,
            FinalState::Refused(_)
            | FinalState::NotDelivered
            | FinalState::Cancelled
            | FinalState::Unknown(_) => false,
        };
        if repeated || late.is_some() {
            return (job, Vec::new(), CallReply::Recorded);
        }
        // The state stays as it was told to people; what came late is kept beside it.
        *late = Some(report);
        return (job, vec![ServerEffect::Commit], CallReply::Recorded);
    }
    if is_claimed {
        // It ran what nobody let it start. The report is kept, and the job is not run again.
        let (mut job, effects) = finish(job, FinalState::Unknown(UnknownReason::NeverStarted));
        if let ServerState::Final { late, .. } = &mut job.state {
            *late = Some(report);
        }
        return (job, effects, CallReply::Recorded);
    }
    let state = if report.how.is_cut() {
        FinalState::Cut(report)
    } else {
        FinalState::Ended(report)
    };
    reported(job, state)
}

/// Ends the job, unless it has ended: an end stays.
fn reported(job: ServerJob, state: FinalState) -> CallOutcome {
    if job.is_final() {
        return (job, Vec::new(), CallReply::Recorded);
    }
    let (job, effects) = finish(job, state);
    (job, effects, CallReply::Recorded)
}

fn finish(mut job: ServerJob, state: FinalState) -> (ServerJob, Vec<ServerEffect>) {
    job.state = ServerState::Final {
        epoch: job.epoch(),
        claim: job.claim(),
        state,
        late: None,
    };
    let finished = ServerEffect::Finished(job.job.clone());
    (job, vec![ServerEffect::Commit, finished])
}
