//! Packages and root documents that are not what they should be.

use serde_json::{Value, json};
use simfleet::{DeviceTurn, FleetDevice, FleetError};

use crate::documents::{PackageDraft, ROOT_KIND, envelope, fingerprint, key, root};
use crate::server::{JobState, ScriptedServer};
use crate::{START, device, options};

type Change = fn(&mut PackageDraft);

#[tokio::test]
async fn a_package_that_was_changed_is_refused_and_never_started() {
    let changes: [(&str, Change); 22] = [
        ("signature", |it| it.key = key(3)),
        ("package_type", |it| {
            it.kind = "application/vnd.jarvis.root+json"
        }),
        ("other_device", |it| {
            it.manifest["device"] = "dev_00000000000000000000000002".into()
        }),
        ("other_device", |it| {
            it.manifest["device_key"] = "33".repeat(32).into()
        }),
        ("other_device", |it| {
            it.manifest["site"] = "elsewhere".into()
        }),
        ("other_device", |it| {
            it.manifest["server"] = "another".into()
        }),
        ("other_claim", |it| {
            it.manifest["job"] = "run_00000000000000000000000002".into()
        }),
        ("manifest_field", |it| it.manifest["v"] = 2.into()),
        ("manifest_field", |it| it.manifest["more"] = 1.into()),
        ("manifest_field", |it| it.manifest["seq"] = 0.into()),
        ("manifest_field", |it| it.manifest["seq"] = json!(1.5)),
        ("manifest_field", |it| {
            it.manifest.as_object_mut().unwrap().remove("nonce");
        }),
        ("manifest_field", |it| {
            it.manifest["interpreter"] = "/bin/sh".into()
        }),
        ("manifest_field", |it| it.manifest["workdir"] = "/".into()),
        ("manifest_field", |it| {
            it.manifest["approval"]["by"] = json!([])
        }),
        ("manifest_field", |it| {
            it.manifest["caps"]["more"] = 1.into()
        }),
        ("sandbox", |it| it.manifest["sandbox_min"] = "podman".into()),
        ("sandbox", |it| it.manifest["raw"] = false.into()),
        ("payload_digest", |it| it.payload.push(b' ')),
        ("payload_form", |it| {
            it.payload =
                br#"{"steps":[{"run":"sh","target":"reboot"}],"stop_on_failure":false}"#.to_vec();
            it.stamp();
        }),
        ("expired", |it| {
            it.manifest["claim_until"] = (START - 10).into()
        }),
        ("not_yet", |it| {
            it.manifest["not_before"] = (START + 60).into()
        }),
    ];
    for (code, change) in changes {
        let server = ScriptedServer::start().await;
        let mut device = device(&server);
        let steps = json!([{ "run": "sweep", "interface": "eth0", "network": "192.168.41.0/24" }]);
        let mut package = PackageDraft::new(&device.fingerprint(), &steps);
        change(&mut package);
        server.queue(package.bytes());
        let turn = device.turn().await.unwrap();
        let DeviceTurn::Refused { code: said, .. } = turn else {
            panic!("{code}: {turn:?}");
        };
        assert_eq!(said, code, "{}", package.manifest);
        assert_eq!(server.job_state(), JobState::Over("refuse", code.into()));
        assert_eq!(server.count("/start"), 0, "{code}");
    }
}

#[tokio::test]
async fn every_flipped_bit_and_doubled_member_is_refused() {
    let server = ScriptedServer::start().await;
    let mut device = device(&server);
    let package = PackageDraft::new(&device.fingerprint(), &json!([{ "run": "power" }]));
    let whole = package.bytes();
    let text = package.manifest.to_string();
    let doubled = text.replacen("{\"v\":1,", "{\"v\":1,\"v\":1,", 1);
    assert_ne!(text, doubled);
    let mut tampered = vec![package.bytes_of(doubled.as_bytes())];
    for at in (0..whole.len()).step_by(11) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 7);
        tampered.push(bytes);
    }
    assert!(tampered.len() > 150, "{}", tampered.len());
    for bytes in tampered {
        server.queue(bytes);
        let turn = device.turn().await.unwrap();
        assert!(matches!(turn, DeviceTurn::Refused { .. }), "{turn:?}");
    }
}

#[tokio::test]
async fn a_package_runs_once_and_numbers_only_rise() {
    let server = ScriptedServer::start().await;
    let mut device = device(&server);
    let mut package = PackageDraft::new(&device.fingerprint(), &json!([{ "run": "power" }]));
    package.manifest["seq"] = 5.into();
    let run = |package: &PackageDraft| server.queue(package.bytes());
    run(&package);
    assert!(matches!(device.turn().await.unwrap(), DeviceTurn::Ended(_)));
    for (seq, nonce, accepted) in [
        (5, 1, false),
        (4, 2, false),
        (6, 3, true),
        (6, 4, false),
        (7, 3, false),
    ] {
        package.manifest["seq"] = seq.into();
        package.manifest["nonce"] = format!("{nonce:032x}").into();
        run(&package);
        let turn = device.turn().await.unwrap();
        assert_eq!(
            matches!(turn, DeviceTurn::Ended(_)),
            accepted,
            "{seq} {nonce}: {turn:?}"
        );
    }
    // After a restart the journal still knows.
    device.restart();
    package.manifest["seq"] = 6.into();
    run(&package);
    assert!(matches!(
        device.turn().await.unwrap(),
        DeviceTurn::Refused { .. }
    ));
}

#[tokio::test]
async fn nothing_is_trusted_on_first_use() {
    let server = ScriptedServer::start().await;
    let mut options = options(&server);
    let (head, _) = options.enrolment.rsplit_once('.').unwrap();
    options.enrolment = format!("{head}.{}", fingerprint(&key(9)));
    let mut device = FleetDevice::new(options).unwrap();
    assert!(matches!(device.turn().await, Err(FleetError::Root(_))));
    assert_eq!(server.count("/session"), 0);
}

#[tokio::test]
async fn root_documents_follow_one_another() {
    let (old, new) = (key(1), key(4));
    let next = |change: fn(&mut Value)| {
        let mut next = root(2, &new, &key(5));
        change(&mut next);
        next.to_string()
    };
    let sealed = |text: String, keys: &[&ed25519_dalek::SigningKey]| {
        envelope(ROOT_KIND, text.as_bytes(), keys)
    };
    for (what, document, accepted) in [
        ("signed by both", sealed(next(|_| ()), &[&old, &new]), true),
        ("by the new one alone", sealed(next(|_| ()), &[&new]), false),
        ("by the old one alone", sealed(next(|_| ()), &[&old]), false),
        (
            "a gap",
            sealed(next(|it| it["version"] = 3.into()), &[&old, &new]),
            false,
        ),
        (
            "no newer",
            sealed(next(|it| it["version"] = 1.into()), &[&old, &new]),
            false,
        ),
        ("one key twice", sealed(next(|_| ()), &[&old, &old]), false),
        (
            "an unknown member",
            sealed(next(|it| it["more"] = 1.into()), &[&old, &new]),
            false,
        ),
        (
            "a weak key",
            sealed(
                next(|it| it["job"]["keys"] = json!(["00".repeat(32)])),
                &[&old, &new],
            ),
            false,
        ),
    ] {
        let server = ScriptedServer::start().await;
        server.lock().roots.push(document);
        let mut device = device(&server);
        let turn = device.turn().await;
        assert_eq!(turn.is_ok(), accepted, "{what}: {turn:?}");
        if accepted {
            // The job key of before is no longer one.
            let mut package =
                PackageDraft::new(&device.fingerprint(), &json!([{ "run": "power" }]));
            server.queue(package.bytes());
            assert!(matches!(
                device.turn().await.unwrap(),
                DeviceTurn::Refused { .. }
            ));
            package.key = key(5);
            server.queue(package.bytes());
            assert!(matches!(device.turn().await.unwrap(), DeviceTurn::Ended(_)));
        }
    }
}
