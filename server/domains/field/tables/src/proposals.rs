//! Proposals: scripts in versions, and what the policy said about each.

mod checks;
mod write;

use std::collections::HashMap;

use serde_json::Value;
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use crate::columns::{count, from_json, to_count, words};
use crate::limits::MOST_ROWS;
use crate::{FieldTables, FieldTablesError};

pub use checks::PolicyCheck;
pub use write::{NewProposal, NewVersion, ProposalOutcome};

/// Form of a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProposalForm {
    /// Typed steps, as JSON.
    Steps,
    /// Text that a person wrote.
    Sh,
}

words!(ProposalForm {
    Steps = "steps",
    Sh = "sh",
});

/// A proposal, without its versions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldProposal {
    pub number: i64,
    pub id: String,
    pub site: String,
    pub device: String,
    pub title: String,
    /// The newest version.
    pub head: u64,
    pub created_ms: i64,
    pub changed_ms: i64,
}

/// A version of a proposal. It is never changed.
#[derive(Debug, Clone, PartialEq)]
pub struct ProposalVersion {
    pub proposal: String,
    /// Counts from 1.
    pub version: u64,
    /// The call or request that made it.
    pub cause: String,
    pub form: ProposalForm,
    pub content: String,
    pub rendering: String,
    pub reasons: Value,
    pub made_by: String,
    pub made_from: Value,
    pub made_ms: i64,
    /// The newest check of this version.
    pub check: PolicyCheck,
}

impl FieldTables {
    /// A proposal.
    ///
    /// # Errors
    /// The database fails.
    pub async fn proposal(&self, id: &str) -> Result<Option<FieldProposal>, FieldTablesError> {
        let mut reader = self.0.readers().acquire().await?;
        find(&mut reader, id).await
    }

    /// The newest proposals for a device, or for all.
    ///
    /// # Errors
    /// The database fails.
    pub async fn proposals(
        &self,
        device: Option<&str>,
        before: Option<i64>,
        limit: u32,
    ) -> Result<Vec<FieldProposal>, FieldTablesError> {
        let sql = match device {
            Some(_) => {
                "SELECT * FROM field_proposals WHERE device = ?1 AND number < ?2 \
                 ORDER BY number DESC LIMIT ?3"
            }
            None => {
                "SELECT * FROM field_proposals WHERE ?1 IS NULL AND number < ?2 \
                 ORDER BY number DESC LIMIT ?3"
            }
        };
        let rows = sqlx::query(sql)
            .bind(device)
            .bind(before.unwrap_or(i64::MAX))
            .bind(limit.min(MOST_ROWS))
            .fetch_all(self.0.readers())
            .await?;
        rows.iter().map(read).collect()
    }

    /// Number of versions that were proposed for each device that has any: it goes up with each proposal
    /// and with each version.
    ///
    /// # Errors
    /// The database fails.
    pub async fn proposed_versions(&self) -> Result<HashMap<String, u64>, FieldTablesError> {
        let rows: Vec<(String, i64)> =
            sqlx::query_as("SELECT device, sum(head) FROM field_proposals GROUP BY device")
                .fetch_all(self.0.readers())
                .await?;
        let rows = rows.into_iter();
        rows.map(|(device, versions)| Ok((device, to_count(versions)?)))
            .collect()
    }

    /// A version of a proposal.
    ///
    /// # Errors
    /// The database fails.
    pub async fn proposal_version(
        &self,
        proposal: &str,
        version: u64,
    ) -> Result<Option<ProposalVersion>, FieldTablesError> {
        let mut reader = self.0.readers().acquire().await?;
        find_version(&mut reader, proposal, version).await
    }

    /// The newest version of a proposal that the server let start on its device: what a later one is
    /// compared with.
    ///
    /// # Errors
    /// The database fails.
    pub async fn last_version_that_ran(
        &self,
        proposal: &str,
    ) -> Result<Option<u64>, FieldTablesError> {
        let row = sqlx::query(
            "SELECT proposal_version FROM field_jobs WHERE proposal = ? \
             AND started_ms IS NOT NULL AND state <> 'refused' \
             AND proposal_version IS NOT NULL ORDER BY number DESC LIMIT 1",
        )
        .bind(proposal)
        .fetch_optional(self.0.readers())
        .await?;
        row.map(|row| count(&row, "proposal_version")).transpose()
    }
}

pub(crate) async fn find(
    connection: &mut SqliteConnection,
    id: &str,
) -> Result<Option<FieldProposal>, FieldTablesError> {
    let row = sqlx::query("SELECT * FROM field_proposals WHERE id = ?")
        .bind(id)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read).transpose()
}

async fn find_version(
    connection: &mut SqliteConnection,
    proposal: &str,
    version: u64,
) -> Result<Option<ProposalVersion>, FieldTablesError> {
    let row = sqlx::query(
        "SELECT made.*, checks.at_ms, checks.policy_version, checks.risk \
         FROM field_proposal_versions AS made JOIN field_proposal_checks AS checks \
         ON checks.proposal = made.proposal AND checks.version = made.version \
         WHERE made.proposal = ? AND made.version = ? ORDER BY checks.number DESC LIMIT 1",
    )
    .bind(proposal)
    .bind(crate::columns::whole(version))
    .fetch_optional(connection)
    .await?;
    let Some(row) = row else { return Ok(None) };
    Ok(Some(ProposalVersion {
        proposal: row.try_get("proposal")?,
        version: count(&row, "version")?,
        cause: row.try_get("cause")?,
        form: ProposalForm::read(row.try_get("form")?)?,
        content: row.try_get("content")?,
        rendering: row.try_get("rendering")?,
        reasons: from_json(&row, "reasons")?,
        made_by: row.try_get("made_by")?,
        made_from: from_json(&row, "made_from")?,
        made_ms: row.try_get("made_ms")?,
        check: checks::read(&row)?,
    }))
}

fn read(row: &SqliteRow) -> Result<FieldProposal, FieldTablesError> {
    Ok(FieldProposal {
        number: row.try_get("number")?,
        id: row.try_get("id")?,
        site: row.try_get("site")?,
        device: row.try_get("device")?,
        title: row.try_get("title")?,
        head: count(row, "head")?,
        created_ms: row.try_get("created_ms")?,
        changed_ms: row.try_get("changed_ms")?,
    })
}
