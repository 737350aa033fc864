//! The toolset as the agent sees it: what reads is GREEN, what draws is YELLOW and true without a page.

use std::{sync::Arc, time::Duration};

use agent::ports::{
    Assessment, Audience, Board, CallActor, ContextPart, Env, Impact, Preview, Progress, Recovery,
    Staging, ToolCall, ToolError, ToolSpec, Toolset,
};
use async_trait::async_trait;
use protocol::{Assurance, ErrorBody, ErrorCode, Fact, PageQuery, Reference, Tier, ToolOutput};
use serde_json::{Value, json};

use crate::{
    Live, RecordStore, Time,
    board::Charts,
    context::{self, Sources},
    drawing::{Actor, DrawingStore},
    pages,
    prompt::PROMPT,
    refer,
    tools::{
        Definition, ToolProblem, Tools, definitions,
        draw::{Caller, Desk, Does, does, draw_definitions},
    },
};

/// How long an answer from the database may take.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Candles, drawings, events, positions and trades as tools. Cheap to clone.
#[derive(Clone)]
pub struct Markets {
    sources: Sources,
    env: Arc<dyn Env>,
    tools: Tools,
    desk: Desk,
    specs: Arc<[ToolSpec]>,
}

impl Markets {
    pub fn new(
        live: Live,
        records: Arc<dyn RecordStore>,
        drawings: Arc<dyn DrawingStore>,
        env: Arc<dyn Env>,
    ) -> Self {
        let all = definitions().into_iter().chain(draw_definitions());
        Self {
            tools: Tools::live(live.clone(), Arc::clone(&records)),
            desk: Desk::new(Arc::new(live.clone()), Arc::clone(&drawings)),
            sources: Sources {
                live,
                records,
                drawings,
            },
            env,
            specs: all.map(spec).collect(),
        }
    }

    /// Seconds are enough for what is drawn.
    fn now(&self) -> Time {
        Time(self.env.now().0.div_euclid(1_000))
    }
}

fn spec(definition: Definition) -> ToolSpec {
    let does = does(definition.name);
    let acts = matches!(does, Some(Does::Draws | Does::TakesBack));
    ToolSpec {
        name: definition.name,
        description: definition.description,
        input_schema: definition.input_schema,
        tier: match acts {
            true => Tier::Yellow,
            false => Tier::Green,
        },
        recovery: match acts {
            true => Recovery::Idempotent,
            false => Recovery::Pure,
        },
        timeout: TIMEOUT,
        choices: Vec::new(),
        editable: Vec::new(),
        audience: match does {
            Some(Does::TakesBack) => Audience::People,
            _ => Audience::Everyone,
        },
        // A chart is Jarvis's own, and what is drawn on it is taken back.
        impact: Impact::None,
    }
}

fn caller(call: &ToolCall) -> Caller {
    let origin = &call.origin;
    Caller {
        actor: match origin.actor {
            CallActor::Model => Actor::Model,
            CallActor::Person => Actor::User,
        },
        call: call.id.to_string(),
        conversation: match origin.actor {
            CallActor::Model => Some(origin.conversation.to_string()),
            // The journal of a person's own call is no conversation that one could go to.
            CallActor::Person => None,
        },
        message: origin.message.map(|message| message.to_string()),
        turn: origin.turn.map(|turn| turn.to_string()),
    }
}

fn error(problem: ToolProblem) -> ErrorBody {
    let code = match &problem {
        ToolProblem::Input(_) => ErrorCode::ToolInputInvalid,
        ToolProblem::Locked => ErrorCode::ToolProtected,
        ToolProblem::Missing(_) | ToolProblem::Refused(_) | ToolProblem::Conflict(_) => {
            ErrorCode::ToolFailed
        }
        ToolProblem::Store(_) => ErrorCode::StorageFailed,
    };
    let error = ErrorBody::new(code, problem.to_string());
    match problem {
        // An error has little room: what decides whether the change still makes sense.
        ToolProblem::Conflict(now) => error.with_help(format!(
            "It is now: {}",
            json!({
                "version": now.version,
                "shape": now.content.shape,
                "label": now.content.label,
                "removed": now.removed,
            })
        )),
        _ => error,
    }
}

#[async_trait]
impl Toolset for Markets {
    fn name(&self) -> &'static str {
        "markets"
    }

    fn system_prompt(&self) -> String {
        PROMPT.to_owned()
    }

    fn tools(&self) -> &[ToolSpec] {
        &self.specs
    }

    fn target(&self, tool: &str, input: &Value) -> Option<String> {
        let text = |name: &str| input.get(name).and_then(Value::as_str);
        match (text("id"), text("group")) {
            (Some(id), _) => Some(format!("drawing {id}")),
            (None, Some(group)) if does(tool) == Some(Does::TakesBack) => {
                Some(format!("drawings of turn {group}"))
            }
            _ => text("symbol").map(str::to_owned),
        }
    }

    /// Where a price or an identifier of a drawing came from does not matter: the chart is there to
    /// hold what was read, drawing is not more than showing, and all of it can be taken back.
    fn assess(&self, tool: &ToolSpec, input: &Value) -> Assessment {
        let mut assessment = Assessment::plain(tool.tier, input);
        if does(tool.name).is_some() {
            assessment.values.clear();
        }
        assessment
    }

    fn objects(&self, tool: &str, input: &Value) -> Vec<String> {
        if does(tool).is_none() {
            return Vec::new();
        }
        let named = [("symbol", "chart"), ("id", "drawing")].into_iter();
        let objects = named.filter_map(|(field, kind)| {
            let name = input.get(field)?.as_str()?;
            Some(format!("{kind}/{name}"))
        });
        objects.collect()
    }

    /// A policy may want every drawing to be asked for.
    async fn preview(&self, call: &ToolCall) -> Result<Preview, ErrorBody> {
        if let Some(reading) = Preview::of_reading(&self.specs, call) {
            let target = self.target(&call.name, &call.input);
            return Ok(reading.about(target));
        }
        let by = caller(call);
        let input = call.input.clone();
        let plan = self.desk.plan(&call.name, input, &by, self.now());
        let plan = plan.await.map_err(error)?;
        let target = self.target(&call.name, &call.input);
        let fact = |label: &str, value: String| Fact {
            label: label.to_owned(),
            value,
        };
        let (facts, state) = match &plan.drawing {
            Some(drawing) => (
                vec![
                    fact("Version", drawing.version.to_string()),
                    fact("Reason", drawing.reason.clone()),
                ],
                json!({ "version": drawing.version, "shape": drawing.content.shape }),
            ),
            None => (Vec::new(), Value::Null),
        };
        Ok(Preview {
            sentence: plan.sentence,
            target: target.unwrap_or_else(|| "the charts".to_owned()),
            facts,
            risks: Vec::new(),
            irreversible: None,
            assurance: Assurance::Press,
            state,
        })
    }

    async fn context(&self, about: &[Reference]) -> Vec<ContextPart> {
        context::parts(&self.sources, about).await
    }

    fn refers(&self, reference: &Reference) -> bool {
        refer::refers(reference)
    }

    async fn describe(&self, reference: &Reference) -> Result<Value, String> {
        refer::describe(&self.desk, reference).await
    }

    fn board(&self) -> Option<Arc<dyn Board>> {
        Some(Arc::new(Charts {
            live: self.sources.live.clone(),
            desk: self.desk.clone(),
        }))
    }

    async fn page(&self, query: &PageQuery) -> Result<Value, ErrorBody> {
        pages::page(&self.sources.live, query).await
    }

    fn staging(&self, tool: &str) -> Staging {
        match does(tool) {
            Some(Does::Draws) => Staging::Shows,
            Some(Does::Scrolls) => Staging::Runs,
            Some(Does::TakesBack) | None => Staging::None,
        }
    }

    /// Its conversations are about a chart.
    fn stands_alone(&self) -> bool {
        true
    }

    async fn call(&self, call: ToolCall, _progress: Progress) -> Result<ToolOutput, ToolError> {
        let answer = match does(&call.name) {
            Some(_) => {
                let by = caller(&call);
                self.desk
                    .call(&call.name, call.input, &by, self.now())
                    .await
            }
            None => self.tools.call(&call.name, call.input).await,
        };
        let answer = answer.map_err(|problem| ToolError(error(problem)))?;
        Ok(ToolOutput {
            summary: answer.summary,
            data: answer.data,
            images: Vec::new(),
        })
    }
}
