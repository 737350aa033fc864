//! Branches: conversations that begin as a copy of another one's history.

use std::collections::HashMap;

use agent::ports::{Append, Appended, Branches, Branching, Epoch, JournalError};
use async_trait::async_trait;
use protocol::{ConversationId, ConversationSummary, Family, Seq, Timestamp};

use super::{Conversation, Inner, MemoryJournal};

impl Inner {
    pub(super) fn branch(
        &mut self,
        branching: Branching,
        append: Append,
    ) -> Result<Appended, JournalError> {
        let done = append.command;
        if done.is_some_and(|command| self.commands.contains(&command)) {
            return Err(JournalError::Duplicate);
        }
        self.refuse_closed(branching.parent)?;
        let id = branching.conversation.id;
        let parent = self.conversations.get(&branching.parent);
        let parent = parent.filter(|it| it.stored.owner == branching.conversation.owner);
        let parent = parent.ok_or(JournalError::NotFound)?;
        let head = parent.head();
        if head != branching.parent_head || append.head != branching.until {
            return Err(JournalError::Conflict { head });
        }
        if self.holds(id) {
            return Err(JournalError::Exists);
        }
        let kept = parent.records.iter();
        let kept = kept.take_while(|record| record.event.seq <= branching.until);
        let root = parent.family.map_or(branching.parent, |family| family.root);
        let mut new = Conversation {
            stored: branching.conversation,
            epoch: Epoch(1),
            records: kept.cloned().collect(),
            writes: Vec::new(),
            waiting: HashMap::new(),
            shelf: parent.shelf,
            folder: parent.folder.clone(),
            seen: Seq::default(),
            family: Some(Family { root, front: false }),
            copied: branching.until,
        };
        if let Some(root) = self.conversations.get_mut(&root) {
            root.family.get_or_insert(Family {
                root: root.stored.id,
                front: true,
            });
        }
        let appended = new.add(append.at, append.records);
        self.commands.extend(append.command);
        self.conversations.insert(id, new);
        Ok(Appended {
            summary: self.put_in_front(id)?,
            ..appended
        })
    }

    pub(super) fn family(&self, id: ConversationId) -> Result<Vec<ConversationId>, JournalError> {
        self.refuse_closed(id)?;
        let conversation = self.conversations.get(&id).ok_or(JournalError::NotFound)?;
        let Some(family) = conversation.family else {
            return Ok(vec![id]);
        };
        let all = self.conversations.values();
        let members = all.filter(|it| it.family.is_some_and(|of| of.root == family.root));
        Ok(members.map(|member| member.stored.id).collect())
    }

    pub(super) fn put_in_front(
        &mut self,
        id: ConversationId,
    ) -> Result<ConversationSummary, JournalError> {
        let family = self.family(id)?;
        let shelf = family.iter().find_map(|member| {
            let member = self.conversations.get(member)?;
            let before = member.family.is_some_and(|family| family.front);
            (before && member.stored.id != id).then_some(member.shelf)
        });
        for member in family {
            if let Some(member) = self.conversations.get_mut(&member)
                && let Some(family) = &mut member.family
            {
                family.front = member.stored.id == id;
            }
        }
        let conversation = self.conversation(id)?;
        conversation.shelf = shelf.unwrap_or(conversation.shelf);
        Ok(conversation.summary())
    }

    /// Changes a conversation and its branches; returns the line that represents them.
    pub(super) fn move_family(
        &mut self,
        id: ConversationId,
        change: impl Fn(&mut Conversation),
    ) -> Result<ConversationSummary, JournalError> {
        let mut line = None;
        for member in self.family(id)? {
            let member = self.conversation(member)?;
            change(member);
            if member.family.is_none_or(|family| family.front) {
                line = Some(member.summary());
            }
        }
        line.ok_or(JournalError::NotFound)
    }
}

#[async_trait]
impl Branches for MemoryJournal {
    async fn branch(&self, branching: Branching, append: Append) -> Result<Appended, JournalError> {
        self.written(|inner| inner.branch(branching, append)).await
    }

    async fn family(
        &self,
        conversation: ConversationId,
    ) -> Result<Vec<ConversationId>, JournalError> {
        self.unless_frozen().await;
        self.inner.lock().unwrap().family(conversation)
    }

    async fn to_front(
        &self,
        conversation: ConversationId,
        _at: Timestamp,
    ) -> Result<ConversationSummary, JournalError> {
        self.unless_frozen().await;
        self.inner.lock().unwrap().put_in_front(conversation)
    }
}
