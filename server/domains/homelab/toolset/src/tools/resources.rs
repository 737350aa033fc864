//! Tool that returns an overview of everything from one request.

use std::{sync::Arc, time::Duration};

use agent::ports::{Progress, ReadingTool, ToolExample};
use async_trait::async_trait;
use protocol::{ErrorBody, ToolOutput};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{SINGLE, about_node, output};
use crate::{
    cluster_access::ClusterAccess,
    error::missing,
    guest_state::{StateCounts, counts, has_process},
    out::{CutList, KnownValue, ROWS_BYTES, count, fit, percent, share},
    own_state, texts,
    wire::{ResourceRow, is_guest},
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ResourcesInput {
    /// Only one kind: "vm" means virtual machines and containers. Leave out for all.
    r#type: Option<Type>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Type {
    Vm,
    Storage,
    Node,
}

#[derive(Debug, Serialize)]
struct ResourcesOut {
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<Vec<Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    guest_counts: Option<KnownValue<StateCounts>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    guests: Option<KnownValue<Vec<Value>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    storages: Option<KnownValue<Vec<Value>>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cut: Vec<CutList>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    incomplete: Vec<String>,
}

#[derive(Debug, Serialize)]
struct NodeBrief {
    node: Option<String>,
    state: KnownValue<String>,
    usage: KnownValue<ResourceUsage>,
}

#[derive(Debug, Serialize)]
struct ResourceUsage {
    cpu_percent: KnownValue<f64>,
    memory_percent: KnownValue<f64>,
    memory_total_bytes: KnownValue<i64>,
    uptime_seconds: KnownValue<i64>,
}

#[derive(Debug, Serialize)]
pub(crate) struct GuestBrief {
    vmid: Option<i64>,
    kind: &'static str,
    name: KnownValue<String>,
    node: Option<String>,
    state: KnownValue<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cpu_percent: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory_percent: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uptime_seconds: Option<i64>,
}

#[derive(Debug, Serialize)]
pub(crate) struct StorageBrief {
    storage: Option<String>,
    /// `None` for a shared storage, which is listed once.
    #[serde(skip_serializing_if = "Option::is_none")]
    node: Option<String>,
    state: KnownValue<String>,
    used_percent: KnownValue<f64>,
    total_bytes: KnownValue<i64>,
}

/// Size limits of the lists when all three are requested, in bytes.
const ROOM_NODES: usize = 1_200;
const ROOM_GUESTS: usize = 3_800;
const ROOM_STORAGES: usize = 2_000;

fn node_brief(row: &ResourceRow) -> NodeBrief {
    let name = row.node.as_deref().unwrap_or("?");
    let usage = if row.status.as_deref() == Some("offline") {
        KnownValue::unknown(texts::node_is_offline(name))
    } else if row.cpu.is_none() && row.mem.is_none() {
        KnownValue::unknown(missing(&["Sys.Audit"], &format!("/nodes/{name}")))
    } else {
        KnownValue::Value(ResourceUsage {
            cpu_percent: KnownValue::reported(row.cpu.map(percent)),
            memory_percent: KnownValue::reported(share(row.mem, row.maxmem)),
            memory_total_bytes: KnownValue::reported(row.maxmem),
            uptime_seconds: KnownValue::reported(row.uptime),
        })
    };
    NodeBrief {
        node: row.node.clone(),
        state: match row.status.as_deref() {
            None | Some("unknown") => KnownValue::unknown(texts::STATE_NOT_REPORTED_BY_CLUSTER),
            Some(status) => KnownValue::Value(status.to_owned()),
        },
        usage,
    }
}

pub(crate) fn guest_brief(row: &ResourceRow) -> GuestBrief {
    let running = has_process(row.status.as_deref());
    GuestBrief {
        vmid: row.vmid,
        kind: if row.r#type == "lxc" {
            "container"
        } else {
            "vm"
        },
        name: KnownValue::reported(row.name.clone()),
        node: row.node.clone(),
        state: row.guest_state(),
        cpu_percent: row.cpu.filter(|_| running).map(percent),
        memory_percent: share(row.mem.filter(|_| running), row.maxmem),
        uptime_seconds: row.uptime.filter(|_| running),
    }
}

/// The storages with each shared one listed once, from a node on which it is available.
pub(crate) fn storages(rows: &[ResourceRow]) -> Vec<&ResourceRow> {
    let mut once: Vec<&ResourceRow> = Vec::new();
    for row in rows.iter().filter(|row| row.r#type == "storage") {
        let shared = |other: &&mut &ResourceRow| {
            row.shared == Some(true) && other.shared == Some(true) && other.storage == row.storage
        };
        match once.iter_mut().find(shared) {
            Some(twin) if twin.status.as_deref() != Some("available") => *twin = row,
            Some(_) => {}
            None => once.push(row),
        }
    }
    once.sort_by(|a, b| (&a.storage, &a.node).cmp(&(&b.storage, &b.node)));
    once
}

pub(crate) fn storage_brief(row: &ResourceRow) -> StorageBrief {
    let available = row.status.as_deref() == Some("available");
    let gone = texts::NOT_REPORTED_BY_ITS_NODE;
    StorageBrief {
        storage: row.storage.clone(),
        node: row.node.clone().filter(|_| row.shared != Some(true)),
        state: if available {
            KnownValue::Value("available".to_owned())
        } else {
            KnownValue::unknown(gone)
        },
        used_percent: KnownValue::or(share(row.disk, row.maxdisk).filter(|_| available), gone),
        total_bytes: KnownValue::or(row.maxdisk.filter(|_| available), gone),
    }
}

pub(crate) struct GetClusterResources(pub(crate) Arc<ClusterAccess>);

#[async_trait]
impl ReadingTool for GetClusterResources {
    const NAME: &'static str = "get_cluster_resources";
    const DESCRIPTION: &'static str = "Reads a brief inventory in one request: nodes, guests (virtual machines and \
             containers together) and storages, one short row each with state, CPU, memory and \
             uptime. Use it for an overview of everything, for the guests on a node or to find out \
             where something is. It is the cheapest way to see all \
             guests, but it lags about 10 seconds behind: to see the effect of an action use \
             get_vms or get_containers.";
    const TIMEOUT: Duration = SINGLE;
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::new("What is running where?"),
        ToolExample::new("Which guests are on pve?"),
        ToolExample::new("List everything in the cluster."),
    ];
    type Input = ResourcesInput;

    fn target(&self, input: &Value) -> Option<String> {
        about_node(input)
    }

    async fn read(&self, input: ResourcesInput, _: Progress) -> Result<ToolOutput, ErrorBody> {
        get_cluster_resources(&self.0, input).await
    }
}

async fn get_cluster_resources(
    access: &ClusterAccess,
    input: ResourcesInput,
) -> Result<ToolOutput, ErrorBody> {
    let rows = async {
        match input.r#type {
            Some(Type::Node | Type::Storage) => access.api.resources().await,
            Some(Type::Vm) | None => own_state::resources(&access.api, own_state::PATIENCE).await,
        }
    };
    let (rows, rights) = futures::join!(rows, access.api.rights());
    let rows = rows.map_err(|error| error.body())?;
    let wanted = |kind: Type| input.r#type.is_none_or(|wanted| wanted == kind);
    let room = |part: usize| {
        if input.r#type.is_some() {
            ROWS_BYTES
        } else {
            part
        }
    };
    let mut out = ResourcesOut {
        nodes: None,
        guest_counts: None,
        guests: None,
        storages: None,
        cut: Vec::new(),
        incomplete: Vec::new(),
    };
    let mut summary: Vec<String> = Vec::new();

    if wanted(Type::Node) {
        let mut nodes: Vec<&ResourceRow> = rows.iter().filter(|row| row.r#type == "node").collect();
        nodes.sort_by(|a, b| a.node.cmp(&b.node));
        summary.push(count(nodes.len(), "node", "nodes"));
        let briefs = nodes.into_iter().map(node_brief).collect();
        let (nodes, cut) = fit(
            briefs,
            room(ROOM_NODES),
            "call get_cluster_status for all nodes",
        );
        out.nodes = Some(nodes);
        out.cut.extend(cut);
    }
    if wanted(Type::Vm) {
        let lacks = rights.lacks_below("/vms", &["VM.Audit"]);
        let mut guests: Vec<&ResourceRow> = rows.iter().filter(is_guest).collect();
        guests.sort_by_key(|row| row.vmid);
        if guests.is_empty() && !lacks.is_empty() {
            let reason = lacks.join("; ");
            summary.push(texts::readings::GUESTS_UNKNOWN.to_owned());
            out.guest_counts = Some(KnownValue::unknown(reason.clone()));
            out.guests = Some(KnownValue::unknown(reason));
        } else {
            let states: Vec<KnownValue<String>> =
                guests.iter().map(|row| row.guest_state()).collect();
            let counts = counts(states.iter().map(|state| state.value().map(String::as_str)));
            summary.push(count(counts.total, "guest", "guests"));
            out.guest_counts = Some(KnownValue::Value(counts));
            let hint = "call get_vms or get_containers with `node`";
            let briefs = guests.into_iter().map(guest_brief).collect();
            let (guests, cut) = fit(briefs, room(ROOM_GUESTS), hint);
            out.guests = Some(KnownValue::Value(guests));
            out.cut.extend(cut);
            out.incomplete.extend(lacks);
        }
    }
    if wanted(Type::Storage) {
        let lacks = rights.lacks_below("/storage", &["Datastore.Audit", "Datastore.AllocateSpace"]);
        let storages = storages(&rows);
        if storages.is_empty() && !lacks.is_empty() {
            summary.push(texts::readings::STORAGES_UNKNOWN.to_owned());
            out.storages = Some(KnownValue::unknown(lacks.join("; ")));
        } else {
            summary.push(count(storages.len(), "storage", "storages"));
            let hint = "call get_storage with `node`";
            let briefs = storages.into_iter().map(storage_brief).collect();
            let (storages, cut) = fit(briefs, room(ROOM_STORAGES), hint);
            out.storages = Some(KnownValue::Value(storages));
            out.cut.extend(cut);
            out.incomplete.extend(lacks);
        }
    }
    output(summary.join(", "), &out)
}
