//! The states of a device: adopted, suspended, resumed, retired.

use serde_json::json;
use sqlx::SqliteConnection;

use crate::devices::{DeviceChange, DeviceState, find};
use crate::error::fits;
use crate::history::HistoryAct;
use crate::jobs::cancel_waiting_jobs;
use crate::limits::MOST_NAME;
use crate::sessions::end_sessions;
use crate::{FieldTables, FieldTablesError, HistoryAction};

impl FieldTables {
    /// Adopts a device that waits. `fingerprint`: the one that the person compared; if the key is
    /// another, nothing happens.
    ///
    /// # Errors
    /// There is no such device, or the database fails.
    pub async fn adopt_device(
        &self,
        device: &str,
        fingerprint: &str,
        by: &str,
        at_ms: i64,
    ) -> Result<DeviceChange, FieldTablesError> {
        let mut writer = self.0.writer().await;
        let mut change = writer.begin_durable("an adopted device").await?;
        let connection = change.connection();
        let done = sqlx::query(
            "UPDATE field_devices SET state = 'adopted', state_reason = NULL, adopted_ms = ?, \
             version = version + 1 WHERE id = ? AND state = 'waiting' AND fingerprint = ?",
        )
        .bind(at_ms)
        .bind(device)
        .bind(fingerprint)
        .execute(&mut *connection)
        .await?;
        let act = HistoryAct {
            at_ms,
            actor: by,
            action: HistoryAction::DeviceAdopted,
            subject: device,
            detail: json!({ "fingerprint": fingerprint }),
        };
        let outcome = outcome(connection, done.rows_affected(), act).await?;
        change.commit().await?;
        Ok(outcome)
    }

    /// Suspends an adopted device: it is signed out, its jobs wait, and nothing starts. One that runs
    /// goes on.
    ///
    /// # Errors
    /// There is no such device, the reason is too long, or the database fails.
    pub async fn suspend_device(
        &self,
        device: &str,
        reason: &str,
        by: &str,
        at_ms: i64,
    ) -> Result<DeviceChange, FieldTablesError> {
        fits("a reason", reason.len(), MOST_NAME)?;
        let mut writer = self.0.writer().await;
        let mut change = writer.begin_durable("a suspended device").await?;
        let connection = change.connection();
        let states = [DeviceState::Adopted, DeviceState::Suspended];
        let done = set(connection, device, states, Some(reason)).await?;
        if done > 0 {
            end_sessions(connection, device, at_ms).await?;
        }
        let act = HistoryAct {
            at_ms,
            actor: by,
            action: HistoryAction::DeviceSuspended,
            subject: device,
            detail: json!({ "reason": reason }),
        };
        let outcome = outcome(connection, done, act).await?;
        change.commit().await?;
        Ok(outcome)
    }

    /// Resumes a suspended device.
    ///
    /// # Errors
    /// There is no such device, or the database fails.
    pub async fn resume_device(
        &self,
        device: &str,
        by: &str,
        at_ms: i64,
    ) -> Result<DeviceChange, FieldTablesError> {
        let mut writer = self.0.writer().await;
        let mut change = writer.begin_durable("a resumed device").await?;
        let connection = change.connection();
        let states = [DeviceState::Suspended, DeviceState::Adopted];
        let done = set(connection, device, states, None).await?;
        let act = HistoryAct {
            at_ms,
            actor: by,
            action: HistoryAction::DeviceResumed,
            subject: device,
            detail: json!({}),
        };
        let outcome = outcome(connection, done, act).await?;
        change.commit().await?;
        Ok(outcome)
    }

    /// Retires a device for good: it is signed out, and jobs that have not started are cancelled. One
    /// that runs ends as it ends; without a session the device cannot report it.
    ///
    /// # Errors
    /// There is no such device, the reason is too long, or the database fails.
    pub async fn retire_device(
        &self,
        device: &str,
        reason: &str,
        by: &str,
        at_ms: i64,
    ) -> Result<DeviceChange, FieldTablesError> {
        fits("a reason", reason.len(), MOST_NAME)?;
        let mut writer = self.0.writer().await;
        let mut change = writer.begin_durable("a retired device").await?;
        let connection = change.connection();
        let mut done = 0;
        for from in [
            DeviceState::Waiting,
            DeviceState::Adopted,
            DeviceState::Suspended,
        ] {
            let states = [from, DeviceState::Retired];
            done += set(connection, device, states, Some(reason)).await?;
        }
        let mut cancelled = 0;
        if done > 0 {
            end_sessions(connection, device, at_ms).await?;
            cancelled = cancel_waiting_jobs(connection, device, by, at_ms).await?;
        }
        let act = HistoryAct {
            at_ms,
            actor: by,
            action: HistoryAction::DeviceRetired,
            subject: device,
            detail: json!({ "reason": reason, "cancelled": cancelled }),
        };
        let outcome = outcome(connection, done, act).await?;
        change.commit().await?;
        Ok(outcome)
    }
}

async fn set(
    connection: &mut SqliteConnection,
    device: &str,
    [from, to]: [DeviceState; 2],
    reason: Option<&str>,
) -> Result<u64, FieldTablesError> {
    let done = sqlx::query(
        "UPDATE field_devices SET state = ?, state_reason = ?, version = version + 1 \
         WHERE id = ? AND state = ?",
    )
    .bind(to.word())
    .bind(reason)
    .bind(device)
    .bind(from.word())
    .execute(connection)
    .await?;
    Ok(done.rows_affected())
}

/// Records the act if it changed something, and reads the device.
async fn outcome(
    connection: &mut SqliteConnection,
    done: u64,
    act: HistoryAct<'_>,
) -> Result<DeviceChange, FieldTablesError> {
    let now = find(connection, act.subject).await?;
    let now = now.ok_or(FieldTablesError::NotFound)?;
    if done == 0 {
        return Ok(DeviceChange::Unchanged(now));
    }
    act.record(connection).await?;
    Ok(DeviceChange::Changed(now))
}
