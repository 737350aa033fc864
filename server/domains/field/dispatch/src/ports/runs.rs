//! The queue of runs, for the toolset.

use std::collections::BTreeSet;

use async_trait::async_trait;
use field::IssuedParts;
use field::field_package::ids::{JobId, PackageNonce, Sha256Hex};
use field::ports::{
    CancelOrder, CancelResult, FieldFault, FieldFaultCode, FieldRuns, LogText, OutputTail,
    PackageFacts, RunFilter, RunOfCall, RunOrder, RunRecord, StepResult,
};
use field_tables::{CancelOutcome, JobFilter, JobOfCall, JobRecord, JobState, LogStream};
use protocol::{CallId, Timestamp};
use serde_json::json;

use super::FieldBackend;
use super::faults::{fault, stored};
use super::records::{RunFigures, damaged, run_record};
use super::steps::known_steps;
use crate::clock::whole_seconds;
use crate::packaging::JobOrder;

/// Bytes of the stream of steps that are read to count them.
const STEPS_READ: usize = 256 * 1024;

#[async_trait]
impl FieldRuns for FieldBackend {
    async fn queue(&self, order: &RunOrder) -> Result<RunRecord, FieldFault> {
        let job = self.dispatch.queue_job(&job_order(order)?).await;
        let job = job.map_err(fault(FieldFaultCode::UnknownDevice))?;
        self.run_of_job(&job).await
    }

    async fn run(&self, id: &str) -> Result<Option<RunRecord>, FieldFault> {
        let job = self.dispatch.job(id).await;
        match job.map_err(fault(FieldFaultCode::UnknownRun))? {
            Some(job) => self.run_of_job(&job).await.map(Some),
            None => Ok(None),
        }
    }

    async fn run_of(&self, call: CallId) -> Result<Option<RunOfCall>, FieldFault> {
        let found = self
            .tables()
            .job_of_call(&call.to_string())
            .await
            .map_err(stored)?;
        Ok(match found {
            None => None,
            Some(JobOfCall::Removed(state)) => Some(RunOfCall::Removed(state.word().to_owned())),
            Some(JobOfCall::There(job)) => {
                let job = self.dispatch.job(&job.id).await;
                let job = job.map_err(fault(FieldFaultCode::UnknownRun))?;
                match job {
                    Some(job) => Some(RunOfCall::There(Box::new(self.run_of_job(&job).await?))),
                    None => None,
                }
            }
        })
    }

    async fn run_after(&self, id: &str, revision: u64) -> Result<RunRecord, FieldFault> {
        // From here on no change is missed, whatever the first look sees.
        let mut changes = self.dispatch.0.changes.follow_of(id);
        loop {
            let run = FieldRuns::run(self, id).await?;
            let run = run.ok_or(FieldFault::new(FieldFaultCode::UnknownRun))?;
            if run.revision != revision {
                return Ok(run);
            }
            changes.next().await;
        }
    }

    async fn runs(&self, filter: &RunFilter) -> Result<Vec<RunRecord>, FieldFault> {
        let known = |state: &&JobState| filter.phases.contains(&state.word());
        let states: Vec<_> = JobState::ALL.iter().filter(known).copied().collect();
        // Words that are no phases select nothing, rather than everything.
        if states.is_empty() && !filter.phases.is_empty() {
            return Ok(Vec::new());
        }
        let selection = JobFilter {
            site: filter.site.clone(),
            device: filter.device.clone(),
            states,
            before: None,
        };
        let jobs = self
            .tables()
            .jobs(&selection, filter.limit)
            .await
            .map_err(stored)?;
        let mut runs = Vec::with_capacity(jobs.len());
        for job in &jobs {
            runs.push(self.run_of_job(job).await?);
        }
        Ok(runs)
    }

    async fn results(&self, id: &str) -> Result<Vec<StepResult>, FieldFault> {
        self.step_results(id).await
    }

    async fn log(&self, id: &str, tail: &OutputTail) -> Result<LogText, FieldFault> {
        self.output_tail(id, tail).await
    }

    async fn cancel(&self, order: &CancelOrder) -> Result<CancelResult, FieldFault> {
        let by = order.person.to_string();
        let cancelled = self
            .dispatch
            .cancel_job(&order.run, &order.reason, &by)
            .await;
        let outcome = cancelled.map_err(fault(FieldFaultCode::UnknownRun))?;
        Ok(match outcome {
            CancelOutcome::Cancelled(job) => {
                CancelResult::Cancelled(Box::new(self.run_of_job(&job).await?))
            }
            CancelOutcome::Asked(job) | CancelOutcome::AlreadyAsked(job) => {
                CancelResult::Asked(Box::new(self.run_of_job(&job).await?))
            }
            CancelOutcome::Over(job) => CancelResult::Over(Box::new(self.run_of_job(&job).await?)),
        })
    }

    async fn package(&self, id: &str) -> Result<Option<PackageFacts>, FieldFault> {
        let job = self.tables().job(id).await.map_err(stored)?;
        let bytes = self.tables().package(id).await.map_err(stored)?;
        let Some((job, bytes)) = job.zip(bytes) else {
            return Ok(None);
        };
        let manifest = self.dispatch.manifest(id).await;
        let manifest = manifest.map_err(fault(FieldFaultCode::UnknownRun))?;
        // A package whose key was revoked says nothing that can be relied on.
        let Some(manifest) = manifest else {
            return Ok(None);
        };
        Ok(Some(PackageFacts {
            sha256: Sha256Hex::digest(&bytes).as_str().to_owned(),
            payload_sha256: manifest.payload.sha256.as_str().to_owned(),
            core_sha256: job.about["core"].as_str().unwrap_or_default().to_owned(),
            sequence: manifest.seq,
            signing_key: job.signing_key,
            expires: Timestamp(job.expires_ms),
            approval_digest: manifest.approval.digest.as_str().to_owned(),
            approved_by: manifest.approval.by.into_iter().collect(),
        }))
    }

    async fn has_ended_on(&self, device: &str, payload: &str) -> Result<bool, FieldFault> {
        self.tables()
            .has_ended_on(device, payload)
            .await
            .map_err(stored)
    }

    async fn queued_since(&self, device: &str, since: Timestamp) -> Result<u64, FieldFault> {
        self.tables()
            .jobs_since(device, since.0)
            .await
            .map_err(stored)
    }
}

impl FieldBackend {
    /// A job as a run as it is now.
    pub(super) async fn run_of_job(&self, job: &JobRecord) -> Result<RunRecord, FieldFault> {
        let figures = self.figures(&job.id).await?;
        // Read after the figures: a revision never counts a change that the rest does not show, or one
        // that waits for the next revision would never see that change.
        let now = self.tables().job(&job.id).await.map_err(stored)?;
        let job = now.as_ref().unwrap_or(job);
        let device = self.tables().device(&job.device).await.map_err(stored)?;
        let is_simulated = device.is_some_and(|it| it.facts["simulated"] == true);
        run_record(job, figures, is_simulated)
    }

    /// Figures of a run. Each of them only goes up, so their sum is a revision.
    pub(super) async fn figures(&self, id: &str) -> Result<RunFigures, FieldFault> {
        let tables = self.tables();
        let events = tables.job_event_count(id).await.map_err(stored)?;
        let lengths = tables.log_lengths(id).await.map_err(stored)?;
        let of = |wanted: LogStream| -> u64 {
            let mut found = lengths.iter().filter(|(stream, _)| *stream == wanted);
            found.next().map_or(0, |(_, length)| *length)
        };
        let mut steps = Vec::new();
        if of(LogStream::Step) > 0 {
            let read = tables.read_log(id, LogStream::Step, Some(0), STEPS_READ);
            steps = known_steps(&read.await.map_err(stored)?.bytes);
        }
        let ended = steps.iter().filter(|it| it.end.is_some()).count();
        let failed = steps.iter().filter_map(|it| it.end);
        let failed = failed.filter(|end| end.is_failure()).count();
        let all: u64 = lengths.iter().map(|(_, length)| *length).sum();
        Ok(RunFigures {
            revision: events + all,
            steps_ended: u32::try_from(ended).unwrap_or(u32::MAX),
            steps_failed: u32::try_from(failed).unwrap_or(u32::MAX),
            step_begun: steps.last().map(|it| it.step),
            output: of(LogStream::Out) + of(LogStream::Err),
        })
    }
}

/// The order of the toolset as one of the dispatch. Its manifest has placeholders where the dispatch
/// gives numbers, times and names of its own.
fn job_order(order: &RunOrder) -> Result<JobOrder, FieldFault> {
    let bad = |what: &str| damaged(what);
    let approval = &order.approval;
    let issued = IssuedParts {
        job: JobId::new("run_00000000000000000000000000").map_err(|_| bad("job"))?,
        seq: 1,
        nonce: PackageNonce::new(&"0".repeat(32)).map_err(|_| bad("nonce"))?,
        issued: 0,
        expires: 0,
        claim_until: 0,
        approval_digest: Sha256Hex::new(&approval.digest).map_err(|_| bad("approval"))?,
        approved_by: approval.by.iter().cloned().collect::<BTreeSet<_>>(),
        approved_at: whole_seconds(approval.at.0),
        server: String::new(),
    };
    Ok(JobOrder {
        call: order.call.to_string(),
        manifest: order.core.manifest(issued),
        payload: order.core.payload().to_vec(),
        proposal: order.proposal.clone(),
        about: json!({
            "title": order.title,
            "steps": order.steps,
            "core": order.core.digest().as_str(),
        }),
        claim_until_s: whole_seconds(order.claim_until.0),
        by: order.person.to_string(),
    })
}
