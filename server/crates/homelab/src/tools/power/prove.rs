//! Proving what has become of a guest by its own state.

use std::time::Instant;

use agent::ports::Progress;

use super::{
    find::pause,
    order::{Aim, Order},
};
use crate::{error::ApiError, lab::Lab, wire::GuestStatus};

/// Looks at a guest after the end of a task.
const LOOKS: u32 = 15;
/// The start after a reboot is a task of its own.
const LOOKS_AGAIN: u32 = 120;
/// The manager looks every few seconds, and lets the guest shut down then.
const LOOKS_MANAGED: u32 = 240;
/// Uptimes are whole seconds, and are read a moment apart.
const ROUNDING: i64 = 3;

/// What a restart is told by.
#[derive(Debug, Clone)]
pub(super) enum Reference {
    /// The guest before, and when it was looked at.
    Before {
        status: Box<GuestStatus>,
        at: Instant,
    },
    /// Only when the task began, in Unix seconds of the node's clock, and how far that clock is
    /// ahead of ours.
    Task { start: i64, ahead: i64 },
}

/// What the guest shows.
#[derive(Debug)]
pub(super) enum Proof {
    Reached {
        status: GuestStatus,
        /// What shows it, for the result.
        by: &'static str,
    },
    NotReached(GuestStatus),
    Unseen(ApiError),
}

/// Looks at the guest until it is as it should be, or for too long.
pub(super) async fn prove(
    lab: &Lab,
    order: &Order,
    aim: Aim,
    managed: bool,
    reference: &Reference,
    progress: &Progress,
) -> Proof {
    let looks = match aim {
        _ if managed => LOOKS_MANAGED,
        Aim::Again => LOOKS_AGAIN,
        Aim::Up | Aim::Down | Aim::Still => LOOKS,
    };
    let began = lab.now();
    let mut was_down = false;
    let mut last = None;
    for look in 0..looks {
        if look > 0 {
            pause(lab).await;
        }
        match lab
            .api
            .guest_status(&order.node, order.kind, order.vmid)
            .await
        {
            Ok(status) => {
                was_down |= status.status.as_deref() == Some("stopped");
                if let Some(by) = reached(aim, &status, was_down, reference, lab.now()) {
                    return Proof::Reached { status, by };
                }
                last = Some(Ok(status));
            }
            Err(error) => last = Some(Err(error)),
        }
        let what = match aim {
            Aim::Down => "Waiting for it to be down",
            Aim::Up | Aim::Still => "Waiting for it to run",
            Aim::Again => "Waiting for it to run again",
        };
        let seconds = (lab.now() - began).max(0);
        progress.report(&format!("{what}, {seconds} s"));
    }
    match last {
        Some(Ok(status)) => Proof::NotReached(status),
        Some(Err(error)) => Proof::Unseen(error),
        None => Proof::Unseen(ApiError::Unreachable {
            endpoint: order.node.clone(),
            message: "nobody looked".to_owned(),
        }),
    }
}

fn reached(
    aim: Aim,
    status: &GuestStatus,
    was_down: bool,
    reference: &Reference,
    now: i64,
) -> Option<&'static str> {
    let running = status.status.as_deref() == Some("running");
    match aim {
        Aim::Down => (status.status.as_deref() == Some("stopped")).then_some("it is stopped"),
        Aim::Up => running.then_some("it is running"),
        Aim::Still => running.then_some("it is running; a reset leaves no trace in its uptime"),
        Aim::Again if !running => None,
        Aim::Again if was_down => Some("it was seen stopped, and is running"),
        Aim::Again => match reference {
            Reference::Before { status: old, at } => afresh(old, status, at.elapsed().as_secs()),
            Reference::Task { start, ahead } => status
                .uptime
                .is_some_and(|uptime| now + ahead - uptime >= start - ROUNDING)
                .then_some("it has been running only since the task"),
        },
    }
}

/// What tells a guest that runs again from one that still runs, `seconds` after the first look.
fn afresh(old: &GuestStatus, new: &GuestStatus, seconds: u64) -> Option<&'static str> {
    if let (Some(old), Some(new)) = (old.pid, new.pid)
        && old != new
    {
        return Some("it is running with another process id");
    }
    let (old, new) = (old.uptime?, new.uptime?);
    let would_be = old.saturating_add(i64::try_from(seconds).ok()?);
    (new < old || new + ROUNDING < would_be).then_some("it is running with a smaller uptime")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn guest(pid: Option<i64>, uptime: Option<i64>) -> GuestStatus {
        serde_json::from_value(json!({ "status": "running", "pid": pid, "uptime": uptime }))
            .unwrap()
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
        // It had only just come up: its uptime is greater than before, and yet too small.
        check(guest(None, Some(1)), guest(None, Some(2)), 30, true);
        check(guest(None, Some(1)), guest(None, Some(4)), 5, false);
        check(guest(Some(1), None), guest(Some(1), None), 30, false);
        check(guest(None, None), guest(None, Some(3)), 30, false);
    }

    #[test]
    fn after_a_crash_the_start_of_the_task_tells() {
        let reference = Reference::Task {
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
