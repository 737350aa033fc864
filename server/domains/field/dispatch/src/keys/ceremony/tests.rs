//! Root keys that change hands, and every document that devices would refuse.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use field_package::envelope::EnvelopeRefusal;
use field_package::root::{RootRefusal, TrustedRoot};

use super::super::ServerKeys;
use super::*;

const NOW: u64 = 1_790_000_000;

/// A server that was started once, and a desk where key holders meet.
struct Ceremony {
    data: tempfile::TempDir,
    desk: tempfile::TempDir,
}

impl Ceremony {
    fn open() -> Self {
        let data = tempfile::tempdir().unwrap();
        let closed = fs::Permissions::from_mode(0o700);
        fs::set_permissions(data.path(), closed).unwrap();
        ServerKeys::open(data.path(), false, NOW).unwrap();
        let desk = tempfile::tempdir().unwrap();
        Self { data, desk }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.desk.path().join(name)
    }

    /// Makes the key of a holder.
    fn key(&self, name: &str) -> PublicSigningKey {
        make_signing_key(&self.at(name)).unwrap()
    }

    fn draft(&self, order: &RootOrder, name: &str) -> RootDraft {
        draft_root(self.data.path(), order, &self.at(name), NOW).unwrap()
    }

    fn sign(&self, draft: &str, key: &str) -> Result<RootDraft, KeyError> {
        let digest = read_draft(&self.at(draft)).unwrap().digest();
        sign_draft(&self.at(draft), &self.at(key), &digest)
    }

    fn publish(&self, draft: &str) -> Result<RootDocument, KeyError> {
        publish_root(self.data.path(), &self.at(draft), NOW)
    }

    fn server(&self) -> ServerKeys {
        ServerKeys::open(self.data.path(), true, NOW).unwrap()
    }
}

fn order(keys: &[&PublicSigningKey], threshold: usize) -> RootOrder {
    RootOrder {
        keys: keys.iter().map(|key| key.to_hex()).collect(),
        threshold: Some(threshold),
        revoked: BTreeSet::new(),
    }
}

fn refusal(refused: Result<RootDocument, KeyError>) -> RootRefusal {
    match refused.unwrap_err() {
        KeyError::Document(refusal) => refusal,
        other => panic!("{other}"),
    }
}

#[test]
fn two_holders_take_the_root_over_from_the_servers_key() {
    let ceremony = Ceremony::open();
    let first = ceremony.server();
    let old = first.roots.root_key().clone();
    let device = TrustedRoot::enrol(first.roots.envelope(1).unwrap(), &old).unwrap();
    let (ann, bob) = (ceremony.key("ann"), ceremony.key("bob"));
    let both = order(&[&ann, &bob], 2);
    let draft = ceremony.draft(&both, "next.json");
    assert_eq!(draft.named_signers(), BTreeSet::from([old.clone()]));
    // Each step on the way: too few have signed, and nothing was written.
    for key in ["ann", "bob"] {
        let few = refusal(ceremony.publish("next.json"));
        let few = matches!(
            few,
            RootRefusal::Envelope(EnvelopeRefusal::Threshold { .. })
        );
        assert!(few, "before {key}");
        assert_eq!(ceremony.server().summary().version, 1);
        ceremony.sign("next.json", key).unwrap();
    }
    assert_eq!(ceremony.publish("next.json").unwrap().version, 2);
    let server = ceremony.server();
    let next = device.rotate(server.roots.envelope(2).unwrap()).unwrap();
    assert_eq!(next.root_keys().len(), 2);
    // Tokens name a key that signed, and a device that enrols takes the document by it.
    let token = server.roots.root_key();
    assert_ne!(*token, old);
    let enrolled = TrustedRoot::enrol(&server.roots.for_enrolment().unwrap(), token);
    assert_eq!(enrolled.unwrap(), next);
    // The server's own key has no say from here on, and spoils no draft.
    let draft = ceremony.draft(&RootOrder::default(), "third.json");
    assert!(draft.named_signers().is_empty());
    ceremony.sign("third.json", "ann").unwrap();
    ceremony.sign("third.json", "bob").unwrap();
    assert_eq!(ceremony.publish("third.json").unwrap().version, 3);
}

#[test]
fn what_devices_would_refuse_is_not_published() {
    let ceremony = Ceremony::open();
    ceremony.key("stranger");
    // Two drafts of version 2: the second is no next version once the first is published.
    ceremony.draft(&RootOrder::default(), "a.json");
    ceremony.draft(&RootOrder::default(), "b.json");
    ceremony.publish("a.json").unwrap();
    assert_eq!(refusal(ceremony.publish("a.json")), RootRefusal::RolledBack);
    assert_eq!(refusal(ceremony.publish("b.json")), RootRefusal::RolledBack);
    // A foreign signature, a gap and a document that has expired.
    ceremony.draft(&RootOrder::default(), "c.json");
    ceremony.sign("c.json", "stranger").unwrap();
    assert!(matches!(
        refusal(ceremony.publish("c.json")),
        RootRefusal::Envelope(EnvelopeRefusal::UnknownKey { .. })
    ));
    let key = ceremony.data.path().join(FOLDER).join("root.key");
    let [seed] = file::read(&key).unwrap();
    let root = SigningPair::from_seed(&seed);
    let newest = root_documents(ceremony.data.path()).unwrap().pop().unwrap();
    let signed = |name: &str, document: &RootDocument| {
        fs::write(ceremony.at(name), document.sign(&[&root])).unwrap();
        ceremony.publish(name)
    };
    let gap = RootDocument {
        version: 4,
        ..newest.clone()
    };
    assert_eq!(refusal(signed("gap.json", &gap)), RootRefusal::Gap);
    let expired = RootDocument {
        version: 3,
        expires: NOW,
        ..newest.clone()
    };
    let refused = signed("expired.json", &expired).unwrap_err();
    assert!(matches!(refused, KeyError::RootExpired), "{refused}");
    // One that the server itself could not go on with.
    let other = RootDocument {
        version: 3,
        job: newest.update.clone(),
        ..newest
    };
    let refused = signed("other.json", &other).unwrap_err();
    assert!(matches!(refused, KeyError::NotTrusted), "{refused}");
    assert_eq!(ceremony.server().summary().version, 2);
}

#[test]
fn a_holder_signs_the_document_with_the_digest_that_was_named() {
    let ceremony = Ceremony::open();
    let (ann, eve) = (ceremony.key("ann"), ceremony.key("eve"));
    let honest = ceremony.draft(&order(&[&ann], 1), "next.json");
    let swapped = ceremony.draft(&order(&[&eve], 1), "swapped.json");
    fs::copy(ceremony.at("swapped.json"), ceremony.at("next.json")).unwrap();
    let refused = sign_draft(
        &ceremony.at("next.json"),
        &ceremony.at("ann"),
        &honest.digest(),
    );
    let found = match refused.unwrap_err() {
        KeyError::OtherDigest { found } => found,
        other => panic!("{other}"),
    };
    assert_eq!(found, swapped.digest());
    assert!(
        make_signing_key(&ceremony.at("ann")).is_err(),
        "no key is replaced"
    );
    fs::set_permissions(ceremony.at("ann"), fs::Permissions::from_mode(0o644)).unwrap();
    let refused = ceremony.sign("next.json", "ann").unwrap_err();
    assert!(matches!(refused, KeyError::OpenToOthers(_)), "{refused}");
}

#[test]
fn files_beside_a_chosen_path_stay_as_they_are() {
    let ceremony = Ceremony::open();
    let others = ["ann.new", "next.json.part", "a.new.jarvis-new"];
    for other in others {
        fs::write(ceremony.at(other), other).unwrap();
    }
    ceremony.key("ann.key");
    ceremony.key("b.new");
    assert!(make_signing_key(&ceremony.at("a.new")).is_err());
    assert!(!ceremony.at("a.new").exists());
    ceremony.draft(&RootOrder::default(), "next.json");
    let unsigned = fs::read(ceremony.at("next.json")).unwrap();
    let part = ceremony.at("next.json.jarvis-new");
    fs::write(&part, "of a person").unwrap();
    assert!(ceremony.sign("next.json", "ann.key").is_err());
    assert_eq!(fs::read(ceremony.at("next.json")).unwrap(), unsigned);
    assert_eq!(fs::read(&part).unwrap(), b"of a person");
    fs::remove_file(&part).unwrap();
    ceremony.sign("next.json", "ann.key").unwrap();
    assert!(!part.exists());
    for other in others {
        assert_eq!(fs::read_to_string(ceremony.at(other)).unwrap(), other);
    }
}

#[test]
fn a_folder_without_a_server_is_left_as_it_is() {
    let data = tempfile::tempdir().unwrap();
    fs::set_permissions(data.path(), fs::Permissions::from_mode(0o700)).unwrap();
    let refused = root_documents(data.path()).unwrap_err();
    assert!(matches!(refused, KeyError::NoRoots(_)), "{refused}");
    assert_eq!(fs::read_dir(data.path()).unwrap().count(), 0);
}
