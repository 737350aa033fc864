//! Tool that runs a version of a proposal on its device.

use std::{sync::Arc, time::Duration};

use agent::ports::{
    Assessment, Case, InputValue, Preview, Progress, Reconciled, Recovery, Tool, ToolCall,
    ToolError, ToolExample, ToolSpec, read_input,
};
use async_trait::async_trait;
use field_package::policy::RiskLevel;
use protocol::{ErrorBody, ErrorCode, Fact, Tier, Timestamp, ToolOutput};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{device_work::device_value, waiting};
use crate::{
    card,
    parts::{FieldParts, fault},
    ports::FieldFaultCode,
    prepared::PreparedRun,
    texts::tools as say,
};

const NAME: &str = "run_script";
const DESCRIPTION: &str = "Runs one version of a proposed script on its device, after a person has approved \
    exactly this version, and waits for the results: for each step how it ended, typed fields with units, \
    and text. Use it after propose_script, with the proposal and version from there. At high risk it takes \
    two persons. \"Nothing of the run ran\" is certain; when nobody knows whether it took effect, don't run \
    it again on your own.";
/// The longest wait for the device, the longest script, and a minute.
const TIMEOUT: Duration = Duration::from_secs(60 * 60 + 16 * 60 + 60);
/// All fields: the sections of the card say each.
const SAID: &[&str] = &["proposal", "version", "device", "wait_minutes"];

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ScriptRunInput {
    /// The proposal, from propose_script.
    #[schemars(regex(pattern = r"^pro_[0-9a-z]{26}$"))]
    proposal: String,
    /// The version of it, from propose_script.
    #[schemars(range(min = 1, max = 100))]
    version: u64,
    /// The device that the proposal is for.
    #[schemars(regex(pattern = r"^dev_[0-9a-z]{26}$"))]
    device: String,
    /// Minutes to wait for a device that is offline; 10 if left out.
    #[serde(default)]
    #[schemars(range(min = 1, max = 60))]
    wait_minutes: Option<u32>,
}

pub(crate) struct RunScript(pub(crate) Arc<FieldParts>);

impl RunScript {
    fn wait_minutes(&self, input: &ScriptRunInput) -> u32 {
        let minutes = input.wait_minutes;
        minutes
            .unwrap_or(self.0.config.delivery_minutes)
            .clamp(1, 60)
    }

    async fn prepare(&self, call: &ToolCall) -> Result<(PreparedRun, ScriptRunInput), ErrorBody> {
        let parts = &*self.0;
        let input: ScriptRunInput = read_input(call.input.clone())?;
        let device = parts.adopted(&input.device)?;
        parts.enter(&call.origin, &device.site).await?;
        let run =
            PreparedRun::of_proposal(parts, &input.proposal, input.version, &input.device).await?;
        Ok((run, input))
    }

    async fn run(&self, call: ToolCall, progress: &Progress) -> Result<ToolOutput, ErrorBody> {
        let parts = &*self.0;
        let (run, input) = self.prepare(&call).await?;
        // The gate lets none through without it.
        let approval = call
            .approval
            .clone()
            .ok_or_else(|| ErrorBody::new(ErrorCode::ToolPermission, say::NOT_APPROVED))?;
        parts.as_shown(&call, &run.core)?;
        let persons = run.judged.report.persons();
        let mut names = approval.by.clone();
        names.sort();
        names.dedup();
        if run.judged.report.level == RiskLevel::High && names.len() < persons {
            return Err(fault(FieldFaultCode::OnePerson));
        }
        let wait = i64::from(self.wait_minutes(&input)) * 60_000;
        let claim_until = Timestamp(parts.now().0.saturating_add(wait));
        let order = run.into_order(&call, approval, claim_until);
        waiting::carried_out(parts, &order, progress).await
    }
}

#[async_trait]
impl Tool for RunScript {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            tier: Tier::Red,
            recovery: Recovery::Reconcilable,
            timeout: TIMEOUT,
            examples: vec![
                ToolExample::worked(
                    "Run version 1 of the proposal pro_0123456789abcdefghijklmnop on \
                     dev_0123456789abcdefghijklmnop.",
                    r#"{"proposal":"pro_0123456789abcdefghijklmnop","version":1,"device":"dev_0123456789abcdefghijklmnop"}"#,
                ),
                ToolExample::worked(
                    "Run pro_0123456789abcdefghijklmnop version 2 on dev_0123456789abcdefghijklmnop, and \
                     wait 30 minutes for the device.",
                    r#"{"proposal":"pro_0123456789abcdefghijklmnop","version":2,"device":"dev_0123456789abcdefghijklmnop","wait_minutes":30}"#,
                ),
            ],
            ..ToolSpec::new::<ScriptRunInput>(NAME, DESCRIPTION)
        }
    }

    fn target(&self, input: &Value) -> Option<String> {
        self.0.target(input)
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        self.0.objects(input)
    }

    fn assess(&self, input: &Value) -> Assessment {
        let device = input.get("device").and_then(Value::as_str);
        let device = self.0.adopted(device.unwrap_or_default());
        let mut values: Vec<_> = InputValue::all(input)
            .into_iter()
            .filter(|value| value.path != "/device")
            .map(|value| InputValue {
                case: Case::Counts,
                ..value
            })
            .collect();
        values.extend(device_value(&self.0, input));
        Assessment {
            tier: Tier::Red,
            risks: Vec::new(),
            protected: None,
            refused: device.err().map(|error| error.message),
            values,
        }
    }

    async fn preview(&self, call: &ToolCall) -> Result<Preview, ErrorBody> {
        let (run, input) = self.prepare(call).await?;
        let wait = self.wait_minutes(&input);
        card::card(&self.0, call, &run, wait, SAID).await
    }

    fn drift(&self, shown: &[Fact], now: &Preview) -> Option<String> {
        card::drift(shown, now)
    }

    async fn reconcile(&self, call: &ToolCall, _since: Timestamp) -> Reconciled {
        waiting::reconciled(&self.0, call.id).await
    }

    async fn stop(&self, call: &ToolCall) {
        waiting::stop(&self.0, call).await;
    }

    async fn call(&self, call: ToolCall, progress: Progress) -> Result<ToolOutput, ToolError> {
        Box::pin(self.run(call, &progress)).await.map_err(ToolError)
    }
}
