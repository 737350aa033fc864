//! What happened to devices, bundles, proposals and runs, in one order for all. Triggers in
//! `migrations/0008_events.sql` write it, in the transaction of the change itself.

use sqlx::{Row, sqlite::SqliteRow};

use crate::columns::{to_count, words};
use crate::limits::MOST_ROWS;
use crate::{FieldTables, FieldTablesError};

/// Kind of thing that an event is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FieldEventSubject {
    Device,
    Bundle,
    Proposal,
    Run,
}

words!(FieldEventSubject {
    Device = "device",
    Bundle = "bundle",
    Proposal = "proposal",
    Run = "run",
});

/// An event: identifiers and words, and no text that anybody wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldEvent {
    /// Larger than that of any event before.
    pub number: i64,
    pub at_ms: i64,
    pub site: String,
    /// None for a bundle of no device.
    pub device: Option<String>,
    pub subject: FieldEventSubject,
    /// Identifier of the subject.
    pub id: String,
    /// The version of a proposal.
    pub version: Option<u64>,
    /// A word, such as `adopted`, `complete`, `proposed` or `ended`.
    pub kind: String,
}

/// Events after a cursor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldEvents {
    pub events: Vec<FieldEvent>,
    /// True if events after the cursor are gone, or the cursor is that of another database. Whoever
    /// follows has to read everything anew.
    pub is_gap: bool,
    /// Number of the newest event there ever was; 0 before the first.
    pub newest: i64,
}

impl FieldTables {
    /// The events after a cursor, oldest first.
    ///
    /// # Errors
    /// The database fails.
    pub async fn events(&self, after: i64, limit: u32) -> Result<FieldEvents, FieldTablesError> {
        let mut reader = self.0.readers().begin().await.map_err(store::Error::from)?;
        let row = sqlx::query(
            "SELECT coalesce((SELECT min(number) FROM field_events), 1) AS oldest, \
             coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'field_events'), 0) AS newest",
        )
        .fetch_one(&mut *reader)
        .await?;
        let (oldest, newest): (i64, i64) = (row.try_get("oldest")?, row.try_get("newest")?);
        let rows =
            sqlx::query("SELECT * FROM field_events WHERE number > ? ORDER BY number LIMIT ?")
                .bind(after)
                .bind(limit.min(MOST_ROWS))
                .fetch_all(&mut *reader)
                .await?;
        let events: Result<_, _> = rows.iter().map(read).collect();
        Ok(FieldEvents {
            events: events?,
            is_gap: after.saturating_add(1) < oldest || after > newest,
            newest,
        })
    }
}

fn read(row: &SqliteRow) -> Result<FieldEvent, FieldTablesError> {
    let version: Option<i64> = row.try_get("version")?;
    Ok(FieldEvent {
        number: row.try_get("number")?,
        at_ms: row.try_get("at_ms")?,
        site: row.try_get("site")?,
        device: row.try_get("device")?,
        subject: FieldEventSubject::read(row.try_get("subject")?)?,
        id: row.try_get("id")?,
        version: version.map(to_count).transpose()?,
        kind: row.try_get("kind")?,
    })
}
