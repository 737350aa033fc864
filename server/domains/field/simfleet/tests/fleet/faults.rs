//! The switchable faults of a device: each is seen by the server, and none runs a job twice.

use serde_json::json;
use simfleet::{DeviceFault, DeviceTurn, FleetDevice, OfficeDevice, SimFleet, SimFleetOptions};

use crate::documents::PackageDraft;
use crate::jobs::evidence;
use crate::server::{JobState, ScriptedServer};
use crate::{START, device};

async fn faulty(fault: DeviceFault) -> (ScriptedServer, FleetDevice, DeviceTurn) {
    let server = ScriptedServer::start().await;
    let mut device = device(&server);
    device.switches().switch_on(fault);
    server.queue(PackageDraft::new(&device.fingerprint(), &evidence()).bytes());
    let turn = device.turn().await.unwrap();
    (server, device, turn)
}

fn starts(server: &ScriptedServer) -> u32 {
    server.lock().job.as_ref().unwrap().starts
}

#[tokio::test]
async fn it_never_starts() {
    let (server, mut device, turn) = faulty(DeviceFault::NeverStarts).await;
    assert!(matches!(turn, DeviceTurn::NotStarted(_)));
    assert_eq!(server.job_state(), JobState::Claimed);
    server.lapse();
    device.switches().switch_off(DeviceFault::NeverStarts);
    device.restart();
    assert!(matches!(device.turn().await.unwrap(), DeviceTurn::Ended(_)));
    let hello = server.lock().hellos.last().unwrap().clone();
    assert_eq!(hello["journal"][0]["report"], "did_not_run");
    assert_eq!(starts(&server), 1);
}

#[tokio::test]
async fn it_dies_after_started() {
    let (server, mut device, turn) = faulty(DeviceFault::DiesAfterStarted).await;
    assert!(matches!(turn, DeviceTurn::Died(_)));
    assert_eq!(server.job_state(), JobState::Running);
    assert_eq!(
        device.turn().await.unwrap(),
        DeviceTurn::Idle,
        "it does not run it again"
    );
    assert_eq!(
        server.job_state(),
        JobState::Over("unknown", "rebooted".into())
    );
    assert_eq!(starts(&server), 1);
    let lives: std::collections::BTreeSet<_> = server.lock().instances.iter().cloned().collect();
    assert_eq!(lives.len(), 2, "another life is another instance");
}

#[tokio::test]
async fn its_clock_decides_nothing() {
    for (fault, said) in [
        (DeviceFault::ClockTenYearsBack, "behind"),
        (DeviceFault::ClockAt1970, "unset"),
    ] {
        let (server, mut device, turn) = faulty(fault).await;
        assert!(matches!(turn, DeviceTurn::Ended(_)), "{fault:?} {turn:?}");
        let clock = server.lock().start_clock.clone();
        assert_eq!(clock["fault"], said, "{fault:?}");
        assert!(
            clock["skew_ms"].as_i64().unwrap() > 300_000_000_000,
            "{clock}"
        );
        // By its own clock this one has years to go; by the server's it is over.
        let mut package = PackageDraft::new(&device.fingerprint(), &evidence());
        package.manifest["seq"] = 2.into();
        package.manifest["nonce"] = "ee".repeat(16).into();
        server.lock().now_s = START + 601;
        server.queue(package.bytes());
        let turn = device.turn().await.unwrap();
        assert!(
            matches!(&turn, DeviceTurn::Refused { code, .. } if code == "expired"),
            "{turn:?}"
        );
    }
}

#[tokio::test]
async fn it_sends_chunks_and_requests_twice() {
    let (plain, _, _) = faulty(DeviceFault::NeverStarts).await;
    assert_eq!(plain.count("/claim"), 1);
    for fault in [DeviceFault::DuplicatesChunks, DeviceFault::RepeatsRequests] {
        let (server, _, turn) = faulty(fault).await;
        assert!(matches!(turn, DeviceTurn::Ended(_)), "{fault:?} {turn:?}");
        let chunks = fault == DeviceFault::DuplicatesChunks;
        assert_eq!(server.count("/start"), if chunks { 1 } else { 2 });
        assert_eq!(server.count("/end"), if chunks { 1 } else { 2 });
        // Two of the four steps come one after the other in each stream.
        assert_eq!(server.count("/log/step"), if chunks { 8 } else { 4 });
        assert_eq!(server.steps().len(), 4, "{fault:?}");
        assert_eq!(starts(&server), 1);
    }
}

#[tokio::test]
async fn it_lies_about_exit() {
    let server = ScriptedServer::start().await;
    let mut device = device(&server);
    device.switches().switch_on(DeviceFault::LiesAboutExit);
    let steps = json!([{ "run": "ping", "target": "192.168.41.99", "count": 1 }]);
    server.queue(PackageDraft::new(&device.fingerprint(), &steps).bytes());
    device.turn().await.unwrap();
    assert_eq!(server.steps()[0]["end"], json!({ "exit": 0 }));
    assert!(
        server.log("out").contains("100% packet loss"),
        "the output shows it"
    );
}

#[tokio::test]
async fn it_goes_silent() {
    let (server, mut device, turn) = faulty(DeviceFault::GoesSilent).await;
    assert_eq!(turn, DeviceTurn::Silent);
    assert_eq!(server.job_state(), JobState::Running);
    assert_eq!(server.steps().len(), 1, "the first step has come");
    let before = server.lock().seen.len();
    assert_eq!(device.turn().await.unwrap(), DeviceTurn::Silent);
    assert_eq!(server.lock().seen.len(), before, "not a byte");
    device.switches().switch_off(DeviceFault::GoesSilent);
    assert_eq!(device.turn().await.unwrap(), DeviceTurn::Idle);
    assert!(
        matches!(server.job_state(), JobState::Over("end", _)),
        "late, and the truth"
    );
    assert_eq!(server.steps().len(), 4);
    assert_eq!(starts(&server), 1);
}

#[tokio::test]
async fn it_loses_its_sandbox() {
    let (server, _, turn) = faulty(DeviceFault::LosesItsSandbox).await;
    assert!(matches!(turn, DeviceTurn::Ended(_)), "{turn:?}");
    let JobState::Over("end", end) = server.job_state() else {
        panic!("not ended");
    };
    assert_eq!(end["report"]["how"], "lost");
    assert_eq!(server.steps().len(), 1);
    let log = server.log("step");
    let last: serde_json::Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
    assert_eq!(last["step"], 2, "the second one had begun: {log}");
    assert!(last["end"].is_null(), "{log}");
}

#[tokio::test]
async fn two_devices_with_one_key_are_seen_and_run_a_job_once() {
    let server = ScriptedServer::start().await;
    let mut first = device(&server);
    assert_eq!(first.turn().await.unwrap(), DeviceTurn::Idle);
    let mut second = FleetDevice::clone_of(&first).unwrap();
    assert_eq!(second.fingerprint(), first.fingerprint());
    assert_eq!(second.turn().await.unwrap(), DeviceTurn::Idle);
    server.queue(PackageDraft::new(&first.fingerprint(), &evidence()).bytes());
    assert!(matches!(first.turn().await.unwrap(), DeviceTurn::Ended(_)));
    assert_eq!(second.turn().await.unwrap(), DeviceTurn::Idle);
    assert_eq!(starts(&server), 1);
    let script = server.lock();
    let [a, b, rest @ ..] = script.instances.as_slice() else {
        panic!("two lives");
    };
    assert_ne!(a, b);
    assert!(
        rest.contains(a) && rest.contains(b),
        "they alternate: {:?}",
        script.instances
    );
}

#[tokio::test]
async fn the_offline_device_leaves_what_it_had_three_days_ago_and_is_gone() {
    let server = ScriptedServer::start().await;
    let options = crate::options(&server);
    let fleet = SimFleet::start(&SimFleetOptions {
        seed: 1,
        clock: options.clock,
        server: options.server,
        enrolments: [(OfficeDevice::Archive, options.enrolment)].into(),
        pace: 0.0,
        wait_s: 0,
    })
    .unwrap();
    assert!(
        fleet.switches(OfficeDevice::Branch).is_none(),
        "takes no part"
    );
    // The log is the last section.
    server
        .until(|script| script.sections.contains_key("log"))
        .await;
    fleet.stop().await;
    assert_eq!(server.count("/claim"), 0);
    let script = server.lock();
    let taken = (START - 3 * 86_400) * 1000;
    assert_eq!(script.announced["taken_ms"], taken);
    assert_eq!(script.hellos[0]["facts"]["simulated_last_seen_ms"], taken);
    let program = json!({ "version": env!("CARGO_PKG_VERSION"), "failed": null });
    assert_eq!(script.hellos[0]["program"], program);
}
