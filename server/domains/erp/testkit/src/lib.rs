#![doc = include_str!("../README.md")]
#![expect(
    clippy::unwrap_used,
    reason = "a fixture that is used wrongly ends its test"
)]

mod made_documents;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use async_trait::async_trait;
use erp::{ErpAccount, PersonKey, PersonKeyChange, PersonKeys, PersonKeysError};

pub use made_documents::{MemoryMadeDocuments, makers_contract};

/// The secret of the keys below.
pub const SECRET: &str = "the-secret-of-a-person";
/// A site.
pub const SITE: &str = "https://erp.example.org/";

/// Two people.
pub const ANN: &str = "usr_ann";
pub const BOB: &str = "usr_bob";

/// A key that was entered at this time.
pub fn entered(at: i64) -> PersonKeyChange {
    let account = ErpAccount {
        user: format!("ann{at}@example.org"),
        full_name: (at % 2 == 0).then(|| "Ann".to_owned()),
    };
    PersonKeyChange {
        at_ms: at,
        key: Some(PersonKey::new(&format!("key{at}"), SECRET, account)),
    }
}

/// A key that was removed at this time.
pub fn removed(at: i64) -> PersonKeyChange {
    PersonKeyChange {
        at_ms: at,
        key: None,
    }
}

/// Keys in memory. Clones are the same.
#[derive(Clone, Default)]
pub struct MemoryPersonKeys(Arc<Mutex<MemoryKeysState>>);

#[derive(Default)]
struct MemoryKeysState {
    changes: HashMap<(String, String), PersonKeyChange>,
    is_lost: bool,
}

impl MemoryPersonKeys {
    /// As if the key file were lost, or were there again.
    pub fn lose(&self, is_lost: bool) {
        self.0.lock().unwrap().is_lost = is_lost;
    }
}

#[async_trait]
impl PersonKeys for MemoryPersonKeys {
    async fn find(
        &self,
        person: &str,
        site: &str,
    ) -> Result<Option<PersonKeyChange>, PersonKeysError> {
        let state = self.0.lock().unwrap();
        let found = state
            .changes
            .get(&(person.to_owned(), site.to_owned()))
            .cloned();
        match found {
            Some(change) if state.is_lost && change.key.is_some() => Err(PersonKeysError::Lost),
            found => Ok(found),
        }
    }

    async fn put(
        &self,
        person: &str,
        site: &str,
        change: &PersonKeyChange,
    ) -> Result<(), PersonKeysError> {
        let mut state = self.0.lock().unwrap();
        let place = (person.to_owned(), site.to_owned());
        state.changes.insert(place, change.clone());
        Ok(())
    }
}

/// The contract of a store of keys, on one without any.
pub async fn contract(keys: Arc<dyn PersonKeys>) {
    let find = |person, site| keys.find(person, site);
    assert_eq!(find(ANN, SITE).await, Ok(None));
    for change in [entered(1), entered(2), removed(3), entered(4)] {
        keys.put(ANN, SITE, &change).await.unwrap();
        assert_eq!(find(ANN, SITE).await, Ok(Some(change)));
        // A key is one person's, for one site.
        assert_eq!(find(BOB, SITE).await, Ok(None));
        assert_eq!(find(ANN, "https://erp.example.com/").await, Ok(None));
    }
    keys.put(BOB, SITE, &entered(5)).await.unwrap();
    assert_eq!(find(ANN, SITE).await, Ok(Some(entered(4))));
}
