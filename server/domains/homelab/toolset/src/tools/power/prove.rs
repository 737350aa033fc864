//! Proof of an order's effect by the guest's own state.

use std::time::Instant;

use agent::ports::Progress;

use super::{
    find::pause,
    order::{Aim, PowerOrder},
};
use crate::{cluster_access::ClusterAccess, error::ProxmoxError, texts, wire::GuestStatus};

/// Polls of a guest after the end of a task.
const LOOKS: u32 = 15;
/// The same after a reboot, whose start is a separate task.
const LOOKS_AGAIN: u32 = 120;
/// The same under the manager, which polls every few seconds and then shuts the guest down.
const LOOKS_MANAGED: u32 = 240;
/// Tolerance in seconds: uptimes are whole seconds, and are read a moment apart.
const ROUNDING: i64 = 3;

/// Baseline that reveals a restart.
#[derive(Debug, Clone)]
pub(super) enum ReferencePoint {
    /// The guest's status before, and the time of that reading.
    Before {
        status: Box<GuestStatus>,
        at: Instant,
    },
    /// The start of the task, in Unix seconds of the node's clock, and the offset of that clock
    /// from ours. Nothing else is known.
    Task { start: i64, ahead: i64 },
}

/// Result of watching the guest.
#[derive(Debug)]
pub(super) enum PowerProof {
    Reached {
        status: GuestStatus,
        /// The evidence, for the result.
        by: &'static str,
    },
    NotReached(GuestStatus),
    Unseen(ProxmoxError),
}

/// Polls the guest until it reaches the desired state or the polls run out.
pub(super) async fn prove(
    access: &ClusterAccess,
    order: &PowerOrder,
    aim: Aim,
    managed: bool,
    reference: &ReferencePoint,
    progress: &Progress,
) -> PowerProof {
    let looks = match aim {
        _ if managed => LOOKS_MANAGED,
        Aim::Again => LOOKS_AGAIN,
        Aim::Up | Aim::Down | Aim::Still => LOOKS,
    };
    let began = access.now();
    let mut was_down = false;
    let mut last = None;
    for look in 0..looks {
        if look > 0 {
            pause(access).await;
        }
        match access
            .api
            .guest_status(&order.node, order.kind, order.vmid)
            .await
        {
            Ok(status) => {
                was_down |= status.status.as_deref() == Some("stopped");
                if let Some(by) = reached(aim, &status, was_down, reference, access.now()) {
                    return PowerProof::Reached { status, by };
                }
                last = Some(Ok(status));
            }
            Err(error) => last = Some(Err(error)),
        }
        let what = match aim {
            Aim::Down => texts::power::WAITING_FOR_IT_TO_BE_DOWN,
            Aim::Up | Aim::Still => texts::power::WAITING_FOR_IT_TO_RUN,
            Aim::Again => texts::power::WAITING_FOR_IT_TO_RUN_AGAIN,
        };
        let seconds = (access.now() - began).max(0);
        progress.report(&texts::power::waiting(what, seconds));
    }
    match last {
        Some(Ok(status)) => PowerProof::NotReached(status),
        Some(Err(error)) => PowerProof::Unseen(error),
        None => PowerProof::Unseen(ProxmoxError::Unreachable {
            endpoint: order.node.clone(),
            message: texts::power::NOBODY_LOOKED.to_owned(),
        }),
    }
}

fn reached(
    aim: Aim,
    status: &GuestStatus,
    was_down: bool,
    reference: &ReferencePoint,
    now: i64,
) -> Option<&'static str> {
    let running = status.status.as_deref() == Some("running");
    match aim {
        Aim::Down => {
            (status.status.as_deref() == Some("stopped")).then_some(texts::power::IT_IS_STOPPED)
        }
        Aim::Up => running.then_some(texts::power::IT_IS_RUNNING),
        Aim::Still => running.then_some(texts::power::IT_IS_RUNNING_WITHOUT_TRACE),
        Aim::Again if !running => None,
        Aim::Again if was_down => Some(texts::power::SEEN_STOPPED_AND_RUNS),
        Aim::Again => match reference {
            ReferencePoint::Before { status: old, at } => {
                afresh(old, status, at.elapsed().as_secs())
            }
            ReferencePoint::Task { start, ahead } => status
                .uptime
                .is_some_and(|uptime| now + ahead - uptime >= start - ROUNDING)
                .then_some(texts::power::RUNNING_SINCE_THE_TASK),
        },
    }
}

/// The evidence that the guest has restarted, `seconds` after the first reading.
fn afresh(old: &GuestStatus, new: &GuestStatus, seconds: u64) -> Option<&'static str> {
    if let (Some(old), Some(new)) = (old.pid, new.pid)
        && old != new
    {
        return Some(texts::power::RUNS_AS_ANOTHER_PROCESS);
    }
    let (old, new) = (old.uptime?, new.uptime?);
    let would_be = old.saturating_add(i64::try_from(seconds).ok()?);
    (new < old || new + ROUNDING < would_be).then_some(texts::power::RUNS_WITH_SMALLER_UPTIME)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn guest(pid: Option<i64>, uptime: Option<i64>) -> GuestStatus {
        crate::lenient::row(&json!({ "status": "running", "pid": pid, "uptime": uptime })).unwrap()
    }

    #[test]
    fn a_guest_that_still_runs_is_no_restart() {
        let check = |old, new, seconds, expect: bool| {
            assert_eq!(
                afresh(&old, &new, seconds).is_some(),
                expect,
                "{old:?} {new:?} {seconds}"
            );
        };
        check(
            guest(Some(1), Some(900)),
            guest(Some(1), Some(930)),
            30,
            false,
        );
        check(guest(Some(1), Some(900)), guest(Some(2), Some(2)), 30, true);
        check(guest(None, Some(900)), guest(None, Some(930)), 30, false);
        check(guest(None, Some(900)), guest(None, Some(928)), 30, false);
        check(guest(None, Some(900)), guest(None, Some(2)), 30, true);
        // It had only just come up: its uptime is greater than before, and still too small.
        check(guest(None, Some(1)), guest(None, Some(2)), 30, true);
        check(guest(None, Some(1)), guest(None, Some(4)), 5, false);
        check(guest(Some(1), None), guest(Some(1), None), 30, false);
        check(guest(None, None), guest(None, Some(3)), 30, false);
    }

    #[test]
    fn after_a_crash_the_start_of_the_task_tells() {
        let reference = ReferencePoint::Task {
            start: 1_000,
            ahead: 100,
        };
        let check = |uptime, now, expect: bool| {
            let status = guest(None, uptime);
            let found = reached(Aim::Again, &status, false, &reference, now);
            assert_eq!(found.is_some(), expect, "{uptime:?} {now}");
        };
        check(Some(20), 950, true);
        check(Some(50), 950, true);
        check(Some(60), 950, false);
        check(None, 950, false);
    }
}
