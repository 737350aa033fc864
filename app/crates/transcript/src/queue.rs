//! Queued messages: for their own turn, or for the running turn's next step.

use protocol::{MessageId, Reference, Timestamp, TurnId};

use crate::{
    entries::QueuedMessage,
    fold::{RowChange, Transcript},
    row::{RowContent, RowKey},
};

impl Transcript {
    /// Applies that the running turn read a message between two steps.
    pub(crate) fn read(
        &mut self,
        turn: TurnId,
        message: MessageId,
        at: Timestamp,
        text: &str,
        references: &[Reference],
        changes: &mut Vec<RowChange>,
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
        changes: &mut Vec<RowChange>,
    ) {
        self.queue.push(QueuedMessage {
            message,
            text: text.to_owned(),
            references: references.to_vec(),
            steers,
        });
        changes.push(RowChange::Queue);
    }

    pub(crate) fn unqueue(&mut self, message: MessageId, changes: &mut Vec<RowChange>) {
        let before = self.queue.len();
        self.queue.retain(|queued| queued.message != message);
        if self.queue.len() != before {
            changes.push(RowChange::Queue);
        }
    }
}
