//! The device's link to its server: a session by challenge, the hello that opens it, calls within it.

use std::time::Duration;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use field_package::{clock::DeviceClock, hex};
use field_queue::{
    message::{JobAnswer, JobCall, JobCallKind, JobEpoch},
    secret::{ClaimSecret, StartNonce},
};
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::{ApiClient, ApiRequest, LinkAnswer};
use crate::{
    clock::HeardClock,
    error::RunnerError,
    identity::{DeviceKey, EnrolledIdentity},
    launch::JobSums,
    roots::RootChain,
};

/// Type of what a device signs to open a session.
const SESSION_TYPE: &str = "application/vnd.jarvis.session";
/// Seconds that a claim waits on the server.
pub(crate) const WAIT_S: u32 = 45;
/// Root documents that one hello may bring.
const MOST_ROOTS: u64 = 32;

/// The device's report on itself.
#[derive(Debug, Clone, Default)]
pub struct LinkReport {
    pub facts: Value,
    pub capabilities: Value,
    /// Null before the launcher has named it.
    pub program: Value,
}

/// The link. It has one session at a time.
pub struct DeviceLink {
    client: ApiClient,
    identity: EnrolledIdentity,
    key: DeviceKey,
    /// A word of this life, by which the server tells two runners with one key.
    instance: String,
    token: Option<String>,
    state: String,
    pub(crate) clock: HeardClock,
    pub(crate) roots: RootChain,
    /// Root documents that the launcher does not have yet.
    pub(crate) new_roots: Vec<Vec<u8>>,
    pub(crate) report: LinkReport,
    pub(crate) wait_s: u32,
}

/// Work for this device.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum ClaimedWorkMessage {
    Job(ClaimedPackage),
    Collect {
        request: String,
    },
    /// Of a newer server.
    #[serde(other)]
    Unknown,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct ClaimedPackage {
    pub(crate) job: String,
    pub(crate) epoch: u32,
    pub(crate) package: String,
    pub(crate) sha256: String,
}

#[derive(Deserialize)]
struct ChallengeReply {
    nonce: String,
}

#[derive(Deserialize)]
struct SessionReply {
    token: String,
    state: String,
}

#[derive(Deserialize)]
struct HelloReply {
    state: String,
    root_version: u64,
    #[serde(default)]
    reports: Vec<SettledReport>,
}

#[derive(Deserialize)]
struct SettledReport {
    job: String,
    epoch: u32,
    answer: String,
}

#[derive(Deserialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
enum LinkReply {
    Go { nonce: StartNonce },
    Kept { cancel: bool },
    Recorded,
}

/// The details of a job's end.
#[derive(Debug, Clone, Default)]
pub(crate) struct EndDetails {
    pub(crate) sums: JobSums,
    pub(crate) sandbox: String,
}

impl DeviceLink {
    pub(crate) fn new(
        client: ApiClient,
        identity: EnrolledIdentity,
        key: DeviceKey,
        clock: HeardClock,
        roots: RootChain,
    ) -> Self {
        Self {
            client,
            identity,
            key,
            instance: hex::write(&rand::random::<[u8; 8]>()),
            token: None,
            state: String::new(),
            clock,
            roots,
            new_roots: Vec::new(),
            report: LinkReport::default(),
            wait_s: WAIT_S,
        }
    }

    pub(crate) fn is_adopted(&self) -> bool {
        self.token.is_some() && self.state == "adopted"
    }

    pub(crate) fn state(&self) -> &str {
        &self.state
    }

    pub(crate) fn now(&self) -> DeviceClock {
        self.clock.now()
    }

    pub(crate) fn identity(&self) -> &EnrolledIdentity {
        &self.identity
    }

    /// Opens a session if there is none, and says hello.
    pub(crate) async fn connect(&mut self) -> Result<(), RunnerError> {
        if self.token.is_none() {
            self.open().await?;
        }
        self.hello(&[]).await.map(drop)
    }

    async fn open(&mut self) -> Result<(), RunnerError> {
        let device = self.identity.device.as_str();
        let ask = ApiRequest::post("session", &json!({ "device": device }));
        let challenge: ChallengeReply = self.exchange(&ask).await?.read()?;
        let server = self.identity.server.as_str();
        let device = self.identity.device.as_str();
        let parts = [device, &challenge.nonce, &self.instance, server];
        let body = json!({
            "device": device,
            "nonce": challenge.nonce,
            "instance": self.instance,
            "signature": self.key.sign(SESSION_TYPE, &parts),
        });
        let request = ApiRequest::put("session", &body);
        let opened: SessionReply = self.exchange(&request).await?.read()?;
        self.token = Some(opened.token);
        self.state = opened.state;
        Ok(())
    }

    /// Says hello with these reports of the journal, and follows new root documents.
    pub(crate) async fn hello(&mut self, calls: &[JobCall]) -> Result<Vec<JobAnswer>, RunnerError> {
        let journal: Vec<_> = calls.iter().filter_map(journal_message).collect();
        let body = json!({
            "instance": self.instance,
            "facts": self.report.facts,
            "capabilities": self.report.capabilities,
            "root_version": self.roots.newest().version(),
            "clock": self.clock.message(),
            "program": self.report.program,
            "journal": journal,
        });
        let answer = self.authorized(&ApiRequest::post("hello", &body)).await?;
        let message: HelloReply = answer.read()?;
        self.state = message.state;
        let answers = calls.iter().filter_map(|call| {
            let mut reports = message.reports.iter();
            let report =
                reports.find(|it| it.job == call.job.as_str() && it.epoch == call.epoch.0)?;
            Some(settled(call, &report.answer))
        });
        let answers = answers.collect();
        let own = self.roots.newest().version();
        for version in (own + 1..=message.root_version).take(MOST_ROOTS as usize) {
            let request = ApiRequest::get(format!("root/{version}"));
            let answer = self.authorized(&request).await?;
            let envelope = answer.document()?.to_vec();
            self.roots.add(&envelope)?;
            self.new_roots.push(envelope);
        }
        Ok(answers)
    }

    /// Follows new root documents without a hello, which the server refuses to a runner that is too old.
    pub(crate) async fn follow_roots(&mut self) -> Result<(), RunnerError> {
        for _ in 0..MOST_ROOTS {
            let next = self.roots.newest().version() + 1;
            let answer = self
                .authorized(&ApiRequest::get(format!("root/{next}")))
                .await?;
            if answer.status == 404 {
                break;
            }
            let envelope = answer.document()?.to_vec();
            self.roots.add(&envelope)?;
            self.new_roots.push(envelope);
        }
        Ok(())
    }

    /// Asks for work. The same secret again is the same claim.
    pub(crate) async fn claim(
        &mut self,
        claim: &ClaimSecret,
    ) -> Result<Option<ClaimedWorkMessage>, RunnerError> {
        let secret = String::from(claim.clone());
        let public = Sha256::digest(format!("request {secret}"));
        let body = json!({
            "request": hex::write(&public[..16]),
            "claim": secret,
            "wait_s": self.wait_s,
        });
        let request = ApiRequest::post("claim", &body).waiting(self.wait_s);
        let answer = self.authorized(&request).await?;
        match answer.status {
            204 => Ok(None),
            _ => answer.read().map(Some),
        }
    }

    /// Makes a call about a job.
    pub(crate) async fn call(
        &mut self,
        call: &JobCall,
        end: &EndDetails,
    ) -> Result<JobAnswer, RunnerError> {
        let claim = String::from(call.claim.clone());
        let mut body = json!({ "epoch": call.epoch.0, "claim": claim });
        let verb = match &call.kind {
            JobCallKind::Start(nonce) => {
                body["nonce"] = String::from(*nonce).into();
                body["clock"] = self.clock.message();
                "start"
            }
            JobCallKind::Renew => "renew",
            JobCallKind::Refuse(code) => {
                body["code"] = code.as_str().into();
                "refuse"
            }
            JobCallKind::End(report) => {
                body["report"] = json!(report);
                body["streams"] = json!(end.sums);
                body["sandbox"] = end.sandbox.as_str().into();
                "end"
            }
            // Only a hello takes these.
            JobCallKind::DidNotRun | JobCallKind::Unknown(_) => {
                let answers = self.hello(std::slice::from_ref(call)).await?;
                let mut answers = answers.into_iter();
                return answers.next().ok_or(RunnerError::Answer("reports"));
            }
        };
        let request = ApiRequest::post(format!("jobs/{}/{verb}", call.job), &body);
        let answer = self.authorized(&request).await?;
        let (job, epoch) = (call.job.clone(), call.epoch);
        match answer.status {
            409 => return Ok(JobAnswer::Stale { job, epoch }),
            404 | 410 => {
                // Of a report that nobody wants nothing is left to settle.
                return Ok(match call.kind {
                    JobCallKind::Start(_) | JobCallKind::Renew => JobAnswer::Gone { job, epoch },
                    _ => JobAnswer::Stale { job, epoch },
                });
            }
            _ => {}
        }
        Ok(match answer.read()? {
            LinkReply::Go { nonce } => JobAnswer::Go { job, epoch, nonce },
            LinkReply::Kept { cancel } => JobAnswer::Kept { job, epoch, cancel },
            LinkReply::Recorded => JobAnswer::Recorded { job, epoch },
        })
    }

    /// Sends a request with the session, and once more with a new one if the server wants that.
    pub(crate) async fn authorized(
        &mut self,
        request: &ApiRequest,
    ) -> Result<LinkAnswer, RunnerError> {
        let answer = self.exchange(request).await?;
        match answer.status {
            401 => {
                self.token = None;
                self.open().await?;
                self.exchange(request).await
            }
            // A person has done something: hello says what the device is now.
            403 => {
                self.state.clear();
                Ok(answer)
            }
            _ => Ok(answer),
        }
    }

    async fn exchange(&mut self, request: &ApiRequest) -> Result<LinkAnswer, RunnerError> {
        let answer = self.client.send(request, self.token.as_deref()).await;
        // In a year that is not possible every certificate is wrong: the clock is the reason.
        let answer = answer.map_err(|error| match error {
            RunnerError::NoAnswer(_) => self.clock.fault().unwrap_or(error),
            other => other,
        })?;
        if let Some(time_ms) = answer.time_ms {
            self.clock.hear(time_ms)?;
        }
        Ok(answer)
    }

    /// A pause with jitter, longer after each failure in a row.
    pub(crate) fn pause(failures: u32) -> Duration {
        let longest = 500_u64 << failures.min(7);
        Duration::from_millis(longest / 2 + rand::random_range(0..=longest / 2))
    }
}

impl ClaimedPackage {
    pub(crate) fn bytes(&self) -> Result<Vec<u8>, RunnerError> {
        let bytes = BASE64_STANDARD.decode(&self.package);
        bytes.map_err(|_| RunnerError::Answer("package"))
    }

    pub(crate) fn epoch(&self) -> JobEpoch {
        JobEpoch(self.epoch)
    }
}

fn journal_message(call: &JobCall) -> Option<Value> {
    let report = match &call.kind {
        JobCallKind::DidNotRun => json!("did_not_run"),
        JobCallKind::Unknown(reason) => json!({ "unknown": reason }),
        JobCallKind::End(report) => json!({ "end": report }),
        JobCallKind::Start(_) | JobCallKind::Renew | JobCallKind::Refuse(_) => return None,
    };
    let claim = String::from(call.claim.clone());
    let job = call.job.as_str();
    Some(json!({ "job": job, "epoch": call.epoch.0, "claim": claim, "report": report }))
}

fn settled(call: &JobCall, answer: &str) -> JobAnswer {
    let (job, epoch) = (call.job.clone(), call.epoch);
    match answer {
        "recorded" => JobAnswer::Recorded { job, epoch },
        // Gone settles a report as well: the server has decided.
        _ => JobAnswer::Stale { job, epoch },
    }
}
