//! Checks of versions by the policy.

use serde_json::Value;
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use crate::columns::{from_json, json, whole};
use crate::error::fits;
use crate::limits::{MOST_CHECKS, MOST_NAME};
use crate::{FieldTables, FieldTablesError};

/// The policy's word on a version.
#[derive(Debug, Clone, PartialEq)]
pub struct PolicyCheck {
    pub at_ms: i64,
    /// The policy that was asked.
    pub policy_version: String,
    /// Level and reasons.
    pub risk: Value,
}

impl FieldTables {
    /// Keeps another check of a version; the newest one counts. False if there is no such version.
    ///
    /// # Errors
    /// The check is too large, or the database fails.
    pub async fn keep_check(
        &self,
        proposal: &str,
        version: u64,
        check: &PolicyCheck,
    ) -> Result<bool, FieldTablesError> {
        let mut writer = self.0.writer().await;
        let mut change = writer.begin("a check of a proposal").await?;
        let connection = change.connection();
        let there = super::find_version(connection, proposal, version).await?;
        if there.is_none() {
            return Ok(false);
        }
        insert(connection, proposal, version, check).await?;
        sqlx::query(
            "DELETE FROM field_proposal_checks WHERE proposal = ?1 AND version = ?2 \
             AND number <= (SELECT number FROM field_proposal_checks \
                 WHERE proposal = ?1 AND version = ?2 ORDER BY number DESC LIMIT 1 OFFSET ?3)",
        )
        .bind(proposal)
        .bind(whole(version))
        .bind(MOST_CHECKS)
        .execute(connection)
        .await?;
        change.commit().await?;
        Ok(true)
    }

    /// The checks of a version, newest first.
    ///
    /// # Errors
    /// The database fails.
    pub async fn checks(
        &self,
        proposal: &str,
        version: u64,
    ) -> Result<Vec<PolicyCheck>, FieldTablesError> {
        let rows = sqlx::query(
            "SELECT * FROM field_proposal_checks WHERE proposal = ? AND version = ? \
             ORDER BY number DESC",
        )
        .bind(proposal)
        .bind(whole(version))
        .fetch_all(self.0.readers())
        .await?;
        rows.iter().map(read).collect()
    }
}

pub(super) async fn insert(
    connection: &mut SqliteConnection,
    proposal: &str,
    version: u64,
    check: &PolicyCheck,
) -> Result<(), FieldTablesError> {
    fits(
        "the version of a policy",
        check.policy_version.len(),
        MOST_NAME,
    )?;
    sqlx::query(
        "INSERT INTO field_proposal_checks (proposal, version, at_ms, policy_version, risk) \
         VALUES (?, ?, ?, ?, ?)",
    )
    .bind(proposal)
    .bind(whole(version))
    .bind(check.at_ms)
    .bind(&check.policy_version)
    .bind(json("the risk of a script", &check.risk)?)
    .execute(connection)
    .await?;
    Ok(())
}

pub(super) fn read(row: &SqliteRow) -> Result<PolicyCheck, FieldTablesError> {
    Ok(PolicyCheck {
        at_ms: row.try_get("at_ms")?,
        policy_version: row.try_get("policy_version")?,
        risk: from_json(row, "risk")?,
    })
}
