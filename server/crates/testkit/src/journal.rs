//! The journal in memory.

mod branches;
mod control;
mod controls;
mod conversation;
mod files;
mod notices;
mod people;
mod shelves;
mod spending;
mod waiting;

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use agent::ports::{
    Append, Appended, Epoch, Journal, JournalError, NewRecord, Record, StoredConversation,
    StoredFile,
};
use async_trait::async_trait;
use protocol::{
    CommandId, ConversationId, Event, Family, KillSwitch, Notice, NoticeId, Role, Seq, Shelf,
    Timestamp, UserId,
};
use serde_json::Value;

use self::waiting::{Waiting, is_unfinished, waiting};

/// The point at which a process is killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FreezePoint {
    /// Before this write, counted from 1.
    Before(usize),
    /// After this write and before its writer learns of it.
    After(usize),
}

#[derive(Debug, Clone)]
struct Conversation {
    stored: StoredConversation,
    epoch: Epoch,
    records: Vec<Record>,
    /// The numbers of the last events of each write.
    writes: Vec<Seq>,
    /// The cards that wait for a decision.
    waiting: Waiting,
    shelf: Shelf,
    folder: Option<String>,
    /// The newest event that its user has seen.
    seen: Seq,
    /// The first of its family, and true if it represents it in the list.
    family: Option<Family>,
    /// The last event that it has as a copy.
    copied: Seq,
}

#[derive(Debug, Default)]
struct Inner {
    conversations: BTreeMap<ConversationId, Conversation>,
    /// Those that can be restored, with the time of their deletion.
    deleted: BTreeMap<ConversationId, (Timestamp, Conversation)>,
    commands: HashSet<(UserId, CommandId)>,
    kill_switch: KillSwitch,
    refusals: Vec<people::Refused>,
    /// The details of the rows of the audit chain.
    audits: Vec<Value>,
    notices: BTreeMap<NoticeId, Notice>,
    files: HashMap<(UserId, String), StoredFile>,
    /// Roles of users who are no admins; none for a disabled user.
    roles: HashMap<UserId, Option<Role>>,
    personas: HashMap<UserId, agent::Persona>,
    packs: HashMap<UserId, Vec<String>>,
    /// Accounts that may be one person's.
    close: HashSet<(UserId, UserId)>,
    /// Imported ones.
    closed: HashSet<ConversationId>,
}

/// A journal in memory.
#[derive(Debug, Default)]
pub struct MemoryJournal {
    inner: Mutex<Inner>,
    writes: AtomicUsize,
    freeze: Mutex<Option<FreezePoint>>,
    frozen: Mutex<bool>,
    /// Writes that will fail.
    failing: AtomicUsize,
}

impl MemoryJournal {
    pub fn new() -> Self {
        Self::default()
    }

    async fn unless_frozen(&self) {
        if self.is_frozen() {
            std::future::pending::<()>().await;
        }
    }

    /// Does one write, if this process lives to do it.
    async fn written<T>(
        &self,
        write: impl FnOnce(&mut Inner) -> Result<T, JournalError>,
    ) -> Result<T, JournalError> {
        self.unless_frozen().await;
        let fails = self
            .failing
            .try_update(Ordering::SeqCst, Ordering::SeqCst, |n| n.checked_sub(1));
        if fails.is_ok() {
            return Err(JournalError::Storage("scripted".to_owned()));
        }
        let point = *self.freeze.lock().unwrap();
        let number = self.writes() + 1;
        if point == Some(FreezePoint::Before(number)) {
            *self.frozen.lock().unwrap() = true;
            self.unless_frozen().await;
        }
        let result = write(&mut self.inner.lock().unwrap());
        if result.is_ok() {
            self.writes.fetch_add(1, Ordering::SeqCst);
            if point == Some(FreezePoint::After(number)) {
                *self.frozen.lock().unwrap() = true;
                self.unless_frozen().await;
            }
        }
        result
    }
}

impl Inner {
    fn conversation(&mut self, id: ConversationId) -> Result<&mut Conversation, JournalError> {
        self.conversations
            .get_mut(&id)
            .ok_or(JournalError::NotFound)
    }

    fn append(&mut self, append: Append) -> Result<Appended, JournalError> {
        let done = append
            .command
            .is_some_and(|command| self.commands.contains(&command));
        let second = self.is_second(&append);
        let conversation = self.conversation(append.conversation)?;
        if done {
            return Err(JournalError::Duplicate);
        }
        if append.epoch != conversation.epoch {
            return Err(JournalError::Fenced);
        }
        let head = conversation.head();
        if append.head != head {
            return Err(JournalError::Conflict { head });
        }
        let waiting = waiting(&conversation.waiting, &append.records, second);
        conversation.waiting = waiting.ok_or(JournalError::Conflict { head })?;
        let audits: Vec<_> = append.records.iter().filter_map(audit).collect();
        let appended = conversation.add(append.at, append.records);
        self.audits.extend(audits);
        self.commands.extend(append.command);
        let summary = self.put_in_front(append.conversation)?;
        Ok(Appended {
            summary,
            ..appended
        })
    }
}

fn audit(record: &NewRecord) -> Option<Value> {
    record.audit.clone()
}

#[async_trait]
impl Journal for MemoryJournal {
    async fn create(
        &self,
        conversation: StoredConversation,
        append: Append,
    ) -> Result<Appended, JournalError> {
        self.written(|inner| {
            let done = append
                .command
                .is_some_and(|command| inner.commands.contains(&command));
            if done {
                return Err(JournalError::Duplicate);
            }
            inner.refuse_from_closed(&append)?;
            if inner.holds(conversation.id) {
                return Err(JournalError::Exists);
            }
            let mut new = Conversation {
                stored: conversation,
                epoch: Epoch(1),
                records: Vec::new(),
                writes: Vec::new(),
                waiting: HashMap::new(),
                shelf: Shelf::default(),
                folder: None,
                seen: Seq::default(),
                family: None,
                copied: Seq::default(),
            };
            let audits: Vec<_> = append.records.iter().filter_map(audit).collect();
            let appended = new.add(append.at, append.records);
            inner.audits.extend(audits);
            inner.commands.extend(append.command);
            inner.conversations.insert(new.stored.id, new);
            Ok(appended)
        })
        .await
    }

    async fn append(&self, append: Append) -> Result<Appended, JournalError> {
        self.written(|inner| inner.append(append)).await
    }

    async fn claim(&self, conversation: ConversationId) -> Result<Epoch, JournalError> {
        self.unless_frozen().await;
        let mut inner = self.inner.lock().unwrap();
        inner.refuse_closed(conversation)?;
        let conversation = inner.conversation(conversation)?;
        conversation.epoch.0 += 1;
        Ok(conversation.epoch)
    }

    async fn conversation(
        &self,
        conversation: ConversationId,
    ) -> Result<StoredConversation, JournalError> {
        self.unless_frozen().await;
        let mut inner = self.inner.lock().unwrap();
        Ok(inner.conversation(conversation)?.stored.clone())
    }

    async fn records(&self, conversation: ConversationId) -> Result<Vec<Record>, JournalError> {
        self.unless_frozen().await;
        let mut inner = self.inner.lock().unwrap();
        Ok(inner.conversation(conversation)?.records.clone())
    }

    async fn events_after(
        &self,
        conversation: ConversationId,
        after: Seq,
        limit: usize,
    ) -> Result<Vec<Event>, JournalError> {
        self.unless_frozen().await;
        // Others get their chance here, as with a real database.
        tokio::task::yield_now().await;
        let mut inner = self.inner.lock().unwrap();
        let records = &inner.conversation(conversation)?.records;
        Ok(records
            .iter()
            .map(|record| &record.event)
            .filter(|event| event.seq > after)
            .take(limit)
            .cloned()
            .collect())
    }

    async fn has_command(&self, user: UserId, command: CommandId) -> Result<bool, JournalError> {
        self.unless_frozen().await;
        let inner = self.inner.lock().unwrap();
        Ok(inner.commands.contains(&(user, command)))
    }

    async fn unfinished(&self) -> Result<Vec<ConversationId>, JournalError> {
        self.unless_frozen().await;
        let inner = self.inner.lock().unwrap();
        Ok(inner
            .conversations
            .values()
            .filter(|conversation| is_unfinished(&conversation.records))
            .map(|conversation| conversation.stored.id)
            .collect())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::MemoryJournal;

    #[tokio::test]
    async fn the_journal_in_memory_keeps_the_contract() {
        Box::pin(crate::journal_contract::run(
            Arc::new(MemoryJournal::new()),
            1,
        ))
        .await;
    }
}
