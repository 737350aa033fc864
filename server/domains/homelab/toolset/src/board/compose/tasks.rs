//! Task parts: all running tasks, the newest that ended, and those that failed recently.

use homelab_wire::TaskPart;
use protocol::Known;

use super::stamp;
use crate::{
    board::seen::SeenTasks, cluster_access::ClusterAccess, task::TaskOutcome, tools::GatheredTask,
};

/// Ended tasks shown.
const ENDED: usize = 8;
/// Failed tasks shown beyond those.
const FAILED: usize = 12;

pub(super) fn parts(access: &ClusterAccess, seen: &SeenTasks) -> Vec<TaskPart> {
    let Some(tasks) = seen.tasks.value() else {
        return Vec::new();
    };
    let (running, mut ended): (Vec<&GatheredTask>, Vec<&GatheredTask>) = tasks
        .iter()
        .partition(|task| task.outcome == TaskOutcome::Running);
    ended.sort_by_key(|task| std::cmp::Reverse(task.end));
    let older = ended.split_off(ENDED.min(ended.len()));
    let since = access.now() - i64::from(access.config.notices.task_hours) * 3_600;
    let failed = older
        .into_iter()
        .filter(|task| task.outcome.is_failure() && task.end.is_some_and(|end| end >= since));
    running
        .into_iter()
        .chain(ended)
        .chain(failed.take(FAILED))
        .map(|task| part(seen, task))
        .collect()
}

fn part(seen: &SeenTasks, task: &GatheredTask) -> TaskPart {
    let log = seen.logs.get(&task.upid);
    TaskPart {
        percent: log.and_then(|log| log.percent),
        line: log.and_then(|log| log.line.clone()),
        ..task_part(task)
    }
}

/// Builds the part of a task, without its log.
pub(crate) fn task_part(task: &GatheredTask) -> TaskPart {
    let (state, error) = match &task.outcome {
        TaskOutcome::Running => (Known::Value("running".to_owned()), None),
        TaskOutcome::Ok => (Known::Value("ok".to_owned()), None),
        TaskOutcome::Warnings => (Known::Value("warnings".to_owned()), None),
        TaskOutcome::Failed(error) => (Known::Value("failed".to_owned()), Some(error.clone())),
        TaskOutcome::Unknown(reason) => (Known::unknown(*reason), None),
    };
    TaskPart {
        upid: task.upid.clone(),
        kind: task.kind.clone(),
        about: task.about.clone(),
        node: task.node.clone(),
        user: task.user.clone(),
        start: stamp(task.start),
        end: task.end.map(stamp),
        state,
        error,
        percent: None,
        line: None,
    }
}
