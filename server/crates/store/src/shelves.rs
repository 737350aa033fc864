//! The shelves of conversations, and deletion: hidden at once, removed a little later.
//!
//! Deleting hides a conversation at once, and raises its epoch: a restored conversation continues
//! as after a restart, with nothing run twice.

use agent::ports::{Durability, JournalError, Person};
use protocol::{ConversationId, ConversationSummary, Seq, Shelf, Timestamp};

use crate::{
    Error, Store, SystemEvent,
    conversations::{SUMMARY, summary, to_word},
    database::commit,
    files,
    journal::parse,
    system,
};

impl Store {
    /// Hides a conversation from everything. Its epoch rises, so that its writer has lost it even
    /// if it is restored.
    pub(crate) async fn hide(
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
        system::append(&mut transaction, at, &event).await?;
        commit(transaction, || "a deletion".to_owned()).await?;
        Ok(hidden)
    }

    /// Shows a hidden conversation of this person again, and the branches that went with it.
    pub(crate) async fn take_back(
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
        system::append(&mut transaction, at, &event).await?;
        commit(transaction, || "a deletion taken back".to_owned()).await?;
        Ok(lines)
    }

    /// Removes conversations that were hidden at `until` or earlier, one by one: others want to
    /// write too. Returns the time at which the oldest of the rest was hidden. Their removal is
    /// recorded already, and a crash leaves it to the next time.
    pub(crate) async fn remove_hidden(&self, until: Timestamp) -> Result<Option<Timestamp>, Error> {
        loop {
            let oldest: Option<i64> = sqlx::query_scalar(
                "SELECT min(deleted) FROM conversations WHERE deleted IS NOT NULL",
            )
            .fetch_one(self.readers())
            .await?;
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
            .await?;
            // Restored meanwhile.
            let Some(next) = next else {
                continue;
            };
            files::let_go(&mut transaction, next).await?;
            sqlx::query("DELETE FROM conversations WHERE key = ?")
                .bind(next)
                .execute(&mut *transaction)
                .await?;
            files::remove_unused(&mut transaction, 0).await?;
            transaction.commit().await?;
        }
    }

    /// Moves a conversation, with its branches, to another shelf of its user's list. Returns the
    /// line that represents them.
    pub(crate) async fn put_on_shelf(
        &self,
        conversation: ConversationId,
        shelf: Shelf,
        at: Timestamp,
    ) -> Result<ConversationSummary, Error> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Process).await?;
        let rows = sqlx::query(concat!(
            "UPDATE conversations SET shelf = ?1, shelved = ?2 WHERE deleted IS NULL \
             AND (id = ?3 OR family = \
             (SELECT family FROM conversations WHERE id = ?3 AND deleted IS NULL)) RETURNING ",
            SUMMARY!()
        ))
        .bind(to_word(&shelf)?)
        .bind(at.0)
        .bind(conversation.to_string())
        .fetch_all(&mut *transaction)
        .await?;
        let lines: Vec<_> = rows.iter().map(summary).collect::<Result<_, _>>()?;
        drop(rows);
        let stands = |line: &ConversationSummary| line.family.is_none_or(|family| family.front);
        let line = lines.into_iter().find(stands).ok_or(Error::NotFound)?;
        commit(transaction, || "a place in the list".to_owned()).await?;
        Ok(line)
    }

    /// Notes that its user has seen a conversation up to an event. It never goes back. None if
    /// nothing in the line changes.
    pub(crate) async fn note_seen(
        &self,
        conversation: ConversationId,
        seq: Seq,
        at: Timestamp,
    ) -> Result<Option<ConversationSummary>, Error> {
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
        .await?;
        let line = row.as_ref().map(summary).transpose()?;
        drop(row);
        if line.is_some() {
            commit(transaction, || "what was seen".to_owned()).await?;
        }
        Ok(line)
    }
}
