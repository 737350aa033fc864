//! Signatures: HMAC-SHA256 over id, time and body, with a secret that only the endpoint has besides us.

use std::fmt;

use base64::{Engine, prelude::BASE64_STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Begins each secret, so that people and scanners recognise one.
const PREFIX: &str = "whsec_";
/// Bytes of a secret, as the specification bounds them.
const BYTES: std::ops::RangeInclusive<usize> = 24..=64;
/// The most secrets of an endpoint: a rotation needs two.
const MOST: usize = 4;

/// The secrets of an endpoint. Never shown.
#[derive(Clone)]
pub struct SigningSecrets(Vec<Hmac<Sha256>>);

impl SigningSecrets {
    /// Reads secrets, separated by white space. The newest one may stand at any place: a receiver accepts
    /// a message if one of its signatures fits.
    ///
    /// # Errors
    /// A secret is malformed, or there are none or too many.
    pub fn parse(text: &str) -> Result<Self, SecretFault> {
        let keys = text.split_whitespace().map(key);
        let keys = keys.collect::<Result<Vec<_>, _>>()?;
        if keys.is_empty() || keys.len() > MOST {
            return Err(SecretFault::Number);
        }
        Ok(Self(keys))
    }

    /// The value of `webhook-signature` for a message that is sent at this second.
    pub(crate) fn sign(&self, message: &str, seconds: i64, body: &str) -> String {
        let seconds = seconds.to_string();
        let signatures = self.0.iter().map(|key| {
            let mut mac = key.clone();
            for part in [message, ".", &seconds, ".", body] {
                mac.update(part.as_bytes());
            }
            let signature = mac.finalize().into_bytes();
            format!("v1,{}", BASE64_STANDARD.encode(&signature[..]))
        });
        signatures.collect::<Vec<_>>().join(" ")
    }
}

impl fmt::Debug for SigningSecrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(secret)")
    }
}

fn key(secret: &str) -> Result<Hmac<Sha256>, SecretFault> {
    let encoded = secret.strip_prefix(PREFIX).ok_or(SecretFault::Form)?;
    let bytes = BASE64_STANDARD.decode(encoded);
    let bytes = bytes.map_err(|_| SecretFault::Form)?;
    if !BYTES.contains(&bytes.len()) {
        return Err(SecretFault::Length);
    }
    Hmac::new_from_slice(&bytes).map_err(|_| SecretFault::Length)
}

/// The reason why a text has no secrets. The text itself stays out of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SecretFault {
    #[error(
        "expected whsec_ and Base64, such as the output of: echo whsec_$(openssl rand -base64 32)"
    )]
    Form,
    #[error("expected 24 to 64 bytes in Base64 behind whsec_")]
    Length,
    #[error("expected one secret, or up to four separated by spaces or lines")]
    Number,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of the specification's own libraries.
    const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    const MESSAGE: &str = "msg_p5jXN8AQM9LWM0D4loKWxJek";
    const SECONDS: i64 = 1_614_265_330;
    const BODY: &str = r#"{"test": 2432232314}"#;
    const SIGNATURE: &str = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

    /// The signature by another implementation.
    fn by_ring(secret: &str, message: &str, seconds: i64, body: &str) -> String {
        let key = BASE64_STANDARD.decode(&secret[PREFIX.len()..]).unwrap();
        let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, &key);
        let signed = ring::hmac::sign(&key, format!("{message}.{seconds}.{body}").as_bytes());
        format!("v1,{}", BASE64_STANDARD.encode(signed.as_ref()))
    }

    fn encoded(length: usize) -> String {
        format!("{PREFIX}{}", BASE64_STANDARD.encode(vec![7_u8; length]))
    }

    #[test]
    fn a_signature_is_that_of_the_specification() {
        assert_eq!(by_ring(SECRET, MESSAGE, SECONDS, BODY), SIGNATURE);
        let secrets = SigningSecrets::parse(SECRET).unwrap();
        assert_eq!(secrets.sign(MESSAGE, SECONDS, BODY), SIGNATURE);
        // Each byte of each part counts.
        for (message, seconds, body) in [
            ("msg_p5jXN8AQM9LWM0D4loKWxJel", SECONDS, BODY),
            (MESSAGE, SECONDS + 1, BODY),
            (MESSAGE, SECONDS, r#"{"test": 2432232315}"#),
            (MESSAGE, -1, "é\u{202e}\0"),
        ] {
            let signed = secrets.sign(message, seconds, body);
            assert_eq!(signed, by_ring(SECRET, message, seconds, body));
            assert_ne!(signed, SIGNATURE);
        }
    }

    #[test]
    fn while_a_secret_is_rotated_both_sign() {
        let (old, new) = (SECRET.to_owned(), encoded(64));
        let secrets = SigningSecrets::parse(&format!("{new}\n{old}\n")).unwrap();
        let expect = [&new, &old].map(|secret| by_ring(secret, MESSAGE, SECONDS, BODY));
        assert_eq!(secrets.sign(MESSAGE, SECONDS, BODY), expect.join(" "));
    }

    #[test]
    fn what_is_no_secret_is_refused_and_never_shown() {
        for (text, expect) in [
            (encoded(24), Ok(())),
            (encoded(64), Ok(())),
            (format!("  {}\n", encoded(32)), Ok(())),
            (encoded(23), Err(SecretFault::Length)),
            (encoded(65), Err(SecretFault::Length)),
            (PREFIX.to_owned(), Err(SecretFault::Length)),
            (String::new(), Err(SecretFault::Number)),
            (" \n".to_owned(), Err(SecretFault::Number)),
            ([SECRET; 5].join(" "), Err(SecretFault::Number)),
            ("hunter2".to_owned(), Err(SecretFault::Form)),
            (SECRET.replace("whsec_", ""), Err(SecretFault::Form)),
            (SECRET.replace("whsec_", "whpk_"), Err(SecretFault::Form)),
            (format!("{SECRET}!"), Err(SecretFault::Form)),
            (format!("{SECRET} hunter2"), Err(SecretFault::Form)),
        ] {
            let parsed = SigningSecrets::parse(&text);
            let shown = format!("{parsed:?}");
            assert!(
                !shown.contains("hunter2") && !shown.contains("MfKQ"),
                "{shown}"
            );
            assert_eq!(parsed.map(drop), expect, "{text}");
        }
    }
}
