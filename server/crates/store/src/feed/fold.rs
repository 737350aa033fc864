//! The fold of the audit chain into the feed.

use std::collections::HashMap;

use agent::ports::{Durability, Happening};
use protocol::{ConversationId, Timestamp, UserId};
use sqlx::{Row, SqliteConnection};

use super::{
    fact::{AuditFact, FeedBody},
    write::put,
};
use crate::{Error, Store, columns::parse};

impl Store {
    /// Folds at most `limit` more rows of the audit chain into the feed, but nothing from before
    /// `oldest`. `word` words the entry of a row; none if it has none of its own. The words are
    /// stored, because searches are for them. Returns the number of rows; fewer than `limit` means
    /// that it is complete.
    pub async fn fold_feed(
        &self,
        oldest: Timestamp,
        limit: usize,
        word: impl Fn(&AuditFact<'_>) -> Option<Happening>,
    ) -> Result<usize, Error> {
        let mut reader = self.readers().acquire().await?;
        let done: i64 = sqlx::query_scalar("SELECT audit FROM feed_fold")
            .fetch_one(&mut *reader)
            .await?;
        let rows = sqlx::query(
            "SELECT seq, at, kind, conversation, person, body FROM audit \
             WHERE seq > ? ORDER BY seq LIMIT ?",
        )
        .bind(done)
        .bind(i64::try_from(limit).unwrap_or(i64::MAX))
        .fetch_all(&mut *reader)
        .await?;
        let Some(newest) = rows.last() else {
            return Ok(0);
        };
        let newest: i64 = newest.try_get("seq")?;
        let mut names = FoldNames::of(&mut reader).await?;
        let mut happenings = Vec::new();
        for row in &rows {
            let at = Timestamp(row.try_get("at")?);
            if at < oldest {
                continue;
            }
            let conversation: Option<&str> = row.try_get("conversation")?;
            let conversation: Option<ConversationId> = conversation.map(parse).transpose()?;
            let owner = match conversation {
                Some(id) => names.owner(&mut reader, id).await?,
                None => None,
            };
            let seq = row.try_get("seq")?;
            let body = match serde_json::from_str::<FeedBody<'_>>(row.try_get("body")?) {
                Ok(body) => body,
                Err(error) => {
                    tracing::warn!(seq, %error, "an unreadable audit row");
                    continue;
                }
            };
            let (event, detail) = body.event(conversation.is_some());
            happenings.extend(word(&AuditFact {
                seq,
                at,
                kind: row.try_get("kind")?,
                conversation,
                owner,
                person: row.try_get("person")?,
                event,
                tool: detail.tool,
                correlation: detail.correlation,
                users: &names.users,
            }));
        }
        drop(reader);
        let mut writer = self.writer().await;
        let mut transaction = writer.begin_beside(Durability::Process).await?;
        let moved = sqlx::query("UPDATE feed_fold SET audit = ? WHERE audit = ?")
            .bind(newest)
            .bind(done)
            .execute(&mut *transaction)
            .await?;
        // Another task may have folded these just now.
        if moved.rows_affected() == 1 {
            for happening in &happenings {
                put(&mut transaction, happening).await?;
            }
            transaction.commit().await?;
        }
        Ok(rows.len())
    }
}

/// Names of users, and owners of conversations.
struct FoldNames {
    users: HashMap<UserId, String>,
    owners: HashMap<ConversationId, Option<UserId>>,
}

impl FoldNames {
    async fn of(connection: &mut SqliteConnection) -> Result<Self, Error> {
        let rows = sqlx::query("SELECT id, name FROM users")
            .fetch_all(connection)
            .await?;
        let users = rows.iter().map(|row| -> Result<_, Error> {
            Ok((parse(row.try_get("id")?)?, row.try_get("name")?))
        });
        Ok(Self {
            users: users.collect::<Result<_, Error>>()?,
            owners: HashMap::new(),
        })
    }

    /// The owner of a conversation; none if it is gone.
    async fn owner(
        &mut self,
        connection: &mut SqliteConnection,
        id: ConversationId,
    ) -> Result<Option<UserId>, Error> {
        if let Some(owner) = self.owners.get(&id) {
            return Ok(*owner);
        }
        let owner: Option<String> =
            sqlx::query_scalar("SELECT owner FROM conversations WHERE id = ?")
                .bind(id.to_string())
                .fetch_optional(connection)
                .await?;
        let owner = owner.as_deref().map(parse).transpose()?;
        self.owners.insert(id, owner);
        Ok(owner)
    }
}
