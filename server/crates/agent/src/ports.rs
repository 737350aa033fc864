//! The traits through which the agent reaches the outside world. `server` implements them with the
//! real things, `testkit` with scripted ones.

mod board;
mod env;
mod feed;
mod files;
mod journal;
mod model;
mod notices;
mod person;
pub mod schema;
mod tool;
mod toolset;

pub use board::{Board, Picture, Screen};
pub use env::Env;
pub use feed::{Happening, Happenings, Teller};
pub use files::{Files, StoredFile};
pub use journal::{
    Append, Appended, Branching, Durability, Epoch, Journal, JournalError, NewRecord, Record,
    StoredConversation,
};
pub use model::{
    InvalidInput, Model, ModelError, ModelErrorKind, ModelEvent, ModelReply, ModelRequest,
    RequestMessage, RequestRole, ToolChoice,
};
pub use notices::{Condition, NoticeChange, Survey};
pub use person::{Person, Scope, SignInWay, Via};
pub use tool::{
    Assessment, Audience, CallActor, CallOrigin, Case, Impact, InputValue, OnStop, Preview,
    Progress, ReadingTool, Reconciled, Recovery, Staging, Tool, ToolCall, ToolError, ToolImage,
    ToolSpec, read_input,
};
pub(crate) use toolset::no_board;
pub use toolset::{ContextPart, Toolset};
