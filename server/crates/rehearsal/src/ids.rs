//! Identifiers that never repeat, even across restarts, because stored conversations contain them.

use std::{
    fmt::Write as _,
    sync::atomic::{AtomicU64, Ordering},
};

use sha2::{Digest, Sha256};

/// Generator of identifiers.
#[derive(Debug)]
pub(crate) struct Ids {
    seed: [u8; 16],
    count: AtomicU64,
}

impl Ids {
    pub(crate) fn new() -> Self {
        Self {
            seed: rand::random(),
            count: AtomicU64::new(0),
        }
    }

    /// The next identifier, such as `msg_01` and 22 characters.
    pub(crate) fn next(&self, prefix: &str) -> String {
        let count = self.count.fetch_add(1, Ordering::Relaxed);
        let mut hasher = Sha256::new();
        hasher.update(self.seed);
        hasher.update(count.to_be_bytes());
        format!("{prefix}_01{}", hex(&hasher.finalize()[..11]))
    }
}

/// A random key, new at every start of the server.
pub(crate) fn random_key() -> String {
    format!("sk-rehearsal-{}", hex(&rand::random::<[u8; 16]>()))
}

/// Encodes in lowercase hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        write!(text, "{byte:02x}").ok();
        text
    })
}
