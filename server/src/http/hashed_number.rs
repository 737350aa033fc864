//! Numbers that names stand for: the same for the same names, always.

use sha2::{Digest, Sha256};

/// Returns the number of some texts, for an identifier.
pub(super) fn hashed_number(parts: &[&str]) -> u128 {
    let mut hash = Sha256::new();
    for part in parts {
        // Each with its length, so that no two names run together into the same bytes.
        hash.update(part.len().to_be_bytes());
        hash.update(part);
    }
    let hash: [u8; 32] = hash.finalize().into();
    let (half, _) = hash.split_at(16);
    half.iter()
        .fold(0, |number, byte| (number << 8) | u128::from(*byte))
}
