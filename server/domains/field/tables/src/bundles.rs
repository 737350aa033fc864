//! Bundles of diagnostics, and how long they are kept.

use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use crate::error::fits;
use crate::limits::{MOST_BUNDLES, MOST_NAME, MOST_ROWS};
use crate::{FieldTables, FieldTablesError};

/// A bundle to be filled with sections.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewBundle {
    pub id: String,
    pub site: String,
    /// The device that it is about, if it is one that is known.
    pub device: Option<String>,
    /// Identifier of whoever brings it: a device, a token, a user.
    pub source: String,
    /// By the clock of the device.
    pub taken_ms: Option<i64>,
}

/// A bundle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldBundle {
    pub number: i64,
    pub id: String,
    pub site: String,
    pub device: Option<String>,
    pub source: String,
    pub taken_ms: Option<i64>,
    pub received_ms: i64,
    /// None while sections may still come.
    pub completed_ms: Option<i64>,
}

/// A selection of bundles.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BundleFilter {
    pub site: Option<String>,
    pub device: Option<String>,
    /// Only those with a smaller number.
    pub before: Option<i64>,
}

impl FieldTables {
    /// Begins a bundle. The same once more is the bundle as it is; another one with this identifier
    /// is refused with `None`. Of the bundles of its device, the oldest make room.
    ///
    /// # Errors
    /// There is no such site or device, a name is too long, or the database fails.
    pub async fn begin_bundle(
        &self,
        new: &NewBundle,
        at_ms: i64,
    ) -> Result<Option<FieldBundle>, FieldTablesError> {
        fits("the source of a bundle", new.source.len(), MOST_NAME)?;
        let mut writer = self.0.writer().await;
        let mut change = writer.begin("a bundle").await?;
        let connection = change.connection();
        if let Some(there) = find(connection, &new.id).await? {
            let is_same = there.source == new.source
                && there.site == new.site
                && there.device == new.device
                && there.taken_ms == new.taken_ms;
            return Ok(is_same.then_some(there));
        }
        let done = sqlx::query(
            "INSERT INTO field_bundles (id, site, device, source, taken_ms, received_ms) \
             SELECT ?1, id, ?3, ?4, ?5, ?6 FROM field_sites WHERE id = ?2 AND (?3 IS NULL \
             OR EXISTS (SELECT 1 FROM field_devices WHERE id = ?3 AND site = ?2))",
        )
        .bind(&new.id)
        .bind(&new.site)
        .bind(new.device.as_deref())
        .bind(&new.source)
        .bind(new.taken_ms)
        .bind(at_ms)
        .execute(&mut *connection)
        .await?;
        if done.rows_affected() == 0 {
            return Err(FieldTablesError::NotFound);
        }
        let old = sqlx::query_scalar(
            "SELECT id FROM field_bundles WHERE site = ? AND device IS ? \
             ORDER BY number DESC LIMIT -1 OFFSET ?",
        )
        .bind(&new.site)
        .bind(new.device.as_deref())
        .bind(MOST_BUNDLES)
        .fetch_all(&mut *connection)
        .await?;
        remove(connection, &old).await?;
        let made = find(connection, &new.id).await?;
        change.commit().await?;
        Ok(made)
    }

    /// Completes a bundle: no section comes any later. The bundle, or `None` if there is none; to
    /// complete it once more changes nothing.
    ///
    /// # Errors
    /// The database fails.
    pub async fn complete_bundle(
        &self,
        id: &str,
        at_ms: i64,
    ) -> Result<Option<FieldBundle>, FieldTablesError> {
        let mut writer = self.0.writer().await;
        let mut change = writer.begin("a complete bundle").await?;
        let connection = change.connection();
        sqlx::query(
            "UPDATE field_bundles SET completed_ms = ? WHERE id = ? AND completed_ms IS NULL",
        )
        .bind(at_ms)
        .bind(id)
        .execute(&mut *connection)
        .await?;
        let now = find(connection, id).await?;
        change.commit().await?;
        Ok(now)
    }

    /// A bundle.
    ///
    /// # Errors
    /// The database fails.
    pub async fn bundle(&self, id: &str) -> Result<Option<FieldBundle>, FieldTablesError> {
        let mut reader = self.0.readers().acquire().await?;
        find(&mut reader, id).await
    }

    /// The newest bundles of a selection.
    ///
    /// # Errors
    /// The database fails.
    pub async fn bundles(
        &self,
        filter: &BundleFilter,
        limit: u32,
    ) -> Result<Vec<FieldBundle>, FieldTablesError> {
        // One statement for each index that finds them.
        let sql = match (&filter.device, &filter.site) {
            (Some(_), _) => {
                "SELECT * FROM field_bundles WHERE device = ?2 AND (?1 IS NULL OR site = ?1) \
                 AND number < ?3 ORDER BY number DESC LIMIT ?4"
            }
            (None, Some(_)) => {
                "SELECT * FROM field_bundles WHERE site = ?1 AND ?2 IS NULL \
                 AND number < ?3 ORDER BY number DESC LIMIT ?4"
            }
            (None, None) => {
                "SELECT * FROM field_bundles WHERE ?1 IS NULL AND ?2 IS NULL \
                 AND number < ?3 ORDER BY number DESC LIMIT ?4"
            }
        };
        let rows = sqlx::query(sql)
            .bind(filter.site.as_deref())
            .bind(filter.device.as_deref())
            .bind(filter.before.unwrap_or(i64::MAX))
            .bind(limit.min(MOST_ROWS))
            .fetch_all(self.0.readers())
            .await?;
        rows.iter().map(read).collect()
    }

    /// Removes bundles that came before a time, 100 at most, and says how many. Of each device the
    /// newest complete one stays: it is what is known of the device.
    ///
    /// # Errors
    /// The database fails.
    pub async fn prune_bundles(&self, received_before_ms: i64) -> Result<usize, FieldTablesError> {
        let mut writer = self.0.writer().await;
        let mut change = writer.begin("bundles that are no longer kept").await?;
        let connection = change.connection();
        let old: Vec<String> = sqlx::query_scalar(
            "SELECT id FROM field_bundles AS old WHERE received_ms < ? \
             AND (device IS NULL OR completed_ms IS NULL OR EXISTS (\
                 SELECT 1 FROM field_bundles AS newer WHERE newer.device = old.device \
                 AND newer.number > old.number AND newer.completed_ms IS NOT NULL)) \
             ORDER BY received_ms LIMIT 100",
        )
        .bind(received_before_ms)
        .fetch_all(&mut *connection)
        .await?;
        remove(connection, &old).await?;
        change.commit().await?;
        Ok(old.len())
    }
}

async fn remove(
    connection: &mut SqliteConnection,
    bundles: &[String],
) -> Result<(), FieldTablesError> {
    for id in bundles {
        for sql in [
            "DELETE FROM field_sections WHERE bundle = ?",
            "DELETE FROM field_bundles WHERE id = ?",
        ] {
            let done = sqlx::query(sql).bind(id).execute(&mut *connection);
            done.await?;
        }
    }
    Ok(())
}

pub(crate) async fn find(
    connection: &mut SqliteConnection,
    id: &str,
) -> Result<Option<FieldBundle>, FieldTablesError> {
    let row = sqlx::query("SELECT * FROM field_bundles WHERE id = ?")
        .bind(id)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read).transpose()
}

fn read(row: &SqliteRow) -> Result<FieldBundle, FieldTablesError> {
    Ok(FieldBundle {
        number: row.try_get("number")?,
        id: row.try_get("id")?,
        site: row.try_get("site")?,
        device: row.try_get("device")?,
        source: row.try_get("source")?,
        taken_ms: row.try_get("taken_ms")?,
        received_ms: row.try_get("received_ms")?,
        completed_ms: row.try_get("completed_ms")?,
    })
}
