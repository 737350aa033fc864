//! Secrets of sessions and links, the cookies that hold them, and how long they last.

use std::time::Duration;

use axum::http::{HeaderMap, header};
use protocol::Timestamp;
use sha2::{Digest, Sha256};
use store::Secret;

/// The life of a sign-in link.
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

/// The token of a new sign-in link, and what the database keeps of it.
pub(crate) fn new_link() -> (String, Secret) {
    let token = new_secret();
    let secret = hash(&token);
    (token, secret)
}

/// The end of a sign-in link that is made now.
pub(crate) fn link_expires(now: Timestamp) -> Timestamp {
    later(now, LINK_LIFE)
}

/// A secret of 256 random bits, in hexadecimal.
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

/// The hash of a secret, which is all that the database keeps.
pub(in crate::http) fn hash(secret: &str) -> Secret {
    Secret(Sha256::digest(secret.as_bytes()).into())
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
