//! The branches of an open conversation: the siblings of its messages, and calls that acted
//! elsewhere.

use leptos::prelude::*;
use protocol::{ConversationId, ConversationSummary, Fork, MessageId, TurnId};
use transcript::{Branch, RowKey, ToolRow};

use super::Conversation;
use crate::api;

impl Conversation {
    /// Returns the messages that have siblings in other branches.
    pub(crate) fn forks(&self) -> ArcRwSignal<Vec<Fork>> {
        self.0.forks.clone()
    }

    /// Returns the conversation that it and its branches come from.
    pub(crate) fn root(&self) -> ConversationId {
        self.0.root
    }

    /// Returns the message that began a turn.
    pub(crate) fn opening(&self, turn: TurnId) -> Option<MessageId> {
        self.look(|fold| fold.opening(turn))
    }

    /// Returns the calls of the newest turns that acted and that a branch at a message leaves
    /// behind: all such calls, if the message [is new](Self::is_new).
    pub(crate) fn effects_after(&self, message: MessageId) -> Vec<ToolRow> {
        self.0.fold.with_value(|fold| {
            let effects = fold.effects_after(message);
            effects.into_iter().cloned().collect()
        })
    }

    /// Returns the conversation that this one is a branch of.
    pub(crate) fn parent(&self) -> Option<ConversationId> {
        let of = |fold: &transcript::Transcript| Some(fold.branch_of()?.parent);
        self.0.fold.with_value(of)
    }

    /// Returns the point where it left another conversation, if a message is its first own.
    pub(crate) fn branch_at(&self, key: RowKey) -> Option<Branch> {
        match key {
            RowKey::User(message) => self.look(|fold| fold.branch_at(message).cloned()),
            _ => None,
        }
    }

    /// Handles an update of the list: for a new branch of this conversation, some message has one
    /// more sibling.
    pub(crate) fn hear_of(&self, line: &ConversationSummary) {
        let of_mine = line.family.is_some_and(|family| family.root == self.0.root);
        if !of_mine || line.id == self.id() {
            return;
        }
        let new = self.0.siblings.try_update_value(|known| {
            let new = !known.contains(&line.id);
            if new {
                known.push(line.id);
            }
            new
        });
        if new == Some(true) {
            let conversation = self.clone();
            leptos::task::spawn_local(async move {
                // If this fails, the arrows are missing until the page is reloaded.
                if let Ok(forks) = api::forks(conversation.id()).await {
                    conversation.0.forks.set(forks);
                }
            });
        }
    }
}
