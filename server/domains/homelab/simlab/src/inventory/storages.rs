//! Storages, and the backup jobs that write to them.

use crate::calendar::{HOUR, MINUTE};

/// The plug-in behind a storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StorageKind {
    Dir,
    Zfs,
    Nfs,
    Pbs,
}

impl StorageKind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Dir => "dir",
            Self::Zfs => "zfspool",
            Self::Nfs => "nfs",
            Self::Pbs => "pbs",
        }
    }

    /// Returns whether the storage is shared: the same on every node, and so counted once.
    pub(crate) fn shared(self) -> bool {
        matches!(self, Self::Nfs | Self::Pbs)
    }
}

/// A storage as configured, with its size on each node in the order of the inventory.
#[derive(Debug)]
pub(crate) struct Storage {
    pub name: &'static str,
    pub kind: StorageKind,
    pub content: &'static str,
    /// Total and used GiB on each node; the same on all for a shared storage.
    pub sizes: [(u64, f64); 4],
}

pub(crate) const STORAGES: &[Storage] = &[
    Storage {
        name: "local",
        kind: StorageKind::Dir,
        content: "iso,vztmpl,backup",
        sizes: [(94, 21.4), (220, 63.9), (94, 34.2), (64, 52.7)],
    },
    Storage {
        name: "local-zfs",
        kind: StorageKind::Zfs,
        content: "images,rootdir",
        sizes: [(450, 61.0), (1_800, 486.0), (900, 318.0), (220, 41.0)],
    },
    Storage {
        name: "nas",
        kind: StorageKind::Nfs,
        content: "backup,images,iso,vztmpl",
        sizes: [(14_900, 9_840.0); 4],
    },
    Storage {
        name: "pbs",
        kind: StorageKind::Pbs,
        content: "backup",
        sizes: [(3_700, 2_210.0); 4],
    },
];

/// A backup job.
#[derive(Debug)]
pub(crate) struct Job {
    pub id: &'static str,
    pub storage: &'static str,
    pub schedule: &'static str,
    /// Runs only on this day of the week (0 is Sunday).
    pub weekday: Option<i64>,
    /// Seconds after midnight, UTC.
    pub at: i64,
    pub vmids: &'static [u32],
    pub keep: u32,
    pub comment: &'static str,
}

/// Backup jobs. Guests in none of them (the build runner, the lab firewall, …) are the gaps
/// reported by `not-backed-up`.
pub(crate) const JOBS: &[Job] = &[
    Job {
        id: "backup-nightly",
        storage: "pbs",
        schedule: "02:00",
        weekday: None,
        at: 2 * HOUR,
        vmids: &[
            100, 101, 200, 201, 111, 211, 212, 220, 221, 222, 223, 230, 231,
        ],
        keep: 7,
        comment: "Nightly to the backup server",
    },
    Job {
        id: "backup-weekly",
        storage: "nas",
        schedule: "sun 04:30",
        weekday: Some(0),
        at: 4 * HOUR + 30 * MINUTE,
        vmids: &[100, 110, 210, 221],
        keep: 3,
        comment: "Weekly copy on the NAS",
    },
];
