//! Commands that wait for the server's answer, in the order in which they were given.

use protocol::{
    Command, CommandId, ConversationId, ErrorBody, FromJson, Reference, from_json_text, take_field,
};
use serde::Serialize;
use serde_json::Value;

/// Where the tab keeps them over a reload.
pub(super) const KEY: &str = "jarvis.outbox";

/// A command on its way.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Pending {
    pub(crate) id: CommandId,
    pub(crate) command: Command,
    #[serde(skip)]
    pub(crate) state: PendingState,
}

impl FromJson for Pending {
    fn from_json(json: Value) -> Option<Self> {
        let Value::Object(mut map) = json else {
            return None;
        };
        Some(Self {
            id: FromJson::from_json(take_field(&mut map, "id"))?,
            command: FromJson::from_json(take_field(&mut map, "command"))?,
            state: PendingState::Sending,
        })
    }
}

/// How far a command is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) enum PendingState {
    /// Not answered yet; sent again on the next connection.
    #[default]
    Sending,
    /// Not answered yet, but what it does was seen in the journal.
    Seen,
    /// Carried out; shown until what it did is seen in the journal.
    Accepted,
    /// Refused; shown until the person has dealt with it.
    Refused(ErrorBody),
}

impl Pending {
    /// The conversation and the text of a message on its way.
    pub(crate) fn message(&self) -> Option<(ConversationId, &str)> {
        match &self.command {
            Command::Start {
                conversation, text, ..
            }
            | Command::Send {
                conversation, text, ..
            } => Some((*conversation, text)),
            _ => None,
        }
    }

    /// What a message on its way is about.
    pub(crate) fn references(&self) -> &[Reference] {
        match &self.command {
            Command::Start { references, .. } | Command::Send { references, .. } => references,
            _ => &[],
        }
    }

    fn is_answered(&self) -> bool {
        matches!(
            self.state,
            PendingState::Accepted | PendingState::Refused(_)
        )
    }
}

/// The commands of this tab.
#[derive(Debug, Default)]
pub(super) struct Outbox {
    pending: Vec<Pending>,
}

impl Outbox {
    /// What a tab kept before it was loaded again. Anything unreadable is dropped: it was written
    /// by another version of this page.
    pub(super) fn restore(kept: Option<&str>) -> Self {
        let pending = kept.and_then(from_json_text);
        Self {
            pending: pending.unwrap_or_default(),
        }
    }

    /// What to keep for the case that the page is loaded again; empty if nothing waits.
    pub(super) fn kept(&self) -> String {
        let waiting: Vec<_> = self.unanswered().collect();
        if waiting.is_empty() {
            return String::new();
        }
        serde_json::to_string(&waiting).unwrap_or_default()
    }

    pub(super) fn pending(&self) -> &[Pending] {
        &self.pending
    }

    /// What a new connection must send.
    pub(super) fn unanswered(&self) -> impl Iterator<Item = &Pending> {
        self.pending.iter().filter(|pending| !pending.is_answered())
    }

    pub(super) fn add(&mut self, id: CommandId, command: Command) {
        self.pending.push(Pending {
            id,
            command,
            state: PendingState::Sending,
        });
    }

    pub(super) fn remove(&mut self, id: CommandId) {
        self.pending.retain(|pending| pending.id != id);
    }

    /// The server carried a command out. Gives it.
    pub(super) fn accept(&mut self, id: CommandId) -> Option<Command> {
        let index = self.pending.iter().position(|pending| pending.id == id)?;
        let pending = &mut self.pending[index];
        let command = pending.command.clone();
        if pending.message().is_some() && pending.state == PendingState::Sending {
            pending.state = PendingState::Accepted;
        } else {
            self.pending.remove(index);
        }
        Some(command)
    }

    /// The server refused a command. Messages stay, so that their text is not lost.
    pub(super) fn refuse(&mut self, id: CommandId, error: ErrorBody) -> Option<Command> {
        let index = self.pending.iter().position(|pending| pending.id == id)?;
        let pending = &mut self.pending[index];
        let command = pending.command.clone();
        if pending.message().is_some() {
            pending.state = PendingState::Refused(error);
        } else {
            self.pending.remove(index);
        }
        Some(command)
    }

    /// The journal has a message with this text.
    pub(super) fn see(&mut self, conversation: ConversationId, text: &str) {
        let found = self.pending.iter().position(|pending| {
            matches!(
                pending.state,
                PendingState::Sending | PendingState::Accepted
            ) && pending.message() == Some((conversation, text))
        });
        if let Some(index) = found {
            match self.pending[index].state {
                PendingState::Accepted => {
                    self.pending.remove(index);
                }
                _ => self.pending[index].state = PendingState::Seen,
            }
        }
    }

    /// The journal of a conversation was read to its end: what was accepted is in it.
    pub(super) fn caught_up(&mut self, of: ConversationId) {
        self.pending.retain(|pending| {
            pending.state != PendingState::Accepted
                || pending
                    .message()
                    .is_none_or(|(conversation, _)| conversation != of)
        });
    }

    /// Whether the journal's start has not been answered yet, or was refused.
    pub(super) fn is_starting(&self, id: ConversationId) -> bool {
        self.pending.iter().any(|pending| {
            matches!(
                pending.command,
                Command::Start { conversation, .. } | Command::Act { conversation, .. }
                    if conversation == id
            ) && pending.state != PendingState::Accepted
        })
    }
}

#[cfg(test)]
mod tests {
    use protocol::{ErrorCode, Timestamp};

    use super::*;

    fn command_id(n: u128) -> CommandId {
        CommandId::new(Timestamp(1), n)
    }

    fn conversation() -> ConversationId {
        ConversationId::new(Timestamp(1), 7)
    }

    fn message(text: &str) -> Command {
        Command::Send {
            conversation: conversation(),
            text: text.to_owned(),
            withdraw: false,
            references: Vec::new(),
        }
    }

    fn outbox(texts: &[&str]) -> Outbox {
        let mut outbox = Outbox::default();
        for (n, text) in (0..).zip(texts) {
            outbox.add(command_id(n), message(text));
        }
        outbox
    }

    #[test]
    fn what_is_unanswered_survives_a_reload_with_its_id() {
        let mut before = outbox(&["one", "two", "three"]);
        before.accept(command_id(0));
        before.refuse(command_id(1), ErrorBody::new(ErrorCode::QueueFull, "Full."));
        let after = Outbox::restore(Some(&before.kept()));
        assert_eq!(after.pending(), [before.pending()[2].clone()]);
        before.accept(command_id(2));
        assert_eq!(before.kept(), "");
        assert!(Outbox::restore(Some("{no json")).pending().is_empty());
    }

    #[test]
    fn a_message_is_shown_until_it_is_in_the_journal_whichever_comes_first() {
        let mut answer_first = outbox(&["hello"]);
        answer_first.accept(command_id(0));
        assert_eq!(answer_first.pending().len(), 1);
        answer_first.see(conversation(), "hello");
        assert!(answer_first.pending().is_empty());

        let mut event_first = outbox(&["hello"]);
        event_first.see(conversation(), "hello");
        assert_eq!(event_first.pending()[0].state, PendingState::Seen);
        assert_eq!(event_first.unanswered().count(), 1);
        event_first.accept(command_id(0));
        assert!(event_first.pending().is_empty());
    }

    #[test]
    fn the_same_text_twice_is_two_messages() {
        let mut outbox = outbox(&["again", "again"]);
        outbox.see(conversation(), "again");
        assert_eq!(outbox.pending()[0].state, PendingState::Seen);
        assert_eq!(outbox.pending()[1].state, PendingState::Sending);
    }

    #[test]
    fn a_refused_message_keeps_its_text_and_a_refused_stop_does_not_stay() {
        let mut outbox = outbox(&["hello"]);
        let error = ErrorBody::new(ErrorCode::QueueFull, "Full.");
        outbox.refuse(command_id(0), error.clone());
        assert_eq!(
            outbox.pending()[0].state,
            PendingState::Refused(error.clone())
        );
        let stop = Command::Stop {
            conversation: conversation(),
            turn: protocol::TurnId::new(Timestamp(1), 1),
        };
        outbox.add(command_id(9), stop.clone());
        assert_eq!(outbox.refuse(command_id(9), error), Some(stop));
        assert_eq!(outbox.pending().len(), 1);
    }
}
