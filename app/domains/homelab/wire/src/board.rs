//! The parts of the cluster's board: nodes, guests, storages, tasks.
//!
//! A figure is a value or the reason why there is none; a figure that does not apply, such as the
//! processor time of a stopped guest, is left out. Sizes are in bytes, durations in seconds.

use protocol::{FromJson, Known, Offer, Timestamp};
use serde::{Deserialize, Serialize};

/// Key `cluster`: a summary in one line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct ClusterPart {
    pub name: Known<String>,
    /// True if enough nodes see each other for the cluster to act.
    pub quorate: Known<bool>,
    pub nodes: Known<NodeCounts>,
    pub guests: Known<GuestCounts>,
    /// True if notices are enabled.
    pub guarded: bool,
    /// A storage is marked if it is fuller than this.
    pub storage_warning_percent: u32,
    /// It counts as almost full from this on. None from an older server.
    #[serde(default)]
    pub storage_full_percent: Option<u32>,
    /// The reasons why guests may be missing from the list.
    #[serde(default)]
    pub guests_lack: Vec<String>,
    #[serde(default)]
    pub storages_lack: Vec<String>,
    #[serde(default)]
    pub tasks_lack: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct NodeCounts {
    pub total: u32,
    pub online: u32,
}

/// Templates are not in `total`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct GuestCounts {
    pub total: u32,
    pub running: u32,
    /// Guests in an unknown state.
    pub silent: u32,
}

/// Key `reading/…`: the last answer to a query of the cluster, and the reason why there is none
/// since.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct ReadingPart {
    /// The query, such as `GET /cluster/resources`.
    pub source: String,
    /// Time of the last answer.
    pub at: Option<Timestamp>,
    /// The reason why there is no newer answer.
    pub trouble: Option<String>,
}

/// Marks figures that are older than their reading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct Past {
    /// Time of the figures; none if they were never seen.
    pub at: Option<Timestamp>,
    /// The reason why there are no newer ones.
    pub reason: String,
}

/// Key `node/NAME`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct NodePart {
    pub name: String,
    pub role: Option<String>,
    pub protected: bool,
    /// `online` or `offline`.
    pub state: Known<String>,
    pub cpu_percent: Known<f64>,
    pub threads: Option<u64>,
    /// Share of time in which the processors waited for disks; none from an older server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub io_wait_percent: Option<Known<f64>>,
    pub memory_used: Known<u64>,
    pub memory_total: Option<u64>,
    pub disk_used: Known<u64>,
    pub disk_total: Option<u64>,
    /// Load averages over 1, 5 and 15 minutes.
    pub load: Known<Vec<f64>>,
    pub uptime: Known<u64>,
    pub version: Known<String>,
    /// The kernel's release.
    pub kernel: Known<String>,
    pub celsius: Known<f64>,
    pub celsius_at: Option<Timestamp>,
    /// Number of recent disconnections, if there were too many to rely on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unsteady: Option<u32>,
    /// The query that returned the figures, with the time of its answer.
    pub source: String,
    pub at: Option<Timestamp>,
    /// Set if the figures are not current.
    pub past: Option<Past>,
}

/// Key `history/NAME`: recent figures of a node, in percent, oldest first, up to now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct HistoryPart {
    /// Seconds between two values.
    pub step: u64,
    /// None where there is no reading.
    #[serde(default)]
    pub cpu: Vec<Option<f64>>,
    #[serde(default)]
    pub memory: Vec<Option<f64>>,
    #[serde(default)]
    pub io_wait: Vec<Option<f64>>,
}

/// Key `guest/ID`. Its figures are as old as `reading/overview`, unless `past` says otherwise.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct GuestPart {
    pub vmid: u64,
    /// `VM` or `CT`.
    pub kind: String,
    pub name: Option<String>,
    pub node: String,
    /// `running`, `stopped`, `template`, …
    pub state: Known<String>,
    /// The last known state.
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
    /// The lock, such as `backup`.
    pub lock: Option<String>,
    /// Received bytes per second.
    pub net_in: Option<Known<u64>>,
    /// Sent bytes per second.
    pub net_out: Option<Known<u64>>,
    /// None for a template: it is recreated, not restored.
    pub backup: Option<Known<LastBackup>>,
    pub past: Option<Past>,
}

/// The newest backup of a guest. As old as `reading/backups`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct LastBackup {
    /// Time of the backup; none if there is no backup at all.
    pub at: Option<Timestamp>,
    /// True if there is none, or it is older than the limit.
    pub gap: bool,
    /// The backup server's verdict on it, such as `failed`.
    pub verification: Option<String>,
    /// True if a backup job covers the guest; none if that is not known.
    pub in_job: Option<bool>,
}

/// Key `backups`: a summary of the backups, in one line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct BackupsPart {
    /// A guest lacks a backup if its newest is older than this.
    pub warning_hours: u32,
    /// Number of known backups, and of the storages that have them.
    pub count: u32,
    #[serde(default)]
    pub storages: Vec<String>,
    /// The reasons why backups may be missing from it.
    #[serde(default)]
    pub lacks: Vec<String>,
    /// The last nights, oldest first, ending with the one that ends today, in UTC.
    #[serde(default)]
    pub nights: Vec<BackupNight>,
}

/// The backups of one night: from noon to noon in UTC, which covers the night of most time zones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct BackupNight {
    /// Midnight in UTC.
    pub at: Timestamp,
    /// Number of backups of that night that still exist.
    pub kept: u32,
    /// Number of them that the backup server could not verify.
    pub unverified: u32,
    /// Number of backup tasks that failed; only the newest tasks are known.
    pub failed: u32,
}

/// Key `trend/NAME` for the storage `storage/NAME`: its use over the last week.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct TrendPart {
    /// Seconds between two values.
    pub step: u64,
    /// In percent, oldest first; none where there is no reading.
    #[serde(default)]
    pub used: Vec<Option<f64>>,
    /// Growth in bytes per day.
    pub per_day: Known<f64>,
    /// Seconds until it is full at this rate; none if it does not grow.
    pub full_in: Option<u64>,
    pub source: String,
    pub at: Option<Timestamp>,
}

/// Key `storage/NAME` for a shared one, else `storage/NODE/NAME`. As old as `reading/overview`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct StoragePart {
    pub name: String,
    /// Its node; none for a shared one.
    pub node: Option<String>,
    /// Type of storage, such as `zfspool`.
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct TaskPart {
    /// Identifies the task in the whole cluster.
    pub upid: String,
    /// Type of task, such as `vzdump`.
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
    /// Progress as last reported in the task's log.
    pub percent: Option<u32>,
    /// The newest line of its log.
    pub line: Option<String>,
}

/// Key `offers`: the actions available for the things on the board.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct OffersPart {
    #[serde(default)]
    pub offers: Vec<Offer>,
    /// Things that nobody may act on.
    #[serde(default)]
    pub barred: Vec<Barred>,
}

/// A protected thing and the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct Barred {
    /// `guest/ID` or `node/NAME`, which covers its guests too.
    pub key: String,
    /// The reason, in one sentence.
    pub reason: String,
}
