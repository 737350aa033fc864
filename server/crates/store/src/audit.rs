//! The audit chain: a row for everything that was decided or done, each bound to the one before.
//!
//! The hash of a row is SHA-256 over, in this order:
//!
//! 1. the 14 bytes `jarvis-audit-1`;
//! 2. `seq` and `at`, each as 8 bytes, two's complement, most significant first;
//! 3. `kind`, `conversation`, `person` and `body`, each as the byte 0 if it is null, else as the
//!    byte 1, its length in bytes as 8 bytes, most significant first, and its UTF-8;
//! 4. `prev`, the 32 bytes of the hash of the row before, zeros for the first row.
//!
//! A row is written in the transaction of the event that it records, so neither is there without
//! the other. The chain shows every change but one: rows cut off its end leave a shorter chain that
//! is sound. Whoever notes the newest hash elsewhere sees that too.

pub(crate) mod bounded;
mod reader;

use std::{borrow::Cow, fmt, str::FromStr};

use protocol::Timestamp;
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};
use sqlx::{Row as _, SqliteConnection, sqlite::SqliteRow};

use crate::{Error, Store, batch::WriteBatch};

pub use reader::{AuditReader, AuditRow, Broken, Verified};

/// Begins the hashed bytes, so that no other data of ours has the same hash.
const DOMAIN: &[u8; 14] = b"jarvis-audit-1";

/// The hash of a row, written in lower-case hexadecimal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct AuditHash(pub [u8; 32]);

impl fmt::Display for AuditHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// The newest row of the chain. Noted elsewhere, it shows later that nothing was cut off before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChainEnd {
    /// The number of rows.
    pub seq: i64,
    pub at: Timestamp,
    pub hash: AuditHash,
}

impl Store {
    /// The newest row of the chain; none if it is empty.
    ///
    /// # Errors
    /// The database failed, or the row is damaged.
    pub async fn chain_end(&self) -> Result<Option<ChainEnd>, Error> {
        let newest = sqlx::query("SELECT seq, at, hash FROM audit ORDER BY seq DESC LIMIT 1")
            .fetch_optional(self.readers())
            .await?;
        let Some(row) = newest else {
            return Ok(None);
        };
        let hash: Vec<u8> = row.try_get("hash")?;
        let hash: [u8; 32] = hash
            .try_into()
            .map_err(|_| Error::Damaged(NoHash.to_string()))?;
        Ok(Some(ChainEnd {
            seq: row.try_get("seq")?,
            at: Timestamp(row.try_get("at")?),
            hash: AuditHash(hash),
        }))
    }
}

/// 64 hexadecimal digits are needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a hash has 64 hexadecimal digits")]
pub struct NoHash;

impl FromStr for AuditHash {
    type Err = NoHash;

    fn from_str(text: &str) -> Result<Self, NoHash> {
        if text.len() != 64 || !text.is_ascii() {
            return Err(NoHash);
        }
        let mut hash = [0; 32];
        for (byte, at) in hash.iter_mut().zip((0..64).step_by(2)) {
            let digits = text.get(at..at + 2).ok_or(NoHash)?;
            *byte = u8::from_str_radix(digits, 16).map_err(|_| NoHash)?;
        }
        Ok(Self(hash))
    }
}

/// A row as it is stored; texts as bytes, since a damaged one may not be UTF-8.
struct StoredRecord {
    seq: i64,
    at: i64,
    kind: Vec<u8>,
    conversation: Option<Vec<u8>>,
    person: Option<Vec<u8>>,
    body: Vec<u8>,
    prev: Vec<u8>,
    hash: Vec<u8>,
}

impl StoredRecord {
    fn of(row: &SqliteRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            seq: row.try_get("seq")?,
            at: row.try_get("at")?,
            kind: row.try_get("kind")?,
            conversation: row.try_get("conversation")?,
            person: row.try_get("person")?,
            body: row.try_get("body")?,
            prev: row.try_get("prev")?,
            hash: row.try_get("hash")?,
        })
    }

    /// The hash that it must have.
    fn digest(&self) -> AuditHash {
        let mut hasher = Sha256::new();
        hasher.update(DOMAIN);
        hasher.update(self.seq.to_be_bytes());
        hasher.update(self.at.to_be_bytes());
        for text in [
            Some(&self.kind),
            self.conversation.as_ref(),
            self.person.as_ref(),
            Some(&self.body),
        ] {
            match text {
                None => hasher.update([0]),
                Some(text) => {
                    hasher.update([1]);
                    hasher.update((text.len() as u64).to_be_bytes());
                    hasher.update(text);
                }
            }
        }
        hasher.update(&self.prev);
        AuditHash(hasher.finalize().into())
    }
}

/// The fields that a row takes from its event.
#[derive(Deserialize)]
struct AuditHead<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    #[serde(default, borrow)]
    by: Option<Cow<'a, str>>,
    #[serde(default, borrow)]
    user: Option<Cow<'a, str>>,
}

/// Rows for the end of the chain, in the order in which they were added.
#[derive(Default)]
pub(crate) struct AuditRows(Vec<StoredRecord>);

impl AuditRows {
    /// Adds a row. `event` is its JSON.
    pub(crate) fn add(
        &mut self,
        at: Timestamp,
        conversation: Option<&str>,
        event: &str,
        detail: &Value,
    ) -> Result<(), Error> {
        let damaged = |error: serde_json::Error| Error::Damaged(error.to_string());
        let head: AuditHead<'_> = serde_json::from_str(event).map_err(damaged)?;
        let event = bounded::event(event).map_err(damaged)?;
        let detail = serde_json::to_string(&*bounded::detail(detail)).map_err(damaged)?;
        let body = format!(r#"{{"event":{event},"detail":{detail}}}"#);
        let person = head.by.or(head.user);
        self.0.push(StoredRecord {
            seq: 0,
            at: at.0,
            kind: head.kind.as_bytes().to_vec(),
            conversation: conversation.map(|id| id.as_bytes().to_vec()),
            person: person.map(|person| person.as_bytes().to_vec()),
            body: body.into_bytes(),
            prev: Vec::new(),
            hash: Vec::new(),
        });
        Ok(())
    }

    /// Binds the rows to the newest of the chain and adds them to the statements of the same
    /// transaction.
    pub(crate) async fn finish(
        self,
        connection: &mut SqliteConnection,
        batch: &mut WriteBatch,
    ) -> Result<(), Error> {
        if self.0.is_empty() {
            return Ok(());
        }
        let newest = sqlx::query("SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1")
            .fetch_optional(connection)
            .await?;
        let (mut seq, mut prev): (i64, Vec<u8>) = match newest {
            None => (0, AuditHash::default().0.to_vec()),
            Some(row) => (row.try_get(0)?, row.try_get(1)?),
        };
        for mut row in self.0 {
            seq = seq.saturating_add(1);
            row.seq = seq;
            row.prev = prev;
            row.hash = row.digest().0.to_vec();
            prev = row.hash.clone();
            batch
                .add(
                    "INSERT INTO audit (seq, at, kind, conversation, person, body, prev, hash) \
                     VALUES (?, ?, CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), \
                     CAST(? AS TEXT), ?, ?)",
                )
                .bind(row.seq)?
                .bind(row.at)?
                .bind(row.kind)?
                .bind(row.conversation)?
                .bind(row.person)?
                .bind(row.body)?
                .bind(row.prev)?
                .bind(row.hash)?;
        }
        Ok(())
    }
}
