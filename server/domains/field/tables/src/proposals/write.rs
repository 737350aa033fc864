//! New proposals and new versions: each call makes one at most.

use serde_json::Value;
use sqlx::{Row, SqliteConnection};

use super::{
    FieldProposal, PolicyCheck, ProposalForm, ProposalVersion, checks, find, find_version,
};
use crate::columns::{count, json, whole};
use crate::error::fits;
use crate::limits::{MOST_NAME, MOST_SCRIPT, MOST_VERSIONS};
use crate::{FieldTables, FieldTablesError};

/// A proposal to be made, with its first version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewProposal {
    pub id: String,
    pub device: String,
    pub title: String,
}

/// A version to be added.
#[derive(Debug, Clone, PartialEq)]
pub struct NewVersion {
    /// Identifier of the call or request: the same once more makes nothing.
    pub cause: String,
    pub form: ProposalForm,
    pub content: String,
    /// The script as people read it.
    pub rendering: String,
    /// Why it is proposed, and what is expected of it.
    pub reasons: Value,
    /// A user's identifier, or `model`.
    pub made_by: String,
    /// Conversation, bundle or version that it was made from.
    pub made_from: Value,
    pub check: PolicyCheck,
}

/// Outcome of making a proposal or a version.
#[derive(Debug, Clone, PartialEq)]
pub enum ProposalOutcome {
    Made(ProposalVersion),
    /// The cause made this one before.
    Repeated(ProposalVersion),
    /// It has newer versions than the one that this was made from.
    Stale(FieldProposal),
    /// Another proposal has this identifier.
    IdTaken,
}

impl FieldTables {
    /// Makes a proposal for a device, at the device's site.
    ///
    /// # Errors
    /// There is no such device or it is retired, something is too large, or the database fails.
    pub async fn propose(
        &self,
        new: &NewProposal,
        version: &NewVersion,
        at_ms: i64,
    ) -> Result<ProposalOutcome, FieldTablesError> {
        fits("the title of a proposal", new.title.len(), MOST_NAME)?;
        let mut writer = self.0.writer().await;
        let mut change = writer.begin("a proposal").await?;
        let connection = change.connection();
        if let Some(there) = made_by(connection, &version.cause).await? {
            return Ok(ProposalOutcome::Repeated(there));
        }
        if find(connection, &new.id).await?.is_some() {
            return Ok(ProposalOutcome::IdTaken);
        }
        let done = sqlx::query(
            "INSERT INTO field_proposals (id, site, device, title, head, created_ms, changed_ms) \
             SELECT ?1, site, id, ?3, 1, ?4, ?4 FROM field_devices \
             WHERE id = ?2 AND state <> 'retired'",
        )
        .bind(&new.id)
        .bind(&new.device)
        .bind(&new.title)
        .bind(at_ms)
        .execute(&mut *connection)
        .await?;
        if done.rows_affected() == 0 {
            return Err(FieldTablesError::NotFound);
        }
        let made = insert(connection, &new.id, 1, version, at_ms).await?;
        change.commit().await?;
        Ok(ProposalOutcome::Made(made))
    }

    /// Adds a version, if the newest one is still `head`.
    ///
    /// # Errors
    /// There is no such proposal, it has too many versions, something is too large, or the database
    /// fails.
    pub async fn add_version(
        &self,
        proposal: &str,
        head: u64,
        version: &NewVersion,
        at_ms: i64,
    ) -> Result<ProposalOutcome, FieldTablesError> {
        if head >= MOST_VERSIONS {
            return Err(FieldTablesError::TooMany {
                what: "versions of the proposal",
                most: MOST_VERSIONS,
            });
        }
        let mut writer = self.0.writer().await;
        let mut change = writer.begin("a version of a proposal").await?;
        let connection = change.connection();
        if let Some(there) = made_by(connection, &version.cause).await? {
            return Ok(ProposalOutcome::Repeated(there));
        }
        let done = sqlx::query(
            "UPDATE field_proposals SET head = head + 1, changed_ms = ? WHERE id = ? AND head = ?",
        )
        .bind(at_ms)
        .bind(proposal)
        .bind(whole(head))
        .execute(&mut *connection)
        .await?;
        if done.rows_affected() == 0 {
            let now = find(connection, proposal).await?;
            let now = now.ok_or(FieldTablesError::NotFound)?;
            return Ok(ProposalOutcome::Stale(now));
        }
        let made = insert(connection, proposal, head + 1, version, at_ms).await?;
        change.commit().await?;
        Ok(ProposalOutcome::Made(made))
    }
}

/// The version that a call or request made.
async fn made_by(
    connection: &mut SqliteConnection,
    cause: &str,
) -> Result<Option<ProposalVersion>, FieldTablesError> {
    let row = sqlx::query("SELECT proposal, version FROM field_proposal_versions WHERE cause = ?")
        .bind(cause)
        .fetch_optional(&mut *connection)
        .await?;
    let Some(row) = row else { return Ok(None) };
    find_version(
        connection,
        row.try_get("proposal")?,
        count(&row, "version")?,
    )
    .await
}

async fn insert(
    connection: &mut SqliteConnection,
    proposal: &str,
    number: u64,
    new: &NewVersion,
    at_ms: i64,
) -> Result<ProposalVersion, FieldTablesError> {
    fits("a script", new.content.len(), MOST_SCRIPT)?;
    fits(
        "the rendering of a script",
        new.rendering.len(),
        MOST_SCRIPT,
    )?;
    sqlx::query(
        "INSERT INTO field_proposal_versions (proposal, version, cause, form, content, \
         rendering, reasons, made_by, made_from, made_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(proposal)
    .bind(whole(number))
    .bind(&new.cause)
    .bind(new.form.word())
    .bind(&new.content)
    .bind(&new.rendering)
    .bind(json("the reasons of a proposal", &new.reasons)?)
    .bind(&new.made_by)
    .bind(json("the origin of a proposal", &new.made_from)?)
    .bind(at_ms)
    .execute(&mut *connection)
    .await?;
    checks::insert(connection, proposal, number, &new.check).await?;
    let made = find_version(connection, proposal, number).await?;
    made.ok_or(FieldTablesError::NotFound)
}
