//! Storage of the keys that people have for themselves, as a port.

use async_trait::async_trait;

use crate::config::ErpSecret;

/// An API key of a person's own ERP user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonKey {
    pub api_key: String,
    pub api_secret: ErpSecret,
    /// The ERP user that it belonged to when it was entered.
    pub account: ErpAccount,
}

/// A user of the ERP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErpAccount {
    /// Usually a mail address.
    pub user: String,
    /// None if the site does not tell.
    pub full_name: Option<String>,
}

/// The last change of a person's key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonKeyChange {
    /// In milliseconds since 1970.
    pub at_ms: i64,
    /// None if it was removed.
    pub key: Option<PersonKey>,
}

/// Reason that a key cannot be read or kept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PersonKeysError {
    /// The file that opens the keys is gone or another one. They have to be entered again.
    #[error("the key file was lost or replaced")]
    Lost,
    /// The storage failed.
    #[error("{0}")]
    Failed(String),
}

/// Own keys of people, who are named by their ids. A removed key leaves the time of its removal:
/// calls before it were made as another ERP user than those after it.
#[async_trait]
pub trait PersonKeys: Send + Sync + 'static {
    /// The last change of a person's key for a site.
    ///
    /// # Errors
    /// The key is there and cannot be opened, or the storage failed.
    async fn find(
        &self,
        person: &str,
        site: &str,
    ) -> Result<Option<PersonKeyChange>, PersonKeysError>;

    /// Keeps a change in place of the one before.
    ///
    /// # Errors
    /// Nothing was kept.
    async fn put(
        &self,
        person: &str,
        site: &str,
        change: &PersonKeyChange,
    ) -> Result<(), PersonKeysError>;
}
