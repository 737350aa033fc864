//! The order of the device's checks, and the choice of the sandbox.

use std::collections::BTreeSet;

use field_package::{
    abilities::MemoryLimit,
    admission::{AdmittedPayload, ClaimedJob},
    ids::{JobId, Sha256Hex},
    keys::SigningPair,
    levels::SandboxLevel,
    manifest::{ManifestForm, NetworkClass, PayloadStamp},
    policy::{DeviceVeto, RiskLevel},
    script::FREE_SCRIPT_TYPE,
};

use crate::fixture::{
    Fixture, JOB, NOW, all_abilities, at, job, nonce, pair, retold, signed, with,
};

#[test]
fn a_good_package_is_admitted_as_it_was_signed() {
    let fixture = Fixture::new();
    let (manifest, payload) = fixture.good();
    let admitted = fixture.admit(&signed(&manifest, &payload, &[JOB])).unwrap();
    assert_eq!(admitted.manifest, manifest);
    assert_eq!(admitted.signers, BTreeSet::from([pair(JOB).fingerprint()]));
    // The weakest that is strong enough.
    assert_eq!(admitted.sandbox, SandboxLevel::Bubblewrap);
    let AdmittedPayload::Steps(script) = admitted.payload else {
        panic!("steps");
    };
    assert_eq!(script.steps()[0].argv()[0], "/usr/bin/ping");
}

/// A package that is wrong in every way: mended one by one, each check comes up in its turn.
#[test]
fn checks_come_in_their_order() {
    let mut fixture = Fixture::new();
    let (good, payload) = fixture.good();
    let stranger = SigningPair::from_seed(&[77; 32]).fingerprint();
    fixture.seen.remember(
        &[pair(JOB).fingerprint()].into(),
        90,
        &nonce(7),
        NOW + 10_000,
        NOW,
    );
    fixture.clock = at(NOW + 1_000);
    fixture.abilities.levels.clear();
    fixture.veto = DeviceVeto {
        max_seconds: Some(1),
        ..DeviceVeto::default()
    };
    let mut manifest = good.clone();
    manifest.device_key = stranger;
    let other_payload = b"{}".to_vec();
    let mut claim = ClaimedJob {
        job: JobId::new("run_00000000000000000000000000").unwrap(),
        package: Sha256Hex::digest(b""),
    };
    let code = |fixture: &Fixture, bytes: &[u8], claim: &ClaimedJob| {
        fixture
            .admit_as(bytes, claim)
            .map_err(|refusal| refusal.code())
            .err()
    };
    let large = vec![b'x'; 300_000];
    assert_eq!(code(&fixture, &large, &claim), Some("package_too_large"));
    let unsigned = signed(&manifest, &other_payload, &[88]);
    assert_eq!(code(&fixture, &unsigned, &claim), Some("key_unknown"));
    let no_field = retold(&with(&manifest, "/v", serde_json::json!(2)), &other_payload);
    assert_eq!(code(&fixture, &no_field, &claim), Some("manifest_field"));
    let bytes = signed(&manifest, &other_payload, &[JOB]);
    assert_eq!(code(&fixture, &bytes, &claim), Some("other_device"));
    manifest.device_key = good.device_key;
    let bytes = signed(&manifest, &other_payload, &[JOB]);
    assert_eq!(code(&fixture, &bytes, &claim), Some("expired"));
    fixture.clock = at(NOW);
    assert_eq!(code(&fixture, &bytes, &claim), Some("replayed"));
    manifest.nonce = nonce(8);
    let bytes = signed(&manifest, &other_payload, &[JOB]);
    assert_eq!(code(&fixture, &bytes, &claim), Some("old_sequence"));
    manifest.seq = 91;
    let bytes = signed(&manifest, &other_payload, &[JOB]);
    assert_eq!(code(&fixture, &bytes, &claim), Some("payload_digest"));
    let bytes = signed(&manifest, &payload, &[JOB]);
    assert_eq!(code(&fixture, &bytes, &claim), Some("sandbox"));
    fixture.abilities = Fixture::new().abilities;
    assert_eq!(code(&fixture, &bytes, &claim), Some("veto"));
    fixture.veto = DeviceVeto::default();
    assert_eq!(code(&fixture, &bytes, &claim), Some("other_claim"));
    claim.job = job();
    assert_eq!(code(&fixture, &bytes, &claim), Some("other_claim"));
    claim.package = Sha256Hex::digest(&bytes);
    assert_eq!(code(&fixture, &bytes, &claim), None);
}

#[test]
fn a_limit_that_is_not_enforced_refuses_the_job() {
    let mut fixture = Fixture::new();
    let (manifest, payload) = fixture.good();
    let bytes = signed(&manifest, &payload, &[JOB]);
    let only = |change: &dyn Fn(&mut field_package::abilities::LevelAbilities)| {
        let mut abilities = all_abilities();
        change(&mut abilities);
        [(SandboxLevel::Bubblewrap, abilities)].into()
    };
    for (field, change) in [
        (
            "caps.memory",
            &(|it: &mut field_package::abilities::LevelAbilities| it.memory = MemoryLimit::None)
                as &dyn Fn(&mut field_package::abilities::LevelAbilities),
        ),
        ("caps.memory", &|it| {
            it.memory = MemoryLimit::AddressSpace(1024)
        }),
        ("caps.cpu_pct", &|it| it.cpu = false),
        ("caps.tasks", &|it| it.tasks = false),
        ("caps.workspace", &|it| it.workspace = false),
        ("net", &|it| it.listed_network = false),
    ] {
        fixture.abilities.levels = only(change);
        let refusal = fixture.admit(&bytes).expect_err(field);
        assert_eq!(refusal.code(), "sandbox");
        assert!(refusal.to_string().contains(field), "{refusal}");
    }
    fixture.abilities.levels = only(&|_| {});
    assert!(fixture.admit(&bytes).is_ok());
    // Others that a device claims to have are not offered, and never stand for one that is.
    fixture.abilities.levels = [
        (SandboxLevel::Podman, all_abilities()),
        (SandboxLevel::Nsjail, all_abilities()),
    ]
    .into();
    assert_eq!(
        fixture.admit(&bytes).expect_err("refused").code(),
        "sandbox"
    );
    for level in ["podman", "nsjail"] {
        let text = with(&manifest, "/sandbox_min", serde_json::json!(level));
        let refusal = fixture.admit(&retold(&text, &payload)).expect_err(level);
        assert!(refusal.to_string().contains("not offered"), "{refusal}");
    }
}

#[test]
fn fields_have_bounds_and_fit_each_other() {
    let fixture = Fixture::new();
    let (manifest, payload) = fixture.good();
    for (pointer, value) in [
        ("/seq", serde_json::json!(0)),
        ("/expires", serde_json::json!(NOW + 30 * 24 * 3600)),
        ("/not_before", serde_json::json!(NOW - 101)),
        ("/claim_until", serde_json::json!(NOW + 3601)),
        ("/timeout_s", serde_json::json!(100_000)),
        ("/interpreter", serde_json::json!("/bin/sh")),
        ("/payload/type", serde_json::json!("text/x-shellscript")),
        ("/payload/bytes", serde_json::json!(0)),
        ("/args", serde_json::json!(["-c", "id"])),
        ("/env", serde_json::json!({"LD_PRELOAD": "/tmp/x.so"})),
        ("/env", serde_json::json!({"COLUMNS": "80"})),
        ("/workdir", serde_json::json!("/")),
        ("/caps/memory", serde_json::json!(1_u64 << 40)),
        ("/caps/cpu_pct", serde_json::json!(101)),
        ("/caps/tasks", serde_json::json!(0)),
        ("/net/destinations", serde_json::json!(["-j"])),
        ("/net/destinations", serde_json::json!(["a.example"])),
        ("/net/destinations", serde_json::json!([])),
        ("/net/protocols", serde_json::json!(["sctp"])),
        ("/raw", serde_json::json!(true)),
        (
            "/risk/reasons",
            serde_json::json!([{"rule": "none", "weight": "high"}]),
        ),
        ("/approval/by", serde_json::json!([])),
        ("/approval/by", serde_json::json!(["a\u{202e}b"])),
        ("/approval/at", serde_json::json!(NOW)),
        ("/policy/version", serde_json::json!(0)),
        ("/server", serde_json::json!("")),
    ] {
        let text = with(&manifest, pointer, value.clone());
        let refusal = fixture.admit(&retold(&text, &payload)).expect_err(pointer);
        assert_eq!(
            refusal.code(),
            "manifest_field",
            "{pointer} {value}: {refusal}"
        );
    }
}

#[test]
fn free_sh_is_high_and_names_two_persons() {
    let fixture = Fixture::new();
    let (mut manifest, _) = fixture.good();
    let text = b"ping -c 1 192.0.2.1 > result\n";
    manifest.form = ManifestForm::Sh;
    manifest.interpreter = Some("/bin/sh".to_owned());
    manifest.payload = PayloadStamp::of(text, FREE_SCRIPT_TYPE);
    manifest.env.insert("COLUMNS".to_owned(), "80".to_owned());
    manifest.args = vec!["one".to_owned()];
    manifest.net.class = NetworkClass::Any;
    manifest.risk.level = RiskLevel::High;
    let admitted = fixture.admit(&signed(&manifest, text, &[JOB])).unwrap();
    assert!(matches!(admitted.payload, AdmittedPayload::Sh(_)));
    let code = |manifest: &field_package::manifest::JobManifest, text: &[u8]| {
        let refusal = fixture.admit(&signed(manifest, text, &[JOB]));
        refusal.expect_err("refused").code()
    };
    let mut low = manifest.clone();
    low.risk.level = RiskLevel::Medium;
    assert_eq!(code(&low, text), "manifest_field");
    let mut one = manifest.clone();
    one.approval.by = BTreeSet::from(["anna".to_owned()]);
    assert_eq!(code(&one, text), "manifest_field");
    let mut listed = manifest.clone();
    listed.net.class = NetworkClass::Listed;
    assert_eq!(code(&listed, text), "manifest_field");
    let mut raw = manifest.clone();
    (raw.raw, raw.sandbox_min) = (true, SandboxLevel::Systemd);
    assert_eq!(code(&raw, text), "manifest_field");
    for hidden in [
        &b"id\x1b[2J\n"[..],
        b"id\r\n",
        "id \u{202e}\n".as_bytes(),
        &[0xff, 0xfe],
    ] {
        let mut other = manifest.clone();
        other.payload = PayloadStamp::of(hidden, FREE_SCRIPT_TYPE);
        assert_eq!(code(&other, hidden), "payload_form");
    }
}
