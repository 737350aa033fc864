//! Answers that are lost: the same request again changes nothing.

use serde_json::json;
use simfleet::DeviceTurn;

use crate::device;
use crate::documents::PackageDraft;
use crate::jobs::evidence;
use crate::server::{JobState, ScriptedServer};

#[tokio::test]
async fn a_lost_answer_is_asked_for_again() {
    for lost in [
        "enrol", "session", "hello", "claim", "start", "log/out", "log/step", "end",
    ] {
        let server = ScriptedServer::start().await;
        let mut device = device(&server);
        server.queue(PackageDraft::new(&device.fingerprint(), &evidence()).bytes());
        server.lock().lose.insert(lost, 1);
        let turn = device.turn().await.unwrap();
        assert!(matches!(turn, DeviceTurn::Ended(_)), "{lost}: {turn:?}");
        assert!(
            matches!(server.job_state(), JobState::Over("end", _)),
            "{lost}"
        );
        assert_eq!(server.lock().job.as_ref().unwrap().starts, 1, "{lost}");
        assert_eq!(server.steps().len(), 4, "{lost}");
    }
}

#[tokio::test]
async fn a_claim_is_asked_again_in_the_next_turn_with_the_same_words() {
    let server = ScriptedServer::start().await;
    let mut device = device(&server);
    server.queue(PackageDraft::new(&device.fingerprint(), &json!([{ "run": "power" }])).bytes());
    server.lock().lose.insert("claim", 2);
    assert!(device.turn().await.is_err());
    assert_eq!(server.job_state(), JobState::Claimed);
    assert!(matches!(device.turn().await.unwrap(), DeviceTurn::Ended(_)));
    let script = server.lock();
    let claims: std::collections::BTreeSet<_> = script
        .seen
        .iter()
        .filter(|it| it.line.ends_with("/claim"))
        .map(|it| it.body.clone())
        .collect();
    assert_eq!(claims.len(), 1, "one claim, three times");
}

#[tokio::test]
async fn a_start_that_is_never_answered_is_never_run() {
    let server = ScriptedServer::start().await;
    let mut device = device(&server);
    server.queue(PackageDraft::new(&device.fingerprint(), &evidence()).bytes());
    server.lock().lose.insert("start", 2);
    assert!(matches!(
        device.turn().await.unwrap(),
        DeviceTurn::Unsent(_)
    ));
    assert_eq!(
        server.job_state(),
        JobState::Running,
        "the server has said go"
    );
    assert_eq!(device.turn().await.unwrap(), DeviceTurn::Idle);
    assert!(matches!(
        server.job_state(),
        JobState::Over("did_not_run", _)
    ));
    assert_eq!(server.log("out"), "");
}

#[tokio::test]
async fn an_end_that_is_never_answered_is_reported_after_the_next_hello() {
    let server = ScriptedServer::start().await;
    let mut device = device(&server);
    server.queue(PackageDraft::new(&device.fingerprint(), &evidence()).bytes());
    server.lock().lose.insert("log/out", 20);
    assert!(matches!(
        device.turn().await.unwrap(),
        DeviceTurn::Unsent(_)
    ));
    assert_eq!(server.job_state(), JobState::Running);
    server.lock().lose.clear();
    assert_eq!(device.turn().await.unwrap(), DeviceTurn::Idle);
    assert!(matches!(server.job_state(), JobState::Over("end", _)));
    assert_eq!(server.steps().len(), 4, "the rest of the log has come");
    assert!(server.log("out").contains("(DUP: 2)"));
}
