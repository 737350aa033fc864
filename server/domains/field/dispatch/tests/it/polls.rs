//! The long poll: it wakes at once, ends in time, and 32 of one device are one claim.

use std::time::Duration;

use field_dispatch::RefusalClass;
use field_dispatch::messages::{ClaimMessage, DeviceWork};
use field_tables::JobState;
use tokio::time::timeout;

use crate::office::Office;
use crate::stranger::Stranger;

/// Far more than a wake takes, even on a busy machine, and less than a wait.
const SOON: Duration = Duration::from_secs(40);

fn message(number: u8, wait_s: u32) -> ClaimMessage {
    ClaimMessage {
        request: format!("{number:02x}").repeat(16),
        claim: format!("{number:02x}").repeat(32),
        wait_s,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_that_is_queued_wakes_the_device_that_waits() {
    let mut office = Office::open().await;
    let device = Stranger::adopted(&office, 1).await;
    let (dispatch, session) = (office.dispatch.clone(), device.session.clone());
    let waiting = tokio::spawn(async move { dispatch.claim(&session, &message(1, 45)).await });
    // The bell rings for whoever has enabled it; a job that comes earlier is found at once.
    tokio::time::sleep(Duration::from_millis(50)).await;
    let order = office.order_for(&device.id, &device.key.fingerprint());
    let job = office.dispatch.queue_job(&order).await.unwrap();
    let work = timeout(SOON, waiting)
        .await
        .expect("woken")
        .unwrap()
        .unwrap();
    let Some(DeviceWork::Job {
        job: id,
        epoch,
        package,
        ..
    }) = work
    else {
        panic!("{work:?}");
    };
    assert_eq!((id, epoch), (job.id, 1));
    assert!(!package.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_device_that_is_suspended_or_replaced_waits_no_longer() {
    let office = Office::open().await;
    let device = Stranger::adopted(&office, 1).await;
    let wait = |number| {
        let (dispatch, session) = (office.dispatch.clone(), device.session.clone());
        tokio::spawn(async move { dispatch.claim(&session, &message(number, 45)).await })
    };
    let waiting = wait(1);
    tokio::time::sleep(Duration::from_millis(50)).await;
    office
        .dispatch
        .suspend_device(&device.id, "a look at it", "ann")
        .await
        .unwrap();
    let refused = timeout(SOON, waiting).await.expect("woken").unwrap();
    assert_eq!(refused.unwrap_err().class, RefusalClass::NoSession);
    office
        .dispatch
        .resume_device(&device.id, "ann")
        .await
        .unwrap();
    // When the server stops, everybody is let go.
    let device = Stranger::adopted(&office, 2).await;
    let (dispatch, session) = (office.dispatch.clone(), device.session.clone());
    let waiting = tokio::spawn(async move { dispatch.claim(&session, &message(3, 45)).await });
    tokio::time::sleep(Duration::from_millis(50)).await;
    office.dispatch.stop();
    let work = timeout(SOON, waiting).await.expect("woken").unwrap();
    assert_eq!(work.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_claims_of_one_device_one_gets_the_job() {
    let mut office = Office::open().await;
    let device = Stranger::adopted(&office, 1).await;
    let order = office.order_for(&device.id, &device.key.fingerprint());
    office.dispatch.queue_job(&order).await.unwrap();
    let mut claims = tokio::task::JoinSet::new();
    for number in 0..32 {
        let (dispatch, session) = (office.dispatch.clone(), device.session.clone());
        claims.spawn(async move { dispatch.claim(&session, &message(number, 0)).await });
    }
    let (mut jobs, mut refused) = (0, 0);
    for outcome in claims.join_all().await {
        match outcome {
            Ok(Some(_)) => jobs += 1,
            Ok(None) => {}
            Err(refusal) => {
                assert_eq!(refusal.class, RefusalClass::TooMany);
                refused += 1;
            }
        }
    }
    assert_eq!(jobs, 1, "{refused} were turned away");
}

#[tokio::test]
async fn the_same_claim_again_is_the_same_work_and_another_secret_gets_nothing() {
    let mut office = Office::open().await;
    let device = Stranger::adopted(&office, 1).await;
    let order = office.order_for(&device.id, &device.key.fingerprint());
    let job = office.dispatch.queue_job(&order).await.unwrap();
    let first = office
        .dispatch
        .claim(&device.session, &message(1, 0))
        .await
        .unwrap();
    let again = office
        .dispatch
        .claim(&device.session, &message(1, 0))
        .await
        .unwrap();
    assert_eq!(first, again);
    let other = ClaimMessage {
        claim: "ff".repeat(32),
        ..message(1, 0)
    };
    assert_eq!(
        office
            .dispatch
            .claim(&device.session, &other)
            .await
            .unwrap(),
        None
    );
    // After its lease the request is spent, and a new one gets the job under the next epoch.
    office.clock.advance(30);
    assert_eq!(
        office
            .dispatch
            .claim(&device.session, &message(1, 0))
            .await
            .unwrap(),
        None
    );
    let next = device.claim(2, 0).await.unwrap();
    assert_eq!((next.job, next.epoch), (job.id.clone(), 2));
    assert_eq!(office.job(&job.id).await.state, JobState::Claimed);
}
