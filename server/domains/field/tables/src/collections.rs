//! Diagnostics that a call asked for, on their way to a device and back.

use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use crate::columns::{count, words};
use crate::error::fits;
use crate::limits::{MOST_COLLECTIONS, MOST_NAME};
use crate::{FieldTables, FieldTablesError};

/// State of a collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CollectionPhase {
    /// The device has not taken it yet.
    Asked,
    /// The device has it.
    Taken,
    /// Its bundle is complete.
    Complete,
    /// The device did not come in time, or it was taken back.
    NotDelivered,
    /// The device took it and sent no whole bundle in time.
    Failed,
}

words!(CollectionPhase {
    Asked = "asked",
    Taken = "taken",
    Complete = "complete",
    NotDelivered = "not_delivered",
    Failed = "failed",
});

/// A collection to be asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewCollection {
    pub call: String,
    pub device: String,
    /// Word for the device: its bundle has the same.
    pub request: String,
    pub by: String,
    pub until_ms: i64,
    pub deadline_ms: i64,
}

/// A collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CollectionRow {
    pub call: String,
    pub device: String,
    pub request: String,
    pub state: CollectionPhase,
    pub asked_ms: i64,
    pub until_ms: i64,
    pub deadline_ms: i64,
    /// Of a complete one.
    pub bundle: Option<String>,
    /// One more with each change.
    pub revision: u64,
}

impl FieldTables {
    /// Asks a device for diagnostics, once for each call: the same call again is the collection that
    /// it asked for. It is on the disk when this returns.
    ///
    /// # Errors
    /// There is no such device, it has too many open ones, or the database fails.
    pub async fn ask_collection(
        &self,
        new: &NewCollection,
        at_ms: i64,
    ) -> Result<CollectionRow, FieldTablesError> {
        fits("the call of a collection", new.call.len(), MOST_NAME)?;
        let mut writer = self.0.writer().await;
        let mut change = writer
            .begin_durable("diagnostics that were asked for")
            .await?;
        let connection = change.connection();
        if let Some(there) = of_call(connection, &new.call).await? {
            return Ok(there);
        }
        let device = crate::devices::find(connection, &new.device).await?;
        device.ok_or(FieldTablesError::NotFound)?;
        let open: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM field_collections \
             WHERE device = ? AND state IN ('asked', 'taken')",
        )
        .bind(&new.device)
        .fetch_one(&mut *connection)
        .await?;
        if open >= MOST_COLLECTIONS {
            return Err(FieldTablesError::TooMany {
                what: "open collections of the device",
                most: MOST_COLLECTIONS.unsigned_abs(),
            });
        }
        sqlx::query(
            "INSERT INTO field_collections \
             (call, device, request, state, asked_ms, asked_by, until_ms, deadline_ms) \
             VALUES (?, ?, ?, 'asked', ?, ?, ?, ?)",
        )
        .bind(&new.call)
        .bind(&new.device)
        .bind(&new.request)
        .bind(at_ms)
        .bind(&new.by)
        .bind(new.until_ms)
        .bind(new.deadline_ms)
        .execute(&mut *connection)
        .await?;
        let made = of_call(connection, &new.call).await?;
        change.commit().await?;
        made.ok_or(FieldTablesError::NotFound)
    }

    /// The collection that a call asked for.
    ///
    /// # Errors
    /// The database fails.
    pub async fn collection(&self, call: &str) -> Result<Option<CollectionRow>, FieldTablesError> {
        let mut reader = self.0.readers().acquire().await?;
        of_call(&mut reader, call).await
    }

    /// Gives a device its oldest open collection. It gets the same one until its bundle is complete,
    /// for an answer may be lost. Those whose time is over end first.
    ///
    /// # Errors
    /// The database fails.
    pub async fn take_collection(
        &self,
        device: &str,
        at_ms: i64,
    ) -> Result<Option<CollectionRow>, FieldTablesError> {
        // Nearly always there is none, and then nothing is written.
        let open: bool = sqlx::query_scalar(
            "SELECT EXISTS (SELECT 1 FROM field_collections \
             WHERE device = ? AND state IN ('asked', 'taken'))",
        )
        .bind(device)
        .fetch_one(self.0.readers())
        .await?;
        if !open {
            return Ok(None);
        }
        let mut writer = self.0.writer().await;
        let mut change = writer.begin("diagnostics that a device takes").await?;
        let connection = change.connection();
        end_due(connection, Some(device), at_ms).await?;
        let call: Option<String> = sqlx::query_scalar(
            "SELECT call FROM field_collections \
             WHERE device = ? AND state IN ('asked', 'taken') ORDER BY number LIMIT 1",
        )
        .bind(device)
        .fetch_optional(&mut *connection)
        .await?;
        let taken = match call {
            Some(call) => {
                sqlx::query(
                    "UPDATE field_collections SET state = 'taken', revision = revision + 1 \
                     WHERE call = ? AND state = 'asked'",
                )
                .bind(&call)
                .execute(&mut *connection)
                .await?;
                of_call(connection, &call).await?
            }
            None => None,
        };
        change.commit().await?;
        Ok(taken)
    }

    /// Completes the open collection that has this request. False if there is none: the device sent a
    /// bundle of its own.
    ///
    /// # Errors
    /// The database fails.
    pub async fn complete_collection(
        &self,
        device: &str,
        request: &str,
        bundle: &str,
    ) -> Result<bool, FieldTablesError> {
        let mut writer = self.0.writer().await;
        let mut change = writer.begin("a complete collection").await?;
        let done = sqlx::query(
            "UPDATE field_collections SET state = 'complete', bundle = ?3, \
             revision = revision + 1 \
             WHERE device = ?1 AND request = ?2 AND state IN ('asked', 'taken')",
        )
        .bind(device)
        .bind(request)
        .bind(bundle)
        .execute(change.connection())
        .await?;
        change.commit().await?;
        Ok(done.rows_affected() == 1)
    }

    /// Takes a collection back that its device has not taken. One that is over, or under way, stays
    /// as it is.
    ///
    /// # Errors
    /// The database fails.
    pub async fn stop_collection(&self, call: &str) -> Result<(), FieldTablesError> {
        let mut writer = self.0.writer().await;
        let mut change = writer.begin("a collection that was taken back").await?;
        sqlx::query(
            "UPDATE field_collections SET state = 'not_delivered', revision = revision + 1 \
             WHERE call = ? AND state = 'asked'",
        )
        .bind(call)
        .execute(change.connection())
        .await?;
        change.commit().await?;
        Ok(())
    }

    /// Ends the collections whose time is over. Their number is the answer.
    ///
    /// # Errors
    /// The database fails.
    pub async fn end_due_collections(&self, at_ms: i64) -> Result<u64, FieldTablesError> {
        let mut writer = self.0.writer().await;
        let mut change = writer.begin("collections whose time is over").await?;
        let ended = end_due(change.connection(), None, at_ms).await?;
        change.commit().await?;
        Ok(ended)
    }
}

async fn end_due(
    connection: &mut SqliteConnection,
    device: Option<&str>,
    at_ms: i64,
) -> Result<u64, FieldTablesError> {
    let done = sqlx::query(
        "UPDATE field_collections SET revision = revision + 1, \
         state = CASE state WHEN 'asked' THEN 'not_delivered' ELSE 'failed' END \
         WHERE state IN ('asked', 'taken') AND (?1 IS NULL OR device = ?1) \
         AND CASE state WHEN 'asked' THEN until_ms ELSE deadline_ms END <= ?2",
    )
    .bind(device)
    .bind(at_ms)
    .execute(connection)
    .await?;
    Ok(done.rows_affected())
}

async fn of_call(
    connection: &mut SqliteConnection,
    call: &str,
) -> Result<Option<CollectionRow>, FieldTablesError> {
    let row = sqlx::query("SELECT * FROM field_collections WHERE call = ?")
        .bind(call)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read).transpose()
}

fn read(row: &SqliteRow) -> Result<CollectionRow, FieldTablesError> {
    Ok(CollectionRow {
        call: row.try_get("call")?,
        device: row.try_get("device")?,
        request: row.try_get("request")?,
        state: CollectionPhase::read(row.try_get("state")?)?,
        asked_ms: row.try_get("asked_ms")?,
        until_ms: row.try_get("until_ms")?,
        deadline_ms: row.try_get("deadline_ms")?,
        bundle: row.try_get("bundle")?,
        revision: count(row, "revision")?,
    })
}
