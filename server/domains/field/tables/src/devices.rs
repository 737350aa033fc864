//! Devices: who they are, what they report, and what people call them.

use serde_json::{Value, json};
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use crate::columns::{count, from_json, from_json_if_any, json as to_json, whole, words};
use crate::error::fits;
use crate::history::HistoryAct;
use crate::limits::{MOST_NAME, MOST_TAGS};
use crate::programs;
use crate::{FailedUpdate, FieldTables, FieldTablesError, HistoryAction, ReportedProgram};

/// State of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DeviceState {
    /// Enrolled: a person has to compare its fingerprint and adopt it.
    Waiting,
    /// Gets jobs.
    Adopted,
    /// Gets none until a person says so.
    Suspended,
    /// Gone for good, with its key.
    Retired,
}

words!(DeviceState {
    Waiting = "waiting",
    Adopted = "adopted",
    Suspended = "suspended",
    Retired = "retired",
});

/// A device.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldDevice {
    pub id: String,
    pub site: String,
    pub name: String,
    pub public_key: Vec<u8>,
    pub fingerprint: String,
    pub state: DeviceState,
    /// The reason of the last change of state, if one was given.
    pub state_reason: Option<String>,
    pub facts: Value,
    pub capabilities: Value,
    /// Newest root document that it has; 0 before it said so.
    pub root_version: u64,
    /// None if its runner does not report it.
    pub program: Option<ReportedProgram>,
    /// Words of the limits that it could enforce in none of its reports. None before it has reported any.
    pub lacking: Option<Vec<String>>,
    /// Since when it lacks a limit that it had before.
    pub lost_ms: Option<i64>,
    pub tags: Vec<String>,
    pub enrolled_ms: i64,
    pub adopted_ms: Option<i64>,
    pub last_seen_ms: Option<i64>,
    /// One more with each change by a person.
    pub version: u64,
}

/// The limits of a device, by all of its reports.
struct DeviceLimits {
    lacking: Option<Vec<String>>,
    lost_ms: Option<i64>,
}

impl FieldDevice {
    /// Its limits after a report that it lacks these.
    fn limits_after(&self, lacks: Option<&[String]>, at_ms: i64) -> DeviceLimits {
        let (lacking, lost_ms) = match (lacks, &self.lacking) {
            // A report without them says nothing about them.
            (None, known) => (known.clone(), self.lost_ms),
            (Some(lacks), None) => (Some(lacks.to_vec()), None),
            (Some(lacks), Some(known)) => {
                let has_lost = lacks.iter().any(|it| !known.contains(it));
                let lacking = known.iter().filter(|it| lacks.contains(it)).cloned();
                let since = has_lost.then(|| self.lost_ms.unwrap_or(at_ms));
                (Some(lacking.collect()), since)
            }
        };
        DeviceLimits { lacking, lost_ms }
    }
}

/// Report of a device on itself.
#[derive(Debug, Clone, PartialEq)]
pub struct DeviceReport {
    pub facts: Value,
    pub capabilities: Value,
    pub root_version: u64,
    /// None if the runner does not report it.
    pub program: Option<ReportedProgram>,
    /// Words of all limits that it cannot enforce. None if it does not report them.
    pub lacking: Option<Vec<String>>,
}

/// Name and tags that a person gives a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceEdit {
    pub name: String,
    pub tags: Vec<String>,
}

/// Outcome of a change of a device that was made from what somebody saw.
#[derive(Debug, Clone, PartialEq)]
pub enum DeviceChange {
    Changed(FieldDevice),
    /// Nothing changed: it is like this now.
    Unchanged(FieldDevice),
}

impl FieldTables {
    /// Takes a device's report. A root document older than one that it had before is refused: that
    /// is a device that was set back, or another one with its key.
    ///
    /// # Errors
    /// There is no such device, it is retired, the report is too large, or the database fails.
    pub async fn report(
        &self,
        device: &str,
        report: &DeviceReport,
        at_ms: i64,
    ) -> Result<DeviceChange, FieldTablesError> {
        let facts = to_json("the facts of a device", &report.facts)?;
        let capabilities = to_json("the capabilities of a device", &report.capabilities)?;
        let program = report.program.as_ref();
        program.map_or(Ok(()), ReportedProgram::check)?;
        let failed = program.and_then(|it| it.failed.as_ref());
        let mut writer = self.0.writer().await;
        let mut change = writer.begin("a device's report").await?;
        let connection = change.connection();
        let before = find(connection, device).await?;
        let before = before.ok_or(FieldTablesError::NotFound)?;
        let limits = before.limits_after(report.lacking.as_deref(), at_ms);
        let lacking = limits
            .lacking
            .map(|it| to_json("the limits of a device", &it));
        let done = sqlx::query(
            "UPDATE field_devices SET facts = ?1, capabilities = ?2, root_version = ?3, \
             last_seen_ms = max(coalesce(last_seen_ms, 0), ?4), program_version = ?6, \
             failed_version = ?7, failed_reason = ?8, failed_tries = ?9, failed_retried = ?10, \
             lacking = ?11, lost_ms = ?12 \
             WHERE id = ?5 AND root_version <= ?3 AND state <> 'retired'",
        )
        .bind(facts)
        .bind(capabilities)
        .bind(whole(report.root_version))
        .bind(at_ms)
        .bind(device)
        .bind(program.map(|it| it.version.as_str()))
        .bind(failed.map(|it| it.version.as_str()))
        .bind(failed.map(|it| it.fault.word()))
        .bind(failed.map(FailedUpdate::stored_tries))
        .bind(failed.map(|it| it.is_retried))
        .bind(lacking.transpose()?)
        .bind(limits.lost_ms)
        .execute(&mut *connection)
        .await?;
        let now = find(connection, device).await?;
        let now = now.ok_or(FieldTablesError::NotFound)?;
        if done.rows_affected() == 0 {
            return Ok(DeviceChange::Unchanged(now));
        }
        change.commit().await?;
        Ok(DeviceChange::Changed(now))
    }

    /// Notes that devices were heard of: identifiers with times. Other tables are not touched, so
    /// that a thousand devices are one write.
    ///
    /// # Errors
    /// The database fails.
    pub async fn heard_of(&self, devices: &[(String, i64)]) -> Result<(), FieldTablesError> {
        let heard: Vec<Value> = devices.iter().map(|(id, at)| json!([id, at])).collect();
        let mut writer = self.0.writer().await;
        let mut change = writer.begin_import("devices that were heard of").await?;
        sqlx::query(
            "UPDATE field_devices SET last_seen_ms = heard.value ->> 1 \
             FROM json_each(?) AS heard WHERE field_devices.id = heard.value ->> 0 \
             AND coalesce(last_seen_ms, 0) < heard.value ->> 1",
        )
        .bind(Value::Array(heard).to_string())
        .execute(change.connection())
        .await?;
        change.commit().await?;
        Ok(())
    }

    /// Changes name and tags of a device, if its version is still this one.
    ///
    /// # Errors
    /// There is no such device, name or tags are too long, or the database fails.
    pub async fn edit_device(
        &self,
        device: &str,
        version: u64,
        edit: &DeviceEdit,
        by: &str,
        at_ms: i64,
    ) -> Result<DeviceChange, FieldTablesError> {
        fits("the name of a device", edit.name.len(), MOST_NAME)?;
        for tag in &edit.tags {
            fits("a tag", tag.len(), MOST_NAME)?;
        }
        if edit.tags.len() > MOST_TAGS {
            return Err(FieldTablesError::TooMany {
                what: "tags of the device",
                most: MOST_TAGS as u64,
            });
        }
        let mut writer = self.0.writer().await;
        let mut change = writer.begin_durable("an edited device").await?;
        let connection = change.connection();
        let done = sqlx::query(
            "UPDATE field_devices SET name = ?, tags = ?, version = version + 1 \
             WHERE id = ? AND version = ? AND state <> 'retired'",
        )
        .bind(&edit.name)
        .bind(to_json("tags", &edit.tags)?)
        .bind(device)
        .bind(whole(version))
        .execute(&mut *connection)
        .await?;
        let act = HistoryAct {
            at_ms,
            actor: by,
            action: HistoryAction::DeviceEdited,
            subject: device,
            detail: json!({ "tags": edit.tags }),
        };
        let outcome = outcome(connection, done.rows_affected(), act).await?;
        change.commit().await?;
        Ok(outcome)
    }

    /// A device.
    ///
    /// # Errors
    /// The database fails.
    pub async fn device(&self, id: &str) -> Result<Option<FieldDevice>, FieldTablesError> {
        let row = sqlx::query(DEVICE)
            .bind(id)
            .fetch_optional(self.0.readers())
            .await?;
        row.as_ref().map(read).transpose()
    }

    /// The devices of a site, or of all, that are not retired; by site and name.
    ///
    /// # Errors
    /// The database fails.
    pub async fn devices(&self, site: Option<&str>) -> Result<Vec<FieldDevice>, FieldTablesError> {
        let rows = sqlx::query(
            "SELECT * FROM field_devices WHERE (?1 IS NULL OR site = ?1) AND state <> 'retired' \
             ORDER BY site, name, id",
        )
        .bind(site)
        .fetch_all(self.0.readers())
        .await?;
        rows.iter().map(read).collect()
    }
}

const DEVICE: &str = "SELECT * FROM field_devices WHERE id = ?";

pub(crate) async fn find(
    connection: &mut SqliteConnection,
    id: &str,
) -> Result<Option<FieldDevice>, FieldTablesError> {
    let row = sqlx::query(DEVICE).bind(id).fetch_optional(connection);
    row.await?.as_ref().map(read).transpose()
}

fn read(row: &SqliteRow) -> Result<FieldDevice, FieldTablesError> {
    Ok(FieldDevice {
        id: row.try_get("id")?,
        site: row.try_get("site")?,
        name: row.try_get("name")?,
        public_key: row.try_get("public_key")?,
        fingerprint: row.try_get("fingerprint")?,
        state: DeviceState::read(row.try_get("state")?)?,
        state_reason: row.try_get("state_reason")?,
        facts: from_json(row, "facts")?,
        capabilities: from_json(row, "capabilities")?,
        root_version: count(row, "root_version")?,
        program: programs::read(row)?,
        lacking: from_json_if_any(row, "lacking")?,
        lost_ms: row.try_get("lost_ms")?,
        tags: from_json(row, "tags")?,
        enrolled_ms: row.try_get("enrolled_ms")?,
        adopted_ms: row.try_get("adopted_ms")?,
        last_seen_ms: row.try_get("last_seen_ms")?,
        version: count(row, "version")?,
    })
}

/// Records the act if it changed something, and reads the device.
pub(crate) async fn outcome(
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
