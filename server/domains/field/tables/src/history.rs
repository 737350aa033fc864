//! Acts of administration: who made, changed and removed what.

use serde_json::Value;
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use crate::columns::{from_json, json, words};
use crate::limits::MOST_ROWS;
use crate::{FieldTables, FieldTablesError};

/// An act of administration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HistoryAction {
    SiteMade,
    SiteChanged,
    SiteRemoved,
    EnrolmentMade,
    EnrolmentWithdrawn,
    /// A device used an enrolment.
    DeviceEnrolled,
    DeviceAdopted,
    DeviceSuspended,
    DeviceResumed,
    DeviceRetired,
    DeviceEdited,
    /// Two runners use the key of one device in turns.
    SessionReturned,
    JobCancelled,
    JobRefused,
    JobResolved,
}

words!(HistoryAction {
    SiteMade = "site made",
    SiteChanged = "site changed",
    SiteRemoved = "site removed",
    EnrolmentMade = "enrolment made",
    EnrolmentWithdrawn = "enrolment withdrawn",
    DeviceEnrolled = "device enrolled",
    DeviceAdopted = "device adopted",
    DeviceSuspended = "device suspended",
    DeviceResumed = "device resumed",
    DeviceRetired = "device retired",
    DeviceEdited = "device edited",
    SessionReturned = "session returned",
    JobCancelled = "job cancelled",
    JobRefused = "job refused",
    JobResolved = "job resolved",
});

/// A row of the history. It is never changed or removed.
#[derive(Debug, Clone, PartialEq)]
pub struct HistoryRow {
    pub number: i64,
    pub at_ms: i64,
    /// A user's identifier, a device's, or `server`.
    pub actor: String,
    pub action: HistoryAction,
    /// Identifier of the site, device, enrolment or job.
    pub subject: String,
    /// It outlives the site, so it has nothing from the vault; reasons are as people wrote them.
    pub detail: Value,
}

impl FieldTables {
    /// The newest rows, or those before a number; of one subject or of all.
    ///
    /// # Errors
    /// The database fails.
    pub async fn history(
        &self,
        subject: Option<&str>,
        before: Option<i64>,
        limit: u32,
    ) -> Result<Vec<HistoryRow>, FieldTablesError> {
        let sql = match subject {
            Some(_) => {
                "SELECT * FROM field_history WHERE id < ?1 AND subject = ?3 \
                 ORDER BY id DESC LIMIT ?2"
            }
            None => "SELECT * FROM field_history WHERE id < ?1 ORDER BY id DESC LIMIT ?2",
        };
        let mut query = sqlx::query(sql)
            .bind(before.unwrap_or(i64::MAX))
            .bind(limit.min(MOST_ROWS));
        if let Some(subject) = subject {
            query = query.bind(subject);
        }
        let rows = query.fetch_all(self.0.readers()).await?;
        rows.iter().map(read).collect()
    }
}

fn read(row: &SqliteRow) -> Result<HistoryRow, FieldTablesError> {
    Ok(HistoryRow {
        number: row.try_get("id")?,
        at_ms: row.try_get("at_ms")?,
        actor: row.try_get("actor")?,
        action: HistoryAction::read(row.try_get("action")?)?,
        subject: row.try_get("subject")?,
        detail: from_json(row, "detail")?,
    })
}

/// An act, to be written in the transaction that carries it out.
pub(crate) struct HistoryAct<'a> {
    pub(crate) at_ms: i64,
    pub(crate) actor: &'a str,
    pub(crate) action: HistoryAction,
    pub(crate) subject: &'a str,
    pub(crate) detail: Value,
}

impl HistoryAct<'_> {
    pub(crate) async fn record(
        self,
        connection: &mut SqliteConnection,
    ) -> Result<(), FieldTablesError> {
        sqlx::query(
            "INSERT INTO field_history (at_ms, actor, action, subject, detail) \
             VALUES (?, ?, ?, ?, ?)",
        )
        .bind(self.at_ms)
        .bind(self.actor)
        .bind(self.action.word())
        .bind(self.subject)
        .bind(json("the detail of an act", &self.detail)?)
        .execute(connection)
        .await?;
        Ok(())
    }
}
