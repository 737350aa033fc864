//! Where conversations stand in their lists, and those that were deleted.

use agent::ports::{JournalError, Record};
use protocol::{ConversationId, ConversationSummary, EventBody, Shelf, Timestamp, UserId};

use super::{Conversation, Inner};
use crate::summary::summary;

impl Conversation {
    pub(super) fn summary(&self) -> ConversationSummary {
        ConversationSummary {
            shelf: self.shelf,
            ..summary(&self.stored, &self.records)
        }
    }

    /// A new message takes it out of the archive.
    pub(super) fn bring_back(&mut self, added: &[Record]) {
        let is_message = |record: &Record| {
            matches!(
                record.event.body,
                EventBody::TurnStarted { .. } | EventBody::MessageQueued { .. }
            )
        };
        if self.shelf == Shelf::Archived && added.iter().any(is_message) {
            self.shelf = Shelf::Listed;
        }
    }
}

impl Inner {
    /// Whether there is such a conversation, or was until it was deleted.
    pub(super) fn holds(&self, id: ConversationId) -> bool {
        self.conversations.contains_key(&id) || self.deleted.contains_key(&id)
    }

    pub(super) fn delete(&mut self, id: ConversationId, at: Timestamp) -> Result<(), JournalError> {
        let mut gone = self
            .conversations
            .remove(&id)
            .ok_or(JournalError::NotFound)?;
        gone.epoch.0 += 1;
        self.deleted.insert(id, (at, gone));
        Ok(())
    }

    pub(super) fn restore(
        &mut self,
        id: ConversationId,
        by: UserId,
    ) -> Result<ConversationSummary, JournalError> {
        let deleted = self.deleted.get(&id);
        if deleted.is_none_or(|(_, conversation)| conversation.stored.owner != by) {
            return Err(JournalError::NotFound);
        }
        let (_, back) = self.deleted.remove(&id).ok_or(JournalError::NotFound)?;
        let line = back.summary();
        self.conversations.insert(id, back);
        Ok(line)
    }

    pub(super) fn remove_deleted(&mut self, until: Timestamp) -> Option<Timestamp> {
        self.deleted.retain(|_, (at, _)| *at > until);
        self.deleted.values().map(|(at, _)| *at).min()
    }
}
