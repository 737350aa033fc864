//! The same connection with the key of a person.

use reqwest::header::{AUTHORIZATION, HeaderValue};

use super::ErpClient;
use crate::{
    config,
    error::{ErpError, RefusalKind},
    texts::own_keys as say,
};

impl ErpClient {
    /// The same site with another key, over the same connections and within the same limits.
    ///
    /// # Errors
    /// The key has characters that no key has.
    pub(crate) fn with_key(&self, key: &str, secret: &str) -> Result<Self, ErpError> {
        let fits = config::is_token(key) && config::is_token(secret);
        let token = fits.then(|| token(key, secret)).flatten();
        let token = token.ok_or_else(|| ErpError::input(say::IS_NO_KEY))?;
        let mut other = self.clone();
        other.headers.insert(AUTHORIZATION, token);
        other.is_personal = true;
        Ok(other)
    }

    /// True if the key is a person's own.
    pub(crate) fn is_personal(&self) -> bool {
        self.is_personal
    }

    /// The address of the site.
    pub(crate) fn address(&self) -> &str {
        self.base.as_str()
    }

    /// A refusal of a person's key is told as that: nobody looks for it in the configuration.
    pub(super) fn attributed(&self, error: ErpError) -> ErpError {
        match error {
            ErpError::Refused(mut refusal) if self.is_personal => {
                refusal.kind = match refusal.kind {
                    RefusalKind::Authentication
                    | RefusalKind::SessionExpired
                    | RefusalKind::Csrf => RefusalKind::OwnKey,
                    other => other,
                };
                ErpError::Refused(refusal)
            }
            other => other,
        }
    }
}

/// The header of a key, which logs never show.
pub(super) fn token(key: &str, secret: &str) -> Option<HeaderValue> {
    let mut token = HeaderValue::from_str(&format!("token {key}:{secret}")).ok()?;
    token.set_sensitive(true);
    Some(token)
}
