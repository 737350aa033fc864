//! Rows of the Proxmox VE API, with the fields in use. Units are bytes, seconds and Unix seconds;
//! `cpu` is a fraction of all cores, 0 to 1.

use serde::Deserialize;

use crate::lenient::{flag, integer, nested, number, numbers, text};

/// A row of `/cluster/status`: the cluster itself (absent on a standalone node) or a node.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct ClusterRow {
    pub r#type: String,
    #[serde(default, deserialize_with = "text")]
    pub name: Option<String>,
    #[serde(default, deserialize_with = "flag")]
    pub quorate: Option<bool>,
    #[serde(default, deserialize_with = "flag")]
    pub online: Option<bool>,
    #[serde(default, deserialize_with = "text")]
    pub ip: Option<String>,
}

/// A row of `/nodes`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct NodeRow {
    pub node: String,
    #[serde(default, deserialize_with = "text")]
    pub status: Option<String>,
    #[serde(default, deserialize_with = "number")]
    pub cpu: Option<f64>,
    #[serde(default, deserialize_with = "integer")]
    pub maxcpu: Option<i64>,
    #[serde(default, deserialize_with = "integer")]
    pub mem: Option<i64>,
    #[serde(default, deserialize_with = "integer")]
    pub maxmem: Option<i64>,
    #[serde(default, deserialize_with = "integer")]
    pub uptime: Option<i64>,
}

/// A row of `/cluster/resources`: a node, a guest or a storage on a node.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct ResourceRow {
    pub r#type: String,
    #[serde(default, deserialize_with = "text")]
    pub node: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub name: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub status: Option<String>,
    /// Not in the list itself; see [`crate::own_state`].
    #[serde(default, deserialize_with = "text")]
    pub qmpstatus: Option<String>,
    #[serde(default, deserialize_with = "integer")]
    pub vmid: Option<i64>,
    #[serde(default, deserialize_with = "text")]
    pub storage: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub plugintype: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub content: Option<String>,
    #[serde(default, deserialize_with = "flag")]
    pub shared: Option<bool>,
    #[serde(default, deserialize_with = "flag")]
    pub template: Option<bool>,
    #[serde(default, deserialize_with = "text")]
    pub tags: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub lock: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub hastate: Option<String>,
    #[serde(default, deserialize_with = "number")]
    pub cpu: Option<f64>,
    #[serde(default, deserialize_with = "number")]
    pub maxcpu: Option<f64>,
    #[serde(default, deserialize_with = "integer")]
    pub mem: Option<i64>,
    #[serde(default, deserialize_with = "integer")]
    pub maxmem: Option<i64>,
    #[serde(default, deserialize_with = "integer")]
    pub disk: Option<i64>,
    #[serde(default, deserialize_with = "integer")]
    pub maxdisk: Option<i64>,
    #[serde(default, deserialize_with = "integer")]
    pub uptime: Option<i64>,
    /// Bytes since the guest was started.
    #[serde(default, deserialize_with = "integer")]
    pub netin: Option<i64>,
    #[serde(default, deserialize_with = "integer")]
    pub netout: Option<i64>,
}

/// A row of `/nodes/{node}/qemu` or `/nodes/{node}/lxc`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct GuestRow {
    #[serde(default, deserialize_with = "integer")]
    pub vmid: Option<i64>,
    #[serde(default, deserialize_with = "text")]
    pub name: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub status: Option<String>,
    /// Distinguishes running from paused; only with `full=1`.
    #[serde(default, deserialize_with = "text")]
    pub qmpstatus: Option<String>,
    #[serde(default, deserialize_with = "flag")]
    pub template: Option<bool>,
    #[serde(default, deserialize_with = "text")]
    pub tags: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub lock: Option<String>,
    #[serde(default, deserialize_with = "number")]
    pub cpu: Option<f64>,
    #[serde(default, deserialize_with = "number")]
    pub cpus: Option<f64>,
    #[serde(default, deserialize_with = "integer")]
    pub mem: Option<i64>,
    #[serde(default, deserialize_with = "integer")]
    pub maxmem: Option<i64>,
    #[serde(default, deserialize_with = "integer")]
    pub disk: Option<i64>,
    #[serde(default, deserialize_with = "integer")]
    pub maxdisk: Option<i64>,
    #[serde(default, deserialize_with = "integer")]
    pub uptime: Option<i64>,
}

/// A row of `/nodes/{node}/storage`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct StorageRow {
    pub storage: String,
    #[serde(default, deserialize_with = "text")]
    pub r#type: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub content: Option<String>,
    #[serde(default, deserialize_with = "flag")]
    pub active: Option<bool>,
    #[serde(default, deserialize_with = "flag")]
    pub enabled: Option<bool>,
    #[serde(default, deserialize_with = "flag")]
    pub shared: Option<bool>,
    #[serde(default, deserialize_with = "integer")]
    pub total: Option<i64>,
    #[serde(default, deserialize_with = "integer")]
    pub used: Option<i64>,
    #[serde(default, deserialize_with = "integer")]
    pub avail: Option<i64>,
}

/// A row of `/nodes/{node}/storage/{storage}/content?content=backup`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct BackupRow {
    pub volid: String,
    #[serde(default, deserialize_with = "integer")]
    pub vmid: Option<i64>,
    #[serde(default, deserialize_with = "integer")]
    pub ctime: Option<i64>,
    #[serde(default, deserialize_with = "integer")]
    pub size: Option<i64>,
    #[serde(default, deserialize_with = "text")]
    pub notes: Option<String>,
    #[serde(default, deserialize_with = "flag")]
    pub protected: Option<bool>,
    #[serde(default, deserialize_with = "nested")]
    pub verification: Option<Verification>,
}

/// Result of the backup server's verification of a backup.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Verification {
    #[serde(default, deserialize_with = "text")]
    pub state: Option<String>,
}

/// A row of `/cluster/tasks` or `/nodes/{node}/tasks`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct TaskRow {
    pub upid: String,
    #[serde(default, deserialize_with = "text")]
    pub node: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub r#type: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub id: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub user: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub tokenid: Option<String>,
    #[serde(default, deserialize_with = "integer")]
    pub starttime: Option<i64>,
    #[serde(default, deserialize_with = "integer")]
    pub endtime: Option<i64>,
    #[serde(default, deserialize_with = "text")]
    pub status: Option<String>,
}

/// A row of `/cluster/log`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct LogRow {
    #[serde(default, deserialize_with = "integer")]
    pub uid: Option<i64>,
    /// Unix seconds.
    #[serde(default, deserialize_with = "integer")]
    pub time: Option<i64>,
    /// Syslog severity: 3 and less are errors.
    #[serde(default, deserialize_with = "integer")]
    pub pri: Option<i64>,
    #[serde(default, deserialize_with = "text")]
    pub tag: Option<String>,
    #[serde(default, deserialize_with = "integer")]
    pub pid: Option<i64>,
    #[serde(default, deserialize_with = "text")]
    pub node: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub user: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub msg: Option<String>,
}

/// `/nodes/{node}/{qemu|lxc}/{vmid}/status/current`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct GuestStatus {
    #[serde(default, deserialize_with = "text")]
    pub name: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub status: Option<String>,
    /// Distinguishes running from paused; VMs only.
    #[serde(default, deserialize_with = "text")]
    pub qmpstatus: Option<String>,
    /// Different after every start; for VMs, and for containers on some releases.
    #[serde(default, deserialize_with = "integer")]
    pub pid: Option<i64>,
    #[serde(default, deserialize_with = "integer")]
    pub uptime: Option<i64>,
    #[serde(default, deserialize_with = "text")]
    pub lock: Option<String>,
    #[serde(default, deserialize_with = "flag")]
    pub template: Option<bool>,
    #[serde(default, deserialize_with = "text")]
    pub tags: Option<String>,
    #[serde(default, deserialize_with = "nested")]
    pub ha: Option<Ha>,
}

/// State of a guest in the high-availability manager.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Ha {
    #[serde(default, deserialize_with = "flag")]
    pub managed: Option<bool>,
    #[serde(default, deserialize_with = "text")]
    pub state: Option<String>,
}

/// `/nodes/{node}/{qemu|lxc}/{vmid}/config`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct GuestConfig {
    /// Absent means no.
    #[serde(default, deserialize_with = "flag")]
    pub onboot: Option<bool>,
}

/// `/nodes/{node}/tasks/{upid}/status`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct TaskStatus {
    #[serde(default, deserialize_with = "text")]
    pub status: Option<String>,
    /// Present only for a task that has ended.
    #[serde(default, deserialize_with = "text")]
    pub exitstatus: Option<String>,
}

/// A line of a task's log.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct LogLine {
    #[serde(default, deserialize_with = "text")]
    pub t: Option<String>,
}

/// A row of `/nodes/{node}/rrddata`. Missing samples are absent.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct RrdRow {
    #[serde(default, deserialize_with = "integer")]
    pub time: Option<i64>,
    #[serde(default, deserialize_with = "number")]
    pub cpu: Option<f64>,
    #[serde(default, deserialize_with = "number")]
    pub iowait: Option<f64>,
    #[serde(default, deserialize_with = "integer")]
    pub memused: Option<i64>,
    #[serde(default, deserialize_with = "integer")]
    pub memtotal: Option<i64>,
}

/// A row of `/nodes/{node}/storage/{storage}/rrddata`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct StorageRrdRow {
    #[serde(default, deserialize_with = "integer")]
    pub time: Option<i64>,
    #[serde(default, deserialize_with = "number")]
    pub used: Option<f64>,
    #[serde(default, deserialize_with = "number")]
    pub total: Option<f64>,
}

/// A row of `/cluster/backup-info/not-backed-up`: a guest that no backup job covers.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct UncoveredRow {
    #[serde(default, deserialize_with = "integer")]
    pub vmid: Option<i64>,
}

/// A row of `/nodes/{node}/{qemu|lxc}/{vmid}/snapshot`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct SnapshotRow {
    pub name: String,
    #[serde(default, deserialize_with = "text")]
    pub description: Option<String>,
    #[serde(default, deserialize_with = "integer")]
    pub snaptime: Option<i64>,
    #[serde(default, deserialize_with = "text")]
    pub parent: Option<String>,
    #[serde(default, deserialize_with = "flag")]
    pub vmstate: Option<bool>,
}

/// `/nodes/{node}/time`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct NodeTime {
    #[serde(default, deserialize_with = "integer")]
    pub time: Option<i64>,
}

/// `/nodes/{node}/status`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct NodeStatus {
    #[serde(default, deserialize_with = "number")]
    pub cpu: Option<f64>,
    /// Share of time spent waiting for disks.
    #[serde(default, deserialize_with = "number")]
    pub wait: Option<f64>,
    #[serde(default, deserialize_with = "nested")]
    pub cpuinfo: Option<CpuInfo>,
    #[serde(default, deserialize_with = "nested")]
    pub memory: Option<Amount>,
    #[serde(default, deserialize_with = "nested")]
    pub swap: Option<Amount>,
    #[serde(default, deserialize_with = "nested")]
    pub rootfs: Option<Amount>,
    /// Load over 1, 5 and 15 minutes; strings on the wire.
    #[serde(default, deserialize_with = "numbers")]
    pub loadavg: Vec<f64>,
    #[serde(default, deserialize_with = "integer")]
    pub uptime: Option<i64>,
    #[serde(default, deserialize_with = "text")]
    pub pveversion: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub kversion: Option<String>,
    #[serde(default, rename = "current-kernel", deserialize_with = "nested")]
    pub current_kernel: Option<Kernel>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct CpuInfo {
    #[serde(default, deserialize_with = "text")]
    pub model: Option<String>,
    /// Number of threads.
    #[serde(default, deserialize_with = "integer")]
    pub cpus: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Amount {
    #[serde(default, deserialize_with = "integer")]
    pub total: Option<i64>,
    #[serde(default, deserialize_with = "integer")]
    pub used: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Kernel {
    #[serde(default, deserialize_with = "text")]
    pub release: Option<String>,
}

/// `/nodes/{node}/services` and `/nodes/{node}/services/{service}/state`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct ServiceRow {
    /// The service's name in the API, without `.service`.
    pub service: String,
    /// systemd's ActiveState.
    #[serde(default, rename = "active-state", deserialize_with = "text")]
    pub active_state: Option<String>,
    /// systemd's SubState.
    #[serde(default, deserialize_with = "text")]
    pub state: Option<String>,
    /// `not-found` if the node does not have the unit.
    #[serde(default, rename = "unit-state", deserialize_with = "text")]
    pub unit_state: Option<String>,
}
