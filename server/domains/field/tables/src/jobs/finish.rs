//! A device reports the end of a job.

use serde_json::{Value, json};
use sqlx::SqliteConnection;

use super::deadlines::give_up;
use super::late::LateArrival;
use super::miss::current;
use super::records::changed;
use super::{ClaimMiss, JobClaim, JobRecord, JobState};
use crate::columns::{json as to_json, whole};
use crate::job_events::{JobEventKind, note};
use crate::{FieldTables, FieldTablesError};

/// The end of a job by the word of its device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FinishedAs {
    Ended,
    Cut,
    /// The device was interrupted and cannot tell.
    Unknown,
}

/// Outcome of such a report.
#[derive(Debug, Clone, PartialEq)]
pub enum FinishOutcome {
    Finished(Box<JobRecord>),
    /// The server had not said go, and the device says that the job began: it is unknown now and
    /// never queued again. The report is kept beside.
    Unasked(Box<JobRecord>),
    /// The job was over: the report is kept beside its state.
    Late(Box<JobRecord>),
    /// It was reported before. The first report counts, even if this one says something else.
    Repeated(Box<JobRecord>),
    Missed(ClaimMiss),
}

impl FieldTables {
    /// Takes the end of a job. It is on the disk when this returns. After the deadline the outcome is
    /// unknown, whether that was noted before or not, and the report is kept beside.
    ///
    /// # Errors
    /// The report is too large, or the database fails.
    pub async fn finish(
        &self,
        claim: &JobClaim,
        finished: FinishedAs,
        ending: &Value,
        at_ms: i64,
    ) -> Result<FinishOutcome, FieldTablesError> {
        let ending = to_json("the end of a job", ending)?;
        self.settle_job(&claim.job, at_ms).await?;
        let mut writer = self.0.writer().await;
        let mut change = writer.begin_durable("the end of a job").await?;
        let outcome = finish(change.connection(), claim, finished, &ending, at_ms).await?;
        change.commit().await?;
        Ok(outcome)
    }
}

async fn finish(
    connection: &mut SqliteConnection,
    claim: &JobClaim,
    finished: FinishedAs,
    ending: &str,
    at_ms: i64,
) -> Result<FinishOutcome, FieldTablesError> {
    let state = match finished {
        FinishedAs::Ended => JobState::Ended,
        FinishedAs::Cut => JobState::Cut,
        FinishedAs::Unknown => JobState::Unknown,
    };
    if let Err(miss) = current(connection, claim).await? {
        return Ok(FinishOutcome::Missed(miss));
    }
    give_up(connection, &claim.job, JobState::Unknown, at_ms).await?;
    if end(connection, claim, JobState::Running, state, ending, at_ms).await? {
        return Ok(FinishOutcome::Finished(
            changed(connection, &claim.job).await?,
        ));
    }
    let unasked = to_json(
        "the end of a job",
        &json!({ "by": "server", "code": "never_started" }),
    )?;
    let unknown = JobState::Unknown;
    let is_unasked = end(
        connection,
        claim,
        JobState::Claimed,
        unknown,
        &unasked,
        at_ms,
    )
    .await?;
    let job = match current(connection, claim).await? {
        Ok(job) => job,
        Err(miss) => return Ok(FinishOutcome::Missed(miss)),
    };
    let late = LateArrival {
        job: &job,
        state,
        ending,
        at_ms,
    };
    let late = late.keep(connection).await?;
    Ok(match (is_unasked, late) {
        (true, late) => FinishOutcome::Unasked(late.unwrap_or_else(|| Box::new(job))),
        (false, Some(late)) => FinishOutcome::Late(late),
        (false, None) => FinishOutcome::Repeated(Box::new(job)),
    })
}

/// Ends a job that is in one state and has this claim.
async fn end(
    connection: &mut SqliteConnection,
    claim: &JobClaim,
    from: JobState,
    to: JobState,
    ending: &str,
    at_ms: i64,
) -> Result<bool, FieldTablesError> {
    let done = sqlx::query(
        "UPDATE field_jobs SET state = ?6, ended_ms = ?7, ending = ?8 WHERE id = ?1 \
         AND device = ?2 AND epoch = ?3 AND claim_hash = ?4 AND state = ?5",
    )
    .bind(&claim.job)
    .bind(&claim.device)
    .bind(whole(claim.epoch))
    .bind(&claim.claim_hash)
    .bind(from.word())
    .bind(to.word())
    .bind(at_ms)
    .bind(ending)
    .execute(&mut *connection)
    .await?;
    if done.rows_affected() == 0 {
        return Ok(false);
    }
    let kind = match to {
        JobState::Ended => JobEventKind::Ended,
        JobState::Cut => JobEventKind::Cut,
        _ => JobEventKind::Unknown,
    };
    note(connection, &claim.job, kind, &claim.device, at_ms).await?;
    Ok(true)
}
