//! A new key for jobs: what the old one signed starts no more, and devices follow. New root keys: devices
//! follow as well, and those that enrol later know the new keys alone.

use std::collections::BTreeSet;

use field_dispatch::{
    RootOrder, draft_root, make_signing_key, publish_root, rotate_job_key, sign_draft,
};
use field_tables::JobState;
use simfleet::{DeviceTurn, FleetDevice, OfficeDevice};

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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn devices_old_and_new_trust_the_root_keys_that_took_over() {
    let office = Office::open().await;
    let mut device = office.adopted(OfficeDevice::Reception).await;
    assert_eq!(Box::pin(device.turn()).await.unwrap(), DeviceTurn::Idle);
    let from_before = office.token("branch").await;
    let desk = tempfile::tempdir().unwrap();
    let (key, draft) = (desk.path().join("ann.key"), desk.path().join("next.json"));
    let ann = make_signing_key(&key).unwrap();
    let order = RootOrder {
        keys: BTreeSet::from([ann.to_hex()]),
        threshold: Some(1),
        revoked: BTreeSet::new(),
    };
    let mut office = office
        .reopened_after(settings(), |folder| {
            let made = draft_root(folder, &order, &draft, START + 1).unwrap();
            sign_draft(&draft, &key, &made.digest()).unwrap();
            publish_root(folder, &draft, START + 1).unwrap();
        })
        .await;
    assert_eq!(office.dispatch.keys().root, ann.fingerprint());
    // Its session is from before: it has to say hello first, and that brings the document.
    assert!(Box::pin(device.turn()).await.is_err());
    assert_eq!(Box::pin(device.turn()).await.unwrap(), DeviceTurn::Idle);
    let job = office.queued(&device, &look()).await;
    let turn = Box::pin(device.turn()).await.unwrap();
    assert_eq!(turn, DeviceTurn::Ended(job.id.clone()));
    // A device that enrols now has never heard of the old root key, and its jobs run.
    let mut new = office.adopted(OfficeDevice::Warehouse).await;
    let job = office.queued(&new, &look()).await;
    let turn = Box::pin(new.turn()).await.unwrap();
    assert_eq!(turn, DeviceTurn::Ended(job.id.clone()));
    // A token that names the old key leads to no device that trusts this server.
    let options = office.options(OfficeDevice::Branch, from_before);
    let mut late = FleetDevice::new(options).unwrap();
    assert!(Box::pin(late.turn()).await.is_err());
}
