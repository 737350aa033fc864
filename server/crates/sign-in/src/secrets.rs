//! Secrets of sessions and links, and their hashes.

use protocol::Timestamp;
use sha2::{Digest, Sha256};
use store::StoredSecret;

use crate::lifetimes::{LINK_LIFE, later};

/// Returns the token of a new sign-in link, and its hash for the database.
pub fn new_link() -> (String, StoredSecret) {
    let token = new_secret();
    let secret = hash(&token);
    (token, secret)
}

/// Returns the expiry of a sign-in link that is created now.
pub fn link_expires(now: Timestamp) -> Timestamp {
    later(now, LINK_LIFE)
}

/// Returns a secret of 256 random bits, in hexadecimal.
pub(crate) fn new_secret() -> String {
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
pub(crate) fn hash(secret: &str) -> StoredSecret {
    StoredSecret(Sha256::digest(secret.as_bytes()).into())
}
