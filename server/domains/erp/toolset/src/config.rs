//! Configuration of the ERP: address, key, trust, and companies out of reach.

mod notices;

use std::{fmt, net::IpAddr, path::PathBuf};

use pinned_trust::{CertificateSha256, fingerprint};
use reqwest::Url;
use serde::Deserialize;

pub use self::notices::{ErpNoticeKind, ErpNotices};
use crate::{error::ErpSetupError, texts};

/// The connection to one ERPNext site and the operator's settings for it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ErpConfig {
    /// `https://host` or `https://host:port`, without a path. `http` only on the loopback interface.
    pub url: String,
    /// The API key of a user without System Manager.
    pub api_key: String,
    pub api_secret: ErpSecret,
    /// SHA-256 fingerprints of the certificates that the site may present, as hexadecimal bytes with
    /// or without colons. If set, nothing else is trusted.
    pub fingerprints: Vec<String>,
    /// PEM file with the CA that signed the certificate. Without it and without fingerprints, the
    /// system's CAs are trusted.
    pub ca_file: Option<PathBuf>,
    /// The REST API for documents and lists.
    pub rest: RestVersion,
    /// The REST API for methods. If this and `rest` are the same, nothing goes by the other one.
    pub methods: RestVersion,
    /// The companies within reach, also for reading. Empty: all that the key may see.
    pub companies: Vec<String>,
    /// Types that are never written, in addition to the built-in ones.
    pub black_types: Vec<String>,
    /// Things that no call writes to or links to, such as `company/Aldergate Holding`,
    /// `account/1910 - Cash - AC` or `doctype/Payment Entry`, in any case. A policy protects as well, but
    /// sees only what the input of a call or its card names.
    pub protected: Vec<String>,
    /// Payroll, clinical and bank types that may be read.
    pub readable_types: Vec<String>,
    /// The consent that making and changing drafts needs.
    pub drafts: DraftMode,
    /// Totals above which a call is asked for although drafts are made unasked, in company currency.
    pub t1: u64,
    /// Totals in company currency above which a submit needs the amount typed.
    pub type_above: u64,
    /// Discounts in percent above which a call is asked for although drafts are made unasked.
    pub discount: u8,
    /// The most rows that one call changes without asking.
    pub bulk: usize,
    /// A unique custom field that an administrator has added to types, for the id of the call that
    /// made a document. With it, an outcome that was lost is known for certain.
    pub key_field: Option<String>,
    /// Types whose drafts may be submitted unasked, such as `Material Request`: only such as post to
    /// no ledger.
    pub light_submit: Vec<String>,
    /// True for the simulated ERP: the model says so.
    pub is_simulated: bool,
    /// Connection timeout in milliseconds.
    pub connect_timeout_ms: u64,
    /// Timeout of one request in milliseconds. The site itself gives up after 120 s.
    pub request_timeout_ms: u64,
    /// Maximum number of concurrent requests; a site has a handful of workers.
    pub max_concurrent_requests: usize,
    /// Lifetime of the metadata of a type, in milliseconds.
    pub meta_cache_ms: u64,
    /// Interval in milliseconds between two looks at a list of the board while somebody watches it.
    pub board_ms: u64,
    pub notices: ErpNotices,
}

impl Default for ErpConfig {
    fn default() -> Self {
        Self {
            url: String::new(),
            api_key: String::new(),
            api_secret: ErpSecret::default(),
            fingerprints: Vec::new(),
            ca_file: None,
            rest: RestVersion::V1,
            methods: RestVersion::V1,
            companies: Vec::new(),
            black_types: Vec::new(),
            protected: Vec::new(),
            readable_types: Vec::new(),
            drafts: DraftMode::Ask,
            t1: 1_000,
            type_above: 10_000,
            discount: 15,
            bulk: 20,
            key_field: None,
            light_submit: Vec::new(),
            is_simulated: false,
            connect_timeout_ms: 3_000,
            request_timeout_ms: 60_000,
            max_concurrent_requests: 3,
            meta_cache_ms: 300_000,
            board_ms: 30_000,
            notices: ErpNotices::default(),
        }
    }
}

/// Version of Frappe's REST API. Both are part of v15 and v16.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RestVersion {
    /// `/api/resource`.
    #[default]
    V1,
    /// `/api/v2/document`.
    V2,
}

/// Consent for drafts, which post nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DraftMode {
    /// A person is asked for each.
    #[default]
    Ask,
    /// They are made, changed and amended unasked unless a rule of their input says otherwise.
    Act,
}

/// A secret that never appears in logs.
#[derive(Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(transparent)]
pub struct ErpSecret(String);

impl ErpSecret {
    /// Returns the secret itself.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl From<String> for ErpSecret {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl fmt::Debug for ErpSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[secret]")
    }
}

impl ErpConfig {
    /// Validates the values without touching files or the network.
    ///
    /// # Errors
    /// Names the first invalid value.
    pub fn check(&self) -> Result<(), ErpSetupError> {
        self.base()?;
        self.pins()?;
        let invalid = ErpSetupError::config;
        if !is_token(&self.api_key) {
            return Err(invalid("api_key", texts::config::MUST_BE_AN_API_KEY));
        }
        if !is_token(self.api_secret.expose()) {
            return Err(invalid("api_secret", texts::config::MUST_BE_AN_API_SECRET));
        }
        if self.companies.iter().any(|name| name.trim().is_empty()) {
            return Err(invalid("companies", texts::config::HAS_AN_EMPTY_NAME));
        }
        let is_object = |it: &String| matches!(it.split_once('/'), Some((kind, name)) if !kind.trim().is_empty() && !name.trim().is_empty());
        if !self.protected.iter().all(is_object) {
            return Err(invalid("protected", texts::config::MUST_BE_OBJECTS));
        }
        for (field, value) in [
            ("connect_timeout_ms", self.connect_timeout_ms),
            ("request_timeout_ms", self.request_timeout_ms),
            ("board_ms", self.board_ms),
        ] {
            if value == 0 {
                return Err(invalid(field, texts::config::MUST_BE_AT_LEAST_1));
            }
        }
        let posts = |it: &String| !crate::light_types::is_light(it);
        if self.light_submit.iter().any(posts) {
            return Err(invalid("light_submit", texts::config::MUST_POST_NOTHING));
        }
        if self.t1 > self.type_above {
            return Err(invalid("t1", texts::config::MUST_BE_AT_MOST_TYPE_ABOVE));
        }
        if self.discount > 100 {
            return Err(invalid("discount", texts::config::MUST_BE_A_PERCENTAGE));
        }
        if !(1..=100).contains(&self.bulk) {
            return Err(invalid("bulk", texts::config::MUST_BE_FROM_1_TO_100));
        }
        if self.key_field.as_deref().is_some_and(|it| !is_field(it)) {
            return Err(invalid("key_field", texts::config::MUST_BE_A_FIELD_NAME));
        }
        // More would take all workers of a small site.
        if !(1..=8).contains(&self.max_concurrent_requests) {
            let field = "max_concurrent_requests";
            return Err(invalid(field, texts::config::MUST_BE_FROM_1_TO_8));
        }
        Ok(())
    }

    /// The address of the site.
    pub(crate) fn base(&self) -> Result<Url, ErpSetupError> {
        let invalid = |message| ErpSetupError::config("url", message);
        let url =
            Url::parse(&self.url).map_err(|_| invalid(texts::config::MUST_LOOK_LIKE_AN_ADDRESS))?;
        let is_plain = url.username().is_empty()
            && url.password().is_none()
            && url.path() == "/"
            && url.query().is_none()
            && url.fragment().is_none();
        let Some(host) = url.host_str().filter(|_| is_plain) else {
            return Err(invalid(texts::config::MUST_LOOK_LIKE_AN_ADDRESS));
        };
        let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
        let is_here = host == "localhost" || address.is_ok_and(|it| it.is_loopback());
        match url.scheme() {
            "https" => Ok(url),
            // The key would be readable on the network.
            "http" if is_here => Ok(url),
            _ => Err(invalid(texts::config::MUST_BE_HTTPS)),
        }
    }

    /// The pinned fingerprints.
    pub(crate) fn pins(&self) -> Result<Vec<CertificateSha256>, ErpSetupError> {
        let pins = self.fingerprints.iter().map(|text| fingerprint(text));
        let pins: Option<Vec<_>> = pins.collect();
        let message = texts::config::MUST_BE_32_BYTES;
        pins.ok_or_else(|| ErpSetupError::config("fingerprints", message))
    }
}

/// True for the name of a field that a site may have added.
fn is_field(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    let begins = text.starts_with(|c: char| c.is_ascii_lowercase());
    begins && text.len() <= 140 && text.chars().all(fits)
}

/// True for text that can stand in the header `Authorization: token KEY:SECRET`.
pub(crate) fn is_token(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_graphic() && c != ':';
    (1..=140).contains(&text.len()) && text.chars().all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(change: impl FnOnce(&mut ErpConfig)) -> Result<(), String> {
        let mut config = ErpConfig {
            url: "https://erp.example.org".to_owned(),
            api_key: "a1b2".to_owned(),
            api_secret: "c3d4".to_owned().into(),
            ..ErpConfig::default()
        };
        change(&mut config);
        config.check().map_err(|error| error.to_string())
    }

    #[test]
    fn values_are_checked_and_named() {
        assert_eq!(with(|_| ()), Ok(()));
        for good in ["http://127.0.0.1:8000", "http://[::1]:8000", "https://a:1/"] {
            assert_eq!(with(|it| it.url = good.to_owned()), Ok(()), "{good}");
        }
        for bad in [
            "",
            "erp.example.org",
            "http://erp.example.org",
            "ftp://127.0.0.1",
            "https://a:b@erp.example.org",
            "https://erp.example.org/app",
            "https://erp.example.org/?a=b",
        ] {
            let error = with(|it| it.url = bad.to_owned()).unwrap_err();
            assert!(error.starts_with("url "), "{bad}: {error}");
        }
        let error = with(|it| it.api_key = "a:b".to_owned()).unwrap_err();
        assert!(error.starts_with("api_key "), "{error}");
        let error = with(|it| it.api_secret = ErpSecret::default()).unwrap_err();
        assert!(error.starts_with("api_secret "), "{error}");
        let error = with(|it| it.fingerprints = vec!["ab".to_owned()]).unwrap_err();
        assert!(error.starts_with("fingerprints "), "{error}");
        let pin = vec!["AB:".repeat(31) + "cd"];
        assert_eq!(with(|it| it.fingerprints = pin), Ok(()));
        let error = with(|it| it.t1 = 10_001).unwrap_err();
        assert!(error.starts_with("t1 "), "{error}");
        let error = with(|it| it.discount = 101).unwrap_err();
        assert!(error.starts_with("discount "), "{error}");
        let error = with(|it| it.protected = vec!["Cash".to_owned()]).unwrap_err();
        assert!(error.starts_with("protected "), "{error}");
        let error = with(|it| it.bulk = 0).unwrap_err();
        assert!(error.starts_with("bulk "), "{error}");
        for bad in ["", "Jarvis", "a b", "_user_tags"] {
            let error = with(|it| it.key_field = Some(bad.to_owned())).unwrap_err();
            assert!(error.starts_with("key_field "), "{bad}: {error}");
        }
        assert_eq!(
            with(|it| it.key_field = Some("jarvis_call".to_owned())),
            Ok(())
        );
        let error = with(|it| it.max_concurrent_requests = 9).unwrap_err();
        assert!(error.starts_with("max_concurrent_requests "), "{error}");
        assert_eq!(format!("{:?}", ErpSecret::from("x".to_owned())), "[secret]");
    }
}
