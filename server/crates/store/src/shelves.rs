//! Where conversations stand in their lists, and the way of those that are deleted: hidden at once,
//! removed a little later.

use agent::ports::{Durability, JournalError, Person};
use protocol::{ConversationId, ConversationSummary, Shelf, Timestamp};

use crate::{
    Error, Store, SystemEvent,
    conversations::{SUMMARY, summary, to_word},
    database::commit,
    system,
};

impl Store {
    /// Hides a conversation from everything. Its epoch rises, so that whoever wrote to it has lost
    /// it also if that is taken back.
    pub(crate) async fn hide(
        &self,
        conversation: ConversationId,
        by: &Person,
        at: Timestamp,
    ) -> Result<(), JournalError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Power).await?;
        let hidden = sqlx::query(
            "UPDATE conversations SET deleted = ?, epoch = epoch + 1 \
             WHERE id = ? AND deleted IS NULL",
        )
        .bind(at.0)
        .bind(conversation.to_string())
        .execute(&mut *transaction)
        .await
        .map_err(Error::from)?;
        if hidden.rows_affected() == 0 {
            return Err(JournalError::NotFound);
        }
        let event = SystemEvent::ConversationDeleted {
            conversation,
            user: by.id,
            by: by.name.clone(),
        };
        system::append(&mut transaction, at, &event).await?;
        commit(transaction, || "a deletion".to_owned()).await?;
        Ok(())
    }

    /// Shows a hidden conversation of this person again.
    pub(crate) async fn take_back(
        &self,
        conversation: ConversationId,
        by: &Person,
        at: Timestamp,
    ) -> Result<ConversationSummary, JournalError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Power).await?;
        // With the time, so that tabs hear of it that were away meanwhile.
        let row = sqlx::query(concat!(
            "UPDATE conversations SET deleted = NULL, shelved = ? \
             WHERE id = ? AND owner = ? AND deleted IS NOT NULL RETURNING ",
            SUMMARY!()
        ))
        .bind(at.0)
        .bind(conversation.to_string())
        .bind(by.id.to_string())
        .fetch_one(&mut *transaction)
        .await
        .map_err(Error::from)?;
        let line = summary(&row)?;
        let event = SystemEvent::ConversationRestored {
            conversation,
            user: by.id,
            by: by.name.clone(),
        };
        system::append(&mut transaction, at, &event).await?;
        commit(transaction, || "a deletion taken back".to_owned()).await?;
        Ok(line)
    }

    /// Removes what was hidden at `until` or earlier, one by one: others want to write too. Gives
    /// when the oldest of the rest was hidden. What is removed is on record already, and a crash
    /// leaves it to the next time.
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
            sqlx::query(
                "DELETE FROM conversations WHERE key = (SELECT key FROM conversations \
                 WHERE deleted IS NOT NULL AND deleted <= ? ORDER BY deleted LIMIT 1)",
            )
            .bind(until.0)
            .execute(&mut *transaction)
            .await?;
            transaction.commit().await?;
        }
    }

    /// Puts a conversation elsewhere in its person's list.
    pub(crate) async fn put_on_shelf(
        &self,
        conversation: ConversationId,
        shelf: Shelf,
        at: Timestamp,
    ) -> Result<ConversationSummary, Error> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Process).await?;
        let row = sqlx::query(concat!(
            "UPDATE conversations SET shelf = ?, shelved = ? WHERE id = ? AND deleted IS NULL \
             RETURNING ",
            SUMMARY!()
        ))
        .bind(to_word(&shelf)?)
        .bind(at.0)
        .bind(conversation.to_string())
        .fetch_one(&mut *transaction)
        .await?;
        let line = summary(&row)?;
        commit(transaction, || "a place in the list".to_owned()).await?;
        Ok(line)
    }
}
