//! What the board knows, with the time of every answer and why there is none that is newer.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{Answer, Question, progress::Progress, ring::Ring};
use crate::{
    error::ApiError,
    out::{percent, share},
    rights::Rights,
    task::Outcome,
    tools::{Task, tasks},
    wire::{ClusterRow, NodeStatus, ResourceRow},
};

/// Running tasks whose logs are read.
const MAX_LOGS: usize = 6;

/// The last answer to a question. Times are Unix seconds.
#[derive(Debug)]
pub(super) struct Reading<T> {
    pub last: Option<(i64, T)>,
    /// Why the newest try brought nothing.
    pub trouble: Option<ApiError>,
}

impl<T> Default for Reading<T> {
    fn default() -> Self {
        Self {
            last: None,
            trouble: None,
        }
    }
}

impl<T> Reading<T> {
    fn take(&mut self, answer: Result<T, ApiError>, now: i64) {
        match answer {
            Ok(value) => {
                self.last = Some((now, value));
                self.trouble = None;
            }
            Err(error) => {
                // What is forbidden now is not shown from before.
                if matches!(error, ApiError::Forbidden { .. }) {
                    self.last = None;
                }
                self.trouble = Some(error);
            }
        }
    }

    pub(super) fn value(&self) -> Option<&T> {
        self.last.as_ref().map(|(_, value)| value)
    }

    pub(super) fn at(&self) -> Option<i64> {
        self.last.as_ref().map(|(at, _)| *at)
    }

    fn is_asked(&self) -> bool {
        self.last.is_some() || self.trouble.is_some()
    }
}

/// One node, beyond its row in the overview.
#[derive(Debug, Default)]
pub(super) struct NodeSeen {
    pub status: Reading<NodeStatus>,
    /// Of the processor; with the time of the last one that was read.
    pub celsius: Option<Result<(i64, f64), String>>,
    pub ring: Ring,
    has_history: bool,
}

#[derive(Debug, Default)]
pub(super) struct Seen {
    pub quorum: Reading<Vec<ClusterRow>>,
    pub overview: Reading<Vec<ResourceRow>>,
    pub tasks: Reading<Vec<Task>>,
    pub rights: Option<Rights>,
    pub nodes: BTreeMap<String, NodeSeen>,
    pub logs: HashMap<String, Progress>,
    /// Rows as they were when they last had figures, by what names them, with the time.
    pub remembered: HashMap<String, (i64, ResourceRow)>,
}

/// What names a row of the overview.
pub(super) fn row_key(row: &ResourceRow) -> Option<String> {
    let node = row.node.as_deref().unwrap_or_default();
    match row.r#type.as_str() {
        "node" => Some(format!("node/{node}")),
        "qemu" | "lxc" => Some(format!("guest/{}", row.vmid?)),
        "storage" => {
            let name = row.storage.as_deref()?;
            Some(match row.shared {
                Some(true) => format!("storage/{name}"),
                _ => format!("storage/{node}/{name}"),
            })
        }
        _ => None,
    }
}

/// Whether a row has figures of now.
pub(super) fn is_heard(row: &ResourceRow) -> bool {
    match row.r#type.as_str() {
        "storage" => row.status.as_deref() == Some("available"),
        "node" => row.cpu.is_some() || row.mem.is_some(),
        _ => !matches!(row.status.as_deref(), None | Some("unknown")),
    }
}

pub(super) fn is_offline(row: &ResourceRow) -> bool {
    row.status.as_deref() == Some("offline")
}

impl Seen {
    /// The rows of the nodes, by name.
    pub(super) fn node_rows(&self) -> BTreeMap<&str, &ResourceRow> {
        let rows = self.overview.value().into_iter().flatten();
        rows.filter(|row| row.r#type == "node")
            .filter_map(|row| Some((row.node.as_deref()?, row)))
            .collect()
    }

    /// All that there is to ask, by what is known so far.
    pub(super) fn questions(&self, has_ssh: bool) -> HashSet<Question> {
        let mut questions = HashSet::from([
            Question::Quorum,
            Question::Overview,
            Question::Tasks,
            Question::Rights,
        ]);
        for (name, row) in self.node_rows() {
            if is_offline(row) {
                continue;
            }
            questions.insert(Question::Node(name.to_owned()));
            let seen = self.nodes.get(name);
            if !seen.is_some_and(|seen| seen.has_history) {
                questions.insert(Question::History(name.to_owned()));
            }
            if has_ssh {
                questions.insert(Question::Celsius(name.to_owned()));
            }
        }
        let tasks = self.tasks.value().into_iter().flatten();
        let running = tasks.filter(|task| task.outcome == Outcome::Running);
        questions.extend(running.take(MAX_LOGS).map(|task| Question::Log {
            upid: task.upid.clone(),
            from: self.logs.get(&task.upid).map_or(0, |log| log.lines),
        }));
        questions
    }

    /// Whether there is something to show: the overview has come, or why it has not.
    pub(super) fn is_ready(&self) -> bool {
        self.overview.is_asked()
    }

    /// Takes an answer in; false if it changes nothing that is shown.
    pub(super) fn take(&mut self, answer: Answer, now: i64) -> bool {
        match answer {
            Answer::Quorum(rows) => self.quorum.take(rows, now),
            Answer::Overview(rows) => {
                self.overview.take(rows, now);
                self.remember(now);
            }
            Answer::Tasks(rows) => {
                self.tasks.take(rows.map(tasks), now);
                let running: HashSet<&str> = self
                    .tasks
                    .value()
                    .into_iter()
                    .flatten()
                    .filter(|task| task.outcome == Outcome::Running)
                    .map(|task| task.upid.as_str())
                    .collect();
                self.logs.retain(|upid, _| running.contains(upid.as_str()));
            }
            Answer::Rights(rights) => self.rights = Some(rights),
            Answer::Node(name, status) => {
                let node = self.nodes.entry(name).or_default();
                node.status.take(status.map(|status| *status), now);
                let (cpu, memory) = match (&node.status.trouble, node.status.value()) {
                    (None, Some(status)) => (status.cpu.map(percent), memory_share(status)),
                    _ => (None, None),
                };
                node.ring.note(now, cpu, memory);
            }
            Answer::History(name, rows) => {
                let node = self.nodes.entry(name).or_default();
                // Another try would find the same answer; a lost one is asked for later.
                node.has_history = rows.is_ok();
                for row in rows.into_iter().flatten() {
                    let memory = share(row.memused, row.memtotal);
                    // The cluster's own past, up to what was seen here.
                    if let Some(at) = row.time.filter(|at| *at <= now) {
                        node.ring.note(at, row.cpu.map(percent), memory);
                    }
                }
            }
            Answer::Celsius(name, celsius) => {
                let node = self.nodes.entry(name).or_default();
                node.celsius = Some(celsius.map(|celsius| (now, celsius)));
            }
            Answer::Log(upid, lines) => {
                let Ok(lines) = lines else { return false };
                self.logs.entry(upid).or_default().read(&lines);
            }
        }
        true
    }

    /// Keeps the figures of what is heard, and forgets what is not listed any more.
    fn remember(&mut self, now: i64) {
        let Some(rows) = self
            .overview
            .value()
            .filter(|_| self.overview.trouble.is_none())
        else {
            return;
        };
        let mut listed = HashSet::new();
        for row in rows {
            let Some(key) = row_key(row) else { continue };
            if is_heard(row) {
                self.remembered.insert(key.clone(), (now, row.clone()));
            }
            listed.insert(key);
        }
        self.remembered.retain(|key, _| listed.contains(key));
        let names: HashSet<String> = self.node_rows().into_keys().map(str::to_owned).collect();
        self.nodes.retain(|name, _| names.contains(name));
    }
}

pub(super) fn memory_share(status: &NodeStatus) -> Option<f64> {
    let memory = status.memory.as_ref()?;
    share(memory.used, memory.total)
}
