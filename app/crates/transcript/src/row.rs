//! What one row of a transcript shows.

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

/// What a row is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RowKey {
    /// A message of the user.
    User(MessageId),
    /// A block of an assistant's message, by its position there.
    Block(MessageId, u32),
    /// What the server remarks, by the number of its event.
    Note(Seq),
    /// The end of a turn, by the number of its event.
    End(Seq),
}

/// The content of a row.
#[derive(Debug, Clone, PartialEq)]
pub enum RowContent {
    User {
        text: String,
        /// What it is about, beside its words.
        references: Vec<Reference>,
        /// The running turn read it between two steps; it began none.
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
    /// What the server remarks, such as that a budget is nearly used up.
    Note {
        text: String,
    },
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
    /// What a person is or was asked about the call.
    pub asked: Option<Box<Asked>>,
    /// The standing grant that it ran under.
    pub grant: Option<GrantId>,
    /// What became of it, if that was unknown at first.
    pub resolved: Option<Resolved>,
    /// A copy of another conversation's: history, in which nothing can be done any more.
    pub copied: bool,
}

/// A question to a person, and its answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    pub confirmation: Confirmation,
    /// When it was asked, or asked again.
    pub at: Timestamp,
    pub decided: Option<Decided>,
}

/// The answer to a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Decided {
    pub verdict: Verdict,
    /// The name of the person; none for what no person decides.
    pub by: Option<String>,
    pub at: Timestamp,
}

/// What became of a call whose outcome was unknown.
#[derive(Debug, Clone, PartialEq)]
pub struct Resolved {
    pub resolution: Resolution,
    /// The name of the person who said so; none if it was found out.
    pub by: Option<String>,
    pub message: String,
}

impl ToolRow {
    /// A call of which only the name and the input are known.
    pub(crate) fn new(
        call: Option<CallId>,
        name: String,
        input: ToolInput,
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
    /// It runs when those before it that act have ended.
    Queued,
    /// A person is asked; see [`ToolRow::asked`].
    Waiting,
    /// A person has approved it; it runs when those before it have ended.
    Approved,
    Denied,
    /// Nobody decided in time.
    Expired,
    /// The question was taken back.
    Withdrawn,
    Running,
    Succeeded(ToolOutput),
    Failed(ErrorBody),
    Blocked {
        reason: BlockedReason,
        message: String,
    },
    Cancelled,
    /// It may have taken effect, and that could not be found out.
    OutcomeUnknown {
        /// What is known, in one sentence.
        known: Option<String>,
    },
    /// The model's answer was cut off before the call was complete; it never ran.
    Abandoned,
}

impl ToolState {
    /// How a call stands that has ended so.
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

    /// Whether nothing more will happen to the call.
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
