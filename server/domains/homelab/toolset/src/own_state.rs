//! Resources with each VM's QMP status, read from the nodes because the cluster's list shows a
//! paused VM as running.

use std::{collections::HashMap, time::Duration};

use futures::future::join_all;

use crate::{
    api::{Api, EntryKind},
    error::ProxmoxError,
    guest_state::has_process,
    wire::{GuestRow, ResourceRow},
};

/// Time limit for a node's list of VMs while a tool call waits.
pub(crate) const PATIENCE: Duration = Duration::from_secs(3);

/// The QMP status of each VM of a node, by id.
pub(crate) type Words = HashMap<i64, String>;

pub(crate) fn words(rows: Vec<GuestRow>) -> Words {
    let words = rows
        .into_iter()
        .filter_map(|row| Some((row.vmid?, row.qmpstatus?)));
    words.collect()
}

/// Returns whether the row is a VM with a process: only those have a QMP status.
pub(crate) fn has_word(row: &ResourceRow) -> bool {
    row.r#type == "qemu" && has_process(row.status.as_deref())
}

/// The resources of the cluster. If a node does not answer in time, its VMs stay as listed: running
/// as far as is known.
pub(crate) async fn resources(
    api: &Api,
    patience: Duration,
) -> Result<Vec<ResourceRow>, ProxmoxError> {
    Ok(with_words(api, api.resources().await?, patience).await)
}

/// The same rows with each running VM's QMP status.
pub(crate) async fn with_words(
    api: &Api,
    mut rows: Vec<ResourceRow>,
    patience: Duration,
) -> Vec<ResourceRow> {
    let with_vms = rows.iter().filter(|row| has_word(row));
    let mut nodes: Vec<String> = with_vms.filter_map(|row| row.node.clone()).collect();
    nodes.sort();
    nodes.dedup();
    let asked = nodes.iter().map(|node| async move {
        let answer = tokio::time::timeout(patience, api.guests(node, EntryKind::Qemu)).await;
        match answer {
            Ok(Ok(rows)) => words(rows),
            Ok(Err(_)) | Err(_) => Words::new(),
        }
    });
    let known = join_all(asked).await;
    for row in rows.iter_mut().filter(|row| has_word(row)) {
        let words = nodes
            .iter()
            .position(|node| row.node.as_ref() == Some(node))
            .and_then(|at| known.get(at));
        row.qmpstatus = words.and_then(|words| words.get(&row.vmid?).cloned());
    }
    rows
}
