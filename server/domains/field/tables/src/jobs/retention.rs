//! Jobs that are no longer kept become tombstones.

use sqlx::SqliteConnection;

use crate::columns::list;
use crate::job_events::forget;
use crate::{FieldTables, FieldTablesError};

impl FieldTables {
    /// Removes jobs that ended before a time, with packages and logs, 100 at most, and says how many.
    /// One whose outcome is unknown stays until its device or a person has said more. Of each a tombstone stays, so
    /// that neither its call nor a late device brings it back.
    ///
    /// # Errors
    /// The database fails.
    pub async fn prune_jobs(&self, ended_before_ms: i64) -> Result<usize, FieldTablesError> {
        let mut writer = self.0.writer().await;
        let mut change = writer.begin("jobs that are no longer kept").await?;
        let connection = change.connection();
        let old: Vec<String> = sqlx::query_scalar(
            "SELECT id FROM field_jobs WHERE ended_ms < ? \
             AND (state <> 'unknown' OR coalesce(resolved_ms, late_ms) IS NOT NULL) ORDER BY ended_ms LIMIT 100",
        )
        .bind(ended_before_ms)
        .fetch_all(&mut *connection)
        .await?;
        remove_jobs(connection, &old).await?;
        change.commit().await?;
        Ok(old.len())
    }
}

/// Turns jobs that are over into tombstones.
pub(crate) async fn remove_jobs(
    connection: &mut SqliteConnection,
    jobs: &[String],
) -> Result<(), FieldTablesError> {
    if jobs.is_empty() {
        return Ok(());
    }
    let jobs = list(jobs);
    forget(connection, &jobs).await?;
    for sql in [
        "INSERT INTO field_tombstones (job, call, device, state, ended_ms) \
         SELECT id, call, device, state, ended_ms FROM field_jobs \
         WHERE id IN (SELECT value FROM json_each(?))",
        "DELETE FROM field_packages WHERE job IN (SELECT value FROM json_each(?))",
        "DELETE FROM field_job_logs WHERE job IN (SELECT value FROM json_each(?))",
        "DELETE FROM field_claims WHERE job IN (SELECT value FROM json_each(?))",
        "DELETE FROM field_jobs WHERE id IN (SELECT value FROM json_each(?))",
    ] {
        let done = sqlx::query(sql).bind(&jobs).execute(&mut *connection);
        done.await?;
    }
    Ok(())
}
