//! Search for the task of an order whose answer is unknown: by type, guest, user and start.

use std::{collections::BTreeSet, time::Duration};

use super::order::{PowerOrder, PowerStep};
use crate::{cluster_access::ClusterAccess, error::ProxmoxError, task::Upid};

/// Tolerance in seconds for the clocks of a cluster, which are synchronised, and for the second by
/// which a UPID is rounded down.
pub(super) const SKEW: i64 = 3;

/// The UPIDs of the tasks on the order's node that this step may have started, oldest first.
/// `since` is in Unix seconds of the node's clock.
pub(super) async fn candidates(
    access: &ClusterAccess,
    order: &PowerOrder,
    step: PowerStep,
    since: Option<i64>,
) -> Result<Vec<String>, ProxmoxError> {
    let rows = access
        .api
        .tasks_about(&order.node, order.vmid, since)
        .await?;
    let id = order.vmid.to_string();
    let kinds = step.tasks(order.kind);
    let mut found: Vec<(i64, String)> = rows
        .into_iter()
        .filter_map(|row| {
            let upid = Upid::parse(&row.upid)?;
            let ours = kinds.contains(&upid.kind)
                && upid.id == id
                && upid.user == access.api.caller()
                && since.is_none_or(|since| upid.start >= since);
            ours.then(|| (upid.start, row.upid.clone()))
        })
        .collect();
    found.sort();
    Ok(found.into_iter().map(|(_, upid)| upid).collect())
}

/// Polls for a task that was not there before, because it may start after the answer was lost.
/// `Ok(None)` means that the last poll was answered and none had found it.
pub(super) async fn appeared(
    access: &ClusterAccess,
    order: &PowerOrder,
    step: PowerStep,
    before: &BTreeSet<String>,
    looks: u32,
) -> Result<Option<String>, ProxmoxError> {
    let mut last = Ok(None);
    for look in 0..looks.max(1) {
        if look > 0 {
            pause(access).await;
        }
        last = match candidates(access, order, step, None).await {
            Ok(found) => match found.into_iter().find(|upid| !before.contains(upid)) {
                Some(upid) => return Ok(Some(upid)),
                None => Ok(None),
            },
            Err(error) => Err(error),
        };
    }
    last
}

/// The offset of the node's clock from ours, in seconds; `None` if it cannot be read.
pub(super) async fn ahead(access: &ClusterAccess, order: &PowerOrder) -> Option<i64> {
    let time = access.api.node_time(&order.node).await.ok()?;
    time.map(|node| node - access.now())
}

/// Waits for one polling interval.
pub(super) async fn pause(access: &ClusterAccess) {
    tokio::time::sleep(Duration::from_millis(access.config.poll_ms)).await;
}
