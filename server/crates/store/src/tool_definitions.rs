//! Definitions of tools of other programs, as admins have accepted them.

use agent::ports::Durability;
use protocol::{Timestamp, UserId};
use serde_json::Value;
use sqlx::Row;

use crate::{
    Error, Store,
    database::commit,
    system::{self, SystemEvent},
};

/// A definition that an admin has accepted.
#[derive(Debug, Clone, PartialEq)]
pub struct AcceptedTool {
    /// The name that the configuration gives the server.
    pub server: String,
    /// The server's own name of the tool.
    pub tool: String,
    /// SHA-256 over the whole definition, in hexadecimal.
    pub digest: String,
    /// The definition, whose form is the caller's.
    pub definition: Value,
    pub by: ToolReviewer,
    pub at: Timestamp,
}

/// The person who decides on a definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolReviewer {
    /// None for whoever may run commands beside the server.
    pub user: Option<UserId>,
    pub name: String,
}

impl ToolReviewer {
    /// Whoever may run commands beside the server.
    pub fn command_line() -> Self {
        Self {
            user: None,
            name: "the command line".to_owned(),
        }
    }
}

impl Store {
    /// All accepted definitions, by server and tool.
    ///
    /// # Errors
    /// The database failed.
    pub async fn accepted_tools(&self) -> Result<Vec<AcceptedTool>, Error> {
        let rows = sqlx::query(
            "SELECT server, tool, digest, definition, accepted_by, user, accepted_at \
             FROM tool_definitions ORDER BY server, tool",
        )
        .fetch_all(self.readers())
        .await?;
        let accepted = rows.iter().map(|row| -> Result<_, Error> {
            let definition: &str = row.try_get("definition")?;
            let definition = serde_json::from_str(definition);
            let definition = definition.map_err(|error| Error::Damaged(error.to_string()))?;
            let user: Option<&str> = row.try_get("user")?;
            let user = user.map(str::parse::<UserId>).transpose();
            Ok(AcceptedTool {
                server: row.try_get("server")?,
                tool: row.try_get("tool")?,
                digest: row.try_get("digest")?,
                definition,
                by: ToolReviewer {
                    user: user.map_err(|error| Error::Damaged(error.to_string()))?,
                    name: row.try_get("accepted_by")?,
                },
                at: Timestamp(row.try_get("accepted_at")?),
            })
        });
        accepted.collect()
    }

    /// Accepts a definition, in place of an earlier one of the same tool.
    ///
    /// # Errors
    /// The database failed.
    pub async fn accept_tool(&self, accepted: &AcceptedTool) -> Result<(), Error> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Power).await?;
        sqlx::query(
            "INSERT INTO tool_definitions \
             (server, tool, digest, definition, accepted_by, user, accepted_at) \
             VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (server, tool) DO UPDATE SET \
             digest = excluded.digest, definition = excluded.definition, \
             accepted_by = excluded.accepted_by, user = excluded.user, \
             accepted_at = excluded.accepted_at",
        )
        .bind(&accepted.server)
        .bind(&accepted.tool)
        .bind(&accepted.digest)
        .bind(accepted.definition.to_string())
        .bind(&accepted.by.name)
        .bind(accepted.by.user.map(|user| user.to_string()))
        .bind(accepted.at.0)
        .execute(&mut *transaction)
        .await?;
        let event = SystemEvent::ToolReviewed {
            server: accepted.server.clone(),
            tool: accepted.tool.clone(),
            digest: accepted.digest.clone(),
            accepted: true,
            user: accepted.by.user,
            by: accepted.by.name.clone(),
        };
        system::append(&mut transaction, accepted.at, &event).await?;
        commit(transaction, || "an accepted tool".to_owned()).await
    }

    /// Takes the acceptance of a tool back. Returns false if there was none.
    ///
    /// # Errors
    /// The database failed.
    pub async fn reject_tool(
        &self,
        server: &str,
        tool: &str,
        by: &ToolReviewer,
        at: Timestamp,
    ) -> Result<bool, Error> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Power).await?;
        let digest: Option<String> = sqlx::query_scalar(
            "DELETE FROM tool_definitions WHERE server = ? AND tool = ? RETURNING digest",
        )
        .bind(server)
        .bind(tool)
        .fetch_optional(&mut *transaction)
        .await?;
        let Some(digest) = digest else {
            return Ok(false);
        };
        let event = SystemEvent::ToolReviewed {
            server: server.to_owned(),
            tool: tool.to_owned(),
            digest,
            accepted: false,
            user: by.user,
            by: by.name.clone(),
        };
        system::append(&mut transaction, at, &event).await?;
        commit(transaction, || "a rejected tool".to_owned()).await?;
        Ok(true)
    }
}
