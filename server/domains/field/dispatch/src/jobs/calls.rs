//! The calls of a device about a job: start, renew, refuse, end, and its journal after a restart.

use field_queue::message::{JobAnswer, JobCallKind};
use field_queue::report::UnknownReason;
use field_queue::secret::StartNonce;
use field_queue::server::LEASE_S;
use serde_json::{Value, json};

use super::ending::{EndingExtras, device_ending};
use super::judge::JudgedCall;
use super::{DeviceCall, JobSettled, SaidClaim, gone, stale};
use crate::dispatch::Dispatch;
use crate::error::{DispatchRefusal, RefusalClass};
use crate::messages::{
    EndMessage, JobAnswerMessage, JournalEntryMessage, JournalReportMessage, RefuseMessage,
    RenewMessage, StartMessage,
};
use crate::sessions::DeviceSession;
use crate::vaults::CoverSource;

/// Bytes of a device's reason that are kept.
const MOST_REASON: usize = 400;

impl Dispatch {
    /// Says go, for this nonce alone, once all checks have passed again.
    ///
    /// # Errors
    /// The claim is stale, a check failed, or another nonce started the job.
    pub async fn start_job(
        &self,
        session: &DeviceSession,
        job: &str,
        message: &StartMessage,
    ) -> Result<JobAnswerMessage, DispatchRefusal> {
        session.adopted()?;
        let nonce = StartNonce::try_from(message.nonce.clone());
        let nonce = nonce.map_err(|_| DispatchRefusal::member("nonce"))?;
        let said = SaidClaim {
            job,
            epoch: message.epoch,
            claim: &message.claim,
        };
        let kind = JobCallKind::Start(nonce);
        self.answered(session, said, kind, Value::Null).await
    }

    /// Extends the lease, and says whether the job should end.
    ///
    /// # Errors
    /// The claim is stale, or the job is over.
    pub async fn renew_job(
        &self,
        session: &DeviceSession,
        job: &str,
        message: &RenewMessage,
    ) -> Result<JobAnswerMessage, DispatchRefusal> {
        let said = SaidClaim {
            job,
            epoch: message.epoch,
            claim: &message.claim,
        };
        self.answered(session, said, JobCallKind::Renew, Value::Null)
            .await
    }

    /// Takes a device's refusal of a package.
    ///
    /// # Errors
    /// The claim is stale.
    pub async fn refuse_job(
        &self,
        session: &DeviceSession,
        job: &str,
        message: &RefuseMessage,
    ) -> Result<JobAnswerMessage, DispatchRefusal> {
        let said = SaidClaim {
            job,
            epoch: message.epoch,
            claim: &message.claim,
        };
        let code = plain_code(&message.code);
        let reason = self.covered_reason(session, &message.message).await?;
        let ending = json!({ "by": "device", "code": code, "reason": reason });
        self.answered(session, said, JobCallKind::Refuse(code), ending)
            .await
    }

    /// Takes the end of a job. A repeat and a late one are acknowledged too.
    ///
    /// # Errors
    /// The claim is stale.
    pub async fn end_job(
        &self,
        session: &DeviceSession,
        job: &str,
        message: &EndMessage,
    ) -> Result<JobAnswerMessage, DispatchRefusal> {
        let said = SaidClaim {
            job,
            epoch: message.epoch,
            claim: &message.claim,
        };
        let mut extras = EndingExtras {
            sandbox: message.sandbox.as_deref().map(plain_code),
            is_simulated: message.simulated,
            ..EndingExtras::default()
        };
        for name in ["out", "err", "step"] {
            if let Some(sum) = message.streams.get(name) {
                let whole = self.is_whole(job, name, sum).await?;
                extras.whole.insert(name.to_owned(), whole);
                extras.streams.insert(name.to_owned(), sum.clone());
            }
        }
        let ending = device_ending(&message.report, &extras);
        let kind = JobCallKind::End(message.report.clone());
        self.answered(session, said, kind, ending).await
    }

    /// Settles an entry of a device's journal after a restart. Nothing of it ever runs.
    pub(crate) async fn journal_entry(
        &self,
        session: &DeviceSession,
        entry: &JournalEntryMessage,
    ) -> Result<JobSettled, DispatchRefusal> {
        let said = SaidClaim {
            job: &entry.job,
            epoch: entry.epoch,
            claim: &entry.claim,
        };
        let (kind, ending) = match &entry.report {
            JournalReportMessage::DidNotRun => {
                let ending = json!({ "by": "device", "code": "did_not_run" });
                (JobCallKind::DidNotRun, ending)
            }
            JournalReportMessage::Unknown(reason) => unknown(*reason),
            JournalReportMessage::Other(_) => unknown(UnknownReason::Rebooted),
            JournalReportMessage::End(report) => {
                let ending = device_ending(report, &EndingExtras::default());
                (JobCallKind::End(report.clone()), ending)
            }
        };
        match self.answered(session, said, kind, ending).await {
            Ok(_) => Ok(JobSettled::Recorded),
            Err(refusal) => match refusal.class {
                RefusalClass::Conflict => Ok(JobSettled::Stale),
                RefusalClass::Gone | RefusalClass::NotFound => Ok(JobSettled::Gone),
                _ => Err(refusal),
            },
        }
    }

    async fn answered(
        &self,
        session: &DeviceSession,
        said: SaidClaim<'_>,
        kind: JobCallKind,
        ending: Value,
    ) -> Result<JobAnswerMessage, DispatchRefusal> {
        let call = DeviceCall {
            claim: said.of(session)?,
            said,
            kind,
            ending,
        };
        answer(Box::pin(self.call(&call)).await?)
    }

    /// A reason in a device's own words, covered: it may hold anything.
    async fn covered_reason(
        &self,
        session: &DeviceSession,
        text: &str,
    ) -> Result<String, DispatchRefusal> {
        let text: String = text.chars().take(MOST_REASON / 4).collect();
        let site = &session.device.site;
        let covered = self
            .0
            .vaults
            .cover(site, &text, CoverSource::Outside, self.now_ms());
        let covered = covered.await?.text;
        Ok(covered.chars().take(MOST_REASON).collect())
    }
}

fn unknown(reason: UnknownReason) -> (JobCallKind, Value) {
    let ending = json!({ "by": "device", "code": "unknown", "reason": reason });
    (JobCallKind::Unknown(reason), ending)
}

fn answer(judged: JudgedCall) -> Result<JobAnswerMessage, DispatchRefusal> {
    let is_over = judged.after.is_final();
    match judged.answer {
        JobAnswer::Go { nonce, .. } => Ok(JobAnswerMessage::Go {
            nonce: nonce.into(),
        }),
        JobAnswer::Kept { cancel, .. } => Ok(JobAnswerMessage::Kept {
            cancel,
            lease_s: LEASE_S,
        }),
        JobAnswer::Recorded { .. } => Ok(JobAnswerMessage::Recorded),
        JobAnswer::Gone { .. } => Err(gone()),
        // A claim that is not even the last one of a job that is over.
        JobAnswer::Stale { .. } if is_over => Err(gone()),
        JobAnswer::Stale { .. } => Err(stale()),
        JobAnswer::Nothing | JobAnswer::Offer { .. } => {
            Err(DispatchRefusal::failed(&"an answer to another question"))
        }
    }
}

/// A code of a device's check: a word, whatever it sent.
fn plain_code(code: &str) -> String {
    let is_sign = |it: &u8| it.is_ascii_lowercase() || it.is_ascii_digit() || b"_.-".contains(it);
    let is_plain = (1..=64).contains(&code.len()) && code.as_bytes().iter().all(is_sign);
    if is_plain { code } else { "other" }.to_owned()
}
