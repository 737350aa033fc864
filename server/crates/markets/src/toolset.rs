//! The toolset as the agent sees it: what reads is GREEN, what draws is YELLOW and true without a page.

use std::{sync::Arc, time::Duration};

use agent::ports::{
    Assessment, Audience, Board, CallActor, ContextPart, Env, Impact, Preview, Progress,
    Reconciled, Recovery, Staging, Tool, ToolCall, ToolError, ToolSpec, Toolset,
};
use async_trait::async_trait;
use protocol::{
    Assurance, ErrorBody, ErrorCode, Fact, PageQuery, Reference, Tier, Timestamp, ToolOutput,
};
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
        Answer, Definition, ToolProblem, Tools, definitions,
        draw::{Caller, Desk, Does, draw_definitions},
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
}

impl Markets {
    pub fn new(
        live: Live,
        records: Arc<dyn RecordStore>,
        drawings: Arc<dyn DrawingStore>,
        env: Arc<dyn Env>,
    ) -> Self {
        Self {
            tools: Tools::live(live.clone(), Arc::clone(&records)),
            desk: Desk::new(Arc::new(live.clone()), Arc::clone(&drawings)),
            sources: Sources {
                live,
                records,
                drawings,
            },
            env,
        }
    }
}

fn spec(definition: &Definition, tier: Tier, recovery: Recovery) -> ToolSpec {
    ToolSpec {
        tier,
        recovery,
        timeout: TIMEOUT,
        // A chart is Jarvis's own, and what is drawn on it is taken back.
        impact: Impact::None,
        ..ToolSpec::with_schema(
            definition.name,
            definition.description,
            definition.input_schema.clone(),
        )
    }
}

fn output(answer: Result<Answer, ToolProblem>) -> Result<ToolOutput, ToolError> {
    let answer = answer.map_err(|problem| ToolError(error(problem)))?;
    Ok(ToolOutput {
        summary: answer.summary,
        data: answer.data,
        images: Vec::new(),
    })
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

    fn tools(&self) -> Vec<Arc<dyn Tool>> {
        let reads = definitions().into_iter().map(|definition| {
            let tools = self.tools.clone();
            Arc::new(Reads { definition, tools }) as Arc<dyn Tool>
        });
        let charts = draw_definitions().into_iter().map(|(does, definition)| {
            Arc::new(OnChart {
                definition,
                does,
                desk: self.desk.clone(),
                env: Arc::clone(&self.env),
            }) as Arc<dyn Tool>
        });
        reads.chain(charts).collect()
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

    /// Its conversations are about a chart.
    fn stands_alone(&self) -> bool {
        true
    }
}

/// A tool that reads what is stored.
struct Reads {
    definition: Definition,
    tools: Tools,
}

#[async_trait]
impl Tool for Reads {
    fn spec(&self) -> ToolSpec {
        spec(&self.definition, Tier::Green, Recovery::Pure)
    }

    fn only_reads(&self) -> bool {
        true
    }

    fn target(&self, input: &Value) -> Option<String> {
        text(input, "symbol")
    }

    fn objects(&self, _input: &Value) -> Vec<String> {
        Vec::new()
    }

    fn assess(&self, input: &Value) -> Assessment {
        Assessment::plain(Tier::Green, input)
    }

    async fn preview(&self, call: &ToolCall) -> Result<Preview, ErrorBody> {
        Ok(Preview::of_reading(&call.name, self.target(&call.input)))
    }

    async fn reconcile(&self, _call: &ToolCall, _since: Timestamp) -> Reconciled {
        Reconciled::Unknown("It only reads, so there is nothing to find out.".to_owned())
    }

    async fn call(&self, call: ToolCall, _progress: Progress) -> Result<ToolOutput, ToolError> {
        output(self.tools.call(&call.name, call.input).await)
    }
}

/// A tool that draws, moves the chart, or takes back what was drawn.
struct OnChart {
    definition: Definition,
    does: Does,
    desk: Desk,
    env: Arc<dyn Env>,
}

impl OnChart {
    /// Seconds are enough for what is drawn.
    fn now(&self) -> Time {
        Time(self.env.now().0.div_euclid(1_000))
    }
}

#[async_trait]
impl Tool for OnChart {
    fn spec(&self) -> ToolSpec {
        let (tier, recovery) = match self.does {
            Does::Draws | Does::TakesBack => (Tier::Yellow, Recovery::Idempotent),
            Does::Scrolls => (Tier::Green, Recovery::Pure),
        };
        ToolSpec {
            audience: match self.does {
                Does::TakesBack => Audience::People,
                Does::Draws | Does::Scrolls => Audience::Everyone,
            },
            ..spec(&self.definition, tier, recovery)
        }
    }

    fn target(&self, input: &Value) -> Option<String> {
        match (text(input, "id"), text(input, "group")) {
            (Some(id), _) => Some(format!("drawing {id}")),
            (None, Some(group)) if self.does == Does::TakesBack => {
                Some(format!("drawings of turn {group}"))
            }
            _ => text(input, "symbol"),
        }
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        let named = [("symbol", "chart"), ("id", "drawing")].into_iter();
        let objects =
            named.filter_map(|(field, kind)| Some(format!("{kind}/{}", text(input, field)?)));
        objects.collect()
    }

    /// Where a price or an identifier of a drawing came from does not matter: the chart is there to
    /// hold what was read, drawing is not more than showing, and all of it can be taken back.
    fn assess(&self, input: &Value) -> Assessment {
        Assessment {
            values: Vec::new(),
            ..Assessment::plain(self.spec().tier, input)
        }
    }

    /// A policy may want every drawing to be asked for.
    async fn preview(&self, call: &ToolCall) -> Result<Preview, ErrorBody> {
        let target = self.target(&call.input);
        if self.does == Does::Scrolls {
            return Ok(Preview::of_reading(&call.name, target));
        }
        let by = caller(call);
        let input = call.input.clone();
        let plan = self.desk.plan(&call.name, input, &by, self.now());
        let plan = plan.await.map_err(error)?;
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

    async fn reconcile(&self, _call: &ToolCall, _since: Timestamp) -> Reconciled {
        Reconciled::Unknown("Running it twice is the same as running it once.".to_owned())
    }

    fn staging(&self) -> Staging {
        match self.does {
            Does::Draws => Staging::Shows,
            Does::Scrolls => Staging::Runs,
            Does::TakesBack => Staging::None,
        }
    }

    async fn call(&self, call: ToolCall, _progress: Progress) -> Result<ToolOutput, ToolError> {
        let by = caller(&call);
        let done = self.desk.call(&call.name, call.input, &by, self.now());
        output(done.await)
    }
}

fn text(input: &Value, field: &str) -> Option<String> {
    let text = input.get(field)?.as_str()?;
    Some(text.to_owned())
}
