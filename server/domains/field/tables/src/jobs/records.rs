//! Reading jobs.

use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use super::{JobFilter, JobRecord, JobResolution, JobState, LateReport};
use crate::columns::{count, from_json, from_json_if_any, list, to_count, whole};
use crate::limits::MOST_ROWS;
use crate::{FieldTables, FieldTablesError};

/// A page of jobs: one statement for each index that finds them.
macro_rules! page {
    ($which:literal) => {
        concat!(
            "SELECT * FROM field_jobs WHERE ",
            $which,
            " AND (?3 = '[]' OR state IN (SELECT value FROM json_each(?3))) \
             AND number < ?4 ORDER BY number DESC LIMIT ?5",
        )
    };
}

impl FieldTables {
    /// A job.
    ///
    /// # Errors
    /// The database fails.
    pub async fn job(&self, id: &str) -> Result<Option<JobRecord>, FieldTablesError> {
        let mut reader = self.0.readers().acquire().await?;
        find(&mut reader, id).await
    }

    /// The job that a call asked for. If there is none, the call queued none, whatever happened to
    /// the server in between.
    ///
    /// # Errors
    /// The database fails.
    pub async fn job_of_call(&self, call: &str) -> Result<Option<JobOfCall>, FieldTablesError> {
        let mut reader = self.0.readers().begin().await.map_err(store::Error::from)?;
        of_call(&mut reader, call).await
    }

    /// The bytes of a job's package.
    ///
    /// # Errors
    /// The database fails.
    pub async fn package(&self, job: &str) -> Result<Option<Vec<u8>>, FieldTablesError> {
        let package = sqlx::query_scalar("SELECT bytes FROM field_packages WHERE job = ?")
            .bind(job)
            .fetch_optional(self.0.readers())
            .await?;
        Ok(package)
    }

    /// The newest jobs of a selection.
    ///
    /// # Errors
    /// The database fails.
    pub async fn jobs(
        &self,
        filter: &JobFilter,
        limit: u32,
    ) -> Result<Vec<JobRecord>, FieldTablesError> {
        let states = filter.states.iter().map(|it| it.word().to_owned());
        let sql = match (&filter.device, &filter.site) {
            (Some(_), _) => page!("device = ?2 AND (?1 IS NULL OR site = ?1)"),
            (None, Some(_)) => page!("site = ?1 AND ?2 IS NULL"),
            (None, None) => page!("?1 IS NULL AND ?2 IS NULL"),
        };
        let rows = sqlx::query(sql)
            .bind(filter.site.as_deref())
            .bind(filter.device.as_deref())
            .bind(list(&states.collect::<Vec<_>>()))
            .bind(filter.before.unwrap_or(i64::MAX))
            .bind(limit.min(MOST_ROWS))
            .fetch_all(self.0.readers())
            .await?;
        rows.iter().map(read).collect()
    }

    /// The newest jobs whose outcome is unknown and about which no person has said anything.
    ///
    /// # Errors
    /// The database fails.
    pub async fn unresolved_jobs(&self, limit: u32) -> Result<Vec<JobRecord>, FieldTablesError> {
        let rows = sqlx::query(
            "SELECT * FROM field_jobs WHERE state = 'unknown' AND resolved_ms IS NULL \
             ORDER BY number DESC LIMIT ?",
        )
        .bind(limit.min(MOST_ROWS))
        .fetch_all(self.0.readers())
        .await?;
        rows.iter().map(read).collect()
    }

    /// Number of jobs that were queued for a device since a time, whatever became of them.
    ///
    /// # Errors
    /// The database fails.
    pub async fn jobs_since(&self, device: &str, at_ms: i64) -> Result<u64, FieldTablesError> {
        let number = sqlx::query_scalar(
            "SELECT count(*) FROM field_jobs WHERE device = ? AND queued_ms >= ?",
        )
        .bind(device)
        .bind(at_ms)
        .fetch_one(self.0.readers())
        .await?;
        to_count(number)
    }

    /// True if this payload ended on the device before, in time or late.
    ///
    /// # Errors
    /// The database fails.
    pub async fn has_ended_on(
        &self,
        device: &str,
        payload_digest: &str,
    ) -> Result<bool, FieldTablesError> {
        let has = sqlx::query_scalar(
            "SELECT EXISTS (SELECT 1 FROM field_jobs WHERE device = ? AND payload_digest = ? \
             AND 'ended' IN (state, late_state))",
        )
        .bind(device)
        .bind(payload_digest)
        .fetch_one(self.0.readers())
        .await?;
        Ok(has)
    }
}

/// The job of a call.
#[derive(Debug, Clone, PartialEq)]
pub enum JobOfCall {
    There(Box<JobRecord>),
    /// Its row was removed after it had ended like this.
    Removed(JobState),
}

pub(super) async fn of_call(
    connection: &mut SqliteConnection,
    call: &str,
) -> Result<Option<JobOfCall>, FieldTablesError> {
    let row = sqlx::query("SELECT * FROM field_jobs WHERE call = ?")
        .bind(call)
        .fetch_optional(&mut *connection)
        .await?;
    if let Some(row) = row {
        return Ok(Some(JobOfCall::There(Box::new(read(&row)?))));
    }
    let row = sqlx::query("SELECT state FROM field_tombstones WHERE call = ?")
        .bind(call)
        .fetch_optional(connection)
        .await?;
    let state = row.map(|row| JobState::read(row.try_get(0)?));
    Ok(state.transpose()?.map(JobOfCall::Removed))
}

pub(crate) async fn find(
    connection: &mut SqliteConnection,
    id: &str,
) -> Result<Option<JobRecord>, FieldTablesError> {
    let row = sqlx::query("SELECT * FROM field_jobs WHERE id = ?")
        .bind(id)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read).transpose()
}

/// A job that was changed a moment ago in the same transaction.
pub(super) async fn changed(
    connection: &mut SqliteConnection,
    id: &str,
) -> Result<Box<JobRecord>, FieldTablesError> {
    let found = find(connection, id).await?;
    found.map(Box::new).ok_or(FieldTablesError::NotFound)
}

pub(super) fn read(row: &SqliteRow) -> Result<JobRecord, FieldTablesError> {
    let proposal: Option<String> = row.try_get("proposal")?;
    let version: Option<i64> = row.try_get("proposal_version")?;
    let version = version.map(to_count).transpose()?;
    let resolution: Option<&str> = row.try_get("resolution")?;
    Ok(JobRecord {
        number: row.try_get("number")?,
        id: row.try_get("id")?,
        call: row.try_get("call")?,
        site: row.try_get("site")?,
        device: row.try_get("device")?,
        about: from_json(row, "about")?,
        proposal: proposal.zip(version),
        signing_key: row.try_get("signing_key")?,
        seq: count(row, "seq")?,
        payload_digest: row.try_get("payload_digest")?,
        state: JobState::read(row.try_get("state")?)?,
        epoch: count(row, "epoch")?,
        queued_ms: row.try_get("queued_ms")?,
        claim_until_ms: row.try_get("claim_until_ms")?,
        expires_ms: row.try_get("expires_ms")?,
        claim_request: row.try_get("claim_request")?,
        claim_hash: row.try_get("claim_hash")?,
        claimed_ms: row.try_get("claimed_ms")?,
        lease_until_ms: row.try_get("lease_until_ms")?,
        start_nonce: row.try_get("start_nonce")?,
        started_ms: row.try_get("started_ms")?,
        deadline_ms: row.try_get("deadline_ms")?,
        cancel_asked_ms: row.try_get("cancel_asked_ms")?,
        cancel_asked_by: row.try_get("cancel_asked_by")?,
        ended_ms: row.try_get("ended_ms")?,
        ending: from_json_if_any(row, "ending")?,
        late: late(row)?,
        resolution: resolution.map(JobResolution::read).transpose()?,
        resolved_by: row.try_get("resolved_by")?,
        resolved_ms: row.try_get("resolved_ms")?,
    })
}

fn late(row: &SqliteRow) -> Result<Option<LateReport>, FieldTablesError> {
    let Some(at_ms) = row.try_get("late_ms")? else {
        return Ok(None);
    };
    Ok(Some(LateReport {
        at_ms,
        state: JobState::read(row.try_get("late_state")?)?,
        ending: from_json(row, "late_ending")?,
    }))
}

/// The proposal's version as it is stored.
pub(super) fn version(proposal: Option<&(String, u64)>) -> Option<i64> {
    proposal.map(|proposal| whole(proposal.1))
}
