//! The conversations of one toolset, with the things that they are about.

use protocol::{ConversationId, Reference, UserId};
use sqlx::{Row, sqlite::SqliteRow};

use crate::{Error, Store, columns::parse};

/// The events of a conversation that are read, from its beginning: the first message is among them.
const BEGINNING: i64 = 16;

/// A conversation, and the things to which its first message with any refers.
#[derive(Debug, Clone, PartialEq)]
pub struct ConversationSubject {
    pub id: ConversationId,
    pub title: String,
    pub references: Vec<Reference>,
}

impl Store {
    /// A user's conversations that have the tools of a toolset and can be continued, newest change
    /// first, at most `limit`. Those that only plan have no tools.
    pub async fn subjects(
        &self,
        owner: UserId,
        toolset: &str,
        limit: u32,
    ) -> Result<Vec<ConversationSubject>, Error> {
        let rows = sqlx::query(
            "SELECT id, title, (SELECT json_extract(body, '$.references') FROM events \
             WHERE events.conversation = conversations.key AND seq <= ?4 \
             AND json_extract(body, '$.references') IS NOT NULL ORDER BY seq LIMIT 1) AS things \
             FROM conversations WHERE owner = ?1 AND action IS NULL AND deleted IS NULL \
             AND imported IS NULL AND shelf <> 'archived' AND behind = 0 AND mode = 'default' \
             AND EXISTS (SELECT 1 FROM events, json_each(events.body, '$.toolsets') AS its \
             WHERE events.conversation = conversations.key AND events.seq = 1 AND its.value = ?2) \
             ORDER BY updated DESC, id DESC LIMIT ?3",
        )
        .bind(owner.to_string())
        .bind(toolset)
        .bind(limit)
        .bind(BEGINNING)
        .fetch_all(self.readers())
        .await?;
        rows.iter().map(subject).collect()
    }
}

fn subject(row: &SqliteRow) -> Result<ConversationSubject, Error> {
    let things: Option<&str> = row.try_get("things")?;
    let references = serde_json::from_str(things.unwrap_or("[]"));
    Ok(ConversationSubject {
        id: parse(row.try_get("id")?)?,
        title: row.try_get("title")?,
        references: references.map_err(|error| Error::Damaged(format!("references: {error}")))?,
    })
}
