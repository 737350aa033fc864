//! Requests that come with a key: one that is sent again has one effect and one answer.

use std::time::Duration;

use agent::ports::Durability;
use protocol::Timestamp;
use sqlx::{Row, sqlite::SqliteRow};

use crate::{Error, Store, database::commit};

/// A key counts for this long.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);

/// The name of a request: its sender, its key and its content. Key and content by their SHA-256, so
/// that neither their length nor their text matters here.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct KeyedRequest {
    /// Keys of different principals have nothing to do with each other.
    pub principal: String,
    pub key: [u8; 32],
    pub request: [u8; 32],
}

/// A request that was begun, now or before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BegunRequest {
    /// Time at which it came first.
    pub began: Timestamp,
    /// The same for every time that it comes.
    pub seed: u128,
    /// None while it has no answer: it runs, or the server stopped in the middle.
    pub answer: Option<KeptAnswer>,
}

/// The answer to a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptAnswer {
    /// Of HTTP.
    pub status: u16,
    /// The address of what it made.
    pub location: Option<String>,
    pub body: Vec<u8>,
}

impl Store {
    /// Begins a request, or returns the outcome of the same request before. A new one is on disk when this returns.
    ///
    /// # Errors
    /// [`Error::Stale`] if the key came with another request.
    pub async fn begin_request(
        &self,
        keyed: &KeyedRequest,
        seed: u128,
        now: Timestamp,
    ) -> Result<BegunRequest, Error> {
        let kept = i64::try_from(KEPT.as_millis()).unwrap_or(i64::MAX);
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Power).await?;
        sqlx::query("DELETE FROM keyed_requests WHERE began <= ?")
            .bind(now.0.saturating_sub(kept))
            .execute(&mut *transaction)
            .await?;
        sqlx::query(
            "INSERT INTO keyed_requests (principal, key, request, began, seed) \
             VALUES (?, ?, ?, ?, ?) ON CONFLICT (principal, key) DO NOTHING",
        )
        .bind(&keyed.principal)
        .bind(keyed.key.as_slice())
        .bind(keyed.request.as_slice())
        .bind(now.0)
        .bind(seed.to_be_bytes().as_slice())
        .execute(&mut *transaction)
        .await?;
        let row = sqlx::query(
            "SELECT request, began, seed, status, location, answer FROM keyed_requests \
             WHERE principal = ? AND key = ?",
        )
        .bind(&keyed.principal)
        .bind(keyed.key.as_slice())
        .fetch_one(&mut *transaction)
        .await?;
        let request: Vec<u8> = row.try_get("request")?;
        if request != keyed.request {
            return Err(Error::Stale);
        }
        let begun = begun(&row)?;
        commit(transaction, || "a request with a key".to_owned()).await?;
        Ok(begun)
    }

    /// Keeps the answer to a request that was begun.
    pub async fn answer_request(
        &self,
        keyed: &KeyedRequest,
        answer: &KeptAnswer,
    ) -> Result<(), Error> {
        let mut writer = self.writer().await;
        // A lost answer is made again, out of the same seed.
        let mut transaction = writer.begin(Durability::Process).await?;
        sqlx::query(
            "UPDATE keyed_requests SET status = ?, location = ?, answer = ? \
             WHERE principal = ? AND key = ? AND request = ?",
        )
        .bind(answer.status)
        .bind(&answer.location)
        .bind(answer.body.as_slice())
        .bind(&keyed.principal)
        .bind(keyed.key.as_slice())
        .bind(keyed.request.as_slice())
        .execute(&mut *transaction)
        .await?;
        commit(transaction, || {
            "the answer to a request with a key".to_owned()
        })
        .await
    }

    /// Frees the key of a request that was refused and has changed nothing.
    pub async fn forget_request(&self, keyed: &KeyedRequest) -> Result<(), Error> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Process).await?;
        sqlx::query(
            "DELETE FROM keyed_requests \
             WHERE principal = ? AND key = ? AND request = ? AND status IS NULL",
        )
        .bind(&keyed.principal)
        .bind(keyed.key.as_slice())
        .bind(keyed.request.as_slice())
        .execute(&mut *transaction)
        .await?;
        commit(transaction, || {
            "a request with a key that was refused".to_owned()
        })
        .await
    }
}

fn begun(row: &SqliteRow) -> Result<BegunRequest, Error> {
    let seed: Vec<u8> = row.try_get("seed")?;
    let seed = seed
        .try_into()
        .map_err(|_| Error::Damaged("the seed of a request has no 16 bytes".to_owned()))?;
    let status: Option<u16> = row.try_get("status")?;
    let answer = match status {
        None => None,
        Some(status) => Some(KeptAnswer {
            status,
            location: row.try_get("location")?,
            body: row.try_get("answer")?,
        }),
    };
    Ok(BegunRequest {
        began: Timestamp(row.try_get("began")?),
        seed: u128::from_be_bytes(seed),
        answer,
    })
}
