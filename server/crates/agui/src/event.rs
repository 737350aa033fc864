//! The events of AG-UI that this server sends. An absent field is left out: null is malformed there.

use protocol::Usage;
use serde::Serialize;
use serde_json::Value;

/// One event of a run, in the JSON form of the protocol.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(
    tag = "type",
    rename_all = "SCREAMING_SNAKE_CASE",
    rename_all_fields = "camelCase"
)]
pub enum AguiEvent {
    RunStarted {
        thread_id: String,
        run_id: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        protocol_version: Option<&'static str>,
        metadata: Value,
    },
    RunFinished {
        thread_id: String,
        run_id: String,
        /// None for a plain success, and for what a client of 0.0.59 does not know.
        #[serde(skip_serializing_if = "Option::is_none")]
        outcome: Option<RunEnding>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        usage: Vec<RunUsage>,
        #[serde(skip_serializing_if = "Option::is_none")]
        metadata: Option<Value>,
    },
    RunError {
        message: String,
        code: String,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        usage: Vec<RunUsage>,
        metadata: Value,
    },
    StepStarted {
        step_name: String,
    },
    StepFinished {
        step_name: String,
    },
    TextMessageStart {
        message_id: String,
        role: &'static str,
    },
    TextMessageContent {
        message_id: String,
        delta: String,
    },
    TextMessageEnd {
        message_id: String,
    },
    ReasoningStart {
        message_id: String,
    },
    ReasoningMessageStart {
        message_id: String,
        role: &'static str,
    },
    ReasoningMessageContent {
        message_id: String,
        delta: String,
    },
    ReasoningMessageEnd {
        message_id: String,
    },
    ReasoningEnd {
        message_id: String,
    },
    ToolCallStart {
        tool_call_id: String,
        tool_call_name: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        parent_message_id: Option<String>,
    },
    ToolCallArgs {
        tool_call_id: String,
        /// JSON text.
        delta: String,
    },
    ToolCallEnd {
        tool_call_id: String,
    },
    ToolCallResult {
        message_id: String,
        tool_call_id: String,
        /// Text, never parts: a client of 0.0.59 refuses those.
        content: String,
        role: &'static str,
        metadata: Value,
    },
    MessagesSnapshot {
        messages: Vec<SnapshotMessage>,
    },
    ActivitySnapshot {
        message_id: String,
        activity_type: &'static str,
        content: Value,
    },
    ActivityDelta {
        message_id: String,
        activity_type: &'static str,
        /// RFC 6902.
        patch: Value,
    },
    Custom {
        name: String,
        value: Value,
    },
}

impl AguiEvent {
    /// Returns whether nothing of its run may follow.
    pub fn is_terminal(&self) -> bool {
        matches!(self, Self::RunFinished { .. } | Self::RunError { .. })
    }
}

/// The outcome of a run that ended in order.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum RunEnding {
    /// It waits for decisions; another run answers them.
    Interrupt { interrupts: Vec<Interrupt> },
    /// A person or a limit stopped it.
    Cancelled,
}

/// A question that a run ended with.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Interrupt {
    /// `<call>:<revision>`.
    pub id: String,
    pub reason: &'static str,
    pub message: String,
    pub tool_call_id: String,
    /// None if it is decided on the page alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response_schema: Option<Value>,
    /// ISO 8601.
    pub expires_at: String,
    pub metadata: Value,
}

/// Tokens of one model. Input includes what the prompt cache took part in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RunUsage {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    pub input_tokens: u64,
    pub output_tokens: u64,
    pub total_tokens: u64,
    pub cached_input_tokens: u64,
    pub cache_write_input_tokens: u64,
}

impl RunUsage {
    pub(crate) fn new(model: Option<String>, usage: Usage) -> Self {
        Self {
            model,
            input_tokens: usage.total_input(),
            output_tokens: usage.output,
            total_tokens: usage.total(),
            cached_input_tokens: usage.cache_read,
            cache_write_input_tokens: usage.cache_write,
        }
    }
}

/// A message of a snapshot.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "role", rename_all = "snake_case")]
pub enum SnapshotMessage {
    User {
        id: String,
        content: String,
    },
    #[serde(rename_all = "camelCase")]
    Assistant {
        id: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        content: Option<String>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tool_calls: Vec<SnapshotCall>,
    },
    #[serde(rename_all = "camelCase")]
    Tool {
        id: String,
        content: String,
        tool_call_id: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<String>,
    },
}

impl SnapshotMessage {
    pub(crate) fn id(&self) -> &str {
        match self {
            Self::User { id, .. } | Self::Assistant { id, .. } | Self::Tool { id, .. } => id,
        }
    }

    pub(crate) fn rename(&mut self, name: String) {
        match self {
            Self::User { id, .. } | Self::Assistant { id, .. } | Self::Tool { id, .. } => {
                *id = name
            }
        }
    }
}

/// A call in a message of a snapshot.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SnapshotCall {
    pub(crate) id: String,
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    pub(crate) function: CalledFunction,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct CalledFunction {
    pub(crate) name: String,
    /// JSON text.
    pub(crate) arguments: String,
}

impl SnapshotCall {
    pub(crate) fn new(id: String, name: String, input: &Value) -> Self {
        Self {
            id,
            kind: "function",
            function: CalledFunction {
                name,
                arguments: input.to_string(),
            },
        }
    }
}
