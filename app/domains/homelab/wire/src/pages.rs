//! The parts of a page of a node, a guest, a storage or a task, beside its part of the board.

use protocol::{FromJson, Known, Timestamp};
use serde::{Deserialize, Serialize};

use crate::TaskPart;

/// Part `about`: everything that is not drawn. A section that makes no sense for the thing is left
/// out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct AboutPage {
    pub at: Timestamp,
    #[serde(default)]
    pub details: Vec<Detail>,
    pub config: Option<Known<Vec<ConfigEntry>>>,
    pub snapshots: Option<Known<Vec<SnapshotEntry>>>,
    pub backups: Option<Known<Vec<BackupEntry>>>,
    /// The reasons why backups may be missing from the list.
    #[serde(default)]
    pub backups_lack: Vec<String>,
    pub services: Option<Known<Vec<ServiceEntry>>>,
    pub tasks: Option<Known<Vec<TaskPart>>>,
    #[serde(default)]
    pub tasks_lack: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct Detail {
    pub name: String,
    pub value: Known<String>,
}

/// A line of a configuration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct ConfigEntry {
    pub key: String,
    /// None if it may be a secret: then it never leaves the server.
    pub value: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct SnapshotEntry {
    pub name: String,
    pub at: Option<Timestamp>,
    /// A person's description of it.
    pub text: Option<String>,
    /// The snapshot that it was made after.
    pub parent: Option<String>,
    /// True if it includes the memory.
    pub memory: Option<bool>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct BackupEntry {
    pub volume: String,
    pub storage: String,
    pub guest: Option<u64>,
    pub at: Option<Timestamp>,
    pub size: Option<u64>,
    /// The backup server's verdict on it.
    pub verification: Option<String>,
    /// True if it is kept when newer ones come.
    pub protected: bool,
    pub notes: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct ServiceEntry {
    pub name: String,
    pub state: Known<String>,
}

/// Part `charts/SPAN`, with SPAN one of `hour`, `day`, `week`, `month`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct ChartsPage {
    /// Time of the first values.
    pub start: Timestamp,
    /// Seconds between two values; each is the mean over that time. None if there are too few
    /// values to tell.
    pub step: Option<u64>,
    pub source: String,
    pub at: Timestamp,
    #[serde(default)]
    pub charts: Vec<Chart>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct Chart {
    pub name: String,
    /// `percent`, `bytes`, `bytes_per_second`, `celsius`, or empty for a plain number.
    pub unit: String,
    /// The highest possible value, such as all memory.
    pub limit: Option<f64>,
    #[serde(default)]
    pub lines: Vec<ChartLine>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct ChartLine {
    pub name: String,
    /// None where there is no measurement.
    #[serde(default)]
    pub values: Vec<Option<f64>>,
}

/// Part `log/LINE` of a task: its status, and its log from a line on, counted from 0.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct LogPage {
    pub task: TaskPart,
    pub from: u64,
    #[serde(default)]
    pub lines: Vec<String>,
    /// True if there was no room for more.
    pub more: bool,
    pub at: Timestamp,
}
