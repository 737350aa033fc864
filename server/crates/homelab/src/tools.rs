//! The tools: their definitions for the model, and which function answers which call.

mod backups;
pub(crate) mod execute_ssh;
mod guests;
mod history;
mod nodes;
pub(crate) mod power;
mod resources;
pub(crate) mod service;
mod specs;
mod storage;
mod tasks;
mod temperature;
pub(crate) mod wake;

use agent::ports::Progress;
use protocol::{ErrorBody, ErrorCode, ToolOutput};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

pub(crate) use self::{
    backups::{backups_of, hidden_backups},
    nodes::{node_out, whole},
    resources::{guest_brief, is_guest, storage_brief, storages},
    specs::specs,
    tasks::{Task, task_out, tasks},
    temperature::processor_celsius,
};
use crate::{api::Kind, lab::Lab, ssh::services};

/// Runs a tool by its name.
pub(crate) async fn run(
    lab: &Lab,
    name: &str,
    input: Value,
    progress: &Progress,
) -> Result<ToolOutput, ErrorBody> {
    if let Some(order) = power::Order::of(name, &input) {
        return power::call(lab, &order?, progress).await;
    }
    match name {
        "get_cluster_status" => {
            let Nothing {} = read(input)?;
            nodes::get_cluster_status(lab).await
        }
        "get_node_status" => nodes::get_node_status(lab, read(input)?).await,
        "get_vms" => guests::get_guests(lab, Kind::Qemu, read(input)?).await,
        "get_containers" => guests::get_guests(lab, Kind::Lxc, read(input)?).await,
        "get_storage" => storage::get_storage(lab, read(input)?).await,
        "get_cluster_resources" => resources::get_cluster_resources(lab, read(input)?).await,
        "get_node_temperature" => temperature::get_node_temperature(lab, read(input)?).await,
        "get_recent_tasks" => tasks::get_recent_tasks(lab, read(input)?).await,
        "get_backups" => backups::get_backups(lab, read(input)?).await,
        "get_history" => history::get_history(lab, read(input)?).await,
        "wake_node" => wake::wake_node(lab, read(input)?, progress).await,
        "reboot_node" => Err(ErrorBody::new(
            ErrorCode::ToolProtected,
            "A node is never rebooted or shut down from here.",
        )),
        "execute_ssh" => execute_ssh::execute_ssh(lab, read(input)?).await,
        "restart_service" => service::restart_service(lab, read(input)?, progress).await,
        _ => Err(ErrorBody::new(
            ErrorCode::ToolInputInvalid,
            format!("There is no tool {name:?} here."),
        )),
    }
}

/// What a call is about, for its card.
pub(crate) fn target(name: &str, input: &Value) -> Option<String> {
    let node = input.get("node").and_then(Value::as_str);
    let guest = input.get("vmid").and_then(Value::as_i64);
    let noun = match name {
        "start_vm" | "stop_vm" | "restart_vm" => Some(Kind::Qemu.noun()),
        "start_container" | "stop_container" | "restart_container" => Some(Kind::Lxc.noun()),
        _ => None,
    };
    match (name, node, guest) {
        (_, Some(node), Some(vmid)) if noun.is_some() => Some(format!(
            "{} {vmid} on node {node}",
            noun.unwrap_or_default()
        )),
        ("get_history", ..) => history::target(input),
        ("get_backups", None, Some(vmid)) => Some(format!("guest {vmid}")),
        ("get_backups", Some(node), Some(vmid)) => Some(format!("guest {vmid} on node {node}")),
        ("restart_service", Some(node), _) => {
            let service = input.get("service").and_then(Value::as_str).unwrap_or("?");
            Some(service::target(node, service))
        }
        (_, Some(node), _) => Some(format!("node {node}")),
        _ => Some("cluster".to_owned()),
    }
}

/// What a call touches, by the names that a policy protects.
pub(crate) fn objects(name: &str, input: &Value) -> Vec<String> {
    let mut objects = Vec::new();
    let node = input.get("node").and_then(Value::as_str);
    if let Some(node) = node {
        objects.push(format!("node/{}", node.to_ascii_lowercase()));
    }
    if let Some(vmid) = input.get("vmid").and_then(integer) {
        objects.push(format!("guest/{vmid}"));
    }
    if name == "get_history" {
        objects.extend(history::object(input));
    }
    if name == "restart_service"
        && let (Some(node), Some(service)) = (node, input.get("service").and_then(Value::as_str))
    {
        objects.push(service_object(node, service));
    }
    objects
}

/// A service of a node as a policy names it, however it is written.
pub fn service_object(node: &str, service: &str) -> String {
    let unit = services::unit(service).unwrap_or_else(|| service.to_owned());
    format!("service/{node}/{unit}").to_ascii_lowercase()
}

/// A number that JSON may also write as `101.0`.
fn integer(value: &Value) -> Option<i64> {
    let number = value.as_f64().filter(|number| number.fract() == 0.0);
    value.as_i64().or(number.map(|number| number as i64))
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

pub(crate) fn read<T: DeserializeOwned>(input: Value) -> Result<T, ErrorBody> {
    serde_json::from_value(input).map_err(|error| {
        ErrorBody::new(
            ErrorCode::ToolInputInvalid,
            format!("The input does not fit the tool: {error}."),
        )
    })
}

fn output(summary: impl Into<String>, data: &impl Serialize) -> Result<ToolOutput, ErrorBody> {
    match serde_json::to_value(data) {
        Ok(data) => Ok(ToolOutput {
            summary: summary.into(),
            data,
            images: Vec::new(),
        }),
        Err(error) => Err(ErrorBody::new(
            ErrorCode::Internal,
            format!("The result cannot be written: {error}."),
        )),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::objects;

    #[test]
    fn calls_name_what_they_touch() {
        for (tool, input, expect) in [
            ("get_vms", json!({}), vec![]),
            (
                "wake_node",
                json!({ "node": "Agent1" }),
                vec!["node/agent1"],
            ),
            (
                "stop_vm",
                json!({ "node": "pve", "vmid": 101 }),
                vec!["node/pve", "guest/101"],
            ),
            (
                "stop_vm",
                json!({ "node": "pve", "vmid": 101.0 }),
                vec!["node/pve", "guest/101"],
            ),
            (
                "restart_service",
                json!({ "node": "pve", "service": "pveproxy" }),
                vec!["node/pve", "service/pve/pveproxy.service"],
            ),
            (
                "restart_service",
                json!({ "node": "pve", "service": "pveproxy.service" }),
                vec!["node/pve", "service/pve/pveproxy.service"],
            ),
        ] {
            assert_eq!(objects(tool, &input), expect, "{tool} {input}");
        }
    }
}
