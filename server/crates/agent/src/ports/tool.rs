//! One tool: its definition, the meaning of a call for the gate, and its effect.

mod example;
mod meaning;
mod reading;
mod spec;

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use protocol::{
    CallId, ConversationId, ErrorBody, Fact, MessageId, Offer, Timestamp, ToolOutput, TurnId,
    UserId,
};
use serde_json::Value;

pub use self::{
    example::ToolExample,
    meaning::{Assessment, Case, InputValue, Preview, Reconciled},
    reading::{ReadingTool, read_input},
    spec::{Audience, Impact, OnStop, Recovery, Staging, ToolSpec},
};
use crate::sync::lock;

/// The maker of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallActor {
    Model,
    /// A person, by a call of their own.
    Person,
}

/// The origin of a call, for records of who did what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallOrigin {
    /// The journal that it is in: a conversation, or that of a person's own call.
    pub conversation: ConversationId,
    /// The person for whom it is made: the conversation's owner, or the maker of an own call. The
    /// same in the preview, in the call, and in the look at its outcome after a restart. A second
    /// person who approves it is not named here.
    pub person: UserId,
    /// The turn that it belongs to. None for a person's own call.
    pub turn: Option<TurnId>,
    /// The message of the model that asks for it. None for a person's own call.
    pub message: Option<MessageId>,
    pub actor: CallActor,
}

/// One call that the gate has let through. The input fits the tool's schema.
#[derive(Debug, Clone)]
pub struct ToolCall {
    /// Also the idempotency key of its effect.
    pub id: CallId,
    pub name: String,
    pub input: Value,
    /// The approval that lets it run. None for a call that needs none, and before there is one.
    pub approval: Option<Approval>,
    pub origin: CallOrigin,
}

/// A person's approval of a call: of its card, or of an earlier card whose grant covers it. The same
/// after a restart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approval {
    /// The digest of the card that was approved, as the journal and the audit chain have it.
    pub digest: String,
    /// The names of the people behind it, as they were then: whoever approved it, and before them
    /// whoever asked for it, if that took a second person.
    pub by: Vec<String>,
    /// The time of that.
    pub at: Timestamp,
}

/// The reason why a tool brought nothing back. The message is for the model and for a person. With
/// the code [`protocol::ErrorCode::ToolOutcomeUnknown`] the call may have taken effect.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct ToolError(pub ErrorBody);

/// An image that a tool brings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolImage {
    /// For a person and the model, such as `disk usage of pve`.
    pub name: String,
    pub content: Vec<u8>,
}

/// Lets a running tool report how far it is, and hand over images that belong to its result.
#[derive(Clone)]
pub struct Progress {
    report: Arc<dyn Fn(&str) + Send + Sync>,
    images: Arc<Mutex<Vec<ToolImage>>>,
}

impl Progress {
    /// Progress that goes to `report`.
    pub fn new(report: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self {
            report: Arc::new(report),
            images: Arc::default(),
        }
    }

    /// Progress that nobody sees.
    pub fn ignored() -> Self {
        Self::new(|_| {})
    }

    /// Reports one short line, such as `2 of 4 nodes`.
    pub fn report(&self, message: &str) {
        (self.report)(message);
    }

    /// Hands an image over. It goes with the result to the model and to the card; one that cannot
    /// be taken is left out there with the reason.
    pub fn image(&self, name: impl Into<String>, content: Vec<u8>) {
        let name = name.into();
        lock(&self.images).push(ToolImage { name, content });
    }

    pub(crate) fn images(&self) -> Vec<ToolImage> {
        std::mem::take(&mut lock(&self.images))
    }
}

/// One tool. Everything that the engine has to know of a call before it acts has no default: a tool
/// that acts cannot be added by half. One that only reads is a [`ReadingTool`].
#[async_trait]
pub trait Tool: Send + Sync + 'static {
    /// Its definition. Asked for once, when the server starts.
    fn spec(&self) -> ToolSpec;

    /// A digest of the whole definition, for a tool that may get another one while the server runs; see
    /// [`Toolset::arrived_tools`](super::Toolset::arrived_tools). A conversation keeps those that it began
    /// with and calls no tool whose digest is another. None for a tool of this build.
    fn definition_digest(&self) -> Option<String> {
        None
    }

    /// True if calls change nothing, as those of a [`ReadingTool`].
    fn only_reads(&self) -> bool {
        false
    }

    /// The thing that a call acts on or reads, in words for the card, such as `node pve`. None for
    /// the whole system.
    fn target(&self, input: &Value) -> Option<String>;

    /// The things that a call touches, each as `kind/name` such as `node/pve` or `guest/101`: the
    /// names that a policy protects. Quick, and without a look outside.
    fn objects(&self, input: &Value) -> Vec<String>;

    /// The meaning of an input for the gate. Quick, and without a look outside.
    fn assess(&self, input: &Value) -> Assessment;

    /// Reads what a call would do. Changes nothing. It is asked for RED calls when the card is
    /// made, and again just before the call runs.
    ///
    /// # Errors
    /// The reason why the call cannot be offered: the target does not exist, its state cannot be
    /// read, the call makes no sense in that state.
    async fn preview(&self, call: &ToolCall) -> Result<Preview, ErrorBody>;

    /// The change of the target since a card with these facts was shown, in one sentence. It is
    /// asked for when [`Preview::state`] is not what was approved, and only words the card that
    /// asks again: it cannot let a call run.
    fn drift(&self, _shown: &[Fact], _now: &Preview) -> Option<String> {
        None
    }

    /// Finds out what became of a call of class [`Recovery::Reconcilable`] that was started at
    /// `since`. Changes nothing; waits for what still runs.
    async fn reconcile(&self, call: &ToolCall, since: Timestamp) -> Reconciled;

    /// The need of an open page; see [`Staging`]. The data of the call's result is what the page
    /// gets. A call that a page runs must be of class [`Recovery::Pure`] or
    /// [`Recovery::Idempotent`].
    fn staging(&self) -> Staging {
        Staging::None
    }

    /// The effect of a stop on a running call.
    fn on_stop(&self) -> OnStop {
        match self.spec().recovery {
            Recovery::Pure => OnStop::Cancel,
            Recovery::Idempotent | Recovery::Reconcilable | Recovery::Unsafe => OnStop::Finish,
        }
    }

    /// Asks a running call that a stop lets finish to end early, because a person has stopped its
    /// turn. Only the result of the call reports its outcome, whatever this does. The call may have
    /// ended already. After a restart this is asked for again, while the outcome is looked up. The
    /// caller bounds the time.
    async fn stop(&self, _call: &ToolCall) {}

    /// The places at which a page offers a call of it, by the state of a thing. The gate decides on
    /// such a call like on every other.
    fn offers(&self) -> Vec<Offer> {
        Vec::new()
    }

    /// Runs a call. Dropping the future cancels it.
    async fn call(&self, call: ToolCall, progress: Progress) -> Result<ToolOutput, ToolError>;
}
