//! Task parts: all running tasks, the newest that ended, and those that failed recently.

use homelab_wire::TaskPart;

use crate::{
    board::seen::SeenTasks,
    cluster_access::ClusterAccess,
    task::{GatheredTask, TaskOutcome},
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
        ..task.part()
    }
}
