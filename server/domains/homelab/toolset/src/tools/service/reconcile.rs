//! Reconciliation of a restart that was interrupted by a crash.

use agent::ports::{Reconciled, ToolError, read_input};
use protocol::{ErrorBody, ErrorCode, Timestamp, ToolOutput};
use serde_json::Value;

use super::{
    RestartState, RestartWay, SeenService, allowed,
    prove::{self, ServiceProof},
    proxmox, restarted, way,
};
use crate::{cluster_access::ClusterAccess, ssh::services::stem, task::Upid, texts};

/// Possible difference between the clocks, in seconds, if the node's cannot be read; within it the
/// order of events is unknown.
const SKEW: i64 = 5;
/// The same after reading the clock, which reports whole seconds.
const ROUNDING: i64 = 1;

pub(crate) async fn reconcile(
    access: &ClusterAccess,
    input: &Value,
    since: Timestamp,
) -> Reconciled {
    let restart = match read_input(input.clone()).map(|input| allowed(access, &input)) {
        Ok(Ok(restart)) => restart,
        _ => {
            return Reconciled::Unknown(texts::service::NOT_LISTED_ANY_MORE.to_owned());
        }
    };
    let since = since.0 / 1000;
    let way = match way::find(access, &restart).await {
        Ok(way) => way,
        Err(error) => return Reconciled::Unknown(error.message),
    };
    match way {
        RestartWay::Proxmox => by_task(access, &restart, since).await,
        RestartWay::Ssh => by_start(access, &restart, since).await,
    }
}

/// Reconciles by task: through Proxmox VE a restart is a task, and without one it never began.
async fn by_task(access: &ClusterAccess, restart: &RestartState, since: i64) -> Reconciled {
    let ahead = ahead(access, restart).await;
    let (earliest, surely) = match ahead {
        Some(ahead) => (since + ahead - ROUNDING, since + ahead - ROUNDING),
        None => (since - SKEW, since),
    };
    let upids = match proxmox::begun(access, restart, earliest, since).await {
        Ok(upids) => upids,
        Err(error) => {
            return Reconciled::Unknown(texts::service::tasks_cannot_be_read(&error.reason()));
        }
    };
    // The oldest: a later one is somebody else's.
    let tasks = upids.iter().filter_map(|text| Upid::parse(text));
    let Some(task) = tasks.min_by_key(|upid| upid.start) else {
        if ahead.is_none() {
            return Reconciled::Unknown(texts::service::no_task_by_our_clock(&restart.node));
        }
        return Reconciled::NotDone(texts::service::node_has_no_task(
            &restart.node,
            stem(&restart.unit),
        ));
    };
    if task.start < surely {
        return Reconciled::Unknown(texts::service::RESTART_AT_ABOUT_THAT_TIME.to_owned());
    }
    match proxmox::ended(restart, proxmox::follow(access, task.text).await) {
        Ok(()) => done(proxmox::up(access, restart, &RestartWay::Proxmox, None).await),
        Err(error) => done(Err(error)),
    }
}

/// The offset of the node's clock from ours, in seconds; `None` if it cannot be read.
async fn ahead(access: &ClusterAccess, restart: &RestartState) -> Option<i64> {
    let time = access.api.node_time(&restart.node).await.ok()?;
    time.map(|time| time - access.now())
}

/// Reconciles by the time of the last start, which is all that SSH shows.
async fn by_start(access: &ClusterAccess, restart: &RestartState, since: i64) -> Reconciled {
    let shown = match prove::prove(access, restart, None).await {
        ServiceProof::Restarted(shown) => shown,
        ServiceProof::Same => {
            return Reconciled::Unknown(texts::service::IT_CANNOT_BE_TOLD.to_owned());
        }
        // The service is down for an unknown reason.
        ServiceProof::Down(_) => {
            return Reconciled::Unknown(texts::service::SERVICE_IS_DOWN.to_owned());
        }
        ServiceProof::Unsure(why) => return Reconciled::Unknown(texts::service::last_check(&why)),
    };
    let Some(start) = shown.active_since else {
        return Reconciled::Unknown(texts::service::START_IS_UNKNOWN.to_owned());
    };
    let at = crate::time::rfc3339(start);
    let Some(ahead) = ahead(access, restart).await else {
        return Reconciled::Unknown(texts::service::running_by_another_clock(&at, &restart.node));
    };
    // The request was recorded before it was sent, so a start it caused is never earlier.
    if start < since + ahead - ROUNDING {
        return Reconciled::NotDone(texts::service::running_since_before_the_order(&at));
    }
    let proof = texts::service::started_after_the_order(&at);
    let seen = SeenService::from(&shown);
    done(restarted(restart, &RestartWay::Ssh, None, seen, proof))
}

/// Passes on a result; an unknown outcome stays unknown.
fn done(result: Result<ToolOutput, ErrorBody>) -> Reconciled {
    match result {
        Err(error) if error.code == ErrorCode::ToolOutcomeUnknown => {
            Reconciled::Unknown(error.message)
        }
        result => Reconciled::Done(result.map_err(ToolError)),
    }
}
