//! What happens in the cluster, for the feed: tasks, whoever began them, and the cluster's log.
//!
//! One follower, from the server's start to its end, over the connection of the board. Everything is
//! told under a key of its own, so telling it twice does no harm.
//!
//! After a gap it also reads what the nodes remember.

mod words;

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
    error::ApiError,
    task::Outcome,
    tools::{Task, tasks},
    wire::LogRow,
};

/// Tasks of a node that are looked at after a gap; the list of the cluster has only the newest.
const DEEP: usize = 500;
/// The log is looked at after so many looks at the tasks.
const LOG_EVERY: u32 = 4;
/// Lines of the log that one look reads.
const LOG_LINES: usize = 200;
/// The longest pause after looks that failed.
const MAX_PAUSE: Duration = Duration::from_secs(60);
/// Happenings that are told at once.
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

/// What was told of tasks and of the log, by key, for as long as the cluster tells it.
#[derive(Default)]
struct Known(HashMap<String, Happening>);

impl Known {
    /// Those that are new or differ.
    fn fresh(&self, seen: Vec<Happening>) -> Vec<Happening> {
        let known = |happening: &Happening| self.0.get(&happening.key) == Some(happening);
        seen.into_iter()
            .filter(|happening| !known(happening))
            .collect()
    }

    /// Whether something ran that is not seen any more: it ended, and the list does not say how.
    fn lost(&self, seen: &[Happening]) -> bool {
        let running = |happening: &&Happening| happening.tone == FeedTone::Running;
        let is_there = |key: &String| seen.iter().any(|one| one.key == *key);
        let mut running = self.0.values().filter(running);
        running.any(|happening| !is_there(&happening.key))
    }

    /// Tells what is new of what is seen, oldest first. False if it is not safe.
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
    /// Makes no request.
    pub(crate) fn new((api, pace): (Arc<Api>, Duration)) -> Self {
        Self { api, pace }
    }

    /// What the nodes remember beyond the cluster's own list. A node that does not answer is told
    /// by its tasks on that list when it does again.
    async fn remembered(&self) -> Result<Vec<Happening>, ApiError> {
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
        let (mut told, mut logged) = (Known::default(), Known::default());
        // After a gap more is asked for than the newest.
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
                        // Told apart: they are more than what is seen from now on.
                        gap = !Known::default().tell(&teller, remembered).await;
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
            pause = match safe {
                true => self.pace,
                false => (pause * 2).min(MAX_PAUSE),
            };
            sleep(pause).await;
        }
    }
}

fn stamp(seconds: i64) -> Timestamp {
    Timestamp(seconds.saturating_mul(1000))
}

fn of_task(task: Task) -> Happening {
    let (tone, outcome) = match task.outcome {
        Outcome::Running => (FeedTone::Running, "running".to_owned()),
        Outcome::Ok => (FeedTone::Good, "done".to_owned()),
        Outcome::Warnings => (FeedTone::Warning, "done, with warnings".to_owned()),
        Outcome::Failed(error) => (FeedTone::Bad, format!("failed: {error}")),
        Outcome::Unknown(reason) => (FeedTone::Unknown, format!("outcome unknown: {reason}")),
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
            words::of(&task.kind),
        )
    }
}

/// Most lines say that a task began or ended, which its task says better.
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
