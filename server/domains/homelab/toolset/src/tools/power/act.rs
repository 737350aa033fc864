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
    cluster_access::ClusterAccess,
    error::WriteError,
    guest_state::has_process,
    out::KnownValue,
    task::{TaskOutcome, Upid},
    texts,
    tools::output,
    wire::GuestStatus,
};

/// Polls for the task of an order whose answer was lost.
const LOOKS_LOST: u32 = 15;

/// An order in progress.
pub(super) struct PowerAct<'a> {
    pub access: &'a ClusterAccess,
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
    access: &ClusterAccess,
    order: &PowerOrder,
    progress: &Progress,
) -> Result<ToolOutput, ErrorBody> {
    let before = access
        .api
        .guest_status(&order.node, order.kind, order.vmid)
        .await
        .map_err(|error| error.body())?;
    let act = PowerAct {
        access,
        order,
        guest: order.guest(before.name.as_deref()),
        managed: is_managed(&before),
        began: access.now(),
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
            message: texts::power::it_was_stopped_but_not_started(&error.message),
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
        let Self { access, order, .. } = self;
        let doing = step.doing();
        // If the answer is lost, a task not among these is ours.
        let before: Option<BTreeSet<String>> = candidates(access, order, step, None)
            .await
            .ok()
            .map(|list| list.into_iter().collect());
        let form = step.form(self.managed);
        crash::point(|| format!("before the order: {}", step.action()));
        let answer = access
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
                    message: texts::power::was_refused(doing, &self.guest, &body.message),
                    ..body
                });
            }
            Err(WriteError::Lost(error)) => error,
        };
        tracing::warn!(vmid = order.vmid, action = step.action(), error = %lost, "answer lost");
        self.progress.report(&texts::answer_was_lost(&lost));
        let unknown = |why: String| {
            ErrorBody::new(
                ErrorCode::ToolOutcomeUnknown,
                texts::power::may_have_taken_effect(doing, &self.guest, &lost, &why),
            )
            .with_help(texts::power::LOOK_AT_GUEST_AND_TASKS)
        };
        let Some(before) = before else {
            return Err(unknown(
                texts::power::TASKS_COULD_NOT_BE_COMPARED.to_owned(),
            ));
        };
        match appeared(access, order, step, &before, LOOKS_LOST).await {
            Ok(Some(upid)) => Ok(upid),
            Ok(None) => Err(ErrorBody::new(
                ErrorCode::ToolUnreachable,
                texts::power::did_not_begin(doing, &self.guest, &lost, &order.node),
            )),
            Err(error) => Err(unknown(texts::power::its_task_cannot_be_looked_for(&error))),
        }
    }

    /// Follows the task of a step, and proves the resulting state of the guest.
    pub(super) async fn see_through(
        &self,
        step: PowerStep,
        text: &str,
        reference: &ReferencePoint,
    ) -> Result<PowerDone, ErrorBody> {
        let Self { access, order, .. } = self;
        let guest = &self.guest;
        let doing = step.doing();
        let unknown = |message: String| {
            ErrorBody::new(ErrorCode::ToolOutcomeUnknown, message)
                .with_help(texts::power::LOOK_AT_GUEST_AND_TASKS)
        };
        let Some(upid) = Upid::parse(text) else {
            return Err(unknown(texts::power::its_task_has_no_name(doing, guest)));
        };
        let (outcome, log) = match follow(access, &upid, doing, self.began, self.progress).await {
            FollowedTask::Ended { outcome, log } => (outcome, log),
            FollowedTask::Running => {
                return Err(unknown(texts::power::has_not_ended(doing, guest, text)));
            }
            FollowedTask::Unseen(error) => {
                return Err(unknown(texts::power::outcome_cannot_be_seen(
                    doing, guest, &error, text,
                )));
            }
        };
        if let TaskOutcome::Failed(error) = &outcome {
            return Err(self.failed(step, error, &log, text).await);
        }
        crash::point(|| format!("ended, not proved: {}", step.action()));
        // A request to the manager ends twice; only the second end is the guest's.
        let managed = self.managed || upid.kind.starts_with("ha");
        let proof = prove(access, order, step.aim(), managed, reference, self.progress);
        let (after, by) = match proof.await {
            PowerProof::Reached { status, by } => (status, by),
            PowerProof::NotReached(status) => {
                let now = state(&status);
                return Err(match &outcome {
                    TaskOutcome::Unknown(reason) => unknown(texts::power::ended_without_proof(
                        doing, guest, reason, &now, text,
                    )),
                    _ => ErrorBody::new(
                        ErrorCode::ToolFailed,
                        texts::power::ended_well_but_guest_is(doing, guest, &now, text),
                    )
                    .with_help(if managed {
                        texts::power::MANAGER_DECIDES
                    } else {
                        texts::power::SOMEBODY_ELSE_MAY_HAVE_ACTED
                    }),
                });
            }
            PowerProof::Unseen(error) => {
                return Err(unknown(texts::power::ended_well_but_guest_cannot_be_seen(
                    doing, guest, &error, text,
                )));
            }
        };
        access.api.forget();
        Ok(PowerDone {
            task: json!({
                "upid": text,
                "type": upid.kind,
                "outcome": match outcome {
                    TaskOutcome::Warnings => json!(texts::OK_WITH_WARNINGS),
                    TaskOutcome::Unknown(reason) => json!({ "unknown": reason }),
                    _ => json!("ok"),
                },
                "proof": by,
            }),
            warnings: match (&outcome, log) {
                (TaskOutcome::Warnings, log) if log.is_empty() => {
                    vec![texts::power::TASK_LOG_HAS_THEM.to_owned()]
                }
                (TaskOutcome::Warnings, log) => log,
                _ => Vec::new(),
            },
            after,
        })
    }

    async fn failed(&self, step: PowerStep, error: &str, log: &[String], upid: &str) -> ErrorBody {
        let Self { access, order, .. } = self;
        let now = access
            .api
            .guest_status(&order.node, order.kind, order.vmid)
            .await;
        let now = match now {
            Ok(status) => texts::power::it_is_now(&state(&status)),
            Err(error) => texts::power::its_state_is_not_known(&error),
        };
        let mut message = texts::power::failed(
            step.doing(),
            &self.guest,
            error.trim_end_matches('.'),
            &now,
            upid,
        );
        if log.is_empty() {
            message.push('.')
        } else {
            message.push_str(&texts::power::its_log_ends(&log.join(" | ")))
        }
        let body = ErrorBody::new(ErrorCode::ToolFailed, message);
        match step {
            PowerStep::Shutdown | PowerStep::Reboot => {
                body.with_help(texts::power::ONLY_HARD_STOP_HELPS)
            }
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
        let seconds = before.map(|_| (self.access.now() - self.began).max(0));
        let what = match (order.verb, order.hard) {
            (Verb::Start, _) => texts::power::IS_RUNNING,
            (Verb::Stop, false) => texts::power::IS_SHUT_DOWN,
            (Verb::Stop, true) => texts::power::IS_OFF_PLUG_WAS_PULLED,
            (Verb::Restart, false) => texts::power::WAS_SHUT_DOWN_AND_IS_RUNNING,
            (Verb::Restart, true) => texts::power::WAS_RESTARTED_HARD_AND_IS_RUNNING,
        };
        let mut summary = format!("{guest} {what}");
        if let Some(seconds) = seconds {
            summary.push_str(&texts::power::elapsed_suffix(seconds));
        }
        let warnings: Vec<&str> = done
            .iter()
            .flat_map(|done| &done.warnings)
            .map(String::as_str)
            .collect();
        if !warnings.is_empty() {
            summary.push_str(&texts::power::with_warnings(&warnings.join("; ")));
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
        KnownValue::Unknown { .. } => texts::power::IN_UNKNOWN_STATE.to_owned(),
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
