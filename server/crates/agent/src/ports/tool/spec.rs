//! The definition of a tool.

use std::time::Duration;

use protocol::{Choice, Tier};
use schemars::JsonSchema;
use serde_json::Value;

use crate::ports::schema;

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

/// What becomes of a running call when a person stops its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnStop {
    /// It is dropped at once. Only a call of class [`Recovery::Pure`] may be.
    Cancel,
    /// It runs to its end, and its result is recorded.
    Finish,
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
    pub name: String,
    /// For the model: when to use it, units, examples.
    pub description: String,
    /// Closed JSON Schema: `type: object`, `additionalProperties: false`.
    pub input_schema: Value,
    pub tier: Tier,
    pub recovery: Recovery,
    /// How long a call may take.
    pub timeout: Duration,
    /// Switches that only a person may set, on the card: boolean fields that the schema does not
    /// name. One that is set is in the input of the call as `true`.
    pub choices: Vec<Choice>,
    /// JSON pointers to the fields of the input that a person may change before approving, such as
    /// `/node`.
    pub editable: Vec<String>,
    pub audience: Audience,
    pub impact: Impact,
    /// Two or three questions of a person that this tool answers, such as `Which VMs are stopped?`.
    /// The model does not see them.
    pub examples: Vec<String>,
}

impl ToolSpec {
    /// A tool whose input is a type, with everything else at its strictest: RED, never run again
    /// after a crash, and every value of its input has to be the person's. What a tool is beyond
    /// that, it says field by field.
    pub fn new<Input: JsonSchema>(name: &str, description: &str) -> Self {
        Self::with_schema(name, description, schema::of::<Input>())
    }

    /// The same with a schema that was made in another way.
    pub fn with_schema(name: &str, description: &str, input_schema: Value) -> Self {
        Self {
            name: name.to_owned(),
            description: description.to_owned(),
            input_schema,
            tier: Tier::Red,
            recovery: Recovery::Unsafe,
            timeout: Duration::from_secs(10),
            choices: Vec::new(),
            editable: Vec::new(),
            audience: Audience::default(),
            impact: Impact::default(),
            examples: Vec::new(),
        }
    }
}
