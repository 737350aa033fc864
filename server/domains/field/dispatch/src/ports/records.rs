//! Rows of the tables as the toolset's records.

use field::field_package::levels::SandboxLevel;
use field::field_package::steps::ProbeStep;
use field::field_queue::report::UnknownReason;
use field::ports::{FieldFault, FieldFaultCode, RunPhase, RunRecord, RunResolution};
use field_tables::{JobRecord, JobResolution, JobState};
use protocol::{CallId, Timestamp};
use serde_json::Value;

use crate::jobs::report_of;
use crate::texts::jobs as texts;

/// Figures of a run that are not in its row.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct RunFigures {
    pub(super) revision: u64,
    /// Steps that have ended.
    pub(super) steps_ended: u32,
    /// Those of them that failed.
    pub(super) steps_failed: u32,
    /// The last step that is known to have begun.
    pub(super) step_begun: Option<u32>,
    pub(super) output: u64,
}

/// A stored job as a run.
pub(super) fn run_record(
    job: &JobRecord,
    figures: RunFigures,
    is_simulated: bool,
) -> Result<RunRecord, FieldFault> {
    let call: CallId = job.call.parse().map_err(|_| damaged("call"))?;
    let steps = u32::try_from(steps_of(&job.about).len()).unwrap_or(u32::MAX);
    let begun = job.started_ms.is_some() && steps > 0;
    let known = figures.step_begun.map(|step| step.min(steps));
    let step = match job.state {
        JobState::Unknown => known.filter(|_| begun),
        // A runner that does not tell beginnings is in the step behind those that have ended.
        _ => begun.then(|| {
            let next = figures.steps_ended.saturating_add(1).min(steps);
            known.map_or(next, |known| known.max(next))
        }),
    };
    let ending = job.ending.as_ref();
    let sandbox = ending.and_then(|it| it.get("sandbox")).cloned();
    Ok(RunRecord {
        id: job.id.clone(),
        call,
        site: job.site.clone(),
        device: job.device.clone(),
        title: job.about["title"].as_str().unwrap_or_default().to_owned(),
        proposal: job.proposal.clone(),
        revision: figures.revision,
        phase: phase(job),
        steps,
        step,
        steps_ended: figures.steps_ended.min(steps),
        steps_failed: figures.steps_failed.min(steps),
        output: figures.output,
        sandbox: sandbox.and_then(|it| serde_json::from_value::<SandboxLevel>(it).ok()),
        queued: Timestamp(job.queued_ms),
        claim_until: Timestamp(job.claim_until_ms),
        started: job.started_ms.map(Timestamp),
        ended: job.ended_ms.map(Timestamp),
        cancel_asked: job.cancel_asked_ms.is_some(),
        late: job.late.as_ref().and_then(|late| report_of(&late.ending)),
        resolution: job.resolution.map(resolution),
        is_simulated,
    })
}

/// The steps with tokens, as the order had them.
pub(super) fn steps_of(about: &Value) -> Vec<ProbeStep> {
    let steps = about.get("steps").cloned().unwrap_or_default();
    serde_json::from_value(steps).unwrap_or_default()
}

fn phase(job: &JobRecord) -> RunPhase {
    let ending = job.ending.as_ref();
    let report = ending.and_then(report_of);
    let word = |name: &str| {
        let text = ending.and_then(|it| it[name].as_str());
        text.unwrap_or_default().to_owned()
    };
    match (job.state, report) {
        (JobState::Queued, _) => RunPhase::Queued,
        (JobState::Claimed, _) => RunPhase::Claimed,
        (JobState::Running, _) => RunPhase::Running,
        (JobState::Ended, Some(report)) => RunPhase::Ended(report),
        (JobState::Cut, Some(report)) => RunPhase::Cut(report),
        (JobState::NotDelivered, _) => RunPhase::NotDelivered,
        (JobState::Cancelled, _) => RunPhase::Cancelled,
        (JobState::Refused, _) => {
            let (code, mut reason) = (word("code"), word("reason"));
            let by_device = word("by") == "device";
            if by_device && reason.is_empty() {
                let (why, help) = texts::device_refused(&code);
                reason = format!("{why} {help}").trim().to_owned();
            }
            RunPhase::Refused {
                by_device,
                code,
                reason,
            }
        }
        // An end without its report says nothing that can be relied on.
        (JobState::Ended | JobState::Cut, None) => RunPhase::Unknown(UnknownReason::Silent),
        (JobState::Unknown, _) => RunPhase::Unknown(unknown(ending)),
    }
}

fn unknown(ending: Option<&Value>) -> UnknownReason {
    let Some(ending) = ending else {
        return UnknownReason::Silent;
    };
    if ending["code"] == "never_started" {
        return UnknownReason::NeverStarted;
    }
    if report_of(ending).is_some_and(|report| report.how.is_lost()) {
        return UnknownReason::Lost;
    }
    let reason = serde_json::from_value(ending["reason"].clone());
    reason.unwrap_or(UnknownReason::Silent)
}

pub(super) fn resolution(resolution: JobResolution) -> RunResolution {
    match resolution {
        JobResolution::Ran => RunResolution::Ran,
        JobResolution::DidNotRun => RunResolution::DidNotRun,
        JobResolution::CannotTell => RunResolution::CannotTell,
    }
}

pub(super) fn damaged(what: &str) -> FieldFault {
    FieldFault::with(
        FieldFaultCode::Storage,
        format!("a stored job is damaged: {what}"),
    )
}
