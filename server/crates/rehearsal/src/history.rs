//! Messages of a request in normal form: every content is a list of blocks, and adjacent messages
//! of the same role are merged, as on the real server.

use serde_json::{Value, json};

use crate::refusal::Refusal;

/// Author of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    User,
    Assistant,
    System,
}

impl Role {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::System => "system",
        }
    }
}

/// A block with its path in the request, such as `messages.2.content.0`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Placed {
    pub(crate) path: String,
    pub(crate) block: Value,
}

impl Placed {
    pub(crate) fn kind(&self) -> &str {
        self.block["type"].as_str().unwrap_or_default()
    }
}

/// All blocks from one side before the other answers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Turn {
    pub(crate) role: Role,
    /// Index of its first message in the request.
    pub(crate) number: usize,
    pub(crate) blocks: Vec<Placed>,
}

impl Turn {
    /// The blocks of one type.
    pub(crate) fn of_kind<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Placed> {
        self.blocks
            .iter()
            .filter(move |placed| placed.kind() == kind)
    }
}

/// Parses `messages`; anything but a list of messages is refused.
pub(crate) fn read(messages: &Value) -> Result<Vec<Turn>, Refusal> {
    let Some(messages) = messages.as_array() else {
        return Err(Refusal::invalid("messages: Field required"));
    };
    if messages.is_empty() {
        return Err(Refusal::invalid(
            "messages: at least one message is required",
        ));
    }
    if messages.len() > 100_000 {
        return Err(Refusal::invalid(
            "messages: List should have at most 100000 items",
        ));
    }
    let mut turns: Vec<Turn> = Vec::new();
    for (number, message) in messages.iter().enumerate() {
        let Some(fields) = message.as_object() else {
            return Err(Refusal::invalid(format!(
                "messages.{number}: Input should be an object"
            )));
        };
        if let Some(extra) = fields
            .keys()
            .find(|key| *key != "role" && *key != "content")
        {
            return Err(Refusal::invalid(format!(
                "messages.{number}.{extra}: Extra inputs are not permitted"
            )));
        }
        let role = match message["role"].as_str() {
            Some("user") => Role::User,
            Some("assistant") => Role::Assistant,
            Some("system") => Role::System,
            _ => {
                return Err(Refusal::invalid(format!(
                    "messages.{number}.role: Input should be 'user', 'assistant' or 'system'"
                )));
            }
        };
        let mut blocks = Vec::new();
        match &message["content"] {
            Value::String(text) => blocks.push(Placed {
                path: format!("messages.{number}.content"),
                block: json!({ "type": "text", "text": text }),
            }),
            Value::Array(items) => {
                blocks.extend(items.iter().enumerate().map(|(index, block)| Placed {
                    path: format!("messages.{number}.content.{index}"),
                    block: block.clone(),
                }));
            }
            _ => {
                return Err(Refusal::invalid(format!(
                    "messages.{number}.content: Input should be a string or a list of blocks"
                )));
            }
        }
        if blocks.is_empty() && !(role == Role::Assistant && number + 1 == messages.len()) {
            return Err(Refusal::invalid(format!(
                "messages.{number}: all messages must have non-empty content except for the \
                 optional final assistant message"
            )));
        }
        match turns.last_mut() {
            Some(last) if last.role == role => last.blocks.extend(blocks),
            _ => turns.push(Turn {
                role,
                number,
                blocks,
            }),
        }
    }
    Ok(turns)
}
