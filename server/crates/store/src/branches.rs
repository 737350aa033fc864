//! Branches: conversations that begin as a copy of another one's history, and how they relate to
//! each other.
//!
//! One transaction copies the events, writes `Branched` and the new turn, and compares the head of
//! the other conversation. A copy makes no rows of audit, search or spending again. Shelf and
//! deletion are the family's; title, waiting cards and export are each branch's own.

use agent::ports::{Append, Appended, Branches, Branching, Durability, Epoch, JournalError};
use async_trait::async_trait;
use protocol::{
    ConversationId, ConversationSummary, EventBody, Fork, MessageId, Seq, Timestamp, UserId,
};
use sqlx::Row;

use crate::{
    Error, Store,
    columns::{parse, to_seq},
    commands::remember_command,
    conversations::{SUMMARY, summary, to_word},
    database::commit,
    families::{self, front},
    files,
    import::refuse_closed,
    journal::{events, write},
};

#[async_trait]
impl Branches for Store {
    async fn branch(&self, branching: Branching, append: Append) -> Result<Appended, JournalError> {
        let Branching {
            conversation,
            parent,
            parent_head,
            until,
        } = branching;
        if append.epoch != Epoch(0) || append.head != until {
            return Err(JournalError::Conflict { head: until });
        }
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(append.durability).await?;
        remember_command(&mut transaction, &append).await?;
        refuse_closed(&mut transaction, parent).await?;
        let row = sqlx::query(
            "SELECT key, head, shelf, folder, origin, coalesce(family, id) AS family FROM conversations \
             WHERE id = ? AND owner = ? AND action IS NULL AND deleted IS NULL",
        )
        .bind(parent.to_string())
        .bind(conversation.owner.to_string())
        .fetch_one(&mut *transaction)
        .await
        .map_err(Error::from)?;
        let head = to_seq(row.try_get("head").map_err(Error::from)?)?;
        if head != parent_head {
            return Err(JournalError::Conflict { head });
        }
        let from: i64 = row.try_get("key").map_err(Error::from)?;
        let family: &str = row.try_get("family").map_err(Error::from)?;
        let number = |seq: Seq| i64::try_from(seq.0).unwrap_or(i64::MAX);
        let begins = append.records.iter().zip(append.head.0 + 1..);
        let begins = begins
            .filter(|(record, _)| matches!(record.body, EventBody::TurnStarted { .. }))
            .map(|(_, seq)| number(Seq(seq)))
            .next();
        let key: Option<i64> = sqlx::query_scalar(
            "INSERT INTO conversations (id, owner, mode, model, title, created, updated, head, epoch, \
             messages, input, output, cache_read, cache_write, cost, running, origin, shelf, family, \
             parent, leaves, begins, folder) VALUES (?1, ?2, ?3, ?4, '', ?5, ?5, ?6, 1, 0, 0, 0, 0, 0, 0, 0, \
             ?7, ?8, ?9, ?10, ?6 + 1, ?11, ?12) ON CONFLICT (id) DO NOTHING RETURNING key",
        )
        .bind(conversation.id.to_string())
        .bind(conversation.owner.to_string())
        .bind(to_word(&conversation.mode)?)
        .bind(&conversation.model)
        .bind(append.at.0)
        .bind(number(until))
        .bind(row.try_get::<Option<&str>, _>("origin").map_err(Error::from)?)
        .bind(row.try_get::<&str, _>("shelf").map_err(Error::from)?)
        .bind(family)
        .bind(parent.to_string())
        .bind(begins)
        .bind(row.try_get::<Option<&str>, _>("folder").map_err(Error::from)?)
        .fetch_optional(&mut *transaction)
        .await
        .map_err(Error::from)?;
        let key = key.ok_or(JournalError::Exists)?;
        // Unchanged, byte for byte. The copies enter no index, queue, chain or sum again; its pages
        // begin with those of them that last.
        for copy in [
            "INSERT INTO events (conversation, seq, at, body, raw) \
             SELECT ?, seq, at, body, raw FROM events WHERE conversation = ? AND seq <= ? \
             ORDER BY seq",
            "INSERT INTO lasting (conversation, seq) \
             SELECT ?, seq FROM lasting WHERE conversation = ? AND seq <= ? ORDER BY seq",
        ] {
            sqlx::query(copy)
                .bind(key)
                .bind(from)
                .bind(number(until))
                .execute(&mut *transaction)
                .await
                .map_err(Error::from)?;
        }
        files::copy_uses(&mut transaction, from, key).await?;
        sqlx::query(
            "UPDATE conversations SET family = ?1, behind = (key <> ?2) \
             WHERE id = ?1 OR family = ?1",
        )
        .bind(family)
        .bind(key)
        .execute(&mut *transaction)
        .await
        .map_err(Error::from)?;
        let append = Append {
            epoch: Epoch(1),
            ..append
        };
        let appended = write(&mut transaction, append).await?;
        commit(transaction, || events(&appended)).await?;
        Ok(appended)
    }

    async fn family(
        &self,
        conversation: ConversationId,
    ) -> Result<Vec<ConversationId>, JournalError> {
        let mut reader = self.readers().acquire().await.map_err(Error::from)?;
        refuse_closed(&mut reader, conversation).await?;
        let ids: Vec<String> = sqlx::query_scalar(
            "SELECT id FROM conversations WHERE deleted IS NULL AND (id = ?1 OR family = \
             (SELECT family FROM conversations WHERE id = ?1 AND deleted IS NULL)) \
             ORDER BY created, key",
        )
        .bind(conversation.to_string())
        .fetch_all(&mut *reader)
        .await
        .map_err(Error::from)?;
        if ids.is_empty() {
            Err(JournalError::NotFound)
        } else {
            Ok(ids
                .iter()
                .map(|id| parse(id))
                .collect::<Result<_, Error>>()?)
        }
    }

    async fn to_front(
        &self,
        conversation: ConversationId,
        at: Timestamp,
    ) -> Result<ConversationSummary, JournalError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Process).await?;
        let row = sqlx::query(concat!(
            "SELECT ",
            SUMMARY!(),
            " FROM conversations WHERE id = ? AND deleted IS NULL"
        ))
        .bind(conversation.to_string())
        .fetch_one(&mut *transaction)
        .await
        .map_err(Error::from)?;
        let mut line = summary(&row)?;
        drop(row);
        if line.family.is_some_and(|family| !family.front) {
            front(&mut transaction, &mut line, Some(at)).await?;
            commit(transaction, || "a branch in front".to_owned()).await?;
        }
        Ok(line)
    }
}

impl Store {
    /// The bytes of history that a branch of a user's conversation at a message copies; 0 if there
    /// is nothing to branch.
    ///
    /// # Errors
    /// The database failed.
    pub async fn copied_by_branch(
        &self,
        owner: UserId,
        from: ConversationId,
        message: MessageId,
    ) -> Result<u64, Error> {
        let mut reader = self.readers().acquire().await?;
        // The columns are only measured: no text is read from the pages that hold it.
        let bytes: i64 = sqlx::query_scalar(
            "SELECT coalesce(sum(octet_length(body) + coalesce(octet_length(raw), 0)), 0) \
             FROM events WHERE conversation = (SELECT key FROM conversations \
             WHERE id = ?1 AND owner = ?2 AND deleted IS NULL) \
             AND seq < (SELECT min(seq) FROM events WHERE conversation = (SELECT key FROM \
             conversations WHERE id = ?1) AND json_extract(body, '$.type') = 'turn_started' \
             AND json_extract(body, '$.message') = ?3)",
        )
        .bind(from.to_string())
        .bind(owner.to_string())
        .bind(message.to_string())
        .fetch_one(&mut *reader)
        .await?;
        Ok(u64::try_from(bytes).unwrap_or_default())
    }

    /// The messages of a user's conversation that have siblings.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such conversation of this user.
    pub async fn forks(&self, owner: UserId, id: ConversationId) -> Result<Vec<Fork>, Error> {
        let mut snapshot = self.readers().begin().await?;
        let forks = families::forks(&mut snapshot, owner, id).await?;
        snapshot.commit().await?;
        Ok(forks)
    }
}
