//! A job from claim to end: the story of the meeting room, and what may end a job early.

use serde_json::{Value, json};
use simfleet::DeviceTurn;

use crate::device;
use crate::documents::{JOB, PackageDraft, digest};
use crate::server::{JobState, ScriptedServer};

/// The four steps that tell why the meeting room is slow.
pub(crate) fn evidence() -> Value {
    json!([
        { "run": "ping", "target": "192.168.41.1", "count": 4 },
        { "run": "neighbours" },
        { "run": "sweep", "interface": "eth0", "network": "192.168.41.0/24" },
        { "run": "capture", "interface": "eth0", "filter": "arp", "count": 20, "seconds": 20 },
    ])
}

#[tokio::test]
async fn the_story_of_the_meeting_room() {
    let server = ScriptedServer::start().await;
    let mut device = device(&server);
    assert_eq!(device.turn().await.unwrap(), DeviceTurn::Idle);
    server.queue(PackageDraft::new(&device.fingerprint(), &evidence()).bytes());
    assert_eq!(
        device.turn().await.unwrap(),
        DeviceTurn::Ended(JOB.to_owned())
    );
    let out = server.log("out");
    assert!(out.contains("(DUP!)") && out.contains("(DUP: 2)") && out.contains("is-at 7c:10"));
    let steps = server.steps();
    assert_eq!(steps.len(), 4);
    let mut from = 0;
    for (at, record) in steps.iter().enumerate() {
        assert_eq!(record["step"], at + 1);
        assert_eq!(record["out"]["from"], from, "one behind the other");
        from += record["out"]["bytes"].as_u64().unwrap();
    }
    assert_eq!(from, out.len() as u64);
    let JobState::Over("end", end) = server.job_state() else {
        panic!("not ended");
    };
    assert_eq!(end["report"]["how"], json!({ "exit": 0 }));
    assert_eq!(end["report"]["cpu_ms"], Value::Null, "unknown, not zero");
    assert_eq!(end["simulated"], true);
    for stream in ["out", "err", "step"] {
        let log = server.log(stream);
        assert_eq!(
            end["streams"][stream]["sha256"],
            digest(log.as_bytes()),
            "{stream}"
        );
        assert_eq!(end["streams"][stream]["all"], log.len(), "{stream}");
    }
    assert_eq!(device.turn().await.unwrap(), DeviceTurn::Idle, "once");
    assert_eq!(server.lock().job.as_ref().unwrap().starts, 1);
    let ran: Vec<_> = device.ledger().runs().iter().map(|run| run.row).collect();
    assert_eq!(ran, ["ping", "neighbours", "sweep", "capture"]);
}

#[tokio::test]
async fn a_long_step_renews_the_lease_and_hears_of_a_cancellation() {
    let server = ScriptedServer::start().await;
    let mut device = device(&server);
    let steps = json!([{ "run": "wait", "seconds": 25 }, { "run": "wait", "seconds": 25 }]);
    server.queue(PackageDraft::new(&device.fingerprint(), &steps).bytes());
    device.turn().await.unwrap();
    assert_eq!(
        server.lock().job.as_ref().unwrap().renewals,
        5,
        "every ten seconds of fifty"
    );
    let server = ScriptedServer::start().await;
    let mut device = self::device(&server);
    server.queue(PackageDraft::new(&device.fingerprint(), &steps).bytes());
    server.lock().cancel = true;
    device.turn().await.unwrap();
    let JobState::Over("end", end) = server.job_state() else {
        panic!("not ended");
    };
    assert_eq!(end["report"]["how"], "cancelled");
    assert_eq!(
        end["report"]["wall_ms"], 25_000,
        "the second step did not begin"
    );
    assert_eq!(server.steps().len(), 1);
}

#[tokio::test]
async fn time_and_failures_end_a_job_as_the_package_says() {
    let server = ScriptedServer::start().await;
    let mut device = device(&server);
    let steps = json!([{ "run": "wait", "seconds": 9 }, { "run": "wait", "seconds": 9 }]);
    let mut package = PackageDraft::new(&device.fingerprint(), &steps);
    package.manifest["timeout_s"] = 12.into();
    server.queue(package.bytes());
    device.turn().await.unwrap();
    let JobState::Over("end", end) = server.job_state() else {
        panic!("not ended");
    };
    assert_eq!(
        (&end["report"]["how"], &end["report"]["wall_ms"]),
        (&json!("timeout"), &json!(12_000))
    );

    let steps =
        json!([{ "run": "ping", "target": "192.168.41.99", "count": 1 }, { "run": "power" }]);
    let mut package = PackageDraft::new(&device.fingerprint(), &steps);
    package.payload = json!({ "steps": steps, "stop_on_failure": true })
        .to_string()
        .into_bytes();
    package.stamp();
    package.manifest["seq"] = 2.into();
    package.manifest["nonce"] = "ff".repeat(16).into();
    server.queue(package.bytes());
    device.turn().await.unwrap();
    let JobState::Over("end", end) = server.job_state() else {
        panic!("not ended");
    };
    assert_eq!(end["report"]["how"], json!({ "exit": 1 }));
    assert_eq!(server.steps().len(), 1, "stopped at the failure");
}

#[tokio::test]
async fn a_device_that_is_not_adopted_asks_for_no_work() {
    let server = ScriptedServer::start().await;
    server.lock().state = "waiting";
    let mut device = device(&server);
    server.queue(PackageDraft::new(&device.fingerprint(), &evidence()).bytes());
    let waiting = DeviceTurn::Waiting("waiting".to_owned());
    assert_eq!(device.turn().await.unwrap(), waiting);
    assert_eq!(server.count("/claim"), 0);
    server.lock().state = "adopted";
    assert!(matches!(device.turn().await.unwrap(), DeviceTurn::Ended(_)));
}
