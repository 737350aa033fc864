//! The server says go, once for each job.

use super::miss::current;
use super::records::changed;
use super::{ClaimMiss, JobClaim, JobRecord, JobState};
use crate::columns::whole;
use crate::devices::{self, DeviceState};
use crate::error::fits;
use crate::job_events::{JobEventKind, note};
use crate::limits::MOST_NAME;
use crate::{FieldTables, FieldTablesError};

/// A device asks to start the job that it claimed. That approval, policy and kill switch still allow
/// it, the caller has checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartRequest {
    pub claim: JobClaim,
    /// Word of the device: only the same once more gets go again.
    pub nonce: String,
    pub lease_until_ms: i64,
    /// Without a result by then, the outcome is unknown.
    pub deadline_ms: i64,
}

/// Outcome of a request to start.
#[derive(Debug, Clone, PartialEq)]
pub enum StartOutcome {
    Go(Box<JobRecord>),
    /// Go was said to this nonce before, and the answer was lost.
    GoAgain(Box<JobRecord>),
    /// Go was said to another nonce.
    OtherNonce,
    /// The package has expired, or the time for a result is over. Nothing changed.
    Expired,
    /// The device may start nothing.
    NotAdopted(DeviceState),
    Missed(ClaimMiss),
}

impl FieldTables {
    /// Lets a job start, if the claim is the current one and its lease is not over. It is on the disk
    /// when this returns.
    ///
    /// # Errors
    /// The nonce is too long, or the database fails.
    pub async fn start(
        &self,
        start: &StartRequest,
        at_ms: i64,
    ) -> Result<StartOutcome, FieldTablesError> {
        fits("the nonce of a start", start.nonce.len(), MOST_NAME)?;
        let claim = &start.claim;
        // A lease that is over is over, noted or not: the job may be another runner's in a moment.
        self.settle_job(&claim.job, at_ms).await?;
        let mut writer = self.0.writer().await;
        let mut change = writer.begin_durable("the start of a job").await?;
        let connection = change.connection();
        let done = sqlx::query(
            "UPDATE field_jobs SET state = 'running', start_nonce = ?5, started_ms = ?6, \
             lease_until_ms = ?7, deadline_ms = ?8 WHERE id = ?1 AND device = ?2 \
             AND epoch = ?3 AND claim_hash = ?4 AND state = 'claimed' \
             AND lease_until_ms > ?6 AND expires_ms > ?6 \
             AND EXISTS (SELECT 1 FROM field_devices WHERE id = ?2 AND state = 'adopted')",
        )
        .bind(&claim.job)
        .bind(&claim.device)
        .bind(whole(claim.epoch))
        .bind(&claim.claim_hash)
        .bind(&start.nonce)
        .bind(at_ms)
        .bind(start.lease_until_ms)
        .bind(start.deadline_ms)
        .execute(&mut *connection)
        .await?;
        if done.rows_affected() == 1 {
            note(
                connection,
                &claim.job,
                JobEventKind::Running,
                &claim.device,
                at_ms,
            )
            .await?;
            let job = changed(connection, &claim.job).await?;
            change.commit().await?;
            return Ok(StartOutcome::Go(job));
        }
        let job = match current(connection, claim).await? {
            Ok(job) => job,
            Err(miss) => return Ok(StartOutcome::Missed(miss)),
        };
        let device = devices::find(connection, &claim.device).await?;
        let device = device.ok_or(FieldTablesError::NotFound)?;
        if device.state != DeviceState::Adopted {
            return Ok(StartOutcome::NotAdopted(device.state));
        }
        Ok(match job.state {
            JobState::Running if job.start_nonce.as_deref() != Some(&*start.nonce) => {
                StartOutcome::OtherNonce
            }
            JobState::Running if job.expires_ms <= at_ms => StartOutcome::Expired,
            JobState::Running if job.deadline_ms.is_some_and(|it| it <= at_ms) => {
                StartOutcome::Expired
            }
            JobState::Running => StartOutcome::GoAgain(Box::new(job)),
            JobState::Claimed => StartOutcome::Expired,
            state => StartOutcome::Missed(ClaimMiss::Over(state)),
        })
    }
}
