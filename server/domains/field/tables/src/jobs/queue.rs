//! A job comes into the queue.

use serde_json::Value;

use super::records::{JobOfCall, changed, of_call, version};
use super::{JobRecord, JobState};
use crate::columns::{json, to_count, whole};
use crate::devices::{self, DeviceState};
use crate::error::fits;
use crate::job_events::{JobEventKind, note};
use crate::limits::{MOST_PACKAGE, MOST_QUEUED};
use crate::sequences::{NextSequence, take};
use crate::{FieldTables, FieldTablesError};

/// A job to be queued, with its signed package.
#[derive(Debug, Clone, PartialEq)]
pub struct NewJob {
    pub id: String,
    /// The call whose approval is in the package.
    pub call: String,
    pub device: String,
    /// Covered text for people and the model.
    pub about: Value,
    pub proposal: Option<(String, u64)>,
    /// Fingerprint of the key that signed, and the package's number.
    pub signing_key: String,
    pub seq: u64,
    pub payload_digest: String,
    pub package: Vec<u8>,
    /// Until then the device may claim it.
    pub claim_until_ms: i64,
    /// Until then it may start, as its manifest says.
    pub expires_ms: i64,
    /// The user who asked for it.
    pub by: String,
}

/// Outcome of queueing a job.
#[derive(Debug, Clone, PartialEq)]
pub enum QueueOutcome {
    Queued(Box<JobRecord>),
    /// The call queued this one before.
    Repeated(Box<JobRecord>),
    /// The call queued one whose row was removed since; it ended like this.
    Removed(JobState),
    /// Another package took the number; the next one is this.
    Sequence(u64),
    /// The device gets no jobs.
    NotAdopted(DeviceState),
}

impl FieldTables {
    /// Queues a job, once for each call. It is on the disk when this returns.
    ///
    /// # Errors
    /// There is no such device, its queue is full, the package is too large, or the database fails.
    pub async fn queue_job(
        &self,
        new: &NewJob,
        at_ms: i64,
    ) -> Result<QueueOutcome, FieldTablesError> {
        fits("a package", new.package.len(), MOST_PACKAGE)?;
        let about = json("what is said about a job", &new.about)?;
        let mut writer = self.0.writer().await;
        let mut change = writer.begin_durable("a queued job").await?;
        let connection = change.connection();
        match of_call(connection, &new.call).await? {
            Some(JobOfCall::There(job)) => return Ok(QueueOutcome::Repeated(job)),
            Some(JobOfCall::Removed(state)) => return Ok(QueueOutcome::Removed(state)),
            None => {}
        }
        let device = devices::find(connection, &new.device).await?;
        let device = device.ok_or(FieldTablesError::NotFound)?;
        if device.state != DeviceState::Adopted {
            return Ok(QueueOutcome::NotAdopted(device.state));
        }
        let waiting = sqlx::query_scalar(
            "SELECT count(*) FROM field_jobs \
             WHERE device = ? AND ended_ms IS NULL AND state = 'queued'",
        )
        .bind(&new.device)
        .fetch_one(&mut *connection)
        .await?;
        if to_count(waiting)? >= MOST_QUEUED {
            return Err(FieldTablesError::TooMany {
                what: "jobs in the queue of the device",
                most: MOST_QUEUED,
            });
        }
        let wanted = NextSequence {
            device: new.device.clone(),
            signing_key: new.signing_key.clone(),
            seq: new.seq,
        };
        if let Err(next) = take(connection, &wanted).await? {
            return Ok(QueueOutcome::Sequence(next));
        }
        sqlx::query(
            "INSERT INTO field_jobs (id, call, site, device, proposal, proposal_version, \
             signing_key, seq, payload_digest, about, state, queued_ms, claim_until_ms, expires_ms) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'queued', ?, ?, ?)",
        )
        .bind(&new.id)
        .bind(&new.call)
        .bind(&device.site)
        .bind(&new.device)
        .bind(new.proposal.as_ref().map(|proposal| &proposal.0))
        .bind(version(new.proposal.as_ref()))
        .bind(&new.signing_key)
        .bind(whole(new.seq))
        .bind(&new.payload_digest)
        .bind(about)
        .bind(at_ms)
        .bind(new.claim_until_ms)
        .bind(new.expires_ms)
        .execute(&mut *connection)
        .await?;
        sqlx::query("INSERT INTO field_packages (job, bytes) VALUES (?, ?)")
            .bind(&new.id)
            .bind(&new.package)
            .execute(&mut *connection)
            .await?;
        note(connection, &new.id, JobEventKind::Queued, &new.by, at_ms).await?;
        let job = changed(connection, &new.id).await?;
        change.commit().await?;
        Ok(QueueOutcome::Queued(job))
    }
}
