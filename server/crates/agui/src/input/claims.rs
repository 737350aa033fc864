//! The history that a client sends along. Nothing of it is believed; it is only compared with the journal,
//! so that a client that shows something else is told what was said.

use serde_json::Value;

use super::{AguiRequest, InputMessage, NewText, text, whole_text};
use crate::event::SnapshotMessage;

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
        let mut pairs = known.iter().rev().zip(claimed.iter().rev());
        let has_more = from_start && claimed.len() > known.len();
        has_more || pairs.any(|(known, claimed)| known != claimed)
    }
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

/// What a message of a client claims. Its instructions, its thoughts and its cards claim nothing.
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
