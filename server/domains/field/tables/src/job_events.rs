//! Events of jobs, in one order for all: their number is the cursor of those who follow.

use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use crate::columns::{count, to_count, words};
use crate::limits::MOST_ROWS;
use crate::{FieldTables, FieldTablesError};

/// Kind of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JobEventKind {
    Queued,
    Claimed,
    /// Its claim was not renewed: it is in the queue again.
    Lapsed,
    /// Its device did not begin it: it is in the queue again.
    GivenBack,
    Running,
    CancelAsked,
    Ended,
    Cut,
    Refused,
    NotDelivered,
    Cancelled,
    Unknown,
    /// Its device reported something after it was over.
    LateReport,
    /// A person resolved an unknown outcome.
    Resolved,
}

words!(JobEventKind {
    Queued = "queued",
    Claimed = "claimed",
    Lapsed = "lapsed",
    GivenBack = "given_back",
    Running = "running",
    CancelAsked = "cancel_asked",
    Ended = "ended",
    Cut = "cut",
    Refused = "refused",
    NotDelivered = "not_delivered",
    Cancelled = "cancelled",
    Unknown = "unknown",
    LateReport = "late_report",
    Resolved = "resolved",
});

/// An event of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobEvent {
    /// Larger than that of any event before, of any job.
    pub number: i64,
    pub job: String,
    pub device: String,
    pub at_ms: i64,
    pub kind: JobEventKind,
    /// The job's epoch after it.
    pub epoch: u64,
    /// A user's identifier, the device's, or `server`.
    pub actor: String,
}

/// Events after a cursor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobEvents {
    pub events: Vec<JobEvent>,
    /// True if events after the cursor may be missing: they were removed, or the cursor is that of
    /// another database. Whoever follows has to read everything anew.
    pub is_gap: bool,
    /// Number of the newest event there ever was; 0 before the first.
    pub newest: i64,
}

/// The counter of the newest event that was removed.
const REMOVED: &str = "job events removed";

impl FieldTables {
    /// The events after a cursor, of one job or of all, oldest first.
    ///
    /// # Errors
    /// The database fails.
    pub async fn job_events(
        &self,
        job: Option<&str>,
        after: i64,
        limit: u32,
    ) -> Result<JobEvents, FieldTablesError> {
        let mut reader = self.0.readers().begin().await.map_err(store::Error::from)?;
        let row = sqlx::query(
            "SELECT coalesce((SELECT last FROM field_counters WHERE name = ?), 0) AS removed, \
             coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'field_job_events'), 0) \
             AS newest",
        )
        .bind(REMOVED)
        .fetch_one(&mut *reader)
        .await?;
        let (removed, newest): (i64, i64) = (row.try_get("removed")?, row.try_get("newest")?);
        let sql = match job {
            Some(_) => {
                "SELECT * FROM field_job_events WHERE number > ?1 AND job = ?3 \
                 ORDER BY number LIMIT ?2"
            }
            None => "SELECT * FROM field_job_events WHERE number > ?1 ORDER BY number LIMIT ?2",
        };
        let mut query = sqlx::query(sql).bind(after).bind(limit.min(MOST_ROWS));
        if let Some(job) = job {
            query = query.bind(job);
        }
        let rows = query.fetch_all(&mut *reader).await?;
        let events: Result<_, _> = rows.iter().map(read).collect();
        Ok(JobEvents {
            events: events?,
            is_gap: after < removed || after > newest,
            newest,
        })
    }

    /// The number of events of a job.
    ///
    /// # Errors
    /// The database fails.
    pub async fn job_event_count(&self, job: &str) -> Result<u64, FieldTablesError> {
        let count = sqlx::query_scalar("SELECT count(*) FROM field_job_events WHERE job = ?")
            .bind(job)
            .fetch_one(self.0.readers())
            .await?;
        to_count(count)
    }
}

/// Writes an event of a job as it is now, in the transaction that changed it.
pub(crate) async fn note(
    connection: &mut SqliteConnection,
    job: &str,
    kind: JobEventKind,
    actor: &str,
    at_ms: i64,
) -> Result<(), FieldTablesError> {
    sqlx::query(
        "INSERT INTO field_job_events (job, device, at_ms, kind, epoch, actor) \
         SELECT id, device, ?, ?, epoch, ? FROM field_jobs WHERE id = ?",
    )
    .bind(at_ms)
    .bind(kind.word())
    .bind(actor)
    .bind(job)
    .execute(connection)
    .await?;
    Ok(())
}

/// Removes the events of jobs, a JSON array, and remembers up to where some are missing.
pub(crate) async fn forget(
    connection: &mut SqliteConnection,
    jobs: &str,
) -> Result<(), FieldTablesError> {
    sqlx::query(
        "INSERT INTO field_counters (name, last) SELECT ?1, coalesce(max(number), 0) \
         FROM field_job_events WHERE job IN (SELECT value FROM json_each(?2)) \
         ON CONFLICT (name) DO UPDATE SET last = max(last, excluded.last)",
    )
    .bind(REMOVED)
    .bind(jobs)
    .execute(&mut *connection)
    .await?;
    sqlx::query("DELETE FROM field_job_events WHERE job IN (SELECT value FROM json_each(?))")
        .bind(jobs)
        .execute(connection)
        .await?;
    Ok(())
}

fn read(row: &SqliteRow) -> Result<JobEvent, FieldTablesError> {
    Ok(JobEvent {
        number: row.try_get("number")?,
        job: row.try_get("job")?,
        device: row.try_get("device")?,
        at_ms: row.try_get("at_ms")?,
        kind: JobEventKind::read(row.try_get("kind")?)?,
        epoch: count(row, "epoch")?,
        actor: row.try_get("actor")?,
    })
}
