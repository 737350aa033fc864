//! What the words are about.

use super::Intent;
use crate::planner::words::alike;

/// A matter that tools can tell about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::planner) enum Topic {
    /// How everything is.
    Overview,
    Cluster,
    Nodes,
    Vms,
    Containers,
    Storage,
    Temperature,
    Tasks,
    Backups,
    Resources,
    /// How something has been.
    History,
}

const TOPICS: &[(Topic, &[&str])] = &[
    (
        Topic::Overview,
        &[
            "everything",
            "overview",
            "summary",
            "health",
            "healthy",
            "problem",
            "problems",
            "issues",
            "attention",
            "wrong",
            "infrastructure",
            "homelab",
            "estate",
        ],
    ),
    (Topic::Cluster, &["cluster", "quorum", "quorate"]),
    (
        Topic::Nodes,
        &[
            "node",
            "nodes",
            "host",
            "hosts",
            "server",
            "servers",
            "cpu",
            "processor",
            "load",
            "uptime",
            "memory",
            "ram",
            "kernel",
        ],
    ),
    (
        Topic::Vms,
        &["vm", "vms", "virtual", "qemu", "guest", "guests"],
    ),
    (
        Topic::Containers,
        &[
            "container",
            "containers",
            "lxc",
            "ct",
            "cts",
            "guest",
            "guests",
        ],
    ),
    (
        Topic::Storage,
        &[
            "storage",
            "storages",
            "disk",
            "disks",
            "space",
            "pool",
            "pools",
            "datastore",
            "datastores",
            "nas",
            "volume",
            "volumes",
        ],
    ),
    (
        Topic::Temperature,
        &[
            "temperature",
            "temperatures",
            "temp",
            "temps",
            "hot",
            "hotter",
            "hottest",
            "heat",
            "warm",
            "warmest",
            "thermal",
            "thermals",
            "celsius",
            "sensors",
            "overheating",
        ],
    ),
    (
        Topic::Tasks,
        &[
            "task", "tasks", "job", "jobs", "activity", "happened", "recently", "log", "logs",
        ],
    ),
    (Topic::Backups, &["backup", "backups", "vzdump", "backed"]),
    (Topic::Resources, &["resource", "resources"]),
    (Topic::History, &["history", "graph"]),
];

/// Reads the topics off the words.
pub(super) fn read(said: &[String], intent: &mut Intent) {
    for (topic, signs) in TOPICS {
        if said
            .iter()
            .any(|word| signs.iter().any(|sign| alike(word, sign)))
        {
            intent.topics.push(*topic);
        }
    }
    settle(said, intent);
}

/// Whether a word stands for a topic.
pub(super) fn is_sign(word: &str) -> bool {
    TOPICS
        .iter()
        .any(|(_, signs)| signs.iter().any(|sign| alike(word, sign)))
}

/// Lets one word explain another.
fn settle(said: &[String], intent: &mut Intent) {
    let has = |word: &str| said.iter().any(|said| said == word);
    let asks_how = has("how") && (has("doing") || has("are") || has("is")) || has("status");
    if intent.topics == [Topic::Cluster] && asks_how {
        intent.topics = vec![Topic::Overview];
    }
    // "What failed?"
    if intent.topics.is_empty() && ["fail", "failed", "fails"].iter().any(|word| has(word)) {
        intent.topics = vec![Topic::Tasks];
    }
    // "What is running?"
    let states = ["running", "stopped", "paused"];
    if intent.topics.is_empty() && intent.nodes.is_empty() && states.iter().any(|word| has(word)) {
        intent.topics = vec![Topic::Vms, Topic::Containers];
    }
    // The figures of something over time, and where they are of, are no topics of their own.
    if intent.wants(Topic::History) {
        intent.topics = vec![Topic::History];
        return;
    }
    // Its storages have no temperature: the machine has.
    if intent.wants(Topic::Temperature) && has("nas") && intent.nodes.is_empty() {
        intent.topics = vec![Topic::Temperature];
        intent.role = Some("nas");
        return;
    }
    let how_are_things = has("things") && asks_how || has("status") && has("report");
    if intent.topics.is_empty() && how_are_things && intent.nodes.is_empty() {
        intent.topics = vec![Topic::Overview];
    }
    // "CPU of VM 101", "storage on the node pve": the noun that tells where is no topic of its own.
    if intent.topics.len() > 1 {
        let place = !intent.nodes.is_empty() || !intent.vmids.is_empty();
        let others = |topics: &[Topic]| {
            topics
                .iter()
                .any(|topic| !matches!(topic, Topic::Nodes | Topic::Cluster | Topic::Overview))
        };
        let figures = ["cpu", "memory", "ram", "load", "uptime"]
            .iter()
            .any(|word| has(word));
        if others(&intent.topics) && (place || !figures) {
            intent
                .topics
                .retain(|topic| !matches!(topic, Topic::Nodes | Topic::Cluster | Topic::Overview));
        }
    }
    // "Backups of my VMs" are backups, "the disk of VM 101" is a figure of that guest.
    let guests = |topic: &Topic| matches!(topic, Topic::Vms | Topic::Containers);
    if !has("and") && intent.topics.iter().any(guests) {
        if intent.wants(Topic::Backups) || intent.wants(Topic::Tasks) {
            intent.topics.retain(|topic| !guests(topic));
        } else if !intent.vmids.is_empty() {
            intent.topics.retain(guests);
        }
    }
    // "Backup tasks" are tasks; "backup jobs" too.
    if intent.wants(Topic::Backups) && intent.wants(Topic::Tasks) && !has("and") {
        intent.topics.retain(|topic| *topic != Topic::Backups);
    }
}
