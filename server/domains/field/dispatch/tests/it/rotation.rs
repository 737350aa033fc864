//! A new key for jobs: what the old one signed starts no more, and devices follow.

use field_dispatch::rotate_job_key;
use field_tables::JobState;
use simfleet::{DeviceTurn, OfficeDevice};

use crate::office::{Office, START, look, settings};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn devices_follow_to_a_new_key_and_what_the_old_one_signed_starts_no_more() {
    let mut office = Office::open().await;
    let mut device = office.adopted(OfficeDevice::Reception).await;
    assert_eq!(Box::pin(device.turn()).await.unwrap(), DeviceTurn::Idle);
    let old = office.queued(&device, &look()).await;
    let mut office = office
        .reopened_after(settings(), |folder| {
            rotate_job_key(folder, START + 1).unwrap();
        })
        .await;
    assert_eq!(office.dispatch.keys().version, 2);
    // Its session is from before: it has to say hello first, and that brings the document.
    assert!(Box::pin(device.turn()).await.is_err());
    let turn = Box::pin(device.turn()).await.unwrap();
    assert!(
        matches!(&turn, DeviceTurn::Refused { job, .. } if *job == old.id),
        "{turn:?}"
    );
    assert_eq!(office.job(&old.id).await.state, JobState::Refused);
    let new = office.queued(&device, &look()).await;
    assert_ne!(new.signing_key, old.signing_key);
    assert_eq!(new.seq, 1, "each key counts for itself");
    let turn = Box::pin(device.turn()).await.unwrap();
    assert_eq!(turn, DeviceTurn::Ended(new.id.clone()));
    let id = office.id_of(&device).await;
    device.restart();
    Box::pin(device.turn()).await.unwrap();
    let known = office.dispatch.device(&id).await.unwrap().unwrap();
    assert_eq!(known.root_version, 2);
}
