//! Signatures of thinking blocks: a MAC over the thinking and everything before it.
//!
//! The secret is a constant on purpose: stored conversations must stay valid after a restart, and a
//! stand-in has nothing to protect.

use sha2::{Digest, Sha256};

use crate::{ids::hex, prefix::Chain};

const SECRET: &[u8] = b"rehearsal thinking 1";

/// Result of verifying a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Made by this model on this server, and unchanged.
    Valid,
    /// Made by another model: the block is ignored.
    Foreign,
    /// The thinking or the signature was changed.
    Altered,
    /// Something before the block was changed.
    PrefixChanged,
}

/// Signs thinking that follows `before`.
pub(crate) fn sign(model: &str, before: &Chain, thinking: &str) -> String {
    let own = mac(&[b"text", model.as_bytes(), thinking.as_bytes()]);
    let bound = mac(&[b"bound", own.as_bytes(), before.hash()]);
    format!("rehearsal.{model}.{own}.{bound}")
}

/// Verifies a signature.
pub(crate) fn verify(model: &str, before: &Chain, thinking: &str, signature: &str) -> Verdict {
    let parts: Vec<&str> = signature.split('.').collect();
    let ["rehearsal", maker, own, bound] = parts[..] else {
        return Verdict::Altered;
    };
    if mac(&[b"text", maker.as_bytes(), thinking.as_bytes()]) != own {
        return Verdict::Altered;
    }
    if maker != model {
        return Verdict::Foreign;
    }
    if mac(&[b"bound", own.as_bytes(), before.hash()]) != bound {
        return Verdict::PrefixChanged;
    }
    Verdict::Valid
}

fn mac(parts: &[&[u8]]) -> String {
    let digest = |key: u8, parts: &[&[u8]]| {
        let mut hasher = Sha256::new();
        hasher.update([key]);
        hasher.update(SECRET);
        for part in parts {
            hasher.update((part.len() as u64).to_be_bytes());
            hasher.update(part);
        }
        hasher.finalize()
    };
    let inner = digest(0x36, parts);
    hex(&digest(0x5c, &[&inner])[..16])
}
