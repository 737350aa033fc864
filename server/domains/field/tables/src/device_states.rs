//! The states of a device: adopted, suspended, resumed, retired.

use serde_json::json;
use sqlx::SqliteConnection;

use crate::devices::{DeviceChange, DeviceState, outcome};
use crate::error::fits;
use crate::history::HistoryAct;
use crate::jobs::{ask_running_job, cancel_waiting_jobs};
use crate::limits::MOST_NAME;
use crate::sessions::end_sessions;
use crate::{FieldTables, FieldTablesError, HistoryAction};

/// The actor of what nobody asked for.
const SERVER: &str = "server";

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

    /// Suspends an adopted device: its jobs wait, nothing starts, and it is asked to end one that runs. It
    /// is signed out, unless a person suspends it while one runs: then its session is left for the report
    /// of that end. The server suspends only what may be somebody else.
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
        let step = StateStep {
            name: "a suspended device",
            from: &[DeviceState::Adopted],
            to: DeviceState::Suspended,
            reason: Some(reason),
            action: HistoryAction::DeviceSuspended,
        };
        self.change_state(device, step, by, at_ms).await
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
        let step = StateStep {
            name: "a resumed device",
            from: &[DeviceState::Suspended],
            to: DeviceState::Adopted,
            reason: None,
            action: HistoryAction::DeviceResumed,
        };
        self.change_state(device, step, by, at_ms).await
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
        let step = StateStep {
            name: "a retired device",
            from: &[
                DeviceState::Waiting,
                DeviceState::Adopted,
                DeviceState::Suspended,
            ],
            to: DeviceState::Retired,
            reason: Some(reason),
            action: HistoryAction::DeviceRetired,
        };
        self.change_state(device, step, by, at_ms).await
    }

    async fn change_state(
        &self,
        device: &str,
        step: StateStep<'_>,
        by: &str,
        at_ms: i64,
    ) -> Result<DeviceChange, FieldTablesError> {
        let mut detail = json!({});
        if let Some(reason) = step.reason {
            fits("a reason", reason.len(), MOST_NAME)?;
            detail["reason"] = json!(reason);
        }
        let mut writer = self.0.writer().await;
        let mut change = writer.begin_durable(step.name).await?;
        let connection = change.connection();
        let mut done = 0;
        for from in step.from {
            done += set(connection, device, [*from, step.to], step.reason).await?;
        }
        let mut asked = None;
        if done > 0 && step.to == DeviceState::Suspended {
            asked = ask_running_job(connection, device, by, at_ms).await?;
        }
        if let Some(job) = &asked {
            detail["asked_to_end"] = json!(job);
        }
        if done > 0 && step.to != DeviceState::Adopted && asked.is_none() {
            end_sessions(connection, device, at_ms).await?;
        }
        if done > 0 && step.to == DeviceState::Retired {
            let cancelled = cancel_waiting_jobs(connection, device, by, at_ms).await?;
            detail["cancelled"] = json!(cancelled);
        }
        let act = HistoryAct {
            at_ms,
            actor: by,
            action: step.action,
            subject: device,
            detail,
        };
        let outcome = outcome(connection, done, act).await?;
        let (DeviceChange::Changed(found) | DeviceChange::Unchanged(found)) = &outcome;
        // Also one that a person had suspended before, with its session left for a report.
        if by == SERVER && found.state == DeviceState::Suspended {
            end_sessions(connection, device, at_ms).await?;
        }
        change.commit().await?;
        Ok(outcome)
    }
}

/// A change of a device's state by a person.
struct StateStep<'a> {
    /// The name of the transaction.
    name: &'static str,
    from: &'a [DeviceState],
    to: DeviceState,
    reason: Option<&'a str>,
    action: HistoryAction,
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
