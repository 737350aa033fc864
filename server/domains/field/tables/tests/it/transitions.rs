//! Each act on a job in each state: the table of transitions.

use field_tables::{
    ClaimMiss, FinishedAs, JobClaim, JobRecord, JobResolution, JobState, LogChunk, LogStream,
    RenewOutcome, StartOutcome,
};
use serde_json::json;

use crate::home::{ANN, CLAIM_UNTIL, DEADLINE, Home, LEASE, T, claim, of, start};

use JobState::{Cancelled, Claimed, Cut, Ended, NotDelivered, Queued, Refused, Running, Unknown};

/// An act on a job.
#[derive(Debug, Clone, Copy, PartialEq)]
enum JobAct {
    Claim,
    Lapse,
    Start,
    Renew,
    NotRun,
    DeviceRefuses,
    Finish(FinishedAs),
    Cancel,
    ServerRefuses,
    GiveUpDelivery,
    GiveUpResult,
    Resolve,
    Log,
}

const ACTS: [JobAct; 15] = [
    JobAct::Claim,
    JobAct::Lapse,
    JobAct::Start,
    JobAct::Renew,
    JobAct::NotRun,
    JobAct::DeviceRefuses,
    JobAct::Finish(FinishedAs::Ended),
    JobAct::Finish(FinishedAs::Cut),
    JobAct::Finish(FinishedAs::Unknown),
    JobAct::Cancel,
    JobAct::ServerRefuses,
    JobAct::GiveUpDelivery,
    JobAct::GiveUpResult,
    JobAct::Resolve,
    JobAct::Log,
];

/// The transitions that there are; every other act leaves the state as it is.
const TABLE: [(JobState, JobAct, JobState); 19] = [
    (Queued, JobAct::Claim, Claimed),
    (Queued, JobAct::Cancel, Cancelled),
    (Queued, JobAct::ServerRefuses, Refused),
    (Queued, JobAct::GiveUpDelivery, NotDelivered),
    (Claimed, JobAct::Lapse, Queued),
    (Claimed, JobAct::NotRun, Queued),
    (Claimed, JobAct::Start, Running),
    (Claimed, JobAct::Cancel, Cancelled),
    (Claimed, JobAct::ServerRefuses, Refused),
    (Claimed, JobAct::DeviceRefuses, Refused),
    (Running, JobAct::NotRun, Refused),
    (Running, JobAct::DeviceRefuses, Refused),
    (Running, JobAct::Finish(FinishedAs::Ended), Ended),
    (Running, JobAct::Finish(FinishedAs::Cut), Cut),
    (Running, JobAct::Finish(FinishedAs::Unknown), Unknown),
    (Running, JobAct::GiveUpResult, Unknown),
    // It began without a go: whatever that was, it is not queued again.
    (Claimed, JobAct::Finish(FinishedAs::Ended), Unknown),
    (Claimed, JobAct::Finish(FinishedAs::Cut), Unknown),
    (Claimed, JobAct::Finish(FinishedAs::Unknown), Unknown),
];

/// Brings a job into a state, and gives the claim that it has, or had.
async fn bring(home: &Home, device: &str, number: u64, state: JobState) -> JobClaim {
    let tables = &home.tables;
    let job = home.queued(device, number).await;
    if state == Queued {
        return of(&job);
    }
    if state == NotDelivered {
        let ended = tables.give_up_delivery(&job.id, CLAIM_UNTIL).await;
        return of(&ended.unwrap().unwrap());
    }
    let claim = home.claimed(device, &format!("request {number}")).await;
    let ending = json!({ "code": "test" });
    match state {
        Cancelled => drop(tables.cancel_job(&job.id, "no", ANN, T).await.unwrap()),
        Refused => drop(tables.refused_by_device(&claim, &ending, T).await.unwrap()),
        Claimed => {}
        _ => {
            home.started(&claim).await;
            let finished = match state {
                Ended => Some(FinishedAs::Ended),
                Cut => Some(FinishedAs::Cut),
                Unknown => Some(FinishedAs::Unknown),
                _ => None,
            };
            if let Some(finished) = finished {
                tables.finish(&claim, finished, &ending, T).await.unwrap();
            }
        }
    }
    claim
}

async fn act(home: &Home, claim: &JobClaim, act: JobAct) {
    let tables = &home.tables;
    let ending = json!({ "code": "act" });
    let job = claim.job.as_str();
    match act {
        JobAct::Claim => {
            let request = crate::home::claim(&claim.device, "another request");
            drop(tables.claim(&request, T).await.unwrap());
        }
        JobAct::Lapse => drop(tables.lapse_claim(job, claim.epoch, LEASE).await.unwrap()),
        JobAct::Start => drop(tables.start(&start(claim, "n"), T).await.unwrap()),
        JobAct::Renew => drop(tables.renew(claim, LEASE + 1, T).await.unwrap()),
        JobAct::NotRun => drop(tables.report_not_run(claim, &ending, T).await.unwrap()),
        JobAct::DeviceRefuses => {
            drop(tables.refused_by_device(claim, &ending, T).await.unwrap());
        }
        JobAct::Finish(finished) => {
            drop(tables.finish(claim, finished, &ending, T).await.unwrap());
        }
        JobAct::Cancel => drop(tables.cancel_job(job, "no", ANN, T).await.unwrap()),
        JobAct::ServerRefuses => drop(tables.refuse_job(job, &ending, ANN, T).await.unwrap()),
        JobAct::GiveUpDelivery => {
            drop(tables.give_up_delivery(job, CLAIM_UNTIL).await.unwrap());
        }
        JobAct::GiveUpResult => drop(tables.give_up_result(job, DEADLINE).await.unwrap()),
        JobAct::Resolve => {
            let ran = JobResolution::Ran;
            drop(tables.resolve_job(job, ran, "", ANN, T).await.unwrap());
        }
        JobAct::Log => {
            let chunk = LogChunk {
                stream: LogStream::Out,
                offset: 0,
                bytes: b"x",
            };
            tables.append_log(claim, chunk).await.unwrap();
        }
    }
}

/// True if the report of an act comes when its job is over, and says something new.
fn is_late(state: JobState, it: JobAct) -> bool {
    let is_over = matches!(state, Ended | Cut | Unknown | Cancelled | Refused);
    match it {
        JobAct::Finish(FinishedAs::Ended | FinishedAs::Cut) => is_over || state == Claimed,
        JobAct::NotRun | JobAct::DeviceRefuses => is_over && state != Refused,
        _ => false,
    }
}

async fn events(home: &Home) -> i64 {
    home.tables.job_events(None, 0, 1).await.unwrap().newest
}

#[tokio::test]
async fn each_act_in_each_state_does_what_the_table_says() {
    for state in JobState::ALL.iter().copied() {
        let home = Home::open().await;
        for (number, it) in ACTS.into_iter().enumerate() {
            let device = format!("dev-{number}");
            home.adopted(&device).await;
            let claim = bring(&home, &device, 1, state).await;
            let (before, seen) = (home.job(&claim.job).await, events(&home).await);
            assert_eq!(before.state, state);
            act(&home, &claim, it).await;
            let row = TABLE.iter().find(|row| row.0 == state && row.1 == it);
            let expected = row.map_or(state, |row| row.2);
            let after = home.job(&claim.job).await;
            assert_eq!(after.state, expected, "{it:?} of a job that is {state:?}");
            // Each change is an event, and nothing else is.
            let is_asked = state == Running && it == JobAct::Cancel;
            let is_resolved = state == Unknown && it == JobAct::Resolve;
            let changes = [expected != state, is_asked, is_resolved, is_late(state, it)];
            let changes = changes.into_iter().filter(|it| *it).count();
            assert_eq!(events(&home).await - seen, changes as i64, "{it:?}");
            let back = state == Claimed && expected == Queued;
            assert_eq!(after.epoch, before.epoch + u64::from(back));
            assert_eq!(after.ended_ms.is_some(), expected.is_over());
            assert_eq!(
                after.late.is_some(),
                is_late(state, it),
                "{it:?} when {state:?}"
            );
        }
    }
}

#[tokio::test]
async fn a_claim_that_is_not_the_current_one_changes_nothing() {
    let home = Home::open().await;
    home.adopted("stranger").await;
    let by_device = [
        JobAct::Start,
        JobAct::Renew,
        JobAct::NotRun,
        JobAct::DeviceRefuses,
        JobAct::Finish(FinishedAs::Ended),
        JobAct::Finish(FinishedAs::Unknown),
        JobAct::Log,
    ];
    for (number, state) in JobState::ALL.iter().copied().enumerate() {
        let device = format!("dev-{number}");
        home.adopted(&device).await;
        let claim = bring(&home, &device, 1, state).await;
        let wrong = [
            JobClaim {
                epoch: claim.epoch + 1,
                ..claim.clone()
            },
            JobClaim {
                epoch: claim.epoch - 1,
                ..claim.clone()
            },
            JobClaim {
                claim_hash: b"guessed".to_vec(),
                ..claim.clone()
            },
            JobClaim {
                claim_hash: Vec::new(),
                ..claim.clone()
            },
            JobClaim {
                device: "stranger".to_owned(),
                ..claim.clone()
            },
        ];
        let before: JobRecord = home.job(&claim.job).await;
        for claim in &wrong {
            for it in by_device {
                act(&home, claim, it).await;
                assert_eq!(home.job(&claim.job).await, before, "{it:?} by {claim:?}");
            }
        }
        assert_eq!(home.tables.log_lengths(&claim.job).await.unwrap(), []);
    }
}

#[tokio::test]
async fn the_database_refuses_what_the_table_does_not_have() {
    let home = Home::open().await;
    for (number, from) in JobState::ALL.iter().copied().enumerate() {
        let device = format!("dev-{number}");
        home.adopted(&device).await;
        let job = bring(&home, &device, 1, from).await.job;
        for to in JobState::ALL.iter().copied().filter(|to| *to != from) {
            let is_in_table = TABLE.iter().any(|row| row.0 == from && row.2 == to);
            if is_in_table {
                continue;
            }
            // As a wrong statement would do it, with whatever the other state needs.
            let sql = format!(
                "UPDATE field_jobs SET state = '{}', ended_ms = {}, claim_hash = x'00', \
                 lease_until_ms = 1, started_ms = 1, deadline_ms = 1, \
                 start_nonce = coalesce(start_nonce, 'n') WHERE id = '{job}'",
                to.word(),
                if to.is_over() { "1" } else { "NULL" },
            );
            let refused = home.sql(sql).await.unwrap_err().to_string();
            let by_trigger = refused.contains("cannot change its state like that");
            assert!(by_trigger, "{from:?} to {to:?}: {refused}");
        }
    }
}

#[tokio::test]
async fn answers_say_what_is_right() {
    let home = Home::open().await;
    home.adopted("dev").await;
    let first = bring(&home, "dev", 1, Claimed).await;
    let lapsed = home.tables.lapse_claim(&first.job, 1, LEASE).await.unwrap();
    assert_eq!(lapsed.unwrap().epoch, 2);
    let stale = RenewOutcome::Missed(ClaimMiss::Stale { epoch: 2 });
    let renewed = home.tables.renew(&first, LEASE, T).await.unwrap();
    assert_eq!(renewed, stale);
    let stale = StartOutcome::Missed(ClaimMiss::Stale { epoch: 2 });
    let asked = home.tables.start(&start(&first, "n"), T).await.unwrap();
    assert_eq!(asked, stale);
    // Not even the request of then is worth anything.
    let spent = home.tables.claim(&claim("dev", "request 1"), T).await;
    assert_eq!(spent.unwrap(), field_tables::ClaimOutcome::Spent);
    let missing = JobClaim {
        job: "run-of-nobody".to_owned(),
        ..first
    };
    let missed = home.tables.renew(&missing, LEASE, T).await.unwrap();
    assert_eq!(missed, RenewOutcome::Missed(ClaimMiss::NotFound));
}
