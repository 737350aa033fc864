//! A person's word on a run whose outcome nobody knows.

use agent::ports::{Preview, ToolCall, ToolSpec, read_input};
use async_trait::async_trait;
use protocol::{ErrorBody, Fact, Tier, ToolOutput};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{PeopleAct, line, spec};
use crate::{
    parts::{FieldParts, fault},
    ports::{FieldFaultCode, ResolveOrder, RunPhase, RunRecord, RunResolution},
    shape,
    texts::{people as say, tools},
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ResolveInput {
    /// The run.
    #[schemars(regex(pattern = r"^run_[0-9a-z]{26}$"))]
    run: String,
    /// The finding.
    finding: Finding,
    /// The person's reason to say so.
    #[schemars(length(min = 1, max = 200))]
    reason: String,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Finding {
    Ran,
    DidNotRun,
    CannotTell,
}

impl Finding {
    const fn resolution(self) -> RunResolution {
        match self {
            Self::Ran => RunResolution::Ran,
            Self::DidNotRun => RunResolution::DidNotRun,
            Self::CannotTell => RunResolution::CannotTell,
        }
    }
}

/// Records what was the case. The run stays unknown, and nothing of it ever runs again.
pub(super) struct ResolveRun;

impl ResolveRun {
    async fn known(parts: &FieldParts, id: &str) -> Result<RunRecord, ErrorBody> {
        let run = parts.ports.runs.run(id).await?;
        let run = run.ok_or_else(|| fault(FieldFaultCode::UnknownRun))?;
        if matches!(run.phase, RunPhase::Unknown(_)) {
            Ok(run)
        } else {
            Err(fault(FieldFaultCode::NotUnknown))
        }
    }
}

#[async_trait]
impl PeopleAct for ResolveRun {
    fn spec(&self) -> ToolSpec {
        spec::<ResolveInput>(
            "resolve_run",
            "Records what a person found out about a run whose outcome is unknown. The run itself stays as \
             it is.",
            Tier::Yellow,
        )
    }

    async fn preview(&self, parts: &FieldParts, call: &ToolCall) -> Result<Preview, ErrorBody> {
        let input: ResolveInput = read_input(call.input.clone())?;
        let run = Self::known(parts, &input.run).await?;
        let finding = input.finding.resolution();
        Ok(Preview {
            facts: vec![Fact {
                label: say::FINDING.to_owned(),
                value: in_words(finding).to_owned(),
            }],
            objects: vec![
                format!("device/{}", run.device),
                format!("site/{}", run.site),
            ],
            grantable: false,
            ..Preview::new(say::resolve(&run.title), tools::run(&run.id))
        })
    }

    async fn act(&self, parts: &FieldParts, call: &ToolCall) -> Result<ToolOutput, ErrorBody> {
        let input: ResolveInput = read_input(call.input.clone())?;
        Self::known(parts, &input.run).await?;
        let order = ResolveOrder {
            run: input.run,
            finding: input.finding.resolution(),
            reason: line("reason", &input.reason)?,
            person: call.origin.person,
        };
        parts.ports.administration.resolve(&order).await?;
        let data = json!({ "run": order.run, "finding": order.finding.word() });
        Ok(shape::output(say::RESOLVED.to_owned(), data))
    }
}

fn in_words(finding: RunResolution) -> &'static str {
    match finding {
        RunResolution::Ran => say::IT_RAN,
        RunResolution::DidNotRun => say::IT_DID_NOT_RUN,
        RunResolution::CannotTell => say::NOBODY_CAN_TELL,
    }
}
