//! Tool that lists storages, with a shared one counted once for all its nodes.

use std::{sync::Arc, time::Duration};

use agent::ports::{Progress, ReadingTool, ToolExample};
use async_trait::async_trait;
use protocol::{ErrorBody, ToolOutput};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{FAN_OUT, about_node, output, touched};
use crate::{
    cluster_access::{ClusterAccess, each},
    out::{CutList, KnownValue, ROWS_BYTES, count, fit, share},
    texts,
    wire::{ResourceRow, StorageRow},
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StorageInput {
    /// Only the storages of this node. Leave out for all nodes.
    #[schemars(length(min = 1, max = 63))]
    node: Option<String>,
}

#[derive(Debug, Serialize)]
struct StoragesOut {
    /// Sum over the available storages, with each shared one counted once.
    used_bytes: KnownValue<i64>,
    total_bytes: KnownValue<i64>,
    storages: KnownValue<Vec<Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cut: Option<CutList>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    incomplete: Vec<String>,
}

#[derive(Debug, Clone, Serialize)]
struct StorageOut {
    storage: String,
    r#type: KnownValue<String>,
    shared: bool,
    /// The nodes that see it, or the only one that has it.
    nodes: Vec<String>,
    state: KnownValue<&'static str>,
    /// The nodes on which a shared storage is not available.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unavailable_on: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<Size>,
    content: Vec<String>,
}

#[derive(Debug, Clone, Serialize)]
struct Size {
    used_bytes: KnownValue<i64>,
    free_bytes: KnownValue<i64>,
    total_bytes: KnownValue<i64>,
    used_percent: KnownValue<f64>,
}

const AVAILABLE: &str = "available";

fn content_of(content: Option<&str>) -> Vec<String> {
    content
        .into_iter()
        .flat_map(|content| content.split(','))
        .map(str::trim)
        .filter(|kind| !kind.is_empty())
        .map(str::to_owned)
        .collect()
}

fn live(row: StorageRow, node: &str) -> StorageOut {
    let state = match (row.enabled, row.active) {
        (Some(false), _) => KnownValue::Value("disabled"),
        (_, Some(true)) => KnownValue::Value(AVAILABLE),
        (_, Some(false)) => KnownValue::Value("unavailable"),
        (_, None) => KnownValue::unknown(texts::NOT_REPORTED),
    };
    // An unavailable storage reports zeros.
    let size = (state.value() == Some(&AVAILABLE)).then(|| Size {
        used_bytes: KnownValue::reported(row.used),
        free_bytes: KnownValue::reported(row.avail),
        total_bytes: KnownValue::reported(row.total),
        used_percent: KnownValue::reported(share(row.used, row.total)),
    });
    StorageOut {
        storage: row.storage,
        r#type: KnownValue::reported(row.r#type),
        shared: row.shared == Some(true),
        nodes: vec![node.to_owned()],
        unavailable_on: Vec::new(),
        state,
        size,
        content: content_of(row.content.as_deref()),
    }
}

fn remembered(row: &ResourceRow, reason: &str) -> Option<StorageOut> {
    Some(StorageOut {
        storage: row.storage.clone()?,
        r#type: KnownValue::reported(row.plugintype.clone()),
        shared: row.shared == Some(true),
        nodes: vec![row.node.clone()?],
        state: KnownValue::unknown(reason),
        unavailable_on: Vec::new(),
        size: None,
        content: content_of(row.content.as_deref()),
    })
}

/// Merges the nodes' rows of a shared storage into one; a node on which it is available takes
/// precedence.
fn merge(rows: Vec<StorageOut>) -> Vec<StorageOut> {
    let mut merged: Vec<StorageOut> = Vec::new();
    for row in rows {
        let twin = merged
            .iter_mut()
            .find(|other| row.shared && other.shared && other.storage == row.storage);
        let Some(twin) = twin else {
            merged.push(row);
            continue;
        };
        let nodes = [std::mem::take(&mut twin.nodes), row.nodes.clone()].concat();
        let mut unavailable = std::mem::take(&mut twin.unavailable_on);
        let available = |row: &StorageOut| row.state.value() == Some(&AVAILABLE);
        match (available(twin), available(&row)) {
            (true, false) if row.state.value().is_some() => unavailable.extend(row.nodes),
            (false, true) => {
                if twin.state.value().is_some() {
                    unavailable.extend(nodes.iter().take(nodes.len() - 1).cloned());
                }
                *twin = row;
            }
            (false, false) if twin.state.value().is_none() => *twin = row,
            _ => {}
        }
        twin.nodes = nodes;
        twin.unavailable_on = unavailable;
    }
    merged.sort_by(|a, b| (&a.storage, &a.nodes).cmp(&(&b.storage, &b.nodes)));
    merged
}

pub(crate) struct GetStorage(pub(crate) Arc<ClusterAccess>);

#[async_trait]
impl ReadingTool for GetStorage {
    const NAME: &'static str = "get_storage";
    const DESCRIPTION: &'static str = "Lists the storages with type, the nodes that see them, state (available, unavailable, \
             disabled), used, free and total bytes, percent used, and what they hold (images, \
             rootdir, backup, iso, vztmpl). A shared storage is listed and counted once. Use it \
             for questions about space, such as \"Is any disk nearly full?\". The backups on a \
             storage are in get_backups.";
    const TIMEOUT: Duration = FAN_OUT;
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::new("Is any storage filling up?"),
        ToolExample::new("Which storage is the fullest?"),
        ToolExample::new("How much space is left on pve?"),
    ];
    const SUGGESTED: bool = true;
    type Input = StorageInput;

    fn target(&self, input: &Value) -> Option<String> {
        about_node(input)
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        touched(input)
    }

    async fn read(&self, input: StorageInput, _: Progress) -> Result<ToolOutput, ErrorBody> {
        get_storage(&self.0, input).await
    }
}

async fn get_storage(access: &ClusterAccess, input: StorageInput) -> Result<ToolOutput, ErrorBody> {
    let nodes = access.chosen(input.node.as_deref()).await?;
    let (answers, resources, rights) = futures::join!(
        each(&nodes, |node| access.api.storages(&node.name)),
        access.api.resources(),
        access.api.rights(),
    );
    let mut incomplete =
        rights.lacks_below("/storage", &["Datastore.Audit", "Datastore.AllocateSpace"]);
    let mut rows = Vec::new();
    for (node, answer) in answers? {
        match (answer, &resources) {
            (Ok(storages), _) => {
                rows.extend(storages.into_iter().map(|row| live(row, &node.name)));
            }
            (Err(reason), Ok(resources)) => {
                let mine = resources.iter().filter(|row| {
                    row.r#type == "storage" && row.node.as_deref() == Some(&node.name)
                });
                rows.extend(mine.filter_map(|row| remembered(row, &reason)));
            }
            (Err(reason), Err(_)) => incomplete.push(reason),
        }
    }
    let storages = merge(rows);
    if storages.is_empty() && !incomplete.is_empty() {
        let reason = incomplete.join("; ");
        return output(
            texts::readings::storages_unknown(&reason),
            &StoragesOut {
                used_bytes: KnownValue::unknown(reason.clone()),
                total_bytes: KnownValue::unknown(reason.clone()),
                storages: KnownValue::unknown(reason),
                cut: None,
                incomplete: Vec::new(),
            },
        );
    }
    let sum = |pick: fn(&Size) -> &KnownValue<i64>| {
        let sizes = storages.iter().filter_map(|row| row.size.as_ref());
        sizes.filter_map(|size| pick(size).value()).sum::<i64>()
    };
    let (used, total) = (sum(|size| &size.used_bytes), sum(|size| &size.total_bytes));
    let mut summary = count(storages.len(), "storage", "storages");
    let percent = |row: &StorageOut| row.size.as_ref()?.used_percent.value().copied();
    let fullest = storages
        .iter()
        .filter_map(|row| Some((row, percent(row)?)))
        .max_by(|(_, a), (_, b)| a.total_cmp(b));
    if let Some((row, percent)) = fullest {
        let on = match (row.shared, row.nodes.first()) {
            (false, Some(node)) => format!(" on {node}"),
            _ => String::new(),
        };
        summary.push_str(&texts::readings::fullest_at(
            &row.storage,
            &on,
            &units::percent(percent),
        ));
    }
    let gone = storages.iter().filter(|row| row.size.is_none()).count();
    if gone > 0 {
        summary.push_str(&texts::readings::not_available(gone));
    }
    if !incomplete.is_empty() {
        summary.push_str(texts::LIST_INCOMPLETE);
    }
    let any = storages.iter().any(|row| row.size.is_some());
    let none = texts::readings::NO_STORAGE_IS_AVAILABLE;
    let (storages, cut) = fit(
        storages,
        ROWS_BYTES,
        "pass `node` to see the storages of one node",
    );
    output(
        summary,
        &StoragesOut {
            used_bytes: KnownValue::or(any.then_some(used), none),
            total_bytes: KnownValue::or(any.then_some(total), none),
            storages: KnownValue::Value(storages),
            cut,
            incomplete,
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(node: &str, active: bool, shared: bool) -> StorageOut {
        let row = StorageRow {
            storage: "nas".to_owned(),
            r#type: Some("nfs".to_owned()),
            content: Some("backup,iso".to_owned()),
            active: Some(active),
            enabled: Some(true),
            shared: Some(shared),
            total: Some(100),
            used: Some(40),
            avail: Some(60),
        };
        live(row, node)
    }

    /// Nodes, state, nodes on which it is unavailable, and whether its size is known.
    type Seen<'a> = (&'a [&'a str], KnownValue<&'static str>, &'a [&'a str], bool);

    fn check(rows: Vec<StorageOut>, expect: &[Seen<'_>]) {
        let merged = merge(rows);
        let seen: Vec<_> = merged
            .iter()
            .map(|row| {
                let nodes: Vec<&str> = row.nodes.iter().map(String::as_str).collect();
                let unavailable: Vec<&str> =
                    row.unavailable_on.iter().map(String::as_str).collect();
                (nodes, row.state.clone(), unavailable, row.size.is_some())
            })
            .collect();
        let expect: Vec<_> = expect
            .iter()
            .map(|(nodes, state, unavailable, size)| {
                (nodes.to_vec(), state.clone(), unavailable.to_vec(), *size)
            })
            .collect();
        assert_eq!(seen, expect);
    }

    #[test]
    fn a_shared_storage_counts_once() {
        let available = KnownValue::Value("available");
        let unavailable = KnownValue::Value("unavailable");
        check(
            vec![row("a", true, true), row("b", true, true)],
            &[(&["a", "b"], available.clone(), &[], true)],
        );
        check(
            vec![
                row("a", false, true),
                row("b", true, true),
                row("c", false, true),
            ],
            &[(&["a", "b", "c"], available.clone(), &["a", "c"], true)],
        );
        check(
            vec![row("a", false, true), row("b", false, true)],
            &[(&["a", "b"], unavailable, &[], false)],
        );
        check(
            vec![row("a", true, false), row("b", true, false)],
            &[
                (&["a"], available.clone(), &[], true),
                (&["b"], available, &[], true),
            ],
        );
    }
}
