//! A device is suspended while something runs on it: the run is cancelled, and its end is told.

use field_dispatch::messages::ClaimMessage;
use field_tables::{DeviceState, HistoryAction, JobState};
use serde_json::json;

use crate::office::{ANN, Office};
use crate::stranger::{Stranger, answer};

async fn queued(office: &mut Office, device: &Stranger) -> String {
    let order = office.order_for(&device.id, &device.key.fingerprint());
    office.dispatch.queue_job(&order).await.unwrap().id
}

/// The token of a new session of the device, which it has from then on.
async fn signed_in(office: &Office, device: &mut Stranger) -> String {
    let dispatch = &office.dispatch;
    let message = answer(dispatch, &device.key, &device.id, &device.instance).await;
    let token = dispatch.open_session(&message).await.unwrap().token;
    device.session = dispatch.authenticate(&token).await.unwrap();
    token
}

#[tokio::test]
async fn a_run_on_a_suspended_device_is_cancelled_and_its_end_is_told() {
    let mut office = Office::open().await;
    let mut device = Stranger::adopted(&office, 1).await;
    let token = signed_in(&office, &mut device).await;
    let (job, next) = (
        queued(&mut office, &device).await,
        queued(&mut office, &device).await,
    );
    let claimed = device.claim(1, 0).await.unwrap();
    assert_eq!(device.start(&claimed, 1).await, "go");
    let dispatch = office.dispatch.clone();
    let suspended = dispatch.suspend_device(&device.id, "a look", ANN).await;
    suspended.unwrap();
    let running = office.job(&job).await;
    assert_eq!(running.state, JobState::Running, "it may have begun");
    assert!(running.cancel_asked_ms.is_some());

    // The session is good for this alone, and only until the run is over.
    device.session = dispatch.authenticate(&token).await.unwrap();
    let more = ClaimMessage {
        request: "02".repeat(16),
        claim: "02".repeat(32),
        wait_s: 0,
    };
    let refused = dispatch.claim(&device.session, &more).await.unwrap_err();
    assert_eq!(refused.code, "device_suspended");
    assert_eq!(device.renew(&claimed).await.unwrap()["cancel"], true);
    assert_eq!(device.log(&claimed, 0, b"so far").await.unwrap(), 6);
    assert_eq!(device.end(&claimed, json!("cancelled")).await, "recorded");
    assert_eq!(office.job(&job).await.state, JobState::Cut);
    let refused = dispatch.authenticate(&token).await.unwrap_err();
    assert_eq!(refused.code, "device_suspended");
    assert_eq!(office.job(&next).await.state, JobState::Queued, "it waits");

    let acts = office
        .tables
        .history(Some(job.as_str()), None, 9)
        .await
        .unwrap();
    let acts: Vec<_> = acts
        .iter()
        .map(|act| (act.action, act.actor.as_str(), &act.detail))
        .collect();
    let reason = json!({ "reason": "device suspended" });
    assert_eq!(acts, [(HistoryAction::JobCancelled, ANN, &reason)]);
}

/// Whoever has the key may be somebody else, so nothing is left open.
#[tokio::test]
async fn a_suspect_is_signed_out_whatever_runs() {
    let mut office = Office::open().await;
    let mut device = Stranger::adopted(&office, 1).await;
    let token = signed_in(&office, &mut device).await;
    let job = queued(&mut office, &device).await;
    let claimed = device.claim(1, 0).await.unwrap();
    device.start(&claimed, 1).await;
    let set_back = serde_json::from_value(json!({ "root_version": 0 })).unwrap();
    let hello = office.dispatch.hello(&device.session, &set_back).await;
    assert_eq!(hello.unwrap_err().code, "device_suspended");
    let known = office.dispatch.device(&device.id).await.unwrap().unwrap();
    assert_eq!(known.state, DeviceState::Suspended);
    assert!(office.dispatch.authenticate(&token).await.is_err());
    // What it does from now on nobody hears, so the outcome will be unknown.
    let running = office.job(&job).await;
    assert_eq!(running.state, JobState::Running);
    assert!(running.cancel_asked_ms.is_some());
}

/// Also after a person has suspended the device, with its session left for a report.
#[tokio::test]
async fn a_suspect_loses_the_session_that_was_left_for_a_report() {
    let mut office = Office::open().await;
    let mut device = Stranger::adopted(&office, 1).await;
    let token = signed_in(&office, &mut device).await;
    queued(&mut office, &device).await;
    let claimed = device.claim(1, 0).await.unwrap();
    device.start(&claimed, 1).await;
    let dispatch = office.dispatch.clone();
    let suspended = dispatch.suspend_device(&device.id, "a look", ANN).await;
    suspended.unwrap();
    device.session = dispatch.authenticate(&token).await.unwrap();
    let set_back = serde_json::from_value(json!({ "root_version": 0 })).unwrap();
    let hello = dispatch.hello(&device.session, &set_back).await;
    assert_eq!(hello.unwrap_err().code, "device_suspended");
    assert!(dispatch.authenticate(&token).await.is_err());
}
