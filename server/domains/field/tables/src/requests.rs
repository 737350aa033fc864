//! Idempotency keys of programs: a request that is repeated is answered, not carried out twice.

use sqlx::Row;

use crate::error::fits;
use crate::limits::{MOST_ANSWER, MOST_NAME};
use crate::{FieldTables, FieldTablesError};

/// A request with a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramRequest {
    /// The token or user that asks.
    pub program: String,
    /// 1 to 200 bytes, from the program.
    pub key: String,
    /// SHA-256 of method, path and body.
    pub digest: String,
    /// Until then the request counts as under way.
    pub held_until_ms: i64,
}

/// Outcome of beginning a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestBegun {
    /// To be carried out, and then finished or released with this attempt.
    First {
        attempt: i64,
    },
    /// It was begun before and neither finished nor released: the server may have been stopped
    /// before or after it took effect. The caller looks for what it made.
    Again {
        attempt: i64,
    },
    UnderWay,
    /// It was carried out, with this answer.
    Answered {
        status: u16,
        answer: Vec<u8>,
    },
    /// Another request has this key.
    Different,
}

impl FieldTables {
    /// Begins a request.
    ///
    /// # Errors
    /// The key is too long, or the database fails.
    pub async fn begin_request(
        &self,
        request: &ProgramRequest,
        at_ms: i64,
    ) -> Result<RequestBegun, FieldTablesError> {
        fits("the key of a request", request.key.len(), MOST_NAME)?;
        let mut writer = self.0.writer().await;
        let mut change = writer.begin("a request of a program").await?;
        let connection = change.connection();
        let attempt: Option<i64> = sqlx::query_scalar(
            "INSERT INTO field_requests (program, key, digest, begun_ms, held_until_ms) \
             VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (program, key) DO UPDATE SET \
             attempt = attempt + 1, held_until_ms = excluded.held_until_ms \
             WHERE digest = excluded.digest AND status IS NULL AND held_until_ms <= ?4 \
             RETURNING attempt",
        )
        .bind(&request.program)
        .bind(&request.key)
        .bind(&request.digest)
        .bind(at_ms)
        .bind(request.held_until_ms)
        .fetch_optional(&mut *connection)
        .await?;
        if let Some(attempt) = attempt {
            change.commit().await?;
            return Ok(match attempt {
                1 => RequestBegun::First { attempt },
                _ => RequestBegun::Again { attempt },
            });
        }
        let row = sqlx::query(
            "SELECT digest, status, answer FROM field_requests WHERE program = ? AND key = ?",
        )
        .bind(&request.program)
        .bind(&request.key)
        .fetch_one(connection)
        .await?;
        if row.try_get::<&str, _>("digest")? != request.digest {
            return Ok(RequestBegun::Different);
        }
        let status: Option<u16> = row.try_get("status")?;
        let answer: Option<Vec<u8>> = row.try_get("answer")?;
        Ok(match status.zip(answer) {
            Some((status, answer)) => RequestBegun::Answered { status, answer },
            None => RequestBegun::UnderWay,
        })
    }

    /// Keeps the answer to a request. False if the attempt is no longer the current one.
    ///
    /// # Errors
    /// The answer is too large, or the database fails.
    pub async fn finish_request(
        &self,
        request: &ProgramRequest,
        attempt: i64,
        status: u16,
        answer: &[u8],
    ) -> Result<bool, FieldTablesError> {
        fits("the answer to a request", answer.len(), MOST_ANSWER)?;
        let mut writer = self.0.writer().await;
        let mut change = writer.begin("the answer to a program").await?;
        let done = sqlx::query(
            "UPDATE field_requests SET status = ?, answer = ? \
             WHERE program = ? AND key = ? AND attempt = ? AND status IS NULL",
        )
        .bind(status)
        .bind(answer)
        .bind(&request.program)
        .bind(&request.key)
        .bind(attempt)
        .execute(change.connection())
        .await?;
        change.commit().await?;
        Ok(done.rows_affected() == 1)
    }

    /// Forgets a request that had no effect, so that the key can be used once more. False if the
    /// attempt is no longer the current one.
    ///
    /// # Errors
    /// The database fails.
    pub async fn release_request(
        &self,
        request: &ProgramRequest,
        attempt: i64,
    ) -> Result<bool, FieldTablesError> {
        let mut writer = self.0.writer().await;
        let mut change = writer.begin("a request without effect").await?;
        let done = sqlx::query(
            "DELETE FROM field_requests \
             WHERE program = ? AND key = ? AND attempt = ? AND status IS NULL",
        )
        .bind(&request.program)
        .bind(&request.key)
        .bind(attempt)
        .execute(change.connection())
        .await?;
        change.commit().await?;
        Ok(done.rows_affected() == 1)
    }

    /// Removes requests that began before a time. Their number is the answer.
    ///
    /// # Errors
    /// The database fails.
    pub async fn prune_requests(&self, begun_before_ms: i64) -> Result<u64, FieldTablesError> {
        let mut writer = self.0.writer().await;
        let mut change = writer.begin("requests that are no longer kept").await?;
        let done = sqlx::query("DELETE FROM field_requests WHERE begun_ms < ?")
            .bind(begun_before_ms)
            .execute(change.connection())
            .await?;
        change.commit().await?;
        Ok(done.rows_affected())
    }
}
