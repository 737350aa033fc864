//! The traits through which the agent reaches the outside world. `server` implements them with the
//! real things, `testkit` with scripted ones.

mod board;
mod branches;
mod controls;
mod env;
mod feed;
mod files;
mod journal;
mod model;
mod notices;
mod observer;
mod people;
mod person;
mod redaction;
pub mod schema;
mod second_persons;
mod shelves;
mod spending;
mod tool;
mod toolset;
mod trace;

pub use board::{Board, Picture, Screen};
pub use branches::Branches;
pub use controls::Controls;
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
pub use notices::{Condition, NoticeChange, NoticeRecords, Survey};
pub use observer::{ObservedCall, ObservedEvent, Observer};
pub use people::People;
pub use person::{Person, Scope, SignInWay, Via};
pub use redaction::{LeakedValue, NotCovered, Redaction, RedactionScope, TokenRule};
pub use second_persons::SecondPersons;
pub use shelves::Shelves;
pub use spending::Spending;
pub use tool::{
    Approval, Assessment, Audience, CallActor, CallOrigin, Case, Impact, InputValue, OnStop,
    Preview, Progress, ReadingTool, Reconciled, Recovery, Staging, Tool, ToolCall, ToolError,
    ToolExample, ToolImage, ToolSpec, read_input,
};
pub(crate) use toolset::no_board;
pub use toolset::{ContextPart, PackNote, SubjectRefusal, Toolset};
pub use trace::{Correlation, Trace};
