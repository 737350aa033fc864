//! Failed tasks, until a similar one succeeds or they are too old.

use std::collections::BTreeMap;

use homelab_wire::TaskPart;
use protocol::Timestamp;

use super::{SurveyState, capital, read};
use crate::{config::NoticeKind, task::Upid, task_kinds};

/// Console sessions: closing the window often counts as a failure.
const SESSIONS: [&str; 5] = [
    "vncproxy",
    "vncshell",
    "termproxy",
    "spiceproxy",
    "spiceshell",
];

/// Runs of one job begin at about the same time of day. An hour is for the change to summer time.
const SAME_TIME_MINUTES: i64 = 75;
const DAY_MS: i64 = 24 * 3_600_000;

/// Kind, entity and node; a later success with the same key resolves a failure.
type Like = (String, Option<String>, Option<String>);

impl SurveyState<'_> {
    pub(super) fn tasks(&mut self) {
        let tasks: Vec<TaskPart> = self.parts("task").filter_map(|(_, it)| read(it)).collect();
        let mut good: BTreeMap<Like, Vec<Timestamp>> = BTreeMap::new();
        for task in &tasks {
            let ended_well = matches!(
                task.state.value().map(String::as_str),
                Some("ok" | "warnings")
            );
            if ended_well {
                good.entry(like(task)).or_default().push(task.start);
            }
        }
        for task in &tasks {
            let failed = task.state.value().is_some_and(|state| state == "failed");
            let later = good.get(&like(task)).into_iter().flatten();
            let made_good = later.copied().any(|at| makes_good(task, at));
            let end = task.end.unwrap_or(task.start);
            if failed
                && !made_good
                && !self.is_long_ago(end)
                && !SESSIONS.contains(&task.kind.as_str())
            {
                self.failed(task, end);
            }
        }
        self.unlisted();
    }

    fn failed(&mut self, task: &TaskPart, end: Timestamp) {
        let what = task_kinds::of_thing(&task.kind, task.about.as_deref());
        let about = format!("{what} on {}", task.node);
        let error = match task
            .error
            .as_deref()
            .map(|error| error.trim_end_matches('.'))
        {
            Some(error) => format!(": {error}"),
            None => String::new(),
        };
        let text = format!("{} failed{error}.", capital(&about));
        let key = format!("task/{}", task.upid);
        self.found(&key, NoticeKind::Task, false, &about, text, Some(end));
    }

    /// The list has the newest tasks only: one that dropped off still failed.
    fn unlisted(&mut self) {
        let keys = self.known.iter().filter(|key| {
            let upid = key.strip_prefix("task/").and_then(Upid::parse);
            upid.is_some_and(|upid| {
                let start = Timestamp(upid.start.saturating_mul(1000));
                !self.picture.contains_key(*key) && !self.is_long_ago(start)
            })
        });
        let keys: Vec<String> = keys.cloned().collect();
        self.survey.unknown.extend(keys);
    }

    fn is_long_ago(&self, at: Timestamp) -> bool {
        let limit = i64::from(self.config.notices.task_hours) * 3_600_000;
        self.now.0.saturating_sub(at.0) > limit
    }
}

/// True if a success that began at `at` makes up for a failed task. A backup of several guests does
/// not name its job: the weekly one must not hide that the nightly one failed.
fn makes_good(failed: &TaskPart, at: Timestamp) -> bool {
    let apart = at.0.saturating_sub(failed.start.0);
    let of_day = apart.rem_euclid(DAY_MS);
    let minutes = of_day.min(DAY_MS - of_day) / 60_000;
    apart > 0 && (failed.about.is_some() || minutes <= SAME_TIME_MINUTES)
}

/// A backup of all guests runs on every node, so its key includes the node.
fn like(task: &TaskPart) -> Like {
    let node = task.about.is_none().then(|| task.node.clone());
    (task.kind.clone(), task.about.clone(), node)
}
