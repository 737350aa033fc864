//! Identifiers and secrets: random ones, and those that follow from what they stand for.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use field_package::hex;
use sha2::{Digest as _, Sha256};

/// Thirty-two signs, so that five bits are one of them.
const SIGNS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// Signs of an identifier behind its prefix.
const LENGTH: usize = 26;

/// A new identifier: the prefix and 130 random bits.
pub(crate) fn random_id(prefix: &str) -> String {
    id_of(prefix, &rand::random::<[u8; 32]>())
}

/// The identifier that belongs to these parts, the same each time.
pub(crate) fn derived_id(prefix: &str, parts: &[&str]) -> String {
    id_of(prefix, &digest_of(parts))
}

/// Secret of an enrolment: 32 signs, 160 random bits.
pub(crate) fn enrolment_secret() -> String {
    signs(&rand::random::<[u8; 32]>(), 32)
}

/// Random bytes in lower-case digits.
pub(crate) fn random_hex<const BYTES: usize>() -> String {
    let mut bytes = [0; BYTES];
    rand::fill(&mut bytes);
    hex::write(&bytes)
}

/// Token of a session, from a secret of this process: the same request gets the same token, and
/// nobody else can make it.
pub(crate) fn session_token(secret: &[u8; 32], parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    hash.update(secret);
    hash.update(digest_of(parts));
    URL_SAFE_NO_PAD.encode(hash.finalize())
}

/// SHA-256 of a text, which is all that is kept of a secret.
pub(crate) fn secret_hash(secret: &str) -> Vec<u8> {
    Sha256::digest(secret).to_vec()
}

/// SHA-256 of parts with their lengths, so that no two lists of parts are the same bytes.
fn digest_of(parts: &[&str]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}

fn id_of(prefix: &str, bytes: &[u8; 32]) -> String {
    format!("{prefix}{}", signs(bytes, LENGTH))
}

fn signs(bytes: &[u8; 32], length: usize) -> String {
    let bit = |at: usize| bytes[at / 8] >> (7 - at % 8) & 1;
    let sign = |at: usize| {
        let index = (0..5).fold(0, |index, within| index << 1 | bit(at * 5 + within));
        SIGNS[usize::from(index)] as char
    };
    (0..length).map(sign).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identifier_has_the_form_that_devices_and_packages_demand() {
        let id = random_id("run_");
        assert!(field_package::ids::JobId::new(&id).is_ok(), "{id}");
        assert_ne!(id, random_id("run_"));
        let secret = enrolment_secret();
        assert_eq!(secret.len(), 32);
        let plain = |it: u8| it.is_ascii_digit() || it.is_ascii_lowercase();
        assert!(secret.bytes().all(plain));
    }

    #[test]
    fn derived_identifiers_keep_their_parts_apart() {
        let id = derived_id("bun_", &["ab", "c"]);
        assert_eq!(id, derived_id("bun_", &["ab", "c"]));
        assert_ne!(id, derived_id("bun_", &["a", "bc"]));
    }
}
