//! Reconciliation of an order that was interrupted by a crash.

use agent::ports::{Progress, Reconciled, ToolError};
use protocol::{ErrorBody, ErrorCode, Timestamp};

use super::{
    act::{PowerAct, after_some, is_managed, state},
    find::{SKEW, ahead, candidates, pause},
    order::{Aim, PowerOrder, PowerStep},
    prove::ReferencePoint,
};
use crate::{cluster_access::ClusterAccess, error::ProxmoxError, task::Upid, texts, time::rfc3339};

/// Polls before a task counts as never started: the order may still be in transit.
const LOOKS: u32 = 4;
/// Age in seconds at which an order can no longer be in transit.
const ARRIVED: i64 = 60;

/// Determines the outcome of an order sent at `since` or later. Changes nothing.
pub(crate) async fn reconcile(
    access: &ClusterAccess,
    order: &PowerOrder,
    since: Timestamp,
) -> Reconciled {
    let since = since.0.div_euclid(1000);
    let clock = ahead(access, order).await;
    let ahead = clock.unwrap_or_default();
    let mut earliest = since + ahead - SKEW;
    let progress = Progress::ignored();
    let mut act: Option<PowerAct<'_>> = None;
    let mut done = Vec::new();
    for &step in order.steps() {
        let upid = match search(access, order, step, earliest, since).await {
            Ok(Some(upid)) => upid,
            // By a clock that is behind ours, its task would seem to be earlier.
            Ok(None) if clock.is_none() && act.is_none() => {
                return Reconciled::Unknown(texts::power::no_task_by_our_clock(&order.node));
            }
            Ok(None) => return absent(access, order, step, act.is_some(), since).await,
            Err(error) => {
                return Reconciled::Unknown(texts::power::its_task_on_node(&order.node, &error));
            }
        };
        if clock.is_none() && step.aim() == Aim::Again {
            // The proof would be the time of the guest's start, by the node's clock.
            return Reconciled::Unknown(texts::power::begun_but_clock_unknown(&upid, &order.node));
        }
        let start = Upid::parse(&upid).map_or(earliest, |upid| upid.start);
        earliest = start;
        if act.is_none() {
            let status = access
                .api
                .guest_status(&order.node, order.kind, order.vmid)
                .await;
            let status = match status {
                Ok(status) => status,
                Err(error) => {
                    return Reconciled::Unknown(texts::power::begun_but_guest_cannot_be_seen(
                        &upid, &error,
                    ));
                }
            };
            act = Some(PowerAct {
                access,
                order,
                guest: order.guest(status.name.as_deref()),
                managed: is_managed(&status),
                began: access.now(),
                progress: &progress,
            });
        }
        let Some(act) = &act else { break };
        let reference = ReferencePoint::Task { start, ahead };
        match act.see_through(step, &upid, &reference).await {
            Ok(end) => done.push(end),
            Err(error) => return ended_badly(after_some(&done, error)),
        }
    }
    let Some(act) = act else {
        return Reconciled::Unknown(texts::power::ORDER_HAS_NO_STEPS.to_owned());
    };
    match act.report(None, &done) {
        Ok(output) => Reconciled::Done(Ok(output)),
        Err(error) => ended_badly(error),
    }
}

fn ended_badly(error: ErrorBody) -> Reconciled {
    match error.code {
        ErrorCode::ToolOutcomeUnknown => Reconciled::Unknown(error.message),
        _ => Reconciled::Done(Err(ToolError(error))),
    }
}

async fn search(
    access: &ClusterAccess,
    order: &PowerOrder,
    step: PowerStep,
    earliest: i64,
    since: i64,
) -> Result<Option<String>, ProxmoxError> {
    let mut last = Ok(None);
    for look in 0..LOOKS {
        if look > 0 {
            pause(access).await;
        }
        last = match candidates(access, order, step, Some(earliest)).await {
            Ok(found) => match found.into_iter().next() {
                Some(upid) => return Ok(Some(upid)),
                None if access.now() - since > ARRIVED => return Ok(None),
                None => Ok(None),
            },
            Err(error) => Err(error),
        };
    }
    last
}

/// The outcome if a step has no task.
async fn absent(
    access: &ClusterAccess,
    order: &PowerOrder,
    step: PowerStep,
    began: bool,
    since: i64,
) -> Reconciled {
    if !began {
        return Reconciled::NotDone(texts::power::node_has_no_task(
            &order.node,
            access.api.caller(),
            &rfc3339(since),
        ));
    }
    let status = access
        .api
        .guest_status(&order.node, order.kind, order.vmid)
        .await;
    match status {
        Ok(status) => ended_badly(ErrorBody::new(
            ErrorCode::ToolFailed,
            texts::power::second_step_did_not_follow(
                &order.guest(status.name.as_deref()),
                step.action(),
                &state(&status),
            ),
        )),
        Err(error) => Reconciled::Unknown(texts::power::stopped_and_then_unknown(&error)),
    }
}
