//! The server is killed between two messages: the lines of the kill table that are the server's.

use std::future::poll_fn;
use std::task::Poll;

use field_dispatch::CoverSource;
use field_tables::{JobState, LogStream};
use serde_json::json;

use crate::office::{Office, SITE, settings};
use crate::stranger::{Claimed, Stranger};

/// Stops the server and starts it again, with the device's session as it was.
async fn restarted(office: Office, device: Stranger) -> (Office, Stranger) {
    let left = device.offline();
    let office = office.reopened(settings()).await;
    let device = Stranger::back(&office, left).await;
    (office, device)
}

async fn queued(office: &mut Office, device: &Stranger) -> String {
    let order = office.order_for(&device.id, &device.key.fingerprint());
    office.dispatch.queue_job(&order).await.unwrap().id
}

#[tokio::test]
async fn after_the_package_is_stored_the_call_finds_its_job_and_signs_no_other() {
    let mut office = Office::open().await;
    let device = Stranger::adopted(&office, 1).await;
    let order = office.order_for(&device.id, &device.key.fingerprint());
    let before = office.dispatch.queue_job(&order).await.unwrap();
    let (office, device) = restarted(office, device).await;
    let again = office.dispatch.queue_job(&order).await.unwrap();
    assert_eq!(again, before);
    assert_eq!(device.claim(1, 0).await.unwrap().job, before.id);
}

#[tokio::test]
async fn after_a_claim_the_same_request_gets_the_same_job_and_epoch() {
    let mut office = Office::open().await;
    let device = Stranger::adopted(&office, 1).await;
    let job = queued(&mut office, &device).await;
    let first = device.claim(1, 0).await.unwrap();
    let (office, device) = restarted(office, device).await;
    let again = device.claim(1, 0).await.unwrap();
    assert_eq!((again.job, again.epoch), (first.job, first.epoch));
    // Down for longer than the lease, the job is there again under the next epoch.
    let (office, device) = restarted(office, device).await;
    office.clock.advance(31);
    assert!(device.claim(1, 0).await.is_none(), "that request is spent");
    let next = device.claim(2, 0).await.unwrap();
    assert_eq!((next.job, next.epoch), (job, 2));
}

#[tokio::test]
async fn after_a_start_its_nonce_goes_again_and_no_other() {
    let mut office = Office::open().await;
    let device = Stranger::adopted(&office, 1).await;
    let job = queued(&mut office, &device).await;
    let claimed = device.claim(1, 0).await.unwrap();
    assert_eq!(device.start(&claimed, 1).await, "go");
    let (office, device) = restarted(office, device).await;
    assert_eq!(device.start(&claimed, 2).await, "job_gone");
    assert_eq!(device.start(&claimed, 1).await, "go");
    assert_eq!(device.log(&claimed, 0, b"first ").await.unwrap(), 6);
    let (office, device) = restarted(office, device).await;
    assert_eq!(
        device.log(&claimed, 0, b"first ").await.unwrap(),
        6,
        "accepted, same offset"
    );
    assert_eq!(device.log(&claimed, 6, b"second").await.unwrap(), 12);
    assert_eq!(device.end(&claimed, json!({ "exit": 0 })).await, "recorded");
    let ended = office.job(&job).await;
    let (office, device) = restarted(office, device).await;
    assert_eq!(device.end(&claimed, json!({ "exit": 0 })).await, "recorded");
    assert_eq!(office.job(&job).await, ended, "the same terminal row");
    assert_eq!(office.log(&job, LogStream::Out).await, "first second");
}

/// A runner reports from its journal after a restart, also when the server restarted in between.
#[tokio::test]
async fn a_journal_is_settled_after_any_restart() {
    let report = |how: &str| -> serde_json::Value {
        match how {
            "end" => json!({ "end": {
                "how": { "exit": 0 }, "wall_ms": 1, "cpu_ms": null, "peak_bytes": null,
                "tasks": null, "output_bytes": 0,
            } }),
            "unknown" => json!({ "unknown": "interrupted_at_start" }),
            "lost" => json!({ "unknown": "lost" }),
            // Of a newer runner.
            "else" => json!({ "unknown": { "lost_in": 2 } }),
            _ => json!("did_not_run"),
        }
    };
    let table = [
        // The server had said go, the report, the answer, the state, the answer to a repeat.
        (false, "did_not_run", "recorded", JobState::Queued, "stale"),
        (
            true,
            "did_not_run",
            "recorded",
            JobState::Refused,
            "recorded",
        ),
        (true, "unknown", "recorded", JobState::Unknown, "recorded"),
        (true, "lost", "recorded", JobState::Unknown, "recorded"),
        (true, "else", "recorded", JobState::Unknown, "recorded"),
        (true, "end", "recorded", JobState::Ended, "recorded"),
        (false, "end", "recorded", JobState::Unknown, "recorded"),
    ];
    for (is_started, how, answer, state, repeat) in table {
        let mut office = Office::open().await;
        let device = Stranger::adopted(&office, 1).await;
        let job = queued(&mut office, &device).await;
        let claimed = device.claim(1, 0).await.unwrap();
        if is_started {
            assert_eq!(device.start(&claimed, 1).await, "go");
        }
        let (office, device) = restarted(office, device).await;
        let journal = json!([entry(&claimed, &report(how))]);
        let told = device.hello(journal.clone()).await.unwrap();
        assert_eq!(told["reports"][0]["answer"], answer, "{how}");
        assert_eq!(office.job(&job).await.state, state, "{how}");
        let told = device.hello(journal).await.unwrap();
        assert_eq!(told["reports"][0]["answer"], repeat, "{how} again");
        assert_eq!(office.job(&job).await.state, state, "{how} again");
        let runs_again = device.claim(2, 0).await.is_some();
        assert_eq!(runs_again, state == JobState::Queued, "{how}");
    }
}

/// A late word of the device on a job whose outcome was unknown is kept beside it.
#[tokio::test]
async fn a_late_word_that_it_did_not_run_is_kept_beside_an_unknown_outcome() {
    let mut office = Office::open().await;
    let device = Stranger::adopted(&office, 1).await;
    let job = queued(&mut office, &device).await;
    let claimed = device.claim(1, 0).await.unwrap();
    device.start(&claimed, 1).await;
    office.clock.advance(600);
    assert_eq!(office.job(&job).await.state, JobState::Unknown);
    let journal = json!([entry(&claimed, &json!("did_not_run"))]);
    let told = device.hello(journal).await.unwrap();
    assert_eq!(told["reports"][0]["answer"], "recorded");
    let known = office.job(&job).await;
    assert_eq!(
        known.state,
        JobState::Unknown,
        "what people were told stays"
    );
    assert_eq!(known.late.unwrap().state, JobState::Refused);
}

fn entry(claimed: &Claimed, report: &serde_json::Value) -> serde_json::Value {
    json!({
        "job": claimed.job, "epoch": claimed.epoch, "claim": claimed.secret, "report": report,
    })
}

#[tokio::test]
async fn tokens_are_the_same_after_a_restart_and_of_each_site_its_own() {
    let office = Office::open().await;
    let text = "10.1.2.3 and anna@example.org";
    let before = office
        .dispatch
        .cover(SITE, text, CoverSource::Outside)
        .await
        .unwrap();
    let office = office.reopened(settings()).await;
    let after = office
        .dispatch
        .cover(SITE, text, CoverSource::Outside)
        .await
        .unwrap();
    assert_eq!(before, after);
    assert_eq!(
        office.dispatch.restore(SITE, &after.text).unwrap().unwrap(),
        text
    );
    let other = field_tables::NewFieldSite {
        id: "depot".to_owned(),
        name: "Depot".to_owned(),
        covers_public: false,
    };
    office.dispatch.make_site(&other, "ann").await.unwrap();
    let there = office
        .dispatch
        .cover("depot", text, CoverSource::Outside)
        .await
        .unwrap();
    assert_ne!(there.text, after.text);
    assert!(
        office
            .dispatch
            .restore("depot", &after.text)
            .unwrap()
            .is_err()
    );
    let kept = office
        .dispatch
        .cover("depot", "9.9.9.9", CoverSource::Outside)
        .await
        .unwrap();
    assert_eq!(kept.text, "9.9.9.9", "this site keeps public addresses");
}

/// A call may be dropped while its text is covered: what that brought is stored before another text has it.
#[tokio::test]
async fn a_text_that_was_cut_off_leaves_no_token_that_a_restart_forgets() {
    let office = Office::open().await;
    let text = "10.1.2.3 and anna@example.org";
    {
        let cover = office.dispatch.cover(SITE, text, CoverSource::Outside);
        let mut cover = std::pin::pin!(cover);
        let once = poll_fn(|context| Poll::Ready(cover.as_mut().poll(context).is_pending()));
        let _is_cut_off = once.await;
    }
    let covered = office.dispatch.cover(SITE, text, CoverSource::Outside);
    let covered = covered.await.unwrap().text;
    let office = office.reopened(settings()).await;
    let restored = office.dispatch.restore(SITE, &covered).unwrap();
    assert_eq!(restored.unwrap(), text);
}

/// Texts that are covered at the same time share their tokens, and each token is stored once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn texts_that_are_covered_at_once_agree_about_tokens() {
    let office = Office::open().await;
    let mut covers = tokio::task::JoinSet::new();
    for number in 0..16 {
        let dispatch = office.dispatch.clone();
        covers.spawn(async move {
            let text = format!("10.1.2.{} then user{}@example.org", number % 4, number % 3);
            let covered = dispatch
                .cover(SITE, &text, CoverSource::Outside)
                .await
                .unwrap()
                .text;
            (text, covered)
        });
    }
    let mut seen = std::collections::BTreeMap::new();
    for (text, covered) in covers.join_all().await {
        assert_eq!(
            office.dispatch.restore(SITE, &covered).unwrap().unwrap(),
            text
        );
        let before = seen.insert(text, covered.clone());
        assert!(before.is_none_or(|before| before == covered));
    }
    let stored = office.tables.vault(SITE).await.unwrap().entries;
    let tokens: std::collections::BTreeSet<_> = stored.iter().map(|it| &it.token).collect();
    assert_eq!(tokens.len(), stored.len());
}

#[tokio::test]
async fn what_is_no_longer_kept_leaves_tombstones() {
    let mut office = Office::open().await;
    let device = Stranger::adopted(&office, 1).await;
    let order = office.order_for(&device.id, &device.key.fingerprint());
    let job = office.dispatch.queue_job(&order).await.unwrap().id;
    let claimed = device.claim(1, 0).await.unwrap();
    device.start(&claimed, 1).await;
    device.end(&claimed, json!({ "exit": 0 })).await;
    let now = office.dispatch.now_ms();
    let since = |ms: i64| field_dispatch::KeptSince {
        bundles_ms: ms,
        jobs_ms: ms,
        enrolments_ms: ms,
    };
    assert_eq!(
        office.dispatch.prune(&since(now)).await.unwrap(),
        0,
        "it ended just now"
    );
    assert_eq!(office.dispatch.prune(&since(now + 1)).await.unwrap(), 1);
    assert!(office.dispatch.job(&job).await.unwrap().is_none());
    // Neither the device nor the call brings it back.
    assert_eq!(device.start(&claimed, 1).await, "job_gone");
    assert_eq!(device.end(&claimed, json!({ "exit": 0 })).await, "job_gone");
    let again = office.dispatch.queue_job(&order).await.unwrap_err();
    assert_eq!(again.code, "removed");
}
