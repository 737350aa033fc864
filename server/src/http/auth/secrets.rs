//! Secrets of sessions and links, their cookies, and their lifetimes.

use std::time::Duration;

use axum::http::{HeaderMap, header};
use protocol::Timestamp;
use sha2::{Digest, Sha256};
use store::StoredSecret;

/// The lifetime of a sign-in link.
pub(super) const LINK_LIFE: Duration = Duration::from_secs(60 * 60);

pub(in crate::http) fn earlier(now: Timestamp, by: Duration) -> Timestamp {
    Timestamp(
        now.0
            .saturating_sub(i64::try_from(by.as_millis()).unwrap_or(i64::MAX)),
    )
}

pub(in crate::http) fn later(now: Timestamp, by: Duration) -> Timestamp {
    Timestamp(
        now.0
            .saturating_add(i64::try_from(by.as_millis()).unwrap_or(i64::MAX)),
    )
}

/// Returns the token of a new sign-in link, and its hash for the database.
pub(crate) fn new_link() -> (String, StoredSecret) {
    let token = new_secret();
    let secret = hash(&token);
    (token, secret)
}

/// Returns the expiry of a sign-in link that is created now.
pub(crate) fn link_expires(now: Timestamp) -> Timestamp {
    later(now, LINK_LIFE)
}

/// Returns a secret of 256 random bits, in hexadecimal.
pub(in crate::http) fn new_secret() -> String {
    use std::fmt::Write;
    rand::random::<[u8; 32]>()
        .iter()
        .fold(String::with_capacity(64), |mut text, byte| {
            // Writing to a String cannot fail.
            write!(text, "{byte:02x}").unwrap_or_default();
            text
        })
}

/// Returns the hash of a secret; the database stores nothing else.
pub(in crate::http) fn hash(secret: &str) -> StoredSecret {
    StoredSecret(Sha256::digest(secret.as_bytes()).into())
}

pub(in crate::http) fn cookie_value<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|header| header.to_str().ok())
        .flat_map(|header| header.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find_map(|(have, value)| (have == name).then_some(value))
}
