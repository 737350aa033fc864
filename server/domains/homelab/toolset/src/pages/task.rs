//! Task with its log.

use homelab_wire::LogPage;
use protocol::{ErrorBody, Timestamp};

use super::nothing;
use crate::{
    cluster_access::ClusterAccess,
    task::{GatheredTask, TaskOutcome, Upid, tasks},
};

/// Log lines per request.
const LINES: usize = 500;

/// The state of a task, and its log from a line on.
pub(super) async fn log(
    access: &ClusterAccess,
    upid: &str,
    from: usize,
) -> Result<LogPage, ErrorBody> {
    let upid = Upid::parse(upid).ok_or_else(|| nothing("task"))?;
    // The UPID's node must be one that the cluster knows, or no request is sent.
    access.node(upid.node).await?;
    let (status, row, lines) = futures::join!(
        access.api.task_status(&upid),
        access.api.tasks_at(upid.node, upid.start),
        access.api.log_lines(&upid, from, LINES),
    );
    let status = status.map_err(|error| error.body())?;
    let lines = lines.map_err(|error| error.body())?;
    let listed = tasks(row.unwrap_or_default());
    let listed = listed.into_iter().find(|task| task.upid == upid.text);
    let ended = status.status.as_deref() == Some("stopped");
    let task = GatheredTask {
        upid: upid.text.to_owned(),
        node: upid.node.to_owned(),
        kind: upid.kind.to_owned(),
        about: (!upid.id.is_empty()).then(|| upid.id.to_owned()),
        user: Some(upid.user.to_owned()),
        start: upid.start,
        end: listed.and_then(|task| task.end),
        // The fresh state; the task's row may be a moment older.
        outcome: if ended {
            TaskOutcome::of(status.exitstatus.as_deref(), true)
        } else {
            TaskOutcome::Running
        },
    };
    Ok(LogPage {
        task: task.part(),
        from: from as u64,
        more: lines.len() >= LINES,
        lines,
        at: Timestamp(access.now().saturating_mul(1000)),
    })
}
