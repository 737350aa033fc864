//! The outcome of each step of a run: read as it came, then covered.

use field::field_package::package::SignedPackage;
use field::ports::{FieldFault, FieldFaultCode, StepResult};
use field::{RawStep, step_result};
use field_tables::{JobRecord, LogStream};

use super::FieldBackend;
use super::faults::{fault, stored};
use super::records::steps_of;
use super::steps::{KnownStep, StepPlace, known_steps};
use crate::vaults::CoverSource;

/// Bytes of the stream of steps that are read: twenty steps, however long their lines are.
const RECORDS: usize = 64 * 1024;
/// Bytes of the output of one step that are read.
const OUTPUT: u64 = 256 * 1024;

/// The places of a step in both streams.
pub(super) struct StepOutput {
    pub(super) out: StepPlace,
    pub(super) err: StepPlace,
}

impl FieldBackend {
    pub(super) async fn step_results(&self, id: &str) -> Result<Vec<StepResult>, FieldFault> {
        let job = self.known_job(id).await?;
        let bytes = self
            .tables()
            .package(id)
            .await
            .map_err(stored)?
            .unwrap_or_default();
        let package = SignedPackage::read(&bytes).ok();
        let payload = package.and_then(|it| it.payload()).unwrap_or_default();
        let covered = steps_of(&job.about);
        let mut results = Vec::new();
        for line in self.known_steps(id).await? {
            let at = usize::try_from(line.step)
                .ok()
                .and_then(|it| it.checked_sub(1));
            let Some(step) = at.and_then(|at| covered.get(at)) else {
                continue;
            };
            let out = self.piece(id, LogStream::Out, line.out).await?;
            let err = self.piece(id, LogStream::Err, line.err).await?;
            let raw = RawStep {
                number: line.step,
                covered: step,
                end: line.end,
                is_over: job.state.is_over(),
                ms: line.ms,
                out: &out,
                err: &err,
            };
            results.push(self.covered_result(&job.site, &payload, raw).await?);
        }
        Ok(results)
    }

    /// The result with each text covered. Covering stores tokens, so the texts are gathered first.
    async fn covered_result(
        &self,
        site: &str,
        payload: &[u8],
        raw: RawStep<'_>,
    ) -> Result<StepResult, FieldFault> {
        let mut texts = Vec::new();
        step_result(payload, raw, |text| {
            texts.push(text.to_owned());
            text.to_owned()
        });
        let mut covered = Vec::with_capacity(texts.len());
        for text in &texts {
            let done = self.dispatch.cover(site, text, CoverSource::Outside).await;
            covered.push(done.map_err(fault(FieldFaultCode::Storage))?.text);
        }
        let mut next = covered.into_iter();
        // In the same order; if there were ever fewer, nothing is better than a value.
        Ok(step_result(payload, raw, |_| {
            next.next().unwrap_or_default()
        }))
    }

    /// The job of a run.
    pub(super) async fn known_job(&self, id: &str) -> Result<JobRecord, FieldFault> {
        let job = self.tables().job(id).await.map_err(stored)?;
        job.ok_or(FieldFault::new(FieldFaultCode::UnknownRun))
    }

    async fn known_steps(&self, id: &str) -> Result<Vec<KnownStep>, FieldFault> {
        let read = self
            .tables()
            .read_log(id, LogStream::Step, Some(0), RECORDS);
        Ok(known_steps(&read.await.map_err(stored)?.bytes))
    }

    /// The places of one step, if it has ended.
    pub(super) async fn step_output(
        &self,
        id: &str,
        number: u32,
    ) -> Result<Option<StepOutput>, FieldFault> {
        let steps = self.known_steps(id).await?;
        let mut ended = steps.into_iter().filter(|it| it.end.is_some());
        let line = ended.find(|line| line.step == number);
        Ok(line.map(|line| StepOutput {
            out: line.out,
            err: line.err,
        }))
    }

    /// The bytes of a place that are stored. The device names places in all that it wrote; if it left
    /// a middle out, what is behind it is not where it says.
    pub(super) async fn piece(
        &self,
        id: &str,
        stream: LogStream,
        place: StepPlace,
    ) -> Result<Vec<u8>, FieldFault> {
        let most = usize::try_from(place.bytes.min(OUTPUT)).unwrap_or(0);
        if most == 0 || self.has_gap_before(id, stream, place).await? {
            return Ok(Vec::new());
        }
        let read = self.tables().read_log(id, stream, Some(place.from), most);
        let tail = read.await.map_err(stored)?;
        let is_there = tail.start == place.from;
        Ok(if is_there { tail.bytes } else { Vec::new() })
    }

    async fn has_gap_before(
        &self,
        id: &str,
        stream: LogStream,
        place: StepPlace,
    ) -> Result<bool, FieldFault> {
        let job = self.known_job(id).await?;
        let said = job
            .ending
            .as_ref()
            .map(|it| &it["streams"][stream.word()]["said"]);
        let Some(said) = said else { return Ok(false) };
        let (kept, all) = (said["kept"].as_u64(), said["all"].as_u64());
        let is_cut = kept.zip(all).is_some_and(|(kept, all)| kept != all);
        let signed = self.dispatch.signed(id).await;
        let signed = signed.map_err(fault(FieldFaultCode::Storage))?;
        // The head of a cut stream is a third of the limit.
        let head = signed.map_or(0, |signed| signed.output / 3);
        Ok(is_cut && place.from.saturating_add(place.bytes) > head)
    }
}
