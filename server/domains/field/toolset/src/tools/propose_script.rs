//! Tool that keeps a script as a proposal.

use std::{sync::Arc, time::Duration};

use agent::{
    clean_text,
    ports::{
        Assessment, CallActor, Impact, Preview, Progress, Reconciled, Recovery, Tool, ToolCall,
        ToolError, ToolExample, ToolSpec, read_input,
    },
};
use async_trait::async_trait;
use field_package::steps::ProbeStep;
use protocol::{ErrorBody, Tier, Timestamp, ToolOutput};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    edited_script::covered_steps,
    judged::{JudgedScript, PersonWords},
    parts::{FieldParts, bad_input, fault},
    ports::{FieldFaultCode, KnownDevice, ProposalDraft, ScriptAuthor, StoredScript, TokenRule},
    real_script::RealScript,
    shape,
    texts::{card as words, propose as say},
};

const NAME: &str = "propose_script";
const DESCRIPTION: &str = "Keeps a script of typed steps as a proposal for a device, and returns its risk, the \
    reasons with lines, and the script as sh. Nothing runs: run_script runs a version after a person has \
    approved it. Use it for several steps, and for steps that run_probe refuses. With \"of\" it becomes a new \
    version of that proposal. Targets are tokens such as ip-s1-n3.17, addresses or names. Steps have no \
    shell; there is no other form.";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ProposalInput {
    /// The device, from list_devices.
    #[schemars(regex(pattern = r"^dev_[0-9a-z]{26}$"))]
    device: String,
    /// A few words for lists, such as "Check the gateway".
    #[schemars(length(min = 1, max = 80))]
    title: String,
    /// The suspicion that it tests, with the lines of diagnostics that speak for it.
    #[schemars(length(min = 1, max = 600))]
    why: String,
    /// The results that would confirm it, and those that would not.
    #[serde(default)]
    #[schemars(length(max = 600))]
    expect: Option<String>,
    /// The steps, in their order.
    #[schemars(length(min = 1, max = 20))]
    steps: Vec<ProbeStep>,
    /// True to end the script at the first step that fails; false if left out.
    #[serde(default)]
    stop_on_failure: Option<bool>,
    /// The proposal that this is a new version of.
    #[serde(default)]
    #[schemars(regex(pattern = r"^pro_[0-9a-z]{26}$"))]
    of: Option<String>,
}

/// A script of an input that its device may get.
pub(super) struct ProposedScript {
    pub(super) real: RealScript,
    pub(super) judged: JudgedScript,
    /// As sh, with tokens.
    pub(super) rendering: String,
}

impl ProposedScript {
    /// Restores and judges steps for a device, from memory alone.
    ///
    /// # Errors
    /// One sentence for the model.
    pub(super) fn of(
        parts: &FieldParts,
        device: &str,
        steps: &[ProbeStep],
        stop_on_failure: bool,
        words: &PersonWords,
    ) -> Result<Self, String> {
        let device = parts.device(device).map_err(|error| error.message)?;
        let memory = &*parts.ports.memory;
        let real = RealScript::restore(memory, &device.site, steps, stop_on_failure)?;
        // It has not run in this form, as far as a new script goes.
        let judged = JudgedScript::of_steps(parts, &device.id, &real.script, words, true);
        Ok(Self {
            judged: judged.map_err(|error| error.message)?,
            rendering: real.covered_text(),
            real,
        })
    }

    /// The shape that the model reads. Lines are those of the rendering, which has as many as the real
    /// text.
    pub(super) fn shape(&self) -> Value {
        json!({
            "risk": self.judged.risk_json(&self.real.text()),
            "script": self.rendering,
            "at_most_s": self.real.script.seconds(),
        })
    }
}

pub(crate) struct ProposeScript(pub(crate) Arc<FieldParts>);

impl ProposeScript {
    async fn propose(&self, call: ToolCall) -> Result<ToolOutput, ErrorBody> {
        let parts = &*self.0;
        let input: ProposalInput = read_input(call.input)?;
        let device = parts.device(&input.device)?;
        parts.enter(&call.origin, &device.site).await?;
        // A model has only tokens to write. A program that asks for a person may have values.
        let (input, made_by) = match call.origin.actor {
            CallActor::Model => (input, ScriptAuthor::Model),
            CallActor::Person => {
                let input = covered(parts, &device, input).await?;
                (input, ScriptAuthor::Program)
            }
        };
        let stop = input.stop_on_failure.unwrap_or(false);
        let words = &PersonWords::None;
        let script = ProposedScript::of(parts, &device.id, &input.steps, stop, words);
        let script = script.map_err(bad_input)?;
        if let Some(why) = script.judged.refusal(&script.real.text()) {
            return Err(bad_input(why));
        }
        let of = match input.of {
            None => None,
            Some(id) => {
                let head = parts.ports.proposals.proposal(&id).await?;
                let head = head.filter(|head| head.device == device.id);
                let head = head.ok_or_else(|| fault(FieldFaultCode::UnknownProposal))?;
                Some((id, head.head))
            }
        };
        let draft = ProposalDraft {
            cause: call.id.to_string(),
            of,
            device: device.id.clone(),
            title: one_line(&input.title),
            why: clean_text(&input.why),
            expect: input.expect.as_deref().map(clean_text),
            script: StoredScript::Steps {
                steps: input.steps,
                stop_on_failure: stop,
            },
            rendering: script.rendering.clone(),
            check: script.judged.check(parts),
            made_by,
            person: call.origin.person,
            conversation: Some(call.origin.conversation),
        };
        let kept = parts.ports.proposals.propose(&draft).await?;
        let mut data = script.shape();
        data["proposal"] = json!(kept.proposal.id);
        data["version"] = json!(kept.version);
        data["device"] = json!(device.id);
        data["page"] = json!(format!("/field/proposal/{}", kept.proposal.id));
        let level = script.judged.report.level;
        let summary = say::kept(&kept.proposal.title, kept.version, level);
        Ok(shape::summed_up(summary, data))
    }
}

/// An input with tokens in place of the values that people hide. What would run stays the same: a step in
/// which a secret would be lost, or an address would get another spelling, is refused.
async fn covered(
    parts: &FieldParts,
    device: &KnownDevice,
    input: ProposalInput,
) -> Result<ProposalInput, ErrorBody> {
    let site = device.site.as_str();
    let steps = covered_steps(parts, site, &input.steps).await?;
    let real = |steps: &[ProbeStep]| {
        let real = RealScript::restore(&*parts.ports.memory, site, steps, true);
        real.map_err(bad_input)
    };
    let (written, hidden) = (real(&input.steps)?, real(&steps)?);
    let mut pairs = written.script.steps().iter().zip(hidden.script.steps());
    if let Some(at) = pairs.position(|(one, other)| one.step() != other.step()) {
        let number = u32::try_from(at + 1).unwrap_or(0);
        return Err(bad_input(say::not_as_written(&say::step(number))));
    }
    let mut texts = vec![one_line(&input.title), clean_text(&input.why)];
    texts.extend(input.expect.as_deref().map(clean_text));
    let values = &parts.ports.values;
    let texts = values.cover(Some(site), texts, TokenRule::Keep).await?;
    let mut texts = texts.into_iter();
    Ok(ProposalInput {
        title: texts.next().unwrap_or_default(),
        why: texts.next().unwrap_or_default(),
        expect: texts.next(),
        steps,
        ..input
    })
}

/// A title of one line that cannot end the quotes around it on a card.
fn one_line(text: &str) -> String {
    let line = clean_text(text).replace(['\n', '\t'], " ");
    line.replace(['“', '”', '„', '"'], "'")
}

#[async_trait]
impl Tool for ProposeScript {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            tier: Tier::Yellow,
            // The call is the cause of one version.
            recovery: Recovery::Idempotent,
            timeout: Duration::from_secs(10),
            // A draft runs nothing.
            impact: Impact::None,
            examples: vec![
                ToolExample::worked(
                    "Propose a script for dev_0123456789abcdefghijklmnop that pings ip-s1-n1.1 and reads \
                     its neighbours.",
                    r#"{"device":"dev_0123456789abcdefghijklmnop","title":"Check the gateway","why":"Answers come late.","steps":[{"run":"ping","target":"ip-s1-n1.1"},{"run":"neighbours"}]}"#,
                ),
                ToolExample::worked(
                    "Propose to measure the path of dev_0123456789abcdefghijklmnop to example.org.",
                    r#"{"device":"dev_0123456789abcdefghijklmnop","title":"Path to example.org","why":"Large packets are lost.","steps":[{"run":"mtr","target":"example.org"}]}"#,
                ),
            ],
            ..ToolSpec::new::<ProposalInput>(NAME, DESCRIPTION)
        }
    }

    fn target(&self, input: &Value) -> Option<String> {
        self.0.target(input)
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        self.0.objects(input)
    }

    fn assess(&self, input: &Value) -> Assessment {
        let judge = || {
            let input: ProposalInput = read_input(input.clone()).map_err(|error| error.message)?;
            let stop = input.stop_on_failure.unwrap_or(false);
            let words = &PersonWords::None;
            let script = ProposedScript::of(&self.0, &input.device, &input.steps, stop, words)?;
            let text = script.real.text();
            script.judged.refusal(&text).map_or(Ok(()), Err)
        };
        Assessment {
            tier: Tier::Yellow,
            risks: Vec::new(),
            protected: None,
            refused: judge().err(),
            // Nothing is acted on: the card of the run shows every value.
            values: Vec::new(),
        }
    }

    async fn preview(&self, call: &ToolCall) -> Result<Preview, ErrorBody> {
        let input: ProposalInput = read_input(call.input.clone())?;
        let device = self.0.device(&input.device)?;
        Ok(Preview::new(
            say::keep(&one_line(&input.title), &device.name),
            words::device(&device.name),
        ))
    }

    async fn reconcile(&self, _call: &ToolCall, _since: Timestamp) -> Reconciled {
        Reconciled::Unknown(say::SAFE_TO_REPEAT.to_owned())
    }

    async fn call(&self, call: ToolCall, _: Progress) -> Result<ToolOutput, ToolError> {
        Box::pin(self.propose(call)).await.map_err(ToolError)
    }
}
