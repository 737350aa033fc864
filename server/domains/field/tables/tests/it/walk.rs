//! A long random walk through the queue: devices that repeat, mix up and forget, a server that is
//! stopped, people who cancel; each answer compared with a small model.

mod history;
mod model;

use std::collections::{BTreeMap, BTreeSet};

use field_tables::{
    CancelOutcome, ClaimMiss, ClaimOutcome, ClaimRequest, FieldTablesError, FinishOutcome,
    FinishedAs, JobClaim, JobFilter, JobResolution, JobState, LogAppended, LogChunk, LogStream,
    NewJob, NotRunOutcome, QueueOutcome, RefuseOutcome, RenewOutcome, ResolveOutcome, StartOutcome,
    StartRequest,
};
use serde_json::json;

use crate::home::{ANN, Home, KEY, claim, job};
use history::history_is_sound;
use model::{CLAIM_FOR, EXPIRES_IN, LEASE_FOR, Model, RUN_FOR, Remembered};

const DEVICES: [&str; 2] = ["dev-a", "dev-b"];
const STEPS: usize = 2_500;

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % end as u64) as usize
    }

    fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }
}

struct Walk {
    home: Home,
    model: Model,
    dice: Dice,
    /// All claims that anybody ever got.
    claims: Vec<Remembered>,
    requests: usize,
}

impl Walk {
    async fn begin(seed: u64) -> Self {
        let home = Home::open().await;
        for device in DEVICES {
            home.adopted(device).await;
        }
        Self {
            home,
            model: Model {
                now: 1_000_000,
                ..Model::default()
            },
            dice: Dice(seed),
            claims: Vec::new(),
            requests: 0,
        }
    }

    fn job_id(&self, index: usize) -> String {
        let model = &self.model.jobs[index];
        format!("run-{}-{}", DEVICES[model.device], model.seq)
    }

    /// A claim from the last ones, or from long ago.
    fn any_claim(&mut self) -> Option<Remembered> {
        let known = self.claims.len();
        let recent = known.min(3);
        let from = if self.dice.one_in(6) {
            0
        } else {
            known - recent
        };
        let span = known - from;
        (span > 0).then(|| self.claims[from + self.dice.below(span)].clone())
    }

    fn any_job(&mut self) -> Option<usize> {
        let known = self.model.jobs.len();
        let recent = known.min(8);
        (known > 0).then(|| known - 1 - self.dice.below(recent))
    }

    fn claim_of(&self, claim: &Remembered) -> JobClaim {
        let device = DEVICES[self.model.jobs[claim.job].device];
        JobClaim {
            job: self.job_id(claim.job),
            device: device.to_owned(),
            epoch: claim.epoch,
            claim_hash: self::claim(device, &claim.request).claim_hash,
        }
    }

    /// One step: what the model expects, and what happened.
    async fn step(&mut self) -> Option<(String, String)> {
        let now = self.model.now;
        let ending = json!({ "code": "walk" });
        match self.dice.below(100) {
            0..12 => return self.queue().await,
            12..28 => return self.claim().await,
            28..44 => return self.start().await,
            44..50 => {
                let claim = self.any_claim()?;
                let real = self.claim_of(&claim);
                let real = self.home.tables.renew(&real, now + LEASE_FOR, now).await;
                return Some((
                    self.model.renew(&claim).to_owned(),
                    match real.unwrap() {
                        RenewOutcome::Renewed(job) if job.cancel_asked_ms.is_some() => {
                            "cancel".to_owned()
                        }
                        RenewOutcome::Renewed(_) => "renewed".to_owned(),
                        RenewOutcome::Missed(miss) => missed(miss),
                    },
                ));
            }
            50..55 => {
                let claim = self.any_claim()?;
                let real = self.claim_of(&claim);
                let for_good = self.dice.one_in(3);
                let tables = &self.home.tables;
                let real = if for_good {
                    tables.refused_by_device(&real, &ending, now).await
                } else {
                    tables.report_not_run(&real, &ending, now).await
                };
                return Some((
                    self.model.not_run(&claim, for_good).to_owned(),
                    match real.unwrap() {
                        NotRunOutcome::Queued(_) => "back".to_owned(),
                        NotRunOutcome::Refused(_) => "refused".to_owned(),
                        NotRunOutcome::Late(_) => "late".to_owned(),
                        NotRunOutcome::Repeated(_) => "repeated".to_owned(),
                        NotRunOutcome::Missed(miss) => missed(miss),
                    },
                ));
            }
            55..65 => {
                let claim = self.any_claim()?;
                let real = self.claim_of(&claim);
                let finished = [FinishedAs::Ended, FinishedAs::Cut, FinishedAs::Unknown];
                let finished = finished[self.dice.below(3)];
                let real = self.home.tables.finish(&real, finished, &ending, now).await;
                return Some((
                    self.model.finish(&claim, finished).to_owned(),
                    match real.unwrap() {
                        FinishOutcome::Finished(_) => "finished".to_owned(),
                        FinishOutcome::Unasked(_) => "unasked".to_owned(),
                        FinishOutcome::Late(_) => "late".to_owned(),
                        FinishOutcome::Repeated(_) => "repeated".to_owned(),
                        FinishOutcome::Missed(miss) => missed(miss),
                    },
                ));
            }
            65..75 => return self.append().await,
            75..80 => return self.person().await,
            80..86 => {
                let settled = self.home.tables.settle_due_jobs(now, 1_000).await.unwrap();
                return Some((self.model.settle().to_string(), settled.len().to_string()));
            }
            86..94 => self.model.now += 1 + self.dice.below(60) as i64,
            94..97 => {
                let device = self.dice.below(2);
                let id = DEVICES[device];
                let tables = &self.home.tables;
                let suspended = self.model.is_suspended[device];
                drop(if suspended {
                    tables.resume_device(id, ANN, now).await.unwrap()
                } else {
                    tables.suspend_device(id, "walk", ANN, now).await.unwrap()
                });
                self.model.suspend(device, !suspended);
            }
            97..99 => {
                let before = now - 500;
                let removed = self.home.tables.prune_jobs(before).await.unwrap();
                return Some((self.model.prune(before).to_string(), removed.to_string()));
            }
            _ => self.model.now += CLAIM_FOR / 2,
        }
        None
    }

    async fn queue(&mut self) -> Option<(String, String)> {
        let device = self.dice.below(2);
        if self.model.waiting(device) >= 6 {
            return None;
        }
        let repeated = if self.dice.one_in(4) {
            self.any_job()
        } else {
            None
        };
        let next = self.model.next_seq(device);
        let seq = if self.dice.one_in(8) {
            next + 1 - 2 * self.dice.below(2) as u64
        } else {
            next
        };
        let now = self.model.now;
        let mut new = NewJob {
            claim_until_ms: now + CLAIM_FOR,
            expires_ms: now + EXPIRES_IN,
            ..job(DEVICES[device], seq)
        };
        assert_eq!(new.signing_key, KEY);
        // A wrong number must not become the call of a later job.
        if seq != next {
            new.call = format!("call of a wrong number {now} {device}");
        }
        if let Some(job) = repeated {
            let model = &self.model.jobs[job];
            new.call = format!("call-{}-{}", DEVICES[model.device], model.seq);
        }
        let real = self.home.tables.queue_job(&new, now).await.unwrap();
        let real = match real {
            QueueOutcome::Queued(_) => "queued",
            QueueOutcome::Repeated(_) => "repeated",
            QueueOutcome::Removed(_) => "removed",
            QueueOutcome::Sequence(_) => "sequence",
            QueueOutcome::NotAdopted(_) => "not adopted",
        };
        let expected = self.model.queue(device, seq, repeated);
        Some((expected.to_owned(), real.to_owned()))
    }

    async fn claim(&mut self) -> Option<(String, String)> {
        let device = self.dice.below(2);
        let again = self.dice.one_in(3);
        let old = if again { self.any_claim() } else { None };
        let (device, request) = match old {
            Some(old) => (self.model.jobs[old.job].device, old.request),
            None => {
                self.requests += 1;
                (device, format!("request {}", self.requests))
            }
        };
        let now = self.model.now;
        let asked = ClaimRequest {
            lease_until_ms: now + LEASE_FOR,
            ..claim(DEVICES[device], &request)
        };
        let real = self.home.tables.claim(&asked, now).await.unwrap();
        let (expected, job) = self.model.claim(device, &request);
        let expected = match job {
            Some(job) => format!("{expected} {} {}", self.job_id(job), request),
            None => expected.to_owned(),
        };
        let hash = asked.claim_hash;
        let real = match real {
            ClaimOutcome::Claimed(job) => {
                assert_eq!(job.claim_hash, Some(hash));
                let index = self.model.jobs.len();
                let found = (0..index).find(|it| self.job_id(*it) == job.id);
                self.claims.push(Remembered {
                    job: found.unwrap(),
                    epoch: job.epoch,
                    request: request.clone(),
                });
                format!("claimed {} {request}", job.id)
            }
            ClaimOutcome::Repeated(job) => {
                assert_eq!(job.claim_hash, Some(hash));
                format!("repeated {} {request}", job.id)
            }
            ClaimOutcome::Nothing => "nothing".to_owned(),
            ClaimOutcome::Busy(_) => "busy".to_owned(),
            ClaimOutcome::Spent => "spent".to_owned(),
            ClaimOutcome::NotAdopted(_) => "not adopted".to_owned(),
        };
        Some((expected, real))
    }

    async fn start(&mut self) -> Option<(String, String)> {
        let claim = self.any_claim()?;
        let now = self.model.now;
        // Two runners with one key have nonces of their own.
        let nonce = format!("nonce {} {}", claim.request, self.dice.below(2));
        let asked = StartRequest {
            claim: self.claim_of(&claim),
            nonce: nonce.clone(),
            lease_until_ms: now + LEASE_FOR,
            deadline_ms: now + RUN_FOR,
        };
        let real = self.home.tables.start(&asked, now).await.unwrap();
        let expected = self.model.start(&claim, &nonce).to_owned();
        let real = match real {
            StartOutcome::Go(_) => "go".to_owned(),
            StartOutcome::GoAgain(_) => "go again".to_owned(),
            StartOutcome::OtherNonce => "other nonce".to_owned(),
            StartOutcome::Expired => "expired".to_owned(),
            StartOutcome::NotAdopted(_) => "not adopted".to_owned(),
            StartOutcome::Missed(miss) => missed(miss),
        };
        Some((expected, real))
    }

    async fn append(&mut self) -> Option<(String, String)> {
        let claim = self.any_claim()?;
        let log = &self.model.jobs[claim.job].log;
        let length: usize = log.iter().map(Vec::len).sum();
        let fresh = vec![b'a' + (length % 26) as u8; 1 + length % 7];
        let (offset, bytes) = match self.dice.below(4) {
            0 if !log.is_empty() => {
                let chunk = self.dice.below(log.len());
                let offset: usize = log[..chunk].iter().map(Vec::len).sum();
                (offset, log[chunk].clone())
            }
            1 => (self.dice.below(length + 9), fresh),
            _ => (length, fresh),
        };
        let chunk = LogChunk {
            stream: LogStream::Out,
            offset: offset as u64,
            bytes: &bytes,
        };
        let real = self.claim_of(&claim);
        let real = self.home.tables.append_log(&real, chunk).await.unwrap();
        let expected = self.model.append(&claim, offset as u64, &bytes);
        let real = match real {
            LogAppended::Kept { .. } => "kept".to_owned(),
            LogAppended::Repeated { .. } => "kept before".to_owned(),
            LogAppended::WrongOffset { .. } => "elsewhere".to_owned(),
            LogAppended::Full { .. } => "full".to_owned(),
            LogAppended::Missed(miss) => missed(miss),
        };
        Some((expected.to_owned(), real))
    }

    async fn person(&mut self) -> Option<(String, String)> {
        let job = self.any_job()?;
        let id = self.job_id(job);
        let (tables, now) = (&self.home.tables, self.model.now);
        let (expected, real) = match self.dice.below(3) {
            0 => (
                self.model.cancel(job),
                tables
                    .cancel_job(&id, "walk", ANN, now)
                    .await
                    .map(|it| match it {
                        CancelOutcome::Cancelled(_) => "cancelled",
                        CancelOutcome::Asked(_) => "asked",
                        CancelOutcome::AlreadyAsked(_) => "asked before",
                        CancelOutcome::Over(_) => "over",
                    }),
            ),
            1 => (
                self.model.refuse(job),
                tables
                    .refuse_job(&id, &json!({}), ANN, now)
                    .await
                    .map(|it| match it {
                        RefuseOutcome::Refused(_) => "refused",
                        RefuseOutcome::TooLate(_) => "too late",
                    }),
            ),
            _ => (
                self.model.resolve(job),
                tables
                    .resolve_job(&id, JobResolution::Ran, "", ANN, now)
                    .await
                    .map(|it| match it {
                        ResolveOutcome::Resolved(_) => "resolved",
                        ResolveOutcome::AlreadyResolved(_) => "resolved before",
                        ResolveOutcome::NotUnknown(_) => "not unknown",
                    }),
            ),
        };
        let real = match real {
            Err(FieldTablesError::NotFound) => "gone",
            real => real.unwrap(),
        };
        Some((expected.to_owned(), real.to_owned()))
    }

    /// Compares everything, and checks what must be true of it whatever the model says.
    async fn compare(&self) {
        let tables = &self.home.tables;
        for (index, model) in self.model.jobs.iter().enumerate() {
            assert!(model.goes.len() <= 1, "went twice: {model:?}");
            let id = self.job_id(index);
            let Some(real) = tables.job(&id).await.unwrap() else {
                assert!(model.is_removed, "{id} is gone");
                continue;
            };
            assert!(!model.is_removed, "{id} is there");
            assert_eq!((real.state, real.epoch), (model.state, model.epoch), "{id}");
            assert_eq!(real.late.map(|late| late.state), model.late, "{id}");
            assert_eq!(real.start_nonce, model.nonce, "{id}");
            assert_eq!(real.claim_request, model.request, "{id}");
            assert_eq!(real.resolved_ms.is_some(), model.is_resolved, "{id}");
            let log = tables.read_log(&id, LogStream::Out, Some(0), usize::MAX);
            assert_eq!(log.await.unwrap().bytes, model.log.concat(), "{id}");
            let events = tables.job_events(Some(&id), 0, 500).await.unwrap();
            history_is_sound(&events.events, real.state);
        }
        for device in DEVICES {
            let open = JobFilter {
                device: Some(device.to_owned()),
                states: vec![JobState::Claimed, JobState::Running],
                ..JobFilter::default()
            };
            assert!(tables.jobs(&open, 9).await.unwrap().len() <= 1);
        }
    }
}

fn missed(miss: ClaimMiss) -> String {
    let word = match miss {
        ClaimMiss::NotFound => "not found",
        ClaimMiss::Stale { .. } => "stale",
        ClaimMiss::NotStarted => "not started",
        ClaimMiss::Started => "started",
        ClaimMiss::Over(_) => "over",
    };
    word.to_owned()
}

/// Walks, and says how often there was each answer.
async fn walk(seed: u64) -> BTreeMap<String, usize> {
    let mut walk = Walk::begin(seed).await;
    let mut answers = BTreeMap::new();
    for step in 0..STEPS {
        if let Some((expected, real)) = walk.step().await {
            assert_eq!(expected, real, "step {step} of seed {seed}");
            let answer = real.split(' ').next().unwrap().to_owned();
            *answers.entry(answer).or_insert(0) += 1;
        }
        if step % 250 == 249 {
            walk.compare().await;
        }
        if step % 600 == 599 {
            walk.home = walk.home.reopened().await;
        }
    }
    walk.compare().await;
    answers
}

#[tokio::test]
async fn the_queue_does_what_the_model_says() {
    let (first, second) = tokio::join!(Box::pin(walk(1)), Box::pin(walk(2)));
    let answers: BTreeSet<_> = first.into_keys().chain(second.into_keys()).collect();
    // A walk that hardly gets anywhere proves nothing.
    for answer in [
        "claimed",
        "repeated",
        "spent",
        "busy",
        "go",
        "other",
        "expired",
        "stale",
        "finished",
        "unasked",
        "late",
        "back",
        "refused",
        "cancelled",
        "asked",
        "resolved",
        "kept",
        "elsewhere",
        "over",
        "removed",
        "sequence",
    ] {
        assert!(answers.contains(answer), "no {answer}: {answers:?}");
    }
}
