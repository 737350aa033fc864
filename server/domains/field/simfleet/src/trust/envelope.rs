//! DSSE envelopes, version 1: signatures over the bytes of a document and its type.

use super::keys::{TrustedKey, base64_bytes, signed_bytes};
use super::members::{self, MemberFault, Members};

/// Signatures of an envelope at most.
const MAX_SIGNATURES: usize = 8;

/// Reason that an envelope is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum EnvelopeFault {
    #[error(transparent)]
    Form(#[from] MemberFault),
    #[error("not base64 in its one spelling")]
    Base64,
    #[error("none or too many signatures")]
    Count,
    #[error("a signature is not of a trusted key")]
    Signature,
    #[error("{signed} keys have signed, {threshold} have to")]
    Threshold { signed: usize, threshold: usize },
    #[error("a document of another type")]
    Type,
}

/// An envelope as it came. Nothing of it is verified yet.
#[derive(Clone, Debug)]
pub(crate) struct SealedDocument {
    kind: String,
    /// The bytes that the signatures are for.
    document: Vec<u8>,
    signatures: Vec<KeyedSignature>,
}

/// A signature with the fingerprint that it claims to be of.
#[derive(Clone, Debug)]
struct KeyedSignature {
    key: String,
    bytes: Vec<u8>,
}

/// Bytes whose signatures were verified, and the fingerprints of the keys that signed.
#[derive(Clone, Debug)]
pub(crate) struct SignedDocument {
    pub(crate) bytes: Vec<u8>,
    pub(crate) signers: Vec<String>,
}

impl SealedDocument {
    /// Reads the bytes of an envelope.
    pub(crate) fn read(bytes: &[u8], most: usize) -> Result<Self, EnvelopeFault> {
        Self::of(members::document(bytes, most)?)
    }

    /// Reads an envelope that is a member of another document.
    pub(crate) fn of(mut envelope: Members) -> Result<Self, EnvelopeFault> {
        let payload = envelope.text("payload")?;
        let kind = envelope.text("payloadType")?;
        let items = envelope.objects("signatures")?;
        envelope.end()?;
        if !(1..=MAX_SIGNATURES).contains(&items.len()) {
            return Err(EnvelopeFault::Count);
        }
        let mut signatures = Vec::new();
        for mut item in items {
            let key = item.text("keyid")?;
            let bytes = base64_bytes(&item.text("sig")?).ok_or(EnvelopeFault::Base64)?;
            item.end()?;
            signatures.push(KeyedSignature { key, bytes });
        }
        Ok(Self {
            kind,
            document: base64_bytes(&payload).ok_or(EnvelopeFault::Base64)?,
            signatures,
        })
    }

    /// Verifies the signatures, then the type. Each signature has to be good and of a key that has
    /// not signed before.
    pub(crate) fn verified(
        self,
        kind: &str,
        keys: &[TrustedKey],
        threshold: usize,
    ) -> Result<SignedDocument, EnvelopeFault> {
        let message = signed_bytes(&self.kind, &self.document);
        let mut signers: Vec<String> = Vec::new();
        for signature in &self.signatures {
            // The name of the key is outside what is signed, and still no other one is taken for it: each
            // document has one accepted envelope.
            let mut named = keys.iter().filter(|key| key.fingerprint == signature.key);
            let signer = named.find(|key| key.has_signed(&message, &signature.bytes));
            let signer = signer.ok_or(EnvelopeFault::Signature)?;
            if signers.contains(&signer.fingerprint) {
                return Err(EnvelopeFault::Signature);
            }
            signers.push(signer.fingerprint.clone());
        }
        if threshold == 0 || signers.len() < threshold {
            return Err(EnvelopeFault::Threshold {
                signed: signers.len(),
                threshold,
            });
        }
        if self.kind != kind {
            return Err(EnvelopeFault::Type);
        }
        Ok(SignedDocument {
            bytes: self.document,
            signers,
        })
    }

    /// The document before any check, to learn which keys it names.
    pub(crate) fn claimed(&self) -> &[u8] {
        &self.document
    }
}
