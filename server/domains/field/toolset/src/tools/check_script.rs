//! Tool that has the policy judge a script, and keeps nothing.

use agent::ports::{CallOrigin, ToolExample};
use async_trait::async_trait;
use field_package::steps::ProbeStep;
use protocol::{ErrorBody, ToolOutput};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{propose_script::ProposedScript, site_reading::SiteReading};
use crate::{
    judged::PersonWords,
    parts::{FieldParts, bad_input, time},
    ports::{ScriptAuthor, StoredScript},
    prepared::source,
    shape,
    texts::{propose as say, scripts},
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CheckInput {
    /// The device, from list_devices.
    #[schemars(regex(pattern = r"^dev_[0-9a-z]{26}$"))]
    device: String,
    /// The steps to judge. Left out: those of the version of a proposal.
    #[serde(default)]
    #[schemars(length(min = 1, max = 20))]
    steps: Option<Vec<ProbeStep>>,
    /// True to end the script at the first step that fails.
    #[serde(default)]
    stop_on_failure: Option<bool>,
    /// The proposal to judge again, in place of steps.
    #[serde(default)]
    #[schemars(regex(pattern = r"^pro_[0-9a-z]{26}$"))]
    of: Option<String>,
    /// The version of it; the newest one if left out.
    #[serde(default)]
    #[schemars(range(min = 1, max = 100))]
    version: Option<u64>,
}

pub(super) struct CheckScript;

#[async_trait]
impl SiteReading for CheckScript {
    const NAME: &'static str = "check_script";
    const DESCRIPTION: &'static str = "Judges a script by the policy and keeps nothing: level of risk, reasons \
        with lines, refusals, and the script as sh. Takes steps, or a proposal that is judged again and \
        shown. Use it to find the form with the least risk before propose_script.";
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::worked(
            "How risky is a sweep of net-s1-1 from dev_0123456789abcdefghijklmnop?",
            r#"{"device":"dev_0123456789abcdefghijklmnop","steps":[{"run":"sweep","interface":"eth0","network":"net-s1-1"}]}"#,
        ),
        ToolExample::worked(
            "Check the proposal pro_0123456789abcdefghijklmnop for dev_0123456789abcdefghijklmnop again.",
            r#"{"device":"dev_0123456789abcdefghijklmnop","of":"pro_0123456789abcdefghijklmnop"}"#,
        ),
    ];
    type Input = CheckInput;

    async fn read(
        parts: &FieldParts,
        origin: &CallOrigin,
        input: CheckInput,
    ) -> Result<ToolOutput, ErrorBody> {
        let device = parts.device(&input.device)?;
        parts.enter(origin, &device.site).await?;
        let stop = input.stop_on_failure.unwrap_or(false);
        match (&input.steps, &input.of) {
            (Some(steps), None) => {
                let words = &PersonWords::None;
                let script = ProposedScript::of(parts, &device.id, steps, stop, words);
                Ok(output(&script.map_err(bad_input)?, json!({})))
            }
            (None, Some(id)) => {
                let head = parts.ports.proposals.proposal(id).await?;
                let newest = head.map_or(1, |head| head.head);
                let source = source(parts, id, input.version.unwrap_or(newest)).await?;
                if source.head.device != device.id {
                    return Err(bad_input(scripts::OTHER_DEVICE));
                }
                let version = &source.version;
                let about = json!({
                    "proposal": source.head.id,
                    "version": version.version,
                    "newest_version": source.head.head,
                    "title": source.head.title,
                    "why": version.why,
                    "expect": version.expect,
                    "written_by": author(&version.made_by),
                    "made": time(version.made),
                });
                match &version.script {
                    StoredScript::Steps {
                        steps,
                        stop_on_failure,
                    } => {
                        let (stop, words) = (*stop_on_failure, &source.words);
                        let script = ProposedScript::of(parts, &device.id, steps, stop, words);
                        let script = script.map_err(bad_input)?;
                        // Unlike a new script it may have run.
                        let (judged, _) = source.judged(parts).await.map_err(bad_input)?;
                        let mut about = about;
                        about["steps"] = shape::steps(steps);
                        Ok(output(&ProposedScript { judged, ..script }, about))
                    }
                    StoredScript::Sh { text } => {
                        let (judged, real) = source.judged(parts).await.map_err(bad_input)?;
                        let refusal = judged.refusal(&real);
                        let summary = say::checked(judged.report.level, refusal.is_some());
                        let mut about = about;
                        about["script"] = json!(text);
                        about["risk"] = judged.risk_json(&real);
                        about["refused"] = json!(refusal);
                        Ok(shape::summed_up(summary, about))
                    }
                }
            }
            (Some(_), Some(_)) | (None, None) => Err(bad_input(say::STEPS_OR_VERSION)),
        }
    }
}

fn author(author: &ScriptAuthor) -> &'static str {
    match author {
        ScriptAuthor::Model => "model",
        ScriptAuthor::Person(_) => "person",
        ScriptAuthor::Program => "program",
    }
}

fn output(script: &ProposedScript, mut data: serde_json::Value) -> ToolOutput {
    let shape = script.shape();
    for (name, value) in shape.as_object().into_iter().flatten() {
        data[name] = value.clone();
    }
    let refusal = script.judged.refusal(&script.real.text());
    let summary = say::checked(script.judged.report.level, refusal.is_some());
    data["refused"] = json!(refusal);
    shape::summed_up(summary, data)
}
