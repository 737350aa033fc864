//! The definition of a tool.

use std::time::Duration;

use protocol::{Choice, Tier};
use schemars::JsonSchema;
use serde_json::Value;

use super::ToolExample;
use crate::ports::schema;

/// The recovery class of a tool: how a call that a crash cut off between start and result is
/// recovered.
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

/// The need of a tool for an open page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Staging {
    /// Nothing.
    #[default]
    None,
    /// The effect of the call does not need a page; one that is open shows it and says so. The
    /// result says whether it is shown.
    Shows,
    /// Only a page can do it. The server has checked the input and says what is to be done.
    Runs,
}

/// The fate of a running call when a person stops its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnStop {
    /// It is dropped at once. Only a call of class [`Recovery::Pure`] may be.
    Cancel,
    /// It runs to its end, and its result is recorded.
    Finish,
}

/// The callers of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Audience {
    /// The model and people.
    #[default]
    Everyone,
    /// People alone, by a call of their own. The model does not see it, and for its calls there is
    /// no such tool.
    People,
}

/// The impact of a tool's calls on a system, which decides whose word their values have to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Impact {
    /// They change it. Every value that matters has to be the person's, or they are asked.
    #[default]
    System,
    /// They only look, or change what Jarvis keeps for itself and gives back. The person is asked
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
    /// Timeout of a call.
    pub timeout: Duration,
    /// Switches that only a person may set, on the card: boolean fields that the schema does not
    /// name. One that is set is in the input of the call as `true`.
    pub choices: Vec<Choice>,
    /// JSON pointers to the fields of the input that a person may change before approving, such as
    /// `/node`; `*` stands for each item of a list, as in `/items/*/qty`.
    pub editable: Vec<String>,
    pub audience: Audience,
    pub impact: Impact,
    /// Two or three, with the input in all of them or in none. The model does not see them. A tool for
    /// people alone has none: no words lead to it.
    pub examples: Vec<ToolExample>,
    /// If true, an empty chat offers the first example: it names nothing that an installation may
    /// not have.
    pub suggested: bool,
}

impl ToolSpec {
    /// A tool whose input is a type, with everything else at its strictest: RED, never run again
    /// after a crash, and every value of its input has to be the person's. A tool says field by
    /// field where it differs.
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
            suggested: false,
        }
    }
}
