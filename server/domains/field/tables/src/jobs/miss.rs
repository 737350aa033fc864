//! Explains why an act of a device changed nothing.

use sqlx::{Row, SqliteConnection};

use super::records::find;
use super::{JobClaim, JobRecord, JobState};
use crate::FieldTablesError;

/// The reason why an act that named a claim changed nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimMiss {
    /// The device has no such job.
    NotFound,
    /// The job's claim is another one. Its epoch now.
    Stale { epoch: u64 },
    /// The server has not said go.
    NotStarted,
    /// It has started already, and is not over.
    Started,
    /// It is over, in this state. Its row may have been removed.
    Over(JobState),
}

/// The job of a claim if the claim is the current one, or else the reason why not.
///
/// A job that is over is found too if the claim was its last.
pub(crate) async fn current(
    connection: &mut SqliteConnection,
    claim: &JobClaim,
) -> Result<Result<JobRecord, ClaimMiss>, FieldTablesError> {
    let job = find(connection, &claim.job).await?;
    let Some(job) = job.filter(|job| job.device == claim.device) else {
        let row = sqlx::query("SELECT state FROM field_tombstones WHERE job = ? AND device = ?")
            .bind(&claim.job)
            .bind(&claim.device)
            .fetch_optional(connection)
            .await?;
        let state = row.map(|row| JobState::read(row.try_get(0)?)).transpose()?;
        return Ok(Err(state.map_or(ClaimMiss::NotFound, ClaimMiss::Over)));
    };
    let is_current =
        job.epoch == claim.epoch && job.claim_hash.as_deref() == Some(claim.claim_hash.as_slice());
    Ok(if is_current {
        Ok(job)
    } else if job.state.is_over() {
        Err(ClaimMiss::Over(job.state))
    } else {
        Err(ClaimMiss::Stale { epoch: job.epoch })
    })
}

/// The reason why the state of a job did not fit.
pub(super) async fn miss(
    connection: &mut SqliteConnection,
    claim: &JobClaim,
) -> Result<ClaimMiss, FieldTablesError> {
    Ok(match current(connection, claim).await? {
        Err(miss) => miss,
        Ok(job) => match job.state {
            // Unreachable, for a queued job has no claim.
            JobState::Queued => ClaimMiss::Stale { epoch: job.epoch },
            JobState::Claimed => ClaimMiss::NotStarted,
            JobState::Running => ClaimMiss::Started,
            state => ClaimMiss::Over(state),
        },
    })
}
