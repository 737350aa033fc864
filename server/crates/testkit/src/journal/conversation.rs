//! The records of one conversation.

use agent::ports::{Appended, NewRecord, Record};
use protocol::{CallId, ContentBlock, Event, EventBody, Seq, Timestamp};

use super::Conversation;

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
