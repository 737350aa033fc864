//! Sites: the network around some devices, and what goes when one is removed.

use serde_json::json;
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use crate::columns::{count, next_number, to_count, whole};
use crate::error::fits;
use crate::history::HistoryAct;
use crate::jobs::remove_jobs;
use crate::limits::MOST_NAME;
use crate::{FieldTables, FieldTablesError, HistoryAction};

/// A site to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewFieldSite {
    /// 1 to 40 characters, from the caller.
    pub id: String,
    pub name: String,
    /// True if addresses that are routed globally get tokens as well.
    pub covers_public: bool,
}

/// A site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldSite {
    pub id: String,
    /// The number in tokens; no other site ever gets it.
    pub number: u32,
    pub name: String,
    pub covers_public: bool,
    pub created_ms: i64,
    pub created_by: String,
    /// One more with each change.
    pub version: u64,
    /// One more with each write of the vault.
    pub vault_revision: u64,
}

/// Outcome of a change that was made from one version of a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SiteChange {
    Changed(FieldSite),
    /// It has changed since, to this.
    Stale(FieldSite),
}

/// Outcome of the removal of a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SiteRemoval {
    /// Gone with its vault, bundles, proposals, and the packages and logs of its jobs.
    Removed,
    /// That many devices are not retired.
    Devices(u64),
    /// That many jobs are not over, or nobody has resolved their outcome.
    Jobs(u64),
}

impl FieldTables {
    /// Makes a site. One with the same identifier is left as it is, and `None` is the answer.
    ///
    /// # Errors
    /// The name is too long, or the database fails.
    pub async fn make_site(
        &self,
        site: &NewFieldSite,
        by: &str,
        at_ms: i64,
    ) -> Result<Option<FieldSite>, FieldTablesError> {
        fits("the name of a site", site.name.len(), MOST_NAME)?;
        let mut writer = self.0.writer().await;
        let mut change = writer.begin_durable("a site").await?;
        let connection = change.connection();
        if find(connection, &site.id).await?.is_some() {
            return Ok(None);
        }
        let number = next_number(connection, "sites").await?;
        sqlx::query(
            "INSERT INTO field_sites (id, number, name, covers_public, created_ms, created_by) \
             VALUES (?, ?, ?, ?, ?, ?)",
        )
        .bind(&site.id)
        .bind(number)
        .bind(&site.name)
        .bind(site.covers_public)
        .bind(at_ms)
        .bind(by)
        .execute(&mut *connection)
        .await?;
        let act = HistoryAct {
            at_ms,
            actor: by,
            action: HistoryAction::SiteMade,
            subject: &site.id,
            detail: json!({ "covers_public": site.covers_public }),
        };
        act.record(connection).await?;
        let made = find(connection, &site.id).await?;
        change.commit().await?;
        Ok(made)
    }

    /// Changes name and choice of a site, if its version is still this one.
    ///
    /// # Errors
    /// There is no such site, the name is too long, or the database fails.
    pub async fn change_site(
        &self,
        site: &NewFieldSite,
        version: u64,
        by: &str,
        at_ms: i64,
    ) -> Result<SiteChange, FieldTablesError> {
        fits("the name of a site", site.name.len(), MOST_NAME)?;
        let mut writer = self.0.writer().await;
        let mut change = writer.begin_durable("a changed site").await?;
        let connection = change.connection();
        let done = sqlx::query(
            "UPDATE field_sites SET name = ?, covers_public = ?, version = version + 1 \
             WHERE id = ? AND version = ?",
        )
        .bind(&site.name)
        .bind(site.covers_public)
        .bind(&site.id)
        .bind(whole(version))
        .execute(&mut *connection)
        .await?;
        let now = find(connection, &site.id).await?;
        let now = now.ok_or(FieldTablesError::NotFound)?;
        if done.rows_affected() == 0 {
            return Ok(SiteChange::Stale(now));
        }
        let act = HistoryAct {
            at_ms,
            actor: by,
            action: HistoryAction::SiteChanged,
            subject: &site.id,
            detail: json!({ "covers_public": site.covers_public }),
        };
        act.record(connection).await?;
        change.commit().await?;
        Ok(SiteChange::Changed(now))
    }

    /// Removes a site and everything that says something about it. Looks, acts and tombstones stay:
    /// they have no values.
    ///
    /// # Errors
    /// There is no such site, or the database fails.
    pub async fn remove_site(
        &self,
        site: &str,
        by: &str,
        at_ms: i64,
    ) -> Result<SiteRemoval, FieldTablesError> {
        let mut writer = self.0.writer().await;
        let mut change = writer.begin_durable("a removed site").await?;
        let connection = change.connection();
        let devices = number(connection, DEVICES, site).await?;
        if devices > 0 {
            return Ok(SiteRemoval::Devices(devices));
        }
        let open = number(connection, OPEN_JOBS, site).await?;
        if open > 0 {
            return Ok(SiteRemoval::Jobs(open));
        }
        let jobs: Vec<String> = sqlx::query_scalar("SELECT id FROM field_jobs WHERE site = ?")
            .bind(site)
            .fetch_all(&mut *connection)
            .await?;
        remove_jobs(connection, &jobs).await?;
        for sql in REMOVALS {
            let done = sqlx::query(sql).bind(site).execute(&mut *connection);
            done.await?;
        }
        let done = sqlx::query("DELETE FROM field_sites WHERE id = ?")
            .bind(site)
            .execute(&mut *connection)
            .await?;
        if done.rows_affected() == 0 {
            return Err(FieldTablesError::NotFound);
        }
        let act = HistoryAct {
            at_ms,
            actor: by,
            action: HistoryAction::SiteRemoved,
            subject: site,
            detail: json!({ "jobs": jobs.len() }),
        };
        act.record(connection).await?;
        change.commit().await?;
        Ok(SiteRemoval::Removed)
    }

    /// True if a site and all that is there are of one maker: it made the site and each enrolment, all devices that
    /// ever were there have one of these fingerprints, and they alone brought diagnostics.
    ///
    /// # Errors
    /// The database fails.
    pub async fn is_only_of(
        &self,
        site: &str,
        maker: &str,
        fingerprints: &[String],
    ) -> Result<bool, FieldTablesError> {
        let is_only = sqlx::query_scalar(ONLY_OF)
            .bind(site)
            .bind(maker)
            .bind(json!(fingerprints).to_string())
            .fetch_one(self.0.readers())
            .await?;
        Ok(is_only)
    }

    /// A site.
    ///
    /// # Errors
    /// The database fails.
    pub async fn site(&self, id: &str) -> Result<Option<FieldSite>, FieldTablesError> {
        let row = sqlx::query("SELECT * FROM field_sites WHERE id = ?")
            .bind(id)
            .fetch_optional(self.0.readers())
            .await?;
        row.as_ref().map(read).transpose()
    }

    /// All sites, by number.
    ///
    /// # Errors
    /// The database fails.
    pub async fn sites(&self) -> Result<Vec<FieldSite>, FieldTablesError> {
        let rows = sqlx::query("SELECT * FROM field_sites ORDER BY number")
            .fetch_all(self.0.readers())
            .await?;
        rows.iter().map(read).collect()
    }
}

const DEVICES: &str = "SELECT count(*) FROM field_devices WHERE site = ? AND state <> 'retired'";
const OPEN_JOBS: &str = "SELECT count(*) FROM field_jobs WHERE site = ? \
     AND (ended_ms IS NULL OR (state = 'unknown' AND coalesce(resolved_ms, late_ms) IS NULL))";

const ONLY_OF: &str = "SELECT \
     EXISTS (SELECT 1 FROM field_sites WHERE id = ?1 AND created_by = ?2) \
     AND NOT EXISTS (SELECT 1 FROM field_devices WHERE site = ?1 \
     AND fingerprint NOT IN (SELECT value FROM json_each(?3))) \
     AND NOT EXISTS (SELECT 1 FROM field_enrolments WHERE site = ?1 AND created_by <> ?2) \
     AND NOT EXISTS (SELECT 1 FROM field_bundles WHERE site = ?1 AND device IS NOT source)";

/// In an order in which no row refers to one that is gone.
const REMOVALS: [&str; 12] = [
    "DELETE FROM field_proposal_checks WHERE proposal IN \
     (SELECT id FROM field_proposals WHERE site = ?)",
    "DELETE FROM field_proposal_versions WHERE proposal IN \
     (SELECT id FROM field_proposals WHERE site = ?)",
    "DELETE FROM field_proposals WHERE site = ?",
    "DELETE FROM field_sections WHERE bundle IN (SELECT id FROM field_bundles WHERE site = ?)",
    "DELETE FROM field_bundles WHERE site = ?",
    "DELETE FROM field_collections WHERE device IN (SELECT id FROM field_devices WHERE site = ?)",
    "DELETE FROM field_sessions WHERE device IN (SELECT id FROM field_devices WHERE site = ?)",
    "DELETE FROM field_challenges WHERE device IN (SELECT id FROM field_devices WHERE site = ?)",
    "DELETE FROM field_sequences WHERE device IN (SELECT id FROM field_devices WHERE site = ?)",
    "DELETE FROM field_devices WHERE site = ?",
    "DELETE FROM field_enrolments WHERE site = ?",
    "DELETE FROM field_vault WHERE site = ?",
];

async fn number(
    connection: &mut SqliteConnection,
    sql: &'static str,
    site: &str,
) -> Result<u64, FieldTablesError> {
    let number = sqlx::query_scalar(sql).bind(site);
    to_count(number.fetch_one(connection).await?)
}

pub(crate) async fn find(
    connection: &mut SqliteConnection,
    id: &str,
) -> Result<Option<FieldSite>, FieldTablesError> {
    let row = sqlx::query("SELECT * FROM field_sites WHERE id = ?")
        .bind(id)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read).transpose()
}

fn read(row: &SqliteRow) -> Result<FieldSite, FieldTablesError> {
    Ok(FieldSite {
        id: row.try_get("id")?,
        number: row.try_get("number")?,
        name: row.try_get("name")?,
        covers_public: row.try_get("covers_public")?,
        created_ms: row.try_get("created_ms")?,
        created_by: row.try_get("created_by")?,
        version: count(row, "version")?,
        vault_revision: count(row, "vault_revision")?,
    })
}
