//! Known state of the cluster, with the time of each answer and the reason for a missing newer one.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

use super::{
    BoardAnswer, BoardQuestion, OwnHour,
    progress::TaskProgress,
    reading::{BoardReading, is_lost},
    ring::{Ring, RingFill, RingSample},
    traffic::Traffic,
    trend::{Trend, trend},
};
use crate::{
    measurements::{STEP_SECONDS, StepMean},
    out::{percent, share},
    own_state::{Words, has_word, words},
    rights::Rights,
    task::{GatheredTask, TaskOutcome, tasks},
    wire::{BackupRow, ClusterRow, NodeStatus, ResourceRow},
};

/// Running tasks whose logs are followed.
const MAX_LOGS: usize = 6;
/// Times a node must go away within [`UNSTEADY_SECONDS`] to count as unsteady.
const UNSTEADY: usize = 3;
const UNSTEADY_SECONDS: i64 = 600;

/// The sources of a board that an installation may lack.
#[derive(Debug, Clone, Copy)]
pub(super) struct BoardSources {
    pub ssh: bool,
    /// A store of Jarvis's own measurements.
    pub measurements: bool,
}

/// The known state of a node, beyond its row in the overview.
#[derive(Debug, Default)]
pub(super) struct NodeSeen {
    pub status: BoardReading<NodeStatus>,
    /// Temperature of the processor, with the time of the reading.
    pub celsius: Option<Result<(i64, f64), String>>,
    pub ring: Ring,
    has_history: bool,
    has_own_history: bool,
    is_away: bool,
    /// The recent times at which it went away, in Unix seconds.
    went: VecDeque<i64>,
}

impl NodeSeen {
    /// The number of recent outages, if it is high enough to call the node unreliable.
    pub(super) fn unsteady(&self) -> Option<usize> {
        Some(self.went.len()).filter(|times| *times >= UNSTEADY)
    }

    /// Fills the last hour with what Jarvis measured before its start.
    fn fill(&mut self, hour: &OwnHour, now: i64) {
        let mut fill = |means: &[StepMean], set: fn(&mut RingFill, f64)| {
            for mean in means {
                // A step that a restart has cut short says nothing about its other minutes.
                let end = now.min(mean.at.saturating_add(STEP_SECONDS));
                self.ring
                    .fill(mean.at, end, |minute| set(minute, mean.value));
            }
        };
        fill(&hour.cpu, |minute, value| minute.cpu = Some(value));
        fill(&hour.memory, |minute, value| minute.memory = Some(value));
        fill(&hour.io_wait, |minute, value| minute.io_wait = Some(value));
    }

    fn note_away(&mut self, is_away: bool, now: i64) {
        if is_away && !self.is_away {
            self.went.push_back(now);
        }
        self.is_away = is_away;
        self.went.retain(|at| *at > now - UNSTEADY_SECONDS);
    }
}

#[derive(Debug, Default)]
pub(super) struct SeenTasks {
    pub quorum: BoardReading<Vec<ClusterRow>>,
    pub overview: BoardReading<Vec<ResourceRow>>,
    pub tasks: BoardReading<Vec<GatheredTask>>,
    pub rights: Option<Rights>,
    pub nodes: BTreeMap<String, NodeSeen>,
    pub logs: HashMap<String, TaskProgress>,
    /// The last row with figures of each entity, by [`row_key`], with its time.
    pub remembered: HashMap<String, (i64, ResourceRow)>,
    /// The network traffic of each guest, by [`row_key`].
    pub traffic: HashMap<String, Traffic>,
    /// The QMP status of each VM, by node.
    pub vms: BTreeMap<String, BoardReading<Words>>,
    /// The backups on each storage, by [`row_key`].
    pub backups: BTreeMap<String, BoardReading<Vec<BackupRow>>>,
    /// The guests that no backup job covers.
    pub uncovered: BoardReading<BTreeSet<u64>>,
    /// The past week of each storage, by [`row_key`], with the node that reported it.
    pub trends: BTreeMap<String, (String, BoardReading<Trend>)>,
}

/// The key of a row of the overview.
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

/// Returns whether a storage takes backups.
pub(super) fn holds_backups(row: &ResourceRow) -> bool {
    let content = row.content.as_deref().unwrap_or_default();
    content.split(',').any(|kind| kind.trim() == "backup")
}

/// Returns whether a row has current figures.
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

impl SeenTasks {
    /// The overview's rows of nodes, by name.
    pub(super) fn node_rows(&self) -> BTreeMap<&str, &ResourceRow> {
        let rows = self.overview.value().into_iter().flatten();
        rows.filter(|row| row.r#type == "node")
            .filter_map(|row| Some((row.node.as_deref()?, row)))
            .collect()
    }

    /// All queries due, given the known state.
    pub(super) fn questions(&self, sources: BoardSources) -> HashSet<BoardQuestion> {
        let mut questions = HashSet::from([
            BoardQuestion::Quorum,
            BoardQuestion::Overview,
            BoardQuestion::Tasks,
            BoardQuestion::Rights,
            BoardQuestion::Uncovered,
        ]);
        self.storage_questions(&mut questions);
        for (name, row) in self.node_rows() {
            let seen = self.nodes.get(name);
            if sources.measurements && !seen.is_some_and(|seen| seen.has_own_history) {
                questions.insert(BoardQuestion::OwnHistory(name.to_owned()));
            }
            if is_offline(row) {
                continue;
            }
            questions.insert(BoardQuestion::Node(name.to_owned()));
            if self.has_running_vm(name) {
                questions.insert(BoardQuestion::Vms(name.to_owned()));
            }
            if !seen.is_some_and(|seen| seen.has_history) {
                questions.insert(BoardQuestion::History(name.to_owned()));
            }
            if sources.ssh {
                questions.insert(BoardQuestion::Celsius(name.to_owned()));
            }
        }
        let tasks = self.tasks.value().into_iter().flatten();
        let running = tasks.filter(|task| task.outcome == TaskOutcome::Running);
        questions.extend(running.take(MAX_LOGS).map(|task| BoardQuestion::Log {
            upid: task.upid.clone(),
            from: self.logs.get(&task.upid).map_or(0, |log| log.lines),
        }));
        questions
    }

    /// Adds the queries about storages that are available.
    fn storage_questions(&self, questions: &mut HashSet<BoardQuestion>) {
        let rows = self.overview.value().map_or(&[][..], Vec::as_slice);
        // A list read earlier lacks backups made since.
        let tasks = self.tasks.value().into_iter().flatten();
        let backups = tasks.filter(|task| task.kind == "vzdump");
        let after = backups.filter_map(|task| task.end).max().unwrap_or(0);
        // A shared storage is read through its first node by name, which keeps the query the same.
        let mut readable: BTreeMap<String, &ResourceRow> = BTreeMap::new();
        for row in rows.iter().filter(|row| row.r#type == "storage") {
            let Some(key) = row_key(row).filter(|_| is_heard(row)) else {
                continue;
            };
            let first = readable.entry(key).or_insert(row);
            if row.node < first.node {
                *first = row;
            }
        }
        for (key, row) in readable {
            let (Some(node), Some(storage)) = (row.node.clone(), row.storage.clone()) else {
                continue;
            };
            if holds_backups(row) {
                questions.insert(BoardQuestion::Backups {
                    key: key.clone(),
                    node: node.clone(),
                    storage: storage.clone(),
                    after,
                });
            }
            questions.insert(BoardQuestion::Trend { key, node, storage });
        }
    }

    /// Returns whether there is something to show: the overview, or the reason for its absence.
    pub(super) fn is_ready(&self) -> bool {
        self.overview.is_asked()
    }

    /// Returns whether every node with running VMs has been asked which of them are paused: the
    /// overview alone lists a paused VM as running.
    pub(super) fn knows_states(&self) -> bool {
        let mut with_vms = self
            .node_rows()
            .into_keys()
            .filter(|node| self.has_running_vm(node));
        with_vms.all(|node| self.vms.get(node).is_some_and(BoardReading::is_asked))
    }

    /// Records an answer; returns false if it changes nothing on the board.
    pub(super) fn take(&mut self, answer: BoardAnswer, now: i64) -> bool {
        match answer {
            BoardAnswer::Quorum(rows) => self.quorum.take(rows, now),
            BoardAnswer::Overview(rows) => {
                let is_new = rows.is_ok();
                self.overview.take(rows, now);
                self.note_words();
                if is_new {
                    self.remember(now);
                }
            }
            BoardAnswer::Tasks(rows) => {
                self.tasks.take(rows.map(tasks), now);
                let running: HashSet<&str> = self
                    .tasks
                    .value()
                    .into_iter()
                    .flatten()
                    .filter(|task| task.outcome == TaskOutcome::Running)
                    .map(|task| task.upid.as_str())
                    .collect();
                self.logs.retain(|upid, _| running.contains(upid.as_str()));
            }
            BoardAnswer::Rights(rights) => self.rights = Some(rights),
            BoardAnswer::Node(name, status) => {
                let node = self.nodes.entry(name).or_default();
                let sample = status.as_ref().map_or_else(
                    |_| RingSample::default(),
                    |status| RingSample {
                        cpu: status.cpu.map(percent),
                        memory: memory_share(status),
                        io_wait: status.wait.map(percent),
                    },
                );
                node.ring.note(now, sample);
                node.status.take(status.map(|status| *status), now);
                let silent = node.status.trouble.as_ref().is_some_and(is_lost);
                node.note_away(silent, now);
            }
            BoardAnswer::Vms(node, rows) => {
                let of_node = self.vms.entry(node).or_default();
                of_node.take(rows.map(words), now);
                self.note_words();
            }
            BoardAnswer::Backups(key, rows) => self.backups.entry(key).or_default().take(rows, now),
            BoardAnswer::Uncovered(rows) => {
                let vmids = |rows: Vec<crate::wire::UncoveredRow>| {
                    let vmids = rows.into_iter().filter_map(|row| row.vmid);
                    vmids.filter_map(|vmid| u64::try_from(vmid).ok()).collect()
                };
                self.uncovered.take(rows.map(vmids), now);
            }
            BoardAnswer::Trend { key, node, rows } => {
                let of_storage = self.trends.entry(key).or_default();
                of_storage.0 = node;
                of_storage.1.take(rows.map(|rows| trend(&rows, now)), now);
            }
            BoardAnswer::History(name, rows) => {
                let node = self.nodes.entry(name).or_default();
                // A refusal will not change; a lost answer is requested again later.
                node.has_history = rows.is_ok();
                for row in rows.into_iter().flatten() {
                    let memory = share(row.memused, row.memtotal);
                    // The cluster's own history, up to the samples taken here.
                    if let Some(at) = row.time.filter(|at| *at <= now) {
                        let sample = RingSample {
                            cpu: row.cpu.map(percent),
                            memory,
                            io_wait: row.iowait.map(percent),
                        };
                        node.ring.note(at, sample);
                    }
                }
            }
            BoardAnswer::OwnHistory(name, hour) => {
                let Some(hour) = hour else { return false };
                let node = self.nodes.entry(name).or_default();
                node.has_own_history = true;
                node.fill(&hour, now);
            }
            BoardAnswer::Celsius(name, celsius) => {
                let node = self.nodes.entry(name).or_default();
                node.celsius = Some(celsius.map(|celsius| (now, celsius)));
            }
            BoardAnswer::Log(upid, lines) => {
                let Ok(lines) = lines else { return false };
                self.logs.entry(upid).or_default().read(&lines);
            }
        }
        true
    }

    fn has_running_vm(&self, node: &str) -> bool {
        let mut rows = self.overview.value().into_iter().flatten();
        rows.any(|row| has_word(row) && row.node.as_deref() == Some(node))
    }

    /// Puts the QMP statuses into the rows of the overview. A status older than the VM's start
    /// belongs to an earlier run.
    fn note_words(&mut self) {
        let Some((now, rows)) = &mut self.overview.last else {
            return;
        };
        for row in rows.iter_mut().filter(|row| has_word(row)) {
            let node = row.node.as_deref().unwrap_or_default();
            let told = self.vms.get(node).and_then(|told| told.last.as_ref());
            let started = *now - row.uptime.unwrap_or(i64::MAX);
            let word = told
                .filter(|(at, _)| *at >= started)
                .and_then(|(_, words)| words.get(&row.vmid?));
            row.qmpstatus = word.cloned();
        }
    }

    /// Keeps the rows with current figures, and drops rows that are no longer listed.
    fn remember(&mut self, now: i64) {
        let mut listed = HashSet::new();
        let mut nodes = HashMap::new();
        for row in self.overview.value().into_iter().flatten() {
            let Some(key) = row_key(row) else { continue };
            if is_heard(row) {
                self.remembered.insert(key.clone(), (now, row.clone()));
                if let (Some(received), Some(sent)) = (row.netin, row.netout) {
                    let traffic = self.traffic.entry(key.clone()).or_default();
                    traffic.note(now, received, sent);
                }
            }
            if let (Some(node), "node") = (&row.node, row.r#type.as_str()) {
                nodes.insert(node.clone(), is_offline(row));
            }
            listed.insert(key);
        }
        self.remembered.retain(|key, _| listed.contains(key));
        self.traffic.retain(|key, _| listed.contains(key));
        self.backups.retain(|key, _| listed.contains(key));
        self.trends.retain(|key, _| listed.contains(key));
        self.nodes.retain(|name, _| nodes.contains_key(name));
        self.vms.retain(|name, _| nodes.contains_key(name));
        for (name, is_offline) in nodes {
            let node = self.nodes.entry(name).or_default();
            let silent = node.status.trouble.as_ref().is_some_and(is_lost);
            node.note_away(is_offline || silent, now);
        }
    }
}

pub(super) fn memory_share(status: &NodeStatus) -> Option<f64> {
    let memory = status.memory.as_ref()?;
    share(memory.used, memory.total)
}
