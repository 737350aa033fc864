//! Proofs of devices: signatures over the bytes of DSSE, with a type of their own for each use.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use field_package::envelope::signed_bytes;
use field_package::keys::PublicSigningKey;

/// Type of the proof that a device has the key with which it enrols.
pub(crate) const ENROL_TYPE: &str = "application/vnd.jarvis.enrol";
/// Type of the answer to a challenge.
pub(crate) const SESSION_TYPE: &str = "application/vnd.jarvis.session";

/// True if the signature, in base64, is of this key over parts that are joined by points. No part but
/// the last may have a point in it, so that no two lists of parts are the same text.
pub(crate) fn is_signed(
    key: &PublicSigningKey,
    kind: &str,
    parts: &[&str],
    signature: &str,
) -> bool {
    let Ok(signature) = STANDARD.decode(signature) else {
        return false;
    };
    let message = signed_bytes(kind, parts.join(".").as_bytes());
    key.verifies(&message, &signature)
}

/// True for digits of so many bytes, in lower case.
pub(crate) fn is_hex(text: &str, bytes: usize) -> bool {
    text.len() == bytes * 2
        && text
            .bytes()
            .all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f'))
}

/// True for 1 to 64 characters of `[0-9a-z]`.
pub(crate) fn is_word(text: &str) -> bool {
    (1..=64).contains(&text.len())
        && text
            .bytes()
            .all(|it| it.is_ascii_digit() || it.is_ascii_lowercase())
}
