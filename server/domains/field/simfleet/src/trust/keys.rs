//! The device's own key, fingerprints, and texts of bytes.

use std::fmt::Write as _;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use sha2::{Digest as _, Sha256};

/// The key pair of a device. Two devices that share one are a clone.
#[derive(Clone)]
pub struct FleetDeviceKey(SigningKey);

impl FleetDeviceKey {
    /// The pair that follows from a seed and a name: a simulated device is the same after a restart.
    pub fn derived(seed: u64, name: &str) -> Self {
        let mut hash = Sha256::new();
        hash.update(b"simulated field device");
        hash.update(seed.to_be_bytes());
        hash.update(name.as_bytes());
        Self(SigningKey::from_bytes(&hash.finalize().into()))
    }

    /// The public key in hex.
    pub fn public_hex(&self) -> String {
        hex(self.0.verifying_key().as_bytes())
    }

    /// SHA-256 of the public key in hex.
    pub fn fingerprint(&self) -> String {
        sha256_hex(self.0.verifying_key().as_bytes())
    }

    /// A signature in base64, over a document together with its type.
    pub fn sign(&self, kind: &str, document: &[u8]) -> String {
        let signature = self.0.sign(&signed_bytes(kind, document));
        BASE64_STANDARD.encode(signature.to_bytes())
    }
}

impl std::fmt::Debug for FleetDeviceKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("FleetDeviceKey")
            .field(&self.fingerprint())
            .finish()
    }
}

/// A public key that the device trusts for something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TrustedKey {
    key: VerifyingKey,
    pub(crate) fingerprint: String,
}

impl TrustedKey {
    /// Reads a key of 64 digits. Weak ones, and a second spelling of a point, are none.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let bytes: [u8; 32] = unhex(text)?.try_into().ok()?;
        let key = VerifyingKey::from_bytes(&bytes).ok()?;
        let is_one = !key.is_weak() && *key.to_edwards().compress().as_bytes() == bytes;
        is_one.then(|| Self {
            key,
            fingerprint: sha256_hex(&bytes),
        })
    }

    pub(crate) fn has_signed(&self, message: &[u8], signature: &[u8]) -> bool {
        let signature = <[u8; 64]>::try_from(signature);
        signature.is_ok_and(|it| {
            self.key
                .verify_strict(message, &Signature::from_bytes(&it))
                .is_ok()
        })
    }
}

/// The bytes under a signature; lengths are in bytes.
pub(crate) fn signed_bytes(kind: &str, document: &[u8]) -> Vec<u8> {
    let head = format!("DSSEv1 {} {kind} {} ", kind.len(), document.len());
    [head.as_bytes(), document].concat()
}

/// Lower-case digits of bytes.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        _ = write!(text, "{byte:02x}");
        text
    })
}

/// Bytes of lower-case digits.
pub(crate) fn unhex(text: &str) -> Option<Vec<u8>> {
    let plain = |it: u8| it.is_ascii_digit() || (b'a'..=b'f').contains(&it);
    if !text.len().is_multiple_of(2) || !text.bytes().all(plain) {
        return None;
    }
    let pairs = (0..text.len()).step_by(2);
    pairs
        .map(|at| u8::from_str_radix(&text[at..at + 2], 16).ok())
        .collect()
}

pub(crate) fn sha256_hex(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// True for 64 digits of SHA-256.
pub(crate) fn is_sha256(text: &str) -> bool {
    unhex(text).is_some_and(|it| it.len() == 32)
}

/// Bytes of base64 in its one spelling: standard alphabet, padded, no bits left over.
pub(crate) fn base64_bytes(text: &str) -> Option<Vec<u8>> {
    let bytes = BASE64_STANDARD.decode(text).ok()?;
    (BASE64_STANDARD.encode(&bytes) == text).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::signed_bytes;

    #[test]
    fn the_vector_of_the_specification() {
        let bytes = signed_bytes("http://example.com/HelloWorld", b"hello world");
        let text = "DSSEv1 29 http://example.com/HelloWorld 11 hello world";
        assert_eq!(bytes, text.as_bytes());
    }
}
