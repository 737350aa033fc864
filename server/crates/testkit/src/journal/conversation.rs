//! The records of one conversation.

use agent::ports::{Append, Appended, JournalError, NewRecord, Record};
use protocol::{CallId, ContentBlock, ConversationId, Event, EventBody, Seq, Timestamp};

use super::{Conversation, Inner, MemoryJournal};

impl MemoryJournal {
    /// The number of the last event of each write.
    pub fn write_ends(&self, conversation: ConversationId) -> Vec<Seq> {
        let inner = self.inner.lock().unwrap();
        inner.conversations[&conversation].writes.clone()
    }

    /// All events of a conversation.
    pub fn events(&self, conversation: ConversationId) -> Vec<Event> {
        let inner = self.inner.lock().unwrap();
        let records = inner.conversations.get(&conversation).map(|c| &c.records);
        records
            .into_iter()
            .flatten()
            .map(|record| record.event.clone())
            .collect()
    }

    /// All records of a conversation.
    pub fn all_records(&self, conversation: ConversationId) -> Vec<Record> {
        let inner = self.inner.lock().unwrap();
        inner.conversations[&conversation].records.clone()
    }

    /// From now on a conversation counts as imported.
    pub fn close(&self, conversation: ConversationId) {
        self.inner.lock().unwrap().closed.insert(conversation);
    }
}

impl Inner {
    pub(super) fn refuse_closed(&self, conversation: ConversationId) -> Result<(), JournalError> {
        if self.closed.contains(&conversation) {
            Err(JournalError::Closed)
        } else {
            Ok(())
        }
    }

    /// Refuses to continue from a closed one.
    pub(super) fn refuse_from_closed(&self, append: &Append) -> Result<(), JournalError> {
        let mut origins = append.records.iter().filter_map(|new| match new.body {
            EventBody::ConversationStarted { from, .. } => from,
            _ => None,
        });
        origins
            .next()
            .map_or(Ok(()), |from| self.refuse_closed(from))
    }
}

impl Conversation {
    pub(super) fn head(&self) -> Seq {
        self.records
            .last()
            .map_or(Seq::default(), |record| record.event.seq)
    }

    /// The name of the tool of a call.
    pub(super) fn tool(&self, id: CallId) -> String {
        let records = self.records.iter();
        let mut blocks = records.flat_map(|record| match &record.event.body {
            EventBody::AssistantMessage { blocks, .. } => blocks.as_slice(),
            _ => &[],
        });
        let found = blocks.find_map(|block| match block {
            ContentBlock::ToolUse { call, name, .. } if *call == id => Some(name.clone()),
            _ => None,
        });
        found.unwrap_or_default()
    }

    pub(super) fn add(&mut self, at: Timestamp, records: Vec<NewRecord>) -> Appended {
        let mut seq = self.head();
        let mut added = Vec::new();
        for record in records {
            seq = seq.next();
            added.push(Record {
                event: Event {
                    seq,
                    at,
                    body: record.body,
                },
                raw: record.raw,
            });
        }
        self.records.extend(added.iter().cloned());
        self.writes.push(seq);
        self.bring_back(&added);
        Appended {
            summary: self.summary(),
            records: added,
        }
    }
}
