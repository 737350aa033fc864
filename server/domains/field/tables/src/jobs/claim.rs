//! A device takes the oldest job of its queue.

use sqlx::{Row, SqliteConnection};

use super::JobRecord;
use super::JobState;
use super::records::{changed, find};
use crate::columns::{count, whole};
use crate::devices::{self, DeviceState};
use crate::error::fits;
use crate::job_events::{JobEventKind, note};
use crate::limits::MOST_NAME;
use crate::{FieldTables, FieldTablesError};

/// A device's request for a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimRequest {
    pub device: String,
    /// Word of the device: the same once more is the same claim. A new claim needs a new one.
    pub request: String,
    /// Hash of the token that the claim gets. Whoever repeats a request must be given the same token,
    /// so it is derived from device and request.
    pub claim_hash: Vec<u8>,
    pub lease_until_ms: i64,
}

/// Outcome of a request for a job.
#[derive(Debug, Clone, PartialEq)]
pub enum ClaimOutcome {
    Claimed(Box<JobRecord>),
    /// The same job, epoch and token as before: the answer was lost.
    Repeated(Box<JobRecord>),
    Nothing,
    /// The device has a job that is not over; a second one never displaces it.
    Busy(Box<JobRecord>),
    /// The request was used before, and its claim is over. It gets nothing more.
    Spent,
    /// The device gets no jobs.
    NotAdopted(DeviceState),
}

impl FieldTables {
    /// Gives a device its oldest job.
    ///
    /// # Errors
    /// There is no such device, the request is too long, or the database fails.
    pub async fn claim(
        &self,
        claim: &ClaimRequest,
        at_ms: i64,
    ) -> Result<ClaimOutcome, FieldTablesError> {
        fits("the request of a claim", claim.request.len(), MOST_NAME)?;
        if self.has_nothing(claim).await? {
            return Ok(ClaimOutcome::Nothing);
        }
        self.settle_device(&claim.device, at_ms).await?;
        let mut writer = self.0.writer().await;
        let mut change = writer.begin("a claim").await?;
        let connection = change.connection();
        let device = devices::find(connection, &claim.device).await?;
        let device = device.ok_or(FieldTablesError::NotFound)?;
        if device.state != DeviceState::Adopted {
            return Ok(ClaimOutcome::NotAdopted(device.state));
        }
        if let Some(known) = known(connection, claim).await? {
            return Ok(known);
        }
        let job: Option<String> = sqlx::query_scalar(
            "UPDATE field_jobs SET state = 'claimed', claim_request = ?2, claim_hash = ?3, \
             claimed_ms = ?4, lease_until_ms = ?5 WHERE state = 'queued' AND number = \
                 (SELECT min(number) FROM field_jobs WHERE device = ?1 \
                  AND ended_ms IS NULL AND state = 'queued' \
                  AND claim_until_ms > ?4 AND expires_ms > ?4) \
             AND NOT EXISTS (SELECT 1 FROM field_jobs WHERE device = ?1 \
                  AND state IN ('claimed', 'running')) RETURNING id",
        )
        .bind(&claim.device)
        .bind(&claim.request)
        .bind(&claim.claim_hash)
        .bind(at_ms)
        .bind(claim.lease_until_ms)
        .fetch_optional(&mut *connection)
        .await?;
        let Some(job) = job else {
            return nothing(connection, &claim.device).await;
        };
        let claimed = changed(connection, &job).await?;
        sqlx::query("INSERT INTO field_claims (device, request, job, epoch) VALUES (?, ?, ?, ?)")
            .bind(&claim.device)
            .bind(&claim.request)
            .bind(&job)
            .bind(whole(claimed.epoch))
            .execute(&mut *connection)
            .await?;
        note(
            connection,
            &job,
            JobEventKind::Claimed,
            &claim.device,
            at_ms,
        )
        .await?;
        change.commit().await?;
        Ok(ClaimOutcome::Claimed(claimed))
    }

    /// True if there is nothing to give, to repeat or to settle. Nearly all requests of a device that waits
    /// are such, and none of them takes the permit to write.
    async fn has_nothing(&self, claim: &ClaimRequest) -> Result<bool, FieldTablesError> {
        let nothing = sqlx::query_scalar(
            "SELECT EXISTS (SELECT 1 FROM field_devices WHERE id = ?1 AND state = 'adopted') \
             AND NOT EXISTS (SELECT 1 FROM field_jobs WHERE device = ?1 AND ended_ms IS NULL) \
             AND NOT EXISTS (SELECT 1 FROM field_claims WHERE device = ?1 AND request = ?2)",
        )
        .bind(&claim.device)
        .bind(&claim.request)
        .fetch_one(self.0.readers())
        .await?;
        Ok(nothing)
    }
}

/// The answer to a request that was made before.
async fn known(
    connection: &mut SqliteConnection,
    claim: &ClaimRequest,
) -> Result<Option<ClaimOutcome>, FieldTablesError> {
    let row = sqlx::query("SELECT job, epoch FROM field_claims WHERE device = ? AND request = ?")
        .bind(&claim.device)
        .bind(&claim.request)
        .fetch_optional(&mut *connection)
        .await?;
    let Some(row) = row else { return Ok(None) };
    let epoch = count(&row, "epoch")?;
    let job = find(connection, row.try_get("job")?).await?;
    let same = job.filter(|job| job.state == JobState::Claimed && job.epoch == epoch);
    Ok(Some(same.map_or(ClaimOutcome::Spent, |job| {
        ClaimOutcome::Repeated(Box::new(job))
    })))
}

/// The reason why a device got no job.
async fn nothing(
    connection: &mut SqliteConnection,
    device: &str,
) -> Result<ClaimOutcome, FieldTablesError> {
    let row = sqlx::query(
        "SELECT * FROM field_jobs WHERE device = ? AND state IN ('claimed', 'running')",
    )
    .bind(device)
    .fetch_optional(connection)
    .await?;
    let job = row.as_ref().map(super::records::read).transpose()?;
    Ok(job.map_or(ClaimOutcome::Nothing, |job| {
        ClaimOutcome::Busy(Box::new(job))
    }))
}
