//! The definitions that the model reads: when to use a tool, what comes back, examples.

use std::time::Duration;

use agent::ports::{Audience, Impact, Recovery, ToolSpec};
use protocol::Tier;
use serde_json::{Value, json};

use super::{power, tasks::MAX_LIMIT, wake};

/// One request, and one more attempt at another endpoint.
pub(super) const SINGLE: Duration = Duration::from_secs(25);
/// Requests to many nodes or storages, one of which may hang.
const FAN_OUT: Duration = Duration::from_secs(40);

/// All tools, always in the same order.
pub(crate) fn specs() -> Vec<ToolSpec> {
    vec![
        green(
            "get_cluster_status",
            "Reads the health of the whole cluster: name, quorum, and for every node its state \
             (online or offline), role, address, CPU load in percent, memory in bytes and percent, \
             and uptime in seconds. Use it first for questions such as \"How is the cluster \
             doing?\", \"Are all nodes up?\" or \"Which node is the busiest?\". It does not list \
             guests, storages or tasks.",
            closed(json!({}), &[]),
            SINGLE,
        ),
        green(
            "get_node_status",
            "Reads one node in detail: CPU load in percent and model, load averages over 1, 5 and \
             15 minutes, I/O wait in percent, memory, swap and root disk in bytes, uptime in \
             seconds, versions of Proxmox and of the kernel. Use it when the question is about one \
             node, such as \"Why is pve slow?\". For all nodes at once use get_cluster_status.",
            closed(
                json!({ "node": node("The node to read, such as \"pve\".") }),
                &["node"],
            ),
            SINGLE,
        ),
        green(
            "get_vms",
            "Lists the virtual machines (QEMU; not containers) with VM id, name, node, state \
             (running, stopped, paused, template), CPU load in percent of their own cores, memory \
             in bytes and percent, disk size in bytes, uptime in seconds, tags and locks. The \
             figures are live. Use it for questions such as \"Which VMs are stopped?\" or to find \
             the id or the node of a VM by its name. Containers are in get_containers; a question \
             about all guests needs both.",
            closed(
                json!({ "node": node("Only the VMs on this node. Leave out for all nodes.") }),
                &[],
            ),
            FAN_OUT,
        ),
        green(
            "get_containers",
            "Lists the containers (LXC; not virtual machines) with id, name, node, state (running, \
             stopped, template), CPU load in percent of their own cores, memory and disk in bytes, \
             uptime in seconds, tags and locks. The figures are live. Use it for questions such as \
             \"Is pihole running?\" or to find the id or the node of a container by its name. \
             Virtual machines are in get_vms.",
            closed(
                json!({ "node": node("Only the containers on this node. Leave out for all nodes.") }),
                &[],
            ),
            FAN_OUT,
        ),
        green(
            "get_storage",
            "Lists the storages with type, the nodes that see them, state (available, unavailable, \
             disabled), used, free and total bytes, percent used, and what they hold (images, \
             rootdir, backup, iso, vztmpl). A shared storage is listed and counted once. Use it \
             for questions about space, such as \"Is any disk nearly full?\". The backups on a \
             storage are in get_backups.",
            closed(
                json!({ "node": node("Only the storages of this node. Leave out for all nodes.") }),
                &[],
            ),
            FAN_OUT,
        ),
        green(
            "get_cluster_resources",
            "Reads a brief inventory in one request: nodes, guests (virtual machines and \
             containers together) and storages, one short row each. Use it for an overview of \
             everything or to find out where something is. It is the cheapest way to see all \
             guests, but it lags about 10 seconds behind: to see the effect of an action use \
             get_vms or get_containers.",
            closed(
                json!({
                    "type": {
                        "type": "string",
                        "enum": ["vm", "storage", "node"],
                        "description": "Only one kind: \"vm\" means virtual machines and \
                                        containers. Leave out for all.",
                    }
                }),
                &[],
            ),
            SINGLE,
        ),
        green(
            "get_node_temperature",
            "Reads the temperatures of a node in degrees Celsius. Use it only when temperatures \
             are asked for. Where no sensor can be read the result says why; then say that the \
             temperature is not known, and do not estimate it.",
            closed(
                json!({ "node": node("The node to read, such as \"pve\".") }),
                &["node"],
            ),
            SINGLE,
        ),
        green(
            "get_recent_tasks",
            "Lists the tasks of the cluster, newest first: type (such as vzdump for a backup, \
             qmstart and vzstart for starts, aptupdate), what it is about (usually a guest id), \
             node, user, start in UTC, duration in seconds, and outcome (running, ok, ok with \
             warnings, failed with the error). Use it for questions such as \"What happened last \
             night?\", \"Did the backups work?\" or \"Who restarted 100?\". `ok with warnings` is a \
             success.",
            closed(
                json!({
                    "node": node(
                        "Only this node, further back. Leave out for the latest tasks of all nodes."
                    ),
                    "limit": {
                        "type": "integer",
                        "minimum": 1,
                        "maximum": MAX_LIMIT,
                        "description": "How many tasks at most; 20 if left out.",
                    },
                    "errors_only": {
                        "type": "boolean",
                        "description": "True for failed tasks only.",
                    },
                }),
                &[],
            ),
            SINGLE,
        ),
        green(
            "get_backups",
            "Lists the backups. Without `vmid`: one row for each guest with the number of its \
             backups, the time (UTC), age in hours, size in bytes and storage of the newest one, \
             and the guests that have no backup at all. With `vmid`: every backup of that guest, \
             newest first. Use it for questions such as \"Is everything backed up?\" or \"When was \
             100 last backed up?\". Whether backup runs failed is in get_recent_tasks. Backups that \
             the API token may not see are reported as unknown: never say that there are none then.",
            closed(
                json!({
                    "node": node("Only the storages that this node sees. Leave out for all nodes."),
                    "vmid": {
                        "type": "integer",
                        "minimum": 100,
                        "maximum": 999_999_999,
                        "description": "Only the backups of this guest, such as 100.",
                    },
                }),
                &[],
            ),
            FAN_OUT,
        ),
        super::history::spec(),
        super::execute_ssh::spec(),
        super::service::spec(),
    ]
    .into_iter()
    .chain([wake::spec()])
    .chain(power::specs())
    .collect()
}

pub(super) fn green(
    name: &'static str,
    description: &'static str,
    input_schema: Value,
    timeout: Duration,
) -> ToolSpec {
    ToolSpec {
        name,
        description,
        input_schema,
        tier: Tier::Green,
        recovery: Recovery::Pure,
        timeout,
        choices: Vec::new(),
        editable: Vec::new(),
        audience: Audience::Everyone,
        impact: Impact::None,
    }
}

pub(super) fn closed(properties: Value, required: &[&str]) -> Value {
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

pub(super) fn node(description: &str) -> Value {
    json!({ "type": "string", "minLength": 1, "maxLength": 63, "description": description })
}
