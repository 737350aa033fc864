//! The shelves of conversations, and deleted ones.

use agent::ports::{JournalError, Person, Record, Shelves};
use async_trait::async_trait;
use protocol::{ConversationId, ConversationSummary, EventBody, Seq, Shelf, Timestamp, UserId};

use super::{Conversation, Inner, MemoryJournal};
use crate::summary::summary;

impl Conversation {
    pub(super) fn summary(&self) -> ConversationSummary {
        let line = summary(&self.stored, &self.records);
        let unread = line.unread.filter(|unread| *unread > self.seen);
        ConversationSummary {
            shelf: self.shelf,
            folder: self.folder.clone(),
            family: self.family,
            unread: unread.filter(|_| line.action.is_none()),
            ..line
        }
    }

    /// Its user has seen it up to an event; returns its line if that changes it.
    pub(super) fn see(&mut self, seq: Seq) -> Option<ConversationSummary> {
        let changes = self.summary().unread.is_some() && seq > self.seen;
        changes.then(|| {
            self.seen = seq.min(self.head());
            self.summary()
        })
    }

    /// A new message takes it out of the archive.
    pub(super) fn bring_back(&mut self, added: &[Record]) {
        let is_message = |record: &Record| {
            matches!(
                record.event.body,
                EventBody::TurnStarted { .. }
                    | EventBody::MessageQueued { .. }
                    | EventBody::MessageSteered { .. }
            )
        };
        if self.shelf == Shelf::Archived && added.iter().any(is_message) {
            self.shelf = Shelf::Listed;
        }
    }
}

impl Inner {
    /// True if there is such a conversation, or was until it was deleted.
    pub(super) fn holds(&self, id: ConversationId) -> bool {
        self.conversations.contains_key(&id) || self.deleted.contains_key(&id)
    }

    pub(super) fn delete(
        &mut self,
        id: ConversationId,
        at: Timestamp,
    ) -> Result<Vec<ConversationId>, JournalError> {
        let family = self.family(id)?;
        for id in &family {
            if let Some(mut gone) = self.conversations.remove(id) {
                gone.epoch.0 += 1;
                self.deleted.insert(*id, (at, gone));
            }
        }
        Ok(family)
    }

    pub(super) fn restore(
        &mut self,
        id: ConversationId,
        by: UserId,
    ) -> Result<Vec<ConversationSummary>, JournalError> {
        let deleted = self.deleted.get(&id);
        let deleted = deleted.filter(|(_, conversation)| conversation.stored.owner == by);
        let (_, first) = deleted.ok_or(JournalError::NotFound)?;
        let root = first.family.map(|family| family.root);
        let of = |conversation: &Conversation| conversation.family.map(|family| family.root);
        let back = self.deleted.iter();
        let back = back.filter(|(at, (_, it))| **at == id || root.is_some() && of(it) == root);
        let back: Vec<_> = back.map(|(id, _)| *id).collect();
        let mut lines = Vec::new();
        for id in back {
            if let Some((_, back)) = self.deleted.remove(&id) {
                lines.push(back.summary());
                self.conversations.insert(id, back);
            }
        }
        Ok(lines)
    }

    pub(super) fn remove_deleted(&mut self, until: Timestamp) -> Option<Timestamp> {
        self.deleted.retain(|_, (at, _)| *at > until);
        self.deleted.values().map(|(at, _)| *at).min()
    }
}

#[async_trait]
impl Shelves for MemoryJournal {
    async fn delete(
        &self,
        conversation: ConversationId,
        _by: &Person,
        at: Timestamp,
    ) -> Result<Vec<ConversationId>, JournalError> {
        self.unless_frozen().await;
        self.inner.lock().unwrap().delete(conversation, at)
    }

    async fn restore(
        &self,
        conversation: ConversationId,
        by: &Person,
        _at: Timestamp,
    ) -> Result<Vec<ConversationSummary>, JournalError> {
        self.unless_frozen().await;
        self.inner.lock().unwrap().restore(conversation, by.id)
    }

    async fn remove_deleted(&self, until: Timestamp) -> Result<Option<Timestamp>, JournalError> {
        self.unless_frozen().await;
        Ok(self.inner.lock().unwrap().remove_deleted(until))
    }

    async fn shelve(
        &self,
        conversation: ConversationId,
        shelf: Shelf,
        _at: Timestamp,
    ) -> Result<ConversationSummary, JournalError> {
        self.unless_frozen().await;
        let mut inner = self.inner.lock().unwrap();
        inner.move_family(conversation, |it| it.shelf = shelf)
    }

    async fn put_in_folder(
        &self,
        conversation: ConversationId,
        folder: Option<&str>,
        _at: Timestamp,
    ) -> Result<ConversationSummary, JournalError> {
        self.unless_frozen().await;
        let mut inner = self.inner.lock().unwrap();
        inner.move_family(conversation, |it| it.folder = folder.map(str::to_owned))
    }

    async fn see(
        &self,
        id: ConversationId,
        seq: Seq,
        _at: Timestamp,
    ) -> Result<Option<ConversationSummary>, JournalError> {
        self.unless_frozen().await;
        Ok(self.inner.lock().unwrap().conversation(id)?.see(seq))
    }
}
