//! The shapes in which tools give things to the model.

use field_package::steps::ProbeStep;
use field_queue::report::{JobEnding, JobReport, UnknownReason};
use protocol::{Timestamp, ToolOutput};
use serde_json::{Value, json};

use crate::{
    parts::{seconds_since, time},
    ports::{
        BundleSummary, FieldSnapshot, KnownDevice, PackageFacts, RunPhase, RunRecord, StepResult,
    },
    texts::{pages as words, shape as say},
};

/// A result without images.
pub(crate) fn output(summary: String, data: Value) -> ToolOutput {
    ToolOutput {
        summary,
        data,
        images: Vec::new(),
    }
}

/// The same with its summary in the data, where the answer to a person begins with it. For what is no list.
pub(crate) fn summed_up(summary: String, mut data: Value) -> ToolOutput {
    data["summary"] = json!(summary);
    output(summary, data)
}

/// A device in one sentence.
pub(crate) fn standing(device: &KnownDevice, now: Timestamp) -> String {
    let contact = match device.last_seen {
        _ if device.is_online => say::ONLINE.to_owned(),
        Some(at) => say::silent(seconds_since(at, now)),
        None => say::NEVER_SEEN.to_owned(),
    };
    let attention: Vec<&str> = device.attention.iter().map(|it| it.text.as_str()).collect();
    say::standing(&device.name, &contact, &attention)
}

/// A device in a list.
pub(crate) fn device(device: &KnownDevice, snapshot: &FieldSnapshot, now: Timestamp) -> Value {
    let site = snapshot.site(&device.site);
    let seen = device.last_seen;
    let mut shape = json!({
        "device": device.id,
        "name": device.name,
        "site": site.map_or(device.site.as_str(), |site| &site.name),
        "standing": device.standing.word(),
        "online": device.is_online,
        "last_seen": seen.map_or_else(|| say::unknown(say::NEVER_SEEN), |at| json!(time(at))),
        "tags": device.tags,
    });
    let attention: Vec<_> = device.attention.iter().map(|it| &it.text).collect();
    if !attention.is_empty() {
        shape["attention"] = json!(attention);
    }
    if let (false, Some(at)) = (device.is_online, seen) {
        shape["silent_s"] = json!(seconds_since(at, now));
    }
    if device.is_simulated {
        shape["simulated"] = json!(true);
    }
    shape
}

pub(crate) fn bundle(bundle: &BundleSummary) -> Value {
    let sections = bundle.sections.iter().map(|section| {
        let mut shape = json!({
            "section": section.name,
            "lines": section.lines,
            "bytes": section.bytes,
            "hidden": section.counts,
        });
        if let Some(why) = &section.left_out {
            shape["left_out"] = json!(why);
        }
        shape
    });
    json!({
        "bundle": bundle.id,
        "taken": bundle.taken.map_or_else(|| say::unknown(say::NO_CLOCK), |at| json!(time(at))),
        "received": time(bundle.received),
        "complete": bundle.is_complete,
        "sections": sections.collect::<Vec<_>>(),
        "secrets_removed": bundle.secrets,
        "simulated": bundle.is_simulated,
    })
}

pub(crate) fn run(run: &RunRecord) -> Value {
    let mut shape = json!({
        "run": run.id,
        "device": run.device,
        "title": run.title,
        "phase": run.phase.word(),
        "steps": run.steps,
        "queued": time(run.queued),
        "page": format!("/field/run/{}", run.id),
    });
    if let Some((proposal, version)) = &run.proposal {
        shape["proposal"] = json!({ "proposal": proposal, "version": version });
    }
    for (name, at) in [("started", run.started), ("ended", run.ended)] {
        if let Some(at) = at {
            shape[name] = json!(time(at));
        }
    }
    if let (RunPhase::Running, Some(step)) = (&run.phase, run.step) {
        shape["step"] = json!(step);
    }
    match &run.phase {
        RunPhase::Ended(report) | RunPhase::Cut(report) => shape["end"] = ending(report),
        RunPhase::Refused {
            by_device,
            code,
            reason,
        } => {
            shape["refused"] = json!({
                "by": say::refused_by(*by_device),
                "code": code,
                "reason": reason,
            });
        }
        RunPhase::Unknown(reason) => shape["unknown"] = json!(unknown_outcome(run, *reason)),
        RunPhase::Queued => shape["waits_until"] = json!(time(run.claim_until)),
        RunPhase::Claimed | RunPhase::Running | RunPhase::NotDelivered | RunPhase::Cancelled => {}
    }
    if run.phase.never_ran() {
        shape["ran"] = json!(false);
    }
    if run.cancel_asked {
        shape["cancel_asked"] = json!(true);
    }
    if let Some(late) = &run.late {
        shape["late_report"] = ending(late);
    }
    if let Some(resolution) = run.resolution {
        shape["a_person_says"] = json!(resolution.word());
    }
    if let Some(sandbox) = run.sandbox {
        shape["sandbox"] = json!(sandbox);
    }
    if run.is_simulated {
        shape["simulated"] = json!(true);
    }
    shape
}

/// What could not be measured is unknown, never zero.
fn ending(report: &JobReport) -> Value {
    let measured = |value: Option<u64>| {
        value.map_or_else(|| say::unknown(say::NOT_MEASURED), |value| json!(value))
    };
    json!({
        "how": report.how,
        "wall_ms": measured(report.wall_ms),
        "cpu_ms": measured(report.cpu_ms),
        "peak_bytes": measured(report.peak_bytes),
        "output_bytes": measured(report.output_bytes),
    })
}

/// The end of a job or a step in words.
pub(crate) fn how(end: JobEnding) -> String {
    match end {
        JobEnding::Exit(code) => words::exit(code),
        JobEnding::Signal { number, .. } => words::signal(number),
        JobEnding::Timeout => words::TIMEOUT.to_owned(),
        JobEnding::Memory => words::OUT_OF_MEMORY.to_owned(),
        JobEnding::Output => words::TOO_MUCH_OUTPUT.to_owned(),
        JobEnding::Cancelled => words::CANCELLED.to_owned(),
        JobEnding::Lost => words::LOST.to_owned(),
    }
}

/// Why the outcome of a run is unknown, and which step had begun.
pub(crate) fn unknown_outcome(run: &RunRecord, reason: UnknownReason) -> String {
    let why = unknown_reason(reason);
    let Some(step) = run.step else {
        return why.to_owned();
    };
    let ended = run.steps_ended >= step;
    match reason {
        UnknownReason::Lost => say::lost_in(step, run.steps, ended),
        _ => say::unknown_from(why, step, run.steps, ended),
    }
}

fn unknown_reason(reason: UnknownReason) -> &'static str {
    match reason {
        UnknownReason::Lost => say::LOST,
        UnknownReason::InterruptedAtStart => say::INTERRUPTED,
        UnknownReason::Rebooted => say::REBOOTED,
        UnknownReason::NeverStarted => say::NEVER_STARTED,
        UnknownReason::Silent => say::SILENT,
    }
}

/// The result of a step; its text only if it is wanted. Of a run that is over, no step is running.
pub(crate) fn step(result: &StepResult, with_text: bool, is_over: bool) -> Value {
    let open = if is_over { "unknown" } else { "running" };
    let mut shape = json!({
        "step": result.number,
        "ran": result.step,
        "end": result.end.map_or_else(|| json!(open), |end| json!(end)),
        "ms": result.ms.map_or_else(|| say::unknown(say::NOT_MEASURED), |ms| json!(ms)),
        "bytes": result.bytes,
    });
    shape["fields"] = match &result.fields {
        Ok(fields) => fields.clone(),
        Err(why) => say::unknown(why),
    };
    if with_text {
        shape["text"] = json!(result.text);
    }
    shape
}

/// The facts of a run's package. Not the digests of what it is made of: an address can be guessed by that of a
/// script. The package has a signature in it, which nobody guesses.
pub(crate) fn package(package: &PackageFacts) -> Value {
    json!({
        "sha256": package.sha256,
        "sequence": package.sequence,
        "signing_key": package.signing_key,
        "expires": time(package.expires),
        "approved_by": package.approved_by,
    })
}

/// Steps as JSON, without empty slots.
pub(crate) fn steps(steps: &[ProbeStep]) -> Value {
    serde_json::to_value(steps).unwrap_or_default()
}
