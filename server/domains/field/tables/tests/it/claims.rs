//! Claims, starts and numbers when many ask at once.

use std::collections::BTreeSet;

use field_tables::{ClaimOutcome, JobState, QueueOutcome, StartOutcome};
use tokio::task::JoinSet;

use crate::home::{ANN, Home, KEY, LEASE, T, claim, job, of, start};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_32_claims_of_one_device_one_gets_the_job() {
    let home = Home::open().await;
    home.adopted("dev").await;
    home.queued("dev", 1).await;
    home.queued("dev", 2).await;
    let mut claims = JoinSet::new();
    for number in 0..32 {
        let tables = home.tables.clone();
        let claim = claim("dev", &format!("request {number}"));
        claims.spawn(async move { tables.claim(&claim, T).await.unwrap() });
    }
    let outcomes = claims.join_all().await;
    let got: Vec<_> = outcomes
        .iter()
        .filter_map(|it| match it {
            ClaimOutcome::Claimed(job) => Some(&job.id),
            _ => None,
        })
        .collect();
    assert_eq!(got, ["run-dev-1"]);
    let busy = |it: &&ClaimOutcome| matches!(it, ClaimOutcome::Busy(job) if job.seq == 1);
    assert_eq!(outcomes.iter().filter(busy).count(), 31);
    assert_eq!(home.job("run-dev-2").await.state, JobState::Queued);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_request_that_is_repeated_is_one_claim() {
    let home = Home::open().await;
    home.adopted("dev").await;
    home.queued("dev", 1).await;
    home.queued("dev", 2).await;
    let mut claims = JoinSet::new();
    for _ in 0..32 {
        let tables = home.tables.clone();
        claims.spawn(async move { tables.claim(&claim("dev", "request"), T).await.unwrap() });
    }
    let mut first = 0;
    let mut jobs = BTreeSet::new();
    for outcome in claims.join_all().await {
        let job = match outcome {
            ClaimOutcome::Claimed(job) => {
                first += 1;
                job
            }
            ClaimOutcome::Repeated(job) => job,
            other => panic!("{other:?}"),
        };
        jobs.insert((job.id, job.epoch, job.claim_hash));
    }
    let hash = claim("dev", "request").claim_hash;
    let expected = ("run-dev-1".to_owned(), 1, Some(hash));
    assert_eq!((first, jobs), (1, BTreeSet::from([expected])));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_32_starts_with_their_own_nonces_one_gets_go() {
    let home = Home::open().await;
    home.adopted("dev").await;
    home.queued("dev", 1).await;
    let claim = home.claimed("dev", "request").await;
    let mut starts = JoinSet::new();
    for number in 0..32 {
        let tables = home.tables.clone();
        let start = start(&claim, &format!("nonce {number}"));
        starts.spawn(async move { (tables.start(&start, T).await.unwrap(), start.nonce) });
    }
    let outcomes = starts.join_all().await;
    let go: Vec<_> = outcomes
        .iter()
        .filter(|(outcome, _)| matches!(outcome, StartOutcome::Go(_)))
        .collect();
    let others = |it: &&(StartOutcome, String)| it.0 == StartOutcome::OtherNonce;
    assert_eq!((go.len(), outcomes.iter().filter(others).count()), (1, 31));
    let nonce = home.job("run-dev-1").await.start_nonce;
    assert_eq!(nonce.as_ref(), Some(&go[0].1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn numbers_of_packages_have_no_doubles_and_follow_the_queue() {
    let home = Home::open().await;
    home.adopted("dev").await;
    let mut queued = JoinSet::new();
    for number in 0..16 {
        let tables = home.tables.clone();
        queued.spawn(async move {
            let mut new = job("dev", number);
            loop {
                new.seq = tables.next_sequence("dev", KEY).await.unwrap().seq;
                match tables.queue_job(&new, T).await.unwrap() {
                    QueueOutcome::Queued(job) => return (job.number, job.seq),
                    QueueOutcome::Sequence(_) => {}
                    other => panic!("{other:?}"),
                }
            }
        });
    }
    let mut numbers = queued.join_all().await;
    numbers.sort_unstable();
    let seqs: Vec<_> = numbers.iter().map(|(_, seq)| *seq).collect();
    assert_eq!(seqs, (1..=16).collect::<Vec<_>>());
    // Another key counts on its own, and no number is skipped.
    let other = home.tables.next_sequence("dev", "key-2").await.unwrap();
    assert_eq!(other.seq, 1);
    let mut new = job("dev", 90);
    new.seq = 90;
    let refused = home.tables.queue_job(&new, T).await.unwrap();
    assert_eq!(refused, QueueOutcome::Sequence(17));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_tabs_and_a_device_meet_at_a_claimed_job() {
    for round in 0..8 {
        let home = Home::open().await;
        home.adopted("dev").await;
        home.queued("dev", 1).await;
        let claim = home.claimed("dev", "request").await;
        let (a, b, c) = (&home.tables, &home.tables, &home.tables);
        let start = start(&claim, "n");
        let (started, lapsed, cancelled) = tokio::join!(
            a.start(&start, T),
            b.lapse_claim(&claim.job, 1, LEASE),
            c.cancel_job(&claim.job, "no", ANN, T),
        );
        let started = matches!(started.unwrap(), StartOutcome::Go(_));
        let lapsed = lapsed.unwrap().is_some();
        drop(cancelled.unwrap());
        let job = home.job(&claim.job).await;
        // It either got go and runs, or never will under this claim.
        assert!(!(started && lapsed), "round {round}");
        assert_eq!(job.start_nonce.is_some(), started);
        assert_eq!(job.state == JobState::Running, started);
        assert_eq!(of(&job).epoch, if lapsed { 2 } else { 1 });
    }
}

#[tokio::test]
async fn a_queue_is_taken_in_order_until_its_time_is_over() {
    let home = Home::open().await;
    home.adopted("dev").await;
    for number in 1..=3 {
        home.queued("dev", number).await;
    }
    // The first is given back, and comes first again.
    let first = home.claimed("dev", "r1").await;
    home.tables
        .lapse_claim(&first.job, 1, LEASE)
        .await
        .unwrap()
        .unwrap();
    let again = home.claimed("dev", "r2").await;
    assert_eq!((&*again.job, again.epoch), ("run-dev-1", 2));
    home.tables
        .cancel_job(&again.job, "no", ANN, T)
        .await
        .unwrap();
    assert_eq!(home.claimed("dev", "r3").await.job, "run-dev-2");
    // At the end of its time nothing is handed out, whether that was noted or not.
    let late = crate::home::CLAIM_UNTIL;
    home.tables
        .cancel_job("run-dev-2", "no", ANN, T)
        .await
        .unwrap();
    let nothing = home.tables.claim(&claim("dev", "r4"), late).await.unwrap();
    assert_eq!(nothing, ClaimOutcome::Nothing);
    assert_eq!(home.job("run-dev-3").await.state, JobState::NotDelivered);
    assert_eq!(home.tables.settle_due_jobs(late, 10).await.unwrap(), []);
}
