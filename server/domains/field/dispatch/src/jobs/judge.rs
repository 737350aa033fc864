//! A stored job as the queue's machine knows it, and the machine's judgement of a call.

use field_package::ids::JobId;
use field_queue::message::{JobAnswer, JobCall, JobEpoch};
use field_queue::report::{JobReport, UnknownReason};
use field_queue::secret::{ClaimHash, StartNonce};
use field_queue::server::{
    FinalState, JobRefusal, ServerEffect, ServerInput, ServerJob, ServerState, StartCheck, step,
};
use field_tables::{JobRecord, JobState};

use super::ending::report_of;
use crate::clock::whole_seconds;
use crate::error::DispatchRefusal;

/// The machine's next state, and its answer.
pub(super) struct JudgedCall {
    pub(super) after: ServerJob,
    pub(super) answer: JobAnswer,
    commits: bool,
}

impl JudgedCall {
    /// True if the job has changed.
    pub(super) fn commits(&self) -> bool {
        self.commits
    }
}

/// Asks the machine. What is due has been done before, so a change is that of the call.
pub(super) fn judge(
    record: &JobRecord,
    call: JobCall,
    check: StartCheck,
    timeout_s: u32,
    now_s: u64,
) -> Result<JudgedCall, DispatchRefusal> {
    let before = machine(record, timeout_s)?;
    let (after, effects) = step(before, ServerInput::Call { call, check }, now_s);
    let commits = effects.contains(&ServerEffect::Commit);
    let answer = effects.into_iter().find_map(|effect| match effect {
        ServerEffect::Answer(answer) => Some(answer),
        ServerEffect::Commit | ServerEffect::Offer(_) | ServerEffect::Finished(_) => None,
    });
    Ok(JudgedCall {
        after,
        answer: answer.ok_or_else(|| damaged("no answer"))?,
        commits,
    })
}

pub(super) fn job_id(record: &JobRecord) -> Result<JobId, DispatchRefusal> {
    JobId::new(&record.id).map_err(|_| damaged("identifier"))
}

/// A stored job as the machine's state.
pub(crate) fn machine(record: &JobRecord, timeout_s: u32) -> Result<ServerJob, DispatchRefusal> {
    let epoch = JobEpoch(u32::try_from(record.epoch).map_err(|_| damaged("epoch"))?);
    let claim = match &record.claim_hash {
        Some(hash) => Some(hash.as_slice().try_into().map_err(|_| damaged("claim"))?),
        None => None,
    };
    let claim = claim.map(ClaimHash::new);
    let current = || claim.ok_or_else(|| damaged("claim"));
    let seconds = |at_ms: Option<i64>| at_ms.map(whole_seconds).ok_or_else(|| damaged("time"));
    let state = match record.state {
        JobState::Queued => ServerState::Queued { epoch },
        JobState::Claimed => ServerState::Claimed {
            epoch,
            claim: current()?,
            lease_until: seconds(record.lease_until_ms)?,
        },
        JobState::Running => ServerState::Running {
            epoch,
            claim: current()?,
            nonce: nonce(record)?,
            deadline: seconds(record.deadline_ms)?,
            cancel: record.cancel_asked_ms.is_some(),
        },
        _ => ServerState::Final {
            epoch,
            claim,
            state: end(record),
            late: record
                .late
                .as_ref()
                .and_then(|late| report_of(&late.ending)),
        },
    };
    Ok(ServerJob {
        job: job_id(record)?,
        claim_until: whole_seconds(record.claim_until_ms.min(record.expires_ms)),
        timeout_s,
        state,
    })
}

fn nonce(record: &JobRecord) -> Result<StartNonce, DispatchRefusal> {
    let text = record.start_nonce.clone().unwrap_or_default();
    StartNonce::try_from(text).map_err(|_| damaged("nonce"))
}

/// The end of a job that is over. Reasons that the tables have and the machine has not are as unknown
/// as they are.
fn end(record: &JobRecord) -> FinalState {
    let report: Option<JobReport> = record.ending.as_ref().and_then(report_of);
    let silent = FinalState::Unknown(UnknownReason::Silent);
    match (record.state, report) {
        (JobState::Ended, Some(report)) => FinalState::Ended(report),
        (JobState::Cut, Some(report)) => FinalState::Cut(report),
        (JobState::NotDelivered, _) => FinalState::NotDelivered,
        (JobState::Cancelled, _) => FinalState::Cancelled,
        (JobState::Refused, _) => FinalState::Refused(JobRefusal::NotStarted),
        _ => silent,
    }
}

fn damaged(what: &str) -> DispatchRefusal {
    DispatchRefusal::failed(&format_args!("a stored job is damaged: {what}"))
}
