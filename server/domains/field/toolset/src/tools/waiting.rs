//! Waiting for a run, and what came of it.

use agent::ports::{Progress, Reconciled, ToolError};
use field_queue::report::JobEnding;
use protocol::{CallId, ErrorBody, ErrorCode, ToolOutput};
use serde_json::json;

use crate::{
    parts::FieldParts,
    ports::{CancelOrder, FieldFault, RunOfCall, RunOrder, RunPhase, RunRecord},
    shape,
    texts::waiting as say,
};

/// Steps whose text is part of a result; the others have fields alone, and their text on demand.
const MOST_TEXTS: usize = 6;

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
    let failed = results.iter().filter(|step| has_failed(step.end));
    let summary = say::over(run.phase.word(), results.len(), run.steps, failed.count());
    Ok(shape::summed_up(summary, data))
}

fn has_failed(end: Option<JobEnding>) -> bool {
    end.is_some_and(JobEnding::is_failure)
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
