//! The own keys of people for the ERP, as the settings ask for them.

use std::sync::Arc;

use async_trait::async_trait;
use erp::{ErpAccount, ErpOwnKeys, PersonKey};
use protocol::{ErrorBody, Timestamp, UserId};

use super::texts;
use crate::own_keys::{OwnAccount, OwnKeyInput, OwnKeyWords, OwnKeys};

const FIELDS: &[OwnKeyInput] = &[
    OwnKeyInput {
        name: "api_key",
        label: texts::API_KEY,
        is_secret: false,
    },
    OwnKeyInput {
        name: "api_secret",
        label: texts::API_SECRET,
        is_secret: true,
    },
];

pub(super) fn of(keys: ErpOwnKeys) -> Arc<dyn OwnKeys> {
    Arc::new(ErpKeys(keys))
}

struct ErpKeys(ErpOwnKeys);

/// Key and secret, in the order of the fields.
fn pair(values: &[String]) -> (&str, &str) {
    let at = |index: usize| values.get(index).map(String::as_str).unwrap_or_default();
    (at(0), at(1))
}

fn account(of: ErpAccount) -> OwnAccount {
    OwnAccount {
        user: of.user,
        full_name: of.full_name,
    }
}

#[async_trait]
impl OwnKeys for ErpKeys {
    fn words(&self) -> OwnKeyWords {
        OwnKeyWords {
            lead: texts::OWN_KEY_LEAD,
            help: texts::OWN_KEY_HELP,
            fields: FIELDS,
        }
    }

    async fn account(&self, person: UserId) -> Result<Option<OwnAccount>, ErrorBody> {
        Ok(self.0.account(person).await?.map(account))
    }

    async fn check(&self, values: &[String]) -> Result<OwnAccount, ErrorBody> {
        let (key, secret) = pair(values);
        self.0.check(key, secret).await.map(account)
    }

    async fn keep(
        &self,
        person: UserId,
        values: &[String],
        of: OwnAccount,
        at: Timestamp,
    ) -> Result<(), ErrorBody> {
        let (key, secret) = pair(values);
        let of = ErpAccount {
            user: of.user,
            full_name: of.full_name,
        };
        let key = PersonKey::new(key, secret, of);
        self.0.keep(person, key, at).await
    }

    async fn test(&self, person: UserId) -> Result<Option<OwnAccount>, ErrorBody> {
        Ok(self.0.test(person).await?.map(account))
    }

    async fn remove(&self, person: UserId, at: Timestamp) -> Result<(), ErrorBody> {
        self.0.remove(person, at).await
    }
}
