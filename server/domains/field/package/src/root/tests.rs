//! Enrolment and rotation of root documents, each with what is refused.

use std::collections::BTreeSet;

use super::{ROOT_TYPE, RoleKeys, RootDocument, RootRefusal, TrustedRoot};
use crate::{
    envelope::{EnvelopeRefusal, SignedEnvelope},
    keys::SigningPair,
    strict,
};

fn pair(seed: u8) -> SigningPair {
    SigningPair::from_seed(&[seed; 32])
}

fn role(seeds: &[u8], threshold: usize) -> RoleKeys {
    let keys = seeds
        .iter()
        .map(|seed| pair(*seed).public().expect("a key").to_hex());
    RoleKeys {
        keys: keys.collect(),
        threshold,
    }
}

fn document(version: u64, root: RoleKeys) -> RootDocument {
    RootDocument {
        version,
        expires: 2_000_000_000,
        root,
        job: role(&[11, 12], 1),
        update: role(&[21], 1),
        revoked: BTreeSet::new(),
    }
}

fn enrolled() -> TrustedRoot {
    let first = document(1, role(&[1, 2], 2));
    let bytes = first.sign(&[&pair(1), &pair(2)]);
    TrustedRoot::enrol(&bytes, &pair(1).fingerprint()).expect("enrolled")
}

#[test]
fn enrolment_trusts_the_key_of_the_token_alone() {
    let first = document(1, role(&[1, 2], 2));
    let good = first.sign(&[&pair(1), &pair(2)]);
    assert!(TrustedRoot::enrol(&good, &pair(2).fingerprint()).is_ok());
    assert_eq!(
        TrustedRoot::enrol(&good, &pair(3).fingerprint()),
        Err(RootRefusal::Unknown)
    );
    // Somebody else's document that names the right key, without its signature.
    let forged = document(1, role(&[1, 7], 1)).sign(&[&pair(7)]);
    assert_eq!(
        TrustedRoot::enrol(&forged, &pair(1).fingerprint()),
        Err(RootRefusal::Unknown)
    );
    let few = first.sign(&[&pair(1)]);
    let refusal = TrustedRoot::enrol(&few, &pair(1).fingerprint());
    assert!(matches!(
        refusal,
        Err(RootRefusal::Envelope(EnvelopeRefusal::Threshold { .. }))
    ));
}

#[test]
fn the_next_version_needs_enough_keys_of_both() {
    let root = enrolled();
    let next = document(2, role(&[3, 4], 2));
    let all = [pair(1), pair(2), pair(3), pair(4)];
    let by = |seeds: &[usize]| {
        let keys: Vec<_> = seeds.iter().map(|at| &all[*at]).collect();
        root.rotate(&next.sign(&keys))
    };
    let rotated = by(&[0, 1, 2, 3]).expect("rotated");
    assert_eq!(rotated.version(), 2);
    for few in [&[0, 1][..], &[2, 3], &[0, 2, 3], &[0, 1, 2], &[0], &[]] {
        assert!(by(few).is_err(), "{few:?}");
    }
    // From here the old keys have no say.
    let third = document(3, role(&[1, 2], 2));
    assert!(rotated.rotate(&third.sign(&[&pair(1), &pair(2)])).is_err());
    let back = third.sign(&[&pair(1), &pair(2), &pair(3), &pair(4)]);
    assert_eq!(rotated.rotate(&back).expect("rotated").version(), 3);
}

#[test]
fn versions_go_up_one_by_one() {
    let root = enrolled();
    let signed = |version| document(version, role(&[1, 2], 2)).sign(&[&pair(1), &pair(2)]);
    let second = root.rotate(&signed(2)).expect("rotated");
    assert_eq!(second.rotate(&signed(2)), Err(RootRefusal::RolledBack));
    assert_eq!(second.rotate(&signed(1)), Err(RootRefusal::RolledBack));
    assert_eq!(second.rotate(&signed(4)), Err(RootRefusal::Gap));
    assert_eq!(second.rotate(&signed(u64::MAX)), Err(RootRefusal::Gap));
}

#[test]
fn a_revoked_key_counts_for_nothing_and_stays_revoked() {
    let root = enrolled();
    let mut second = document(2, role(&[1, 2, 3], 2));
    second.revoked.insert(pair(1).fingerprint());
    second.revoked.insert(pair(11).fingerprint());
    // Key 1 still counts as one of the old version, and not as one of the new.
    let few = root.rotate(&second.sign(&[&pair(1), &pair(2)]));
    assert!(matches!(
        few,
        Err(RootRefusal::Envelope(EnvelopeRefusal::Threshold { .. }))
    ));
    let second = root
        .rotate(&second.sign(&[&pair(1), &pair(2), &pair(3)]))
        .expect("rotated");
    let job: Vec<_> = second
        .job_keys()
        .iter()
        .map(|key| key.fingerprint())
        .collect();
    assert_eq!(job, [pair(12).fingerprint()]);
    let restored = document(3, role(&[2, 3], 2)).sign(&[&pair(2), &pair(3)]);
    assert_eq!(second.rotate(&restored), Err(RootRefusal::Restored));
}

#[test]
fn keys_and_thresholds_must_be_possible() {
    let signed = |document: &RootDocument| {
        TrustedRoot::enrol(&document.sign(&[&pair(1)]), &pair(1).fingerprint())
    };
    let good = document(1, role(&[1], 1));
    assert!(signed(&good).is_ok());
    for (name, change) in [
        (
            "root",
            &(|it: &mut RootDocument| it.root.threshold = 0) as &dyn Fn(&mut RootDocument),
        ),
        ("root", &|it| it.root.threshold = 2),
        ("job", &|it| it.job.threshold = 3),
        ("job", &|it| it.job.keys.clear()),
        ("job", &|it| _ = it.job.keys.insert("00".repeat(32))),
        ("job", &|it| _ = it.job.keys.insert("xy".repeat(32))),
        ("update", &|it| it.update.threshold = 0),
        ("update", &|it| {
            _ = it.revoked.insert(pair(21).fingerprint())
        }),
    ] {
        let mut bad = good.clone();
        change(&mut bad);
        assert_eq!(signed(&bad), Err(RootRefusal::Keys { role: name }));
    }
}

#[test]
fn another_document_is_no_root() {
    let good = document(1, role(&[1], 1));
    let key = pair(1).fingerprint();
    let body = strict::write(&good);
    let other = SignedEnvelope::sign("application/vnd.jarvis.job+json", &body, &[&pair(1)]);
    let refusal = TrustedRoot::enrol(&strict::write(&other), &key);
    assert_eq!(refusal, Err(RootRefusal::Envelope(EnvelopeRefusal::Type)));
    let text = String::from_utf8(body).expect("text");
    for changed in [
        text.replace("\"version\":1", "\"version\":1,\"version\":1"),
        text.replace("\"version\":1", "\"version\":1.0"),
        text.replace("\"version\":1", "\"version\":1,\"admin\":true"),
        text.replace(",\"revoked\":[]", ""),
        format!("{text} "),
    ] {
        assert_ne!(changed, text);
        let envelope = SignedEnvelope::sign(ROOT_TYPE, changed.as_bytes(), &[&pair(1)]);
        let refusal = TrustedRoot::enrol(&strict::write(&envelope), &key);
        assert!(matches!(refusal, Err(RootRefusal::Form(_))), "{changed}");
    }
}
