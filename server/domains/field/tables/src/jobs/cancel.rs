//! A person cancels a job, or the server refuses to let it start.

use serde_json::{Value, json};
use sqlx::SqliteConnection;

use super::records::changed;
use super::{JobRecord, JobState};
use crate::columns::json as to_json;
use crate::error::fits;
use crate::history::HistoryAct;
use crate::job_events::{JobEventKind, note};
use crate::limits::MOST_NAME;
use crate::{FieldTables, FieldTablesError, HistoryAction};

/// The reason of a cancellation that comes with the suspension of a device.
const SUSPENDED: &str = "device suspended";

/// Outcome of a cancellation.
#[derive(Debug, Clone, PartialEq)]
pub enum CancelOutcome {
    /// It did not start, and never will.
    Cancelled(Box<JobRecord>),
    /// It may have begun: its device is asked to end it, and says how it ended.
    Asked(Box<JobRecord>),
    /// Somebody asked before.
    AlreadyAsked(Box<JobRecord>),
    /// It was over.
    Over(Box<JobRecord>),
}

/// Outcome of a refusal by the server.
#[derive(Debug, Clone, PartialEq)]
pub enum RefuseOutcome {
    Refused(Box<JobRecord>),
    /// The server has said go, or the job is over.
    TooLate(Box<JobRecord>),
}

impl FieldTables {
    /// Cancels a job, or asks its device to.
    ///
    /// # Errors
    /// There is no such job, the reason is too long, or the database fails.
    pub async fn cancel_job(
        &self,
        job: &str,
        reason: &str,
        by: &str,
        at_ms: i64,
    ) -> Result<CancelOutcome, FieldTablesError> {
        fits("a reason", reason.len(), MOST_NAME)?;
        self.settle_job(job, at_ms).await?;
        let mut writer = self.0.writer().await;
        let mut change = writer.begin_durable("a cancelled job").await?;
        let connection = change.connection();
        let ending = json!({ "by": by, "code": "cancelled", "reason": reason });
        let outcome = if cancel(connection, job, &ending, by, at_ms).await? {
            CancelOutcome::Cancelled(changed(connection, job).await?)
        } else if ask(connection, job, by, at_ms).await? {
            CancelOutcome::Asked(changed(connection, job).await?)
        } else {
            let now = changed(connection, job).await?;
            return Ok(match now.state {
                JobState::Running => CancelOutcome::AlreadyAsked(now),
                _ => CancelOutcome::Over(now),
            });
        };
        let act = HistoryAct {
            at_ms,
            actor: by,
            action: HistoryAction::JobCancelled,
            subject: job,
            detail: json!({ "reason": reason }),
        };
        act.record(connection).await?;
        change.commit().await?;
        Ok(outcome)
    }

    /// Refuses a job that has not started: an approval was withdrawn, the policy is stricter now, the
    /// package has expired. `by`: a user's identifier, or `server`.
    ///
    /// # Errors
    /// There is no such job, the ending is too large, or the database fails.
    pub async fn refuse_job(
        &self,
        job: &str,
        ending: &Value,
        by: &str,
        at_ms: i64,
    ) -> Result<RefuseOutcome, FieldTablesError> {
        let text = to_json("the end of a job", ending)?;
        self.settle_job(job, at_ms).await?;
        let mut writer = self.0.writer().await;
        let mut change = writer.begin_durable("a refused job").await?;
        let connection = change.connection();
        let done = sqlx::query(
            "UPDATE field_jobs SET state = 'refused', ended_ms = ?, ending = ? \
             WHERE id = ? AND state IN ('queued', 'claimed')",
        )
        .bind(at_ms)
        .bind(text)
        .bind(job)
        .execute(&mut *connection)
        .await?;
        let now = changed(connection, job).await?;
        if done.rows_affected() == 0 {
            return Ok(RefuseOutcome::TooLate(now));
        }
        note(connection, job, JobEventKind::Refused, by, at_ms).await?;
        let act = HistoryAct {
            at_ms,
            actor: by,
            action: HistoryAction::JobRefused,
            subject: job,
            detail: json!({ "code": ending.get("code") }),
        };
        act.record(connection).await?;
        change.commit().await?;
        Ok(RefuseOutcome::Refused(now))
    }
}

/// Cancels the jobs of a device that have not started. Their number is the answer.
pub(crate) async fn cancel_waiting_jobs(
    connection: &mut SqliteConnection,
    device: &str,
    by: &str,
    at_ms: i64,
) -> Result<usize, FieldTablesError> {
    let jobs: Vec<String> = sqlx::query_scalar(
        "SELECT id FROM field_jobs \
         WHERE device = ? AND ended_ms IS NULL AND state IN ('queued', 'claimed')",
    )
    .bind(device)
    .fetch_all(&mut *connection)
    .await?;
    let ending = json!({ "by": by, "code": "device_retired" });
    for job in &jobs {
        cancel(connection, job, &ending, by, at_ms).await?;
    }
    Ok(jobs.len())
}

/// Asks a device that is suspended to end the job that runs on it. None if none does.
pub(crate) async fn ask_running_job(
    connection: &mut SqliteConnection,
    device: &str,
    by: &str,
    at_ms: i64,
) -> Result<Option<String>, FieldTablesError> {
    // One at most runs on a device.
    let job: Option<String> =
        sqlx::query_scalar("SELECT id FROM field_jobs WHERE device = ? AND state = 'running'")
            .bind(device)
            .fetch_optional(&mut *connection)
            .await?;
    let Some(job) = job else {
        return Ok(None);
    };
    // A person may have asked before: that stays, with its reason.
    if ask(connection, &job, by, at_ms).await? {
        let act = HistoryAct {
            at_ms,
            actor: by,
            action: HistoryAction::JobCancelled,
            subject: &job,
            detail: json!({ "reason": SUSPENDED }),
        };
        act.record(connection).await?;
    }
    Ok(Some(job))
}

/// Cancels a job that has not started.
async fn cancel(
    connection: &mut SqliteConnection,
    job: &str,
    ending: &Value,
    by: &str,
    at_ms: i64,
) -> Result<bool, FieldTablesError> {
    let ending = to_json("the end of a job", ending)?;
    let done = sqlx::query(
        "UPDATE field_jobs SET state = 'cancelled', ended_ms = ?1, ending = ?2, \
         cancel_asked_ms = ?1, cancel_asked_by = ?3 WHERE id = ?4 AND state IN ('queued', 'claimed')",
    )
    .bind(at_ms)
    .bind(ending)
    .bind(by)
    .bind(job)
    .execute(&mut *connection)
    .await?;
    if done.rows_affected() == 0 {
        return Ok(false);
    }
    note(connection, job, JobEventKind::Cancelled, by, at_ms).await?;
    Ok(true)
}

/// Notes that a job that may have begun should be ended.
async fn ask(
    connection: &mut SqliteConnection,
    job: &str,
    by: &str,
    at_ms: i64,
) -> Result<bool, FieldTablesError> {
    let done = sqlx::query(
        "UPDATE field_jobs SET cancel_asked_ms = ?, cancel_asked_by = ? \
         WHERE id = ? AND state = 'running' AND cancel_asked_ms IS NULL",
    )
    .bind(at_ms)
    .bind(by)
    .bind(job)
    .execute(&mut *connection)
    .await?;
    if done.rows_affected() == 0 {
        return Ok(false);
    }
    note(connection, job, JobEventKind::CancelAsked, by, at_ms).await?;
    Ok(true)
}
