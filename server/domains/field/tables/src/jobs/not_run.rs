//! A device says that a job did not run.

use serde_json::Value;
use sqlx::SqliteConnection;

use super::deadlines::give_up;
use super::late::LateArrival;
use super::miss::current;
use super::records::changed;
use super::{ClaimMiss, JobClaim, JobRecord, JobState};
use crate::columns::{json, whole};
use crate::job_events::{JobEventKind, note};
use crate::{FieldTables, FieldTablesError};

/// Outcome of such a report.
#[derive(Debug, Clone, PartialEq)]
pub enum NotRunOutcome {
    /// The server had not said go: the job is in the queue again, with another epoch.
    Queued(Box<JobRecord>),
    /// The job is refused for good.
    Refused(Box<JobRecord>),
    /// The job was over: the report is kept beside its state.
    Late(Box<JobRecord>),
    /// It was reported before.
    Repeated(Box<JobRecord>),
    Missed(ClaimMiss),
}

impl FieldTables {
    /// Takes a device's word, after it was interrupted, that a job did not run. If the server had
    /// said go, the job is over nevertheless: what was let start is never let start once more.
    ///
    /// # Errors
    /// The report is too large, or the database fails.
    pub async fn report_not_run(
        &self,
        claim: &JobClaim,
        ending: &Value,
        at_ms: i64,
    ) -> Result<NotRunOutcome, FieldTablesError> {
        let ending = json("the end of a job", ending)?;
        self.settle_job(&claim.job, at_ms).await?;
        let mut writer = self.0.writer().await;
        let mut change = writer.begin_durable("a job that did not run").await?;
        let connection = change.connection();
        let done = sqlx::query(
            "UPDATE field_jobs SET state = 'queued', epoch = epoch + 1, claim_request = NULL, \
             claim_hash = NULL, claimed_ms = NULL, lease_until_ms = NULL WHERE id = ? \
             AND device = ? AND epoch = ? AND claim_hash = ? AND state = 'claimed'",
        )
        .bind(&claim.job)
        .bind(&claim.device)
        .bind(whole(claim.epoch))
        .bind(&claim.claim_hash)
        .execute(&mut *connection)
        .await?;
        if done.rows_affected() == 1 {
            let kind = JobEventKind::GivenBack;
            note(connection, &claim.job, kind, &claim.device, at_ms).await?;
            let job = changed(connection, &claim.job).await?;
            change.commit().await?;
            return Ok(NotRunOutcome::Queued(job));
        }
        let outcome = refuse(connection, claim, &ending, at_ms).await?;
        change.commit().await?;
        Ok(outcome)
    }

    /// Takes a device's refusal to run a job: it has no sandbox for it, its veto, a bad package. The
    /// job is over, whether the server had said go or not.
    ///
    /// # Errors
    /// The report is too large, or the database fails.
    pub async fn refused_by_device(
        &self,
        claim: &JobClaim,
        ending: &Value,
        at_ms: i64,
    ) -> Result<NotRunOutcome, FieldTablesError> {
        let ending = json("the end of a job", ending)?;
        self.settle_job(&claim.job, at_ms).await?;
        let mut writer = self.0.writer().await;
        let mut change = writer
            .begin_durable("a job that its device refused")
            .await?;
        let outcome = refuse(change.connection(), claim, &ending, at_ms).await?;
        change.commit().await?;
        Ok(outcome)
    }
}

async fn refuse(
    connection: &mut SqliteConnection,
    claim: &JobClaim,
    ending: &str,
    at_ms: i64,
) -> Result<NotRunOutcome, FieldTablesError> {
    if let Err(miss) = current(connection, claim).await? {
        return Ok(NotRunOutcome::Missed(miss));
    }
    give_up(connection, &claim.job, JobState::Unknown, at_ms).await?;
    let done = sqlx::query(
        "UPDATE field_jobs SET state = 'refused', ended_ms = ?5, ending = ?6 WHERE id = ?1 \
         AND device = ?2 AND epoch = ?3 AND claim_hash = ?4 AND state IN ('claimed', 'running')",
    )
    .bind(&claim.job)
    .bind(&claim.device)
    .bind(whole(claim.epoch))
    .bind(&claim.claim_hash)
    .bind(at_ms)
    .bind(ending)
    .execute(&mut *connection)
    .await?;
    if done.rows_affected() == 1 {
        let kind = JobEventKind::Refused;
        note(connection, &claim.job, kind, &claim.device, at_ms).await?;
        return Ok(NotRunOutcome::Refused(
            changed(connection, &claim.job).await?,
        ));
    }
    let job = match current(connection, claim).await? {
        Ok(job) => job,
        Err(miss) => return Ok(NotRunOutcome::Missed(miss)),
    };
    let late = LateArrival {
        job: &job,
        state: JobState::Refused,
        ending,
        at_ms,
    };
    let late = late.keep(connection).await?;
    Ok(late.map_or_else(
        || NotRunOutcome::Repeated(Box::new(job)),
        NotRunOutcome::Late,
    ))
}
