//! Lines of the logs of tasks that did not go well.

use futures::future::join_all;

use super::{TaskOut, task_out};
use crate::{
    cluster_access::ClusterAccess,
    out::KnownValue,
    task::{GatheredTask, TaskOutcome, Upid},
};

/// Tasks whose logs are read for one answer: each is a request.
const LOGS: usize = 4;
/// Lines that are asked for: a job over many guests has a few for each.
const READ: usize = 5_000;
/// Lines that are repeated, and characters of each.
const LINES: usize = 4;
const CHARS: usize = 200;

/// Rows of tasks, with the names of guests and the logs of the newest that did not go well.
pub(super) async fn rows(access: &ClusterAccess, tasks: Vec<GatheredTask>) -> Vec<TaskOut> {
    let is_bad =
        |task: &&GatheredTask| task.outcome.is_failure() || task.outcome == TaskOutcome::Warnings;
    let bad = tasks.iter().filter(is_bad).take(LOGS);
    let logs =
        join_all(bad.map(async |task| (task.upid.clone(), read(access, &task.upid).await))).await;
    let row = |task: GatheredTask| {
        let read = logs.iter().find(|(upid, _)| *upid == task.upid).cloned();
        let row = task_out(task);
        let guest = row.about.as_deref().and_then(|about| about.parse().ok());
        TaskOut {
            about_name: guest.and_then(|vmid| access.known_guest(vmid)?.name),
            upid: read.as_ref().map(|(upid, _)| upid.clone()),
            log: read.map(|(_, lines)| lines),
            ..row
        }
    };
    tasks.into_iter().map(row).collect()
}

async fn read(access: &ClusterAccess, upid: &str) -> KnownValue<Vec<String>> {
    let Some(upid) = Upid::parse(upid) else {
        return KnownValue::unknown("its log has no address");
    };
    match access.api.log_lines(&upid, 0, READ).await {
        Ok(lines) => KnownValue::Value(
            telling(&lines)
                .iter()
                .map(|line| named(access, line))
                .collect(),
        ),
        Err(error) => KnownValue::unknown(error.reason()),
    }
}

/// A line with the name of the guest that it tells of by number: `VM 101 (media)`.
fn named(access: &ClusterAccess, line: &str) -> String {
    let Some((before, after)) = line.split_once(" VM ").or_else(|| line.split_once(" CT ")) else {
        return line.to_owned();
    };
    let end = after
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(after.len());
    let (number, rest) = after.split_at(end);
    let guest = number
        .parse()
        .ok()
        .and_then(|vmid| access.known_guest(vmid));
    match guest.and_then(|guest| guest.name) {
        Some(name) if !rest.contains(&name) => {
            let kind = &line[before.len()..before.len() + 4];
            format!("{before}{kind}{number} ({name}){rest}")
        }
        _ => line.to_owned(),
    }
}

/// The lines that tell of trouble, else the last ones.
fn telling(lines: &[String]) -> Vec<String> {
    let is_trouble = |line: &&String| {
        let line = line.to_lowercase();
        ["error", "warn", "fail", "abort", "timeout"]
            .iter()
            .any(|sign| line.contains(sign))
    };
    let mut told: Vec<&String> = lines.iter().filter(is_trouble).collect();
    if told.is_empty() {
        told = lines
            .iter()
            .skip(lines.len().saturating_sub(LINES))
            .collect();
    }
    // The last one says how the task ended.
    if told.len() > LINES {
        told.drain(LINES - 1..told.len() - 1);
    }
    told.iter()
        .map(|line| line.chars().take(CHARS).collect())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_trouble_go_before_the_last_ones() {
        let lines = |texts: &[&str]| {
            texts
                .iter()
                .map(|&text| text.to_owned())
                .collect::<Vec<_>>()
        };
        let log = lines(&[
            "INFO: begin",
            "ERROR: no space",
            "INFO: end",
            "TASK ERROR: job errors",
        ]);
        assert_eq!(telling(&log), ["ERROR: no space", "TASK ERROR: job errors"]);
        assert_eq!(telling(&lines(&["begin", "end"])), ["begin", "end"]);
        let log = lines(&[
            "warning: 1",
            "error 2",
            "error 3",
            "error 4",
            "TASK ERROR: 5",
        ]);
        assert_eq!(
            telling(&log),
            ["warning: 1", "error 2", "error 3", "TASK ERROR: 5"]
        );
        let long = "error ".repeat(100);
        assert_eq!(telling(&lines(&[&long]))[0].chars().count(), CHARS);
    }
}
