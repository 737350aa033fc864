//! Sections of a bundle: the covered text of one collector's output.

use serde_json::Value;
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use crate::bundles::find;
use crate::columns::{from_json, json, to_count};
use crate::error::fits;
use crate::limits::{MOST_BUNDLE, MOST_SECTION, MOST_SECTIONS};
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
}

/// A section as it is stored, without its text.
#[derive(Debug, Clone, PartialEq)]
pub struct SectionRecord {
    pub name: String,
    pub digest: String,
    /// Bytes of the covered text.
    pub size: u64,
    pub counts: Value,
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
             (bundle, name, place, digest, covered, counts) \
             SELECT ?1, ?2, count(*), ?3, ?4, ?5 FROM field_sections WHERE bundle = ?1",
        )
        .bind(bundle)
        .bind(&new.name)
        .bind(&new.digest)
        .bind(&new.covered)
        .bind(counts)
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
            "SELECT name, digest, length(CAST(covered AS BLOB)) AS size, counts \
             FROM field_sections WHERE bundle = ? ORDER BY place",
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
