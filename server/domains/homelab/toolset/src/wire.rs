//! Rows of the Proxmox VE API, with the fields in use. Units are bytes, seconds and Unix seconds;
//! `cpu` is a fraction of all cores, 0 to 1. Read by [`crate::lenient`]: an `Option` is none if its
//! field is absent or of an unexpected type.

use serde::Deserialize;

/// A row of `/cluster/status`: the cluster itself (absent on a standalone node) or a node.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct ClusterRow {
    pub r#type: String,
    pub name: Option<String>,
    pub quorate: Option<bool>,
    pub online: Option<bool>,
    pub ip: Option<String>,
}

/// A row of `/nodes`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct NodeRow {
    pub node: String,
    pub status: Option<String>,
    pub cpu: Option<f64>,
    pub maxcpu: Option<i64>,
    pub mem: Option<i64>,
    pub maxmem: Option<i64>,
    pub uptime: Option<i64>,
}

/// A row of `/cluster/resources`: a node, a guest or a storage on a node.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct ResourceRow {
    pub r#type: String,
    pub node: Option<String>,
    pub name: Option<String>,
    pub status: Option<String>,
    /// Not in the list itself; see [`crate::own_state`].
    pub qmpstatus: Option<String>,
    pub vmid: Option<i64>,
    pub storage: Option<String>,
    pub plugintype: Option<String>,
    pub content: Option<String>,
    pub shared: Option<bool>,
    pub template: Option<bool>,
    pub tags: Option<String>,
    pub lock: Option<String>,
    pub hastate: Option<String>,
    pub cpu: Option<f64>,
    pub maxcpu: Option<f64>,
    pub mem: Option<i64>,
    pub maxmem: Option<i64>,
    pub disk: Option<i64>,
    pub maxdisk: Option<i64>,
    pub uptime: Option<i64>,
    /// Bytes since the guest was started.
    pub netin: Option<i64>,
    pub netout: Option<i64>,
}

/// True for a row of a VM or a container.
pub(crate) fn is_guest(row: &&ResourceRow) -> bool {
    matches!(row.r#type.as_str(), "qemu" | "lxc")
}

/// A row of `/nodes/{node}/qemu` or `/nodes/{node}/lxc`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct GuestRow {
    pub vmid: Option<i64>,
    pub name: Option<String>,
    pub status: Option<String>,
    /// Distinguishes running from paused; only with `full=1`.
    pub qmpstatus: Option<String>,
    pub template: Option<bool>,
    pub tags: Option<String>,
    pub lock: Option<String>,
    pub cpu: Option<f64>,
    pub cpus: Option<f64>,
    pub mem: Option<i64>,
    pub maxmem: Option<i64>,
    pub disk: Option<i64>,
    pub maxdisk: Option<i64>,
    pub uptime: Option<i64>,
}

/// A row of `/nodes/{node}/storage`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct StorageRow {
    pub storage: String,
    pub r#type: Option<String>,
    pub content: Option<String>,
    pub active: Option<bool>,
    pub enabled: Option<bool>,
    pub shared: Option<bool>,
    pub total: Option<i64>,
    pub used: Option<i64>,
    pub avail: Option<i64>,
}

/// A row of `/nodes/{node}/storage/{storage}/content?content=backup`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct BackupRow {
    pub volid: String,
    pub vmid: Option<i64>,
    pub ctime: Option<i64>,
    pub size: Option<i64>,
    pub notes: Option<String>,
    pub protected: Option<bool>,
    pub verification: Option<Verification>,
}

/// Result of the backup server's verification of a backup.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Verification {
    pub state: Option<String>,
}

/// A row of `/cluster/tasks` or `/nodes/{node}/tasks`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct TaskRow {
    pub upid: String,
    pub node: Option<String>,
    pub r#type: Option<String>,
    pub id: Option<String>,
    pub user: Option<String>,
    pub tokenid: Option<String>,
    pub starttime: Option<i64>,
    pub endtime: Option<i64>,
    pub status: Option<String>,
}

/// A row of `/cluster/log`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct LogRow {
    pub uid: Option<i64>,
    /// Unix seconds.
    pub time: Option<i64>,
    /// Syslog severity: 3 and less are errors.
    pub pri: Option<i64>,
    pub tag: Option<String>,
    pub pid: Option<i64>,
    pub node: Option<String>,
    pub user: Option<String>,
    pub msg: Option<String>,
}

/// `/nodes/{node}/{qemu|lxc}/{vmid}/status/current`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct GuestStatus {
    pub name: Option<String>,
    pub status: Option<String>,
    /// Distinguishes running from paused; VMs only.
    pub qmpstatus: Option<String>,
    /// Different after every start; for VMs, and for containers on some releases.
    pub pid: Option<i64>,
    pub uptime: Option<i64>,
    pub lock: Option<String>,
    pub template: Option<bool>,
    pub tags: Option<String>,
    pub ha: Option<Ha>,
}

/// State of a guest in the high-availability manager.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Ha {
    pub managed: Option<bool>,
    pub state: Option<String>,
}

/// `/nodes/{node}/{qemu|lxc}/{vmid}/config`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct GuestConfig {
    /// Absent means no.
    pub onboot: Option<bool>,
}

/// `/nodes/{node}/tasks/{upid}/status`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct TaskStatus {
    pub status: Option<String>,
    /// Present only for a task that has ended.
    pub exitstatus: Option<String>,
}

/// A line of a task's log.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct LogLine {
    pub t: Option<String>,
}

/// A row of `/nodes/{node}/rrddata`. Missing samples are absent.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct RrdRow {
    pub time: Option<i64>,
    pub cpu: Option<f64>,
    pub iowait: Option<f64>,
    pub memused: Option<i64>,
    pub memtotal: Option<i64>,
}

/// A row of `/nodes/{node}/storage/{storage}/rrddata`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct StorageRrdRow {
    pub time: Option<i64>,
    pub used: Option<f64>,
    pub total: Option<f64>,
}

/// A row of `/cluster/backup-info/not-backed-up`: a guest that no backup job covers.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct UncoveredRow {
    pub vmid: Option<i64>,
}

/// A row of `/nodes/{node}/{qemu|lxc}/{vmid}/snapshot`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct SnapshotRow {
    pub name: String,
    pub description: Option<String>,
    pub snaptime: Option<i64>,
    pub parent: Option<String>,
    pub vmstate: Option<bool>,
}

/// `/nodes/{node}/time`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct NodeTime {
    pub time: Option<i64>,
}

/// `/nodes/{node}/status`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct NodeStatus {
    pub cpu: Option<f64>,
    /// Share of time spent waiting for disks.
    pub wait: Option<f64>,
    pub cpuinfo: Option<CpuInfo>,
    pub memory: Option<Amount>,
    pub swap: Option<Amount>,
    pub rootfs: Option<Amount>,
    /// Load over 1, 5 and 15 minutes; strings on the wire.
    #[serde(default)]
    pub loadavg: Vec<f64>,
    pub uptime: Option<i64>,
    pub pveversion: Option<String>,
    pub kversion: Option<String>,
    #[serde(rename = "current-kernel")]
    pub current_kernel: Option<Kernel>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct CpuInfo {
    pub model: Option<String>,
    /// Number of threads.
    pub cpus: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Amount {
    pub total: Option<i64>,
    pub used: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Kernel {
    pub release: Option<String>,
}

/// `/nodes/{node}/services` and `/nodes/{node}/services/{service}/state`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct ServiceRow {
    /// The service's name in the API, without `.service`.
    pub service: String,
    /// systemd's ActiveState.
    #[serde(rename = "active-state")]
    pub active_state: Option<String>,
    /// systemd's SubState.
    pub state: Option<String>,
    /// `not-found` if the node does not have the unit.
    #[serde(rename = "unit-state")]
    pub unit_state: Option<String>,
}
