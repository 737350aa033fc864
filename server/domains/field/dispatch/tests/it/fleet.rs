//! The six devices of the office from enrolment to the end of a job, over real HTTP.

use field_tables::{BundleFilter, JobState, LogStream};
use serde_json::{Value, json};
use simfleet::{DeviceTurn, FleetDevice, FleetDeviceOptions, OfficeDevice, WIFI_KEY};

use crate::office::{Office, START, evidence, look};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn six_devices_enrol_send_diagnostics_and_run_a_script() {
    let mut office = Office::open().await;
    for kind in OfficeDevice::ALL {
        let token = office.token(kind.name()).await;
        let options = FleetDeviceOptions {
            first_bundle: true,
            ..office.options(kind, token)
        };
        let mut device = office.adopt(FleetDevice::new(options).unwrap()).await;
        let id = office.id_of(&device).await;
        let turn = Box::pin(device.turn()).await.unwrap();
        let DeviceTurn::Collected(bundle) = turn else {
            panic!("{kind:?}: {turn:?}");
        };
        bundle_is_covered(&office, &id, &bundle).await;
        let job = office.queued(&device, &look()).await;
        let turn = Box::pin(device.turn()).await.unwrap();
        assert_eq!(turn, DeviceTurn::Ended(job.id.clone()), "{kind:?}");
        let ended = office.job(&job.id).await;
        assert_eq!(ended.state, JobState::Ended, "{kind:?}");
        assert_eq!(office.steps(&job.id).await.len(), 2, "{kind:?}");
        let ending = ended.ending.unwrap();
        assert_eq!(ending["report"]["how"], json!({ "exit": 0 }));
        assert_eq!(ending["report"]["cpu_ms"], Value::Null, "unknown, not zero");
        assert_eq!(ending["simulated"], true);
        for stream in ["out", "step"] {
            assert_eq!(ending["streams"][stream]["is_whole"], true, "{stream}");
        }
        assert_eq!(
            Box::pin(device.turn()).await.unwrap(),
            DeviceTurn::Idle,
            "once"
        );
    }
    assert_eq!(office.requests("/start"), 6);
    let facts = office.tables.devices(None).await.unwrap();
    assert!(facts.iter().all(|it| it.facts["simulated"] == true));
}

/// Nothing of the office's values is in what was stored, and the counts say what was there.
async fn bundle_is_covered(office: &Office, device: &str, bundle: &str) {
    let stored = office.tables.bundle(bundle).await.unwrap().unwrap();
    assert!(stored.completed_ms.is_some());
    let filter = BundleFilter {
        device: Some(device.to_owned()),
        ..BundleFilter::default()
    };
    assert_eq!(office.tables.bundles(&filter, 9).await.unwrap().len(), 1);
    let sections = office.tables.sections(bundle).await.unwrap();
    assert!(sections.len() > 5, "{}", sections.len());
    let mut addresses = 0;
    for section in &sections {
        let text = office
            .tables
            .section_text(bundle, &section.name)
            .await
            .unwrap()
            .unwrap();
        for value in ["192.168.", "Nordlicht", WIFI_KEY, "7c:10"] {
            assert!(
                !text.contains(value),
                "{value} in {}:\n{text}",
                section.name
            );
        }
        let leak = office
            .dispatch
            .leaks("nordlicht", text.into_bytes())
            .await
            .unwrap();
        assert_eq!(leak, None, "{}", section.name);
        addresses += section.counts["classes"]["ipv4"].as_u64().unwrap_or(0);
    }
    assert!(addresses > 3);
    let dropped = sections.iter().map(|it| &it.counts["dropped_by_device"]);
    assert_eq!(dropped.filter(|it| it.is_u64()).count(), 1, "said once");
    let legend = office.dispatch.legend("nordlicht").unwrap();
    assert!(
        legend.contains("IPv4") && !legend.contains("192.168."),
        "{legend}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_story_of_the_meeting_room() {
    let mut office = Office::open().await;
    let mut device = office.adopted(OfficeDevice::MeetingRoom).await;
    let id = office.id_of(&device).await;
    // Somebody asks for diagnostics, and the device has them on its next turn.
    let asked = office
        .dispatch
        .collect("call", &id, "ann", START as i64 * 1000 + 60_000);
    let asked = asked.await.unwrap();
    let turn = Box::pin(device.turn()).await.unwrap();
    let DeviceTurn::Collected(bundle) = turn else {
        panic!("{turn:?}");
    };
    let collection = office.tables.collection("call").await.unwrap().unwrap();
    assert_eq!(collection.bundle.as_deref(), Some(bundle.as_str()));
    assert_eq!(collection.request, asked.request);
    // Then a script, with real addresses, which the device checks by rules of its own.
    let job = office.queued(&device, &evidence()).await;
    let turn = Box::pin(device.turn()).await.unwrap();
    assert_eq!(turn, DeviceTurn::Ended(job.id.clone()));
    let out = office.log(&job.id, LogStream::Out).await;
    assert!(
        out.contains("(DUP!)") && out.contains("is-at 7c:10"),
        "{out}"
    );
    let covered = office
        .dispatch
        .cover("nordlicht", &out, field_dispatch::CoverSource::Outside);
    let covered = covered.await.unwrap().text;
    assert!(
        covered.contains("(DUP!)") && !covered.contains("7c:10"),
        "{covered}"
    );
    // The same value has the same token here and there, so the answer can cite both.
    let gateway = office.dispatch.cover(
        "nordlicht",
        "192.168.41.1",
        field_dispatch::CoverSource::Outside,
    );
    let gateway = gateway.await.unwrap().text;
    assert!(covered.contains(&gateway), "{gateway}");
    let neighbours = office
        .tables
        .section_text(&bundle, "neighbours")
        .await
        .unwrap()
        .unwrap();
    assert!(neighbours.contains(&gateway), "{neighbours}");
    assert_eq!(
        office
            .dispatch
            .restore("nordlicht", &gateway)
            .unwrap()
            .unwrap(),
        "192.168.41.1"
    );
}

#[tokio::test]
async fn what_is_cancelled_before_its_start_never_runs() {
    let mut office = Office::open().await;
    let mut device = office.adopted(OfficeDevice::GatewayProbe).await;
    let job = office.queued(&device, &look()).await;
    office
        .dispatch
        .cancel_job(&job.id, "not needed", "ann")
        .await
        .unwrap();
    assert_eq!(Box::pin(device.turn()).await.unwrap(), DeviceTurn::Idle);
    assert_eq!(office.job(&job.id).await.state, JobState::Cancelled);
    assert_eq!(office.requests("/start"), 0, "certain");
}
