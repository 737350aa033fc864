//! One job in both: as a state of the machine, and as a row.

use field_package::ids::JobId;
use field_queue::message::{JobAnswer, JobCall, JobCallKind, JobEpoch};
use field_queue::report::{JobEnding, JobReport, UnknownReason};
use field_queue::secret::{ClaimSecret, StartNonce};
use field_queue::server::{
    FinalState, GRACE_S, LEASE_S, ServerEffect, ServerInput, ServerJob, ServerState, StartCheck,
    step,
};
use field_tables::{
    ClaimOutcome, ClaimRequest, FieldTables, FinishedAs, JobClaim, NewDevice, NewEnrolment,
    NewFieldSite, NewJob, StartRequest,
};
use proptest::prelude::*;
use serde_json::json;
use tokio::runtime::Runtime;

use crate::clock::as_ms;
use crate::jobs::judge::machine;

const START: u64 = 1_790_000_000;
const CLAIM_FOR: u64 = 150;
const TIMEOUT: u32 = 20;

pub(super) struct PairHome {
    pub(super) runtime: Runtime,
    pub(super) tables: FieldTables,
    _folder: tempfile::TempDir,
}

impl PairHome {
    pub(super) fn open() -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let folder = tempfile::tempdir().unwrap();
        let tables = runtime.block_on(async {
            let store = store::Store::open(folder.path()).await.unwrap();
            let tables = FieldTables::open(&store).await.unwrap();
            let site = NewFieldSite {
                id: "office".to_owned(),
                name: "Office".to_owned(),
                covers_public: true,
            };
            tables.make_site(&site, "ann", 1).await.unwrap();
            tables
        });
        Self {
            runtime,
            tables,
            _folder: folder,
        }
    }
}

/// An event for the job. Claims and nonces are named by small numbers.
#[derive(Debug, Clone)]
pub(super) enum PairEvent {
    Claim {
        secret: u8,
    },
    Start {
        claim: u8,
        nonce: u8,
        is_allowed: bool,
    },
    Renew {
        claim: u8,
    },
    DidNotRun {
        claim: u8,
    },
    Refuse {
        claim: u8,
    },
    End {
        claim: u8,
        how: JobEnding,
    },
    Unknown {
        claim: u8,
    },
    Cancel,
    Pass {
        seconds: u64,
    },
}

pub(super) fn events() -> impl Strategy<Value = Vec<PairEvent>> {
    let claim = 0..3_u8;
    let how = prop_oneof![
        Just(JobEnding::Exit(0)),
        Just(JobEnding::Exit(3)),
        Just(JobEnding::Timeout),
        Just(JobEnding::Cancelled),
        Just(JobEnding::Lost)
    ];
    let start = (claim.clone(), 0..2_u8, prop::bool::weighted(0.85));
    let event = prop_oneof![
        4 => (0..4_u8).prop_map(|secret| PairEvent::Claim { secret }),
        4 => start.prop_map(|(claim, nonce, is_allowed)| {
            PairEvent::Start { claim, nonce, is_allowed }
        }),
        2 => claim.clone().prop_map(|claim| PairEvent::Renew { claim }),
        1 => claim.clone().prop_map(|claim| PairEvent::DidNotRun { claim }),
        1 => claim.clone().prop_map(|claim| PairEvent::Refuse { claim }),
        2 => (claim.clone(), how).prop_map(|(claim, how)| PairEvent::End { claim, how }),
        1 => claim.prop_map(|claim| PairEvent::Unknown { claim }),
        1 => Just(PairEvent::Cancel),
        // The lease has 30 seconds: just before, at and after its end, and far beyond.
        4 => prop_oneof![Just(1), Just(15), Just(29), Just(30), Just(31), Just(80)]
            .prop_map(|seconds| PairEvent::Pass { seconds }),
    ];
    prop::collection::vec(event, 4..28)
}

pub(super) struct Pair<'a> {
    tables: &'a FieldTables,
    device: String,
    id: String,
    now: u64,
    machine: ServerJob,
    /// Claims that were given, oldest first, and the requests that were used for them.
    given: Vec<(u32, u8)>,
}

impl<'a> Pair<'a> {
    /// A device with one job that was just queued.
    pub(super) async fn begin(home: &'a PairHome, number: usize) -> Self {
        let (device, id) = (format!("dev_{number:026}"), format!("run_{number:026}"));
        let enrolment = NewEnrolment {
            id: format!("enr_{number}"),
            hash: format!("hash {number}").into_bytes(),
            site: "office".to_owned(),
            name: device.clone(),
            expires_ms: as_ms(START + 9_000),
        };
        let new = NewDevice {
            id: device.clone(),
            public_key: device.clone().into_bytes(),
            fingerprint: device.clone(),
        };
        let (tables, now) = (&home.tables, as_ms(START));
        tables.make_enrolment(&enrolment, "ann", now).await.unwrap();
        tables.enrol(&enrolment.hash, &new, now).await.unwrap();
        tables
            .adopt_device(&device, &device, "ann", now)
            .await
            .unwrap();
        let job = NewJob {
            id: id.clone(),
            call: format!("call {number}"),
            device: device.clone(),
            about: json!({}),
            proposal: None,
            signing_key: "key".to_owned(),
            seq: 1,
            payload_digest: "digest".to_owned(),
            package: b"package".to_vec(),
            claim_until_ms: as_ms(START + CLAIM_FOR),
            expires_ms: as_ms(START + 9_000),
            by: "ann".to_owned(),
        };
        tables.queue_job(&job, now).await.unwrap();
        let machine = ServerJob::queued(JobId::new(&id).unwrap(), START + CLAIM_FOR, TIMEOUT);
        Self {
            tables,
            device,
            id,
            now: START,
            machine,
            given: Vec::new(),
        }
    }

    /// The claim that was given with this number, counted from the newest, if there was one.
    fn given(&self, number: u8) -> Option<(u32, u8)> {
        self.given.get(usize::from(number)).copied()
    }

    pub(super) fn claim(&self, number: u8) -> Option<JobClaim> {
        let (epoch, secret) = self.given(number)?;
        Some(JobClaim {
            job: self.id.clone(),
            device: self.device.clone(),
            epoch: epoch.into(),
            claim_hash: ClaimSecret::new([secret; 32]).hash().bytes().to_vec(),
        })
    }

    fn ask(&mut self, input: ServerInput) -> (JobAnswer, bool) {
        let (after, effects) = step(self.machine.clone(), input, self.now);
        self.machine = after;
        let answer = effects.iter().find_map(|effect| match effect {
            ServerEffect::Answer(answer) => Some(answer.clone()),
            _ => None,
        });
        let commits = effects.contains(&ServerEffect::Commit);
        (answer.unwrap_or(JobAnswer::Nothing), commits)
    }

    fn call(&mut self, number: u8, kind: JobCallKind, check: StartCheck) -> Option<JobAnswer> {
        let (epoch, secret) = self.given(number)?;
        let call = JobCall {
            job: self.machine.job.clone(),
            epoch: JobEpoch(epoch),
            claim: ClaimSecret::new([secret; 32]),
            kind,
        };
        Some(self.ask(ServerInput::Call { call, check }).0)
    }

    /// Lets both see an event, and gives the machine's answer.
    pub(super) async fn event(&mut self, event: &PairEvent) -> &'static str {
        let now = as_ms(self.now);
        let ending = json!({ "code": "test" });
        match event {
            PairEvent::Pass { seconds } => {
                self.now += seconds;
                ""
            }
            PairEvent::Cancel => {
                self.ask(ServerInput::Cancel);
                self.tables
                    .cancel_job(&self.id, "no", "ann", now)
                    .await
                    .unwrap();
                ""
            }
            PairEvent::Claim { secret } => self.claimed(*secret).await,
            PairEvent::Start {
                claim,
                nonce,
                is_allowed,
            } => {
                let Some(of) = self.claim(*claim) else {
                    return "";
                };
                let nonce = StartNonce::new([*nonce; 16]);
                let check = if *is_allowed {
                    StartCheck::Passed
                } else {
                    StartCheck::Failed("kill_switch")
                };
                let was_claimed = self.ticked();
                let answer = self.call(*claim, JobCallKind::Start(nonce), check).unwrap();
                if *is_allowed {
                    let start = StartRequest {
                        claim: of,
                        nonce: nonce.into(),
                        lease_until_ms: as_ms(self.now + LEASE_S),
                        deadline_ms: as_ms(self.now + u64::from(TIMEOUT) + GRACE_S),
                    };
                    self.tables.start(&start, now).await.unwrap();
                } else if was_claimed && self.machine.is_final() {
                    self.tables
                        .refuse_job(&self.id, &ending, "server", now)
                        .await
                        .unwrap();
                }
                word(&answer)
            }
            PairEvent::Renew { claim } => {
                let Some(of) = self.claim(*claim) else {
                    return "";
                };
                let answer = self
                    .call(*claim, JobCallKind::Renew, StartCheck::Passed)
                    .unwrap();
                self.tables
                    .renew(&of, as_ms(self.now + LEASE_S), now)
                    .await
                    .unwrap();
                word(&answer)
            }
            PairEvent::DidNotRun { claim } => {
                let Some(of) = self.claim(*claim) else {
                    return "";
                };
                let kind = JobCallKind::DidNotRun;
                let answer = self.call(*claim, kind, StartCheck::Passed).unwrap();
                self.tables.report_not_run(&of, &ending, now).await.unwrap();
                word(&answer)
            }
            PairEvent::Refuse { claim } => {
                let Some(of) = self.claim(*claim) else {
                    return "";
                };
                let kind = JobCallKind::Refuse("sandbox".to_owned());
                let answer = self.call(*claim, kind, StartCheck::Passed).unwrap();
                self.tables
                    .refused_by_device(&of, &ending, now)
                    .await
                    .unwrap();
                word(&answer)
            }
            PairEvent::End { claim, how } => {
                let Some(of) = self.claim(*claim) else {
                    return "";
                };
                let report = report(*how);
                let finished = match how {
                    JobEnding::Lost => FinishedAs::Unknown,
                    how if how.is_cut() => FinishedAs::Cut,
                    _ => FinishedAs::Ended,
                };
                let ending = json!({ "report": report });
                let kind = JobCallKind::End(report);
                let answer = self.call(*claim, kind, StartCheck::Passed).unwrap();
                self.tables
                    .finish(&of, finished, &ending, now)
                    .await
                    .unwrap();
                word(&answer)
            }
            PairEvent::Unknown { claim } => {
                let Some(of) = self.claim(*claim) else {
                    return "";
                };
                let kind = JobCallKind::Unknown(UnknownReason::Rebooted);
                let answer = self.call(*claim, kind, StartCheck::Passed).unwrap();
                self.tables
                    .finish(&of, FinishedAs::Unknown, &ending, now)
                    .await
                    .unwrap();
                word(&answer)
            }
        }
    }

    /// True if the job is claimed once what is due has been done.
    fn ticked(&self) -> bool {
        let (ticked, _) = step(self.machine.clone(), ServerInput::Tick, self.now);
        matches!(ticked.state, ServerState::Claimed { .. })
    }

    async fn claimed(&mut self, secret: u8) -> &'static str {
        let hash = ClaimSecret::new([secret; 32]).hash();
        let request = ClaimRequest {
            device: self.device.clone(),
            request: format!("request {secret}"),
            claim_hash: hash.bytes().to_vec(),
            lease_until_ms: as_ms(self.now + LEASE_S),
        };
        let outcome = self.tables.claim(&request, as_ms(self.now)).await.unwrap();
        let was_used = self.given.iter().any(|(_, used)| *used == secret);
        let (ticked, _) = step(self.machine.clone(), ServerInput::Tick, self.now);
        let is_spent = was_used && !ticked.has_claim(hash);
        let answer = if is_spent {
            // A claim that was lost is not made again: that is the caller's part, by its requests.
            self.ask(ServerInput::Tick);
            JobAnswer::Nothing
        } else {
            self.ask(ServerInput::Claim(hash)).0
        };
        let offered = match outcome {
            ClaimOutcome::Claimed(job) => {
                self.given.push((u32::try_from(job.epoch).unwrap(), secret));
                true
            }
            ClaimOutcome::Repeated(_) => true,
            _ => false,
        };
        assert_eq!(
            offered,
            matches!(answer, JobAnswer::Offer { .. }),
            "{answer:?}"
        );
        word(&answer)
    }

    /// The same state in both, once what is due has been done: in the row it may not have been noted.
    pub(super) async fn compare(&self, event: &PairEvent) {
        let record = self.tables.job(&self.id).await.unwrap().unwrap();
        let row = machine(&record, TIMEOUT).unwrap();
        let (row, _) = step(row, ServerInput::Tick, self.now);
        let (own, _) = step(self.machine.clone(), ServerInput::Tick, self.now);
        assert_eq!(
            essence(&row),
            essence(&own),
            "after {event:?} at {}",
            self.now - START
        );
    }
}

/// Everything that decides what may happen next. Of an end, its kind and its report: the rows have
/// reasons in words of their own.
fn essence(job: &ServerJob) -> String {
    match &job.state {
        ServerState::Final {
            epoch,
            claim,
            state,
            ..
        } => {
            let state = match state {
                FinalState::Ended(report) => format!("ended {report:?}"),
                FinalState::Cut(report) => format!("cut {report:?}"),
                FinalState::Refused(_) => "refused".to_owned(),
                FinalState::NotDelivered => "not delivered".to_owned(),
                FinalState::Cancelled => "cancelled".to_owned(),
                FinalState::Unknown(_) => "unknown".to_owned(),
            };
            format!("{epoch:?} {claim:?} {state}")
        }
        open => format!("{open:?}"),
    }
}

fn report(how: JobEnding) -> JobReport {
    JobReport {
        how,
        wall_ms: Some(5),
        cpu_ms: None,
        peak_bytes: None,
        tasks: None,
        output_bytes: None,
    }
}

fn word(answer: &JobAnswer) -> &'static str {
    match answer {
        JobAnswer::Nothing => "nothing",
        JobAnswer::Offer { .. } => "offer",
        JobAnswer::Go { .. } => "go",
        JobAnswer::Kept { .. } => "kept",
        JobAnswer::Recorded { .. } => "recorded",
        JobAnswer::Stale { .. } => "stale",
        JobAnswer::Gone { .. } => "gone",
    }
}
