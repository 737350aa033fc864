//! Calls to the server: the session, and what is said about jobs.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use field_queue::message::{JobAnswer, JobCall, JobCallKind};
use serde_json::{Value, json};

use super::{FieldRunner, link_report};
use crate::{
    error::RunnerError,
    launch::{LaunchAnswer, LaunchAsk},
    server::{link::EndDetails, send_pieces},
};

impl FieldRunner {
    /// Opens a session, says hello, and hands new root documents on.
    pub(super) async fn connect(&mut self) -> Result<(), RunnerError> {
        if let LaunchAnswer::Abilities { abilities, probes } =
            self.launcher.ask(&LaunchAsk::Abilities)?
        {
            self.link.report = link_report(&abilities, &probes);
            self.abilities = abilities;
        }
        self.link.report.program = match self.launcher.ask(&LaunchAsk::Program) {
            Ok(LaunchAnswer::Program(report)) => json!(report),
            // For a moment after an update runner and launcher are two versions.
            Ok(_) | Err(RunnerError::Refused { .. }) => Value::Null,
            Err(error) => return Err(error),
        };
        self.link.connect().await?;
        self.hand_on_roots()
    }

    pub(super) fn hand_on_roots(&mut self) -> Result<(), RunnerError> {
        while let Some(envelope) = self.link.new_roots.first() {
            let envelope = BASE64_STANDARD.encode(envelope);
            match self.launcher.ask(&LaunchAsk::Root { envelope }) {
                // Refused once is refused for good; the launcher then refuses packages of new keys.
                Ok(_) | Err(RunnerError::Refused { .. }) => self.link.new_roots.remove(0),
                Err(error) => return Err(error),
            };
        }
        Ok(())
    }

    pub(super) async fn call(&mut self, call: &JobCall) -> Result<Option<JobAnswer>, RunnerError> {
        let details = match call.kind {
            JobCallKind::End(_) => self.upload_all(call).await?,
            JobCallKind::Unknown(_) => {
                // Worth having, but the report does not wait for it.
                let left = self.upload_all(call).await;
                left.unwrap_or_else(|error| {
                    tracing::debug!(%error, job = %call.job, "output of a lost job not uploaded");
                    EndDetails::default()
                })
            }
            _ => EndDetails::default(),
        };
        match self.link.call(call, &details).await {
            Ok(answer) => Ok(Some(answer)),
            // Never repeated as it is, and nothing else to say: the server's word is final.
            Err(RunnerError::Server {
                status: 400 | 413 | 422,
                ..
            }) => Ok(Some(JobAnswer::Stale {
                job: call.job.clone(),
                epoch: call.epoch,
            })),
            Err(error) => Err(error),
        }
    }

    /// Sends the rest of a job's output, for which the launcher keeps it. Of a lost one this tells which step had
    /// begun.
    async fn upload_all(&mut self, call: &JobCall) -> Result<EndDetails, RunnerError> {
        let mut offsets = self.offsets.get(&call.job).copied().unwrap_or_default();
        loop {
            let look = LaunchAsk::Look {
                job: call.job.clone(),
                offsets: offsets.0,
            };
            match self.launcher.ask(&look)? {
                LaunchAnswer::Ended {
                    sums,
                    sandbox,
                    pieces,
                    ..
                } => {
                    let more = send_pieces(&mut self.link, call, &mut offsets, &pieces).await;
                    self.offsets.insert(call.job.clone(), offsets);
                    if !more? {
                        return Ok(EndDetails { sums, sandbox });
                    }
                }
                LaunchAnswer::Nothing { pieces, .. } => {
                    let more = send_pieces(&mut self.link, call, &mut offsets, &pieces).await;
                    self.offsets.insert(call.job.clone(), offsets);
                    if !more? {
                        return Ok(EndDetails::default());
                    }
                }
                _ => return Ok(EndDetails::default()),
            }
        }
    }
}
