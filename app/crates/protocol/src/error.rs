//! What went wrong, for a person and for a program.

use std::fmt;

use serde::{Deserialize, Serialize};

/// An error that a user sees: a stable code, one sentence, and one line of help.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorBody {
    /// Stable; programs and documentation refer to it.
    pub code: ErrorCode,
    /// What happened, in one sentence for a person.
    pub message: String,
    /// What the person can do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

impl ErrorBody {
    /// An error without a line of help.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            help: None,
        }
    }

    /// The same error with a line of help.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for ErrorBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ErrorBody {}

/// The stable code of an error, written in snake case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// A frame or a command could not be read.
    Malformed,
    /// The command is of a newer or older protocol.
    UnknownCommand,
    /// The message has no text.
    MessageEmpty,
    /// The message is longer than [`crate::MAX_MESSAGE_BYTES`].
    MessageTooLong,
    /// There is no such conversation, or it belongs to somebody else.
    ConversationNotFound,
    /// The conversation came out of a file: it is read, and nothing goes on in it.
    ConversationClosed,
    /// The file is no conversation that this version can keep; the message says where.
    ImportRefused,
    /// There is no such prompt, or it cannot be kept like this; the message says why.
    PromptRefused,
    /// A link to a shared conversation does not lead anywhere, or not any more.
    ShareNotFound,
    /// A conversation cannot be shared like this; the message says why.
    ShareRefused,
    /// A file cannot be taken: its size or its kind; the message says which.
    FileRefused,
    /// A file of a message is not kept here.
    FileNotFound,
    /// The model reads no images.
    ImagesNotSupported,
    /// There is no such turn, or it is not the one that runs.
    TurnNotFound,
    /// A turn runs, and this is possible only when none does.
    TurnRunning,
    /// Calls that are left behind have acted, and the person was not told of all of them.
    EffectsStand,
    /// The queued message is not in the queue any more.
    MessageNotQueued,
    /// The call does not wait for a decision any more; the message says who decided.
    AlreadyDecided,
    /// The card has changed since it was shown: look at it again.
    CardChanged,
    /// The decision or the grant is not possible for this call.
    DecisionNotAllowed,
    /// The word that the card asks for was not typed, or another one was.
    WordNotTyped,
    /// The token has no right to decide, or the card is decided on the page alone.
    TokenCannotDecide,
    /// There is no such grant, or it has ended.
    GrantNotFound,
    /// The call has ended, or another tab carries it out: what this one says of it is not used.
    CallEnded,
    /// No system shows such a board.
    BoardNotFound,
    /// There is no such notice, or it has ended.
    NoticeNotFound,
    /// No such event, or it is too old.
    EventNotFound,
    /// Too many messages are queued already.
    QueueFull,
    /// Too many commands in too short a time.
    RateLimited,
    /// The person is not signed in, or the session has ended.
    NotSignedIn,
    /// The person's role does not include this.
    RoleNotEnough,
    /// The request comes from another site, or for a host that the server does not go by.
    Forbidden,
    /// The server is stopping and takes no new work.
    ShuttingDown,
    /// The server could not write; nothing was accepted.
    StorageFailed,
    /// A fault of the server; the log has the details.
    Internal,
    /// The model refused the key.
    ModelAuthentication,
    /// The account of the key may not use this model, or has no credit.
    ModelPermission,
    /// The model does not exist or has been retired.
    ModelNotFound,
    /// The model asks to slow down, or a spend limit is reached.
    ModelRateLimited,
    /// The model is not offered here.
    ModelNotOffered,
    /// The model does not take such a level of effort.
    EffortNotSupported,
    /// The turn has used up its steps.
    StepLimit,
    /// The budget of the conversation or of the day is used up.
    BudgetReached,
    /// The model is overloaded.
    ModelOverloaded,
    /// No connection to the model.
    ModelUnreachable,
    /// The model fell silent in mid-answer.
    ModelTimeout,
    /// The conversation is longer than the model can read.
    ModelContextOverflow,
    /// The model declined to answer.
    ModelRefused,
    /// The model refused the request as invalid: a fault of ours.
    ModelInvalidRequest,
    /// The model's answer broke the protocol or ended early.
    ModelProtocol,
    /// A fault on the model's side.
    ModelFailed,
    /// The tool's input does not fit its schema.
    ToolInputInvalid,
    /// The system behind the tool could not be reached.
    ToolUnreachable,
    /// The system behind the tool denied a privilege.
    ToolPermission,
    /// What the call acts on is protected.
    ToolProtected,
    /// The call may have taken effect, and nobody knows.
    ToolOutcomeUnknown,
    /// The tool did not finish in time.
    ToolTimeout,
    /// The tool failed.
    ToolFailed,
    /// A code that this build does not know.
    #[serde(other)]
    Unknown,
}
