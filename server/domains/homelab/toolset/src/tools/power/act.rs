//! Execution of an order: sending its steps and following them to the end.

use std::{collections::BTreeSet, time::Instant};

use agent::{crash, ports::Progress};
use protocol::{ErrorBody, ErrorCode, ToolOutput};
use serde_json::{Value, json};

use super::{
    find::{appeared, candidates},
    follow::{FollowedTask, follow},
    order::{PowerOrder, PowerStep, Verb},
    prove::{PowerProof, ReferencePoint, prove},
};
use crate::{
    error::WriteError,
    guest_state::has_process,
    lab::Lab,
    out::KnownValue,
    task::{TaskOutcome, Upid},
    tools::output,
    wire::GuestStatus,
};

/// Polls for the task of an order whose answer was lost.
const LOOKS_LOST: u32 = 15;

/// An order in progress.
pub(super) struct PowerAct<'a> {
    pub lab: &'a Lab,
    pub order: &'a PowerOrder,
    /// The guest's label, such as `VM 101 (nextcloud)`.
    pub guest: String,
    pub managed: bool,
    /// Start in Unix seconds of our clock.
    pub began: i64,
    pub progress: &'a Progress,
}

/// A step that succeeded.
pub(super) struct PowerDone {
    /// Its task, for the result.
    pub task: Value,
    pub warnings: Vec<String>,
    pub after: GuestStatus,
}

/// Executes a call.
pub(in crate::tools) async fn call(
    lab: &Lab,
    order: &PowerOrder,
    progress: &Progress,
) -> Result<ToolOutput, ErrorBody> {
    let before = lab
        .api
        .guest_status(&order.node, order.kind, order.vmid)
        .await
        .map_err(|error| error.body())?;
    let act = PowerAct {
        lab,
        order,
        guest: order.guest(before.name.as_deref()),
        managed: is_managed(&before),
        began: lab.now(),
        progress,
    };
    let mut done = Vec::new();
    for &step in order.steps() {
        let reference = ReferencePoint::Before {
            status: Box::new(before.clone()),
            at: Instant::now(),
        };
        let result = async {
            let upid = act.give(step).await?;
            act.see_through(step, &upid, &reference).await
        };
        match result.await {
            Ok(end) => done.push(end),
            Err(error) => return Err(after_some(&done, error)),
        }
    }
    act.report(Some(&before), &done)
}

/// The error of a later step; the effects of the earlier ones remain.
pub(super) fn after_some(done: &[PowerDone], error: ErrorBody) -> ErrorBody {
    if done.is_empty() {
        error
    } else {
        ErrorBody {
            message: format!("It was stopped, but not started again. {}", error.message),
            ..error
        }
    }
}

pub(super) fn is_managed(status: &GuestStatus) -> bool {
    status.ha.as_ref().and_then(|ha| ha.managed) == Some(true)
}

impl PowerAct<'_> {
    /// Sends one step, once; returns the UPID of its task.
    async fn give(&self, step: PowerStep) -> Result<String, ErrorBody> {
        let Self { lab, order, .. } = self;
        let doing = step.doing();
        // If the answer is lost, a task not among these is ours.
        let before: Option<BTreeSet<String>> = candidates(lab, order, step, None)
            .await
            .ok()
            .map(|list| list.into_iter().collect());
        let form = step.form(self.managed);
        crash::point(|| format!("before the order: {}", step.action()));
        let answer = lab
            .api
            .order(&order.node, order.kind, order.vmid, step.action(), form);
        let lost = match answer.await {
            Ok(upid) => {
                crash::point(|| format!("ordered, not followed: {}", step.action()));
                return Ok(upid);
            }
            Err(WriteError::Refused(error)) => {
                let body = error.body();
                return Err(ErrorBody {
                    message: format!("{doing} {} was refused. {}", self.guest, body.message),
                    ..body
                });
            }
            Err(WriteError::Lost(error)) => error,
        };
        tracing::warn!(vmid = order.vmid, action = step.action(), error = %lost, "answer lost");
        self.progress.report(&format!(
            "The answer was lost ({lost}); looking for the task"
        ));
        let unknown = |why: String| {
            ErrorBody::new(
                ErrorCode::ToolOutcomeUnknown,
                format!(
                    "{doing} {}: the answer to the order was lost ({lost}), and {why}. It may have \
                     taken effect.",
                    self.guest
                ),
            )
            .with_help("Look at the guest and at the tasks of its node.")
        };
        let Some(before) = before else {
            return Err(unknown("the tasks could not be compared".to_owned()));
        };
        match appeared(lab, order, step, &before, LOOKS_LOST).await {
            Ok(Some(upid)) => Ok(upid),
            Ok(None) => Err(ErrorBody::new(
                ErrorCode::ToolUnreachable,
                format!(
                    "{doing} {} did not begin: the connection was lost ({lost}), and node {} has \
                     no task for it.",
                    self.guest, order.node
                ),
            )),
            Err(error) => Err(unknown(format!("its task cannot be looked for: {error}"))),
        }
    }

    /// Follows the task of a step, and proves the resulting state of the guest.
    pub(super) async fn see_through(
        &self,
        step: PowerStep,
        text: &str,
        reference: &ReferencePoint,
    ) -> Result<PowerDone, ErrorBody> {
        let Self { lab, order, .. } = self;
        let guest = &self.guest;
        let doing = step.doing();
        let unknown = |message: String| {
            ErrorBody::new(ErrorCode::ToolOutcomeUnknown, message)
                .with_help("Look at the guest and at the tasks of its node.")
        };
        let Some(upid) = Upid::parse(text) else {
            return Err(unknown(format!("{doing} {guest}: its task has no name.")));
        };
        let (outcome, log) = match follow(lab, &upid, doing, self.began, self.progress).await {
            FollowedTask::Ended { outcome, log } => (outcome, log),
            FollowedTask::Running => {
                return Err(unknown(format!(
                    "{doing} {guest} has not ended: task {text} is still running."
                )));
            }
            FollowedTask::Unseen(error) => {
                return Err(unknown(format!(
                    "{doing} {guest} was begun, but how it went cannot be seen: {error}. Task \
                     {text}."
                )));
            }
        };
        if let TaskOutcome::Failed(error) = &outcome {
            return Err(self.failed(step, error, &log, text).await);
        }
        crash::point(|| format!("ended, not proved: {}", step.action()));
        // A request to the manager ends twice; only the second end is the guest's.
        let managed = self.managed || upid.kind.starts_with("ha");
        let proof = prove(lab, order, step.aim(), managed, reference, self.progress);
        let (after, by) = match proof.await {
            PowerProof::Reached { status, by } => (status, by),
            PowerProof::NotReached(status) => {
                let now = state(&status);
                return Err(match &outcome {
                    TaskOutcome::Unknown(reason) => unknown(format!(
                        "{doing} {guest}: {reason}; the guest is {now}. Task {text}."
                    )),
                    _ => ErrorBody::new(
                        ErrorCode::ToolFailed,
                        format!(
                            "{doing} {guest}: the task ended well, but it is {now}. Task {text}."
                        ),
                    )
                    .with_help(if managed {
                        "The high-availability manager decides what its guests do."
                    } else {
                        "Somebody else may have acted on it meanwhile."
                    }),
                });
            }
            PowerProof::Unseen(error) => {
                return Err(unknown(format!(
                    "{doing} {guest}: the task ended well, but the guest cannot be seen: {error}. \
                     Task {text}."
                )));
            }
        };
        lab.api.forget();
        Ok(PowerDone {
            task: json!({
                "upid": text,
                "type": upid.kind,
                "outcome": match outcome {
                    TaskOutcome::Warnings => json!("ok with warnings"),
                    TaskOutcome::Unknown(reason) => json!({ "unknown": reason }),
                    _ => json!("ok"),
                },
                "proof": by,
            }),
            warnings: match (&outcome, log) {
                (TaskOutcome::Warnings, log) if log.is_empty() => {
                    vec!["the task's log has them".to_owned()]
                }
                (TaskOutcome::Warnings, log) => log,
                _ => Vec::new(),
            },
            after,
        })
    }

    async fn failed(&self, step: PowerStep, error: &str, log: &[String], upid: &str) -> ErrorBody {
        let Self { lab, order, .. } = self;
        let now = lab
            .api
            .guest_status(&order.node, order.kind, order.vmid)
            .await;
        let now = match now {
            Ok(status) => format!("It is {} now.", state(&status)),
            Err(error) => format!("Its state is not known: {error}."),
        };
        let mut message = format!(
            "{} {} failed: {}. {now} Task {upid}",
            step.doing(),
            self.guest,
            error.trim_end_matches('.'),
        );
        if log.is_empty() {
            message.push('.')
        } else {
            message.push_str(&format!("; its log ends: {}", log.join(" | ")))
        }
        let body = ErrorBody::new(ErrorCode::ToolFailed, message);
        match step {
            PowerStep::Shutdown | PowerStep::Reboot => body.with_help(
                "A guest that does not react to a shutdown can only be stopped hard, which a \
                 person chooses on the card.",
            ),
            _ => body,
        }
    }

    /// The result of an order that succeeded.
    pub(super) fn report(
        &self,
        before: Option<&GuestStatus>,
        done: &[PowerDone],
    ) -> Result<ToolOutput, ErrorBody> {
        let Self { order, guest, .. } = self;
        // The duration is unknown if the order was sent before a restart of the server.
        let seconds = before.map(|_| (self.lab.now() - self.began).max(0));
        let what = match (order.verb, order.hard) {
            (Verb::Start, _) => "is running",
            (Verb::Stop, false) => "is shut down",
            (Verb::Stop, true) => "is off: the plug was pulled",
            (Verb::Restart, false) => "was shut down and is running again",
            (Verb::Restart, true) => "was restarted hard and is running",
        };
        let mut summary = format!("{guest} {what}");
        if let Some(seconds) = seconds {
            summary.push_str(&format!(", after {seconds} s"));
        }
        let warnings: Vec<&str> = done
            .iter()
            .flat_map(|done| &done.warnings)
            .map(String::as_str)
            .collect();
        if !warnings.is_empty() {
            summary.push_str(&format!("; with warnings: {}", warnings.join("; ")));
        }
        let tasks: Vec<&Value> = done.iter().map(|done| &done.task).collect();
        let mut data = json!({
            "guest": guest,
            "node": order.node,
            "hard": order.hard,
            "ha_managed": self.managed,
            "before": before.map(brief),
            "after": done.last().map(|done| brief(&done.after)),
            "tasks": tasks,
            "warnings": warnings,
        });
        if let Some(seconds) = seconds {
            data["took_seconds"] = seconds.into();
        }
        output(summary, &data)
    }
}

/// The state as text: `running`, `stopped`, `paused`, or unknown.
pub(super) fn state(status: &GuestStatus) -> String {
    match status.state() {
        KnownValue::Value(state) => state,
        KnownValue::Unknown { .. } => "in an unknown state".to_owned(),
    }
}

fn brief(status: &GuestStatus) -> Value {
    let mut brief = json!({ "state": state(status) });
    if has_process(status.status.as_deref())
        && let Some(uptime) = status.uptime
    {
        brief["uptime_seconds"] = uptime.into();
    }
    brief
}
