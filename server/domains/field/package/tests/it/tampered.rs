//! Packages that were tampered with: none is accepted, and of each class the untampered one is.
//!
//! The counts of all tests together are more than 2,000.

use field_package::{
    admission::AdmissionRefusal,
    ids::{DeviceId, SiteId},
    manifest::{JobManifest, MANIFEST_TYPE},
    root::{ROOT_TYPE, RootRefusal},
    script::StepsPayload,
};
use serde_json::json;

use crate::fixture::{
    DEVICE, Fixture, JOB, NOBODY, NOW, OTHER_JOB, ROOT, Tally, UPDATE, at, control, enrolled,
    nonce, pair, retold, root_document, script, signed, signed_bytes, with,
};

#[test]
fn bits_that_were_flipped() {
    let fixture = Fixture::new();
    let (manifest, payload) = fixture.good();
    let good = signed(&manifest, &payload, &[JOB]);
    control(&fixture, &good);
    let mut tally = Tally::default();
    for at in (0..good.len()).step_by(4) {
        let mut bad = good.clone();
        bad[at] ^= 1 << (at / 4 % 8);
        assert!(fixture.admit(&bad).is_err(), "byte {at}");
        tally.0 += 1;
    }
    // Cut, and with something behind.
    for length in (0..good.len()).step_by(16) {
        tally.refused(&fixture, &good[..length], &["package_form"], "cut");
    }
    for more in [&b" "[..], b"\n", b"{}", b"\0", b","] {
        tally.refused(
            &fixture,
            &[&good[..], more].concat(),
            &["package_form"],
            "longer",
        );
        tally.refused(
            &fixture,
            &[more, &good[..]].concat(),
            &["package_form"],
            "earlier",
        );
    }
    let large = vec![b' '; 200_000];
    tally.refused(&fixture, &large, &["package_too_large"], "large");
    assert!(tally.0 > 600, "{}", tally.0);
}

#[test]
fn other_types_and_other_keys() {
    let fixture = Fixture::new();
    let (manifest, payload) = fixture.good();
    control(&fixture, &signed(&manifest, &payload, &[JOB]));
    control(&fixture, &signed(&manifest, &payload, &[OTHER_JOB]));
    control(&fixture, &signed(&manifest, &payload, &[JOB, OTHER_JOB]));
    let mut tally = Tally::default();
    let mut kinds = vec![
        ROOT_TYPE.to_owned(),
        String::new(),
        "application/json".to_owned(),
    ];
    kinds.extend((0..20).map(|number| format!("{MANIFEST_TYPE}{number}")));
    kinds.extend(
        [
            "application/vnd.jarvis.JOB+json",
            "application/vnd.jarvis.job+json ",
        ]
        .map(str::to_owned),
    );
    for kind in &kinds {
        let bytes = signed_bytes(kind, &manifest.bytes(), &payload, &[JOB]);
        tally.refused(&fixture, &bytes, &["package_type"], kind);
    }
    // The device's own key, too, with members that it would like to add.
    for seeds in [
        &[DEVICE][..],
        &[ROOT],
        &[UPDATE],
        &[NOBODY],
        &[JOB, DEVICE],
        &[JOB, ROOT],
    ] {
        for number in 0..20 {
            let mut other = manifest.clone();
            other.seq += number;
            let bytes = signed(&other, &payload, seeds);
            tally.refused(&fixture, &bytes, &["key_unknown"], "signed by another key");
        }
        let added = with(
            &manifest,
            "/net",
            json!({"class":"any","destinations":[],"protocols":[],"all":true}),
        );
        let bytes = signed_bytes(MANIFEST_TYPE, added.as_bytes(), &payload, seeds);
        tally.refused(
            &fixture,
            &bytes,
            &["key_unknown"],
            "added, and signed again",
        );
    }
    let bytes = signed(&manifest, &payload, &[]);
    tally.refused(&fixture, &bytes, &["signature"], "nobody signed");
    assert!(tally.0 > 140, "{}", tally.0);
}

#[test]
fn thresholds_count_keys() {
    let mut fixture = Fixture::new();
    fixture.root = enrolled(&root_document(1, 2));
    let (manifest, payload) = fixture.good();
    control(&fixture, &signed(&manifest, &payload, &[JOB, OTHER_JOB]));
    let mut tally = Tally::default();
    for number in 0..30 {
        let mut other = manifest.clone();
        other.seq += number;
        let twice = signed(&other, &payload, &[JOB, JOB]);
        tally.refused(&fixture, &twice, &["key_repeated"], "one key twice");
        let once = signed(&other, &payload, &[OTHER_JOB]);
        tally.refused(&fixture, &once, &["key_threshold"], "one key");
        // The second signature under the name of another key.
        let (one, two) = (pair(JOB).fingerprint(), pair(OTHER_JOB).fingerprint());
        let text = String::from_utf8(twice).unwrap();
        let (first, rest) = text.split_once(one.as_str()).unwrap();
        let renamed = format!(
            "{first}{one}{}",
            rest.replacen(one.as_str(), two.as_str(), 1)
        );
        tally.refused(&fixture, renamed.as_bytes(), &["signature"], "renamed");
    }
    assert_eq!(tally.0, 90);
}

#[test]
fn packages_for_others() {
    let fixture = Fixture::new();
    let (manifest, payload) = fixture.good();
    control(&fixture, &signed(&manifest, &payload, &[JOB]));
    let mut tally = Tally::default();
    for number in 0..25_u64 {
        let changes: [&dyn Fn(&mut JobManifest); 4] = [
            &|it| it.device = DeviceId::new(&format!("dev_{number:026}")).unwrap(),
            &|it| it.device_key = pair(u8::try_from(number).unwrap() + 100).fingerprint(),
            &|it| it.site = SiteId::new(&format!("site-{number}")).unwrap(),
            &|it| it.server = format!("server-{number}.example"),
        ];
        for change in changes {
            let mut other = manifest.clone();
            change(&mut other);
            let bytes = signed(&other, &payload, &[JOB]);
            tally.refused(&fixture, &bytes, &["other_device"], "for another");
        }
    }
    assert_eq!(tally.0, 100);
}

#[test]
fn old_numbers_and_repeats() {
    let mut fixture = Fixture::new();
    let (manifest, payload) = fixture.good();
    let before = fixture.admit(&signed(&manifest, &payload, &[JOB])).unwrap();
    for seed in [JOB, OTHER_JOB] {
        let signers = [pair(seed).fingerprint()].into();
        fixture.seen.remember(&signers, 50, &nonce(1), NOW, NOW);
    }
    control(&fixture, &signed(&manifest, &payload, &[JOB]));
    let mut tally = Tally::default();
    for seq in 1..=50 {
        for seeds in [&[JOB][..], &[OTHER_JOB]] {
            let mut old = manifest.clone();
            old.seq = seq;
            let bytes = signed(&old, &payload, seeds);
            tally.refused(&fixture, &bytes, &["old_sequence"], "an old number");
        }
    }
    for seq in 51..101 {
        let mut replayed = manifest.clone();
        (replayed.seq, replayed.nonce) = (seq, nonce(1));
        let bytes = signed(&replayed, &payload, &[JOB]);
        tally.refused(&fixture, &bytes, &["replayed"], "an old nonce");
    }
    // The very same package a second time.
    let stamp = &before.manifest;
    fixture
        .seen
        .remember(&before.signers, stamp.seq, &stamp.nonce, stamp.expires, NOW);
    let again = signed(&manifest, &payload, &[JOB]);
    tally.refused(&fixture, &again, &["replayed"], "again");
    // The other key counts for itself: one that ran ahead locks nobody out.
    let mut other = manifest;
    other.nonce = nonce(8);
    control(&fixture, &signed(&other, &payload, &[OTHER_JOB]));
    let both = signed(&other, &payload, &[JOB, OTHER_JOB]);
    tally.refused(
        &fixture,
        &both,
        &["old_sequence"],
        "one of two signers is ahead",
    );
    assert_eq!(tally.0, 152);
}

#[test]
fn times_that_are_over_or_not_there_yet() {
    let mut fixture = Fixture::new();
    let (manifest, payload) = fixture.good();
    let good = signed(&manifest, &payload, &[JOB]);
    control(&fixture, &good);
    let mut tally = Tally::default();
    for late in 0..60 {
        fixture.clock = at(NOW + 601 + late * 977);
        tally.refused(&fixture, &good, &["expired", "root_expired"], "late");
    }
    fixture.clock = at(NOW + 600);
    control(&fixture, &good);
    for early in 1..60 {
        fixture.clock = at(NOW - 100 - early * 60);
        tally.refused(&fixture, &good, &["not_yet"], "early");
    }
    fixture.clock = at(NOW - 100);
    control(&fixture, &good);
    fixture.clock = at(NOW);
    let mut root = root_document(1, 1);
    root.expires = NOW;
    fixture.root = enrolled(&root);
    tally.refused(&fixture, &good, &["root_expired"], "the root has expired");
    assert_eq!(tally.0, 120);
}

#[test]
fn revoked_keys_and_older_roots() {
    let mut fixture = Fixture::new();
    let first = root_document(1, 1).sign(&[&pair(ROOT)]);
    let mut second = root_document(2, 1);
    second.revoked.insert(pair(JOB).fingerprint());
    let second = second.sign(&[&pair(ROOT)]);
    let (manifest, payload) = fixture.good();
    control(&fixture, &signed(&manifest, &payload, &[JOB]));
    fixture.root = fixture.root.rotate(&second).unwrap();
    control(&fixture, &signed(&manifest, &payload, &[OTHER_JOB]));
    let mut tally = Tally::default();
    for number in 0..50 {
        let mut other = manifest.clone();
        other.seq += number;
        tally.refused(
            &fixture,
            &signed(&other, &payload, &[JOB]),
            &["key_unknown"],
            "revoked",
        );
        let both = signed(&other, &payload, &[JOB, OTHER_JOB]);
        tally.refused(&fixture, &both, &["key_unknown"], "revoked, and a good one");
    }
    // The older root, which would bring the key back.
    assert_eq!(fixture.root.rotate(&first), Err(RootRefusal::RolledBack));
    assert_eq!(fixture.root.rotate(&second), Err(RootRefusal::RolledBack));
    assert_eq!(tally.0, 100);
}

#[test]
fn payloads_that_were_swapped() {
    let fixture = Fixture::new();
    let (manifest, payload) = fixture.good();
    control(&fixture, &signed(&manifest, &payload, &[JOB]));
    let mut tally = Tally::default();
    for number in 2..102 {
        let other = StepsPayload::bytes(&script(number));
        tally.refused(
            &fixture,
            &signed(&manifest, &other, &[JOB]),
            &["payload_digest"],
            "swapped",
        );
    }
    // With the right digest, and a manifest that says less than the script does.
    let capture = r#"[{"run":"capture","interface":"eth0","filter":"arp"}]"#;
    let capture = field_package::script::ProbeScript::new(
        &serde_json::from_str::<Vec<_>>(capture).unwrap(),
        false,
    )
    .unwrap();
    let raw = fixture.manifest(&capture);
    let raw_payload = StepsPayload::bytes(&capture);
    control(&fixture, &signed(&raw, &raw_payload, &[JOB]));
    for (manifest, payload, pointer, value) in [
        (&raw, &raw_payload, "/raw", json!(false)),
        (&raw, &raw_payload, "/timeout_s", json!(3)),
        (&manifest, &payload, "/timeout_s", json!(1)),
        (
            &manifest,
            &payload,
            "/net",
            json!({"class":"none","destinations":[],"protocols":[]}),
        ),
        (
            &manifest,
            &payload,
            "/net/destinations",
            json!(["192.0.2.2"]),
        ),
        (&manifest, &payload, "/net/protocols", json!(["udp"])),
    ] {
        let text = with(manifest, pointer, value);
        tally.refused(
            &fixture,
            &retold(&text, payload),
            &["contradiction"],
            pointer,
        );
    }
    // Lists are signed bytes, too: a shell script under the name of steps.
    let mut shell = manifest.clone();
    shell.payload =
        field_package::manifest::PayloadStamp::of(b"id\n", "application/vnd.jarvis.steps+json");
    tally.refused(
        &fixture,
        &signed(&shell, b"id\n", &[JOB]),
        &["payload_form"],
        "a shell script",
    );
    assert_eq!(tally.0, 107);
}

#[test]
fn a_clock_that_is_wrong_accepts_nothing_and_is_named() {
    const YEAR: u64 = 365 * 24 * 3600;
    let mut fixture = Fixture::new();
    let (manifest, payload) = fixture.good();
    let good = signed(&manifest, &payload, &[JOB]);
    let mut old = manifest;
    (old.issued, old.not_before) = (NOW - 9_000, NOW - 9_000);
    (old.claim_until, old.expires, old.approval.at) = (NOW - 5_000, NOW - 5_000, NOW - 9_000);
    let old = signed(&old, &payload, &[JOB]);
    let walls = [
        0,
        1_420_070_400,
        NOW - 4 * 3600,
        NOW + 4 * 3600,
        NOW + 10 * YEAR,
    ];
    for wall in walls {
        // With the server's time a wrong clock changes no decision, and is reported.
        fixture.clock = field_package::clock::DeviceClock { wall, ..at(NOW) };
        let admitted = fixture.admit(&good).unwrap();
        assert!(admitted.clock.is_some(), "{wall}");
        let refusal = fixture.admit(&old).expect_err("expired");
        assert_eq!(refusal.code(), "time_and_clock");
        assert!(refusal.to_string().contains("clock"), "{refusal}");
        // Without it, neither is accepted.
        fixture.clock.server = None;
        for package in [&good, &old] {
            let refusal = fixture.admit(package).expect_err("no time to go by");
            let named = refusal.to_string().contains("clock");
            let expired = matches!(refusal, AdmissionRefusal::Expired { .. });
            assert!(
                named || (expired && wall == NOW + 4 * 3600),
                "{wall}: {refusal}"
            );
        }
    }
    // The server's own time went back behind what it was.
    fixture.clock = field_package::clock::DeviceClock {
        wall: NOW,
        floor: NOW,
        server: Some(NOW - YEAR),
    };
    assert_eq!(fixture.admit(&old).expect_err("refused").code(), "clock");
    fixture.clock = at(NOW);
    control(&fixture, &good);
    assert_eq!(fixture.admit(&good).unwrap().clock, None);
}
