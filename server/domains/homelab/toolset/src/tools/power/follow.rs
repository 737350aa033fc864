//! Follows a task to its end.

use agent::ports::Progress;

use super::find::pause;
use crate::{
    cluster_access::ClusterAccess,
    error::ProxmoxError,
    task::{TaskOutcome, Upid},
    texts,
};

/// Polls before a task counts as hanging: five minutes at one poll per second.
const LOOKS: u32 = 300;
/// Log lines quoted in a message.
const LOG_LINES: usize = 5;
const LINE_CHARS: usize = 200;

/// Outcome of following a task.
#[derive(Debug)]
pub(super) enum FollowedTask {
    Ended {
        outcome: TaskOutcome,
        /// The last lines of its log; only the warnings if it ended well.
        log: Vec<String>,
    },
    /// It was still running at the last poll.
    Running,
    /// Its status could not be read.
    Unseen(ProxmoxError),
}

/// Follows a task on the node that its UPID names.
pub(super) async fn follow(
    access: &ClusterAccess,
    upid: &Upid<'_>,
    doing: &str,
    began: i64,
    progress: &Progress,
) -> FollowedTask {
    let mut unseen = None;
    for look in 0..LOOKS {
        if look > 0 {
            pause(access).await;
        }
        let seconds = (access.now() - began).max(0);
        match access.api.task_status(upid).await {
            Ok(status) => {
                unseen = None;
                let ended = status.status.as_deref() == Some("stopped");
                if ended {
                    let outcome = TaskOutcome::of(status.exitstatus.as_deref(), true);
                    access.api.forget();
                    let log = log(access, upid, &outcome).await;
                    return FollowedTask::Ended { outcome, log };
                }
                progress.report(&texts::power::running_task(doing, seconds, upid.text));
            }
            Err(error) => {
                progress.report(&texts::power::running_task_cannot_be_seen(
                    doing, seconds, &error,
                ));
                unseen = Some(error);
            }
        }
    }
    match unseen {
        Some(error) => FollowedTask::Unseen(error),
        None => FollowedTask::Running,
    }
}

async fn log(access: &ClusterAccess, upid: &Upid<'_>, outcome: &TaskOutcome) -> Vec<String> {
    let wanted: fn(&str) -> bool = match outcome {
        TaskOutcome::Ok | TaskOutcome::Running => return Vec::new(),
        TaskOutcome::Warnings => |line| line.starts_with("WARN"),
        TaskOutcome::Failed(_) | TaskOutcome::Unknown(_) => |line| !line.trim().is_empty(),
    };
    // The outcome is valid even if the log cannot be read.
    let lines = access.api.task_log(upid).await.unwrap_or_default();
    let mut last: Vec<String> = lines
        .into_iter()
        .filter(|line| wanted(line))
        .rev()
        .take(LOG_LINES)
        .map(|line| line.chars().take(LINE_CHARS).collect())
        .collect();
    last.reverse();
    last
}
