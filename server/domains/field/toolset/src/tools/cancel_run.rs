//! Tool that cancels a run, or asks its device to end it.

use std::{sync::Arc, time::Duration};

use agent::{
    clean_text,
    ports::{
        Assessment, Case, InputValue, Preview, Progress, Reconciled, Recovery, Tool, ToolCall,
        ToolError, ToolExample, ToolSpec, read_input,
    },
};
use async_trait::async_trait;
use protocol::{ErrorBody, Fact, Tier, Timestamp, ToolOutput};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    parts::{FieldParts, fault},
    ports::{CancelOrder, CancelResult, FieldFaultCode, RunRecord},
    shape,
    texts::{cancel as say, tools},
};

const NAME: &str = "cancel_run";
const DESCRIPTION: &str = "Cancels a run. One that has not started is cancelled for certain and never runs. One \
    that may have started is asked to end: get_run says later how it ended. Use it when the user asks for \
    it, or when a run no longer serves its purpose.";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CancelInput {
    /// The run, from list_runs or run_script.
    #[schemars(regex(pattern = r"^run_[0-9a-z]{26}$"))]
    run: String,
    /// The reason, for the record.
    #[serde(default)]
    #[schemars(length(max = 200))]
    reason: Option<String>,
}

pub(crate) struct CancelRun(pub(crate) Arc<FieldParts>);

impl CancelRun {
    async fn known(&self, call: &ToolCall, id: &str) -> Result<RunRecord, ErrorBody> {
        let run = self.0.ports.runs.run(id).await?;
        let run = run.ok_or_else(|| fault(FieldFaultCode::UnknownRun))?;
        self.0.enter(&call.origin, &run.site).await?;
        Ok(run)
    }

    async fn cancel(&self, call: ToolCall) -> Result<ToolOutput, ErrorBody> {
        let input: CancelInput = read_input(call.input.clone())?;
        let run = self.known(&call, &input.run).await?;
        let order = CancelOrder {
            run: run.id,
            reason: clean_text(&input.reason.unwrap_or_default()),
            person: call.origin.person,
        };
        let (outcome, run) = match self.0.ports.runs.cancel(&order).await? {
            CancelResult::Cancelled(run) => ("cancelled", run),
            CancelResult::Asked(run) => ("asked", run),
            CancelResult::Over(run) => ("over", run),
        };
        let mut data = shape::run(&run);
        data["cancel"] = json!(outcome);
        Ok(shape::summed_up(say::outcome(outcome).to_owned(), data))
    }

    /// The names that mean this run and no other: those of its device, if it has no other open run.
    fn mapped_from(&self, id: &str) -> Vec<String> {
        let snapshot = self.0.snapshot();
        let Some(run) = snapshot.run(id) else {
            return Vec::new();
        };
        let open = snapshot.runs.iter().filter(|run| !run.phase.is_over());
        let mut others = open.filter(|open| open.device == run.device && open.id != id);
        if others.next().is_some() {
            return Vec::new();
        }
        let name = snapshot.device(&run.device).map(|it| it.name.clone());
        [run.device.clone()].into_iter().chain(name).collect()
    }
}

#[async_trait]
impl Tool for CancelRun {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            tier: Tier::Yellow,
            // What is cancelled stays so.
            recovery: Recovery::Idempotent,
            timeout: Duration::from_secs(30),
            examples: vec![
                ToolExample::worked(
                    "Cancel run_0123456789abcdefghijklmnop.",
                    r#"{"run":"run_0123456789abcdefghijklmnop"}"#,
                ),
                ToolExample::worked(
                    "Stop the run run_0123456789abcdefghijklmnop: it takes too long.",
                    r#"{"run":"run_0123456789abcdefghijklmnop","reason":"it takes too long"}"#,
                ),
            ],
            ..ToolSpec::new::<CancelInput>(NAME, DESCRIPTION)
        }
    }

    fn target(&self, input: &Value) -> Option<String> {
        self.0.target(input)
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        self.0.objects(input)
    }

    fn assess(&self, input: &Value) -> Assessment {
        let run = input.get("run").and_then(Value::as_str);
        let value = run.map(|run| InputValue {
            path: "/run".to_owned(),
            text: run.to_owned(),
            case: Case::Counts,
            source: None,
            mapped_from: self.mapped_from(run),
        });
        Assessment {
            tier: Tier::Yellow,
            risks: Vec::new(),
            protected: None,
            refused: None,
            values: value.into_iter().collect(),
        }
    }

    async fn preview(&self, call: &ToolCall) -> Result<Preview, ErrorBody> {
        let input: CancelInput = read_input(call.input.clone())?;
        let run = self.known(call, &input.run).await?;
        let name = self.0.device(&run.device).map(|device| device.name);
        let name = name.unwrap_or_else(|_| run.device.clone());
        Ok(Preview {
            facts: vec![Fact {
                label: say::PHASE.to_owned(),
                value: run.phase.word().to_owned(),
            }],
            objects: vec![
                format!("device/{}", run.device),
                format!("site/{}", run.site),
            ],
            ..Preview::new(say::cancel(&run.title, &name), tools::run(&run.id))
        })
    }

    async fn reconcile(&self, _call: &ToolCall, _since: Timestamp) -> Reconciled {
        Reconciled::Unknown(say::SAFE_TO_REPEAT.to_owned())
    }

    async fn call(&self, call: ToolCall, _: Progress) -> Result<ToolOutput, ToolError> {
        self.cancel(call).await.map_err(ToolError)
    }
}
