//! The rows of a transcript and their content.

use protocol::{
    BlockedReason, CallId, Confirmation, Cost, ErrorBody, GrantId, MessageId, Reference,
    Resolution, Seq, Tier, Timestamp, ToolOutcome, ToolOutput, TurnId, TurnOutcome, Usage, Verdict,
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

/// The identity of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RowKey {
    /// A message of the user.
    User(MessageId),
    /// A block of an assistant's message, by its position there.
    Block(MessageId, u32),
    /// A remark of the server, by the number of its event.
    Note(Seq),
    /// The end of a turn, by the number of its event.
    End(Seq),
}

/// The content of a row.
#[derive(Debug, Clone, PartialEq)]
pub enum RowContent {
    User {
        text: String,
        /// Things that the message refers to, apart from its text.
        references: Vec<Reference>,
        /// True if the running turn read it between two steps, so that it began no turn.
        read: bool,
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
    /// A remark of the server, such as that a budget is nearly used up.
    Note {
        text: String,
    },
    /// The end of the turn, with the sums over its steps.
    End {
        outcome: TurnOutcome,
        usage: Usage,
        cost: Option<Cost>,
        /// Milliseconds since the turn began or was resumed, without those in which it waited for a
        /// person's decision.
        took_ms: u64,
    },
}

/// The progress of a block of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockState {
    Streaming,
    Done,
    /// Never to be finished: the connection, the server or a person cut it off.
    Interrupted,
}

/// A tool call.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolRow {
    /// Unknown while the model is still writing the call.
    pub call: Option<CallId>,
    pub name: String,
    /// None while the model is writing it.
    pub input: Option<Value>,
    /// Unknown until the gate has decided.
    pub tier: Option<Tier>,
    pub target: Option<String>,
    /// Time at which it began to run.
    pub started: Option<Timestamp>,
    /// From its start to its end, in milliseconds.
    pub elapsed_ms: Option<u64>,
    /// The latest progress of a running tool.
    pub progress: Option<String>,
    pub state: ToolState,
    /// The request to a person about the call.
    pub asked: Option<Box<AskedRow>>,
    /// The standing grant that it ran under.
    pub grant: Option<GrantId>,
    /// The outcome, if it was unknown at first.
    pub resolved: Option<Resolved>,
    /// True for a copy from another conversation: history, in which nothing can be done.
    pub copied: bool,
}

/// A request to a person, and its decision.
#[derive(Debug, Clone, PartialEq)]
pub struct AskedRow {
    pub confirmation: Confirmation,
    /// Time at which it was asked, or asked again.
    pub at: Timestamp,
    pub decided: Option<Decided>,
}

/// The decision on a request.
#[derive(Debug, Clone, PartialEq)]
pub struct Decided {
    pub verdict: Verdict,
    /// The name of the person; none if no person decided.
    pub by: Option<String>,
    pub at: Timestamp,
}

/// The outcome of a call, once it was unknown.
#[derive(Debug, Clone, PartialEq)]
pub struct Resolved {
    pub resolution: Resolution,
    /// The name of the person who said so; none if the server found it out.
    pub by: Option<String>,
    pub message: String,
}

impl ToolRow {
    /// Creates a row for a call of which only the name and the input are known.
    pub(crate) fn new(
        call: Option<CallId>,
        name: String,
        input: Option<Value>,
        state: ToolState,
    ) -> Self {
        Self {
            call,
            name,
            input,
            tier: None,
            target: None,
            started: None,
            elapsed_ms: None,
            progress: None,
            state,
            asked: None,
            grant: None,
            resolved: None,
            copied: false,
        }
    }
}

/// The state of a tool call.
#[derive(Debug, Clone, PartialEq)]
pub enum ToolState {
    /// The model is writing the input.
    Writing,
    /// The model asks for it; the gate has not decided.
    Proposed,
    /// It runs once the acting calls before it have ended.
    Queued,
    /// It waits for a person; see [`ToolRow::asked`].
    Waiting,
    /// A person has approved it; it runs once those before it have ended.
    Approved,
    Denied,
    /// The request expired without a decision.
    Expired,
    /// The request was withdrawn.
    Withdrawn,
    Running,
    Succeeded(ToolOutput),
    Failed(ErrorBody),
    Blocked {
        reason: BlockedReason,
        message: String,
    },
    Cancelled,
    /// It may have taken effect, and that could not be determined.
    OutcomeUnknown {
        /// One sentence that says what is known.
        known: Option<String>,
    },
    /// The model's answer was cut off before the call was complete; it never ran.
    Abandoned,
}

impl ToolState {
    /// Returns the state of a call with this outcome.
    pub(crate) fn of(outcome: &ToolOutcome) -> Self {
        match outcome {
            ToolOutcome::Succeeded { output } => Self::Succeeded(output.clone()),
            ToolOutcome::Failed { error } => Self::Failed(error.clone()),
            ToolOutcome::Cancelled => Self::Cancelled,
            ToolOutcome::OutcomeUnknown { known } => Self::OutcomeUnknown {
                known: known.clone(),
            },
            ToolOutcome::Unknown => Self::OutcomeUnknown { known: None },
        }
    }

    /// Returns whether nothing more will happen to the call.
    pub fn is_terminal(&self) -> bool {
        !matches!(
            self,
            Self::Writing
                | Self::Proposed
                | Self::Queued
                | Self::Waiting
                | Self::Approved
                | Self::Running
        )
    }
}
