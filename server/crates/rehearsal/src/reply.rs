//! Answers before they go on the wire.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// A content block of an answer. In JSON: `{"type":"text","text":"…"}`,
/// `{"type":"thinking","thinking":"…"}`, `{"type":"tool_use","name":"…","input":{…}}`; any other
/// object is sent unchanged, complete in its start event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Block {
    /// Prose in markdown.
    Text { text: String },
    /// Thinking; signed when it is sent. Left out unless the request asks for it.
    Thinking { thinking: String },
    /// A tool call. It gets an id if it has none.
    ToolUse {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        name: String,
        input: Value,
    },
    /// A block of any other type.
    #[serde(untagged)]
    Other(Map<String, Value>),
}

impl Block {
    /// A text block.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into() }
    }

    /// A thinking block.
    pub fn thinking(thinking: impl Into<String>) -> Self {
        Self::Thinking {
            thinking: thinking.into(),
        }
    }

    /// A tool call with a new id.
    pub fn tool_use(name: impl Into<String>, input: Value) -> Self {
        Self::ToolUse {
            id: None,
            name: name.into(),
            input,
        }
    }
}

/// Stop reason of an answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Stop {
    pub(crate) reason: Value,
    pub(crate) sequence: Option<String>,
    pub(crate) details: Option<Value>,
}

impl Stop {
    pub(crate) fn because(reason: &str) -> Self {
        Self {
            reason: json!(reason),
            sequence: None,
            details: None,
        }
    }
}

/// A complete, signed block as sent.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sent {
    pub(crate) block: Value,
    /// True if the token limit is within this block.
    pub(crate) cut: bool,
}

/// A complete answer with its usage.
#[derive(Debug, Clone)]
pub(crate) struct Message {
    pub(crate) id: String,
    pub(crate) model: String,
    pub(crate) blocks: Vec<Sent>,
    pub(crate) stop: Stop,
    pub(crate) usage: Usage,
}

/// Token usage.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    pub(crate) input: u64,
    pub(crate) cache_read: u64,
    pub(crate) cache_write_5m: u64,
    pub(crate) cache_write_1h: u64,
    pub(crate) output: u64,
    pub(crate) thinking: u64,
}

impl Usage {
    /// The usage in `message_start`, before much has been written.
    pub(crate) fn at_start(&self) -> Value {
        let mut usage = self.to_json();
        usage["output_tokens"] = json!(self.output.min(1));
        usage
    }

    /// The usage in a complete message.
    pub(crate) fn to_json(self) -> Value {
        json!({
            "input_tokens": self.input,
            "cache_creation_input_tokens": self.cache_write_5m + self.cache_write_1h,
            "cache_read_input_tokens": self.cache_read,
            "cache_creation": {
                "ephemeral_5m_input_tokens": self.cache_write_5m,
                "ephemeral_1h_input_tokens": self.cache_write_1h,
            },
            "output_tokens": self.output,
            "service_tier": "standard",
        })
    }

    /// The cumulative usage in `message_delta`.
    pub(crate) fn at_end(&self) -> Value {
        json!({
            "input_tokens": self.input,
            "cache_creation_input_tokens": self.cache_write_5m + self.cache_write_1h,
            "cache_read_input_tokens": self.cache_read,
            "output_tokens": self.output,
            "output_tokens_details": { "thinking_tokens": self.thinking },
        })
    }
}

impl Message {
    /// The answer to a request without `stream`.
    pub(crate) fn to_json(&self) -> Value {
        let mut usage = self.usage.to_json();
        usage["output_tokens_details"] = json!({ "thinking_tokens": self.usage.thinking });
        json!({
            "id": self.id,
            "type": "message",
            "role": "assistant",
            "model": self.model,
            "content": self.blocks.iter().map(|sent| sent.block.clone()).collect::<Vec<_>>(),
            "stop_reason": self.stop.reason,
            "stop_sequence": self.stop.sequence,
            "stop_details": self.stop.details,
            "usage": usage,
        })
    }
}
