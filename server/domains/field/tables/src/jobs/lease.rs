//! A claim's lease: renewed by the device, lost in silence.

use super::miss::miss;
use super::records::{changed, find};
use super::{ClaimMiss, JobClaim, JobRecord};
use crate::columns::whole;
use crate::job_events::{JobEventKind, note};
use crate::{FieldTables, FieldTablesError};

/// Outcome of a renewal.
#[derive(Debug, Clone, PartialEq)]
pub enum RenewOutcome {
    /// The job as it is now; it says too if somebody asked to cancel it.
    Renewed(Box<JobRecord>),
    Missed(ClaimMiss),
}

impl FieldTables {
    /// Extends the lease of a job that is claimed or runs. A lease never becomes shorter, and one that
    /// is over does not come back.
    ///
    /// # Errors
    /// The database fails.
    pub async fn renew(
        &self,
        claim: &JobClaim,
        lease_until_ms: i64,
        at_ms: i64,
    ) -> Result<RenewOutcome, FieldTablesError> {
        self.settle_job(&claim.job, at_ms).await?;
        let mut writer = self.0.writer().await;
        let mut change = writer.begin("a renewed lease").await?;
        let connection = change.connection();
        let done = sqlx::query(
            "UPDATE field_jobs SET lease_until_ms = max(lease_until_ms, ?5) WHERE id = ?1 \
             AND device = ?2 AND epoch = ?3 AND claim_hash = ?4 \
             AND state IN ('claimed', 'running')",
        )
        .bind(&claim.job)
        .bind(&claim.device)
        .bind(whole(claim.epoch))
        .bind(&claim.claim_hash)
        .bind(lease_until_ms)
        .execute(&mut *connection)
        .await?;
        if done.rows_affected() == 0 {
            return Ok(RenewOutcome::Missed(miss(connection, claim).await?));
        }
        let job = changed(connection, &claim.job).await?;
        change.commit().await?;
        Ok(RenewOutcome::Renewed(job))
    }

    /// Puts a job back into the queue whose claim of this epoch was not renewed. It has another epoch
    /// then, so that the claim is worth nothing. A job that may have begun stays as it is.
    ///
    /// `None` if nothing changed.
    ///
    /// # Errors
    /// The database fails.
    pub async fn lapse_claim(
        &self,
        job: &str,
        epoch: u64,
        at_ms: i64,
    ) -> Result<Option<Box<JobRecord>>, FieldTablesError> {
        let mut writer = self.0.writer().await;
        let mut change = writer.begin("a claim that was not renewed").await?;
        let connection = change.connection();
        let done = sqlx::query(
            "UPDATE field_jobs SET state = 'queued', epoch = epoch + 1, claim_request = NULL, \
             claim_hash = NULL, claimed_ms = NULL, lease_until_ms = NULL \
             WHERE id = ? AND epoch = ? AND state = 'claimed' AND lease_until_ms <= ?",
        )
        .bind(job)
        .bind(whole(epoch))
        .bind(at_ms)
        .execute(&mut *connection)
        .await?;
        if done.rows_affected() == 0 {
            return Ok(None);
        }
        note(connection, job, JobEventKind::Lapsed, "server", at_ms).await?;
        let job = find(connection, job).await?;
        change.commit().await?;
        Ok(job.map(Box::new))
    }
}
