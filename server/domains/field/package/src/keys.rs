//! Ed25519 keys and their fingerprints.

use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use sha2::{Digest as _, Sha256};

use crate::{hex, ids::Fingerprint, texts};

/// Bytes of a signature.
const SIGNATURE: usize = 64;

/// A public key that is not weak, in its one encoding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicSigningKey(VerifyingKey);

/// A pair of keys. The seed is a secret of the caller: nothing here prints or stores it.
#[derive(Clone)]
pub struct SigningPair(SigningKey);

/// Reason that bytes are no key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeyRefusal {
    #[error("{}", texts::keys::NO_KEY)]
    Form,
    /// Of low order: for such a key anybody can make signatures, and all zeros are one.
    #[error("{}", texts::keys::WEAK)]
    Weak,
}

impl PublicSigningKey {
    /// # Errors
    /// If the bytes are no point of the curve, another encoding of one, or a weak key.
    pub fn from_bytes(bytes: &[u8; 32]) -> Result<Self, KeyRefusal> {
        if has_second_encoding(bytes) {
            return Err(KeyRefusal::Form);
        }
        let key = VerifyingKey::from_bytes(bytes).map_err(|_| KeyRefusal::Form)?;
        if key.is_weak() {
            return Err(KeyRefusal::Weak);
        }
        Ok(Self(key))
    }

    /// # Errors
    /// As [`Self::from_bytes`], and if the text is not 64 digits in lower case.
    pub fn from_hex(text: &str) -> Result<Self, KeyRefusal> {
        Self::from_bytes(&hex::read(text).ok_or(KeyRefusal::Form)?)
    }

    pub fn to_hex(&self) -> String {
        hex::write(self.0.as_bytes())
    }

    /// SHA-256 of the 32 bytes.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(&Sha256::digest(self.0.as_bytes()).into())
    }

    /// True for a signature of this key over exactly these bytes.
    pub fn verifies(&self, message: &[u8], signature: &[u8]) -> bool {
        <[u8; SIGNATURE]>::try_from(signature).is_ok_and(|bytes| {
            let signature = Signature::from_bytes(&bytes);
            self.0.verify_strict(message, &signature).is_ok()
        })
    }
}

impl SigningPair {
    /// The pair of a seed of 32 random bytes.
    pub fn from_seed(seed: &[u8; 32]) -> Self {
        Self(SigningKey::from_bytes(seed))
    }

    /// # Errors
    /// Never for a seed that is random.
    pub fn public(&self) -> Result<PublicSigningKey, KeyRefusal> {
        PublicSigningKey::from_bytes(self.0.verifying_key().as_bytes())
    }

    /// The fingerprint of the public key.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(&Sha256::digest(self.0.verifying_key().as_bytes()).into())
    }

    pub fn sign(&self, message: &[u8]) -> [u8; SIGNATURE] {
        self.0.sign(message).to_bytes()
    }
}

impl std::fmt::Debug for SigningPair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("SigningPair")
            .field(&self.fingerprint())
            .finish()
    }
}

/// True for a coordinate of p or more (p = 2^255 - 19), which encodes a point a second time: one key
/// would pass for two.
fn has_second_encoding(bytes: &[u8; 32]) -> bool {
    bytes[31] & 0x7f == 0x7f && bytes[1..31].iter().all(|byte| *byte == 0xff) && bytes[0] >= 0xed
}
