//! Signed envelopes: DSSE version 1 with Ed25519.
//!
//! Signatures cover bytes, and the type of the document with them. What was verified is read, and
//! nothing else: the type is inside the signature, so a document never passes for one of another type.

use std::collections::BTreeSet;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde::{Deserialize, Serialize};

use crate::{
    ids::Fingerprint,
    keys::{PublicSigningKey, SigningPair},
    texts,
};

/// Signatures of an envelope at most.
pub(crate) const MAX_SIGNATURES: usize = 8;

/// A document with its type and signatures, in the members and the order of DSSE.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignedEnvelope {
    /// The document in base64.
    payload: String,
    #[serde(rename = "payloadType")]
    payload_type: String,
    signatures: Vec<EnvelopeSignature>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EnvelopeSignature {
    /// Fingerprint of the key. A hint: whoever lies here is found out by the signature.
    keyid: Fingerprint,
    /// The signature in base64.
    sig: String,
}

/// Reason that an envelope is not accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EnvelopeRefusal {
    #[error("{}", texts::keys::BASE64)]
    Base64,
    #[error("{}", texts::keys::SIGNATURES)]
    Signatures,
    #[error("{}", texts::keys::unknown_key(key.as_str()))]
    UnknownKey { key: Fingerprint },
    #[error("{}", texts::keys::REPEATED)]
    Repeated,
    #[error("{}", texts::keys::BAD_SIGNATURE)]
    Signature,
    #[error("{}", texts::keys::too_few(*signed, *threshold))]
    Threshold { signed: usize, threshold: usize },
    #[error("{}", texts::keys::OTHER_TYPE)]
    Type,
}

/// The bytes that are signed: version, type and document, each with its length in bytes.
pub fn signed_bytes(kind: &str, document: &[u8]) -> Vec<u8> {
    let mut bytes = format!("DSSEv1 {} {kind} {} ", kind.len(), document.len()).into_bytes();
    bytes.extend_from_slice(document);
    bytes
}

/// Reads base64 in its one spelling.
pub(crate) fn from_base64(text: &str) -> Option<Vec<u8>> {
    let bytes = BASE64_STANDARD.decode(text).ok()?;
    (BASE64_STANDARD.encode(&bytes) == text).then_some(bytes)
}

pub(crate) fn to_base64(bytes: &[u8]) -> String {
    BASE64_STANDARD.encode(bytes)
}

impl SignedEnvelope {
    /// Signs a document with each of these keys.
    pub fn sign(kind: &str, document: &[u8], keys: &[&SigningPair]) -> Self {
        let signed = signed_bytes(kind, document);
        let signatures = keys.iter().map(|key| EnvelopeSignature {
            keyid: key.fingerprint(),
            sig: to_base64(&key.sign(&signed)),
        });
        Self {
            payload: to_base64(document),
            payload_type: kind.to_owned(),
            signatures: signatures.collect(),
        }
    }

    /// Verifies the signatures, then the type, and returns the document with those who signed it.
    ///
    /// All signatures must be good and of different known keys. One that is not could be passed over,
    /// but then two envelopes would carry one document, and a reader could not tell which was sent.
    ///
    /// # Errors
    /// If anything about the envelope is not as [`Self::sign`] makes it.
    pub fn verify(
        &self,
        kind: &str,
        keys: &[PublicSigningKey],
        threshold: usize,
    ) -> Result<VerifiedDocument, EnvelopeRefusal> {
        let document = from_base64(&self.payload).ok_or(EnvelopeRefusal::Base64)?;
        if !(1..=MAX_SIGNATURES).contains(&self.signatures.len()) {
            return Err(EnvelopeRefusal::Signatures);
        }
        let signed = signed_bytes(&self.payload_type, &document);
        let mut signers = BTreeSet::new();
        for signature in &self.signatures {
            let bytes = from_base64(&signature.sig).ok_or(EnvelopeRefusal::Base64)?;
            let mut known = keys.iter();
            let key = known.find(|key| key.fingerprint() == signature.keyid);
            let key = key.ok_or_else(|| EnvelopeRefusal::UnknownKey {
                key: signature.keyid.clone(),
            })?;
            if !key.verifies(&signed, &bytes) {
                return Err(EnvelopeRefusal::Signature);
            }
            if !signers.insert(signature.keyid.clone()) {
                return Err(EnvelopeRefusal::Repeated);
            }
        }
        // Keys are counted, not signatures.
        if threshold == 0 || signers.len() < threshold {
            return Err(EnvelopeRefusal::Threshold {
                signed: signers.len(),
                threshold,
            });
        }
        if self.payload_type != kind {
            return Err(EnvelopeRefusal::Type);
        }
        Ok(VerifiedDocument { document, signers })
    }

    /// Adds the signature of one more key over the same bytes.
    ///
    /// # Errors
    /// If the document is not base64, the key signed before, or there are too many signatures.
    pub fn add(&mut self, key: &SigningPair) -> Result<(), EnvelopeRefusal> {
        let document = from_base64(&self.payload).ok_or(EnvelopeRefusal::Base64)?;
        let keyid = key.fingerprint();
        if self.named_signers().any(|it| *it == keyid) {
            return Err(EnvelopeRefusal::Repeated);
        }
        if self.signatures.len() >= MAX_SIGNATURES {
            return Err(EnvelopeRefusal::Signatures);
        }
        let sig = to_base64(&key.sign(&signed_bytes(&self.payload_type, &document)));
        self.signatures.push(EnvelopeSignature { keyid, sig });
        Ok(())
    }

    /// Leaves out the signatures of other keys. The bytes that the rest cover stay the same.
    pub(crate) fn keep_signatures(&mut self, keys: &[PublicSigningKey]) {
        let keys: BTreeSet<_> = keys.iter().map(PublicSigningKey::fingerprint).collect();
        self.signatures.retain(|it| keys.contains(&it.keyid));
    }

    /// The type that the envelope claims.
    pub(crate) fn claimed_type(&self) -> &str {
        &self.payload_type
    }

    /// The keys that the signatures name. Only [`Self::verify`] says who really signed.
    pub(crate) fn named_signers(&self) -> impl Iterator<Item = &Fingerprint> {
        self.signatures.iter().map(|it| &it.keyid)
    }

    /// The document without any check, for finding out which keys it names.
    pub(crate) fn unverified(&self) -> Option<Vec<u8>> {
        from_base64(&self.payload)
    }
}

/// The bytes of a document whose signatures were verified, and the keys that signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifiedDocument {
    pub document: Vec<u8>,
    pub signers: BTreeSet<Fingerprint>,
}

#[cfg(test)]
mod tests;
