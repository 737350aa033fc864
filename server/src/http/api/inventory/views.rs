//! The types of tools, systems and the audit chain: what programs read.

use std::borrow::Cow;

use agent::ports::{Audience, ToolSpec};
use protocol::{Tier, Timestamp};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::Value;

use crate::texts;

/// A tool.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Tool")]
pub(in crate::http::api) struct ToolLine {
    name: String,
    toolset: String,
    /// As the model reads it.
    description: String,
    /// `green`, `yellow`, `red` or `black`: the least that the gate asks for. It may ask for more.
    #[schemars(with = "String")]
    tier: Tier,
    /// True if no model has it: only people start it, by a call of their own.
    for_people: bool,
    input: ToolInputSchema,
}

impl ToolLine {
    pub(super) fn of(toolset: &str, spec: ToolSpec) -> Self {
        Self {
            name: spec.name,
            toolset: toolset.to_owned(),
            description: spec.description,
            tier: spec.tier,
            for_people: spec.audience == Audience::People,
            input: ToolInputSchema(spec.input_schema),
        }
    }
}

/// The schema of the input of a tool.
#[derive(Debug, Serialize)]
#[serde(transparent)]
struct ToolInputSchema(Value);

impl JsonSchema for ToolInputSchema {
    fn schema_name() -> Cow<'static, str> {
        "ToolInput".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "additionalProperties": true,
            "description": texts::api::TOOL_INPUT
        })
    }
}

/// The tools that this token covers, by toolset.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Tools")]
pub(in crate::http::api) struct ToolList {
    pub(super) tools: Vec<ToolLine>,
}

/// A system that a toolset talks to.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "System")]
pub(in crate::http::api) struct SystemLine {
    pub(super) toolset: String,
    /// Its name for people.
    pub(super) name: String,
    /// True for the built-in simulation.
    pub(super) simulated: bool,
    /// False if it does not answer. None while nobody has looked.
    pub(super) answers: Option<bool>,
}

/// The systems that this token covers.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Systems")]
pub(in crate::http::api) struct SystemList {
    pub(super) systems: Vec<SystemLine>,
}

/// The newest row of the audit chain.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "AuditHead")]
pub(in crate::http::api) struct AuditHeadBody {
    /// Number of rows.
    pub(super) rows: i64,
    /// Time of the newest one, in milliseconds since 1970-01-01 UTC.
    #[schemars(with = "Option<i64>")]
    pub(super) at: Option<Timestamp>,
    /// Its hash, in hexadecimal: what `jarvis audit verify --expect-head` takes.
    pub(super) hash: String,
}
