//! Identifiers and digests, each a type of its own with one spelling.

use serde::{Deserialize, Serialize};

use crate::{hex, texts};

/// Reason that a text is not an identifier of its kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", texts::documents::bad_id(kind))]
pub struct IdRefusal {
    pub kind: &'static str,
}

/// Writes an identifier that accepts a text by a check.
macro_rules! id {
    ($(#[$about:meta])* $name:ident, $kind:literal, $check:expr) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// # Errors
            /// If the text has another form.
            pub fn new(text: &str) -> Result<Self, IdRefusal> {
                let check: fn(&str) -> bool = $check;
                if check(text) {
                    Ok(Self(text.to_owned()))
                } else {
                    Err(IdRefusal { kind: $kind })
                }
            }

            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = IdRefusal;

            fn try_from(text: String) -> Result<Self, IdRefusal> {
                Self::new(&text)
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

id! {
    /// A job: `run_` and 26 characters of `[0-9a-z]`, safe in the name of a unit or a file.
    JobId, "job", |text| is_prefixed(text, "run_")
}
id! {
    /// A device: `dev_` and 26 characters of `[0-9a-z]`.
    DeviceId, "device", |text| is_prefixed(text, "dev_")
}
id! {
    /// A site: up to 40 characters of `[a-z0-9-]`.
    SiteId, "site", |text| {
        (1..=40).contains(&text.len())
            && text.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'-')
    }
}
id! {
    /// SHA-256 of a public key, in 64 digits.
    Fingerprint, "fingerprint", |text| hex::read::<32>(text).is_some()
}
id! {
    /// SHA-256 of some bytes, in 64 digits.
    Sha256Hex, "SHA-256", |text| hex::read::<32>(text).is_some()
}
id! {
    /// Sixteen random bytes in 32 digits, used once.
    PackageNonce, "nonce", |text| hex::read::<16>(text).is_some()
}

impl Fingerprint {
    pub(crate) fn of(digest: &[u8; 32]) -> Self {
        Self(hex::write(digest))
    }

    /// Sixteen digits in groups of four, for people to compare.
    pub fn short(&self) -> String {
        let groups: Vec<_> = (0..4).map(|at| &self.0[at * 4..at * 4 + 4]).collect();
        groups.join(" ")
    }
}

impl Sha256Hex {
    /// The digest of these bytes.
    pub fn digest(bytes: &[u8]) -> Self {
        use sha2::Digest as _;
        Self(hex::write(&sha2::Sha256::digest(bytes)))
    }
}

fn is_prefixed(text: &str, prefix: &str) -> bool {
    text.strip_prefix(prefix).is_some_and(|rest| {
        rest.len() == 26
            && rest
                .bytes()
                .all(|it| it.is_ascii_lowercase() || it.is_ascii_digit())
    })
}
