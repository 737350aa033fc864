//! Sessions of devices: one at a time, opened with a signed challenge.

use serde_json::json;
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use crate::columns::to_count;
use crate::devices::{self, DeviceState, FieldDevice};
use crate::history::HistoryAct;
use crate::{FieldTables, FieldTablesError, HistoryAction};

/// Sessions of one device that are kept, to see who returns.
const KEPT: i64 = 16;
/// Challenges of one device that can be answered.
const CHALLENGES: i64 = 32;

/// A session to be opened. That the device signed the nonce, the caller has checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewDeviceSession {
    pub device: String,
    /// The challenge that the device answered.
    pub nonce: String,
    pub token_hash: Vec<u8>,
    /// Random word of one life of the runner, part of what it signed.
    pub instance: String,
    pub expires_ms: i64,
}

/// Outcome of opening a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionOpened {
    Opened {
        /// True if a session that had not expired was ended by this.
        displaced: bool,
        /// Times in the last hour that an instance came back after another one had taken over from
        /// it. Even one means that two runners have the key: a runner that starts anew is a new
        /// instance.
        returns: u64,
    },
    /// The challenge is not one of the device's, was answered before, or has expired.
    BadChallenge,
    /// Only waiting and adopted devices have sessions.
    Refused(DeviceState),
}

/// Outcome of a request with a session's token.
#[derive(Debug, Clone, PartialEq)]
pub enum SessionCheck {
    /// The device that asks. If it waits to be adopted, it may do little.
    Live(Box<FieldDevice>),
    Expired,
    /// A newer session of the device took its place, or a person signed it out.
    Ended,
    Unknown,
}

impl FieldTables {
    /// Stores a challenge. The newest 32 of a device can be answered, until they expire.
    ///
    /// # Errors
    /// There is no such device, or the database fails.
    pub async fn challenge(
        &self,
        device: &str,
        nonce: &str,
        expires_ms: i64,
    ) -> Result<(), FieldTablesError> {
        let mut writer = self.0.writer().await;
        let mut change = writer.begin("a challenge").await?;
        let connection = change.connection();
        let done = sqlx::query(
            "INSERT INTO field_challenges (device, nonce, expires_ms) \
             SELECT id, ?2, ?3 FROM field_devices WHERE id = ?1",
        )
        .bind(device)
        .bind(nonce)
        .bind(expires_ms)
        .execute(&mut *connection)
        .await?;
        if done.rows_affected() == 0 {
            return Err(FieldTablesError::NotFound);
        }
        sqlx::query(
            "DELETE FROM field_challenges WHERE device = ?1 AND number <= \
             (SELECT number FROM field_challenges WHERE device = ?1 \
              ORDER BY number DESC LIMIT 1 OFFSET ?2)",
        )
        .bind(device)
        .bind(CHALLENGES)
        .execute(connection)
        .await?;
        change.commit().await?;
        Ok(())
    }

    /// Opens a session and ends the one before. The challenge is used up, whatever happens.
    ///
    /// # Errors
    /// There is no such device, or the database fails.
    pub async fn open_session(
        &self,
        new: &NewDeviceSession,
        at_ms: i64,
    ) -> Result<SessionOpened, FieldTablesError> {
        let mut writer = self.0.writer().await;
        let mut change = writer.begin("a session of a device").await?;
        let connection = change.connection();
        let answered = sqlx::query(
            "DELETE FROM field_challenges WHERE device = ? AND nonce = ? RETURNING expires_ms",
        )
        .bind(&new.device)
        .bind(&new.nonce)
        .fetch_optional(&mut *connection)
        .await?;
        let expires: Option<i64> = answered.map(|row| row.try_get(0)).transpose()?;
        let device = devices::find(connection, &new.device).await?;
        let device = device.ok_or(FieldTablesError::NotFound)?;
        if expires.is_none_or(|expires| expires <= at_ms) {
            change.commit().await?;
            return Ok(SessionOpened::BadChallenge);
        }
        if !matches!(device.state, DeviceState::Waiting | DeviceState::Adopted) {
            change.commit().await?;
            return Ok(SessionOpened::Refused(device.state));
        }
        let displaced = end_sessions(connection, &new.device, at_ms).await?;
        let is_return = insert(connection, new, at_ms).await?;
        if is_return {
            let act = HistoryAct {
                at_ms,
                actor: &new.device,
                action: HistoryAction::SessionReturned,
                subject: &new.device,
                detail: json!({}),
            };
            act.record(connection).await?;
        }
        let returns = sqlx::query_scalar(
            "SELECT count(*) FROM field_sessions WHERE device = ? AND is_return AND opened_ms > ?",
        )
        .bind(&new.device)
        .bind(at_ms - 3_600_000)
        .fetch_one(&mut *connection)
        .await?;
        sqlx::query(
            "DELETE FROM field_sessions WHERE device = ?1 AND number <= \
             (SELECT number FROM field_sessions WHERE device = ?1 \
              ORDER BY number DESC LIMIT 1 OFFSET ?2)",
        )
        .bind(&new.device)
        .bind(KEPT)
        .execute(&mut *connection)
        .await?;
        let returns = to_count(returns)?;
        change.commit().await?;
        Ok(SessionOpened::Opened { displaced, returns })
    }

    /// Looks up the token of a request.
    ///
    /// # Errors
    /// The database fails.
    pub async fn session(
        &self,
        token_hash: &[u8],
        at_ms: i64,
    ) -> Result<SessionCheck, FieldTablesError> {
        let mut reader = self.0.readers().acquire().await?;
        let row = sqlx::query(
            "SELECT device, expires_ms, ended_ms FROM field_sessions WHERE token_hash = ?",
        )
        .bind(token_hash)
        .fetch_optional(&mut *reader)
        .await?;
        let Some(row) = row else {
            return Ok(SessionCheck::Unknown);
        };
        if row.try_get::<Option<i64>, _>("ended_ms")?.is_some() {
            return Ok(SessionCheck::Ended);
        }
        if row.try_get::<i64, _>("expires_ms")? <= at_ms {
            return Ok(SessionCheck::Expired);
        }
        let device = devices::find(&mut reader, row.try_get("device")?).await?;
        Ok(device.map_or(SessionCheck::Unknown, |device| {
            SessionCheck::Live(Box::new(device))
        }))
    }
}

/// Ends the open session of a device. True if there was one that had not expired.
pub(crate) async fn end_sessions(
    connection: &mut SqliteConnection,
    device: &str,
    at_ms: i64,
) -> Result<bool, FieldTablesError> {
    let ended = sqlx::query(
        "UPDATE field_sessions SET ended_ms = ? WHERE device = ? AND ended_ms IS NULL \
         RETURNING expires_ms",
    )
    .bind(at_ms)
    .bind(device)
    .fetch_all(connection)
    .await?;
    let expires = |row: &SqliteRow| row.try_get::<i64, _>(0);
    let expires: Result<Vec<_>, _> = ended.iter().map(expires).collect();
    Ok(expires?.into_iter().any(|expires| expires > at_ms))
}

/// True if the instance had a session before, and another one the last.
async fn insert(
    connection: &mut SqliteConnection,
    new: &NewDeviceSession,
    at_ms: i64,
) -> Result<bool, FieldTablesError> {
    let is_return = sqlx::query_scalar(
        "INSERT INTO field_sessions \
         (device, token_hash, instance, opened_ms, expires_ms, is_return) \
         SELECT ?1, ?2, ?3, ?4, ?5, EXISTS \
             (SELECT 1 FROM field_sessions WHERE device = ?1 AND instance = ?3) \
         AND ?3 <> (SELECT instance FROM field_sessions WHERE device = ?1 \
             ORDER BY number DESC LIMIT 1) \
         RETURNING is_return",
    )
    .bind(&new.device)
    .bind(&new.token_hash)
    .bind(&new.instance)
    .bind(at_ms)
    .bind(new.expires_ms)
    .fetch_one(connection)
    .await?;
    Ok(is_return)
}
