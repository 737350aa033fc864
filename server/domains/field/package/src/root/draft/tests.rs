//! Drafts that several people sign, each with what devices refuse.

use std::collections::BTreeSet;

use super::*;
use crate::keys::PublicSigningKey;

const EXPIRES: u64 = 2_000_000_000;

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

fn trusted(root: RoleKeys, signers: &[u8]) -> TrustedRoot {
    let document = RootDocument {
        version: 1,
        expires: EXPIRES,
        root,
        job: role(&[11], 1),
        update: role(&[21], 1),
        revoked: BTreeSet::new(),
    };
    let pairs: Vec<_> = signers.iter().map(|seed| pair(*seed)).collect();
    let keys: Vec<_> = pairs.iter().collect();
    let first = keys.first().expect("a signer").fingerprint();
    TrustedRoot::enrol(&document.sign(&keys), &first).expect("trusted")
}

fn change(root: RoleKeys) -> RootChange {
    RootChange {
        root: Some(root),
        revoked: BTreeSet::new(),
        expires: EXPIRES + 1,
    }
}

#[test]
fn a_draft_is_signed_by_one_after_the_other_and_taken_once_all_have() {
    let before = trusted(role(&[1, 2, 3], 2), &[1, 2]);
    let draft = RootDraft::after(&before, &change(role(&[3, 4], 2))).expect("a draft");
    let digest = draft.digest();
    let mut file = draft.write();
    // Key 3 counts for both versions, 1 for the old one, 4 for the new one.
    for (seed, enough) in [(3, false), (1, false), (4, true)] {
        let mut travelled = RootDraft::read(&file).expect("a draft");
        assert_eq!(travelled.digest(), digest);
        travelled.sign(&pair(seed)).expect("signed");
        file = travelled.write();
        assert_eq!(before.rotate(&file).is_ok(), enough, "after key {seed}");
    }
    let next = before.rotate(&file).expect("rotated");
    assert_eq!((next.version(), next.expires()), (2, EXPIRES + 1));
    let keys = next.root_keys().iter().map(PublicSigningKey::fingerprint);
    let expected = [pair(3).fingerprint(), pair(4).fingerprint()];
    assert_eq!(keys.collect::<BTreeSet<_>>(), BTreeSet::from(expected));
}

#[test]
fn a_key_signs_once_and_a_foreign_one_spoils_the_document() {
    let before = trusted(role(&[1, 2], 2), &[1, 2]);
    let mut draft = RootDraft::after(&before, &RootChange::default()).expect("a draft");
    draft.sign(&pair(1)).expect("signed");
    let again = draft.sign(&pair(1));
    assert_eq!(again, Err(RootRefusal::Envelope(EnvelopeRefusal::Repeated)));
    let mut foreign = draft.clone();
    foreign.sign(&pair(7)).expect("signed");
    let refused = before.rotate(&foreign.write());
    let unknown = EnvelopeRefusal::UnknownKey {
        key: pair(7).fingerprint(),
    };
    assert_eq!(refused, Err(RootRefusal::Envelope(unknown)));
    draft.sign(&pair(2)).expect("signed");
    assert!(before.rotate(&draft.write()).is_ok());
}

#[test]
fn a_draft_that_was_changed_after_a_signature_is_refused() {
    let before = trusted(role(&[1, 2], 2), &[1, 2]);
    let mut honest = RootDraft::after(&before, &RootChange::default()).expect("a draft");
    honest.sign(&pair(1)).expect("signed");
    // The second holder swaps the keys under the signature of the first.
    let mine = RootDraft::after(&before, &change(role(&[2], 1))).expect("a draft");
    assert_ne!(honest.digest(), mine.digest());
    let mut envelope = serde_json::to_value(&honest.envelope).expect("an envelope");
    let other = serde_json::to_value(&mine.envelope).expect("an envelope");
    envelope["payload"] = other["payload"].clone();
    let mut forged = RootDraft::read(envelope.to_string().as_bytes()).expect("a draft");
    forged.sign(&pair(2)).expect("signed");
    let refused = before.rotate(&forged.write());
    assert_eq!(
        refused,
        Err(RootRefusal::Envelope(EnvelopeRefusal::Signature))
    );
    envelope["payloadType"] = "application/vnd.jarvis.job+json".into();
    let refused = RootDraft::read(envelope.to_string().as_bytes());
    assert_eq!(refused, Err(RootRefusal::Envelope(EnvelopeRefusal::Type)));
}

#[test]
fn what_could_never_be_signed_is_not_drafted() {
    let before = trusted(role(&[1, 2, 3, 4, 5], 5), &[1, 2, 3, 4, 5]);
    let refused = |change: &RootChange| RootDraft::after(&before, change).err();
    let many = change(role(&[31, 32, 33, 34], 4));
    let signatures = RootRefusal::Envelope(EnvelopeRefusal::Signatures);
    assert_eq!(refused(&many), Some(signatures));
    assert_eq!(refused(&change(role(&[1, 31, 32, 33], 4))), None);
    for bad in [role(&[31], 2), role(&[31], 0), role(&[], 1)] {
        let refused = refused(&change(bad));
        assert_eq!(refused, Some(RootRefusal::Keys { role: "root" }));
    }
    let mut revoking = change(role(&[31, 32], 2));
    revoking.revoked.insert(pair(32).fingerprint());
    let keys = Some(RootRefusal::Keys { role: "root" });
    assert_eq!(refused(&revoking), keys);
}

#[test]
fn who_enrols_after_a_change_of_hands_trusts_the_new_keys_alone() {
    let before = trusted(role(&[1], 1), &[1]);
    let mut draft = RootDraft::after(&before, &change(role(&[2], 1))).expect("a draft");
    draft.sign(&pair(1)).expect("signed");
    draft.sign(&pair(2)).expect("signed");
    let next = before.rotate(&draft.write()).expect("rotated");
    // A device that knows nothing of key 1 cannot check its signature, and takes none that it cannot.
    let whole = TrustedRoot::enrol(&draft.write(), &pair(2).fingerprint());
    assert!(whole.is_err());
    let own = next.for_enrolment(&draft.write()).expect("an envelope");
    let enrolled = TrustedRoot::enrol(&own, &pair(2).fingerprint()).expect("enrolled");
    assert_eq!(enrolled, next);
    let old = TrustedRoot::enrol(&own, &pair(1).fingerprint());
    assert_eq!(old, Err(RootRefusal::Unknown));
    // It does not stand for the step from the version before.
    assert!(before.rotate(&own).is_err());
}
