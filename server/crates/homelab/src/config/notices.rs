//! What a person is to be told of.

use serde::Deserialize;

/// Kinds of conditions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoticeKind {
    /// The cluster does not answer.
    Cluster,
    Quorum,
    /// A node is down.
    Node,
    /// A storage or a root disk fills, or a storage is not available.
    Storage,
    Temperature,
    /// A guest has no backup of late.
    Backup,
    /// A task failed.
    Task,
}

impl NoticeKind {
    pub const ALL: [Self; 7] = [
        Self::Cluster,
        Self::Quorum,
        Self::Node,
        Self::Storage,
        Self::Temperature,
        Self::Backup,
        Self::Task,
    ];

    /// The words of all.
    pub const WORDS: [&'static str; 7] = {
        let mut words = [""; 7];
        let mut n = 0;
        while n < words.len() {
            words[n] = Self::ALL[n].word();
            n += 1;
        }
        words
    };

    /// As it is written in the configuration.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Cluster => "cluster",
            Self::Quorum => "quorum",
            Self::Node => "node",
            Self::Storage => "storage",
            Self::Temperature => "temperature",
            Self::Backup => "backup",
            Self::Task => "task",
        }
    }
}

/// Limits of what is told, beside [`super::Config::storage_warning_percent`] and
/// [`super::Config::backup_warning_hours`].
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NoticeLimits {
    /// Without it nobody watches while nobody looks.
    pub enabled: bool,
    /// Kinds that are not told.
    pub off: Vec<NoticeKind>,
    /// A storage that is at least this full is grave, in percent.
    pub full_percent: u8,
    /// A processor that is at least this hot is told, in °C.
    pub celsius: u8,
    /// How long a failed task is told, in hours.
    pub task_hours: u32,
}

impl Default for NoticeLimits {
    fn default() -> Self {
        Self {
            enabled: true,
            off: Vec::new(),
            full_percent: 95,
            celsius: 85,
            task_hours: 24,
        }
    }
}
