//! Secrets that a device makes, and what the server keeps of them.

use field_package::hex;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// The secret of one claim: 32 random bytes that the device makes before it asks. It identifies the
/// request, so that a repeat is answered as the first was, and proves in later calls whose claim it is.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ClaimSecret([u8; 32]);

/// SHA-256 of a claim's secret, which is all that the server keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClaimHash([u8; 32]);

/// Sixteen random bytes of one start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct StartNonce([u8; 16]);

/// Reason that a text is no secret: its length or its digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("hexadecimal digits of another length are expected")]
pub struct SecretRefusal;

impl ClaimSecret {
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    pub fn hash(&self) -> ClaimHash {
        ClaimHash(Sha256::digest(self.0).into())
    }
}

impl ClaimHash {
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl StartNonce {
    pub fn new(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }
}

impl TryFrom<String> for ClaimSecret {
    type Error = SecretRefusal;

    fn try_from(text: String) -> Result<Self, SecretRefusal> {
        hex::read(&text).map(Self).ok_or(SecretRefusal)
    }
}

impl From<ClaimSecret> for String {
    fn from(secret: ClaimSecret) -> Self {
        hex::write(&secret.0)
    }
}

impl TryFrom<String> for StartNonce {
    type Error = SecretRefusal;

    fn try_from(text: String) -> Result<Self, SecretRefusal> {
        hex::read(&text).map(Self).ok_or(SecretRefusal)
    }
}

impl From<StartNonce> for String {
    fn from(nonce: StartNonce) -> Self {
        hex::write(&nonce.0)
    }
}

/// Logs show the hash at most.
impl std::fmt::Debug for ClaimSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ClaimSecret(…)")
    }
}
