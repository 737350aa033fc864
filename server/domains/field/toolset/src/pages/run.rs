//! The page of a run: its steps, its log, and the facts of its package.

use field_queue::report::JobReport;
use field_wire::{FieldRunEnd, FieldRunPage, FieldRunStep, FieldText, PersonNote, ReportedStep};
use protocol::{ErrorBody, Fact, UserId};

use super::{device::sandbox, facts::facts, known, names, no_page, offers, pieces::pieces};
use crate::{
    board::shown,
    parts::{FieldParts, fault, time},
    ports::{FieldFaultCode, OutputTail, PackageFacts, RunPhase, RunRecord, StepResult},
    shape,
    step_text::step_words,
    texts::{pages as say, shape as words},
};

/// Lines of a log.
const LINES: u32 = 200;
/// Lines of a window before others: they are read in peace.
const EARLIER: u32 = 1_000;

pub(super) async fn page(
    parts: &FieldParts,
    person: UserId,
    id: &str,
) -> Result<FieldRunPage, ErrorBody> {
    let runs = &parts.ports.runs;
    let run = runs.run(id).await?;
    let run = run.ok_or_else(|| fault(FieldFaultCode::UnknownRun))?;
    let results = runs.results(id).await?;
    let package = runs.package(id).await?;
    let sees_values = parts.ports.administration.may_act(person).await;
    let resolved = match run.resolution {
        Some(_) => parts.ports.administration.resolutions(id).await?,
        None => Vec::new(),
    };
    // A finding comes after one word at most: that nobody could tell.
    let mut resolved = resolved.into_iter().map(|it| PersonNote {
        by: it.by,
        at: it.at,
        reason: it.reason,
    });
    let (device_name, site_name) = names(parts, &run.device, &run.site).await?;
    Ok(FieldRunPage {
        device_name,
        site_name,
        claim_until: run.claim_until,
        sandbox: run.sandbox.map(|level| sandbox(level).to_owned()),
        end: match &run.phase {
            RunPhase::Ended(report) | RunPhase::Cut(report) => Some(end(report)),
            _ => None,
        },
        late: run.late.as_ref().map(end),
        reason: reason(&run),
        never_ran: run.phase.never_ran(),
        resolution: run.resolution.map(|it| it.word().to_owned()),
        resolved: resolved.next(),
        could_not_tell: resolved.next(),
        results: results
            .iter()
            .map(|result| step(result, run.phase.is_over()))
            .collect(),
        package: package
            .as_ref()
            .map_or_else(Vec::new, |package| package_facts(package, sees_values)),
        // A device that is gone hears of no cancellation.
        offers: known(parts, &run.device).map_or_else(Vec::new, |_| offers::of_run(&run)),
        run: shown::run(&run),
    })
}

/// By whom it was refused and why, or why its outcome is unknown.
fn reason(run: &RunRecord) -> Option<String> {
    match &run.phase {
        RunPhase::Refused {
            by_device,
            code,
            reason,
        } => {
            let why = if reason.is_empty() { code } else { reason };
            Some(say::refused(words::refused_by(*by_device), why))
        }
        RunPhase::Unknown(reason) => Some(shape::unknown_outcome(run, *reason)),
        _ => None,
    }
}

fn end(report: &JobReport) -> FieldRunEnd {
    FieldRunEnd {
        how: shape::how(report.how),
        good: !report.how.is_failure(),
        wall_ms: report.wall_ms,
        cpu_ms: report.cpu_ms,
        peak_bytes: report.peak_bytes,
        output_bytes: report.output_bytes,
    }
}

fn step(result: &StepResult, is_over: bool) -> FieldRunStep {
    let end = result.end.map(|end| ReportedStep {
        how: shape::how(end),
        good: !end.is_failure(),
        ms: result.ms,
    });
    let unknown = || ReportedStep {
        how: say::END_UNKNOWN.to_owned(),
        good: false,
        ms: None,
    };
    FieldRunStep {
        number: result.number,
        step: step_words(&result.step),
        end: end.or_else(|| is_over.then(unknown)),
        fields: result.fields.as_ref().map_or_else(|_| Vec::new(), facts),
        lacks: result.fields.as_ref().err().cloned(),
        pieces: pieces(&result.text),
        bytes: result.bytes,
    }
}

/// The facts of a package. An address can be guessed by the digest of its script, so these are for whoever may
/// see values.
fn package_facts(package: &PackageFacts, sees_values: bool) -> Vec<Fact> {
    let digest = |digest: &String| sees_values.then(|| digest.clone());
    let facts = [
        (say::PACKAGE_SHA, Some(package.sha256.clone())),
        (say::SCRIPT_SHA, digest(&package.payload_sha256)),
        (say::CORE_SHA, digest(&package.core_sha256)),
        (say::SIGNING_KEY, Some(package.signing_key.clone())),
        (say::SEQUENCE, Some(package.sequence.to_string())),
        (say::EXPIRES, Some(time(package.expires))),
        (say::APPROVAL, digest(&package.approval_digest)),
        (say::APPROVED_BY, Some(package.approved_by.join(", "))),
    ];
    let facts = facts.into_iter().filter_map(|(label, value)| {
        Some(Fact {
            label: label.to_owned(),
            value: value?,
        })
    });
    facts.collect()
}

/// The last lines of a stream, of all steps or of one, or those before a place.
pub(super) async fn log(parts: &FieldParts, id: &str, rest: &str) -> Result<FieldText, ErrorBody> {
    let (stream, part) = match rest.split_once('/') {
        Some((stream, part)) => (stream, Some(part)),
        None => (rest, None),
    };
    let place = part.and_then(|part| part.strip_prefix("before/"));
    let (step, before) = match (part, place) {
        (_, Some(place)) => (None, Some(place.parse().map_err(|_| no_page())?)),
        (Some(step), None) => (Some(step.parse().map_err(|_| no_page())?), None),
        (None, None) => (None, None),
    };
    if !matches!(stream, "out" | "err") {
        return Err(no_page());
    }
    let tail = OutputTail {
        step,
        errors: stream == "err",
        lines: before.map_or(LINES, |_| EARLIER),
        before,
    };
    let log = parts.ports.runs.log(id, &tail).await?;
    Ok(FieldText {
        pieces: pieces(&log.text),
        bytes: log.bytes,
        start: log.start,
    })
}
