//! The shelves of conversations, and deletion: hidden at once, removed a little later.
//!
//! Deleting hides a conversation at once, and raises its epoch: a restored conversation continues
//! as after a restart, with nothing run twice.

use agent::ports::{Durability, JournalError, Person, Shelves};
use async_trait::async_trait;
use protocol::{ConversationId, ConversationSummary, Seq, Shelf, Timestamp};

use crate::{
    Error, Store, SystemEvent,
    columns::parse,
    conversations::{SUMMARY, summary, to_word},
    database::commit,
    files, system, webhooks,
};

/// The statement that sets a column of a conversation and its branches: word, time, id.
macro_rules! MOVE {
    ($column:literal) => {
        concat!(
            "UPDATE conversations SET ",
            $column,
            " = ?1, shelved = ?2 WHERE deleted IS NULL AND (id = ?3 OR family = \
             (SELECT family FROM conversations WHERE id = ?3 AND deleted IS NULL)) RETURNING ",
            SUMMARY!()
        )
    };
}

impl Store {
    /// Moves a conversation with its branches; returns the line that represents them.
    async fn move_family(
        &self,
        statement: &'static str,
        word: Option<&str>,
        conversation: ConversationId,
        at: Timestamp,
    ) -> Result<ConversationSummary, JournalError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Process).await?;
        let rows = sqlx::query(statement)
            .bind(word)
            .bind(at.0)
            .bind(conversation.to_string())
            .fetch_all(&mut *transaction)
            .await
            .map_err(Error::from)?;
        let lines: Vec<_> = rows.iter().map(summary).collect::<Result<_, _>>()?;
        drop(rows);
        let stands = |line: &ConversationSummary| line.family.is_none_or(|family| family.front);
        let line = lines.into_iter().find(stands).ok_or(Error::NotFound)?;
        commit(transaction, || "a place in the list".to_owned()).await?;
        Ok(line)
    }
}

#[async_trait]
impl Shelves for Store {
    async fn delete(
        &self,
        conversation: ConversationId,
        by: &Person,
        at: Timestamp,
    ) -> Result<Vec<ConversationId>, JournalError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Power).await?;
        let hidden: Vec<String> = sqlx::query_scalar(
            "UPDATE conversations SET deleted = ?1, epoch = epoch + 1 \
             WHERE deleted IS NULL AND (id = ?2 OR family = \
             (SELECT family FROM conversations WHERE id = ?2 AND deleted IS NULL)) RETURNING id",
        )
        .bind(at.0)
        .bind(conversation.to_string())
        .fetch_all(&mut *transaction)
        .await
        .map_err(Error::from)?;
        if hidden.is_empty() {
            return Err(JournalError::NotFound);
        }
        let hidden = hidden.iter().map(|id| parse(id));
        let hidden = hidden.collect::<Result<_, Error>>()?;
        let event = SystemEvent::ConversationDeleted {
            conversation,
            user: by.id,
            by: by.name.clone(),
        };
        system::append_by(&mut transaction, at, &event, by).await?;
        commit(transaction, || "a deletion".to_owned()).await?;
        Ok(hidden)
    }

    async fn restore(
        &self,
        conversation: ConversationId,
        by: &Person,
        at: Timestamp,
    ) -> Result<Vec<ConversationSummary>, JournalError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Power).await?;
        // With the time, so that tabs that were away learn of it.
        let rows = sqlx::query(concat!(
            "UPDATE conversations SET deleted = NULL, shelved = ?1 \
             WHERE owner = ?3 AND deleted IS NOT NULL AND (id = ?2 OR family = \
             (SELECT family FROM conversations WHERE id = ?2 AND owner = ?3 \
             AND deleted IS NOT NULL)) RETURNING ",
            SUMMARY!()
        ))
        .bind(at.0)
        .bind(conversation.to_string())
        .bind(by.id.to_string())
        .fetch_all(&mut *transaction)
        .await
        .map_err(Error::from)?;
        if rows.is_empty() {
            return Err(JournalError::NotFound);
        }
        let lines = rows.iter().map(summary).collect::<Result<_, _>>()?;
        drop(rows);
        let event = SystemEvent::ConversationRestored {
            conversation,
            user: by.id,
            by: by.name.clone(),
        };
        system::append_by(&mut transaction, at, &event, by).await?;
        commit(transaction, || "a deletion taken back".to_owned()).await?;
        Ok(lines)
    }

    async fn remove_deleted(&self, until: Timestamp) -> Result<Option<Timestamp>, JournalError> {
        loop {
            let oldest: Option<i64> = sqlx::query_scalar(
                "SELECT min(deleted) FROM conversations WHERE deleted IS NOT NULL",
            )
            .fetch_one(self.readers())
            .await
            .map_err(Error::from)?;
            match oldest {
                Some(oldest) if oldest <= until.0 => {}
                left => return Ok(left.map(Timestamp)),
            }
            let mut writer = self.writer().await;
            let mut transaction = writer.begin_beside(Durability::Process).await?;
            let next: Option<i64> = sqlx::query_scalar(
                "SELECT key FROM conversations \
                 WHERE deleted IS NOT NULL AND deleted <= ? ORDER BY deleted LIMIT 1",
            )
            .bind(until.0)
            .fetch_optional(&mut *transaction)
            .await
            .map_err(Error::from)?;
            // Restored meanwhile.
            let Some(next) = next else {
                continue;
            };
            files::let_go(&mut transaction, next).await?;
            sqlx::query("DELETE FROM conversations WHERE key = ?")
                .bind(next)
                .execute(&mut *transaction)
                .await
                .map_err(Error::from)?;
            files::remove_unused(&mut transaction, 0).await?;
            webhooks::note_deleted_events(&mut transaction).await?;
            transaction.commit().await.map_err(Error::from)?;
        }
    }

    async fn shelve(
        &self,
        conversation: ConversationId,
        shelf: Shelf,
        at: Timestamp,
    ) -> Result<ConversationSummary, JournalError> {
        let word = to_word(&shelf)?;
        self.move_family(MOVE!("shelf"), Some(&word), conversation, at)
            .await
    }

    async fn put_in_folder(
        &self,
        conversation: ConversationId,
        folder: Option<&str>,
        at: Timestamp,
    ) -> Result<ConversationSummary, JournalError> {
        self.move_family(MOVE!("folder"), folder, conversation, at)
            .await
    }

    async fn see(
        &self,
        conversation: ConversationId,
        seq: Seq,
        at: Timestamp,
    ) -> Result<Option<ConversationSummary>, JournalError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Process).await?;
        // With the time, so that tabs that were away learn of it.
        let row = sqlx::query(concat!(
            "UPDATE conversations SET seen = min(?1, head), shelved = ?2 \
             WHERE id = ?3 AND deleted IS NULL AND seen < answered AND seen < ?1 RETURNING ",
            SUMMARY!()
        ))
        .bind(i64::try_from(seq.0).unwrap_or(i64::MAX))
        .bind(at.0)
        .bind(conversation.to_string())
        .fetch_optional(&mut *transaction)
        .await
        .map_err(Error::from)?;
        let line = row.as_ref().map(summary).transpose()?;
        drop(row);
        if line.is_some() {
            commit(transaction, || "what was seen".to_owned()).await?;
        }
        Ok(line)
    }
}
