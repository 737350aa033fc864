//! A person records the outcome of a job that the server could not determine.

use serde_json::json;

use super::records::changed;
use super::{JobRecord, JobState};
use crate::columns::words;
use crate::error::fits;
use crate::history::HistoryAct;
use crate::job_events::{JobEventKind, note};
use crate::limits::MOST_NAME;
use crate::{FieldTables, FieldTablesError, HistoryAction};

/// A person's finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobResolution {
    Ran,
    DidNotRun,
    CannotTell,
}

words!(JobResolution {
    Ran = "ran",
    DidNotRun = "did_not_run",
    CannotTell = "cannot_tell",
});

/// Outcome of a resolution.
#[derive(Debug, Clone, PartialEq)]
pub enum ResolveOutcome {
    /// The job stays unknown, and never runs again, whatever the finding.
    Resolved(Box<JobRecord>),
    /// Somebody found out before, or could not tell and says so once more.
    AlreadyResolved(Box<JobRecord>),
    /// Its outcome is not unknown.
    NotUnknown(Box<JobRecord>),
}

impl FieldTables {
    /// Notes what a person found out about a job whose outcome is unknown. That nobody can tell is no
    /// finding: whoever finds out later says so, and both are in the history.
    ///
    /// # Errors
    /// There is no such job, the note is too long, or the database fails.
    pub async fn resolve_job(
        &self,
        job: &str,
        resolution: JobResolution,
        remark: &str,
        by: &str,
        at_ms: i64,
    ) -> Result<ResolveOutcome, FieldTablesError> {
        fits("a remark", remark.len(), MOST_NAME)?;
        let mut writer = self.0.writer().await;
        let mut change = writer.begin_durable("a resolved job").await?;
        let connection = change.connection();
        let done = sqlx::query(
            "UPDATE field_jobs SET resolution = ?1, resolved_by = ?2, resolved_ms = ?3 \
             WHERE id = ?4 AND state = 'unknown' AND (resolved_ms IS NULL \
             OR (resolution = 'cannot_tell' AND ?1 <> 'cannot_tell'))",
        )
        .bind(resolution.word())
        .bind(by)
        .bind(at_ms)
        .bind(job)
        .execute(&mut *connection)
        .await?;
        let now = changed(connection, job).await?;
        if done.rows_affected() == 0 {
            return Ok(match now.state {
                JobState::Unknown => ResolveOutcome::AlreadyResolved(now),
                _ => ResolveOutcome::NotUnknown(now),
            });
        }
        note(connection, job, JobEventKind::Resolved, by, at_ms).await?;
        let act = HistoryAct {
            at_ms,
            actor: by,
            action: HistoryAction::JobResolved,
            subject: job,
            detail: json!({ "resolution": resolution.word(), "remark": remark }),
        };
        act.record(connection).await?;
        change.commit().await?;
        Ok(ResolveOutcome::Resolved(now))
    }
}
