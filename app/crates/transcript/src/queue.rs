//! Messages that wait: for a turn of their own, or for the running turn's next step.

use protocol::{MessageId, Reference, Timestamp, TurnId};

use crate::{
    fold::{Change, Transcript},
    row::{RowContent, RowKey},
};

/// A message that waits for its turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueuedMessage {
    pub message: MessageId,
    pub text: String,
    /// What it is about, beside its words.
    pub references: Vec<Reference>,
    /// The running turn reads it at its next step.
    pub steers: bool,
}

impl Transcript {
    /// The running turn reads a message between two steps.
    pub(crate) fn read(
        &mut self,
        turn: TurnId,
        (message, at): (MessageId, Timestamp),
        text: &str,
        references: &[Reference],
        changes: &mut Vec<Change>,
    ) {
        self.unqueue(message, changes);
        let content = RowContent::User {
            text: text.to_owned(),
            references: references.to_vec(),
            read: true,
        };
        self.push(RowKey::User(message), turn, Some(at), content, changes);
    }

    pub(crate) fn enqueue(
        &mut self,
        message: MessageId,
        text: &str,
        references: &[Reference],
        steers: bool,
        changes: &mut Vec<Change>,
    ) {
        self.queue.push(QueuedMessage {
            message,
            text: text.to_owned(),
            references: references.to_vec(),
            steers,
        });
        changes.push(Change::Queue);
    }

    pub(crate) fn unqueue(&mut self, message: MessageId, changes: &mut Vec<Change>) {
        let before = self.queue.len();
        self.queue.retain(|queued| queued.message != message);
        if self.queue.len() != before {
            changes.push(Change::Queue);
        }
    }
}
