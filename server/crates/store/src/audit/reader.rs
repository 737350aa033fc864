//! Reads and checks the chain without a server, or while one runs.

use std::{fmt, ops::RangeInclusive, path::Path, time::Duration};

use futures::TryStreamExt;
use protocol::Timestamp;
use sqlx::{Connection, SqliteConnection, sqlite::SqliteConnectOptions};

use super::{AuditHash, StoredRecord};
use crate::{Error, texts};

/// Texts as bytes: they must be readable whatever they contain.
const COLUMNS: &str = "SELECT seq, at, CAST(kind AS BLOB) AS kind, \
                       CAST(conversation AS BLOB) AS conversation, \
                       CAST(person AS BLOB) AS person, CAST(body AS BLOB) AS body, prev, hash \
                       FROM audit";

/// A row of the chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditRow {
    /// Dense, from 1.
    pub seq: i64,
    pub at: Timestamp,
    /// The event's type name.
    pub kind: String,
    pub conversation: Option<String>,
    /// The name of the person who did it, or the id of the user who signed in or out.
    pub person: Option<String>,
    /// JSON: the event, and detail that it does not have itself. The bytes are part of the hash.
    pub body: String,
    pub prev: AuditHash,
    pub hash: AuditHash,
}

/// The result of a check of the whole chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verified {
    Sound {
        rows: i64,
        /// The hash of the newest row; zeros if there is none.
        head: AuditHash,
    },
    /// The first row that is damaged.
    Broken { seq: i64, why: Broken },
}

/// The damage of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Broken {
    /// It is not there.
    Missing,
    /// It is before the first, or there twice.
    Surplus,
    /// It does not follow the row before.
    Link,
    /// Its content is not the hashed one.
    Content,
    /// It was expected to be in the chain and is not: rows were cut off, or all were replaced.
    Head,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Missing => texts::ROW_IS_MISSING,
            Self::Surplus => texts::ROW_IS_SURPLUS,
            Self::Link => texts::ROW_DOES_NOT_FOLLOW,
            Self::Content => texts::ROW_WAS_CHANGED,
            Self::Head => texts::CHAIN_ENDS_WITHOUT_HASH,
        })
    }
}

/// The chain in a data folder. It only reads.
pub struct AuditReader(SqliteConnection);

impl AuditReader {
    /// Opens the database of a data folder.
    pub async fn open(folder: &Path) -> Result<Self, Error> {
        let path = folder.join("jarvis.db");
        let found = path.try_exists().and_then(|found| {
            if found {
                Ok(())
            } else {
                Err(std::io::ErrorKind::NotFound.into())
            }
        });
        found.map_err(|source| Error::Folder {
            path: path.clone(),
            source,
        })?;
        let options = SqliteConnectOptions::new()
            .filename(path)
            .read_only(true)
            .busy_timeout(Duration::from_secs(5));
        Ok(Self(SqliteConnection::connect_with(&options).await?))
    }

    /// Checks every row. With `expect`, a hash noted earlier, also that the chain still has that
    /// row: then nothing up to it was cut off.
    pub async fn verify(&mut self, expect: Option<AuditHash>) -> Result<Verified, Error> {
        let sql = sqlx::AssertSqlSafe(format!("{COLUMNS} ORDER BY seq"));
        let mut rows = sqlx::query(sql).fetch(&mut self.0);
        let (mut count, mut head) = (0, AuditHash::default());
        let mut seen = expect.is_none_or(|expect| expect == head);
        while let Some(row) = rows.try_next().await? {
            let next = count + 1;
            let broken = |why| Ok(Verified::Broken { seq: next, why });
            let Ok(row) = StoredRecord::of(&row) else {
                return broken(Broken::Content);
            };
            if row.seq < next {
                let (seq, why) = (row.seq, Broken::Surplus);
                return Ok(Verified::Broken { seq, why });
            }
            if row.seq > next {
                return broken(Broken::Missing);
            }
            if row.prev != head.0 {
                return broken(Broken::Link);
            }
            let hash = row.digest();
            if row.hash != hash.0 {
                return broken(Broken::Content);
            }
            (count, head) = (next, hash);
            seen |= expect == Some(hash);
        }
        Ok(if seen {
            Verified::Sound { rows: count, head }
        } else {
            Verified::Broken {
                seq: count + 1,
                why: Broken::Head,
            }
        })
    }

    /// Passes the rows with these numbers to `each`, in order, until it fails.
    pub async fn rows<E: From<Error>>(
        &mut self,
        numbers: RangeInclusive<i64>,
        mut each: impl FnMut(AuditRow) -> Result<(), E>,
    ) -> Result<(), E> {
        let sql = sqlx::AssertSqlSafe(format!("{COLUMNS} WHERE seq BETWEEN ? AND ? ORDER BY seq"));
        let mut rows = sqlx::query(sql)
            .bind(*numbers.start())
            .bind(*numbers.end())
            .fetch(&mut self.0);
        while let Some(row) = rows.try_next().await.map_err(Error::from)? {
            each(AuditRow::of(StoredRecord::of(&row).map_err(Error::from)?)?)?;
        }
        Ok(())
    }
}

impl AuditRow {
    fn of(stored: StoredRecord) -> Result<Self, Error> {
        let damaged = || Error::Damaged(format!("audit row {} is not readable", stored.seq));
        let text = |bytes| String::from_utf8(bytes).map_err(|_| damaged());
        let hash = |bytes: Vec<u8>| bytes.try_into().map(AuditHash).map_err(|_| damaged());
        Ok(Self {
            seq: stored.seq,
            at: Timestamp(stored.at),
            kind: text(stored.kind)?,
            conversation: stored.conversation.map(text).transpose()?,
            person: stored.person.map(text).transpose()?,
            body: text(stored.body)?,
            prev: hash(stored.prev)?,
            hash: hash(stored.hash)?,
        })
    }
}
