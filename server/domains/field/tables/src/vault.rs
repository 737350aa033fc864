//! The vault of a site: which token belongs to which value, the values encrypted by the caller.
//!
//! Numbers of tokens are given by whoever covers texts, from all entries that it knows. A write names
//! the revision that it knows; if others have written since, nothing is stored and it gets what is
//! new. So no number is given twice and none is left out, however many cover texts at the same time.

use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use crate::columns::{list, to_count, whole};
use crate::error::fits;
use crate::limits::{MOST_SEALED_VALUE, MOST_VALUES};
use crate::sites::find;
use crate::{FieldTables, FieldTablesError};

/// A value of a site as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VaultRow {
    /// Class of the value, such as `ipv4`.
    pub class: String,
    /// Keyed hash of the value, in hexadecimal.
    pub hash: String,
    pub token: String,
    /// The encrypted value.
    pub sealed: Vec<u8>,
    pub first_seen_ms: i64,
    pub last_seen_ms: i64,
}

/// Entries of a vault, and the revision that has them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VaultSnapshot {
    pub revision: u64,
    pub entries: Vec<VaultRow>,
}

/// Outcome of a write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VaultWrite {
    /// All of it is stored; the vault has this revision now.
    Kept(u64),
    /// Nothing is stored: the entries that came since the named revision.
    Behind(VaultSnapshot),
    /// Nothing is stored: this token or its value belongs to another entry. A caller that numbers
    /// from all entries never gets this.
    Clash(String),
}

impl FieldTables {
    /// The whole vault of a site.
    ///
    /// # Errors
    /// There is no such site, or the database fails.
    pub async fn vault(&self, site: &str) -> Result<VaultSnapshot, FieldTablesError> {
        // Both in one read, so that the revision is that of the entries.
        let mut reader = self.0.readers().begin().await.map_err(store::Error::from)?;
        snapshot(&mut reader, site, 0).await
    }

    /// Stores entries that are new, or whose note changed, if the vault still has the revision that
    /// the caller knows.
    ///
    /// # Errors
    /// There is no such site, a value is too large, the vault is full, or the database fails.
    pub async fn keep_values(
        &self,
        site: &str,
        known: u64,
        entries: &[VaultRow],
    ) -> Result<VaultWrite, FieldTablesError> {
        for entry in entries {
            fits("a sealed value", entry.sealed.len(), MOST_SEALED_VALUE)?;
        }
        let mut writer = self.0.writer().await;
        let mut change = writer.begin("values of a site").await?;
        let connection = change.connection();
        let now = find(connection, site).await?;
        let now = now.ok_or(FieldTablesError::NotFound)?;
        if now.vault_revision != known {
            return Ok(VaultWrite::Behind(snapshot(connection, site, known).await?));
        }
        if entries.is_empty() {
            return Ok(VaultWrite::Kept(known));
        }
        let revision = known + 1;
        for entry in entries {
            // A row that has this value or this token, but not both, is another one.
            let done = sqlx::query(
                "INSERT INTO field_vault \
                 (site, class, hash, token, sealed, revision, first_seen_ms, last_seen_ms) \
                 SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8 WHERE NOT EXISTS (\
                     SELECT 1 FROM field_vault WHERE site = ?1 AND token = ?4 \
                     AND (class, hash) IS NOT (?2, ?3)) \
                 ON CONFLICT (site, class, hash) DO UPDATE SET sealed = excluded.sealed, \
                     revision = excluded.revision, \
                     last_seen_ms = max(last_seen_ms, excluded.last_seen_ms) \
                 WHERE token = excluded.token",
            )
            .bind(site)
            .bind(&entry.class)
            .bind(&entry.hash)
            .bind(&entry.token)
            .bind(&entry.sealed)
            .bind(whole(revision))
            .bind(entry.first_seen_ms)
            .bind(entry.last_seen_ms)
            .execute(&mut *connection)
            .await?;
            if done.rows_affected() == 0 {
                // Dropping the transaction rolls it back.
                return Ok(VaultWrite::Clash(entry.token.clone()));
            }
        }
        let values = sqlx::query_scalar("SELECT count(*) FROM field_vault WHERE site = ?")
            .bind(site)
            .fetch_one(&mut *connection)
            .await?;
        if to_count(values)? > MOST_VALUES {
            return Err(FieldTablesError::TooMany {
                what: "values in the vault of the site",
                most: MOST_VALUES,
            });
        }
        sqlx::query("UPDATE field_sites SET vault_revision = ? WHERE id = ?")
            .bind(whole(revision))
            .bind(site)
            .execute(connection)
            .await?;
        change.commit().await?;
        Ok(VaultWrite::Kept(revision))
    }

    /// Notes that tokens of a site occurred again. Unknown ones are left out; the number of rows that
    /// are newer now is the answer.
    ///
    /// # Errors
    /// The database fails.
    pub async fn values_seen(
        &self,
        site: &str,
        tokens: &[String],
        at_ms: i64,
    ) -> Result<u64, FieldTablesError> {
        let mut writer = self.0.writer().await;
        let mut change = writer.begin_import("values that occurred").await?;
        let done = sqlx::query(
            "UPDATE field_vault SET last_seen_ms = ?2 WHERE site = ?1 AND last_seen_ms < ?2 \
             AND token IN (SELECT value FROM json_each(?3))",
        )
        .bind(site)
        .bind(at_ms)
        .bind(list(tokens))
        .execute(change.connection())
        .await?;
        change.commit().await?;
        Ok(done.rows_affected())
    }
}

/// The entries that are newer than a revision, in the order in which they came.
async fn snapshot(
    connection: &mut SqliteConnection,
    site: &str,
    after: u64,
) -> Result<VaultSnapshot, FieldTablesError> {
    let now = find(connection, site).await?;
    let now = now.ok_or(FieldTablesError::NotFound)?;
    let rows = sqlx::query(
        "SELECT * FROM field_vault WHERE site = ? AND revision > ? \
         ORDER BY revision, class, hash",
    )
    .bind(site)
    .bind(whole(after))
    .fetch_all(connection)
    .await?;
    let entries: Result<_, _> = rows.iter().map(read).collect();
    Ok(VaultSnapshot {
        revision: now.vault_revision,
        entries: entries?,
    })
}

pub(crate) fn read(row: &SqliteRow) -> Result<VaultRow, FieldTablesError> {
    Ok(VaultRow {
        class: row.try_get("class")?,
        hash: row.try_get("hash")?,
        token: row.try_get("token")?,
        sealed: row.try_get("sealed")?,
        first_seen_ms: row.try_get("first_seen_ms")?,
        last_seen_ms: row.try_get("last_seen_ms")?,
    })
}
