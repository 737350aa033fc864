//! The parts of a page of a node, a guest, a storage or a task, beside its part of the board.

use protocol::{Known, Timestamp};
use serde::{Deserialize, Serialize};

use crate::TaskPart;

/// Part `about`: all that is not drawn. A section that makes no sense for the thing is left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AboutPage {
    pub at: Timestamp,
    #[serde(default)]
    pub details: Vec<Detail>,
    pub config: Option<Known<Vec<ConfigEntry>>>,
    pub snapshots: Option<Known<Vec<SnapshotEntry>>>,
    pub backups: Option<Known<Vec<BackupEntry>>>,
    /// Why backups may be missing from the list.
    #[serde(default)]
    pub backups_lack: Vec<String>,
    pub services: Option<Known<Vec<ServiceEntry>>>,
    pub tasks: Option<Known<Vec<TaskPart>>>,
    #[serde(default)]
    pub tasks_lack: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Detail {
    pub name: String,
    pub value: Known<String>,
}

/// A line of a configuration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConfigEntry {
    pub key: String,
    /// None if it may hold a secret: then it never leaves the server.
    pub value: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SnapshotEntry {
    pub name: String,
    pub at: Option<Timestamp>,
    /// What somebody wrote about it.
    pub text: Option<String>,
    /// The one that it was made after.
    pub parent: Option<String>,
    /// Whether the memory is in it too.
    pub memory: Option<bool>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupEntry {
    pub volume: String,
    pub storage: String,
    pub guest: Option<u64>,
    pub at: Option<Timestamp>,
    pub size: Option<u64>,
    /// What the backup server found in it.
    pub verification: Option<String>,
    /// It is not thrown away when newer ones come.
    pub protected: bool,
    pub notes: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServiceEntry {
    pub name: String,
    pub state: Known<String>,
}

/// Part `charts/SPAN`, with SPAN one of `hour`, `day`, `week`, `month`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChartsPage {
    /// When the first values were so.
    pub start: Timestamp,
    /// Seconds between two values; each is the mean of what was measured in that time. None if too
    /// few values were measured to tell.
    pub step: Option<u64>,
    pub source: String,
    pub at: Timestamp,
    #[serde(default)]
    pub charts: Vec<Chart>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Chart {
    pub name: String,
    /// `percent`, `bytes`, `bytes_per_second`, or empty for a plain number.
    pub unit: String,
    /// The most that there could be, such as all memory.
    pub limit: Option<f64>,
    #[serde(default)]
    pub lines: Vec<ChartLine>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChartLine {
    pub name: String,
    /// None where nothing was measured.
    #[serde(default)]
    pub values: Vec<Option<f64>>,
}

/// Part `log/LINE` of a task: how it stands, and its log from a line on, counted from 0.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LogPage {
    pub task: TaskPart,
    pub from: u64,
    #[serde(default)]
    pub lines: Vec<String>,
    /// There was no room for more.
    pub more: bool,
    pub at: Timestamp,
}
