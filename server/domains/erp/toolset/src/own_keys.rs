//! Own keys of people: entered, tested and removed by each person for themselves.

use std::{fmt, sync::Arc};

use protocol::{ErrorBody, Timestamp, UserId};

use crate::{
    config::ErpSecret,
    person_keys::{ErpAccount, PersonKey, PersonKeyChange},
    personal_sites::PersonalSites,
};

/// The own keys of people for one site. Cheap to clone.
#[derive(Clone)]
pub struct ErpOwnKeys(pub(crate) Arc<PersonalSites>);

impl fmt::Debug for ErpOwnKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let site = self.0.shared().client.site();
        f.debug_tuple("ErpOwnKeys").field(&site).finish()
    }
}

impl ErpOwnKeys {
    /// Asks the site whose key it is.
    ///
    /// # Errors
    /// The site does not answer or does not take the key; it has System Manager; it is the site's
    /// own key. The help says what to do.
    pub async fn check(&self, api_key: &str, api_secret: &str) -> Result<ErpAccount, ErrorBody> {
        self.0.account(api_key, api_secret).await
    }

    /// The account of a person's key as it was when it was entered; none if there is no key.
    ///
    /// # Errors
    /// The key is there and cannot be read.
    pub async fn account(&self, person: UserId) -> Result<Option<ErpAccount>, ErrorBody> {
        let change = self.0.change(person).await?;
        Ok(change.and_then(|it| it.key).map(|key| key.account))
    }

    /// Tests the key of a person; none if there is no key.
    ///
    /// # Errors
    /// As of [`Self::check`], or the key cannot be read.
    pub async fn test(&self, person: UserId) -> Result<Option<ErpAccount>, ErrorBody> {
        let change = self.0.change(person).await?;
        let Some(key) = change.and_then(|it| it.key) else {
            return Ok(None);
        };
        let secret = key.api_secret.expose();
        self.0.account(&key.api_key, secret).await.map(Some)
    }

    /// Keeps a key that was checked. From now on the person's calls are made with it.
    ///
    /// # Errors
    /// Nothing was kept.
    pub async fn keep(
        &self,
        person: UserId,
        key: PersonKey,
        at: Timestamp,
    ) -> Result<(), ErrorBody> {
        let key = Some(key);
        let at_ms = at.0;
        self.0.put(person, &PersonKeyChange { at_ms, key }).await
    }

    /// Removes the key of a person. From now on the person's calls are made with the site's.
    ///
    /// # Errors
    /// It was not removed.
    pub async fn remove(&self, person: UserId, at: Timestamp) -> Result<(), ErrorBody> {
        let change = PersonKeyChange {
            at_ms: at.0,
            key: None,
        };
        self.0.put(person, &change).await
    }
}

impl PersonKey {
    pub fn new(api_key: &str, api_secret: &str, account: ErpAccount) -> Self {
        Self {
            api_key: api_key.to_owned(),
            api_secret: ErpSecret::from(api_secret.to_owned()),
            account,
        }
    }
}
