//! Signed tokens for programs: JSON web tokens (RFC 7519) under HMAC-SHA-256, and nothing else.
//!
//! The signature keeps guesses away from the database, and lets programs read what their token is
//! for. Whether a token is good is never read out of it alone: its id is looked up each time.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit, Mac};
use protocol::{Role, Timestamp, UserId};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

/// The one header that is written and taken. It is compared as it stands: no token says how it is
/// to be checked.
const HEADER: &str = r#"{"alg":"HS256","typ":"JWT"}"#;
/// Who makes them.
const ISSUER: &str = "jarvis";
/// The longest that is looked at, in bytes.
const MAX: usize = 4096;
/// A token may come from so far in the future, in seconds: this machine's clock may have been set
/// back a little since.
const LEEWAY: i64 = 60;

/// What a token says. Times are seconds since 1970, as the standard has them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Claims {
    iss: String,
    pub(super) sub: UserId,
    /// The id under which the database knows it.
    pub(super) jti: String,
    iat: i64,
    exp: i64,
    /// What it is good for when it is made; the database decides.
    pub(super) role: Role,
    /// None for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) toolsets: Option<Vec<String>>,
}

impl Claims {
    pub(super) fn new(user: UserId, token: &store::Token) -> Self {
        Self {
            iss: ISSUER.to_owned(),
            sub: user,
            jti: token.id.clone(),
            iat: token.created.0.div_euclid(1000),
            exp: token.expires.0.div_euclid(1000),
            role: token.role,
            toolsets: token.toolsets.clone(),
        }
    }
}

/// The key of this installation.
#[derive(Clone)]
pub(crate) struct Signer(Hmac<Sha256>);

impl Signer {
    pub(crate) fn new(key: [u8; 32]) -> Self {
        // As long as a block of the hash: HMAC fills a shorter key up with zeros.
        let mut block = [0; 64];
        block[..key.len()].copy_from_slice(&key);
        Self(Hmac::new(&block.into()))
    }

    /// A token with these claims.
    pub(super) fn sign(&self, claims: &Claims) -> Result<String, serde_json::Error> {
        let claims = serde_json::to_vec(claims)?;
        let signed = format!("{}.{}", encoded(HEADER), encoded(claims));
        let signature = self.mac(&signed).finalize().into_bytes();
        Ok(format!("{signed}.{}", encoded(signature)))
    }

    /// What a token says, if it is one of ours and of this time.
    pub(super) fn verify(&self, token: &str, now: Timestamp) -> Option<Claims> {
        if token.len() > MAX {
            return None;
        }
        let (signed, signature) = token.rsplit_once('.')?;
        let (header, claims) = signed.split_once('.')?;
        if header != encoded(HEADER) {
            return None;
        }
        let signature = BASE64_URL_SAFE_NO_PAD.decode(signature).ok()?;
        // Takes as long wherever it differs.
        self.mac(signed).verify_slice(&signature).ok()?;
        let claims = BASE64_URL_SAFE_NO_PAD.decode(claims).ok()?;
        let claims: Claims = serde_json::from_slice(&claims).ok()?;
        let now = now.0.div_euclid(1000);
        let good =
            claims.iss == ISSUER && claims.iat <= now.saturating_add(LEEWAY) && now < claims.exp;
        good.then_some(claims)
    }

    fn mac(&self, signed: &str) -> Hmac<Sha256> {
        let mut mac = self.0.clone();
        mac.update(signed.as_bytes());
        mac
    }
}

fn encoded(bytes: impl AsRef<[u8]>) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp(1_700_000_000_000);

    fn claims() -> Claims {
        Claims {
            iss: ISSUER.to_owned(),
            sub: UserId::new(NOW, 1),
            jti: "tok_1".to_owned(),
            iat: 1_700_000_000,
            exp: 1_700_000_100,
            role: Role::Viewer,
            toolsets: Some(vec!["homelab".to_owned()]),
        }
    }

    fn later(seconds: i64) -> Timestamp {
        Timestamp(NOW.0 + 1000 * seconds)
    }

    /// Signs any text, as somebody would who has the key but not this code.
    fn forged(signer: &Signer, header: &str, claims: &str) -> String {
        let signed = format!("{}.{}", encoded(header), encoded(claims));
        let signature = signer.mac(&signed).finalize().into_bytes();
        format!("{signed}.{}", encoded(signature))
    }

    /// The example of RFC 7515, appendix A.1: its signature is the one that this code makes.
    #[test]
    fn signs_as_the_standard_says() {
        let key = "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75\
                   aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow";
        let key = BASE64_URL_SAFE_NO_PAD.decode(key).unwrap();
        let signer = Signer(Hmac::new_from_slice(&key).unwrap());
        let signed = "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.\
                      eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ";
        assert_eq!(
            encoded(signer.mac(signed).finalize().into_bytes()),
            "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        );
    }

    #[test]
    fn takes_its_own_while_they_last() {
        let signer = Signer::new([7; 32]);
        let token = signer.sign(&claims()).unwrap();
        for (seconds, good) in [
            (-61, false),
            (-60, true),
            (0, true),
            (99, true),
            (100, false),
        ] {
            let found = signer.verify(&token, later(seconds));
            assert_eq!(found, good.then(claims), "{seconds}");
        }
        assert_eq!(
            Signer::new([8; 32]).verify(&token, NOW),
            None,
            "another key"
        );
    }

    #[test]
    fn takes_nothing_else() {
        let signer = Signer::new([7; 32]);
        let good = serde_json::to_string(&claims()).unwrap();
        let token = forged(&signer, HEADER, &good);
        assert!(signer.verify(&token, NOW).is_some());
        let (signed, signature) = token.rsplit_once('.').unwrap();
        let (_, body) = signed.split_once('.').unwrap();
        let none = encoded(r#"{"alg":"none","typ":"JWT"}"#);
        for wrong in [
            String::new(),
            "..".to_owned(),
            signed.to_owned(),
            format!("{signed}."),
            format!("{none}.{body}."),
            format!("{none}.{body}.{signature}"),
            format!("{token}="),
            format!("{token}.{signature}"),
            format!("{signed}.{}", signature.to_uppercase()),
            forged(&signer, r#"{"alg":"none","typ":"JWT"}"#, &good),
            forged(&signer, r#"{"alg":"HS512","typ":"JWT"}"#, &good),
            forged(&signer, r#"{"alg":"HS256","typ":"JOSE"}"#, &good),
            forged(&signer, r#"{"typ":"JWT","alg":"HS256"}"#, &good),
            forged(&signer, HEADER, &good.replace("\"jarvis\"", "\"friday\"")),
            forged(&signer, HEADER, &good.replace("\"exp\":1700000100,", "")),
            forged(
                &signer,
                HEADER,
                &good.replace("\"iat\":1700000000", "\"iat\":1800000000"),
            ),
            forged(&signer, HEADER, &format!("{good}{}", " ".repeat(MAX))),
        ] {
            assert_eq!(signer.verify(&wrong, NOW), None, "{wrong}");
        }
    }
}
