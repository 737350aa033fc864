//! Keys that each person has for themselves in a system: what the settings need of a domain.

use async_trait::async_trait;
use protocol::{ErrorBody, Timestamp, UserId};

use crate::texts;

/// The own keys of people in the system of a domain. The domain keeps them encrypted.
#[async_trait]
pub(crate) trait OwnKeys: Send + Sync {
    /// The words of the page.
    fn words(&self) -> OwnKeyWords;

    /// The account of a person's key; none if there is no key.
    ///
    /// # Errors
    /// The key is there and cannot be read.
    async fn account(&self, person: UserId) -> Result<Option<OwnAccount>, ErrorBody>;

    /// Asks the system whose key it is; `values` in the order of the fields.
    ///
    /// # Errors
    /// The key must not be used or does not work; the help says what to do.
    async fn check(&self, values: &[String]) -> Result<OwnAccount, ErrorBody>;

    /// Keeps a key that was checked, in place of the one before.
    ///
    /// # Errors
    /// Nothing was kept.
    async fn keep(
        &self,
        person: UserId,
        values: &[String],
        account: OwnAccount,
        at: Timestamp,
    ) -> Result<(), ErrorBody>;

    /// Tests the key of a person; none if there is no key.
    ///
    /// # Errors
    /// As of [`Self::check`], or the key cannot be read.
    async fn test(&self, person: UserId) -> Result<Option<OwnAccount>, ErrorBody>;

    /// Removes the key of a person.
    ///
    /// # Errors
    /// It was not removed.
    async fn remove(&self, person: UserId, at: Timestamp) -> Result<(), ErrorBody>;
}

/// An account of a system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OwnAccount {
    /// Its name there, such as a mail address.
    pub(crate) user: String,
    pub(crate) full_name: Option<String>,
}

impl OwnAccount {
    /// The account in words.
    pub(crate) fn text(&self) -> String {
        match &self.full_name {
            Some(name) => texts::settings::account(name, &self.user),
            None => self.user.clone(),
        }
    }
}

/// The words of a domain for its section of the page.
pub(crate) struct OwnKeyWords {
    /// The effect of a key, and what happens without one.
    pub(crate) lead: &'static str,
    /// The way to make a key.
    pub(crate) help: &'static str,
    pub(crate) fields: &'static [OwnKeyInput],
}

/// A field of a key.
pub(crate) struct OwnKeyInput {
    pub(crate) name: &'static str,
    pub(crate) label: &'static str,
    pub(crate) is_secret: bool,
}
