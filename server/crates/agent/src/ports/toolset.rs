//! The tools, context and prompt of one domain.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use async_trait::async_trait;
use protocol::{
    Assurance, CallId, Choice, ConversationId, ErrorBody, Fact, MessageId, Name, OriginSource,
    PageQuery, Reference, Tier, Timestamp, ToolOutput, TurnId,
};
use serde_json::Value;

use super::{Board, Happenings};
use crate::sync::lock;

/// What happens to a call of a tool that a crash cut off between intent and result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recovery {
    /// Reads only: run again.
    Pure,
    /// Running twice is the same as running once: run again with the same key.
    Idempotent,
    /// The toolset can find out what happened.
    Reconcilable,
    /// Nobody can know: the outcome stays unknown.
    Unsafe,
}

/// What a tool needs of an open page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Staging {
    /// Nothing.
    #[default]
    None,
    /// What the call made is true without a page; one that is open shows it and says so. The result
    /// tells whether it is shown.
    Shows,
    /// Only a page can do it. The server has checked the input and says what is to be done.
    Runs,
}

/// Who may call a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Audience {
    /// The model and people.
    #[default]
    Everyone,
    /// People alone, by a call of their own. The model does not see it, and to its calls there is no
    /// such tool.
    People,
}

/// Whether calls of a tool change a system, which decides whose word their values have to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Impact {
    /// They do. Every value that matters has to be the person's, or they are asked.
    #[default]
    System,
    /// They only look, or change what Jarvis keeps for itself and gives back. They are asked about
    /// when a value came out of text from outside.
    None,
}

/// One tool, as the model and the gate see it.
#[derive(Debug, Clone)]
pub struct ToolSpec {
    /// `^[a-zA-Z0-9_-]{1,64}$`, unique among all toolsets.
    pub name: &'static str,
    /// For the model: when to use it, units, examples.
    pub description: &'static str,
    /// Closed JSON Schema: `type: object`, `additionalProperties: false`.
    pub input_schema: Value,
    pub tier: Tier,
    pub recovery: Recovery,
    /// How long a call may take.
    pub timeout: Duration,
    /// Switches that only a person may set, on the card: boolean fields that the schema does not
    /// name. One that is set is in the input of the call as `true`.
    pub choices: Vec<Choice>,
    /// Fields of the input that a person may change before approving.
    pub editable: Vec<&'static str>,
    pub audience: Audience,
    pub impact: Impact,
}

/// What a toolset makes of an input before anything is done, from configuration alone.
#[derive(Debug, Clone, PartialEq)]
pub struct Assessment {
    /// How this very input is guarded. It may raise the tool's tier, never lower it.
    pub tier: Tier,
    /// Why it needs more care than the tool as such, one sentence each.
    pub risks: Vec<String>,
    /// Why what it acts on is protected, in one sentence. Nothing above GREEN runs then.
    pub protected: Option<String>,
    /// Why it is refused although it fits the schema, in one sentence.
    pub refused: Option<String>,
    /// The values whose origin matters: what is acted on, and how.
    pub values: Vec<InputValue>,
}

impl Assessment {
    /// The tool's own tier, and every value of the input.
    pub fn plain(tier: Tier, input: &Value) -> Self {
        Self {
            tier,
            risks: Vec::new(),
            protected: None,
            refused: None,
            values: InputValue::all(input),
        }
    }
}

/// A value in an input, as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputValue {
    /// JSON pointer, such as `/vmid`.
    pub path: String,
    pub text: String,
    /// Where it comes from, if the toolset knows and the person does not name it: the configuration,
    /// which says what may be a target and never that it is one.
    pub source: Option<OriginSource>,
    /// Other values that the system itself maps to this one, and only to this one, such as the name
    /// of the guest with this id. Who names one of them has named this.
    pub mapped_from: Vec<String>,
}

impl InputValue {
    /// Every text, number and boolean in an input.
    pub fn all(input: &Value) -> Vec<Self> {
        let mut values = Vec::new();
        collect(input, &mut String::new(), &mut values);
        values
    }
}

fn collect(value: &Value, path: &mut String, values: &mut Vec<InputValue>) {
    let mut leaf = |text: String| {
        values.push(InputValue {
            path: path.clone(),
            text,
            source: None,
            mapped_from: Vec::new(),
        });
    };
    match value {
        Value::Null => {}
        Value::Bool(flag) => leaf(flag.to_string()),
        Value::Number(number) => leaf(number.to_string()),
        Value::String(text) => leaf(text.clone()),
        Value::Array(list) => {
            for (index, item) in list.iter().enumerate() {
                let length = path.len();
                path.push_str(&format!("/{index}"));
                collect(item, path, values);
                path.truncate(length);
            }
        }
        Value::Object(fields) => {
            for (name, item) in fields {
                let length = path.len();
                path.push('/');
                path.push_str(&name.replace('~', "~0").replace('/', "~1"));
                collect(item, path, values);
                path.truncate(length);
            }
        }
    }
}

/// What a call would do, read from the system just now.
#[derive(Debug, Clone, PartialEq)]
pub struct Preview {
    /// What will happen, in one sentence with a full stop, such as
    /// `Shut down VM 101 (nextcloud) on node pve.`
    pub sentence: String,
    /// Such as `VM 101 (nextcloud) on node pve`. The same target is always the same text.
    pub target: String,
    /// The target now, and what hangs on it.
    pub facts: Vec<Fact>,
    /// What to know before approving, one sentence each, such as that there is no backup. They stand
    /// on the card beside what the gate says.
    pub risks: Vec<String>,
    /// What cannot be undone, in one sentence.
    pub irreversible: Option<String>,
    /// How a person approves.
    pub assurance: Assurance,
    /// What must still be so when the call runs, such as state and start time. Part of the digest:
    /// it must not hold what changes by itself.
    pub state: Value,
}

impl Preview {
    /// What a call of a GREEN tool would do: read. It is asked for when the policy has raised the
    /// tool. None for every other tool.
    pub fn of_reading(tools: &[ToolSpec], call: &ToolCall) -> Option<Self> {
        let reads = |spec: &&ToolSpec| {
            spec.name == call.name && spec.tier == Tier::Green && spec.recovery == Recovery::Pure
        };
        tools.iter().find(reads).map(|spec| Self {
            sentence: format!("Read with {}.", spec.name),
            target: "the system".to_owned(),
            facts: Vec::new(),
            risks: Vec::new(),
            irreversible: None,
            assurance: Assurance::Press,
            state: Value::Null,
        })
    }

    /// The same about a target, if there is one.
    #[must_use]
    pub fn about(self, target: Option<String>) -> Self {
        Self {
            target: target.unwrap_or(self.target),
            ..self
        }
    }
}

/// What has become of a call that a crash cut off.
#[derive(Debug, Clone, PartialEq)]
pub enum Reconciled {
    /// It took effect, and this is its result.
    Done(Result<ToolOutput, ToolError>),
    /// It did not take effect; why that is certain, in one sentence.
    NotDone(String),
    /// It cannot be found out; what is known, in one sentence.
    Unknown(String),
}

/// Who made a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallActor {
    Model,
    /// A person, by a call of their own.
    Person,
}

/// Where a call comes from, for what keeps a record of who did what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallOrigin {
    /// The journal that it stands in: a conversation, or that of a person's own call.
    pub conversation: ConversationId,
    /// The turn that it belongs to. None of a person's own call.
    pub turn: Option<TurnId>,
    /// The message of the model that asks for it. None of a person's own call.
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
    pub origin: CallOrigin,
}

/// Why a tool brought nothing back. The message is for the model and for a person. With the code
/// [`protocol::ErrorCode::ToolOutcomeUnknown`] the call may have taken effect.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct ToolError(pub ErrorBody);

/// A part of the data block that goes with a new user message, such as a summary of the cluster.
#[derive(Debug, Clone, PartialEq)]
pub struct ContextPart {
    /// Where it comes from, such as `cluster`.
    pub source: &'static str,
    /// The data, or why there is none.
    pub data: Result<Value, String>,
}

/// An image that a tool brings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolImage {
    /// For a person and the model, such as `disk usage of pve`.
    pub name: String,
    pub content: Vec<u8>,
}

/// Lets a running tool say how far it is, and hand over images that belong to its result.
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

    /// Tells one short line, such as `2 of 4 nodes`.
    pub fn report(&self, message: &str) {
        (self.report)(message);
    }

    /// Hands an image over. It goes with the result to the model and to the card; one that cannot be
    /// taken is left out there with the reason.
    pub fn image(&self, name: impl Into<String>, content: Vec<u8>) {
        let name = name.into();
        lock(&self.images).push(ToolImage { name, content });
    }

    pub(crate) fn images(&self) -> Vec<ToolImage> {
        std::mem::take(&mut lock(&self.images))
    }
}

/// The tools, context and prompt of one domain.
#[async_trait]
pub trait Toolset: Send + Sync + 'static {
    /// The word for it, such as `homelab`.
    fn name(&self) -> &'static str;

    /// Its part of the system prompt.
    fn system_prompt(&self) -> String;

    /// Its tools, always in the same order.
    fn tools(&self) -> &[ToolSpec];

    /// What a call acts on or reads, in words for the card, such as `node pve`. None for all of
    /// the system.
    fn target(&self, tool: &str, input: &Value) -> Option<String>;

    /// What the model should know with every new message, and what it is about. Each source may fail
    /// by itself; the caller bounds the time.
    async fn context(&self, about: &[Reference]) -> Vec<ContextPart>;

    /// Whether a reference has the form of those to its things. Quick, and without a look outside.
    fn refers(&self, _reference: &Reference) -> bool {
        false
    }

    /// What the model should know of something that a message is about. The caller bounds the time.
    ///
    /// # Errors
    /// Why nothing is known of it, in a few words.
    async fn describe(&self, reference: &Reference) -> Result<Value, String> {
        Err(format!("nothing is known of a {}", reference.kind))
    }

    /// How texts name its things that have a page, as it saw them last. None if it cannot say now.
    async fn names(&self) -> Option<Vec<Name>> {
        None
    }

    /// What the input of one of its tools means for the gate. Quick, and without a look outside.
    fn assess(&self, tool: &ToolSpec, input: &Value) -> Assessment {
        Assessment::plain(tool.tier, input)
    }

    /// What a call touches, each as `kind/name` such as `node/pve` or `guest/101`: the names that a
    /// policy protects. Quick, and without a look outside.
    fn objects(&self, _tool: &str, _input: &Value) -> Vec<String> {
        Vec::new()
    }

    /// Reads what a call would do. Changes nothing. It is asked for RED calls when the card is
    /// made, and again just before the call runs.
    ///
    /// # Errors
    /// Why the call cannot be offered: the target does not exist, its state cannot be read, the
    /// call makes no sense in that state.
    async fn preview(&self, call: &ToolCall) -> Result<Preview, ErrorBody> {
        if let Some(reading) = Preview::of_reading(self.tools(), call) {
            let target = self.target(&call.name, &call.input);
            return Ok(reading.about(target));
        }
        Err(ErrorBody::new(
            protocol::ErrorCode::Internal,
            format!("{} cannot say what it would do.", call.name),
        ))
    }

    /// Finds out what became of a call of class [`Recovery::Reconcilable`] that was started at
    /// `since`. Changes nothing; waits for what still runs.
    async fn reconcile(&self, _call: &ToolCall, _since: Timestamp) -> Reconciled {
        Reconciled::Unknown("Nothing is known of it.".to_owned())
    }

    /// Its live picture, if it has one. A page asks for it under the toolset's name.
    fn board(&self) -> Option<Arc<dyn Board>> {
        None
    }

    /// What happens in its system, whoever does it, if it can tell.
    fn happenings(&self) -> Option<Arc<dyn Happenings>> {
        None
    }

    /// What the page of one thing of its system asks for, such as the past of a node. What there is
    /// to ask, only the toolset and the page know. Reads, and changes nothing: everybody who is
    /// signed in may ask.
    ///
    /// # Errors
    /// There is no such thing, or it cannot be read.
    async fn page(&self, _query: &PageQuery) -> Result<Value, ErrorBody> {
        Err(crate::error::no_board())
    }

    /// What one of its tools needs of an open page; see [`Staging`]. The data of the call's result is
    /// what the page gets. A call that a page runs must be of class [`Recovery::Pure`] or
    /// [`Recovery::Idempotent`].
    fn staging(&self, _tool: &str) -> Staging {
        Staging::None
    }

    /// Whether its conversations are about nothing else: they hold no other toolset, and those of
    /// others do not hold it. Such a conversation begins with a message about one of its things.
    fn stands_alone(&self) -> bool {
        false
    }

    /// Runs a call. Dropping the future cancels it.
    async fn call(&self, call: ToolCall, progress: Progress) -> Result<ToolOutput, ToolError>;
}
