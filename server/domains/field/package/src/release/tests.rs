//! Releases, each with what a device refuses.

use std::collections::BTreeSet;

use super::*;
use crate::root::{RoleKeys, RootDocument};

const NOW: u64 = 1_790_000_000;
const PROGRAM: &[u8] = b"a program";

fn pair(seed: u8) -> SigningPair {
    SigningPair::from_seed(&[seed; 32])
}

fn role(seeds: &[u8], threshold: usize) -> RoleKeys {
    let keys = seeds.iter().map(|seed| pair(*seed).public());
    let keys = keys.map(|key| key.expect("a key").to_hex());
    RoleKeys {
        keys: keys.collect(),
        threshold,
    }
}

fn document() -> RootDocument {
    RootDocument {
        version: 1,
        expires: NOW + 100,
        root: role(&[1], 1),
        job: role(&[11], 1),
        update: role(&[21, 22, 23], 2),
        revoked: BTreeSet::from([pair(23).fingerprint()]),
    }
}

fn root() -> TrustedRoot {
    let signed = document().sign(&[&pair(1)]);
    TrustedRoot::enrol(&signed, &pair(1).fingerprint()).expect("trusted")
}

fn version(text: &str) -> ReleaseVersion {
    ReleaseVersion::read(text).expect("a version")
}

fn release(text: &str) -> RunnerRelease {
    RunnerRelease {
        version: version(text),
        minimum: version("1.0.0"),
        architecture: "aarch64".to_owned(),
        bytes: PROGRAM.len() as u64,
        sha256: Sha256Hex::digest(PROGRAM),
        expires: NOW + 50,
    }
}

#[test]
fn enough_update_keys_sign_and_no_others_count() {
    let good = release("1.2.0");
    let by = |seeds: &[u8]| {
        let pairs: Vec<_> = seeds.iter().map(|seed| pair(*seed)).collect();
        let keys: Vec<_> = pairs.iter().collect();
        RunnerRelease::verified(&good.sign(&keys), &root())
    };
    assert_eq!(by(&[21, 22]), Ok(good.clone()));
    // One alone, one twice, the revoked one, the keys of jobs and roots.
    for few in [
        &[21][..],
        &[21, 21],
        &[21, 23],
        &[11, 21],
        &[1, 21],
        &[21, 22, 99],
    ] {
        assert!(by(few).is_err(), "{few:?}");
    }
    let body = strict::write(&good);
    let other = SignedEnvelope::sign(
        "application/vnd.jarvis.job+json",
        &body,
        &[&pair(21), &pair(22)],
    );
    let refused = RunnerRelease::verified(&strict::write(&other), &root());
    assert_eq!(
        refused,
        Err(ReleaseRefusal::Envelope(EnvelopeRefusal::Type))
    );
}

#[test]
fn each_changed_byte_of_an_envelope_is_refused() {
    let good = release("1.2.0").sign(&[&pair(21), &pair(22)]);
    let root = root();
    assert!(RunnerRelease::verified(&good, &root).is_ok());
    for at in 0..good.len() {
        let mut bad = good.clone();
        bad[at] ^= 1;
        assert!(RunnerRelease::verified(&bad, &root).is_err(), "byte {at}");
    }
    for end in [0, 1, good.len() / 2, good.len() - 1] {
        let cut = RunnerRelease::verified(&good[..end], &root);
        assert!(cut.is_err(), "cut at {end}");
    }
}

#[test]
fn impossible_figures_are_refused_even_if_they_are_signed() {
    for change in [
        &(|it: &mut RunnerRelease| it.minimum = version("1.2.1")) as &dyn Fn(&mut RunnerRelease),
        &|it| it.bytes = 0,
        &|it| it.bytes = MAX_PROGRAM + 1,
    ] {
        let mut bad = release("1.2.0");
        change(&mut bad);
        let signed = bad.sign(&[&pair(21), &pair(22)]);
        let refused = RunnerRelease::verified(&signed, &root());
        assert_eq!(refused, Err(ReleaseRefusal::Impossible));
    }
}

#[test]
fn a_device_goes_up_and_never_down() {
    let admit = |text: &str, minimum: &str, architecture: &str, now: u64| {
        let installed = InstalledRunner {
            version: version("1.9.9"),
            minimum: version(minimum),
            architecture,
        };
        release(text).admit(&installed, &root(), now)
    };
    assert_eq!(admit("1.10.0", "1.0.0", "aarch64", NOW), Ok(()));
    for old in ["1.9.9", "1.9.8", "0.99.99"] {
        let refused = admit(old, "1.0.0", "aarch64", NOW);
        let expected = ReleaseRefusal::NotNewer {
            release: version(old),
            installed: version("1.9.9"),
        };
        assert_eq!(refused, Err(expected), "{old}");
    }
    // After it went back to an older program, what was withdrawn stays withdrawn.
    assert!(matches!(
        admit("1.10.0", "1.10.1", "aarch64", NOW),
        Err(ReleaseRefusal::BelowMinimum { .. })
    ));
    assert!(matches!(
        admit("1.10.0", "1.0.0", "x86_64", NOW),
        Err(ReleaseRefusal::Architecture { .. })
    ));
    let late = admit("1.10.0", "1.0.0", "aarch64", NOW + 50);
    assert_eq!(late, Err(ReleaseRefusal::Expired));
    let late = admit("1.10.0", "1.0.0", "aarch64", NOW + 100);
    assert_eq!(late, Err(ReleaseRefusal::RootExpired));
}

#[test]
fn a_program_is_whole_or_refused() {
    let release = release("1.2.0");
    assert_eq!(release.check_program(PROGRAM), Ok(()));
    for bad in [&b""[..], b"a progra", b"a program!", b"a prograM"] {
        assert_eq!(release.check_program(bad), Err(ReleaseRefusal::Bytes));
    }
}

#[test]
fn a_version_has_one_spelling() {
    assert_eq!(version("1.10.2"), ReleaseVersion([1, 10, 2]));
    assert!(version("1.10.0") > version("1.9.9"));
    for bad in [
        "",
        "1.2",
        "1.2.3.4",
        "01.2.3",
        "1.2.+3",
        "1.2.x",
        "1.2.3 ",
        "4294967296.0.0",
    ] {
        assert_eq!(ReleaseVersion::read(bad), Err(ReleaseRefusal::Version));
    }
}
