//! The history that a client sends along. Nothing of it is believed; it is only compared with the journal,
//! so that a client that shows something else is told what was said.

use serde_json::Value;

use super::{AguiRequest, InputMessage, NewText, text, whole_text};
use crate::event::SnapshotMessage;

/// Stands between an id and the mark of a snapshot.
const MARK: char = '~';

/// Something that a message says was said or done.
#[derive(Debug, PartialEq)]
enum Claim {
    /// Words of the user. Several messages in a row are one, as when they are sent.
    User(String),
    Assistant(String),
    Call {
        id: String,
        tool: String,
        /// JSON text.
        arguments: String,
    },
    Result {
        call: String,
        text: String,
    },
}

impl AguiRequest {
    /// True if the client shows another history than the journal's before its new words. `known` are the
    /// newest messages of the journal, all of them if `from_start`. A client that keeps a part of the
    /// history, or none, shows no other; ids of messages may be its own.
    pub fn differs(&self, known: &[SnapshotMessage], from_start: bool, new: &NewText) -> bool {
        let mut known: Vec<_> = known.iter().flat_map(of_journal).collect();
        known.push(Claim::User(new.text.clone()));
        let known = joined(known);
        let claimed = joined(self.messages.iter().flat_map(of_client).collect());
        let pairs = known.iter().rev().zip(claimed.iter().rev());
        let differs = pairs.enumerate().any(|(at, pair)| match pair {
            // The known part may begin between two messages that nothing came between.
            (Claim::User(known_end), Claim::User(text)) if at + 1 == known.len() && !from_start => {
                !text.ends_with(known_end)
            }
            (known, claimed) => known != claimed,
        });
        differs || from_start && claimed.len() > known.len()
    }
}

/// Gives the messages of a snapshot their ids. A client leaves what it has in place, by id, and adds what is
/// new to it at the end. So as far as the client of a request shows the same its own ids are kept, and from
/// there on all of them are new to it; without a request nobody knows what it shows. `mark` is new with each
/// snapshot.
pub fn placed(
    mut messages: Vec<SnapshotMessage>,
    client: Option<&AguiRequest>,
    mark: &str,
) -> Vec<SnapshotMessage> {
    let shown = client.map_or(&[][..], |client| &client.messages);
    let mut shown = shown.iter().filter(|message| {
        let role = message.role.as_deref();
        matches!(role, Some("user" | "assistant" | "tool"))
    });
    let mut is_same = true;
    for message in &mut messages {
        let theirs = shown.next().filter(|_| is_same);
        let name = theirs.and_then(|theirs| id_of_same(message, theirs));
        is_same = name.is_some();
        message.rename(name.unwrap_or_else(|| marked(message.id(), mark)));
    }
    messages
}

/// Returns the id under which a client has a message, if its message is the same.
fn id_of_same(message: &SnapshotMessage, theirs: &InputMessage) -> Option<String> {
    let id = theirs.id.as_ref()?;
    let is_same = match message {
        SnapshotMessage::User { content, .. } => {
            theirs.role.as_deref() == Some("user") && *content == text(theirs).text
        }
        SnapshotMessage::Assistant { .. } | SnapshotMessage::Tool { .. } => {
            message.id() == base(id)
        }
    };
    is_same.then(|| id.clone())
}

/// Returns an id with the mark of a snapshot.
pub(crate) fn marked(id: &str, mark: &str) -> String {
    format!("{id}{MARK}{mark}")
}

/// Returns an id without the mark of a snapshot.
pub(super) fn base(id: &str) -> &str {
    id.split_once(MARK).map_or(id, |(base, _)| base)
}

/// Joins words of the user that follow each other.
fn joined(claims: Vec<Claim>) -> Vec<Claim> {
    let mut all: Vec<Claim> = Vec::new();
    for claim in claims {
        match (all.last_mut(), claim) {
            (Some(Claim::User(before)), Claim::User(text)) => {
                if !before.is_empty() && !text.is_empty() {
                    before.push_str("\n\n");
                }
                before.push_str(&text);
            }
            (_, claim) => all.push(claim),
        }
    }
    all
}

fn of_journal(message: &SnapshotMessage) -> Vec<Claim> {
    match message {
        SnapshotMessage::User { content, .. } => vec![Claim::User(content.clone())],
        SnapshotMessage::Assistant {
            content,
            tool_calls,
            ..
        } => {
            let text = content.iter().cloned().map(Claim::Assistant);
            let calls = tool_calls.iter().map(|call| Claim::Call {
                id: call.id.clone(),
                tool: call.function.name.clone(),
                arguments: call.function.arguments.clone(),
            });
            text.chain(calls).collect()
        }
        SnapshotMessage::Tool {
            content,
            tool_call_id,
            ..
        } => vec![Claim::Result {
            call: tool_call_id.clone(),
            text: content.clone(),
        }],
    }
}

/// Returns the claims of a client's message: none of instructions, thoughts and cards.
fn of_client(message: &InputMessage) -> Vec<Claim> {
    if message.role.as_deref() == Some("user") {
        return vec![Claim::User(text(message).text)];
    }
    let text = whole_text(message).text;
    match message.role.as_deref() {
        Some("tool") => vec![Claim::Result {
            call: string(message.tool_call_id.as_ref()),
            text,
        }],
        Some("assistant") => {
            let calls = message.tool_calls.as_ref().and_then(Value::as_array);
            let calls = calls.into_iter().flatten().map(|call| Claim::Call {
                id: string(call.get("id")),
                tool: string(call.pointer("/function/name")),
                arguments: string(call.pointer("/function/arguments")),
            });
            let text = (!text.is_empty()).then_some(Claim::Assistant(text));
            text.into_iter().chain(calls).collect()
        }
        _ => Vec::new(),
    }
}

fn string(value: Option<&Value>) -> String {
    let text = value.and_then(Value::as_str);
    text.unwrap_or_default().to_owned()
}
