//! Messages that wait for their turn, as one run sees them.

use std::collections::BTreeSet;

use protocol::{ErrorCode, EventBody, MessageId, TurnOutcome};
use serde_json::json;

use super::custom;
use crate::{
    event::{AguiEvent, SnapshotMessage},
    input::marked,
};

#[derive(Debug)]
struct WaitingMessage {
    id: MessageId,
    text: String,
}

/// The messages that wait, in their order.
#[derive(Debug, Default)]
pub(super) struct MessageQueue {
    waiting: Vec<WaitingMessage>,
    /// Messages whose turns the run follows after its own.
    followed: BTreeSet<MessageId>,
    /// Messages that the client shows since it was told where the conversation is.
    shown: BTreeSet<MessageId>,
}

impl MessageQueue {
    /// Follows the journal.
    pub(super) fn apply(&mut self, body: &EventBody) {
        match body {
            EventBody::MessageQueued { message, text, .. }
            | EventBody::MessageSteered { message, text, .. } => {
                self.waiting.push(WaitingMessage {
                    id: *message,
                    text: text.clone(),
                });
            }
            EventBody::TurnStarted { message, .. }
            | EventBody::MessageRead { message, .. }
            | EventBody::MessageWithdrawn { message } => {
                self.waiting.retain(|queued| queued.id != *message);
            }
            EventBody::Branched { .. } => self.waiting.clear(),
            _ => {}
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Follows the turns of those that wait now.
    pub(super) fn follow(&mut self) {
        self.followed = self.waiting.iter().map(|queued| queued.id).collect();
    }

    /// Returns the followed message whose turn comes after one that ended like this.
    pub(super) fn next_after(&self, outcome: &TurnOutcome) -> Option<MessageId> {
        let is_held = match outcome {
            TurnOutcome::Failed { .. } => true,
            TurnOutcome::Limited { error } => error.code == ErrorCode::BudgetReached,
            _ => false,
        };
        let mut waiting = self.waiting.iter().map(|queued| queued.id);
        let next = waiting.find(|id| self.followed.contains(id));
        // Where the next turn would fail as well the queue waits for a person.
        next.filter(|_| !is_held)
    }

    /// Returns the messages as the end of a snapshot. Their ids are the journal's, so that a client which sends
    /// its history along does not send them as new ones.
    pub(super) fn messages(&self, mark: &str) -> impl Iterator<Item = SnapshotMessage> {
        self.waiting
            .iter()
            .map(move |queued| SnapshotMessage::User {
                id: marked(&queued.id.to_string(), mark),
                content: queued.text.clone(),
            })
    }

    /// Tells a client that has got them in a snapshot that they wait.
    pub(super) fn show(&mut self) -> Vec<AguiEvent> {
        let told = self.waiting.iter().map(|queued| {
            let value = json!({ "message": queued.id, "text": queued.text });
            custom("message_queued", value)
        });
        let told = told.collect();
        self.shown
            .extend(self.waiting.iter().map(|queued| queued.id));
        told
    }

    /// Returns whether the client shows a message, also after it waited.
    pub(super) fn is_shown(&self, message: MessageId) -> bool {
        self.shown.contains(&message)
    }
}
