//! Errors, as a person and a program see them.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::FromJson;

/// An error that a user sees: a stable code, one sentence, and one line of help.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct ErrorBody {
    /// Stable; programs and documentation refer to it.
    pub code: ErrorCode,
    /// One sentence for a person that says what happened.
    pub message: String,
    /// The person's next step, in one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The id of the request or command behind it, as in the server's log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
}

impl ErrorBody {
    /// Creates an error without a line of help.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            help: None,
            request_id: None,
        }
    }

    /// Returns the same error with a line of help.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Returns the same error with the id of the request behind it.
    #[must_use]
    pub fn of_request(mut self, id: impl Into<String>) -> Self {
        self.request_id = Some(id.into());
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, FromJson)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// A frame or a command could not be read.
    Malformed,
    /// The command belongs to a newer or older protocol.
    UnknownCommand,
    /// The message has no text.
    MessageEmpty,
    /// The message is longer than [`crate::MAX_MESSAGE_BYTES`].
    MessageTooLong,
    /// There is no such conversation, or it belongs to somebody else.
    ConversationNotFound,
    /// The address is that of a call of the person's own, which is no conversation.
    NotAConversation,
    /// The conversation was imported from a file: it is read-only.
    ConversationClosed,
    /// The file is no conversation that this version can store; the message says where.
    ImportRefused,
    /// There is no such prompt, or it cannot be saved like this; the message says why.
    PromptRefused,
    /// A link to a shared conversation is invalid or has expired.
    ShareNotFound,
    /// A conversation cannot be shared like this; the message says why.
    ShareRefused,
    /// A file is refused for its size or its kind; the message says which.
    FileRefused,
    /// A file of a message is not stored here.
    FileNotFound,
    /// The model cannot read images.
    ImagesNotSupported,
    /// There is no such turn, or it is not the running one.
    TurnNotFound,
    /// A turn is running, and this is possible only when none is.
    TurnRunning,
    /// Calls that are left behind have acted, and the person was not shown all of them.
    EffectsStand,
    /// The queued message is no longer in the queue.
    MessageNotQueued,
    /// The call no longer waits for a decision; the message says who decided.
    AlreadyDecided,
    /// The card has changed since it was shown: look at it again.
    CardChanged,
    /// The decision or the grant is not possible for this call.
    DecisionNotAllowed,
    /// The word that the card asks for is missing or wrong.
    WordNotTyped,
    /// The token may not decide, or the card can only be decided on the page.
    TokenCannotDecide,
    /// There is no such grant, or it has ended.
    GrantNotFound,
    /// The call has ended, or another tab carries it out: this tab's result is not used.
    CallEnded,
    /// No system shows such a board.
    BoardNotFound,
    /// There is no such notice, or it is resolved.
    NoticeNotFound,
    /// There is no such event, or it is older than the feed's retention period.
    EventNotFound,
    /// There is no such pack here.
    PackNotFound,
    /// The queue is full.
    QueueFull,
    /// Too many commands in too short a time.
    RateLimited,
    /// The person is not signed in, or the session has ended.
    NotSignedIn,
    /// The person's role does not include this.
    RoleNotEnough,
    /// The request comes from another site, or for an unknown host name.
    Forbidden,
    /// The server is shutting down and takes no new work.
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
    /// The model limits the rate of requests, or a spend limit is reached.
    ModelRateLimited,
    /// The model is not on offer here.
    ModelNotOffered,
    /// The model does not support this level of effort.
    EffortNotSupported,
    /// The turn has used up its steps.
    StepLimit,
    /// The budget of the conversation or of the day is used up.
    BudgetReached,
    /// The model is overloaded.
    ModelOverloaded,
    /// No connection to the model.
    ModelUnreachable,
    /// The model stopped sending in mid-answer.
    ModelTimeout,
    /// The conversation is longer than the model can read.
    ModelContextOverflow,
    /// The model declined to answer.
    ModelRefused,
    /// The model refused the request as invalid: a fault of ours.
    ModelInvalidRequest,
    /// The request holds a value that the conversation hides from the model, or could not be checked
    /// for one: it was not sent.
    RequestWithheld,
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
    /// The target of the call is protected.
    ToolProtected,
    /// The call may or may not have taken effect.
    ToolOutcomeUnknown,
    /// The tool did not finish in time.
    ToolTimeout,
    /// The tool failed.
    ToolFailed,
    /// A code that this build does not know.
    #[serde(other)]
    Unknown,
}
