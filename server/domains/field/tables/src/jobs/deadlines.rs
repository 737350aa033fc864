//! What time does to jobs: claims that are not renewed, jobs that nobody takes, results that do not
//! come.

use serde_json::json;
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use super::records::changed;
use super::{JobRecord, JobState};
use crate::columns::{count, json as to_json, words};
use crate::job_events::{JobEventKind, note};
use crate::{FieldTables, FieldTablesError};

/// Change that is due for a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DueKind {
    /// Its claim was not renewed: back into the queue.
    Lapse,
    /// Nobody took it in time: not delivered.
    Undelivered,
    /// No result came in time: unknown.
    Overdue,
}

words!(DueKind {
    Lapse = "lapse",
    Undelivered = "undelivered",
    Overdue = "overdue",
});

/// A job for which a change is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueJob {
    pub job: String,
    pub epoch: u64,
    pub kind: DueKind,
}

/// The jobs for which a change is due, of a selection.
macro_rules! due {
    ($which:literal) => {
        concat!(
            "SELECT id, epoch, CASE state WHEN 'claimed' THEN 'lapse' \
             WHEN 'queued' THEN 'undelivered' ELSE 'overdue' END AS kind FROM field_jobs \
             WHERE due_ms <= ?1 AND ",
            $which,
            " ORDER BY due_ms, number",
        )
    };
}

impl FieldTables {
    /// The jobs for which a change is due, the longest first.
    ///
    /// # Errors
    /// The database fails.
    pub async fn due_jobs(&self, at_ms: i64, limit: u32) -> Result<Vec<DueJob>, FieldTablesError> {
        let rows = sqlx::query(concat!(due!("?2 >= 0"), " LIMIT ?2"))
            .bind(at_ms)
            .bind(limit)
            .fetch_all(self.0.readers())
            .await?;
        rows.iter().map(read_due).collect()
    }

    /// Makes the changes that are due, each in a transaction of its own, and answers with those jobs
    /// as they are now. One that changed in between is left alone.
    ///
    /// # Errors
    /// The database fails.
    pub async fn settle_due_jobs(
        &self,
        at_ms: i64,
        limit: u32,
    ) -> Result<Vec<JobRecord>, FieldTablesError> {
        let mut settled = Vec::new();
        for due in self.due_jobs(at_ms, limit).await? {
            settled.extend(self.settle(&due, at_ms).await?.map(|job| *job));
        }
        Ok(settled)
    }

    /// Makes the change that is due for one job. Each act of a device or a person begins with it, so
    /// that its outcome does not depend on when somebody last looked at the clock.
    ///
    /// # Errors
    /// The database fails.
    pub async fn settle_job(&self, job: &str, at_ms: i64) -> Result<(), FieldTablesError> {
        let row = sqlx::query(due!("id = ?2"))
            .bind(at_ms)
            .bind(job)
            .fetch_optional(self.0.readers())
            .await?;
        if let Some(due) = row.as_ref().map(read_due).transpose()? {
            self.settle(&due, at_ms).await?;
        }
        Ok(())
    }

    /// Makes the changes that are due for the jobs of a device.
    pub(super) async fn settle_device(
        &self,
        device: &str,
        at_ms: i64,
    ) -> Result<(), FieldTablesError> {
        let rows = sqlx::query(due!("device = ?2 AND ended_ms IS NULL"))
            .bind(at_ms)
            .bind(device)
            .fetch_all(self.0.readers())
            .await?;
        for row in &rows {
            self.settle(&read_due(row)?, at_ms).await?;
        }
        Ok(())
    }

    async fn settle(
        &self,
        due: &DueJob,
        at_ms: i64,
    ) -> Result<Option<Box<JobRecord>>, FieldTablesError> {
        match due.kind {
            DueKind::Lapse => {
                let back = self.lapse_claim(&due.job, due.epoch, at_ms).await?;
                // Its time in the queue may be over as well.
                let gone = self.give_up_delivery(&due.job, at_ms).await?;
                Ok(gone.or(back))
            }
            DueKind::Undelivered => self.give_up_delivery(&due.job, at_ms).await,
            DueKind::Overdue => self.give_up_result(&due.job, at_ms).await,
        }
    }

    /// Ends a job that nobody took in time. That it did not run is certain. `None` if nothing
    /// changed.
    ///
    /// # Errors
    /// The database fails.
    pub async fn give_up_delivery(
        &self,
        job: &str,
        at_ms: i64,
    ) -> Result<Option<Box<JobRecord>>, FieldTablesError> {
        let mut writer = self.0.writer().await;
        let mut change = writer.begin_durable("a job that was not delivered").await?;
        let connection = change.connection();
        let state = JobState::NotDelivered;
        if !give_up(connection, job, state, at_ms).await? {
            return Ok(None);
        }
        let job = changed(connection, job).await?;
        change.commit().await?;
        Ok(Some(job))
    }

    /// Ends a job whose result did not come in time. It may have run. `None` if nothing changed.
    ///
    /// # Errors
    /// The database fails.
    pub async fn give_up_result(
        &self,
        job: &str,
        at_ms: i64,
    ) -> Result<Option<Box<JobRecord>>, FieldTablesError> {
        let mut writer = self.0.writer().await;
        let mut change = writer.begin_durable("a job without a result").await?;
        let connection = change.connection();
        if !give_up(connection, job, JobState::Unknown, at_ms).await? {
            return Ok(None);
        }
        let job = changed(connection, job).await?;
        change.commit().await?;
        Ok(Some(job))
    }
}

fn read_due(row: &SqliteRow) -> Result<DueJob, FieldTablesError> {
    Ok(DueJob {
        job: row.try_get("id")?,
        epoch: count(row, "epoch")?,
        kind: DueKind::read(row.try_get("kind")?)?,
    })
}

/// Ends a job whose time is over, as part of a transaction: one that waits is not delivered, the
/// outcome of one that runs is unknown. Nothing happens before its time.
pub(super) async fn give_up(
    connection: &mut SqliteConnection,
    job: &str,
    state: JobState,
    at_ms: i64,
) -> Result<bool, FieldTablesError> {
    let (from, kind, code) = match state {
        JobState::Unknown => ("running", JobEventKind::Unknown, "no_result_in_time"),
        _ => ("queued", JobEventKind::NotDelivered, "not_claimed_in_time"),
    };
    let ending = json!({ "by": "server", "code": code });
    let done = sqlx::query(
        "UPDATE field_jobs SET state = ?1, ended_ms = ?2, ending = ?3 \
         WHERE id = ?4 AND state = ?5 AND due_ms <= ?2",
    )
    .bind(state.word())
    .bind(at_ms)
    .bind(to_json("the end of a job", &ending)?)
    .bind(job)
    .bind(from)
    .execute(&mut *connection)
    .await?;
    if done.rows_affected() == 0 {
        return Ok(false);
    }
    note(connection, job, kind, "server", at_ms).await?;
    Ok(true)
}
