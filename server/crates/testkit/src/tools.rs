//! A toolset whose calls a test defines.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use agent::ports::{
    Approval, Assessment, Board, ContextPart, Preview, Progress, Reconciled, Recovery, Redaction,
    Staging, Tool, ToolCall, ToolError, ToolSpec, Toolset,
};
use async_trait::async_trait;
use futures::future::BoxFuture;
use protocol::{
    Assurance, CallId, ErrorBody, ErrorCode, Fact, Name, Reference, Tier, Timestamp, ToolOutput,
    UserId,
};
use serde_json::{Value, json};

use crate::{Hold, ListedValues};

type Outcome = Result<ToolOutput, ToolError>;
type Body = Arc<dyn Fn(ToolCall, Progress) -> BoxFuture<'static, Outcome> + Send + Sync>;
type ShownInput = Arc<dyn Fn(&Value) -> Value + Send + Sync>;
type Context = Arc<dyn Fn() -> BoxFuture<'static, Vec<ContextPart>> + Send + Sync>;

/// The result of previews: the state of every target, or why there is none. Clones are the same
/// state.
#[derive(Debug, Clone)]
pub struct TargetState(Arc<Mutex<Result<Value, String>>>);

impl Default for TargetState {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Ok(json!({ "state": "running" })))))
    }
}

impl TargetState {
    /// From now on previews find this.
    pub fn set(&self, state: Value) {
        *self.0.lock().unwrap() = Ok(state);
    }

    /// From now on previews fail.
    pub fn fail(&self, why: &str) {
        *self.0.lock().unwrap() = Err(why.to_owned());
    }
}

/// The record of effects, outside of any engine. Clones are the same ledger.
#[derive(Debug, Clone, Default)]
pub struct Ledger(Arc<Mutex<Vec<(String, CallId)>>>);

impl Ledger {
    /// Tool and call of every effect, in order.
    pub fn entries(&self) -> Vec<(String, CallId)> {
        self.0.lock().unwrap().clone()
    }

    /// The number of times that each call of a tool took effect.
    pub fn counts(&self, tool: &str) -> HashMap<CallId, usize> {
        let mut counts = HashMap::new();
        for (name, call) in self.entries() {
            if name == tool {
                *counts.entry(call).or_default() += 1;
            }
        }
        counts
    }
}

/// The inputs of a tool's calls, each with the person it was made for, in order.
pub type AskedFor = Arc<Mutex<Vec<(&'static str, UserId)>>>;

/// The questions to a tool, each with the approval of its call, in order.
pub type ApprovedBy = Arc<Mutex<Vec<(&'static str, Option<Approval>)>>>;

/// A definition with an open choice of `node` and `n` as input.
pub fn spec(name: &str, tier: Tier, recovery: Recovery) -> ToolSpec {
    ToolSpec {
        tier,
        recovery,
        examples: vec![format!("Run {name}.").into()],
        ..ToolSpec::with_schema(
            name,
            "A scripted tool.",
            json!({
                "type": "object",
                "additionalProperties": false,
                "properties": {
                    "node": { "type": "string" },
                    "n": { "type": "integer" },
                },
            }),
        )
    }
}

/// A toolset named `scripted`. A tool without a body answers with its own input.
#[derive(Clone, Default)]
pub struct ScriptedTools {
    specs: Vec<ToolSpec>,
    bodies: HashMap<String, Body>,
    context: Option<Context>,
    ledger: Ledger,
    state: TargetState,
    found: HashMap<&'static str, Reconciled>,
    board: Option<Arc<dyn Board>>,
    things: HashMap<Reference, Result<Value, String>>,
    texts: HashMap<Reference, String>,
    names: Arc<Mutex<Option<Vec<Name>>>>,
    staged: HashMap<&'static str, Staging>,
    assurance: Option<Assurance>,
    drift: Option<&'static str>,
    shown: Option<ShownInput>,
    asked_for: AskedFor,
    approved_by: ApprovedBy,
    ending: Option<Hold>,
    hidden: Option<ListedValues>,
}

impl ScriptedTools {
    pub fn new() -> Self {
        Self::default()
    }

    /// With a tool that answers with its own input.
    #[must_use]
    pub fn with(mut self, spec: ToolSpec) -> Self {
        self.specs.push(spec);
        self
    }

    /// With cards that are approved in this way; by one press if it is not set.
    #[must_use]
    pub fn asking(mut self, assurance: Assurance) -> Self {
        self.assurance = Some(assurance);
        self
    }

    /// With tools that say this of a target that has changed since it was shown.
    #[must_use]
    pub fn drifting(mut self, sentence: &'static str) -> Self {
        self.drift = Some(sentence);
        self
    }

    /// With cards that show this of an input.
    #[must_use]
    pub fn showing(mut self, shown: impl Fn(&Value) -> Value + Send + Sync + 'static) -> Self {
        self.shown = Some(Arc::new(shown));
        self
    }

    /// With tools that note for whom they preview, run and reconcile.
    #[must_use]
    pub fn noting(mut self, asked_for: &AskedFor) -> Self {
        self.asked_for = Arc::clone(asked_for);
        self
    }

    /// With tools that open this when one of their calls is asked to end early.
    #[must_use]
    pub fn ending(mut self, hold: &Hold) -> Self {
        self.ending = Some(hold.clone());
        self
    }

    /// With tools that note the approval with which they preview, run and reconcile.
    #[must_use]
    pub fn noting_approvals(mut self, approved_by: &ApprovedBy) -> Self {
        self.approved_by = Arc::clone(approved_by);
        self
    }

    /// With a tool that runs `body`.
    #[must_use]
    pub fn with_body<F>(
        mut self,
        spec: ToolSpec,
        body: impl Fn(ToolCall, Progress) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Outcome> + Send + 'static,
    {
        let body: Body = Arc::new(move |call, progress| Box::pin(body(call, progress)));
        self.bodies.insert(spec.name.clone(), body);
        self.with(spec)
    }

    /// With a redaction of what the model reads.
    #[must_use]
    pub fn hiding(mut self, values: &ListedValues) -> Self {
        self.hidden = Some(values.clone());
        self
    }

    /// With a context.
    #[must_use]
    pub fn with_context<F>(mut self, context: impl Fn() -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Vec<ContextPart>> + Send + 'static,
    {
        self.context = Some(Arc::new(move || Box::pin(context())));
        self
    }

    /// With a state of targets that the test changes.
    #[must_use]
    pub fn with_state(mut self, state: &TargetState) -> Self {
        self.state = state.clone();
        self
    }

    /// With the findings about a call of a tool that a crash cut off.
    #[must_use]
    pub fn with_found(mut self, tool: &'static str, found: Reconciled) -> Self {
        self.found.insert(tool, found);
        self
    }

    /// With a live board.
    #[must_use]
    pub fn with_board(mut self, board: Arc<dyn Board>) -> Self {
        self.board = Some(board);
        self
    }

    /// With a thing that messages can name.
    #[must_use]
    pub fn with_thing(mut self, thing: Reference, known: Result<Value, String>) -> Self {
        self.things.insert(thing, known);
        self
    }

    /// With a text of a thing that messages can name; an empty one never comes.
    #[must_use]
    pub fn with_text(mut self, thing: Reference, text: impl Into<String>) -> Self {
        self.texts.insert(thing, text.into());
        self
    }

    /// With names of its things, which a test changes.
    #[must_use]
    pub fn with_names(mut self, names: &Arc<Mutex<Option<Vec<Name>>>>) -> Self {
        self.names = Arc::clone(names);
        self
    }

    /// With a tool that needs an open page.
    #[must_use]
    pub fn with_staging(mut self, tool: &'static str, staging: Staging) -> Self {
        self.staged.insert(tool, staging);
        self
    }

    /// With a ledger that others see too.
    #[must_use]
    pub fn with_ledger(mut self, ledger: &Ledger) -> Self {
        self.ledger = ledger.clone();
        self
    }
}

#[async_trait]
impl Toolset for ScriptedTools {
    fn name(&self) -> &'static str {
        "scripted"
    }

    fn system_prompt(&self) -> String {
        "Scripted tools for tests.".to_owned()
    }

    fn tools(&self) -> Vec<Arc<dyn Tool>> {
        let tool = |spec: &ToolSpec| -> Arc<dyn Tool> {
            Arc::new(ScriptedTool {
                spec: spec.clone(),
                script: self.clone(),
            })
        };
        self.specs.iter().map(tool).collect()
    }

    async fn context(&self, _about: &[Reference]) -> Vec<ContextPart> {
        match &self.context {
            Some(context) => context().await,
            None => Vec::new(),
        }
    }

    fn refers(&self, reference: &Reference) -> bool {
        self.things.contains_key(reference)
    }

    async fn describe(&self, reference: &Reference) -> Result<Value, String> {
        match self.things.get(reference) {
            Some(known) => known.clone(),
            None => Err("there is no such thing".to_owned()),
        }
    }

    async fn attach(&self, reference: &Reference) -> Option<String> {
        let text = self.texts.get(reference)?;
        if text.is_empty() {
            std::future::pending::<()>().await;
        }
        Some(text.clone())
    }

    async fn names(&self) -> Option<Vec<Name>> {
        self.names.lock().unwrap().clone()
    }

    fn board(&self) -> Option<Arc<dyn Board>> {
        self.board.clone()
    }

    fn redaction(&self) -> Option<Arc<dyn Redaction>> {
        let hidden = self.hidden.clone()?;
        Some(Arc::new(hidden))
    }
}

/// One of them.
struct ScriptedTool {
    spec: ToolSpec,
    script: ScriptedTools,
}

impl ScriptedTool {
    fn note(&self, what: &'static str, call: &ToolCall) {
        let mut asked_for = self.script.asked_for.lock().unwrap();
        asked_for.push((what, call.origin.person));
        let mut approved_by = self.script.approved_by.lock().unwrap();
        approved_by.push((what, call.approval.clone()));
    }
}

#[async_trait]
impl Tool for ScriptedTool {
    fn spec(&self) -> ToolSpec {
        self.spec.clone()
    }

    fn target(&self, input: &Value) -> Option<String> {
        let node = input.get("node")?.as_str()?;
        Some(format!("node {node}"))
    }

    fn objects(&self, _input: &Value) -> Vec<String> {
        Vec::new()
    }

    fn assess(&self, input: &Value) -> Assessment {
        Assessment::plain(self.spec.tier, input)
    }

    async fn preview(&self, call: &ToolCall) -> Result<Preview, ErrorBody> {
        self.note("preview", call);
        let state = self.script.state.0.lock().unwrap().clone();
        let target = self.target(&call.input);
        let target = target.unwrap_or_else(|| "the system".to_owned());
        Ok(Preview {
            assurance: self.script.assurance.clone().unwrap_or(Assurance::Press),
            shown: self.script.shown.as_ref().map(|shown| shown(&call.input)),
            state: state.map_err(|why| ErrorBody::new(ErrorCode::ToolUnreachable, why))?,
            ..Preview::new(format!("Run {}.", call.name), target)
        })
    }

    fn drift(&self, _shown: &[Fact], _now: &Preview) -> Option<String> {
        self.script.drift.map(str::to_owned)
    }

    async fn reconcile(&self, call: &ToolCall, _since: Timestamp) -> Reconciled {
        self.note("reconcile", call);
        match self.script.found.get(call.name.as_str()) {
            Some(found) => found.clone(),
            None => Reconciled::Unknown("Nothing is known.".to_owned()),
        }
    }

    fn staging(&self) -> Staging {
        let staged = self.script.staged.get(self.spec.name.as_str());
        staged.copied().unwrap_or_default()
    }

    async fn stop(&self, call: &ToolCall) {
        self.note("stop", call);
        match &self.script.ending {
            Some(hold) => hold.open(),
            None => std::future::pending().await,
        }
    }

    async fn call(&self, call: ToolCall, progress: Progress) -> Outcome {
        self.note("call", &call);
        let entry = (call.name.clone(), call.id);
        self.script.ledger.0.lock().unwrap().push(entry);
        match self.script.bodies.get(call.name.as_str()) {
            Some(body) => body(call, progress).await,
            None => Ok(ToolOutput {
                summary: format!("{} done", call.name),
                data: call.input,
                images: Vec::new(),
            }),
        }
    }
}
