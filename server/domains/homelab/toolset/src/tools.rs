//! Tools of the homelab: one file each, and one line in the list.

mod backups;
pub(crate) mod execute_ssh;
mod guests;
mod history;
mod nodes;
pub(crate) mod power;
mod reboot;
mod resources;
pub(crate) mod service;
mod storage;
mod tasks;
mod temperature;
pub(crate) mod wake;

use std::{sync::Arc, time::Duration};

use agent::ports::{Preview, Tool};
use protocol::{ErrorBody, ErrorCode, Fact, ToolOutput};
use serde::Serialize;
use serde_json::Value;

pub(crate) use self::{
    nodes::{node_out, whole},
    resources::{guest_brief, storage_brief, storages},
    tasks::task_out,
    temperature::processor_celsius,
};
use crate::{cluster_access::ClusterAccess, ssh::services, texts};

/// Timeout for one request and one more attempt at another endpoint.
const SINGLE: Duration = Duration::from_secs(25);
/// Timeout for requests to many nodes or storages, one of which may hang.
const FAN_OUT: Duration = Duration::from_secs(40);

/// All tools, always in the same order.
pub(crate) fn all(access: &Arc<ClusterAccess>) -> Vec<Arc<dyn Tool>> {
    let access = || Arc::clone(access);
    let mut tools: Vec<Arc<dyn Tool>> = vec![
        Arc::new(nodes::GetClusterStatus(access())),
        Arc::new(nodes::GetNodeStatus(access())),
        Arc::new(guests::GetVms(access())),
        Arc::new(guests::GetContainers(access())),
        Arc::new(storage::GetStorage(access())),
        Arc::new(resources::GetClusterResources(access())),
        Arc::new(temperature::GetNodeTemperature(access())),
        Arc::new(tasks::GetRecentTasks(access())),
        Arc::new(backups::GetBackups(access())),
        Arc::new(history::GetHistory(access())),
        Arc::new(execute_ssh::ExecuteSsh(access())),
        Arc::new(service::RestartService(access())),
        Arc::new(wake::WakeNode(access())),
    ];
    for tool in power::tools(&access()) {
        tools.push(Arc::new(tool));
    }
    tools.push(Arc::new(reboot::RebootNode));
    tools
}

/// The node that a call concerns, for its card; the cluster if it names none.
fn about_node(input: &Value) -> Option<String> {
    let node = input.get("node").and_then(Value::as_str);
    Some(node.map_or_else(|| "cluster".to_owned(), |node| format!("node {node}")))
}

/// The node and the guest that a call concerns, by the names that a policy protects.
fn touched(input: &Value) -> Vec<String> {
    let node = input.get("node").and_then(Value::as_str);
    let node = node.map(|node| format!("node/{}", node.to_ascii_lowercase()));
    let guest = input.get("vmid").and_then(integer);
    let guest = guest.map(|guest| format!("guest/{guest}"));
    node.into_iter().chain(guest).collect()
}

/// Describes how a fact of a card has changed since, in one sentence.
fn changed_fact(label: &str, shown: &[Fact], now: &Preview) -> Option<String> {
    let value = |facts: &[Fact]| {
        let fact = facts.iter().find(|fact| fact.label == label)?;
        Some(fact.value.clone())
    };
    let (before, now) = value(shown).zip(value(&now.facts))?;
    (before != now).then(|| texts::systems::changed_since_shown(&before, &now))
}

/// The name of a node's service in a policy, independent of its spelling.
pub fn service_object(node: &str, service: &str) -> String {
    let unit = services::unit(service).unwrap_or_else(|| service.to_owned());
    format!("service/{node}/{unit}").to_ascii_lowercase()
}

/// Reads an integer, which JSON may also write as `101.0`.
fn integer(value: &Value) -> Option<i64> {
    let number = value.as_f64().filter(|number| number.fract() == 0.0);
    value.as_i64().or(number.map(|number| number as i64))
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
            texts::systems::result_cannot_be_written(&error),
        )),
    }
}
