#![doc = include_str!("../README.md")]

#[cfg(test)]
mod tests;

use protocol::{
    Command, CommandId, ConversationId, ErrorBody, FromJson, JsonReader, from_json_text,
};
use serde::Serialize;

/// A command on its way.
#[derive(Debug, Clone, PartialEq)]
pub struct Pending {
    pub id: CommandId,
    pub command: Command,
    pub state: PendingState,
    /// True if it may have been carried out before this page or this connection existed.
    is_repeated: bool,
}

/// A command as the tab stores it.
#[derive(Serialize)]
struct Kept<'a> {
    id: CommandId,
    command: &'a Command,
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<&'a ErrorBody>,
}

/// A stored command; none if it cannot be read.
struct Found(Option<Pending>);

impl FromJson for Found {
    fn read_json(json: &mut JsonReader) -> Self {
        Self(Restored::from_json(json.take_all()).map(Pending::from))
    }
}

/// A [`Kept`] command, read back.
#[derive(FromJson)]
struct Restored {
    id: CommandId,
    command: Command,
    refused: Option<ErrorBody>,
}

impl From<Restored> for Pending {
    fn from(restored: Restored) -> Self {
        Self {
            id: restored.id,
            command: restored.command,
            state: match restored.refused {
                Some(error) => PendingState::Refused(error),
                None => PendingState::Sending,
            },
            is_repeated: false,
        }
    }
}

/// A command that was carried out.
#[derive(Debug, Clone, PartialEq)]
pub struct Accepted {
    pub command: Command,
    /// True if its effect may have been in the journal before this page read it and is still shown
    /// as being sent: only the end of another read of the journal ([`Outbox::caught_up`]) settles
    /// that.
    pub is_unseen: bool,
}

/// The progress of a command.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum PendingState {
    /// Not answered yet; sent again on the next connection.
    #[default]
    Sending,
    /// Not answered yet, but its effect was seen in the journal.
    Seen,
    /// Carried out; shown until its effect is seen in the journal.
    Accepted,
    /// Refused; shown until the person has dealt with it.
    Refused(ErrorBody),
}

impl Pending {
    fn is_answered(&self) -> bool {
        matches!(
            self.state,
            PendingState::Accepted | PendingState::Refused(_)
        )
    }
}

/// The commands of this tab.
#[derive(Debug, Default)]
pub struct Outbox {
    pending: Vec<Pending>,
}

impl Outbox {
    /// Restores the commands that a tab stored before its page was reloaded. A command that cannot
    /// be read is dropped: another version of this page wrote it.
    pub fn restore(kept: Option<&str>) -> Self {
        let found: Vec<Found> = kept.and_then(from_json_text).unwrap_or_default();
        Self {
            pending: found.into_iter().filter_map(|found| found.0).collect(),
        }
    }

    /// Returns the commands to store in case the page is reloaded; empty if nothing waits. Accepted
    /// ones are left out, as they are in the journal.
    pub fn kept(&self) -> String {
        let kept = self.pending.iter().filter_map(|pending| {
            let refused = match &pending.state {
                PendingState::Accepted => return None,
                PendingState::Refused(error) => Some(error),
                PendingState::Sending | PendingState::Seen => None,
            };
            Some(Kept {
                id: pending.id,
                command: &pending.command,
                refused,
            })
        });
        let kept: Vec<_> = kept.collect();
        if kept.is_empty() {
            return String::new();
        }
        serde_json::to_string(&kept).unwrap_or_default()
    }

    pub fn pending(&self) -> &[Pending] {
        &self.pending
    }

    /// Returns the commands that a new connection must send, in their order.
    pub fn repeat(&mut self) -> Vec<(CommandId, Command)> {
        let open = self.pending.iter_mut().filter(|it| !it.is_answered());
        open.map(|pending| {
            pending.is_repeated = true;
            (pending.id, pending.command.clone())
        })
        .collect()
    }

    pub fn add(&mut self, id: CommandId, command: Command) {
        self.pending.push(Pending {
            id,
            command,
            state: PendingState::Sending,
            is_repeated: false,
        });
    }

    pub fn remove(&mut self, id: CommandId) {
        self.pending.retain(|pending| pending.id != id);
    }

    /// Records that the server carried a command out.
    pub fn accept(&mut self, id: CommandId) -> Option<Accepted> {
        let index = self.pending.iter().position(|pending| pending.id == id)?;
        let pending = &mut self.pending[index];
        let command = pending.command.clone();
        let stays = pending.command.message().is_some()
            && matches!(
                pending.state,
                PendingState::Sending | PendingState::Accepted
            );
        let is_unseen = stays && pending.is_repeated;
        if stays {
            pending.state = PendingState::Accepted;
        } else {
            self.pending.remove(index);
        }
        Some(Accepted { command, is_unseen })
    }

    /// Records that the server refused a command. Messages stay, so that their text is not lost.
    pub fn refuse(&mut self, id: CommandId, error: ErrorBody) -> Option<Command> {
        let index = self.pending.iter().position(|pending| pending.id == id)?;
        let pending = &mut self.pending[index];
        let command = pending.command.clone();
        if pending.command.message().is_some() {
            pending.state = PendingState::Refused(error);
        } else {
            self.pending.remove(index);
        }
        Some(command)
    }

    /// Records that the journal has a message with this text.
    pub fn see(&mut self, conversation: ConversationId, text: &str) {
        let found = self.pending.iter().position(|pending| {
            matches!(
                pending.state,
                PendingState::Sending | PendingState::Accepted
            ) && pending
                .command
                .message()
                .is_some_and(|sent| sent.conversation == conversation && sent.text == text)
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

    /// Records that the journal of a conversation was read to its end, so that it contains
    /// everything accepted.
    pub fn caught_up(&mut self, of: ConversationId) {
        self.pending.retain(|pending| {
            pending.state != PendingState::Accepted
                || pending
                    .command
                    .message()
                    .is_none_or(|sent| sent.conversation != of)
        });
    }

    /// Returns whether the start of the conversation has no answer yet, or was refused.
    pub fn is_starting(&self, id: ConversationId) -> bool {
        self.pending.iter().any(|pending| {
            matches!(
                pending.command,
                Command::Start { conversation, .. } | Command::Act { conversation, .. }
                    if conversation == id
            ) && pending.state != PendingState::Accepted
        })
    }
}
