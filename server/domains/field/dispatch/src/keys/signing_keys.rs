//! The keys that sign, as the root documents have named them: since when, and until when.

use field_package::ids::Fingerprint;
use field_package::keys::PublicSigningKey;
use field_package::root::RootDocument;

/// Role of a key that signs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SigningRole {
    Root,
    /// Signs packages.
    Job,
    /// Signs versions of the runner.
    Update,
}

/// A key that signs. Times are seconds since 1970.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SigningKeyState {
    pub role: SigningRole,
    pub fingerprint: Fingerprint,
    /// The first document that names it was signed then.
    pub since_s: u64,
    /// The first document that revokes it was signed then.
    pub revoked_s: Option<u64>,
}

/// The keys of these documents, oldest first, each with the second at which it was signed.
pub(super) fn keys_of(documents: &[(u64, RootDocument)]) -> Vec<SigningKeyState> {
    let mut keys: Vec<SigningKeyState> = Vec::new();
    for (signed, document) in documents {
        for (role, named) in [
            (SigningRole::Root, &document.root),
            (SigningRole::Job, &document.job),
            (SigningRole::Update, &document.update),
        ] {
            // Keys of a verified document can be read.
            let named = named.keys.iter();
            let named = named.filter_map(|key| PublicSigningKey::from_hex(key).ok());
            for fingerprint in named.map(|key| key.fingerprint()) {
                let is_known =
                    |it: &SigningKeyState| it.role == role && it.fingerprint == fingerprint;
                if !keys.iter().any(is_known) {
                    keys.push(SigningKeyState {
                        role,
                        fingerprint,
                        since_s: *signed,
                        revoked_s: None,
                    });
                }
            }
        }
        for key in &mut keys {
            if key.revoked_s.is_none() && document.revoked.contains(&key.fingerprint) {
                key.revoked_s = Some(*signed);
            }
        }
    }
    keys
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use field_package::keys::SigningPair;
    use field_package::root::RoleKeys;

    use super::*;

    #[test]
    fn a_key_counts_from_its_first_document_until_the_one_that_revokes_it() {
        let [root, old, new, update] = [1, 2, 3, 4].map(|it| SigningPair::from_seed(&[it; 32]));
        let one = |pair: &SigningPair| RoleKeys {
            keys: BTreeSet::from([pair.public().expect("a key").to_hex()]),
            threshold: 1,
        };
        let first = RootDocument {
            version: 1,
            expires: 0,
            root: one(&root),
            job: one(&old),
            update: one(&update),
            revoked: BTreeSet::new(),
        };
        let second = RootDocument {
            version: 2,
            job: one(&new),
            revoked: BTreeSet::from([old.fingerprint()]),
            ..first.clone()
        };
        let keys = keys_of(&[(100, first), (250, second)]);
        let found: Vec<_> = keys
            .iter()
            .map(|it| (it.role, it.fingerprint.clone(), it.since_s, it.revoked_s))
            .collect();
        let expected = vec![
            (SigningRole::Root, root.fingerprint(), 100, None),
            (SigningRole::Job, old.fingerprint(), 100, Some(250)),
            (SigningRole::Update, update.fingerprint(), 100, None),
            (SigningRole::Job, new.fingerprint(), 250, None),
        ];
        assert_eq!(found, expected);
    }
}
