//! Adapters from the tools of a chart to the engine: one type each.

use std::{marker::PhantomData, sync::Arc};

use agent::ports::{
    Assessment, Audience, CallActor, Env, Impact, Preview, Progress, Reconciled, Recovery, Staging,
    Tool, ToolCall, ToolError, ToolExample, ToolSpec,
};
use async_trait::async_trait;
use protocol::{ErrorBody, Fact, Tier, Timestamp, ToolOutput};
use schemars::JsonSchema;
use serde_json::{Value, json};

use super::{
    super::{Answer, TIMEOUT, ToolProblem, error, output, read, text},
    Caller, ChartDrawings, Planned,
    alerts::{ListAlerts, SetAlert, WithdrawAlert},
    figures as shapes,
    figures::Figure,
    input::{RemoveInput, ScrollInput, UndoInput, UpdateInput, Wanted},
    positions::GetPositions,
    say,
    scroll::scroll,
};
use crate::{
    PersonNames, Time,
    drawing::{Actor, DrawingReader, is_private},
    texts,
    tools::alert::ChartAlerts,
};

/// The drawings, the alerts, the clock and the names of people.
#[derive(Clone)]
pub(crate) struct Chart {
    pub(crate) charts: ChartDrawings,
    pub(crate) alerts: ChartAlerts,
    pub(crate) env: Arc<dyn Env>,
    pub(crate) names: Option<Arc<dyn PersonNames>>,
}

impl Chart {
    /// All tools of the chart, always in the same order.
    pub(crate) fn tools(&self) -> Vec<Arc<dyn Tool>> {
        vec![
            self.draws::<shapes::HorizontalLine>(),
            self.draws::<shapes::HorizontalRay>(),
            self.draws::<shapes::Fibonacci>(),
            self.draws::<shapes::Trendline>(),
            self.draws::<shapes::Rectangle>(),
            self.draws::<shapes::Circle>(),
            self.draws::<shapes::LongPosition>(),
            self.draws::<shapes::ShortPosition>(),
            self.draws::<shapes::Marker>(),
            self.tool(UpdateDrawing),
            self.tool(RemoveDrawing),
            self.tool(ScrollChart),
            self.tool(UndoTurn),
            self.tool(SetAlert),
            self.tool(ListAlerts),
            self.tool(WithdrawAlert),
            self.tool(GetPositions),
        ]
    }

    fn draws<F: Figure>(&self) -> Arc<dyn Tool> {
        self.tool(Draws::<F>(PhantomData))
    }

    fn tool(&self, does: impl ChartTool) -> Arc<dyn Tool> {
        Arc::new(OnChart {
            chart: self.clone(),
            does,
        })
    }

    async fn call(&self, call: &ToolCall) -> Call<'_> {
        let person = match &self.names {
            Some(names) => names.name(call.origin.person).await,
            None => None,
        };
        Call {
            charts: &self.charts,
            alerts: &self.alerts,
            input: call.input.clone(),
            by: caller(call, person),
            // Seconds are precise enough for drawings.
            at: Time(self.env.now().0.div_euclid(1_000)),
        }
    }
}

/// Behaviour of a tool on a chart; [`OnChart`] makes it a tool.
#[async_trait]
pub(super) trait ChartTool: Send + Sync + 'static {
    /// The definition, based on [`drawing`].
    fn spec(&self) -> ToolSpec;

    fn staging(&self) -> Staging {
        Staging::Shows
    }

    /// The object of a call, if it is not a drawing or a symbol.
    fn target(&self, _chart: &Chart, _input: &Value) -> Option<String> {
        None
    }

    /// The predicted effect of a call; `None` if it changes nothing.
    async fn plan(&self, call: Call<'_>) -> Result<Option<Planned>, ToolProblem>;

    async fn run(&self, call: Call<'_>) -> Result<Answer, ToolProblem>;
}

/// A call on the chart.
pub(super) struct Call<'a> {
    pub(super) charts: &'a ChartDrawings,
    pub(super) alerts: &'a ChartAlerts,
    pub(super) input: Value,
    pub(super) by: Caller,
    pub(super) at: Time,
}

/// The definition of a tool that changes drawings or alerts.
pub(super) fn drawing<Input: JsonSchema>(
    name: &str,
    description: &str,
    examples: &[ToolExample],
) -> ToolSpec {
    ToolSpec {
        tier: Tier::Yellow,
        recovery: Recovery::Idempotent,
        timeout: TIMEOUT,
        // A chart is Jarvis's own; drawings can be undone, and alerts withdrawn.
        impact: Impact::None,
        examples: examples.to_vec(),
        ..ToolSpec::new::<Input>(name, description)
    }
}

/// Makes a drawing.
struct Draws<F>(PhantomData<fn() -> F>);

#[async_trait]
impl<F: Figure> ChartTool for Draws<F> {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            input_schema: Wanted::schema::<F>(),
            ..drawing::<F>(F::NAME, F::DESCRIPTION, F::EXAMPLES)
        }
    }

    async fn plan(&self, call: Call<'_>) -> Result<Option<Planned>, ToolProblem> {
        let drawing = call
            .charts
            .planned(Wanted::read::<F>(call.input)?, &call.by, call.at)
            .await?;
        Ok(Some(Planned {
            sentence: texts::drawings::draw(&say::a(&drawing)),
            drawing: Some(drawing),
        }))
    }

    async fn run(&self, call: Call<'_>) -> Result<Answer, ToolProblem> {
        call.charts
            .draw(Wanted::read::<F>(call.input)?, &call.by, call.at)
            .await
    }
}

struct UpdateDrawing;

#[async_trait]
impl ChartTool for UpdateDrawing {
    fn spec(&self) -> ToolSpec {
        drawing::<UpdateInput>(
            "update_drawing",
            "Changes a drawing that is on the chart, or tells what happened to a position. \
             Use it instead of drawing anew. Give either changes or an event. The reason is kept in \
             the drawing's history. If somebody has changed it since, the answer shows how it is \
             now: look, and decide again.",
            &[
                ToolExample::new("Move the support to 1.104."),
                ToolExample::new("Make the trendline dashed."),
            ],
        )
    }

    async fn plan(&self, call: Call<'_>) -> Result<Option<Planned>, ToolProblem> {
        call.charts
            .plan_update(read(call.input)?, &call.by, call.at)
            .await
            .map(Some)
    }

    async fn run(&self, call: Call<'_>) -> Result<Answer, ToolProblem> {
        call.charts
            .update(read(call.input)?, &call.by, call.at)
            .await
    }
}

struct RemoveDrawing;

#[async_trait]
impl ChartTool for RemoveDrawing {
    fn spec(&self) -> ToolSpec {
        drawing::<RemoveInput>(
            "remove_drawing",
            "Takes a drawing off the chart, because it is wrong or does not apply now. It stays on \
             record, and a person can bring it back.",
            &[
                ToolExample::new("Remove the trendline."),
                ToolExample::new("Take the marker off the chart."),
            ],
        )
    }

    async fn plan(&self, call: Call<'_>) -> Result<Option<Planned>, ToolProblem> {
        call.charts
            .plan_removal(read(call.input)?, &call.by)
            .await
            .map(Some)
    }

    async fn run(&self, call: Call<'_>) -> Result<Answer, ToolProblem> {
        call.charts
            .remove(read(call.input)?, &call.by, call.at)
            .await
    }
}

/// Scrolls the chart of an open page.
struct ScrollChart;

#[async_trait]
impl ChartTool for ScrollChart {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            tier: Tier::Green,
            recovery: Recovery::Pure,
            ..drawing::<ScrollInput>(
                "scroll_chart",
                "Moves the chart that the person looks at to a time, or back to the newest bar. \
             It needs an open page. Use it to show what you speak of.",
                &[
                    ToolExample::new("Show the chart on 10 March 2017."),
                    ToolExample::new("Go back to the newest bar."),
                ],
            )
        }
    }

    fn staging(&self) -> Staging {
        Staging::Runs
    }

    async fn plan(&self, _: Call<'_>) -> Result<Option<Planned>, ToolProblem> {
        Ok(None)
    }

    async fn run(&self, call: Call<'_>) -> Result<Answer, ToolProblem> {
        scroll(read(call.input)?)
    }
}

/// Undoes the drawings of a turn. For people only.
struct UndoTurn;

#[async_trait]
impl ChartTool for UndoTurn {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            audience: Audience::People,
            ..drawing::<UndoInput>(
                "undo_turn",
                "Takes back what one turn of the assistant drew, changed and removed. What \
             somebody has changed since stays.",
                &[],
            )
        }
    }

    fn staging(&self) -> Staging {
        Staging::None
    }

    fn target(&self, _: &Chart, input: &Value) -> Option<String> {
        let group = text(input, "group")?;
        Some(format!("drawings of turn {group}"))
    }

    async fn plan(&self, call: Call<'_>) -> Result<Option<Planned>, ToolProblem> {
        let input: UndoInput = read(call.input)?;
        Ok(Some(Planned {
            sentence: texts::drawings::take_back_what_turn_drew(&input.group),
            drawing: None,
        }))
    }

    async fn run(&self, call: Call<'_>) -> Result<Answer, ToolProblem> {
        call.charts.undo(read(call.input)?, &call.by, call.at).await
    }
}

/// A tool of the chart.
struct OnChart<T> {
    chart: Chart,
    does: T,
}

#[async_trait]
impl<T: ChartTool> Tool for OnChart<T> {
    fn spec(&self) -> ToolSpec {
        self.does.spec()
    }

    fn target(&self, input: &Value) -> Option<String> {
        let name = |id: &str| self.chart.charts.name_of(id);
        let drawing = text(input, "id");
        let drawing = drawing.map(|id| name(&id).unwrap_or_else(|| format!("drawing {id}")));
        drawing
            .or_else(|| self.does.target(&self.chart, input))
            .or_else(|| text(input, "symbol"))
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        let named = [
            ("symbol", "chart"),
            ("id", "drawing"),
            ("drawing", "drawing"),
            ("alert", "alert"),
        ]
        .into_iter();
        let objects =
            named.filter_map(|(field, kind)| Some(format!("{kind}/{}", text(input, field)?)));
        objects.collect()
    }

    /// Leaves out all values, because the origin of a price or an identifier does not matter: the
    /// chart is meant for data that was read, drawing does no more than show it and an alert no more
    /// than tell, and all of it can be undone.
    fn assess(&self, input: &Value) -> Assessment {
        Assessment {
            values: Vec::new(),
            ..Assessment::plain(self.spec().tier, input)
        }
    }

    /// A policy may require approval for every drawing.
    async fn preview(&self, call: &ToolCall) -> Result<Preview, ErrorBody> {
        let has_id = text(&call.input, "id").is_some();
        let plan = self.does.plan(self.chart.call(call).await).await;
        // Afterwards: the plan has read what is meant, and its name with it.
        let target = self.target(&call.input);
        let Some(plan) = plan.map_err(error)? else {
            return Ok(Preview::of_reading(&call.name, target));
        };
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
        // The record that was just read names it, whatever was read before: what is approved depends on it.
        let drawing = plan.drawing.filter(|it| has_id && !is_private(it));
        let target = drawing.map(|it| say::named(&it)).or(target);
        let target = target.unwrap_or_else(|| "the charts".to_owned());
        Ok(Preview {
            facts,
            state,
            ..Preview::new(plan.sentence, target)
        })
    }

    async fn reconcile(&self, _call: &ToolCall, _since: Timestamp) -> Reconciled {
        Reconciled::Unknown(texts::drawings::RUNNING_TWICE_IS_SAFE.to_owned())
    }

    fn staging(&self) -> Staging {
        self.does.staging()
    }

    async fn call(&self, call: ToolCall, _progress: Progress) -> Result<ToolOutput, ToolError> {
        let done = self.does.run(self.chart.call(&call).await).await;
        output(done).map_err(ToolError)
    }
}

fn caller(call: &ToolCall, person: Option<String>) -> Caller {
    let origin = &call.origin;
    Caller {
        actor: match origin.actor {
            CallActor::Model => Actor::Model,
            CallActor::Person => Actor::User,
        },
        person,
        reader: DrawingReader::Person(origin.person),
        call: call.id.to_string(),
        conversation: match origin.actor {
            CallActor::Model => Some(origin.conversation.to_string()),
            // The journal of a person's own calls is not a conversation to open.
            CallActor::Person => None,
        },
        message: origin.message.map(|message| message.to_string()),
        turn: origin.turn.map(|turn| turn.to_string()),
    }
}
