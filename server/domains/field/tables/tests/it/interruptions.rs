//! The server or a device is killed in the middle: the lines of the kill table that are the server's.

use field_tables::{
    ClaimMiss, ClaimOutcome, FinishOutcome, FinishedAs, HistoryAction, JobClaim, JobEventKind,
    JobOfCall, JobResolution, JobState, NotRunOutcome, QueueOutcome, ResolveOutcome, StartOutcome,
};
use serde_json::json;

use crate::home::{ANN, DEADLINE, Home, LEASE, T, claim, job, of, start};

#[tokio::test]
async fn before_the_package_is_stored_the_call_did_nothing() {
    let home = Home::open().await;
    home.adopted("dev").await;
    let home = home.reopened().await;
    assert_eq!(home.tables.job_of_call("call-dev-1").await.unwrap(), None);
}

#[tokio::test]
async fn after_the_package_is_stored_the_call_finds_its_job() {
    let home = Home::open().await;
    home.adopted("dev").await;
    let queued = home.queued("dev", 1).await;
    let home = home.reopened().await;
    let found = home.tables.job_of_call("call-dev-1").await.unwrap();
    assert_eq!(found, Some(JobOfCall::There(Box::new(queued.clone()))));
    // Neither with the same package nor with another one does it queue a second.
    for number in [1, 2] {
        let mut new = job("dev", number);
        new.call = "call-dev-1".to_owned();
        let again = home.tables.queue_job(&new, T).await.unwrap();
        assert_eq!(again, QueueOutcome::Repeated(Box::new(queued.clone())));
    }
    let package = home.tables.package(&queued.id).await.unwrap();
    assert_eq!(package, Some(b"package 1".to_vec()));
    assert_eq!(home.tables.jobs_since("dev", T).await.unwrap(), 1);
}

#[tokio::test]
async fn a_claim_whose_answer_was_lost_is_repeated() {
    let home = Home::open().await;
    home.adopted("dev").await;
    home.queued("dev", 1).await;
    let first = home.claimed("dev", "r").await;
    let home = home.reopened().await;
    let again = home.tables.claim(&claim("dev", "r"), T).await.unwrap();
    assert!(matches!(again, ClaimOutcome::Repeated(job) if of(&job) == first));
    // A runner that was killed before it stored the claim asks anew, and waits for the lease.
    let other = home.tables.claim(&claim("dev", "r2"), T).await.unwrap();
    assert!(matches!(other, ClaimOutcome::Busy(_)));
    home.tables.settle_due_jobs(LEASE, 10).await.unwrap();
    let other = home.claimed("dev", "r2").await;
    assert_eq!((other.job, other.epoch), (first.job, 2));
}

#[tokio::test]
async fn a_start_whose_answer_was_lost_is_repeated_for_its_nonce_alone() {
    let home = Home::open().await;
    home.adopted("dev").await;
    home.queued("dev", 1).await;
    let claim = home.claimed("dev", "r").await;
    let job = home.started(&claim).await;
    let home = home.reopened().await;
    let again = home.tables.start(&start(&claim, "n"), T).await.unwrap();
    assert_eq!(again, StartOutcome::GoAgain(Box::new(job.clone())));
    let other = home.tables.start(&start(&claim, "m"), T).await.unwrap();
    assert_eq!(other, StartOutcome::OtherNonce);
    // Not when the time for a result is over, even if nobody noted it yet.
    let late = home.tables.start(&start(&claim, "n"), DEADLINE).await;
    let over = StartOutcome::Missed(ClaimMiss::Over(JobState::Unknown));
    assert_eq!(late.unwrap(), over);
    assert_eq!(home.job(&job.id).await.start_nonce, job.start_nonce);
}

#[tokio::test]
async fn a_start_after_its_lease_is_stale_whether_the_lapse_was_noted_or_not() {
    for noted in [true, false] {
        let home = Home::open().await;
        home.adopted("dev").await;
        home.queued("dev", 1).await;
        let claim = home.claimed("dev", "r").await;
        if noted {
            home.tables.settle_due_jobs(LEASE, 9).await.unwrap();
        }
        let late = home.tables.start(&start(&claim, "n"), LEASE).await;
        let stale = StartOutcome::Missed(ClaimMiss::Stale { epoch: 2 });
        assert_eq!(late.unwrap(), stale, "noted: {noted}");
        let job = home.job(&claim.job).await;
        assert_eq!((job.state, job.start_nonce), (JobState::Queued, None));
    }
}

#[tokio::test]
async fn a_device_that_did_not_run_it_gets_it_again_only_without_go() {
    let home = Home::open().await;
    let report = json!({ "code": "did_not_run" });
    for device in ["asked-not", "was-let"] {
        home.adopted(device).await;
        home.queued(device, 1).await;
    }
    let claim = home.claimed("asked-not", "r").await;
    let back = home.tables.report_not_run(&claim, &report, T).await;
    assert!(matches!(back.unwrap(), NotRunOutcome::Queued(job) if job.epoch == 2));
    let twice = home.tables.report_not_run(&claim, &report, T).await;
    let stale = NotRunOutcome::Missed(ClaimMiss::Stale { epoch: 2 });
    assert_eq!(twice.unwrap(), stale);

    let claim = home.claimed("was-let", "r").await;
    home.started(&claim).await;
    let refused = home.tables.report_not_run(&claim, &report, T).await;
    let NotRunOutcome::Refused(refused) = refused.unwrap() else {
        panic!("not refused");
    };
    assert_eq!(refused.ending, Some(report.clone()));
    let twice = home.tables.report_not_run(&claim, &report, T + 5).await;
    assert_eq!(twice.unwrap(), NotRunOutcome::Repeated(refused));
    let next = home.tables.claim(&self::claim("was-let", "r2"), T).await;
    assert_eq!(next.unwrap(), ClaimOutcome::Nothing);
}

#[tokio::test]
async fn a_device_that_began_without_a_go_is_not_asked_to_once_more() {
    let home = Home::open().await;
    home.adopted("dev").await;
    home.queued("dev", 1).await;
    let claim = home.claimed("dev", "r").await;
    let exit = json!({ "how": "exit", "code": 0 });
    let done = home
        .tables
        .finish(&claim, FinishedAs::Ended, &exit, T)
        .await;
    let FinishOutcome::Unasked(job) = done.unwrap() else {
        panic!("taken");
    };
    assert_eq!((job.state, job.started_ms), (JobState::Unknown, None));
    assert_eq!(job.late.unwrap().ending, exit);
    let started = home.tables.start(&start(&claim, "n"), T).await.unwrap();
    let over = StartOutcome::Missed(ClaimMiss::Over(JobState::Unknown));
    assert_eq!(started, over);
}

#[tokio::test]
async fn an_end_whose_answer_was_lost_is_the_same_end() {
    let home = Home::open().await;
    home.adopted("dev").await;
    home.queued("dev", 1).await;
    let claim = home.claimed("dev", "r").await;
    home.started(&claim).await;
    let exit = json!({ "how": "exit", "code": 0 });
    let ended = home
        .tables
        .finish(&claim, FinishedAs::Ended, &exit, T)
        .await;
    let FinishOutcome::Finished(ended) = ended.unwrap() else {
        panic!("not finished");
    };
    let home = home.reopened().await;
    let finish = |finished, ending: &serde_json::Value| {
        let (tables, claim, ending) = (home.tables.clone(), claim.clone(), ending.clone());
        async move {
            let done = tables.finish(&claim, finished, &ending, T + 9).await;
            done.unwrap()
        }
    };
    let again = finish(FinishedAs::Ended, &exit).await;
    assert_eq!(again, FinishOutcome::Repeated(ended.clone()));
    // Another story now is kept beside the first, and a third is not.
    let lost = json!({ "how": "lost" });
    let FinishOutcome::Late(job) = finish(FinishedAs::Cut, &lost).await else {
        panic!("not kept");
    };
    assert_eq!((job.state, &job.ending), (JobState::Ended, &ended.ending));
    let third = finish(FinishedAs::Ended, &lost).await;
    assert_eq!(third, FinishOutcome::Repeated(job));
    assert!(home.tables.has_ended_on("dev", "digest 1").await.unwrap());
    assert!(!home.tables.has_ended_on("dev", "digest 2").await.unwrap());
}

#[tokio::test]
async fn silence_is_unknown_until_the_device_or_a_person_says_more() {
    let home = Home::open().await;
    let exit = json!({ "how": "exit", "code": 0 });
    let mut claims = Vec::new();
    for device in ["late", "never"] {
        home.adopted(device).await;
        home.queued(device, 1).await;
        let claim = home.claimed(device, "r").await;
        home.started(&claim).await;
        claims.push(claim);
    }
    // A lease that ran out says nothing about what runs.
    assert_eq!(home.tables.settle_due_jobs(LEASE, 10).await.unwrap(), []);
    let settled = home.tables.settle_due_jobs(DEADLINE, 10).await.unwrap();
    assert_eq!(settled.len(), 2);
    assert!(settled.iter().all(|job| job.state == JobState::Unknown));
    // Nothing else has them run, and the next job may.
    home.queued("never", 2).await;
    assert_eq!(home.claimed("never", "r2").await.job, "run-never-2");

    let resolve = |found, remark: &'static str| {
        let (job, at_ms) = ("run-never-1", DEADLINE + 1);
        home.tables.resolve_job(job, found, remark, ANN, at_ms)
    };
    let cannot_tell = JobResolution::CannotTell;
    let resolved = resolve(cannot_tell, "asked the office").await.unwrap();
    let ResolveOutcome::Resolved(resolved) = resolved else {
        panic!("not resolved");
    };
    assert_eq!(resolved.state, JobState::Unknown);
    let again = resolve(cannot_tell, "once more").await.unwrap();
    assert_eq!(again, ResolveOutcome::AlreadyResolved(resolved));

    let late = DEADLINE + 2;
    for claim in &claims {
        let finished = home
            .tables
            .finish(claim, FinishedAs::Ended, &exit, late)
            .await;
        let FinishOutcome::Late(job) = finished.unwrap() else {
            panic!("not kept");
        };
        assert_eq!(job.state, JobState::Unknown);
        assert_eq!(job.late.unwrap().state, JobState::Ended);
    }
    assert!(home.tables.has_ended_on("late", "digest 1").await.unwrap());
    let job = home.job("run-never-1").await;
    assert_eq!(job.resolution, Some(cannot_tell));
    // Who finds out later says so, once.
    let found = resolve(JobResolution::DidNotRun, "its log").await.unwrap();
    let ResolveOutcome::Resolved(found) = found else {
        panic!("not resolved");
    };
    assert_eq!(found.resolution, Some(JobResolution::DidNotRun));
    for other in [JobResolution::Ran, cannot_tell] {
        let refused = resolve(other, "no").await.unwrap();
        assert_eq!(refused, ResolveOutcome::AlreadyResolved(found.clone()));
    }
    let history = home.tables.history(Some("run-never-1"), None, 9).await;
    let words: Vec<_> = history
        .unwrap()
        .into_iter()
        .filter(|row| row.action == HistoryAction::JobResolved)
        .map(|row| row.detail)
        .collect();
    assert_eq!(
        words,
        [
            json!({ "resolution": "did_not_run", "remark": "its log" }),
            json!({ "resolution": "cannot_tell", "remark": "asked the office" }),
        ]
    );
    let kinds: Vec<_> = kinds(&home, "run-never-1").await;
    assert_eq!(
        kinds,
        [
            JobEventKind::Queued,
            JobEventKind::Claimed,
            JobEventKind::Running,
            JobEventKind::Unknown,
            JobEventKind::Resolved,
            JobEventKind::LateReport,
            JobEventKind::Resolved
        ]
    );
}

#[tokio::test]
async fn after_the_deadline_it_is_unknown_whether_somebody_noted_that_or_not() {
    let home = Home::open().await;
    home.adopted("dev").await;
    home.queued("dev", 1).await;
    let claim = home.claimed("dev", "r").await;
    home.started(&claim).await;
    let ending = json!({});
    let done = home
        .tables
        .finish(&claim, FinishedAs::Cut, &ending, DEADLINE);
    let FinishOutcome::Late(job) = done.await.unwrap() else {
        panic!("in time");
    };
    let late = job.late.unwrap().state;
    assert_eq!((job.state, late), (JobState::Unknown, JobState::Cut));
}

#[tokio::test]
async fn a_removed_job_stays_over() {
    let home = Home::open().await;
    home.adopted("dev").await;
    home.queued("dev", 1).await;
    home.queued("dev", 2).await;
    let first = home.claimed("dev", "r").await;
    home.started(&first).await;
    let exit = json!({});
    home.tables
        .finish(&first, FinishedAs::Unknown, &exit, T)
        .await
        .unwrap();
    let cursor = home.tables.job_events(None, 0, 500).await.unwrap().newest;
    // Unknown, and nobody has resolved it: it stays.
    assert_eq!(home.tables.prune_jobs(T + 1).await.unwrap(), 0);
    let ran = JobResolution::Ran;
    home.tables
        .resolve_job(&first.job, ran, "", ANN, T)
        .await
        .unwrap();
    assert_eq!(home.tables.prune_jobs(T).await.unwrap(), 0);
    assert_eq!(home.tables.prune_jobs(T + 1).await.unwrap(), 1);

    let over = ClaimMiss::Over(JobState::Unknown);
    let late = home
        .tables
        .finish(&first, FinishedAs::Ended, &exit, T)
        .await;
    assert_eq!(late.unwrap(), FinishOutcome::Missed(over));
    let again = home.tables.start(&start(&first, "n"), T).await.unwrap();
    assert_eq!(again, StartOutcome::Missed(over));
    let stranger = JobClaim {
        device: "stranger".to_owned(),
        ..first.clone()
    };
    let missed = home.tables.start(&start(&stranger, "n"), T).await.unwrap();
    assert_eq!(missed, StartOutcome::Missed(ClaimMiss::NotFound));
    let mut new = job("dev", 3);
    new.call = "call-dev-1".to_owned();
    let queued = home.tables.queue_job(&new, T).await.unwrap();
    assert_eq!(queued, QueueOutcome::Removed(JobState::Unknown));
    // Who followed from before has to read anew; who begins now, not.
    let events = home.tables.job_events(None, cursor - 1, 500).await.unwrap();
    assert!(events.is_gap);
    let events = home.tables.job_events(None, events.newest, 500).await;
    assert!(!events.unwrap().is_gap);
    let events = home.tables.job_events(None, 1_000, 500).await.unwrap();
    assert!(events.is_gap, "a cursor of another database");
    assert_eq!(kinds(&home, "run-dev-2").await, [JobEventKind::Queued]);
}

async fn kinds(home: &Home, job: &str) -> Vec<JobEventKind> {
    let events = home.tables.job_events(Some(job), 0, 500).await.unwrap();
    events.events.iter().map(|event| event.kind).collect()
}
