//! The model that answers.

use std::sync::Arc;

use futures::stream::BoxStream;
use protocol::{
    BlockKind, Effort, ErrorBody, ErrorCode, ModelChoice, StopReason, Timestamp, Usage,
};
use serde_json::value::RawValue;

use super::Correlation;

/// One call of the model. All JSON is kept raw, so that it is sent again byte for byte: history
/// that changes breaks the prompt cache and signed thinking.
#[derive(Debug, Clone)]
pub struct ModelRequest {
    pub model: String,
    /// None leaves the model's own default.
    pub effort: Option<Effort>,
    /// Tokens.
    pub max_tokens: u32,
    pub system: Arc<str>,
    /// The array of tool definitions; none for a conversation without tools.
    pub tools: Option<Arc<RawValue>>,
    pub tool_choice: ToolChoice,
    pub messages: Vec<RequestMessage>,
    /// The request of a client that this comes of, for the log.
    pub correlation: Option<Correlation>,
}

/// One message of the history.
#[derive(Debug, Clone)]
pub struct RequestMessage {
    pub role: RequestRole,
    /// Content blocks, each as it was first sent or received.
    pub content: Vec<Arc<RawValue>>,
}

/// The speaker of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestRole {
    User,
    Assistant,
}

/// The permission to call tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolChoice {
    Auto,
    None,
}

/// An event while the model answers.
#[derive(Debug, Clone, PartialEq)]
pub enum ModelEvent {
    /// The model could not answer yet and is asked again at `until`. Only before anything else.
    Waiting { error: ErrorBody, until: Timestamp },
    /// The usage known so far, so that a call that is stopped still counts. Each replaces the one
    /// before; `Finished` and errors have the last word.
    Usage(Usage),
    /// A block began. `index` counts from 0 in the message.
    BlockStarted { index: u32, kind: BlockKind },
    /// More text, thinking, or JSON of a tool's input.
    Delta { index: u32, text: String },
    /// The block is complete.
    BlockFinished { index: u32 },
    /// The answer is complete; the last event.
    Finished(ModelReply),
}

/// A complete answer.
#[derive(Debug, Clone)]
pub struct ModelReply {
    /// Content blocks exactly as they go back to the model in later requests.
    pub content: Vec<Arc<RawValue>>,
    pub stop: StopReason,
    /// The vendor's explanation of a refusal, for a person.
    pub explanation: Option<String>,
    /// Tool calls whose input was cut or is not a JSON object. Their block in `content` has the
    /// input `{}` so that the history stays valid; they must be answered with an error, never run.
    pub invalid_inputs: Vec<InvalidInput>,
    pub usage: Usage,
    /// The vendor's id of the request, for their support.
    pub request_id: Option<String>,
    /// The id that the vendor gave to the answer.
    pub id: Option<String>,
    /// The model that answered, as the vendor calls it: behind an alias or a gateway, another name
    /// than that of the request.
    pub model: Option<String>,
}

/// The input of a tool call as the model wrote it, where that is not a JSON object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidInput {
    /// Position of the call's block in [`ModelReply::content`].
    pub index: u32,
    /// The input as the model wrote it.
    pub text: String,
}

impl PartialEq for ModelReply {
    fn eq(&self, other: &Self) -> bool {
        self.content
            .iter()
            .map(|raw| raw.get())
            .eq(other.content.iter().map(|raw| raw.get()))
            && self.stop == other.stop
            && self.explanation == other.explanation
            && self.invalid_inputs == other.invalid_inputs
            && self.usage == other.usage
            && self.request_id == other.request_id
            && self.id == other.id
            && self.model == other.model
    }
}

/// The reason why there is no answer. Decided once, where the response is read.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub struct ModelError {
    pub kind: ModelErrorKind,
    /// For a person; never contains a secret.
    pub message: String,
    /// HTTP status, when there was a response.
    pub status: Option<u16>,
    /// The vendor's id of the request.
    pub request_id: Option<String>,
    /// The blocks that had arrived and are safe to send back: complete non-empty text blocks only,
    /// no unfinished tool call, no unsigned thinking. Empty when the call failed before its first
    /// block.
    pub partial: Vec<Arc<RawValue>>,
    /// The usage known.
    pub usage: Usage,
}

/// Kinds of model errors by what a caller can do about them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelErrorKind {
    Authentication,
    Permission,
    NotFound,
    /// The configured address is not that of a model's API.
    Address,
    RateLimited,
    Overloaded,
    Unreachable,
    Timeout,
    ContextOverflow,
    InvalidRequest,
    Protocol,
    Failed,
}

impl ModelErrorKind {
    /// The code that a user sees.
    pub fn code(self) -> ErrorCode {
        match self {
            Self::Authentication => ErrorCode::ModelAuthentication,
            Self::Permission => ErrorCode::ModelPermission,
            Self::NotFound => ErrorCode::ModelNotFound,
            Self::Address => ErrorCode::ModelUnreachable,
            Self::RateLimited => ErrorCode::ModelRateLimited,
            Self::Overloaded => ErrorCode::ModelOverloaded,
            Self::Unreachable => ErrorCode::ModelUnreachable,
            Self::Timeout => ErrorCode::ModelTimeout,
            Self::ContextOverflow => ErrorCode::ModelContextOverflow,
            Self::InvalidRequest => ErrorCode::ModelInvalidRequest,
            Self::Protocol => ErrorCode::ModelProtocol,
            Self::Failed => ErrorCode::ModelFailed,
        }
    }
}

/// A model. Dropping the stream cancels the call. Retries before the first block are the model's
/// own matter, announced by [`ModelEvent::Waiting`].
pub trait Model: Send + Sync + 'static {
    /// Asks the model. The stream ends after `Finished` or after an error.
    fn ask(&self, request: ModelRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>>;

    /// Checks that people may choose this here, as far as is known without asking anybody; `_usual`
    /// is the model of new conversations. Returns the tokens that it can read and write in one
    /// call, if that is known.
    ///
    /// The error to show to the person.
    fn offers(&self, _choice: &ModelChoice, _usual: &str) -> Result<Option<u64>, ErrorBody> {
        Ok(None)
    }

    /// True if a model reads images, false if it does not; none if that is not known.
    fn reads_images(&self, _model: &str) -> Option<bool> {
        None
    }

    /// The price of usage in a model, if it is known.
    fn cost(&self, model: &str, usage: &Usage) -> Option<protocol::Cost>;
}
