//! Node cards.

use homelab_wire::{HistoryPart, NodeCounts, NodePart, Past};
use protocol::Known;

use super::{amount, stamp};
use crate::{
    board::{
        reading::is_lost,
        ring,
        seen::{NodeSeen, SeenTasks, is_offline},
    },
    cluster_access::ClusterAccess,
    error::{ProxmoxError, missing},
    out::{percent, rounded},
    texts,
    wire::{NodeStatus, ResourceRow},
};

pub(super) fn parts(access: &ClusterAccess, seen: &SeenTasks) -> Vec<NodePart> {
    let rows = seen.node_rows();
    let silent = NodeSeen::default();
    rows.into_iter()
        .map(|(name, row)| part(access, name, row, seen.nodes.get(name).unwrap_or(&silent)))
        .collect()
}

pub(super) fn counts(nodes: &[NodePart]) -> NodeCounts {
    let is_online = |node: &&NodePart| node.state.value().is_some_and(|state| state == "online");
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    NodeCounts {
        total: number(nodes.len()),
        online: number(nodes.iter().filter(is_online).count()),
    }
}

/// The last hour of a node, or `None` if it has no samples.
pub(super) fn history(seen: &SeenTasks, node: &str, now: i64) -> Option<HistoryPart> {
    let of_node = seen.nodes.get(node)?;
    let ring = &of_node.ring;
    if ring.is_empty() {
        return None;
    }
    let told = of_node
        .status
        .value()
        .and_then(|status| status.memory.as_ref()?.total);
    let listed = || seen.node_rows().get(node)?.maxmem;
    let memory = told.or_else(listed);
    let ring::RingSeries {
        cpu,
        memory,
        io_wait,
    } = ring.series(now, memory.map(|bytes| bytes as f64));
    Some(HistoryPart {
        step: ring::STEP.unsigned_abs(),
        cpu,
        memory,
        io_wait,
    })
}

/// The state of a node according to the cluster and to the node itself.
struct NodeStanding {
    state: Known<String>,
    /// The reason that its figures are out of date.
    stale: Option<String>,
    /// The reason that it has no figures at all.
    denied: Option<String>,
}

fn standing(name: &str, row: &ResourceRow, seen: &NodeSeen) -> NodeStanding {
    let trouble = seen.status.trouble.as_ref();
    let reason = trouble.map(ProxmoxError::reason);
    let listed = row.status.as_deref();
    let state = match (listed, trouble) {
        _ if is_offline(row) => Known::Value("offline".to_owned()),
        (Some("online"), Some(error)) if is_lost(error) => Known::unknown(texts::ONLINE_BUT_SILENT),
        (Some(listed), _) if listed != "unknown" => Known::Value(listed.to_owned()),
        _ => Known::unknown(texts::STATE_NOT_REPORTED_BY_CLUSTER),
    };
    let denied = matches!(trouble, Some(ProxmoxError::Forbidden { .. }))
        .then(|| reason.clone().unwrap_or_default());
    let stale = if is_offline(row) {
        Some(texts::board::node_does_not_answer(name))
    } else {
        reason.filter(|_| denied.is_none())
    };
    NodeStanding {
        state,
        stale,
        denied,
    }
}

fn part(access: &ClusterAccess, name: &str, row: &ResourceRow, seen: &NodeSeen) -> NodePart {
    let NodeStanding {
        state,
        stale,
        denied,
    } = standing(name, row, seen);
    let status = seen.status.value();
    // Without its own answer, the figures its neighbours know have to do.
    let reason = match (&denied, &stale) {
        (Some(reason), _) | (None, Some(reason)) => reason.clone(),
        (None, None) if status.is_some() => texts::NOT_REPORTED.to_owned(),
        (None, None) if row.cpu.is_none() && row.mem.is_none() => {
            missing(&["Sys.Audit"], &format!("/nodes/{name}"))
        }
        (None, None) => texts::board::NOT_ASKED.to_owned(),
    };
    let amounts = |of: fn(&NodeStatus) -> Option<&crate::wire::Amount>, used, total| {
        let own = status.and_then(of);
        let used = own.map_or(used, |own| own.used);
        let total = own.map_or(total, |own| own.total);
        (Known::or(amount(used), &reason), amount(total))
    };
    let (memory_used, memory_total) = amounts(|status| status.memory.as_ref(), row.mem, row.maxmem);
    let (disk_used, disk_total) = amounts(|status| status.rootfs.as_ref(), row.disk, row.maxdisk);
    let cpu = status.and_then(|status| status.cpu).or(row.cpu);
    let io_wait = status.and_then(|status| status.wait);
    let threads = status.and_then(|status| status.cpuinfo.as_ref()?.cpus);
    let uptime = status.and_then(|status| status.uptime).or(row.uptime);
    let loads = status.filter(|status| !status.loadavg.is_empty());
    let (celsius, celsius_at) = match (&seen.celsius, &access.ssh) {
        (_, None) => (Known::unknown(texts::board::SSH_IS_NOT_CONFIGURED), None),
        (Some(Ok((at, celsius))), _) => (Known::Value(*celsius), Some(stamp(*at))),
        (Some(Err(reason)), _) => (Known::unknown(reason), None),
        (None, _) => (
            Known::unknown(
                stale
                    .clone()
                    .unwrap_or_else(|| texts::board::NOT_ASKED.to_owned()),
            ),
            None,
        ),
    };
    NodePart {
        name: name.to_owned(),
        role: access.role(name).map(str::to_owned),
        protected: access.is_protected(name),
        state,
        cpu_percent: Known::or(cpu.map(percent), &reason),
        threads: amount(threads.or(row.maxcpu.map(|cpus| cpus as i64))),
        io_wait_percent: Some(Known::or(io_wait.map(percent), &reason)),
        memory_used,
        memory_total,
        disk_used,
        disk_total,
        load: Known::or(
            loads.map(|status| status.loadavg.iter().copied().map(rounded).collect()),
            &reason,
        ),
        uptime: Known::or(amount(uptime), &reason),
        version: Known::or(
            status.and_then(|status| status.pveversion.as_deref().map(release)),
            &reason,
        ),
        kernel: Known::or(status.and_then(kernel), &reason),
        celsius,
        celsius_at,
        unsteady: seen
            .unsteady()
            .map(|times| u32::try_from(times).unwrap_or(u32::MAX)),
        source: format!("GET /nodes/{name}/status"),
        at: seen.status.at().map(stamp),
        past: stale.map(|reason| Past {
            at: seen.status.at().map(stamp),
            reason,
        }),
    }
}

/// The kernel release, such as `6.17.2-1-pve`.
fn kernel(status: &NodeStatus) -> Option<String> {
    let current = status.current_kernel.as_ref();
    let release = current.and_then(|kernel| kernel.release.clone());
    release.or_else(|| status.kversion.clone())
}

/// The release number: `9.1.11` from `pve-manager/9.1.11/8d3fa8b1c0de4412`.
fn release(version: &str) -> String {
    let mut parts = version.split('/');
    let release = match (parts.next(), parts.next()) {
        (Some(_), Some(release)) => release,
        _ => version,
    };
    release.to_owned()
}
