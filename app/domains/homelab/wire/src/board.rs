//! The parts of the cluster's board: nodes, guests, storages, tasks.
//!
//! A figure is a value or the reason why there is none; a figure that does not apply, such as the
//! processor time of a guest that is stopped, is left out. Sizes are bytes, lengths of time seconds.

use protocol::{Known, Offer, Timestamp};
use serde::{Deserialize, Serialize};

/// Key `cluster`: the whole in one line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClusterPart {
    pub name: Known<String>,
    /// Whether enough nodes see each other for the cluster to act.
    pub quorate: Known<bool>,
    pub nodes: Known<NodeCounts>,
    pub guests: Known<GuestCounts>,
    /// Whether somebody watches for what people are told of.
    pub guarded: bool,
    /// A storage that is fuller is marked.
    pub storage_warning_percent: u32,
    /// Why guests may be missing from the list.
    #[serde(default)]
    pub guests_lack: Vec<String>,
    #[serde(default)]
    pub storages_lack: Vec<String>,
    #[serde(default)]
    pub tasks_lack: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeCounts {
    pub total: u32,
    pub online: u32,
}

/// Templates are not in `total`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuestCounts {
    pub total: u32,
    pub running: u32,
    /// Those whose state nobody knows.
    pub silent: u32,
}

/// Key `reading/…`: when a question to the cluster was last answered, and why not since.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadingPart {
    /// What was asked, such as `GET /cluster/resources`.
    pub source: String,
    /// The last answer.
    pub at: Option<Timestamp>,
    /// Why there is none that is newer.
    pub trouble: Option<String>,
}

/// Figures that are older than their reading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Past {
    /// When they were so; none if they never were seen.
    pub at: Option<Timestamp>,
    /// Why there are none that are newer.
    pub reason: String,
}

/// Key `node/NAME`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NodePart {
    pub name: String,
    pub role: Option<String>,
    pub protected: bool,
    /// `online` or `offline`.
    pub state: Known<String>,
    pub cpu_percent: Known<f64>,
    pub threads: Option<u64>,
    pub memory_used: Known<u64>,
    pub memory_total: Option<u64>,
    pub disk_used: Known<u64>,
    pub disk_total: Option<u64>,
    /// Over 1, 5 and 15 minutes.
    pub load: Known<Vec<f64>>,
    pub uptime: Known<u64>,
    pub version: Known<String>,
    /// The kernel's release.
    pub kernel: Known<String>,
    pub celsius: Known<f64>,
    pub celsius_at: Option<Timestamp>,
    /// How often it went away of late, if that is so often that it cannot be relied on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unsteady: Option<u32>,
    /// What was asked for the figures, and when it was answered.
    pub source: String,
    pub at: Option<Timestamp>,
    /// Set if the figures are not of now.
    pub past: Option<Past>,
}

/// Key `history/NAME`: what has been seen of a node of late, in percent, oldest first, up to now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HistoryPart {
    /// Seconds between two values.
    pub step: u64,
    /// None where nothing was seen.
    #[serde(default)]
    pub cpu: Vec<Option<f64>>,
    #[serde(default)]
    pub memory: Vec<Option<f64>>,
}

/// Key `guest/ID`. Its figures are as old as `reading/overview`, unless `past` says otherwise.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GuestPart {
    pub vmid: u64,
    /// `VM` or `CT`.
    pub kind: String,
    pub name: Option<String>,
    pub node: String,
    /// `running`, `stopped`, `template`, …
    pub state: Known<String>,
    /// The state when it was last known.
    pub was: Option<String>,
    pub cpu_percent: Option<Known<f64>>,
    pub cores: Option<f64>,
    pub memory_used: Option<Known<u64>>,
    pub memory_total: Option<u64>,
    pub disk_used: Option<Known<u64>>,
    pub disk_total: Option<u64>,
    pub uptime: Option<Known<u64>>,
    #[serde(default)]
    pub tags: Vec<String>,
    /// Such as `backup`.
    pub lock: Option<String>,
    /// What it receives, in bytes a second.
    pub net_in: Option<Known<u64>>,
    /// What it sends, in bytes a second.
    pub net_out: Option<Known<u64>>,
    /// None for a template: it is made anew, not restored.
    pub backup: Option<Known<LastBackup>>,
    pub past: Option<Past>,
}

/// The newest backup of a guest. As old as `reading/backups`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastBackup {
    /// When it was made; none if there is no backup at all.
    pub at: Option<Timestamp>,
    /// There is none, or it is older than the limit.
    pub gap: bool,
    /// What the backup server found in it, such as `failed`.
    pub verification: Option<String>,
    /// Whether a backup job covers the guest; none if that is not known.
    pub in_job: Option<bool>,
}

/// Key `backups`: what is backed up, in one line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupsPart {
    /// A guest whose newest backup is older lacks one.
    pub warning_hours: u32,
    /// Backups that are seen, and the storages that they are on.
    pub count: u32,
    #[serde(default)]
    pub storages: Vec<String>,
    /// Why backups may be missing from it.
    #[serde(default)]
    pub lacks: Vec<String>,
}

/// Key `trend/NAME` for the storage `storage/NAME`: how full it has been in the last week.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrendPart {
    /// Seconds between two values.
    pub step: u64,
    /// In percent, oldest first; none where nothing was seen.
    #[serde(default)]
    pub used: Vec<Option<f64>>,
    /// By how many bytes it grows in a day.
    pub per_day: Known<f64>,
    /// Seconds until it is full if it goes on like this; none if it does not grow.
    pub full_in: Option<u64>,
    pub source: String,
    pub at: Option<Timestamp>,
}

/// Key `storage/NAME` for a shared one, else `storage/NODE/NAME`. As old as `reading/overview`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoragePart {
    pub name: String,
    /// The node that it is on; none for a shared one.
    pub node: Option<String>,
    /// Such as `zfspool`.
    pub kind: Option<String>,
    #[serde(default)]
    pub content: Vec<String>,
    /// `available`.
    pub state: Known<String>,
    pub used: Known<u64>,
    pub total: Known<u64>,
    pub past: Option<Past>,
}

/// Key `task/UPID`. As old as `reading/tasks`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TaskPart {
    /// Names the task all over the cluster.
    pub upid: String,
    /// Such as `vzdump`.
    pub kind: String,
    /// The guest, storage or service.
    pub about: Option<String>,
    pub node: String,
    pub user: Option<String>,
    pub start: Timestamp,
    pub end: Option<Timestamp>,
    /// `running`, `ok`, `warnings`, `failed`.
    pub state: Known<String>,
    pub error: Option<String>,
    /// As the task's own log last said it.
    pub percent: Option<u32>,
    /// The newest line of its log.
    pub line: Option<String>,
}

/// Key `offers`: what a person may have done to what is on the board.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OffersPart {
    #[serde(default)]
    pub offers: Vec<Offer>,
    /// What nothing is done to, whoever asks.
    #[serde(default)]
    pub barred: Vec<Barred>,
}

/// What is protected, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Barred {
    /// `guest/ID` or `node/NAME`, which goes for its guests too.
    pub key: String,
    /// One sentence.
    pub reason: String,
}
