//! The launcher's own check: whoever has the runner can make it start nothing that was not signed.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use field_package::{
    envelope::SignedEnvelope,
    ids::{DeviceId, Fingerprint, JobId, Sha256Hex, SiteId},
    levels::SandboxLevel,
    manifest::{JobManifest, NetworkClass},
    package::SignedPackage,
};
use field_runner::launch::{LaunchAsk, LaunchOrder};

use crate::{
    device::{DEVICE, JOB, ROOT, TestDevice, job_id, pair, signed},
    server::now_s,
};

type TamperedWith = fn(&mut JobManifest);

#[test]
fn the_launcher_accepts_none_of_two_hundred_tampered_packages() {
    let Some(device) = TestDevice::enrolled() else {
        return;
    };
    device.launch();
    let client = device.client();
    let check = |job: &str, bytes: &[u8]| {
        let order = LaunchOrder {
            job: JobId::new(job).unwrap(),
            package: BASE64_STANDARD.encode(bytes),
            time: Some(now_s()),
        };
        client
            .ask(&LaunchAsk::Check(order))
            .map_err(|error| error.code().to_owned())
    };
    let script = "echo hello";
    let good = device.package(1, script);
    check(&job_id(1), &good).unwrap();
    let mut refused = 0;
    let mut refuse = |about: &str, bytes: &[u8]| {
        assert!(check(&job_id(1), bytes).is_err(), "accepted: {about}");
        refused += 1;
    };
    for number in 0..180 {
        let mut bytes = good.clone();
        let at = number * bytes.len() / 180;
        bytes[at] ^= 1 << (number % 7);
        refuse(&format!("a bit of byte {at}"), &bytes);
    }
    let changes: [(&str, TamperedWith); 14] = [
        ("other device", |it| {
            it.device = DeviceId::new(&DEVICE.replace('1', "2")).unwrap()
        }),
        ("other key", |it| {
            it.device_key = Fingerprint::new(&"0".repeat(64)).unwrap()
        }),
        ("other site", |it| it.site = SiteId::new("other").unwrap()),
        ("other server", |it| it.server = "other".to_owned()),
        ("other job", |it| it.job = JobId::new(&job_id(2)).unwrap()),
        ("expired", |it| it.expires = now_s() - 1),
        ("too late to claim", |it| it.claim_until = now_s() - 1),
        ("not yet", |it| it.not_before = now_s() + 100),
        ("other payload", |it| {
            it.payload.sha256 = Sha256Hex::digest(b"other")
        }),
        ("one person", |it| drop(it.approval.by.pop_first())),
        ("raw in B", |it| it.raw = true),
        ("another sandbox", |it| {
            it.sandbox_min = SandboxLevel::Podman
        }),
        ("no such sandbox here", |it| {
            it.sandbox_min = SandboxLevel::Nsjail
        }),
        ("less network than it takes", |it| {
            it.net.class = NetworkClass::None
        }),
    ];
    for (about, change) in changes {
        let mut manifest = device.manifest(1, script);
        change(&mut manifest);
        refuse(about, &signed(&manifest, script));
    }
    let manifest = device.manifest(1, script);
    for (about, seed) in [
        ("a stranger's key", 99),
        ("the root key", ROOT),
        ("the update key", 21),
    ] {
        let bytes = SignedPackage::sign(&manifest, script.as_bytes(), &[&pair(seed)]).bytes();
        refuse(about, &bytes);
    }
    refuse(
        "no signature",
        &SignedPackage::sign(&manifest, script.as_bytes(), &[]).bytes(),
    );
    refuse("signed twice by one key", &{
        let keys = [&pair(JOB), &pair(JOB)];
        SignedPackage::sign(&manifest, script.as_bytes(), &keys).bytes()
    });
    let mut other_type = SignedPackage::sign(&manifest, script.as_bytes(), &[&pair(JOB)]);
    other_type.manifest = SignedEnvelope::sign("text/plain", &manifest.bytes(), &[&pair(JOB)]);
    refuse("another type", &other_type.bytes());
    assert_eq!(refused, 200);
    // What the device's owner forbids is refused, and so is everything if that file is not readable.
    let veto = device.config.settings.join("veto.toml");
    for text in ["sh = true\n", "sh = \n"] {
        std::fs::write(&veto, text).unwrap();
        assert!(check(&job_id(1), &good).is_err(), "{text}");
    }
    std::fs::remove_file(&veto).unwrap();
    check(&job_id(1), &good).unwrap();
}
