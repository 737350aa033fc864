//! Settings of the notices.

use serde::Deserialize;

/// Kind of a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoticeKind {
    /// The cluster does not answer.
    Cluster,
    Quorum,
    /// A node is down.
    Node,
    /// A storage or a root disk fills up, or a storage is not available.
    Storage,
    Temperature,
    /// A guest has no recent backup.
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

    /// The words of all kinds.
    pub const WORDS: [&'static str; 7] = {
        let mut words = [""; 7];
        let mut n = 0;
        while n < words.len() {
            words[n] = Self::ALL[n].word();
            n += 1;
        }
        words
    };

    /// The kind's word in the configuration.
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

/// Limits for notices, beside [`super::Config::storage_warning_percent`] and
/// [`super::Config::backup_warning_hours`].
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NoticeLimits {
    /// If false, the cluster is watched only while a page is open.
    pub enabled: bool,
    /// Disabled kinds.
    pub off: Vec<NoticeKind>,
    /// Fill level in percent from which a storage is grave.
    pub full_percent: u8,
    /// Temperature in °C from which a processor is too hot.
    pub celsius: u8,
    /// Time in hours for which a failed task is raised.
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
