//! The tools of all toolsets, checked once when the server starts.

use std::{collections::HashMap, sync::Arc};

use jsonschema::Validator;
use protocol::{ErrorBody, Reference};
use serde_json::{Value, json, value::RawValue};

use crate::{
    engine::SetupError,
    machine::json,
    ports::{Audience, Scope, ToolSpec, Toolset},
    rights,
};

/// A tool with the toolset that runs it.
pub(crate) struct Tool {
    pub(crate) toolset: Arc<dyn Toolset>,
    pub(crate) spec: ToolSpec,
    pub(crate) validator: Validator,
    /// Where its results come from, such as `homelab/get_vms`.
    pub(crate) source: String,
}

/// All tools of the server.
pub(crate) struct Tools {
    pub(crate) toolsets: Vec<Arc<dyn Toolset>>,
    /// In the order of the toolsets and of their own lists.
    tools: Vec<Arc<Tool>>,
    by_name: HashMap<&'static str, Arc<Tool>>,
}

impl Tools {
    pub(crate) fn new(toolsets: Vec<Arc<dyn Toolset>>) -> Result<Self, SetupError> {
        let mut tools = Vec::new();
        let mut by_name = HashMap::new();
        for toolset in &toolsets {
            for spec in toolset.tools() {
                let tool = Arc::new(checked(toolset, spec)?);
                tools.push(Arc::clone(&tool));
                if by_name.insert(spec.name, tool).is_some() {
                    return Err(bad(spec, "two tools have this name"));
                }
            }
        }
        Ok(Self {
            toolsets,
            tools,
            by_name,
        })
    }

    /// What conversations hold that are about nothing special, as far as a sign-in reaches.
    pub(crate) fn everyday(&self, scope: &Scope) -> Scope {
        let within = || {
            let toolsets = self.toolsets.iter();
            toolsets.filter(|toolset| scope.has(toolset.name()))
        };
        let names = within().filter(|toolset| !toolset.stands_alone());
        Scope::Only(names.map(|toolset| toolset.name().to_owned()).collect())
    }

    /// What a conversation holds that begins with a message about these things: a toolset that stands
    /// alone, if one of them is its own.
    pub(crate) fn held(&self, scope: &Scope, about: &[Reference]) -> Result<Scope, ErrorBody> {
        let alone = self.toolsets.iter().find(|toolset| {
            toolset.stands_alone() && about.iter().any(|about| toolset.refers(about))
        });
        match alone {
            None if *scope == Scope::All => Ok(Scope::All),
            None => Ok(self.everyday(scope)),
            Some(toolset) => {
                rights::within(scope, toolset.name())?;
                Ok(Scope::Only([toolset.name().to_owned()].into()))
            }
        }
    }

    /// A tool by the exact name.
    pub(crate) fn get(&self, name: &str) -> Option<&Arc<Tool>> {
        self.by_name.get(name)
    }

    /// The array of definitions of a scope for the model; none if there is no tool.
    pub(crate) fn definitions(&self, scope: &Scope) -> Option<Arc<RawValue>> {
        let tools = self.tools.iter();
        let tools = tools.filter(|tool| {
            scope.has(tool.toolset.name()) && tool.spec.audience == Audience::Everyone
        });
        let definitions: Vec<_> = tools.map(|tool| tool.definition()).collect();
        (!definitions.is_empty()).then(|| json(&definitions).into())
    }

    /// The array with the definition of one tool, if there is such a tool.
    pub(crate) fn definition(&self, name: &str) -> Option<Arc<RawValue>> {
        let definition = self.get(name)?.definition();
        Some(json(&[definition]).into())
    }
}

impl Tool {
    fn definition(&self) -> Value {
        json!({
            "name": self.spec.name,
            "description": self.spec.description,
            "input_schema": self.spec.input_schema,
        })
    }
}

fn checked(toolset: &Arc<dyn Toolset>, spec: &ToolSpec) -> Result<Tool, SetupError> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !(1..=64).contains(&spec.name.len()) || !spec.name.chars().all(allowed) {
        return Err(bad(spec, "the name does not match ^[a-zA-Z0-9_-]{1,64}$"));
    }
    if spec.input_schema.get("type") != Some(&json!("object")) {
        return Err(bad(spec, "the input is not an object"));
    }
    if !is_closed(&spec.input_schema) {
        return Err(bad(
            spec,
            "an object in the input schema lacks additionalProperties: false",
        ));
    }
    let validator = jsonschema::validator_for(&spec.input_schema)
        .map_err(|error| bad(spec, &format!("the input schema is not valid: {error}")))?;
    Ok(Tool {
        toolset: Arc::clone(toolset),
        spec: spec.clone(),
        validator,
        source: format!("{}/{}", toolset.name(), spec.name),
    })
}

fn bad(spec: &ToolSpec, reason: &str) -> SetupError {
    SetupError::Tool {
        tool: spec.name.to_owned(),
        reason: reason.to_owned(),
    }
}

/// Whether every object that a schema describes refuses fields that it does not name.
fn is_closed(schema: &Value) -> bool {
    match schema {
        Value::Object(fields) => {
            let is_object = fields.get("type") == Some(&json!("object"))
                || fields.get("properties").is_some_and(Value::is_object);
            let is_closed_here =
                !is_object || fields.get("additionalProperties") == Some(&json!(false));
            is_closed_here && fields.values().all(is_closed)
        }
        Value::Array(items) => items.iter().all(is_closed),
        _ => true,
    }
}
