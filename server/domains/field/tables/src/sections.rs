//! Sections of a bundle: the covered text of one collector's output, and for a while its original.

use serde_json::Value;
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use crate::bundles::find;
use crate::columns::{from_json, json, to_count};
use crate::error::fits;
use crate::limits::{MOST_BUNDLE, MOST_ORIGINAL, MOST_SECTION, MOST_SECTIONS};
use crate::{FieldTables, FieldTablesError};

/// A section to be stored.
#[derive(Debug, Clone, PartialEq)]
pub struct NewSection {
    /// 1 to 40 characters.
    pub name: String,
    /// SHA-256 of the bytes that came, in hexadecimal.
    pub digest: String,
    /// The text with tokens in place of values.
    pub covered: String,
    /// Occurrences by class, and what could not be read.
    pub counts: Value,
    /// The encrypted original, and the end of the time that it is kept.
    pub original: Option<(Vec<u8>, i64)>,
}

/// A section as it is stored, without its text.
#[derive(Debug, Clone, PartialEq)]
pub struct SectionRecord {
    pub name: String,
    pub digest: String,
    /// Bytes of the covered text.
    pub size: u64,
    pub counts: Value,
    /// The end of the time that its original is kept; none if it is not kept.
    pub original_until_ms: Option<i64>,
}

/// Outcome of storing a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SectionOutcome {
    Kept,
    /// It is there already, made of the same bytes.
    Repeated,
    /// Other bytes have this name.
    Different,
    /// The bundle is complete.
    Complete,
    /// The bundle has as many sections, or as many bytes, as it may have.
    Full,
}

impl FieldTables {
    /// Stores a section of a bundle that is not complete.
    ///
    /// # Errors
    /// There is no such bundle, the section is too large, or the database fails.
    pub async fn keep_section(
        &self,
        bundle: &str,
        new: &NewSection,
    ) -> Result<SectionOutcome, FieldTablesError> {
        fits("the text of a section", new.covered.len(), MOST_SECTION)?;
        let counts = json("the counts of a section", &new.counts)?;
        let (original, until) = new.original.as_ref().map_or((None, None), |original| {
            (Some(original.0.as_slice()), Some(original.1))
        });
        fits(
            "the original of a section",
            original.map_or(0, <[u8]>::len),
            MOST_ORIGINAL,
        )?;
        let mut writer = self.0.writer().await;
        let mut change = writer.begin("a section of a bundle").await?;
        let connection = change.connection();
        let there = find(connection, bundle).await?;
        let there = there.ok_or(FieldTablesError::NotFound)?;
        let same: Option<String> =
            sqlx::query_scalar("SELECT digest FROM field_sections WHERE bundle = ? AND name = ?")
                .bind(bundle)
                .bind(&new.name)
                .fetch_optional(&mut *connection)
                .await?;
        if let Some(digest) = same {
            return Ok(if digest == new.digest {
                SectionOutcome::Repeated
            } else {
                SectionOutcome::Different
            });
        }
        if there.completed_ms.is_some() {
            return Ok(SectionOutcome::Complete);
        }
        let (sections, size) = totals(connection, bundle).await?;
        if sections >= MOST_SECTIONS || size + new.covered.len() as u64 > MOST_BUNDLE {
            return Ok(SectionOutcome::Full);
        }
        sqlx::query(
            "INSERT INTO field_sections \
             (bundle, name, place, digest, covered, counts, original, original_until_ms) \
             SELECT ?1, ?2, count(*), ?3, ?4, ?5, ?6, ?7 FROM field_sections WHERE bundle = ?1",
        )
        .bind(bundle)
        .bind(&new.name)
        .bind(&new.digest)
        .bind(&new.covered)
        .bind(counts)
        .bind(original)
        .bind(until)
        .execute(connection)
        .await?;
        change.commit().await?;
        Ok(SectionOutcome::Kept)
    }

    /// The sections of a bundle, in the order in which they came.
    ///
    /// # Errors
    /// The database fails.
    pub async fn sections(&self, bundle: &str) -> Result<Vec<SectionRecord>, FieldTablesError> {
        let rows = sqlx::query(
            "SELECT name, digest, length(CAST(covered AS BLOB)) AS size, counts, \
             original_until_ms FROM field_sections WHERE bundle = ? ORDER BY place",
        )
        .bind(bundle)
        .fetch_all(self.0.readers())
        .await?;
        let read = |row: &SqliteRow| {
            Ok(SectionRecord {
                name: row.try_get("name")?,
                digest: row.try_get("digest")?,
                size: to_count(row.try_get("size")?)?,
                counts: from_json(row, "counts")?,
                original_until_ms: row.try_get("original_until_ms")?,
            })
        };
        rows.iter().map(read).collect()
    }

    /// The covered text of a section.
    ///
    /// # Errors
    /// The database fails.
    pub async fn section_text(
        &self,
        bundle: &str,
        name: &str,
    ) -> Result<Option<String>, FieldTablesError> {
        let text =
            sqlx::query_scalar("SELECT covered FROM field_sections WHERE bundle = ? AND name = ?")
                .bind(bundle)
                .bind(name)
                .fetch_optional(self.0.readers())
                .await?;
        Ok(text)
    }

    /// The sealed original of a section, if its time is not over.
    ///
    /// # Errors
    /// The database fails.
    pub async fn section_original(
        &self,
        bundle: &str,
        name: &str,
        at_ms: i64,
    ) -> Result<Option<Vec<u8>>, FieldTablesError> {
        let original = sqlx::query_scalar(
            "SELECT original FROM field_sections \
             WHERE bundle = ? AND name = ? AND original_until_ms > ?",
        )
        .bind(bundle)
        .bind(name)
        .bind(at_ms)
        .fetch_optional(self.0.readers())
        .await?;
        Ok(original)
    }

    /// Removes originals whose time is over. Their number is the answer.
    ///
    /// # Errors
    /// The database fails.
    pub async fn prune_originals(&self, at_ms: i64) -> Result<u64, FieldTablesError> {
        let mut writer = self.0.writer().await;
        let mut change = writer.begin("originals that are no longer kept").await?;
        let done = sqlx::query(
            "UPDATE field_sections SET original = NULL, original_until_ms = NULL \
             WHERE original_until_ms <= ?",
        )
        .bind(at_ms)
        .execute(change.connection())
        .await?;
        change.commit().await?;
        Ok(done.rows_affected())
    }
}

/// Number of sections, and bytes of their texts.
async fn totals(
    connection: &mut SqliteConnection,
    bundle: &str,
) -> Result<(u64, u64), FieldTablesError> {
    let row = sqlx::query(
        "SELECT count(*), coalesce(sum(length(CAST(covered AS BLOB))), 0) \
         FROM field_sections WHERE bundle = ?",
    )
    .bind(bundle)
    .fetch_one(connection)
    .await?;
    Ok((to_count(row.try_get(0)?)?, to_count(row.try_get(1)?)?))
}
