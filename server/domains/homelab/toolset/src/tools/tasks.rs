//! Tool that lists the cluster's recent tasks.

mod log;

use std::{sync::Arc, time::Duration};

use agent::ports::{Progress, ReadingTool, ToolExample};
use async_trait::async_trait;
use protocol::{ErrorBody, ToolOutput};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{FAN_OUT, about_node, output, touched};
use crate::{
    cluster_access::ClusterAccess,
    out::{CutList, KnownValue, ROWS_BYTES, count, fit},
    task::{GatheredTask, TaskOutcome, tasks},
    task_kinds::plain_kind,
    texts,
    time::rfc3339,
};

const DEFAULT_LIMIT: usize = 20;
const MAX_LIMIT: usize = 50;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TasksInput {
    /// Only this node, further back. Leave out for the latest tasks of all nodes.
    #[schemars(length(min = 1, max = 63))]
    node: Option<String>,
    /// Maximum number of tasks; 20 if left out.
    #[schemars(range(min = 1, max = MAX_LIMIT))]
    limit: Option<usize>,
    /// True for failed tasks only.
    #[serde(default)]
    errors_only: bool,
}

#[derive(Debug, Serialize)]
struct TasksOut {
    #[serde(skip_serializing_if = "Option::is_none")]
    counts: Option<TaskCounts>,
    tasks: KnownValue<Vec<Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cut: Option<CutList>,
    /// The period that the list covers.
    reach: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    incomplete: Vec<String>,
}

/// Number of tasks by state: all that were read, although a result may list only the newest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
struct TaskCounts {
    total: usize,
    failed: usize,
    running: usize,
}

impl TaskCounts {
    fn of(tasks: &[GatheredTask]) -> Self {
        let count = |is: fn(&TaskOutcome) -> bool| {
            let outcomes = tasks.iter().map(|task| &task.outcome);
            outcomes.filter(|outcome| is(outcome)).count()
        };
        Self {
            total: tasks.len(),
            failed: count(TaskOutcome::is_failure),
            running: count(|outcome| *outcome == TaskOutcome::Running),
        }
    }
}

#[derive(Debug, Serialize)]
pub(crate) struct TaskOut {
    r#type: String,
    /// The type in plain English; none for a type without a name of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    what: Option<&'static str>,
    /// The guest, storage or service.
    #[serde(skip_serializing_if = "Option::is_none")]
    about: Option<String>,
    /// The guest's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    about_name: Option<String>,
    node: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    user: Option<String>,
    started_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    duration_seconds: Option<i64>,
    outcome: KnownValue<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// The UPID of a task with a `log`.
    #[serde(skip_serializing_if = "Option::is_none")]
    upid: Option<String>,
    /// The lines of its log that say what went wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    log: Option<KnownValue<Vec<String>>>,
}

pub(crate) fn task_out(task: GatheredTask) -> TaskOut {
    let (outcome, error) = match task.outcome {
        TaskOutcome::Running => (KnownValue::Value("running"), None),
        TaskOutcome::Ok => (KnownValue::Value("ok"), None),
        TaskOutcome::Warnings => (KnownValue::Value(texts::OK_WITH_WARNINGS), None),
        TaskOutcome::Failed(error) => (KnownValue::Value("failed"), Some(error)),
        TaskOutcome::Unknown(reason) => (KnownValue::unknown(reason), None),
    };
    TaskOut {
        what: plain_kind(&task.kind),
        r#type: task.kind,
        about: task.about,
        about_name: None,
        node: task.node,
        user: task.user,
        started_at: rfc3339(task.start),
        duration_seconds: task.end.map(|end| (end - task.start).max(0)),
        outcome,
        error,
        upid: None,
        log: None,
    }
}

pub(crate) struct GetRecentTasks(pub(crate) Arc<ClusterAccess>);

#[async_trait]
impl ReadingTool for GetRecentTasks {
    const NAME: &'static str = "get_recent_tasks";
    const DESCRIPTION: &'static str = "Lists the tasks of the cluster, newest first: type and what it is in plain English (such \
             as backups, starts, consoles), what it is about (usually a guest, with its name), \
             node, user, start in UTC, duration in seconds, and outcome (running, ok, ok with \
             warnings, failed with the error). `log` has the lines that say why the newest of them \
             failed or what their warnings were. Use it for questions such as \"What happened last \
             night?\", \"Did the backups work?\", \"Why did the backup fail?\" or \"Who restarted \
             100?\". `ok with warnings` is a success.";
    const TIMEOUT: Duration = FAN_OUT;
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::new("What failed in the last day?"),
        ToolExample::new("What happened on pve today?"),
        ToolExample::new("Which tasks are running?"),
    ];
    const SUGGESTED: bool = true;
    type Input = TasksInput;

    fn target(&self, input: &Value) -> Option<String> {
        about_node(input)
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        touched(input)
    }

    async fn read(&self, input: TasksInput, _: Progress) -> Result<ToolOutput, ErrorBody> {
        get_recent_tasks(&self.0, input).await
    }
}

async fn get_recent_tasks(
    access: &ClusterAccess,
    input: TasksInput,
) -> Result<ToolOutput, ErrorBody> {
    let limit = input.limit.unwrap_or(DEFAULT_LIMIT).clamp(1, MAX_LIMIT);
    let node = match &input.node {
        Some(name) => Some(access.node(name).await?),
        None => None,
    };
    let rows = async {
        match &node {
            Some(node) => {
                access
                    .api
                    .node_tasks(&node.name, limit, input.errors_only)
                    .await
            }
            None => access.api.cluster_tasks().await,
        }
    };
    if let Some(reason) = node
        .as_ref()
        .and_then(crate::cluster_access::NodeEntry::silence)
    {
        return output(
            texts::readings::tasks_unknown(&reason),
            &TasksOut {
                counts: None,
                tasks: KnownValue::unknown(reason),
                cut: None,
                reach: "nothing",
                incomplete: Vec::new(),
            },
        );
    }
    // The overview tells the guests' names; without it they have numbers alone.
    let (rows, rights, _) = futures::join!(rows, access.api.rights(), access.resources());
    let mut tasks = tasks(rows.map_err(|error| error.body())?);
    if input.errors_only {
        tasks.retain(|task| task.outcome.is_failure());
    }
    // A caller without the privilege sees only its own tasks, and no hint that there are more.
    let path = node
        .as_ref()
        .map_or("/".to_owned(), |node| format!("/nodes/{}", node.name));
    let lacks = rights.lacks(&path, &["Sys.Audit"]);
    let reach = match &node {
        Some(_) => texts::readings::NEWEST_TASKS_OF_NODE,
        None => {
            "running tasks and about the last 25 finished ones of each node; pass `node` to see more"
        }
    };
    if tasks.is_empty()
        && let Some(reason) = lacks
    {
        return output(
            texts::readings::tasks_unknown(&reason),
            &TasksOut {
                counts: None,
                tasks: KnownValue::unknown(reason),
                cut: None,
                reach,
                incomplete: Vec::new(),
            },
        );
    }
    let incomplete = lacks
        .map(|reason| texts::only_callers_tasks(&reason))
        .into_iter()
        .collect::<Vec<_>>();
    let counts = TaskCounts::of(&tasks);
    let TaskCounts {
        total: of,
        failed,
        running,
    } = counts;
    let mut summary = if input.errors_only {
        count(
            failed,
            texts::readings::FAILED_TASK,
            texts::readings::FAILED_TASKS,
        )
    } else {
        texts::readings::tasks_with_failures(&count(of, "task", "tasks"), failed)
    };
    if running > 0 {
        summary.push_str(&texts::readings::running_count(running));
    }
    if !incomplete.is_empty() {
        summary.push_str(texts::LIST_INCOMPLETE);
    }
    let hint = "raise `limit`, pass `node`, or set `errors_only`";
    tasks.truncate(limit);
    let rows = log::rows(access, tasks).await;
    let (shown, _) = fit(rows, ROWS_BYTES, hint);
    let cut = (shown.len() < of).then_some(CutList {
        shown: shown.len(),
        of,
        hint,
    });
    output(
        summary,
        &TasksOut {
            counts: Some(counts),
            tasks: KnownValue::Value(shown),
            cut,
            reach,
            incomplete,
        },
    )
}
