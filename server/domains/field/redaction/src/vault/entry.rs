//! One value of a vault, and its sealed form for a store.

use std::fmt;

use aes_gcm::aead::{Aead, Payload};
use aes_gcm::{Aes256Gcm, KeyInit};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use crate::class::Class;
use crate::error::RedactionError;
use crate::token::Pseudonym;

/// Bytes of a nonce of AES-GCM.
const NONCE: usize = 12;

/// Keys of a vault, 32 random bytes each, which are kept outside of the database.
#[derive(Clone)]
pub struct VaultKeys {
    /// Of the hashes that say which values are equal.
    equality: [u8; 32],
    /// Of the encryption of values.
    seal: [u8; 32],
}

impl VaultKeys {
    #[must_use]
    pub fn new(equality: [u8; 32], seal: [u8; 32]) -> Self {
        Self { equality, seal }
    }

    /// HMAC-SHA256 of a value of a site, in hexadecimal. Two spellings of one value have the same hash.
    #[must_use]
    pub fn hash(&self, site: &str, class: Class, value: &str) -> String {
        // HMAC pads a key to the block of its hash with zeros.
        let mut block = [0; 64];
        block[..32].copy_from_slice(&self.equality);
        let mut mac: Hmac<Sha256> = Hmac::new(&block.into());
        for part in [site, class.name(), &class.canonical(value)] {
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part.as_bytes());
        }
        let bytes = mac.finalize().into_bytes();
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl fmt::Debug for VaultKeys {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("VaultKeys(…)")
    }
}

/// A value and its token. `Debug` does not show the value.
#[derive(Clone, PartialEq, Eq)]
pub struct VaultEntry {
    pub class: Class,
    pub token: Pseudonym,
    value: String,
    /// Of networks: the interface, or that the prefix is assumed.
    pub(crate) note: String,
}

impl VaultEntry {
    /// The note of a network that no interface or route names. No interface can have this name.
    pub(crate) const ASSUMED: &str = "?";

    pub(crate) fn new(class: Class, token: Pseudonym, value: String, note: String) -> Self {
        Self {
            class,
            token,
            value,
            note,
        }
    }

    /// The value, for somebody who may see it: the caller has checked that, and records it.
    #[must_use]
    pub fn value(&self) -> &str {
        &self.value
    }

    /// The form for a store. `nonce` must be random and used once.
    ///
    /// # Errors
    ///
    /// If the value is too long to be encrypted, which no value of a vault is.
    pub fn seal(
        &self,
        site: &str,
        keys: &VaultKeys,
        nonce: [u8; NONCE],
    ) -> Result<SealedEntry, RedactionError> {
        let fails = || RedactionError::BadEntry(self.token.to_string());
        let plain = with_note(&self.value, &self.note);
        let associated = associated(site, self.class, self.token);
        let payload = Payload {
            msg: plain.as_bytes(),
            aad: associated.as_bytes(),
        };
        let cipher = Aes256Gcm::new(&keys.seal.into());
        let sealed = cipher
            .encrypt(&nonce.into(), payload)
            .map_err(|_| fails())?;
        let mut bytes = nonce.to_vec();
        bytes.extend(sealed);
        Ok(SealedEntry {
            class: self.class,
            token: self.token,
            hash: keys.hash(site, self.class, &self.value),
            sealed: STANDARD.encode(bytes),
        })
    }
}

impl fmt::Debug for VaultEntry {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "VaultEntry({} …)", self.token)
    }
}

/// An entry as a store keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SealedEntry {
    pub class: Class,
    pub token: Pseudonym,
    /// HMAC of the value: equality without decryption.
    pub hash: String,
    /// Nonce and ciphertext, in base64. Site, class and token are authenticated with them.
    pub sealed: String,
}

impl SealedEntry {
    /// Opens an entry of this site.
    ///
    /// # Errors
    ///
    /// If it was sealed with another key, for another site, or changed since.
    pub fn open(&self, site: &str, keys: &VaultKeys) -> Result<VaultEntry, RedactionError> {
        let fails = || RedactionError::CannotOpen(self.token);
        let bytes = STANDARD.decode(&self.sealed).map_err(|_| fails())?;
        let (nonce, sealed) = bytes.split_first_chunk::<NONCE>().ok_or_else(fails)?;
        let associated = associated(site, self.class, self.token);
        let payload = Payload {
            msg: sealed,
            aad: associated.as_bytes(),
        };
        let cipher = Aes256Gcm::new(&keys.seal.into());
        let plain = cipher
            .decrypt(&(*nonce).into(), payload)
            .map_err(|_| fails())?;
        let plain = String::from_utf8(plain).map_err(|_| fails())?;
        let (note, value) = plain.split_once('\n').ok_or_else(fails)?;
        Ok(VaultEntry::new(
            self.class,
            self.token,
            value.to_owned(),
            note.to_owned(),
        ))
    }
}

/// Notes have no line breaks, so the first one ends the note.
fn with_note(value: &str, note: &str) -> String {
    format!("{note}\n{value}")
}

fn associated(site: &str, class: Class, token: Pseudonym) -> String {
    format!("{}:{site}:{}:{token}", site.len(), class.name())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_opens_for_its_own_place_only() {
        let keys = VaultKeys::new([1; 32], [2; 32]);
        let token = Pseudonym::parse("host-1").expect("a token");
        let entry = VaultEntry::new(Class::Host, token, "nas-berlin".to_owned(), String::new());
        let sealed = entry.seal("a", &keys, [3; 12]).expect("sealed");
        assert_eq!(sealed.open("a", &keys), Ok(entry.clone()));
        let json = serde_json::to_string(&sealed).expect("JSON");
        assert!(!json.contains("berlin") && !format!("{entry:?} {keys:?}").contains("berlin"));
        let fails = Err(RedactionError::CannotOpen(token));
        assert_eq!(sealed.open("b", &keys), fails);
        assert_eq!(sealed.open("a", &VaultKeys::new([1; 32], [9; 32])), fails);
        let moved = SealedEntry {
            class: Class::Ssid,
            ..sealed.clone()
        };
        assert_eq!(moved.open("a", &keys), fails);
        assert_eq!(keys.hash("a", Class::Host, "NAS-Berlin."), sealed.hash);
        assert_ne!(keys.hash("b", Class::Host, "nas-berlin"), sealed.hash);
    }
}
