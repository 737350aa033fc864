//! Tools for the cluster as a whole and for one node.

use std::{sync::Arc, time::Duration};

use agent::ports::{Progress, ReadingTool, ToolExample};
use async_trait::async_trait;
use protocol::{ErrorBody, ToolOutput};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{SINGLE, about_node, output, touched};
use crate::{
    cluster_access::{ClusterAccess, NodeEntry, NodeState},
    error::{ProxmoxError, missing},
    out::{KnownValue, count, percent, rounded, share},
    texts,
    wire::NodeStatus,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Nothing {}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NodeInput {
    /// The node to read, such as "pve".
    #[schemars(length(min = 1, max = 63))]
    pub(super) node: String,
}

#[derive(Debug, Serialize)]
struct ClusterOut {
    cluster: KnownValue<String>,
    /// True if enough nodes see each other for the cluster to act.
    quorate: KnownValue<bool>,
    nodes_total: usize,
    nodes_online: usize,
    nodes: Vec<NodeOut>,
}

#[derive(Debug, Serialize)]
pub(crate) struct NodeOut {
    pub node: String,
    pub state: KnownValue<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    protected: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<String>,
    pub usage: KnownValue<NodeUsage>,
}

#[derive(Debug, Serialize)]
pub(crate) struct NodeUsage {
    pub cpu_percent: KnownValue<f64>,
    cpu_threads: KnownValue<i64>,
    memory_used_bytes: KnownValue<i64>,
    pub memory_total_bytes: KnownValue<i64>,
    pub memory_percent: KnownValue<f64>,
    pub uptime_seconds: KnownValue<i64>,
}

/// Builds a node's output from its row in the list of nodes.
pub(crate) fn node_out(access: &ClusterAccess, node: &NodeEntry) -> NodeOut {
    let row = &node.row;
    // Without the privilege on a node its row has no figures at all.
    let usage = match node.silence() {
        Some(reason) => KnownValue::unknown(reason),
        None if row.cpu.is_none() && row.mem.is_none() => {
            KnownValue::unknown(missing(&["Sys.Audit"], &format!("/nodes/{}", node.name)))
        }
        None => KnownValue::Value(NodeUsage {
            cpu_percent: KnownValue::reported(row.cpu.map(percent)),
            cpu_threads: KnownValue::reported(row.maxcpu),
            memory_used_bytes: KnownValue::reported(row.mem),
            memory_total_bytes: KnownValue::reported(row.maxmem),
            memory_percent: KnownValue::reported(share(row.mem, row.maxmem)),
            uptime_seconds: KnownValue::reported(row.uptime),
        }),
    };
    let (state, reason) = match node.state {
        NodeState::Online => (KnownValue::Value("online"), None),
        NodeState::Offline => (
            KnownValue::Value("offline"),
            Some(texts::readings::OTHER_NODES_DO_NOT_SEE_IT),
        ),
        NodeState::Unknown => (
            KnownValue::unknown(texts::STATE_NOT_REPORTED_BY_CLUSTER),
            None,
        ),
    };
    NodeOut {
        node: node.name.clone(),
        state,
        reason,
        role: access.role(&node.name).map(str::to_owned),
        protected: access.is_protected(&node.name),
        address: None,
        usage,
    }
}

/// Name and quorum of the cluster, from `/cluster/status`.
pub(crate) struct WholeCluster {
    pub name: KnownValue<String>,
    pub quorate: KnownValue<bool>,
    addresses: Vec<(String, String)>,
}

pub(crate) async fn whole(access: &ClusterAccess) -> WholeCluster {
    match access.api.cluster_status().await {
        Err(error) => WholeCluster {
            name: KnownValue::or(access.config.name.clone(), &error.reason()),
            quorate: KnownValue::unknown(error.reason()),
            addresses: Vec::new(),
        },
        Ok(rows) => {
            let cluster = rows.iter().find(|row| row.r#type == "cluster");
            // A node that never joined a cluster has no such row, and no quorum to lose.
            let alone = texts::BELONGS_TO_NO_CLUSTER;
            WholeCluster {
                name: KnownValue::or(
                    access
                        .config
                        .name
                        .clone()
                        .or_else(|| cluster.and_then(|row| row.name.clone())),
                    alone,
                ),
                quorate: match cluster {
                    Some(row) => KnownValue::reported(row.quorate),
                    None => KnownValue::unknown(alone),
                },
                addresses: rows
                    .iter()
                    .filter(|row| row.r#type == "node")
                    .filter_map(|row| Some((row.name.clone()?, row.ip.clone()?)))
                    .collect(),
            }
        }
    }
}

pub(crate) struct GetClusterStatus(pub(crate) Arc<ClusterAccess>);

#[async_trait]
impl ReadingTool for GetClusterStatus {
    const NAME: &'static str = "get_cluster_status";
    const DESCRIPTION: &'static str = "Reads the health of the whole cluster: name, quorum, and for every node its state \
             (online or offline), role, address, CPU load in percent, memory in bytes and percent, \
             and uptime in seconds. Use it first for questions such as \"How is the cluster \
             doing?\", \"Are all nodes up?\" or \"Which node is the busiest?\". It does not list \
             guests, storages or tasks.";
    const TIMEOUT: Duration = SINGLE;
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::new("How is the cluster doing?"),
        ToolExample::new("Are all nodes up?"),
        ToolExample::new("Which node is the busiest?"),
    ];
    const SUGGESTED: bool = true;
    type Input = Nothing;

    fn target(&self, input: &Value) -> Option<String> {
        about_node(input)
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        touched(input)
    }

    async fn read(&self, input: Nothing, _: Progress) -> Result<ToolOutput, ErrorBody> {
        let Nothing {} = input;
        get_cluster_status(&self.0).await
    }
}

async fn get_cluster_status(access: &ClusterAccess) -> Result<ToolOutput, ErrorBody> {
    let (whole, nodes) = futures::join!(whole(access), access.nodes());
    let nodes = nodes.map_err(|error| error.body())?;
    let online = |node: &&NodeEntry| node.state == NodeState::Online;
    let nodes_online = nodes.iter().filter(online).count();
    let offline = nodes
        .iter()
        .filter(|node| node.state == NodeState::Offline)
        .count();
    let quorum = match whole.quorate.value() {
        Some(true) => ", quorate",
        Some(false) => texts::readings::NO_QUORUM,
        None => texts::readings::QUORUM_UNKNOWN,
    };
    let mut summary = count(nodes.len(), "node", "nodes");
    if offline > 0 {
        summary.push_str(&texts::readings::offline_count(offline));
    }
    summary.push_str(quorum);
    let nodes: Vec<NodeOut> = nodes
        .iter()
        .map(|node| NodeOut {
            address: whole
                .addresses
                .iter()
                .find(|(name, _)| *name == node.name)
                .map(|(_, address)| address.clone()),
            ..node_out(access, node)
        })
        .collect();
    output(
        summary,
        &ClusterOut {
            cluster: whole.name,
            quorate: whole.quorate,
            nodes_total: nodes.len(),
            nodes_online,
            nodes,
        },
    )
}

#[derive(Debug, Serialize)]
struct StatusOut {
    node: String,
    state: KnownValue<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<String>,
    protected: bool,
    details: KnownValue<NodeDetails>,
}

#[derive(Debug, Serialize)]
struct NodeDetails {
    cpu_percent: KnownValue<f64>,
    cpu_model: KnownValue<String>,
    cpu_threads: KnownValue<i64>,
    load_1m: KnownValue<f64>,
    load_5m: KnownValue<f64>,
    load_15m: KnownValue<f64>,
    io_wait_percent: KnownValue<f64>,
    memory_used_bytes: KnownValue<i64>,
    memory_total_bytes: KnownValue<i64>,
    memory_percent: KnownValue<f64>,
    swap_used_bytes: KnownValue<i64>,
    swap_total_bytes: KnownValue<i64>,
    root_disk_used_bytes: KnownValue<i64>,
    root_disk_total_bytes: KnownValue<i64>,
    root_disk_percent: KnownValue<f64>,
    uptime_seconds: KnownValue<i64>,
    proxmox_version: KnownValue<String>,
    kernel: KnownValue<String>,
}

fn details(status: NodeStatus) -> NodeDetails {
    let load = |index: usize| KnownValue::reported(status.loadavg.get(index).copied().map(rounded));
    let (load_1m, load_5m, load_15m) = (load(0), load(1), load(2));
    let amount = |amount: &Option<crate::wire::Amount>| match amount {
        Some(amount) => (amount.used, amount.total),
        None => (None, None),
    };
    let (memory_used, memory_total) = amount(&status.memory);
    let (swap_used, swap_total) = amount(&status.swap);
    let (root_used, root_total) = amount(&status.rootfs);
    let (cpu_model, cpu_threads) = match status.cpuinfo {
        Some(info) => (info.model, info.cpus),
        None => (None, None),
    };
    NodeDetails {
        cpu_percent: KnownValue::reported(status.cpu.map(percent)),
        cpu_model: KnownValue::reported(cpu_model),
        cpu_threads: KnownValue::reported(cpu_threads),
        load_1m,
        load_5m,
        load_15m,
        io_wait_percent: KnownValue::reported(status.wait.map(percent)),
        memory_used_bytes: KnownValue::reported(memory_used),
        memory_total_bytes: KnownValue::reported(memory_total),
        memory_percent: KnownValue::reported(share(memory_used, memory_total)),
        swap_used_bytes: KnownValue::reported(swap_used),
        swap_total_bytes: KnownValue::reported(swap_total),
        root_disk_used_bytes: KnownValue::reported(root_used),
        root_disk_total_bytes: KnownValue::reported(root_total),
        root_disk_percent: KnownValue::reported(share(root_used, root_total)),
        uptime_seconds: KnownValue::reported(status.uptime),
        proxmox_version: KnownValue::reported(status.pveversion),
        kernel: KnownValue::reported(
            status
                .current_kernel
                .and_then(|kernel| kernel.release)
                .or(status.kversion),
        ),
    }
}

pub(crate) struct GetNodeStatus(pub(crate) Arc<ClusterAccess>);

#[async_trait]
impl ReadingTool for GetNodeStatus {
    const NAME: &'static str = "get_node_status";
    const DESCRIPTION: &'static str = "Reads one node in detail: CPU load in percent and model, load averages over 1, 5 and \
             15 minutes, I/O wait in percent, memory, swap and root disk in bytes, uptime in \
             seconds, versions of Proxmox and of the kernel. Use it when the question is about one \
             node, such as \"Why is pve slow?\". For all nodes at once use get_cluster_status.";
    const TIMEOUT: Duration = SINGLE;
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::new("Why is pve slow?"),
        ToolExample::new("How much memory does pve use?"),
        ToolExample::new("Which kernel runs on pve?"),
    ];
    type Input = NodeInput;

    fn target(&self, input: &Value) -> Option<String> {
        about_node(input)
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        touched(input)
    }

    async fn read(&self, input: NodeInput, _: Progress) -> Result<ToolOutput, ErrorBody> {
        get_node_status(&self.0, input).await
    }
}

async fn get_node_status(
    access: &ClusterAccess,
    input: NodeInput,
) -> Result<ToolOutput, ErrorBody> {
    let node = access.node(&input.node).await?;
    let listed = node_out(access, &node);
    let name = node.name.clone();
    let (state, summary, details) = match node.silence() {
        Some(reason) => (
            listed.state,
            texts::readings::is_offline(&name),
            KnownValue::unknown(reason),
        ),
        None => match access.api.node_status(&name).await {
            Ok(status) => {
                let details = details(status);
                let percent = |value: &KnownValue<f64>| {
                    value
                        .value()
                        .map_or("unknown".to_owned(), |value| units::percent(*value))
                };
                let summary = texts::readings::cpu_memory(
                    &name,
                    &percent(&details.cpu_percent),
                    &percent(&details.memory_percent),
                );
                (listed.state, summary, KnownValue::Value(details))
            }
            Err(error @ ProxmoxError::Forbidden { .. }) => (
                listed.state,
                format!("{name}: {}", error.reason()),
                KnownValue::unknown(error.reason()),
            ),
            Err(error @ ProxmoxError::NodeUnreachable { .. }) => (
                KnownValue::unknown(texts::ONLINE_BUT_SILENT),
                texts::readings::does_not_answer(&name),
                KnownValue::unknown(error.reason()),
            ),
            Err(error) => return Err(error.body()),
        },
    };
    output(
        summary,
        &StatusOut {
            node: name,
            state,
            reason: listed.reason,
            role: listed.role,
            protected: listed.protected,
            details,
        },
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn details_have_units_and_unknowns() {
        let status: NodeStatus = crate::lenient::row(&json!({
            "cpu": 0.1264,
            "wait": "0.005",
            "cpuinfo": {"model": "N100", "cpus": "4", "mhz": "2900"},
            "memory": {"total": 16_000, "used": "4000"},
            "rootfs": {"total": 0, "used": 0},
            "loadavg": ["0.10", "0.256", "1"],
            "uptime": 60,
            "pveversion": "pve-manager/9.1.11/8d3fa8b1c0de4412",
            "current-kernel": {"release": "6.17.4-1-pve"},
        }))
        .unwrap();
        let unknown = json!({"unknown": "not reported"});
        assert_eq!(
            serde_json::to_value(details(status)).unwrap(),
            json!({
                "cpu_percent": 12.6,
                "cpu_model": "N100",
                "cpu_threads": 4,
                "load_1m": 0.1,
                "load_5m": 0.26,
                "load_15m": 1.0,
                "io_wait_percent": 0.5,
                "memory_used_bytes": 4000,
                "memory_total_bytes": 16_000,
                "memory_percent": 25.0,
                "swap_used_bytes": unknown,
                "swap_total_bytes": unknown,
                "root_disk_used_bytes": 0,
                "root_disk_total_bytes": 0,
                "root_disk_percent": unknown,
                "uptime_seconds": 60,
                "proxmox_version": "pve-manager/9.1.11/8d3fa8b1c0de4412",
                "kernel": "6.17.4-1-pve",
            })
        );
    }
}
