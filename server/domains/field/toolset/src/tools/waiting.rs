//! Waiting for a run, and what came of it.

use agent::{
    clean_text,
    ports::{Progress, Reconciled, ToolError},
};
use field_package::steps::RowName;
use protocol::{CallId, ErrorBody, ErrorCode, ToolOutput};
use serde_json::json;

use crate::{
    parts::FieldParts,
    ports::{CancelOrder, FieldFault, RunOfCall, RunOrder, RunPhase, RunRecord, StepResult},
    shape,
    texts::{results, waiting as say},
};

/// Steps whose text is part of a result; the others have fields alone, and their text on demand.
const MOST_TEXTS: usize = 6;
/// Longest reason of a failure in a summary, in characters.
const MOST_REASON: usize = 120;

/// Queues a run, waits until it is over, and returns its result.
pub(super) async fn carried_out(
    parts: &FieldParts,
    order: &RunOrder,
    progress: &Progress,
) -> Result<ToolOutput, ErrorBody> {
    let what = match order.proposal {
        Some(_) => "a run",
        None => "a probe",
    };
    agent::crash::point(|| format!("before the queue: {what}"));
    let queued = parts.ports.runs.queue(order).await?;
    agent::crash::point(|| format!("queued, not followed: {what}"));
    let run = until_over(parts, queued, progress).await?;
    result(parts, &run).await
}

/// Waits until a run is over, and tells each change.
async fn until_over(
    parts: &FieldParts,
    mut run: RunRecord,
    progress: &Progress,
) -> Result<RunRecord, FieldFault> {
    let mut told = String::new();
    while !run.phase.is_over() {
        let line = say::progress(run.phase.word(), run.step, run.steps);
        if line != told {
            progress.report(&line);
            told = line;
        }
        run = parts.ports.runs.run_after(&run.id, run.revision).await?;
    }
    Ok(run)
}

/// The result of a run that is over.
async fn result(parts: &FieldParts, run: &RunRecord) -> Result<ToolOutput, ErrorBody> {
    if let RunPhase::Unknown(reason) = &run.phase {
        let message = say::is_unknown(&run.id, &shape::unknown_outcome(run, *reason));
        return Err(
            ErrorBody::new(ErrorCode::ToolOutcomeUnknown, message).with_help(say::HELP_UNKNOWN)
        );
    }
    if run.phase.never_ran() {
        let why = match &run.phase {
            RunPhase::Refused {
                by_device,
                code,
                reason,
            } => say::was_refused(*by_device, if reason.is_empty() { code } else { reason }),
            RunPhase::NotDelivered => say::NOT_DELIVERED.to_owned(),
            _ => say::CANCELLED.to_owned(),
        };
        return Err(ErrorBody::new(
            ErrorCode::ToolFailed,
            say::never_ran(&run.id, &why),
        ));
    }
    let results = parts.ports.runs.results(&run.id).await?;
    let steps = results
        .iter()
        .enumerate()
        .map(|(at, step)| shape::step(step, at < MOST_TEXTS, true));
    let mut data = shape::run(run);
    data["results"] = steps.collect();
    if results.len() > MOST_TEXTS {
        data["texts"] = json!(say::texts_left_out(MOST_TEXTS));
    }
    let failed = || results.iter().filter_map(failure);
    let failures = failed().count();
    let mut summary = match &run.phase {
        // Free sh has no steps to tell of, only its own end.
        RunPhase::Ended(report) if failures == 0 && run.has_failed() => {
            say::failed(&shape::how(report.how))
        }
        phase => say::over(phase.word(), results.len(), run.steps, failures),
    };
    let point = failed().next().or_else(|| match &*results {
        [only] => ping(only),
        _ => None,
    });
    if let Some(point) = point {
        summary = say::with_point(&summary, &point);
    }
    Ok(shape::summed_up(summary, data))
}

/// Why a step failed, in one line: what it wrote about it, covered. None if it did not fail.
fn failure(step: &StepResult) -> Option<String> {
    let end = step.end.filter(|end| end.is_failure())?;
    let errors = step.text.split_once(results::ERROR_OUTPUT);
    let mut lines = errors.map_or("", |(_, errors)| errors).lines();
    let line = lines.find(|line| !line.trim().is_empty());
    let line = line.map(|line| one_line(line.trim()));
    Some(
        line.or_else(|| ping(step))
            .unwrap_or_else(|| shape::how(end)),
    )
}

/// The answer to a ping.
fn ping(step: &StepResult) -> Option<String> {
    let fields = step.fields.as_ref().ok()?;
    let value = |name: &str| fields[name]["value"].as_f64();
    let loss = value("loss").filter(|_| step.step.run == RowName::Ping)?;
    Some(say::ping(value("rtt_avg"), loss))
}

/// Shows what cannot be seen, and cuts between words: half a token would be another one.
fn one_line(line: &str) -> String {
    let line = clean_text(line);
    if line.chars().count() <= MOST_REASON {
        return line;
    }
    let mut cut = String::new();
    for word in line.split_inclusive(' ') {
        if cut.chars().count() + word.chars().count() > MOST_REASON {
            break;
        }
        cut.push_str(word);
    }
    cut.push('…');
    cut
}

/// Outcome of a call that queued a run, or did not come so far.
pub(super) async fn reconciled(parts: &FieldParts, call: CallId) -> Reconciled {
    let run = match parts.ports.runs.run_of(call).await {
        Ok(None) => return Reconciled::NotDone(say::NOTHING_QUEUED.to_owned()),
        Ok(Some(RunOfCall::Removed(word))) => return removed(&word),
        Ok(Some(RunOfCall::There(run))) => *run,
        Err(fault) => return Reconciled::Unknown(ErrorBody::from(fault).message),
    };
    let run = match until_over(parts, run, &Progress::ignored()).await {
        Ok(run) => run,
        Err(fault) => return Reconciled::Unknown(ErrorBody::from(fault).message),
    };
    match (result(parts, &run).await, &run.phase) {
        (Err(error), RunPhase::Unknown(_)) => Reconciled::Unknown(error.message),
        (Err(error), phase) if phase.never_ran() => Reconciled::NotDone(error.message),
        (result, _) => Reconciled::Done(result.map_err(ToolError)),
    }
}

fn removed(word: &str) -> Reconciled {
    match word {
        "refused" | "not_delivered" | "cancelled" => Reconciled::NotDone(say::was_removed(word)),
        "ended" | "cut" => {
            let output = shape::output(say::was_removed(word), json!({ "phase": word }));
            Reconciled::Done(Ok(output))
        }
        _ => Reconciled::Unknown(say::was_removed(word)),
    }
}

/// Ends the run of a call whose turn was stopped. The call's own end says what came of it.
pub(super) async fn stop(parts: &FieldParts, call: &agent::ports::ToolCall) {
    let runs = &parts.ports.runs;
    let Ok(Some(RunOfCall::There(run))) = runs.run_of(call.id).await else {
        return;
    };
    if run.phase.is_over() {
        return;
    }
    let order = CancelOrder {
        run: run.id.clone(),
        reason: say::TURN_STOPPED.to_owned(),
        person: call.origin.person,
    };
    if let Err(fault) = runs.cancel(&order).await {
        tracing::warn!(run = run.id, %fault, "run of a stopped turn not cancelled");
    }
}
