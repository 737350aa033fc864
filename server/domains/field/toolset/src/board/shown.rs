//! Devices, runs and bundles as the panel reads them.

use field_wire::{
    DeviceProgram, DeviceWarning, FailedProgram, FieldBundlePart, FieldDevicePart, FieldRunPart,
    PendingKey,
};

use crate::{
    card::grouped,
    ports::{
        BundleSummary, DeviceStanding, KnownDevice, KnownProgram, RunPhase, RunRecord,
        RunResolution,
    },
};

pub(crate) fn device(device: &KnownDevice) -> FieldDevicePart {
    let attention = device.attention.iter().map(|it| DeviceWarning {
        kind: it.kind.word().to_owned(),
        text: it.text.clone(),
        since: it.since,
    });
    FieldDevicePart {
        id: device.id.clone(),
        site: device.site.clone(),
        name: device.name.clone(),
        standing: device.standing.word().to_owned(),
        online: device.is_online,
        last_seen: device.last_seen,
        tags: device.tags.clone(),
        attention: attention.collect(),
        gaps: device.gaps.clone(),
        program: device.program.as_ref().map(program),
        proposed: (device.proposed > 0).then_some(device.proposed),
        simulated: device.is_simulated,
        pending: (device.standing == DeviceStanding::Waiting).then(|| PendingKey {
            fingerprint: device.fingerprint.clone(),
            shown: grouped(&device.fingerprint),
        }),
    }
}

fn program(program: &KnownProgram) -> DeviceProgram {
    DeviceProgram {
        version: program.version.clone(),
        failed: program.failed.as_ref().map(|failed| FailedProgram {
            version: failed.version.clone(),
            reason: failed.reason.word().to_owned(),
            tries: failed.tries,
            retried: failed.is_retried,
        }),
    }
}

/// Without output: a page reads its tail when the number of bytes has grown.
pub(crate) fn run(run: &RunRecord) -> FieldRunPart {
    let is_open_question = matches!(run.phase, RunPhase::Unknown(_)) && run.resolution.is_none();
    let (proposal, version) = run.proposal.clone().unzip();
    FieldRunPart {
        id: run.id.clone(),
        device: run.device.clone(),
        device_name: None,
        site: run.site.clone(),
        title: run.title.clone(),
        proposal,
        version,
        phase: phase(run).to_owned(),
        step: run.step,
        steps: run.steps,
        output: run.output,
        revision: run.revision,
        queued: run.queued,
        started: run.started,
        ended: run.ended,
        cancel_asked: run.cancel_asked,
        unresolved: is_open_question,
        simulated: run.is_simulated,
    }
}

/// The word of a run's phase for people: an end with a failure is no success, and what a person has found
/// out is not unknown.
pub(crate) fn phase(run: &RunRecord) -> &'static str {
    match (&run.phase, run.resolution) {
        (RunPhase::Unknown(_), Some(RunResolution::Ran)) => "found_ran",
        (RunPhase::Unknown(_), Some(RunResolution::DidNotRun)) => "found_not_run",
        (RunPhase::Unknown(_), Some(RunResolution::CannotTell)) => "found_nothing",
        _ if run.has_failed() => "failed",
        (phase, _) => phase.word(),
    }
}

pub(crate) fn bundle(bundle: &BundleSummary) -> FieldBundlePart {
    FieldBundlePart {
        id: bundle.id.clone(),
        device: bundle.device.clone(),
        device_name: None,
        site: bundle.site.clone(),
        taken: bundle.taken,
        received: bundle.received,
        complete: bundle.is_complete,
        sections: u32::try_from(bundle.sections.len()).unwrap_or(u32::MAX),
        simulated: bundle.is_simulated,
    }
}
