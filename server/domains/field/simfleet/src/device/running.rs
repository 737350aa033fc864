//! A started job: its steps in simulated time, renewals in between, and the end.

use std::time::Duration;

use serde::Serialize;
use serde_json::json;

use super::http::WireRequest;
use super::job::SANDBOX;
use super::journal::JournalState;
use super::streams::{JobStreams, StreamName};
use super::{DeviceFault, DeviceTurn, FleetDevice, FleetError};
use crate::office::{OfficeRun, ProgramOutput};
use crate::protocol::{
    JobOffer, JobReply, ReportEnding, ReportMessage, StepBeginning, StepEnding, StepRange,
    StepRecord,
};
use crate::secrets;
use crate::step::OfficeStep;
use crate::trust::admission::AdmittedPackage;

/// A claim while its job runs.
struct RunningClaim<'a> {
    offer: &'a JobOffer,
    claim: &'a str,
    /// Simulated milliseconds until the next renewal.
    renew_ms: u64,
    step: usize,
    cancelled: bool,
}

/// One step that was run.
struct FinishedStep {
    output: ProgramOutput,
    began_ms: u64,
    took_ms: u64,
    end: StepEnding,
}

impl FleetDevice {
    pub(super) async fn run(
        &mut self,
        offer: &JobOffer,
        claim: &str,
        admitted: AdmittedPackage,
    ) -> Result<DeviceTurn, FleetError> {
        if let Some(entry) = self.journal.entry(claim) {
            entry.streams.open(admitted.manifest.output);
        }
        let mut running = RunningClaim {
            offer,
            claim,
            renew_ms: third(offer.lease_s),
            step: 0,
            cancelled: false,
        };
        let mut office = self.office.run(self.options.device, self.wall_ms());
        let limit = admitted.manifest.timeout_s * 1000;
        let mut spent = 0;
        let mut how = ReportEnding::Exit(0);
        for (at, step) in admitted.steps.iter().enumerate() {
            running.step = at + 1;
            self.begin(claim, at + 1, step, office.now_ms());
            if at == 1 && self.is_on(DeviceFault::LosesItsSandbox) {
                how = ReportEnding::Lost;
                break;
            }
            self.ledger.add(&offer.job, step.run.word());
            let mut finished = one_step(&mut office, step);
            let left = limit - spent;
            let over = finished.took_ms > left;
            if over {
                finished.took_ms = left;
                finished.end = StepEnding::Timeout;
            }
            spent += finished.took_ms;
            self.pass(&mut running, finished.took_ms).await;
            if running.cancelled {
                finished.end = StepEnding::Cancelled;
            }
            let lies = self.is_on(DeviceFault::LiesAboutExit);
            if lies {
                finished.end = StepEnding::Exit(0);
            }
            self.record(claim, at + 1, step, &finished);
            if let StepEnding::Exit(code) = finished.end {
                how = ReportEnding::Exit(code);
            }
            if !self.cut_off {
                // A lost network ends no job: the rest is sent later.
                if let Err(error) = self.upload(claim).await {
                    tracing::debug!(%error, simulated = true, "output of a step not uploaded");
                }
            }
            self.cut_off |= self.is_on(DeviceFault::GoesSilent);
            if running.cancelled || over {
                how = if over {
                    ReportEnding::Timeout
                } else {
                    ReportEnding::Cancelled
                };
                break;
            }
            if admitted.stop_on_failure && finished.end != StepEnding::Exit(0) {
                break;
            }
        }
        self.finish(&running, how, spent).await
    }

    /// Lets simulated time pass, renews the lease in it, and hears of a cancellation.
    async fn pass(&mut self, running: &mut RunningClaim<'_>, milliseconds: u64) {
        let mut left = milliseconds;
        while left > 0 && !running.cancelled {
            let part = left.min(running.renew_ms);
            let pause = Duration::try_from_secs_f64(part as f64 / 1000.0 * self.options.pace);
            let pause = pause.unwrap_or_default();
            if !pause.is_zero() {
                tokio::time::sleep(pause).await;
            }
            left -= part;
            running.renew_ms -= part;
            if running.renew_ms == 0 {
                running.renew_ms = third(running.offer.lease_s);
                running.cancelled = !self.cut_off && self.renew(running).await;
            }
        }
    }

    /// Renews the lease; true if the job has to be cancelled.
    async fn renew(&mut self, running: &RunningClaim<'_>) -> bool {
        let body = json!({
            "epoch": running.offer.epoch,
            "claim": running.claim,
            "step": running.step,
        });
        let path = format!("jobs/{}/renew", running.offer.job);
        match self.authorized(WireRequest::post(path, &body)).await {
            // Stale or gone: nobody wants the result.
            Ok(answer) if matches!(answer.status, 409 | 410) => true,
            Ok(answer) => answer.read::<JobReply>().is_ok_and(|it| it.cancel),
            Err(_) => false,
        }
    }

    /// Writes that a step begins.
    fn begin(&mut self, claim: &str, number: usize, step: &OfficeStep, at_ms: u64) {
        if let Some(entry) = self.journal.entry(claim) {
            let beginning = StepBeginning {
                step: number,
                run: step.run.word(),
                at_ms,
            };
            entry.streams.append(StreamName::Step, &line(&beginning));
        }
    }

    /// Writes a step's output and its record into the streams.
    fn record(&mut self, claim: &str, number: usize, step: &OfficeStep, finished: &FinishedStep) {
        let Some(entry) = self.journal.entry(claim) else {
            return;
        };
        let streams = &mut entry.streams;
        let out = write(streams, StreamName::Out, &finished.output.stdout);
        let err = write(streams, StreamName::Err, &finished.output.stderr);
        let record = StepRecord {
            step: number,
            run: step.run.word(),
            at_ms: finished.began_ms,
            ms: finished.took_ms,
            end: finished.end,
            out,
            err,
        };
        streams.append(StreamName::Step, &line(&record));
    }

    /// Journals the end and tells the server, now or after the next hello.
    async fn finish(
        &mut self,
        running: &RunningClaim<'_>,
        how: ReportEnding,
        spent: u64,
    ) -> Result<DeviceTurn, FleetError> {
        let (job, claim) = (running.offer.job.clone(), running.claim);
        let Some(entry) = self.journal.entry(claim) else {
            return Err(FleetError::Answer("no entry of the job".to_owned()));
        };
        entry.streams.end();
        let report = ReportMessage {
            how,
            wall_ms: Some(spent),
            // Nothing runs here whose share of a processor could be measured.
            cpu_ms: None,
            peak_bytes: None,
            tasks: None,
            output_bytes: Some(entry.streams.total()),
        };
        let streams = StreamName::ALL.map(|it| (it.word(), entry.streams.message(it)));
        let streams: std::collections::BTreeMap<_, _> = streams.into_iter().collect();
        entry.state = JournalState::Ended(report.clone());
        if self.cut_off {
            self.session = None;
            self.needs_hello = true;
            return Ok(DeviceTurn::Silent);
        }
        let body = json!({
            "epoch": running.offer.epoch,
            "claim": claim,
            "report": report,
            "streams": streams,
            "sandbox": SANDBOX,
            "simulated": true,
        });
        let path = format!("jobs/{job}/end");
        let sent = match self.upload(claim).await {
            Ok(()) => self.authorized(WireRequest::post(path, &body)).await,
            Err(error) => Err(error),
        };
        match sent {
            // Recorded, stale or gone: the server has decided, and it stays so.
            Ok(answer) if matches!(answer.status, 200 | 409 | 410) => {
                self.journal.record(claim, JournalState::Settled);
                Ok(DeviceTurn::Ended(job))
            }
            Ok(_) | Err(_) => {
                self.needs_hello = true;
                Ok(DeviceTurn::Unsent(job))
            }
        }
    }
}

/// A third of a lease in milliseconds.
fn third(lease_s: u32) -> u64 {
    (u64::from(lease_s) * 1000 / 3).max(1)
}

/// Runs one step within its own limit.
fn one_step(office: &mut OfficeRun, step: &OfficeStep) -> FinishedStep {
    let began_ms = office.now_ms();
    let output = office.step(step);
    let longest = u64::from(step.longest()) * 1000;
    let end = if output.took_ms > longest {
        StepEnding::Timeout
    } else {
        StepEnding::Exit(output.exit)
    };
    FinishedStep {
        took_ms: output.took_ms.min(longest),
        output,
        began_ms,
        end,
    }
}

/// A line of the stream of steps. It has no map and no number that JSON lacks, so it can be written.
fn line(record: &impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(record).unwrap_or_default();
    line.push(b'\n');
    line
}

/// Appends a text without its secrets.
fn write(streams: &mut JobStreams, stream: StreamName, text: &str) -> StepRange {
    let from = streams.length(stream);
    let text = secrets::without_secrets(text).text;
    streams.append(stream, text.as_bytes());
    StepRange {
        from,
        bytes: text.len() as u64,
    }
}
