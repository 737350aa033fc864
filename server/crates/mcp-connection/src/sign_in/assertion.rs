//! Assertions: a client's proof of itself by a signature, in place of a secret (RFC 7523).

use std::{
    fmt,
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use ring::{
    rand::{SecureRandom as _, SystemRandom},
    signature::{
        ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, RSA_PKCS1_SHA256, RsaKeyPair,
    },
};
use rustls::pki_types::{PrivatePkcs8KeyDer, pem::PemObject as _};
use serde_json::{Value, json};

/// The kind of assertion, as a request for a token names it.
pub(crate) const KIND: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
/// Lifetime of an assertion. It is used at once; the rest is for clocks that differ.
const LIFETIME: Duration = Duration::from_secs(120);

/// The private key of a client. It is in no debug output.
#[derive(Clone)]
pub struct ClientKey {
    pair: Arc<KeyPair>,
    /// The identifier under which the authorization server knows it.
    id: Option<String>,
}

enum KeyPair {
    P256(EcdsaKeyPair),
    Ed25519(Ed25519KeyPair),
    Rsa(Box<RsaKeyPair>),
}

impl fmt::Debug for ClientKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ClientKey(…)")
    }
}

/// The statements of an assertion.
pub(crate) struct Statements<'a> {
    pub(crate) client_id: &'a str,
    /// The authorization server that may believe it.
    pub(crate) audience: &'a str,
    /// One of [`ClientKey::algorithms`].
    pub(crate) algorithm: &'a str,
}

impl ClientKey {
    /// Reads a key in PEM: unencrypted PKCS#8 of P-256, Ed25519, or RSA with 2048 to 4096 bits. None if it is no
    /// such key.
    #[must_use]
    pub fn parse(pem: &str, id: Option<String>) -> Option<Self> {
        let key = PrivatePkcs8KeyDer::from_pem_slice(pem.as_bytes()).ok()?;
        let der = key.secret_pkcs8_der();
        let random = SystemRandom::new();
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, der, &random)
            .map(KeyPair::P256)
            .or_else(|_| Ed25519KeyPair::from_pkcs8_maybe_unchecked(der).map(KeyPair::Ed25519))
            .or_else(|_| RsaKeyPair::from_pkcs8(der).map(|pair| KeyPair::Rsa(Box::new(pair))));
        Some(Self {
            pair: Arc::new(pair.ok()?),
            id,
        })
    }

    /// The names of the key's algorithm, the usual one first. RFC 9864 gave that of Ed25519 another one.
    pub(crate) fn algorithms(&self) -> &'static [&'static str] {
        match &*self.pair {
            KeyPair::P256(_) => &["ES256"],
            KeyPair::Ed25519(_) => &["EdDSA", "Ed25519"],
            KeyPair::Rsa(_) => &["RS256"],
        }
    }

    /// A new assertion, for one request. None if the system has no random numbers.
    pub(crate) fn sign(&self, statements: &Statements<'_>, now: SystemTime) -> Option<String> {
        let random = SystemRandom::new();
        let mut number = [0_u8; 16];
        random.fill(&mut number).ok()?;
        let now = now.duration_since(UNIX_EPOCH).ok()?.as_secs();
        let mut header = json!({ "alg": statements.algorithm, "typ": "JWT" });
        if let Some(id) = &self.id {
            header["kid"] = json!(id);
        }
        let claims = json!({
            "iss": statements.client_id,
            "sub": statements.client_id,
            "aud": statements.audience,
            "iat": now,
            "exp": now + LIFETIME.as_secs(),
            "jti": BASE64_URL_SAFE_NO_PAD.encode(number),
        });
        let signed = format!("{}.{}", part(&header), part(&claims));
        let signature = self.pair.sign(signed.as_bytes(), &random)?;
        let signature = BASE64_URL_SAFE_NO_PAD.encode(signature);
        Some(format!("{signed}.{signature}"))
    }
}

impl KeyPair {
    fn sign(&self, message: &[u8], random: &SystemRandom) -> Option<Vec<u8>> {
        match self {
            Self::P256(pair) => {
                let signature = pair.sign(random, message).ok()?;
                Some(signature.as_ref().to_vec())
            }
            Self::Ed25519(pair) => Some(pair.sign(message).as_ref().to_vec()),
            Self::Rsa(pair) => {
                let mut signature = vec![0; pair.public().modulus_len()];
                pair.sign(&RSA_PKCS1_SHA256, random, message, &mut signature)
                    .ok()?;
                Some(signature)
            }
        }
    }
}

fn part(value: &Value) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(value.to_string())
}

#[cfg(test)]
mod tests;
