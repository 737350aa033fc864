//! What one row of a transcript shows.

use protocol::{
    BlockedReason, CallId, Cost, ErrorBody, MessageId, Seq, Tier, Timestamp, ToolOutput, TurnId,
    TurnOutcome, Usage,
};
use serde_json::Value;

/// One row, in the order in which a person reads.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Unique in the transcript and the same in every fold of the same journal.
    pub key: RowKey,
    pub turn: TurnId,
    /// Unknown while the row is only streamed.
    pub at: Option<Timestamp>,
    pub content: RowContent,
}

/// What a row is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RowKey {
    /// A message of the user.
    User(MessageId),
    /// A block of an assistant's message, by its position there.
    Block(MessageId, u32),
    /// The end of a turn, by the number of its event.
    End(Seq),
}

/// The content of a row.
#[derive(Debug, Clone, PartialEq)]
pub enum RowContent {
    User {
        text: String,
    },
    /// Markdown.
    Text {
        text: String,
        state: BlockState,
    },
    Thinking {
        text: String,
        state: BlockState,
    },
    Tool(Box<ToolRow>),
    /// How the turn ended, with the sums over its steps.
    End {
        outcome: TurnOutcome,
        usage: Usage,
        cost: Option<Cost>,
        /// When the turn began or was resumed.
        started: Timestamp,
    },
}

/// How far a block of text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockState {
    Streaming,
    Done,
    /// It will not be finished: the connection, the server or a person cut it off.
    Interrupted,
}

/// A tool call.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolRow {
    /// Unknown while the model still writes the call.
    pub call: Option<CallId>,
    pub name: String,
    pub input: ToolInput,
    /// Unknown until the gate has decided.
    pub tier: Option<Tier>,
    pub target: Option<String>,
    /// When it began to run.
    pub started: Option<Timestamp>,
    /// From its start to its end, in milliseconds.
    pub elapsed_ms: Option<u64>,
    /// The newest word of a running tool about how far it is.
    pub progress: Option<String>,
    pub state: ToolState,
}

/// The input of a tool call.
#[derive(Debug, Clone, PartialEq)]
pub enum ToolInput {
    /// The JSON so far.
    Writing(String),
    Whole(Value),
}

/// Where a tool call stands.
#[derive(Debug, Clone, PartialEq)]
pub enum ToolState {
    /// The model is writing the input.
    Writing,
    /// The model asks for it; the gate has not decided.
    Proposed,
    Running,
    Succeeded(ToolOutput),
    Failed(ErrorBody),
    Blocked {
        reason: BlockedReason,
        message: String,
    },
    Cancelled,
    /// The server stopped while it ran, and what it did cannot be found out.
    OutcomeUnknown,
    /// The model's answer was cut off before the call was complete; it never ran.
    Abandoned,
}

impl ToolState {
    /// Whether nothing more will happen to the call.
    pub fn is_terminal(&self) -> bool {
        !matches!(self, Self::Writing | Self::Proposed | Self::Running)
    }
}
