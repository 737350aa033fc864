//! Tool that runs one harmless step at once.

use std::{sync::Arc, time::Duration};

use agent::ports::{
    Approval, Assessment, Impact, Preview, Progress, Reconciled, Recovery, Tool, ToolCall,
    ToolError, ToolExample, ToolSpec, read_input,
};
use async_trait::async_trait;
use field_package::{policy::RiskLevel, steps::ProbeStep};
use protocol::{ErrorBody, ErrorCode, Fact, Tier, Timestamp, ToolOutput};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{
    device_work::{device_value, online, outside_values, short_wait},
    waiting,
};
use crate::{
    card,
    judged::{JudgedScript, PersonWords},
    parts::FieldParts,
    prepared::{PreparedRun, is_plain},
    real_script::RealScript,
    texts::{scripts, tools as say},
};

const NAME: &str = "run_probe";
const DESCRIPTION: &str = "Runs one step on an online field device at once and returns its results: typed \
    fields with units, and text. Only steps of low risk without packet sockets; for anything else, or \
    several steps, use propose_script. Targets are tokens such as ip-s1-n3.17, addresses or names; one \
    outside the site that is not the user's word is asked for. Rows: ping, trace, mtr, dig, addresses, \
    links, routes, neighbours, rules, sockets, link_info, link_stats, wifi_link, wifi_stations, wifi_seen, \
    http_timing, dns_config, power, wait.";
const SAID: &[&str] = &["device"];
const HOUR_MS: i64 = 60 * 60 * 1000;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct StepInput {
    /// The device, from list_devices.
    #[schemars(regex(pattern = r"^dev_[0-9a-z]{26}$"))]
    device: String,
    /// The step. Each row takes some of the slots only; a refusal says which.
    step: ProbeStep,
}

pub(crate) struct RunProbe(pub(crate) Arc<FieldParts>);

/// The judgement on an input, from memory alone.
struct ProbeVerdict {
    real: RealScript,
    judged: JudgedScript,
}

impl RunProbe {
    fn verdict(&self, input: &Value) -> Result<ProbeVerdict, String> {
        let parts = &*self.0;
        let input: StepInput = read_input(input.clone()).map_err(|error| error.message)?;
        let device = parts.adopted(&input.device);
        let device = device.map_err(|error| error.message)?;
        let steps = std::slice::from_ref(&input.step);
        let real = RealScript::restore(&*parts.ports.memory, &device.site, steps, true)?;
        if !is_plain(&real.script) {
            return Err(scripts::PROBE_RAW.to_owned());
        }
        // A probe is no script that could have run before.
        let judged =
            JudgedScript::of_steps(parts, &device.id, &real.script, &PersonWords::All, false);
        let judged = judged.map_err(|error| error.message)?;
        if let Some(why) = judged.refusal(&real.text()) {
            return Err(why);
        }
        if judged.report.level > RiskLevel::Low {
            return Err(scripts::PROBE_ABOVE_LOW.to_owned());
        }
        Ok(ProbeVerdict { real, judged })
    }

    async fn prepare(&self, call: &ToolCall) -> Result<PreparedRun, ErrorBody> {
        let parts = &*self.0;
        let input: StepInput = read_input(call.input.clone())?;
        let device = parts.adopted(&input.device)?;
        parts.enter(&call.origin, &device.site).await?;
        PreparedRun::of_probe(parts, &input.device, &input.step).await
    }

    async fn run(&self, call: ToolCall, progress: &Progress) -> Result<ToolOutput, ErrorBody> {
        let parts = &*self.0;
        let run = self.prepare(&call).await?;
        let now = parts.now();
        online(&run.device, now)?;
        let hour = Timestamp(now.0.saturating_sub(HOUR_MS));
        let runs = &parts.ports.runs;
        // A repetition of the call finds its run whatever the budget says.
        if runs.run_of(call.id).await?.is_none()
            && runs.queued_since(&run.device.id, hour).await?
                >= u64::from(parts.config.probes_per_hour)
        {
            let message = say::probes_used_up(parts.config.probes_per_hour);
            return Err(
                ErrorBody::new(ErrorCode::ToolPermission, message).with_help(say::HELP_PROBES)
            );
        }
        if call.approval.is_some() {
            parts.as_shown(&call, &run.core)?;
        }
        // Without a card the policy's rule is what the run rests on.
        let approval = call.approval.clone().unwrap_or_else(|| Approval {
            digest: run.core.digest().as_str().to_owned(),
            by: vec![say::LOW_RISK_RULE.to_owned()],
            at: now,
        });
        let order = run.into_order(&call, approval, short_wait(now));
        waiting::carried_out(parts, &order, progress).await
    }
}

#[async_trait]
impl Tool for RunProbe {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            tier: Tier::Yellow,
            recovery: Recovery::Reconcilable,
            timeout: Duration::from_secs(180),
            // It only looks, so a question about a device is enough to look with it.
            impact: Impact::None,
            examples: vec![
                ToolExample::worked(
                    "Ping ip-s1-n1.1 from dev_0123456789abcdefghijklmnop.",
                    r#"{"device":"dev_0123456789abcdefghijklmnop","step":{"run":"ping","target":"ip-s1-n1.1"}}"#,
                ),
                ToolExample::worked(
                    "Which routes has dev_0123456789abcdefghijklmnop?",
                    r#"{"device":"dev_0123456789abcdefghijklmnop","step":{"run":"routes"}}"#,
                ),
                ToolExample::worked(
                    "Look example.org up in DNS from dev_0123456789abcdefghijklmnop.",
                    r#"{"device":"dev_0123456789abcdefghijklmnop","step":{"run":"dig","name":"example.org"}}"#,
                ),
            ],
            ..ToolSpec::new::<StepInput>(NAME, DESCRIPTION)
        }
    }

    fn target(&self, input: &Value) -> Option<String> {
        self.0.target(input)
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        self.0.objects(input)
    }

    fn assess(&self, input: &Value) -> Assessment {
        let mut values: Vec<_> = device_value(&self.0, input).into_iter().collect();
        let refused = match self.verdict(input) {
            Ok(verdict) => {
                values.extend(outside_values(&verdict.real, &verdict.judged));
                None
            }
            Err(why) => Some(why),
        };
        Assessment {
            tier: Tier::Yellow,
            risks: Vec::new(),
            protected: None,
            refused,
            values,
        }
    }

    async fn preview(&self, call: &ToolCall) -> Result<Preview, ErrorBody> {
        let run = self.prepare(call).await?;
        card::card(&self.0, call, &run, 1, SAID).await
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
