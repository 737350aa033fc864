//! A validated request.

use serde_json::{Value, json};

use crate::{catalogue::Model, history::Turn, ttl::Ttl};

/// Tools that the model may call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Choice {
    Auto,
    Any,
    Tool(String),
    None,
}

/// Thinking in the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Thinking {
    /// No thinking blocks.
    Off,
    /// Blocks with a signature and empty text.
    Omitted,
    /// Blocks with text.
    Shown,
}

/// A validated request.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) model: &'static Model,
    /// Zero only warms the cache.
    pub(crate) max_tokens: u64,
    pub(crate) stream: bool,
    /// Text blocks.
    pub(crate) system: Vec<Value>,
    pub(crate) tools: Vec<Value>,
    pub(crate) choice: Choice,
    /// The value sent by the client.
    pub(crate) raw_choice: Value,
    pub(crate) parallel: bool,
    pub(crate) thinking: Thinking,
    /// The value sent by the client.
    pub(crate) raw_thinking: Value,
    pub(crate) effort: Value,
    pub(crate) stop_sequences: Vec<String>,
    /// A top-level `cache_control`: one more breakpoint, on the last block.
    pub(crate) automatic_breakpoint: Option<Ttl>,
    pub(crate) turns: Vec<Turn>,
}

impl Request {
    /// The settings that invalidate the cache of messages, but not that of tools and system.
    pub(crate) fn message_settings(&self) -> Value {
        json!([self.raw_choice, self.raw_thinking, self.effort])
    }
}
