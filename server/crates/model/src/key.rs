//! The secret that opens the API.

use std::fmt;

use reqwest::header::HeaderValue;
use serde::Deserialize;

use crate::Error;

/// An API key. It is shown nowhere: not in `Debug`, not in errors.
#[derive(Clone, Deserialize)]
#[serde(try_from = "String")]
pub struct ModelKey(String);

impl ModelKey {
    /// A key, without the white space around it. It must be visible ASCII and not empty.
    pub fn new(key: impl AsRef<str>) -> Result<Self, Error> {
        let key = key.as_ref().trim();
        if key.is_empty() || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Error::Key);
        }
        Ok(Self(key.to_owned()))
    }

    /// The value of the header in this style.
    pub(crate) fn header(&self, prefix: &str) -> Result<HeaderValue, Error> {
        let mut value =
            HeaderValue::from_str(&format!("{prefix}{}", self.0)).map_err(|_| Error::Key)?;
        value.set_sensitive(true);
        Ok(value)
    }

    /// A text from elsewhere without the key: proxies like to quote what they refuse.
    pub(crate) fn removed_from(&self, text: &str) -> String {
        text.replace(&self.0, "[key]")
    }
}

impl TryFrom<String> for ModelKey {
    type Error = Error;

    fn try_from(key: String) -> Result<Self, Error> {
        Self::new(key)
    }
}

impl fmt::Debug for ModelKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key([redacted])")
    }
}
