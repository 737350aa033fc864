//! Root documents of servers that are set back, guessed or forged: the device stays where it is.

use std::collections::BTreeSet;

use field_package::{
    envelope::EnvelopeRefusal,
    keys::SigningPair,
    root::{RoleKeys, RootDocument, RootRefusal},
};

use super::*;

fn pair(seed: u8) -> SigningPair {
    SigningPair::from_seed(&[seed; 32])
}

fn role(seeds: &[u8], threshold: usize) -> RoleKeys {
    let keys = seeds.iter().map(|seed| pair(*seed).public());
    RoleKeys {
        keys: keys.map(|key| key.unwrap().to_hex()).collect(),
        threshold,
    }
}

fn signed(version: u64, root: &RoleKeys, signers: &[u8]) -> Vec<u8> {
    let document = RootDocument {
        version,
        expires: 2_000_000_000,
        root: root.clone(),
        job: role(&[11], 1),
        update: role(&[21], 1),
        revoked: BTreeSet::new(),
    };
    let pairs: Vec<_> = signers.iter().map(|seed| pair(*seed)).collect();
    document.sign(&pairs.iter().collect::<Vec<_>>())
}

/// A device that enrolled with version 1 of the keys 1 and 2, both of which sign.
struct ChainFolder(tempfile::TempDir);

impl ChainFolder {
    fn enrolled() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let first = signed(1, &role(&[1, 2], 2), &[1, 2]);
        files::replace(&folder.path().join(FIRST_FILE), &first, 0o644).unwrap();
        Self(folder)
    }

    fn started(&self) -> Result<RootChain, RunnerError> {
        RootChain::load(self.0.path(), self.0.path(), &pair(1).fingerprint())
    }
}

#[test]
fn a_device_goes_on_step_by_step_and_never_back() {
    let device = ChainFolder::enrolled();
    let mut chain = device.started().unwrap();
    let (old, new) = (role(&[1, 2], 2), role(&[3, 4], 2));
    let second = signed(2, &new, &[1, 2, 3, 4]);
    for (name, envelope) in [
        ("too few of the old", signed(2, &new, &[1, 3, 4])),
        ("too few of the new", signed(2, &new, &[1, 2, 3])),
        ("the new alone", signed(2, &new, &[3, 4])),
        ("a foreign key", signed(2, &new, &[1, 2, 3, 4, 9])),
        ("a job key", signed(2, &new, &[1, 2, 3, 11])),
        ("a gap", signed(3, &new, &[1, 2, 3, 4])),
        ("the same", signed(1, &old, &[1, 2])),
        ("half of it", second[..second.len() / 2].to_vec()),
    ] {
        let refused = chain.add(&envelope);
        assert!(matches!(refused, Err(RunnerError::Root(_))), "{name}");
        assert_eq!(chain.newest().version(), 1, "{name}");
        assert_eq!(device.started().unwrap().newest().version(), 1, "{name}");
    }
    chain.add(&second).unwrap();
    let mut chain = device.started().unwrap();
    assert_eq!(chain.newest().version(), 2);
    // The old holders cannot take it back, and their documents are not replayed.
    for (name, envelope) in [
        ("replayed", second),
        ("the first", signed(1, &old, &[1, 2])),
        ("by the old", signed(3, &old, &[1, 2])),
    ] {
        let refused = chain.add(&envelope);
        assert!(matches!(refused, Err(RunnerError::Root(_))), "{name}");
    }
    let third = signed(3, &new, &[3, 4]);
    chain.add(&third).unwrap();
    assert_eq!(device.started().unwrap().newest().version(), 3);
}

#[test]
fn a_forged_file_of_the_chain_stops_the_device() {
    let device = ChainFolder::enrolled();
    let mut chain = device.started().unwrap();
    let new = role(&[3], 1);
    chain.add(&signed(2, &new, &[1, 2, 3])).unwrap();
    let forged = signed(2, &role(&[9], 1), &[9]);
    let file = device.0.path().join("roots").join("2");
    files::replace(&file, &forged, 0o600).unwrap();
    let refused = device.started().unwrap_err();
    let is_too_few = matches!(
        refused,
        RunnerError::Root(RootRefusal::Envelope(EnvelopeRefusal::Threshold { .. }))
    );
    assert!(is_too_few, "{refused}");
}
