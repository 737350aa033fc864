//! The numbers of packages: for a device and a key that signs, each is above all that came before.

use sqlx::SqliteConnection;

use crate::columns::{to_count, whole};
use crate::{FieldTables, FieldTablesError};

/// The number that the next package for a device must have, signed with one key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextSequence {
    pub device: String,
    /// Fingerprint of the key.
    pub signing_key: String,
    pub seq: u64,
}

impl FieldTables {
    /// The next number. It is taken when a job with it is queued; if another one was queued in
    /// between, that says so.
    ///
    /// # Errors
    /// The database fails.
    pub async fn next_sequence(
        &self,
        device: &str,
        signing_key: &str,
    ) -> Result<NextSequence, FieldTablesError> {
        let last: Option<i64> = sqlx::query_scalar(LAST)
            .bind(device)
            .bind(signing_key)
            .fetch_optional(self.0.readers())
            .await?;
        Ok(NextSequence {
            device: device.to_owned(),
            signing_key: signing_key.to_owned(),
            seq: to_count(last.unwrap_or(0))? + 1,
        })
    }
}

const LAST: &str = "SELECT last FROM field_sequences WHERE device = ? AND signing_key = ?";

/// Takes a number, if it is the next one. Otherwise the answer is the next one.
pub(crate) async fn take(
    connection: &mut SqliteConnection,
    wanted: &NextSequence,
) -> Result<Result<(), u64>, FieldTablesError> {
    let done = sqlx::query(
        "INSERT INTO field_sequences (device, signing_key, last) \
         SELECT ?1, ?2, ?3 WHERE ?3 = 1 OR EXISTS \
         (SELECT 1 FROM field_sequences WHERE device = ?1 AND signing_key = ?2) \
         ON CONFLICT (device, signing_key) DO UPDATE SET last = excluded.last \
         WHERE last = excluded.last - 1",
    )
    .bind(&wanted.device)
    .bind(&wanted.signing_key)
    .bind(whole(wanted.seq))
    .execute(&mut *connection)
    .await?;
    if done.rows_affected() == 1 {
        return Ok(Ok(()));
    }
    let last: Option<i64> = sqlx::query_scalar(LAST)
        .bind(&wanted.device)
        .bind(&wanted.signing_key)
        .fetch_optional(connection)
        .await?;
    Ok(Err(to_count(last.unwrap_or(0))? + 1))
}
