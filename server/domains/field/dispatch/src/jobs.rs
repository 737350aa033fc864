//! The life of a job: a device's call is judged by the machine of the queue, and then carried out.

#[cfg(test)]
mod agreement;
mod calls;
mod carry;
mod ending;
mod judge;
mod signed;

use field_queue::message::{JobCall, JobCallKind, JobEpoch};
use field_queue::secret::ClaimSecret;
use field_queue::server::StartCheck;
use field_tables::{ClaimMiss, JobClaim, JobRecord, RenewOutcome};

pub(crate) use self::ending::report_of;

use self::judge::{JudgedCall, judge};
use crate::clock::as_ms;
use crate::dispatch::Dispatch;
use crate::error::{DispatchRefusal, RefusalClass};
use crate::sessions::DeviceSession;
use crate::texts::jobs as texts;

/// Times that a call is judged anew because something else happened to the job in between.
const TRIES: usize = 4;

/// A device's claim, as it says.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SaidClaim<'a> {
    pub(crate) job: &'a str,
    pub(crate) epoch: u32,
    pub(crate) claim: &'a str,
}

/// The answer to a call that asks for nothing but to be heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JobSettled {
    Recorded,
    Stale,
    Gone,
}

impl SaidClaim<'_> {
    fn secret(&self) -> Result<ClaimSecret, DispatchRefusal> {
        ClaimSecret::try_from(self.claim.to_owned()).map_err(|_| DispatchRefusal::member("claim"))
    }

    /// The claim as the tables know it.
    pub(crate) fn of(&self, session: &DeviceSession) -> Result<JobClaim, DispatchRefusal> {
        if self.job.len() > 40 {
            return Err(DispatchRefusal::not_found());
        }
        Ok(JobClaim {
            job: self.job.to_owned(),
            device: session.id().to_owned(),
            epoch: self.epoch.into(),
            claim_hash: self.secret()?.hash().bytes().to_vec(),
        })
    }
}

/// A call of a device, and everything that is needed to judge it again.
struct DeviceCall<'a> {
    claim: JobClaim,
    said: SaidClaim<'a>,
    kind: JobCallKind,
    /// JSON for the tables, if the call ends the job.
    ending: serde_json::Value,
}

impl Dispatch {
    /// Judges a call and carries it out. Between the two something else may happen to the job, which the
    /// conditions of the tables notice; then it is judged anew.
    async fn call(&self, call: &DeviceCall<'_>) -> Result<JudgedCall, DispatchRefusal> {
        for _ in 0..TRIES {
            let now_s = self.job_time();
            // What is due comes first, in the machine as here.
            self.0
                .tables
                .settle_job(&call.claim.job, as_ms(now_s))
                .await?;
            let record = self.job_of(&call.claim).await?;
            let signed = self.signed(&record.id).await?;
            let timeout_s = signed.as_ref().map_or(0, |signed| signed.timeout_s);
            let check = match call.kind {
                JobCallKind::Start(_) => self.start_check(&record, signed.as_deref(), now_s).await,
                _ => StartCheck::Passed,
            };
            let said = JobCall {
                job: judge::job_id(&record)?,
                epoch: JobEpoch(call.said.epoch),
                claim: call.said.secret()?,
                kind: call.kind.clone(),
            };
            let judged = judge(&record, said, check, timeout_s, now_s)?;
            if self.carry(call, &record, &judged, now_s).await? {
                if judged.commits() {
                    self.job_changed(&record.id, &record.device);
                }
                return Ok(judged);
            }
        }
        Err(DispatchRefusal::failed(&"a job changes all the time"))
    }

    /// The job of a claim's device.
    async fn job_of(&self, claim: &JobClaim) -> Result<JobRecord, DispatchRefusal> {
        let record = self.0.tables.job(&claim.job).await?;
        if let Some(record) = record.filter(|record| record.device == claim.device) {
            return Ok(record);
        }
        // A tombstone may still know it. To renew it changes nothing, for there is no row.
        let renewed = self.0.tables.renew(claim, 0, self.now_ms()).await?;
        Err(match renewed {
            RenewOutcome::Missed(miss) => missed(miss),
            RenewOutcome::Renewed(_) => DispatchRefusal::not_found(),
        })
    }
}

/// The refusal of a call whose claim is not the current one.
pub(crate) fn missed(miss: ClaimMiss) -> DispatchRefusal {
    match miss {
        ClaimMiss::NotFound => DispatchRefusal::not_found(),
        ClaimMiss::Over(_) => gone(),
        ClaimMiss::NotStarted => {
            let (class, text) = (RefusalClass::Conflict, texts::NOT_STARTED);
            DispatchRefusal::new(class, "job_not_started", text, texts::STALE_HELP)
        }
        ClaimMiss::Stale { .. } | ClaimMiss::Started => stale(),
    }
}

pub(crate) fn stale() -> DispatchRefusal {
    let class = RefusalClass::Conflict;
    DispatchRefusal::new(class, "job_stale", texts::STALE, texts::STALE_HELP)
}

pub(crate) fn gone() -> DispatchRefusal {
    let class = RefusalClass::Gone;
    DispatchRefusal::new(class, "job_gone", texts::GONE, texts::GONE_HELP)
}
