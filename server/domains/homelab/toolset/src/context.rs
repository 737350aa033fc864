//! Summary sent with every new message: few cached requests, a few hundred tokens.
//!
//! Every source fails independently and reports the reason.

use std::time::Duration;

use agent::ports::ContextPart;
use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    cluster_access::{ClusterAccess, NodeState},
    guest_state::{RUNNING, StateCounts, TEMPLATE, counts},
    out::{KnownValue, share},
    own_state,
    task::{TaskOutcome, tasks},
    texts,
    time::{rfc3339, rough},
    tools::{node_out, storages, whole},
    wire::{ResourceRow, is_guest},
};

/// Age up to which failed tasks are mentioned.
const NEWS_SECONDS: i64 = 24 * 3600;
const MAX_NAMES: usize = 10;
const MAX_STORAGES: usize = 16;
const MAX_TASKS: usize = 5;
const MAX_ERROR_CHARS: usize = 80;
/// Time behind the limit of the sources, in which those that answered are passed on.
const REST: Duration = Duration::from_millis(10);

pub(crate) async fn context(access: &ClusterAccess) -> Vec<ContextPart> {
    let (nodes, guests, storage, tasks) = futures::join!(
        part(access, "cluster", cluster(access)),
        part(access, "guests", guests(access)),
        part(access, "storage", storage(access)),
        part(access, "tasks", recent_tasks(access)),
    );
    vec![nodes, guests, storage, tasks]
}

/// The time for all sources together.
pub(crate) fn limit(access: &ClusterAccess) -> Duration {
    Duration::from_millis(access.config.context_ms) + REST
}

async fn part(
    access: &ClusterAccess,
    source: &'static str,
    read: impl Future<Output = Result<Value, String>>,
) -> ContextPart {
    let patience = Duration::from_millis(access.config.context_ms);
    let data = match tokio::time::timeout(patience, read).await {
        Ok(data) => data,
        Err(_) => Err(texts::context::no_answer_yet(patience.as_millis())),
    };
    ContextPart { source, data }
}

async fn cluster(access: &ClusterAccess) -> Result<Value, String> {
    let (whole, nodes) = futures::join!(whole(access), access.nodes());
    let nodes = nodes.map_err(|error| error.reason())?;
    let lines: serde_json::Map<String, Value> = nodes
        .iter()
        .map(|node| {
            let line = match (node.state, node_out(access, node).usage) {
                (NodeState::Offline, _) => "OFFLINE".to_owned(),
                (NodeState::Unknown, _) => texts::context::STATE_UNKNOWN.to_owned(),
                (NodeState::Online, KnownValue::Unknown { unknown }) => {
                    texts::context::online_usage_unknown(&unknown)
                }
                (NodeState::Online, KnownValue::Value(usage)) => {
                    let percent = |value: &KnownValue<f64>| match value.value() {
                        Some(value) => units::percent(*value),
                        None => "unknown".to_owned(),
                    };
                    let total = match usage.memory_total_bytes.value() {
                        Some(bytes) => format!(" of {}", units::size(bytes.unsigned_abs())),
                        None => String::new(),
                    };
                    let up = match usage.uptime_seconds.value() {
                        Some(seconds) => rough(*seconds),
                        None => "unknown".to_owned(),
                    };
                    texts::context::online_cpu_memory_up(
                        &percent(&usage.cpu_percent),
                        &percent(&usage.memory_percent),
                        &total,
                        &up,
                    )
                }
            };
            (node.name.clone(), json!(line))
        })
        .collect();
    Ok(json!({ "cluster": whole.name, "quorate": whole.quorate, "nodes": lines }))
}

#[derive(Serialize)]
struct GuestsPart {
    vms: KnownValue<StateCounts>,
    containers: KnownValue<StateCounts>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_running: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    incomplete: Vec<String>,
}

async fn guests(access: &ClusterAccess) -> Result<Value, String> {
    // A node that is slow to report its VMs must not cost the whole part.
    let patience = Duration::from_millis(access.config.context_ms / 2);
    let rows = own_state::resources(&access.api, patience);
    let (rows, rights) = futures::join!(rows, access.api.rights());
    let rows = rows.map_err(|error| error.reason())?;
    let lacks = rights.lacks_below("/vms", &["VM.Audit"]);
    let mut guests: Vec<(&ResourceRow, KnownValue<String>)> = rows
        .iter()
        .filter(is_guest)
        .map(|row| (row, row.guest_state()))
        .collect();
    guests.sort_by_key(|(row, _)| row.vmid);
    let counted = |kind: &str| -> KnownValue<StateCounts> {
        let mine = guests.iter().filter(|(row, _)| row.r#type == kind);
        let counts = counts(mine.map(|(_, state)| state.value().map(String::as_str)));
        if counts.total == 0 && counts.templates == 0 && !lacks.is_empty() {
            KnownValue::unknown(lacks.join("; "))
        } else {
            KnownValue::Value(counts)
        }
    };
    let mut not_running: Vec<String> = guests
        .iter()
        .filter_map(|(row, state)| {
            let state = match state.value().map(String::as_str) {
                Some(RUNNING | TEMPLATE) => return None,
                Some(state) => state,
                None => texts::context::STATE_UNKNOWN,
            };
            Some(format!(
                "{} {} on {}: {state}",
                row.vmid?,
                row.name.as_deref().unwrap_or("?"),
                row.node.as_deref().unwrap_or("?"),
            ))
        })
        .collect();
    shorten(&mut not_running, MAX_NAMES);
    let (vms, containers) = (counted("qemu"), counted("lxc"));
    value(&GuestsPart {
        incomplete: if guests.is_empty() { Vec::new() } else { lacks },
        vms,
        containers,
        not_running,
    })
}

async fn storage(access: &ClusterAccess) -> Result<Value, String> {
    let (rows, rights) = futures::join!(access.api.resources(), access.api.rights());
    let rows = rows.map_err(|error| error.reason())?;
    let lacks = rights.lacks_below("/storage", &["Datastore.Audit", "Datastore.AllocateSpace"]);
    let storages = storages(&rows);
    if storages.is_empty() && !lacks.is_empty() {
        return Ok(json!({ "storages": KnownValue::<usize>::unknown(lacks.join("; ")) }));
    }
    let limit = f64::from(access.config.storage_warning_percent);
    let name = |row: &ResourceRow| {
        let name = row.storage.as_deref().unwrap_or("?");
        match (row.shared, &row.node) {
            (Some(true), _) | (_, None) => name.to_owned(),
            (_, Some(node)) => format!("{name} on {node}"),
        }
    };
    let (mut full, mut gone) = (Vec::new(), Vec::new());
    let mut used = serde_json::Map::new();
    for row in &storages {
        if row.status.as_deref() != Some("available") {
            gone.push(name(row));
            continue;
        }
        match share(row.disk, row.maxdisk) {
            Some(percent) => {
                if percent >= limit {
                    full.push(format!("{}: {percent:.0} %", name(row)));
                }
                if used.len() < MAX_STORAGES {
                    used.insert(name(row), json!(percent.round() as i64));
                }
            }
            None => gone.push(name(row)),
        }
    }
    shorten(&mut full, MAX_NAMES);
    shorten(&mut gone, MAX_NAMES);
    let mut part = json!({
        "storages": storages.len(),
        "used_percent": used,
        (format!("at_least_{}_percent_full", access.config.storage_warning_percent)): full,
    });
    if !gone.is_empty() {
        part["not_available"] = json!(gone);
    }
    if !lacks.is_empty() {
        part["incomplete"] = json!(lacks);
    }
    Ok(part)
}

async fn recent_tasks(access: &ClusterAccess) -> Result<Value, String> {
    let (rows, rights) = futures::join!(access.api.cluster_tasks(), access.api.rights());
    let tasks = tasks(rows.map_err(|error| error.reason())?);
    let lacks = rights.lacks("/", &["Sys.Audit"]);
    if tasks.is_empty()
        && let Some(reason) = lacks
    {
        return Ok(json!({ "tasks": KnownValue::<usize>::unknown(reason) }));
    }
    let since = access.now() - NEWS_SECONDS;
    let (mut running, mut failed) = (Vec::new(), Vec::new());
    for task in &tasks {
        let what = match &task.about {
            Some(about) => format!("{} {about} on {}", task.kind, task.node),
            None => format!("{} on {}", task.kind, task.node),
        };
        match &task.outcome {
            TaskOutcome::Running => {
                running.push(texts::context::running_task(&what, &rfc3339(task.start)))
            }
            TaskOutcome::Failed(error) if task.end.unwrap_or(task.start) >= since => {
                let error: String = error.chars().take(MAX_ERROR_CHARS).collect();
                failed.push(texts::context::failed_task(
                    &what,
                    &rfc3339(task.start),
                    &error,
                ));
            }
            _ => {}
        }
    }
    shorten(&mut running, MAX_TASKS);
    shorten(&mut failed, MAX_TASKS);
    let mut part = json!({ "running": running, "failed_in_24_hours": failed });
    if let Some(reason) = lacks {
        part["incomplete"] = json!([texts::only_callers_tasks(&reason)]);
    }
    Ok(part)
}

fn shorten(lines: &mut Vec<String>, most: usize) {
    if lines.len() > most {
        let more = lines.len() - most;
        lines.truncate(most);
        lines.push(texts::context::and_more(more));
    }
}

fn value(part: &impl Serialize) -> Result<Value, String> {
    serde_json::to_value(part).map_err(|error| error.to_string())
}
