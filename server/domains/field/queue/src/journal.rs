//! The device's journal: what it may not forget about jobs, in one file that only grows.
//!
//! Each record has its length and a checksum. A tail that was not written whole is cut: nothing was
//! done yet that depends on it. A record that is damaged in the middle is another thing, for what is
//! behind it shows that it was once whole: then the device refuses all jobs until somebody looks.

use std::collections::{BTreeMap, BTreeSet};

use field_package::ids::JobId;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::{
    message::JobEpoch,
    report::{JobReport, UnknownReason},
    secret::{ClaimSecret, StartNonce},
};

/// The first bytes of the file, with the version of the format.
pub const MAGIC: &[u8; 8] = b"fieldjr1";
/// Largest record in bytes.
const MAX_RECORD: usize = 4096;
/// Bytes in front of a record: its length, then the beginning of a SHA-256 over length and record.
const HEAD: usize = 4 + CHECKSUM;
const CHECKSUM: usize = 8;

/// One record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case", deny_unknown_fields)]
pub enum JournalEntry {
    Claimed {
        job: JobId,
        epoch: JobEpoch,
        claim: ClaimSecret,
        /// Seconds since 1970 until which the job is remembered in full.
        keep_until: u64,
    },
    /// Written before the job is started. From here the job is never started again.
    Started {
        job: JobId,
        nonce: StartNonce,
    },
    Ended {
        job: JobId,
        report: JobReport,
    },
    /// Started, and nobody knows the end.
    Lost {
        job: JobId,
        reason: UnknownReason,
    },
    /// Given up before it was started, or before its first step began.
    Dropped {
        job: JobId,
    },
    /// The server knows all that there is to know.
    Settled {
        job: JobId,
    },
}

/// Reason that a journal is not read. All jobs are refused until a person has looked at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JournalRefusal {
    #[error("the file is not a journal of this version")]
    Magic,
    #[error("the record at byte {at} is damaged, and records behind it are whole")]
    Damaged { at: usize },
    #[error("the record at byte {at} is none that this version writes")]
    Entry { at: usize },
    #[error("a record of {bytes} bytes is too large")]
    TooLarge { bytes: usize },
}

/// A journal that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalContents {
    pub entries: Vec<JournalEntry>,
    /// Length of the part that is whole: the file is cut there before anything is appended.
    pub whole: usize,
}

impl JournalEntry {
    pub fn job(&self) -> &JobId {
        match self {
            Self::Claimed { job, .. }
            | Self::Started { job, .. }
            | Self::Ended { job, .. }
            | Self::Lost { job, .. }
            | Self::Dropped { job }
            | Self::Settled { job } => job,
        }
    }
}

/// The bytes of one record, to be appended and synced.
///
/// # Errors
/// If the record is too large, which no record of ours is.
pub fn record(entry: &JournalEntry) -> Result<Vec<u8>, JournalRefusal> {
    let body = serde_json::to_vec(entry).unwrap_or_default();
    if body.is_empty() || body.len() > MAX_RECORD {
        return Err(JournalRefusal::TooLarge { bytes: body.len() });
    }
    let length = u32::try_from(body.len()).unwrap_or(u32::MAX).to_le_bytes();
    let mut bytes = length.to_vec();
    bytes.extend_from_slice(&checksum(length, &body));
    bytes.extend_from_slice(&body);
    Ok(bytes)
}

/// Reads a file.
///
/// # Errors
/// If the file is of another kind, damaged in the middle, or of a later version.
pub fn read(file: &[u8]) -> Result<JournalContents, JournalRefusal> {
    let Some(rest) = file.strip_prefix(MAGIC) else {
        // The file itself was not written whole; blocks that were made and not written are zeros.
        let end = file
            .iter()
            .rposition(|byte| *byte != 0)
            .map_or(0, |at| at + 1);
        let torn = MAGIC.starts_with(&file[..end]);
        return if torn {
            Ok(JournalContents {
                entries: Vec::new(),
                whole: 0,
            })
        } else {
            Err(JournalRefusal::Magic)
        };
    };
    let mut entries = Vec::new();
    let mut at = 0;
    while at < rest.len() {
        let Some(body) = whole_record(&rest[at..]) else {
            // Torn, unless something behind it is whole. A damaged length must not hide the rest.
            let behind = (at + 1..rest.len()).any(|from| whole_record(&rest[from..]).is_some());
            if behind {
                return Err(JournalRefusal::Damaged {
                    at: MAGIC.len() + at,
                });
            }
            break;
        };
        let entry = serde_json::from_slice(body).map_err(|_| JournalRefusal::Entry {
            at: MAGIC.len() + at,
        })?;
        entries.push(entry);
        at += HEAD + body.len();
    }
    Ok(JournalContents {
        entries,
        whole: MAGIC.len() + at,
    })
}

/// The entries that a shorter journal needs. Of a job that is settled and past its time, only the fact
/// that it was started stays, for good.
#[must_use]
pub fn compacted(entries: &[JournalEntry], now: u64) -> Vec<JournalEntry> {
    let mut keep_until: BTreeMap<&JobId, u64> = BTreeMap::new();
    let mut forgotten: BTreeSet<&JobId> = BTreeSet::new();
    for entry in entries {
        let job = entry.job();
        match entry {
            JournalEntry::Claimed {
                keep_until: until, ..
            } => {
                keep_until.insert(job, *until);
                forgotten.remove(job);
            }
            JournalEntry::Settled { .. } if keep_until.get(job).is_none_or(|it| *it < now) => {
                forgotten.insert(job);
            }
            _ => {}
        }
    }
    let kept = entries.iter().filter(|entry| {
        let was_started = matches!(entry, JournalEntry::Started { .. });
        was_started || !forgotten.contains(entry.job())
    });
    kept.cloned().collect()
}

/// The record at the beginning of these bytes, if it is whole.
fn whole_record(bytes: &[u8]) -> Option<&[u8]> {
    let (head, rest) = bytes.split_at_checked(HEAD)?;
    let length: [u8; 4] = head[..4].try_into().ok()?;
    let size = usize::try_from(u32::from_le_bytes(length)).ok()?;
    if !(1..=MAX_RECORD).contains(&size) {
        return None;
    }
    let body = rest.get(..size)?;
    (head[4..] == checksum(length, body)).then_some(body)
}

fn checksum(length: [u8; 4], body: &[u8]) -> [u8; CHECKSUM] {
    let digest = Sha256::new()
        .chain_update(length)
        .chain_update(body)
        .finalize();
    let mut sum = [0; CHECKSUM];
    sum.copy_from_slice(&digest[..CHECKSUM]);
    sum
}

#[cfg(test)]
mod tests;
