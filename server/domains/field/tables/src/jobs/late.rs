//! Reports that come after a job is over.

use sqlx::SqliteConnection;

use super::records::changed;
use super::{JobRecord, JobState};
use crate::FieldTablesError;
use crate::job_events::{JobEventKind, note};

/// A report that found its job over.
pub(super) struct LateArrival<'a> {
    pub(super) job: &'a JobRecord,
    pub(super) state: JobState,
    /// JSON.
    pub(super) ending: &'a str,
    pub(super) at_ms: i64,
}

impl LateArrival<'_> {
    /// Keeps the report beside the job's state, unless it says what is known, or another one was
    /// first: `None` then. The claim must be the job's last.
    pub(super) async fn keep(
        self,
        connection: &mut SqliteConnection,
    ) -> Result<Option<Box<JobRecord>>, FieldTablesError> {
        let job = self.job;
        let is_known = match self.state {
            JobState::Unknown => true,
            JobState::Refused => job.state == JobState::Refused,
            state => job.state == state && job.ending == serde_json::from_str(self.ending).ok(),
        };
        if is_known {
            return Ok(None);
        }
        let done = sqlx::query(
            "UPDATE field_jobs SET late_ms = ?, late_state = ?, late_ending = ? \
             WHERE id = ? AND state = ? AND late_ms IS NULL",
        )
        .bind(self.at_ms)
        .bind(self.state.word())
        .bind(self.ending)
        .bind(&job.id)
        .bind(job.state.word())
        .execute(&mut *connection)
        .await?;
        if done.rows_affected() == 0 {
            return Ok(None);
        }
        let kind = JobEventKind::LateReport;
        note(connection, &job.id, kind, &job.device, self.at_ms).await?;
        changed(connection, &job.id).await.map(Some)
    }
}
