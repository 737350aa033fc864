//! Follows a task to its end.

use agent::ports::Progress;

use super::find::pause;
use crate::{
    error::ApiError,
    lab::Lab,
    task::{Outcome, Upid},
};

/// Polls before a task counts as hanging: five minutes at one poll per second.
const LOOKS: u32 = 300;
/// Log lines quoted in a message.
const LOG_LINES: usize = 5;
const LINE_CHARS: usize = 200;

/// Outcome of following a task.
#[derive(Debug)]
pub(super) enum Followed {
    Ended {
        outcome: Outcome,
        /// The last lines of its log; only the warnings if it ended well.
        log: Vec<String>,
    },
    /// It was still running at the last poll.
    Running,
    /// Its status could not be read.
    Unseen(ApiError),
}

/// Follows a task on the node that its UPID names.
pub(super) async fn follow(
    lab: &Lab,
    upid: &Upid<'_>,
    doing: &str,
    began: i64,
    progress: &Progress,
) -> Followed {
    let mut unseen = None;
    for look in 0..LOOKS {
        if look > 0 {
            pause(lab).await;
        }
        let seconds = (lab.now() - began).max(0);
        match lab.api.task_status(upid).await {
            Ok(status) => {
                unseen = None;
                let ended = status.status.as_deref() == Some("stopped");
                if ended {
                    let outcome = Outcome::of(status.exitstatus.as_deref(), true);
                    lab.api.forget();
                    let log = log(lab, upid, &outcome).await;
                    return Followed::Ended { outcome, log };
                }
                progress.report(&format!("{doing}, {seconds} s; task {}", upid.text));
            }
            Err(error) => {
                progress.report(&format!(
                    "{doing}, {seconds} s; the task cannot be seen: {error}"
                ));
                unseen = Some(error);
            }
        }
    }
    match unseen {
        Some(error) => Followed::Unseen(error),
        None => Followed::Running,
    }
}

async fn log(lab: &Lab, upid: &Upid<'_>, outcome: &Outcome) -> Vec<String> {
    let wanted: fn(&str) -> bool = match outcome {
        Outcome::Ok | Outcome::Running => return Vec::new(),
        Outcome::Warnings => |line| line.starts_with("WARN"),
        Outcome::Failed(_) | Outcome::Unknown(_) => |line| !line.trim().is_empty(),
    };
    // The outcome is valid even if the log cannot be read.
    let lines = lab.api.task_log(upid).await.unwrap_or_default();
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
