//! Tasks of the cluster: their rows, their UPIDs and the meaning of their exit status.

use homelab_wire::TaskPart;
use protocol::{Known, Timestamp};

use crate::{texts, wire::TaskRow};

/// A parsed UPID: `UPID:NODE:PID:PSTART:STARTTIME:TYPE:ID:USER:`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Upid<'a> {
    /// The whole UPID.
    pub text: &'a str,
    /// The node that runs the task and keeps its status and log.
    pub node: &'a str,
    /// Start time in Unix seconds.
    pub start: i64,
    pub kind: &'a str,
    /// The guest, storage or service it concerns; empty for some tasks.
    pub id: &'a str,
    /// `user@realm` or `user@realm!token`.
    pub user: &'a str,
}

impl<'a> Upid<'a> {
    pub(crate) fn parse(text: &'a str) -> Option<Self> {
        let fields: Vec<&str> = text.split(':').collect();
        let ["UPID", node, pid, pstart, start, kind, id, user, ""] = fields[..] else {
            return None;
        };
        let hex = |text: &str| i64::from_str_radix(text, 16).ok();
        hex(pid)?;
        hex(pstart)?;
        (!node.is_empty() && !kind.is_empty() && !user.is_empty()).then_some(Self {
            text,
            node,
            start: hex(start)?,
            kind,
            id,
            user,
        })
    }
}

/// State of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TaskOutcome {
    Running,
    Ok,
    /// It succeeded, with warnings.
    Warnings,
    Failed(String),
    /// It ended, but its result is unknown.
    Unknown(&'static str),
}

impl TaskOutcome {
    /// Derives the state from a row's `status`. While the task runs, the status is absent on the
    /// cluster's list and `RUNNING` on a node's.
    pub(crate) fn of(status: Option<&str>, ended: bool) -> Self {
        match status.map(str::trim) {
            None | Some("") if ended => Self::Unknown(texts::client::TASK_LEFT_NO_EXIT_STATUS),
            None | Some("" | "RUNNING" | "running") => Self::Running,
            Some("OK") => Self::Ok,
            Some(texts::client::UNEXPECTED_STATUS) => {
                Self::Unknown(texts::client::PROXMOX_LOST_TRACK_OF_TASK)
            }
            Some(text) if is_warnings(text) => Self::Warnings,
            Some(text) => Self::Failed(text.to_owned()),
        }
    }

    pub(crate) fn is_failure(&self) -> bool {
        matches!(self, Self::Failed(_))
    }
}

/// Matches `WARNINGS: 2`, but not any text that begins the same way.
fn is_warnings(text: &str) -> bool {
    text.strip_prefix("WARNINGS:")
        .map(str::trim)
        .is_some_and(|count| !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A task from its row and its UPID.
#[derive(Debug, Clone)]
pub(crate) struct GatheredTask {
    pub upid: String,
    pub node: String,
    pub kind: String,
    pub about: Option<String>,
    pub user: Option<String>,
    pub start: i64,
    pub end: Option<i64>,
    pub outcome: TaskOutcome,
}

impl GatheredTask {
    /// The part of the task for the board and the pages, without its log.
    pub(crate) fn part(&self) -> TaskPart {
        let stamp = |seconds: i64| Timestamp(seconds.saturating_mul(1000));
        let (state, error) = match &self.outcome {
            TaskOutcome::Running => (Known::Value("running".to_owned()), None),
            TaskOutcome::Ok => (Known::Value("ok".to_owned()), None),
            TaskOutcome::Warnings => (Known::Value("warnings".to_owned()), None),
            TaskOutcome::Failed(error) => (Known::Value("failed".to_owned()), Some(error.clone())),
            TaskOutcome::Unknown(reason) => (Known::unknown(*reason), None),
        };
        TaskPart {
            upid: self.upid.clone(),
            kind: self.kind.clone(),
            about: self.about.clone(),
            node: self.node.clone(),
            user: self.user.clone(),
            start: stamp(self.start),
            end: self.end.map(stamp),
            state,
            error,
            percent: None,
            line: None,
        }
    }
}

/// The tasks of the rows, newest first; rows with an invalid UPID are left out.
pub(crate) fn tasks(rows: Vec<TaskRow>) -> Vec<GatheredTask> {
    let mut tasks: Vec<GatheredTask> = rows.into_iter().filter_map(task).collect();
    tasks.sort_by(|a, b| b.start.cmp(&a.start).then_with(|| a.node.cmp(&b.node)));
    tasks
}

fn task(row: TaskRow) -> Option<GatheredTask> {
    let upid = Upid::parse(&row.upid)?;
    // A token's name is in a separate field.
    let user = match (row.user, row.tokenid) {
        (Some(user), Some(token)) if !user.contains('!') => Some(format!("{user}!{token}")),
        (Some(user), _) => Some(user),
        (None, _) => Some(upid.user.to_owned()),
    };
    Some(GatheredTask {
        upid: upid.text.to_owned(),
        node: row.node.unwrap_or_else(|| upid.node.to_owned()),
        kind: row.r#type.unwrap_or_else(|| upid.kind.to_owned()),
        about: row
            .id
            .or_else(|| (!upid.id.is_empty()).then(|| upid.id.to_owned())),
        user,
        start: row.starttime.unwrap_or(upid.start),
        end: row.endtime,
        outcome: TaskOutcome::of(row.status.as_deref(), row.endtime.is_some()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn upids() {
        let upid = |text, node, start, kind, id, user| {
            Some(Upid {
                text,
                node,
                start,
                kind,
                id,
                user,
            })
        };
        for (text, expect) in [
            (
                "UPID:pve:0000C530:001C9BEC:677E934A:vzdump:100:root@pam:",
                upid(
                    "UPID:pve:0000C530:001C9BEC:677E934A:vzdump:100:root@pam:",
                    "pve",
                    0x677E_934A,
                    "vzdump",
                    "100",
                    "root@pam",
                ),
            ),
            (
                "UPID:agent1:00000001:00000002:677E934A:aptupdate::jarvis@pve!console:",
                upid(
                    "UPID:agent1:00000001:00000002:677E934A:aptupdate::jarvis@pve!console:",
                    "agent1",
                    0x677E_934A,
                    "aptupdate",
                    "",
                    "jarvis@pve!console",
                ),
            ),
            (
                "UPID:pve:0000C530:001C9BEC:677E934A:vzdump:100:root@pam",
                None,
            ),
            ("UPID:pve:xyz:001C9BEC:677E934A:vzdump:100:root@pam:", None),
            ("UPID::0:0:0:vzdump:100:root@pam:", None),
            ("", None),
        ] {
            assert_eq!(Upid::parse(text), expect, "{text}");
        }
    }

    #[test]
    fn outcomes() {
        let failed = |text: &str| TaskOutcome::Failed(text.to_owned());
        for (status, ended, expect) in [
            (None, false, TaskOutcome::Running),
            (Some("RUNNING"), false, TaskOutcome::Running),
            (
                None,
                true,
                TaskOutcome::Unknown("the task left no exit status"),
            ),
            (Some("OK"), true, TaskOutcome::Ok),
            (Some("WARNINGS: 1"), true, TaskOutcome::Warnings),
            (Some("WARNINGS: 12"), true, TaskOutcome::Warnings),
            (Some("WARNINGS: many"), true, failed("WARNINGS: many")),
            (Some("WARNINGS: "), true, failed("WARNINGS:")),
            (
                Some("unexpected status"),
                true,
                TaskOutcome::Unknown("Proxmox lost track of the task"),
            ),
            (Some("job errors"), true, failed("job errors")),
            (Some("OK then"), true, failed("OK then")),
        ] {
            assert_eq!(TaskOutcome::of(status, ended), expect, "{status:?}");
        }
    }
}
