//! The tools of all toolsets, checked when the server starts or when they arrive.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, PoisonError, RwLock},
};

use jsonschema::Validator;
use protocol::{ErrorBody, Reference, Tier};
use serde_json::{Value, json, value::RawValue};

use crate::{
    RunRules, error,
    ports::{Audience, OnStop, Recovery, Scope, Tool, ToolSpec, Toolset},
    raw_json::json,
    rights,
};

/// The reason why an engine cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// A toolset breaks a rule of [`crate::ports::ToolSpec`].
    #[error("tool {tool}: {reason}")]
    Tool { tool: String, reason: String },
}

/// A tool, as it was checked.
pub(crate) struct KnownTool {
    pub(crate) tool: Arc<dyn Tool>,
    /// The name of its toolset.
    pub(crate) toolset: &'static str,
    pub(crate) spec: ToolSpec,
    pub(crate) on_stop: OnStop,
    /// None for a tool whose definition is that of this build.
    pub(crate) digest: Option<String>,
    pub(crate) validator: Validator,
    /// The source of its results, such as `homelab/get_vms`.
    pub(crate) source: String,
}

/// All tools of the server.
pub(crate) struct Tools {
    pub(crate) toolsets: Vec<Arc<dyn Toolset>>,
    /// In the order of the toolsets and of their own lists.
    tools: Vec<Arc<KnownTool>>,
    by_name: Arc<HashMap<String, Arc<KnownTool>>>,
    /// Those that may come, change and go while the server runs, in the same order.
    arrived: RwLock<Arc<Vec<Arc<KnownTool>>>>,
}

/// The tools at one moment. A decision on a call and the start that follows from it use the same ones,
/// whatever arrives in between: a definition never runs under the verdict on another.
#[derive(Clone)]
pub(crate) struct ToolsSnapshot {
    by_name: Arc<HashMap<String, Arc<KnownTool>>>,
    arrived: Arc<Vec<Arc<KnownTool>>>,
}

impl ToolsSnapshot {
    /// A tool by the exact name, as it was then.
    pub(crate) fn get(&self, name: &str) -> Option<Arc<KnownTool>> {
        if let Some(tool) = self.by_name.get(name) {
            return Some(Arc::clone(tool));
        }
        let mut arrived = self.arrived.iter();
        arrived.find(|tool| tool.spec.name == name).cloned()
    }

    /// The tool of this name, if its definition is not that of the one that was used before.
    pub(crate) fn other_than(&self, used: &Arc<KnownTool>) -> Option<Arc<KnownTool>> {
        let now = self.get(&used.spec.name)?;
        let is_same =
            Arc::ptr_eq(&now, used) || (now.digest.is_some() && now.digest == used.digest);
        (!is_same).then_some(now)
    }
}

/// The definitions that a conversation begins with.
#[derive(Default)]
pub(crate) struct ToolDefinitions {
    /// The array for the model; none if there is no tool.
    pub(crate) array: Option<Arc<RawValue>>,
    /// The digests of those that have one, by name.
    pub(crate) digests: BTreeMap<String, String>,
}

impl ToolDefinitions {
    fn of(tools: &[Arc<KnownTool>]) -> Self {
        let definitions: Vec<_> = tools.iter().map(|tool| tool.definition()).collect();
        let digests = tools.iter().filter_map(|tool| {
            let digest = tool.digest.clone()?;
            Some((tool.spec.name.clone(), digest))
        });
        Self {
            array: (!definitions.is_empty()).then(|| json(&definitions).into()),
            digests: digests.collect(),
        }
    }
}

impl Tools {
    pub(crate) fn new(toolsets: Vec<Arc<dyn Toolset>>) -> Result<Self, SetupError> {
        let mut tools = Vec::new();
        let mut by_name = HashMap::new();
        for toolset in &toolsets {
            for tool in toolset.tools() {
                let known = Arc::new(checked(toolset.name(), tool)?);
                tools.push(Arc::clone(&known));
                let same = by_name.insert(known.spec.name.clone(), Arc::clone(&known));
                if same.is_some() {
                    return Err(bad(&known.spec, "two tools have this name"));
                }
            }
        }
        let known = Self {
            toolsets,
            tools,
            by_name: Arc::new(by_name),
            arrived: RwLock::default(),
        };
        known.take_arrived();
        Ok(known)
    }

    /// Asks every toolset which tools it has besides its own now. One that cannot be used is left out:
    /// it comes from outside and must not stop the server, nor take the name of another.
    pub(crate) fn take_arrived(&self) {
        // Held from the first question on: of two that come at once, the older list is never kept last.
        let mut arrived = self.arrived.write().unwrap_or_else(PoisonError::into_inner);
        let mut taken: Vec<Arc<KnownTool>> = Vec::new();
        for toolset in &self.toolsets {
            for tool in toolset.arrived_tools() {
                let known = checked(toolset.name(), tool).and_then(|known| {
                    let name = &known.spec.name;
                    let is_taken = self.by_name.contains_key(name)
                        || taken.iter().any(|other| other.spec.name == *name);
                    if is_taken {
                        return Err(bad(&known.spec, "two tools have this name"));
                    }
                    Ok(known)
                });
                match known {
                    Ok(known) => taken.push(Arc::new(known)),
                    Err(error) => tracing::warn!(
                        toolset = toolset.name(),
                        error = %error,
                        "tool left out, its definition cannot be used"
                    ),
                }
            }
        }
        *arrived = Arc::new(taken);
    }

    /// The tools as they are now. Nobody who uses them waits while the list changes.
    pub(crate) fn snapshot(&self) -> ToolsSnapshot {
        let arrived = self.arrived.read().unwrap_or_else(PoisonError::into_inner);
        ToolsSnapshot {
            by_name: Arc::clone(&self.by_name),
            arrived: Arc::clone(&arrived),
        }
    }

    /// The toolsets of conversations that are about nothing special, as far as a sign-in reaches,
    /// with these packs.
    pub(crate) fn everyday(&self, scope: &Scope, packs: &[String]) -> Scope {
        let within = self.toolsets.iter().filter(|toolset| {
            let name = toolset.name();
            let is_held = toolset.pack().is_none() || packs.iter().any(|pack| pack == name);
            scope.has(name) && !toolset.stands_alone() && is_held
        });
        Scope::Only(within.map(|toolset| toolset.name().to_owned()).collect())
    }

    /// The toolsets of a conversation that begins with a message about these things: one that
    /// stands alone, if one of them is its own, and else the everyday ones with the chosen packs.
    /// Everything stands for a conversation without a choice of its own.
    pub(crate) fn held(
        &self,
        scope: &Scope,
        about: &[Reference],
        chosen: Option<&[String]>,
        usual: &[String],
    ) -> Result<Scope, ErrorBody> {
        // A choice is refused rather than narrowed: the person would believe that they have it.
        for name in chosen.unwrap_or_default() {
            if !self.is_pack(name) {
                return Err(error::pack_not_found(name));
            }
            rights::within(scope, name)?;
        }
        let alone = self.toolsets.iter().find(|toolset| {
            toolset.stands_alone() && about.iter().any(|about| toolset.refers(about))
        });
        if let Some(toolset) = alone {
            rights::within(scope, toolset.name())?;
            return Ok(Scope::Only([toolset.name().to_owned()].into()));
        }
        let held = self.everyday(scope, chosen.unwrap_or(usual));
        if *scope == Scope::All && held == self.everyday(scope, usual) {
            Ok(Scope::All)
        } else {
            Ok(held)
        }
    }

    /// The things that a call names, as its toolset knows them.
    pub(crate) fn things_of(&self, tool: &str, input: &Value) -> Vec<Reference> {
        let Some(tool) = self.get(tool) else {
            return Vec::new();
        };
        let mut toolsets = self.toolsets.iter();
        let Some(toolset) = toolsets.find(|toolset| toolset.name() == tool.toolset) else {
            return Vec::new();
        };
        let objects = tool.tool.objects(input).into_iter();
        let things = objects.filter_map(|object| {
            let (kind, id) = object.split_once('/')?;
            Some(Reference::new(kind, id))
        });
        things.filter(|thing| toolset.refers(thing)).collect()
    }

    /// True if there is a pack of this name.
    pub(crate) fn is_pack(&self, name: &str) -> bool {
        let mut packs = self.toolsets.iter().filter(|it| it.pack().is_some());
        packs.any(|pack| pack.name() == name)
    }

    /// All tools, in the order of the toolsets and of their own lists; those that have arrived follow.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Arc<KnownTool>> {
        let arrived = self.snapshot().arrived.to_vec();
        self.tools.iter().cloned().chain(arrived)
    }

    /// A tool by the exact name, as it is now.
    pub(crate) fn get(&self, name: &str) -> Option<Arc<KnownTool>> {
        self.snapshot().get(name)
    }

    /// The definitions of a scope, as far as the rules of the run allow.
    pub(crate) fn definitions(&self, scope: &Scope, run: &RunRules) -> ToolDefinitions {
        let tools = self.iter();
        let tools = tools
            .filter(|tool| scope.has(tool.toolset) && tool.spec.audience == Audience::Everyone)
            .filter(|tool| run.allows(&tool.spec.name));
        ToolDefinitions::of(&tools.collect::<Vec<_>>())
    }
}

impl KnownTool {
    /// The definition of this one tool.
    pub(crate) fn alone(self: &Arc<Self>) -> ToolDefinitions {
        ToolDefinitions::of(&[Arc::clone(self)])
    }

    fn definition(&self) -> Value {
        json!({
            "name": self.spec.name,
            "description": self.spec.description,
            "input_schema": self.spec.input_schema,
        })
    }
}

fn checked(toolset: &'static str, tool: Arc<dyn Tool>) -> Result<KnownTool, SetupError> {
    // Definitions are sent to the model and frozen in conversations, and the gate relies on them: a
    // mistake stops the server at its start and not a call months later.
    let spec = tool.spec();
    let bad = |reason: &str| bad(&spec, reason);
    let allowed = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !(1..=64).contains(&spec.name.len()) || !spec.name.chars().all(allowed) {
        return Err(bad("the name does not match ^[a-zA-Z0-9_-]{1,64}$"));
    }
    if spec.input_schema.get("type") != Some(&json!("object")) {
        return Err(bad("the input is not an object"));
    }
    if !is_closed(&spec.input_schema) {
        return Err(bad(
            "an object in the input schema lacks additionalProperties: false",
        ));
    }
    if tool.only_reads() && (spec.tier != Tier::Green || spec.recovery != Recovery::Pure) {
        return Err(bad(
            "a tool that only reads is GREEN and runs again after a crash",
        ));
    }
    let on_stop = tool.on_stop();
    if on_stop == OnStop::Cancel && spec.recovery != Recovery::Pure {
        return Err(bad(
            "a call that a stop drops must be one that can run again",
        ));
    }
    if let Some(path) = missing_field(&spec) {
        return Err(bad(&format!("the input has no field {path:?} to change")));
    }
    let validator = jsonschema::validator_for(&spec.input_schema)
        .map_err(|error| bad(&format!("the input schema is not valid: {error}")))?;
    Ok(KnownTool {
        source: format!("{toolset}/{}", spec.name),
        digest: tool.definition_digest(),
        tool,
        toolset,
        spec,
        on_stop,
        validator,
    })
}

fn bad(spec: &ToolSpec, reason: &str) -> SetupError {
    SetupError::Tool {
        tool: spec.name.clone(),
        reason: reason.to_owned(),
    }
}

/// A field that a person may change and that the schema does not name.
fn missing_field(spec: &ToolSpec) -> Option<&String> {
    let is_named = |path: &str| {
        let mut schema = Some(&spec.input_schema);
        let names = path.strip_prefix('/')?.split('/');
        for name in names {
            let name = name.replace("~1", "/").replace("~0", "~");
            schema = schema.and_then(|schema| match name.as_str() {
                "*" => schema.get("items"),
                name => schema.get("properties")?.get(name),
            });
        }
        schema
    };
    spec.editable.iter().find(|path| is_named(path).is_none())
}

/// True if every object that a schema describes refuses fields that it does not name.
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

#[cfg(test)]
mod tests {
    use protocol::Tier;

    use super::*;
    use crate::{fixed_tools::FixedTool, ports::ToolExample};

    fn good() -> FixedTool {
        let field = json!({ "type": "object", "additionalProperties": false,
            "properties": { "price": { "type": "number" } } });
        FixedTool {
            spec: ToolSpec {
                editable: vec!["/node".to_owned(), "/line/price".to_owned()],
                examples: vec![ToolExample::new("Move the line.")],
                ..ToolSpec::with_schema(
                    "order",
                    "Orders.",
                    json!({ "type": "object", "additionalProperties": false,
                        "properties": { "node": { "type": "string" }, "line": field } }),
                )
            },
            on_stop: OnStop::Finish,
        }
    }

    #[test]
    fn a_definition_that_cannot_be_kept_is_refused() {
        let why = |change: fn(&mut FixedTool)| {
            let mut tool = good();
            change(&mut tool);
            match checked("fixed", Arc::new(tool)) {
                Ok(_) => "known".to_owned(),
                Err(error) => error.to_string(),
            }
        };
        assert_eq!(why(|_| {}), "known");
        for (change, expect) in [
            (
                (|tool| tool.spec.name = "an order".to_owned()) as fn(&mut FixedTool),
                "the name does not match",
            ),
            (
                |tool| tool.spec.input_schema = json!({ "type": "string" }),
                "the input is not an object",
            ),
            (
                |tool| {
                    tool.spec.input_schema["properties"]["line"]["additionalProperties"] =
                        json!(true)
                },
                "lacks additionalProperties: false",
            ),
            (
                |tool| tool.spec.editable.push("/line/colour".to_owned()),
                "no field \"/line/colour\" to change",
            ),
            (
                |tool| tool.spec.editable.push("node".to_owned()),
                "no field \"node\" to change",
            ),
            (
                |tool| tool.on_stop = OnStop::Cancel,
                "must be one that can run again",
            ),
        ] {
            let why = why(change);
            assert!(why.contains(expect), "{why}");
        }
    }

    #[test]
    fn a_tool_is_at_its_strictest_until_it_says_otherwise() {
        let spec = good().spec;
        assert_eq!((spec.tier, spec.recovery), (Tier::Red, Recovery::Unsafe));
        assert_eq!(spec.impact, crate::ports::Impact::System);
    }

    #[test]
    fn the_model_is_not_told_the_examples() {
        let known = checked("fixed", Arc::new(good())).unwrap();
        let definition = known.definition();
        let fields: Vec<_> = definition.as_object().unwrap().keys().collect();
        assert_eq!(fields, ["name", "description", "input_schema"]);
    }
}
