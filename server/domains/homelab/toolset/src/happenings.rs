//! Events of the cluster for the feed: tasks with their users, and the cluster log.
//!
//! A single follower runs for the server's lifetime, over the connection of the board. Every event
//! has a key, so reporting it twice does no harm.
//!
//! After a gap it also reads the nodes' own task lists.

use std::{
    collections::{HashMap, HashSet},
    fmt,
    sync::Arc,
    time::Duration,
};

use agent::ports::{Happening, Happenings, Teller};
use async_trait::async_trait;
use protocol::{FeedKind, FeedTone, Timestamp};
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::{
    api::Api,
    error::ProxmoxError,
    task::{GatheredTask, TaskOutcome, tasks},
    task_kinds, texts,
    wire::LogRow,
};

/// Tasks read per node after a gap; the cluster's list has only the newest.
const DEEP: usize = 500;
/// Task polls per poll of the log.
const LOG_EVERY: u32 = 4;
/// Log lines read per poll.
const LOG_LINES: usize = 200;
/// Longest pause after failed polls.
const MAX_PAUSE: Duration = Duration::from_secs(60);
/// Events reported in one batch.
const PORTION: usize = 10;
const SOURCE: &str = "homelab";

pub(crate) struct ClusterHappenings {
    api: Arc<Api>,
    pace: Duration,
}

impl fmt::Debug for ClusterHappenings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClusterHappenings").finish_non_exhaustive()
    }
}

/// The reported tasks or log lines by key, for as long as the cluster lists them.
#[derive(Default)]
struct KnownTask(HashMap<String, Happening>);

impl KnownTask {
    /// Returns the new or changed events.
    fn fresh(&self, seen: Vec<Happening>) -> Vec<Happening> {
        let known = |happening: &Happening| self.0.get(&happening.key) == Some(happening);
        seen.into_iter()
            .filter(|happening| !known(happening))
            .collect()
    }

    /// Returns whether a running task has disappeared: it ended, and the list lacks its outcome.
    fn lost(&self, seen: &[Happening]) -> bool {
        let running = |happening: &&Happening| happening.tone == FeedTone::Running;
        let is_there = |key: &String| seen.iter().any(|one| one.key == *key);
        let mut running = self.0.values().filter(running);
        running.any(|happening| !is_there(&happening.key))
    }

    /// Reports the new events, oldest first. Returns false if they could not be stored.
    async fn tell(&mut self, teller: &Teller, seen: Vec<Happening>) -> bool {
        let still: HashSet<String> = seen.iter().map(|one| one.key.clone()).collect();
        let mut fresh = self.fresh(seen);
        fresh.sort_by_key(|happening| happening.at);
        for portion in fresh.chunks(PORTION) {
            if !teller.tell(portion.to_vec()).await {
                return false;
            }
            let told = portion.iter().cloned();
            self.0
                .extend(told.map(|happening| (happening.key.clone(), happening)));
        }
        self.0.retain(|key, _| still.contains(key));
        true
    }
}

impl ClusterHappenings {
    /// Builds the follower; makes no request.
    pub(crate) fn new(api: Arc<Api>, pace: Duration) -> Self {
        Self { api, pace }
    }

    /// The tasks in the nodes' own lists, which go back further than the cluster's. A node that
    /// does not answer is skipped: its tasks come back on the cluster's list when it does.
    async fn remembered(&self) -> Result<Vec<Happening>, ProxmoxError> {
        let mut all = Vec::new();
        for node in self.api.nodes().await? {
            match self.api.node_tasks(&node.node, DEEP, false).await {
                Ok(rows) => all.extend(tasks(rows).into_iter().map(of_task)),
                Err(error) => tracing::debug!(node = %node.node, %error, "no tasks of a node"),
            }
        }
        Ok(all)
    }
}

#[async_trait]
impl Happenings for ClusterHappenings {
    async fn follow(&self, teller: Teller) {
        let (mut told, mut logged) = (KnownTask::default(), KnownTask::default());
        // After a gap the newest tasks are not enough.
        let mut gap = true;
        let mut looks = 0_u32;
        let mut pause = self.pace;
        loop {
            let seen = self.api.cluster_tasks().await;
            let safe = match seen {
                Ok(rows) => {
                    let seen: Vec<_> = tasks(rows).into_iter().map(of_task).collect();
                    gap |= told.lost(&seen);
                    if gap && let Ok(remembered) = self.remembered().await {
                        // Not recorded as known: there are more of them than later polls will see.
                        gap = !KnownTask::default().tell(&teller, remembered).await;
                    }
                    told.tell(&teller, seen).await
                }
                Err(error) => {
                    tracing::debug!(%error, "the cluster's tasks cannot be read");
                    gap = true;
                    false
                }
            };
            if safe && looks.is_multiple_of(LOG_EVERY) {
                match self.api.cluster_log(LOG_LINES).await {
                    Ok(rows) => {
                        let seen = rows.into_iter().filter_map(of_log).collect();
                        logged.tell(&teller, seen).await;
                    }
                    Err(error) => tracing::debug!(%error, "the cluster's log cannot be read"),
                }
            }
            looks = looks.wrapping_add(1);
            pause = if safe {
                self.pace
            } else {
                (pause * 2).min(MAX_PAUSE)
            };
            sleep(pause).await;
        }
    }
}

fn stamp(seconds: i64) -> Timestamp {
    Timestamp(seconds.saturating_mul(1000))
}

fn of_task(task: GatheredTask) -> Happening {
    let (tone, outcome) = match task.outcome {
        TaskOutcome::Running => (FeedTone::Running, "running".to_owned()),
        TaskOutcome::Ok => (FeedTone::Good, "done".to_owned()),
        TaskOutcome::Warnings => (
            FeedTone::Warning,
            texts::happenings::DONE_WITH_WARNINGS.to_owned(),
        ),
        TaskOutcome::Failed(error) => (FeedTone::Bad, format!("failed: {error}")),
        TaskOutcome::Unknown(reason) => (
            FeedTone::Unknown,
            texts::happenings::outcome_unknown(reason),
        ),
    };
    let about = task.about.as_deref().unwrap_or_default();
    let target = match about {
        "" => format!("node {}", task.node),
        guest if guest.bytes().all(|byte| byte.is_ascii_digit()) => {
            format!("guest {guest} on node {}", task.node)
        }
        other => format!("{other} on node {}", task.node),
    };
    Happening {
        tone,
        outcome: Some(outcome),
        ended: task.end.map(stamp),
        target: Some(target),
        person: task.user,
        source: Some(SOURCE.to_owned()),
        subject: Some(format!("task/{}", task.upid)),
        details: json!({ "task": task.kind }),
        ..Happening::new(
            format!("task/{}", task.upid),
            stamp(task.start),
            FeedKind::Task,
            task_kinds::of(&task.kind),
        )
    }
}

/// Converts a log line. Most lines only report the start or end of a task, which its task event
/// covers better; those give `None`.
fn of_log(row: LogRow) -> Option<Happening> {
    let (message, time) = (row.msg?, row.time?);
    if ["starting task UPID:", "end task UPID:"]
        .iter()
        .any(|begin| message.starts_with(begin))
    {
        return None;
    }
    let node = row.node.unwrap_or_default();
    let number = |number: Option<i64>| number.unwrap_or_default();
    let tone = match row.pri {
        Some(0..=3) => FeedTone::Bad,
        Some(4) => FeedTone::Warning,
        _ => FeedTone::Plain,
    };
    Some(Happening {
        tone,
        target: (!node.is_empty()).then(|| format!("node {node}")),
        person: row.user.filter(|user| !user.is_empty()),
        source: Some(SOURCE.to_owned()),
        subject: (!node.is_empty()).then(|| format!("node/{node}")),
        details: row.tag.map_or(Value::Null, |tag| json!({ "program": tag })),
        ..Happening::new(
            format!("log/{node}/{time}/{}/{}", number(row.pid), number(row.uid)),
            stamp(time),
            FeedKind::Log,
            message.trim(),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(msg: &str) -> LogRow {
        LogRow {
            uid: Some(7),
            time: Some(1_700_000_000),
            pri: Some(3),
            tag: Some("pvedaemon".to_owned()),
            pid: Some(12),
            node: Some("pve".to_owned()),
            user: Some(String::new()),
            msg: Some(msg.to_owned()),
        }
    }

    #[test]
    fn a_log_line_that_a_task_tells_is_left_out() {
        assert_eq!(
            of_log(log("end task UPID:pve:1:2:3:vzdump:1:root@pam: OK")),
            None
        );
        let told = of_log(log("authentication failure ")).unwrap();
        assert_eq!(told.key, "log/pve/1700000000/12/7");
        assert_eq!(told.line, "authentication failure");
        assert_eq!((told.tone, told.person), (FeedTone::Bad, None));
    }
}
