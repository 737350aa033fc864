//! The branches of an open conversation: where its messages have siblings, and what acted elsewhere.

use leptos::prelude::*;
use protocol::{ConversationId, ConversationSummary, Fork, MessageId, TurnId};
use transcript::{Branch, RowKey, ToolRow};

use super::Conversation;
use crate::api;

impl Conversation {
    /// The messages that have siblings in other branches.
    pub(crate) fn forks(&self) -> ArcRwSignal<Vec<Fork>> {
        self.0.forks.clone()
    }

    /// The conversation that it and its branches come from.
    pub(crate) fn root(&self) -> ConversationId {
        self.0.root
    }

    /// The message that began a turn.
    pub(crate) fn opening(&self, turn: TurnId) -> Option<MessageId> {
        self.look(|fold| fold.opening(turn))
    }

    /// The calls of the newest turns that acted and that a branch at a message leaves behind: all that
    /// are left behind, if the message [is new](Self::is_new).
    pub(crate) fn effects_after(&self, message: MessageId) -> Vec<ToolRow> {
        self.0.fold.with_value(|fold| {
            let effects = fold.effects_after(message);
            effects.into_iter().cloned().collect()
        })
    }

    /// The conversation that this one is a branch of.
    pub(crate) fn parent(&self) -> Option<ConversationId> {
        let of = |fold: &transcript::Transcript| Some(fold.branch_of()?.parent);
        self.0.fold.with_value(of)
    }

    /// Where it left another conversation, if a message is the first of its own.
    pub(crate) fn branch_at(&self, key: RowKey) -> Option<Branch> {
        match key {
            RowKey::User(message) => self.look(|fold| fold.branch_at(message).cloned()),
            _ => None,
        }
    }

    /// The line of a conversation came: if it is a new branch of this one, some message has one more
    /// sibling.
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
                // Without them the arrows are not there until the page is loaded again.
                if let Ok(forks) = api::forks(conversation.id()).await {
                    conversation.0.forks.set(forks);
                }
            });
        }
    }
}
