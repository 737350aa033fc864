//! Acts of people on devices and proposals: tools that no model sees, and no call of a model reaches.

mod choices;
mod edition;
mod enrolment;
mod resolution;
mod standing;

use std::{sync::Arc, time::Duration};

use agent::{
    clean_text,
    ports::{
        Assessment, Audience, Case, InputValue, Preview, Progress, Reconciled, Recovery, Tool,
        ToolCall, ToolError, ToolSpec,
    },
};
use async_trait::async_trait;
use protocol::{ErrorBody, Tier, Timestamp, ToolOutput};
use schemars::JsonSchema;
use serde_json::Value;

use crate::{
    parts::{FieldParts, bad_input},
    ports::KnownDevice,
    texts::people as say,
};

/// The tools.
pub(super) fn all(parts: &Arc<FieldParts>) -> Vec<Arc<dyn Tool>> {
    fn tool<T: PeopleAct>(parts: &Arc<FieldParts>, act: T) -> Arc<dyn Tool> {
        let parts = Arc::clone(parts);
        Arc::new(ByPeople { parts, act })
    }
    vec![
        tool(parts, enrolment::EnrolDevice),
        tool(parts, enrolment::WithdrawEnrolment),
        tool(parts, standing::AdoptDevice),
        tool(parts, standing::SuspendDevice),
        tool(parts, standing::ResumeDevice),
        tool(parts, standing::RetireDevice),
        tool(parts, choices::EditDevice),
        tool(parts, choices::SetPublicAddresses),
        tool(parts, resolution::ResolveRun),
        tool(parts, edition::EditProposal),
    ]
}

/// One act. The rest of its tool is the same for all.
#[async_trait]
trait PeopleAct: Send + Sync + 'static {
    fn spec(&self) -> ToolSpec;

    /// The tier of an input. It counts where it is above that of the definition.
    fn tier(&self, _input: &Value) -> Tier {
        self.spec().tier
    }

    async fn preview(&self, parts: &FieldParts, call: &ToolCall) -> Result<Preview, ErrorBody>;

    async fn act(&self, parts: &FieldParts, call: &ToolCall) -> Result<ToolOutput, ErrorBody>;

    /// Sites that an input names in another way than by a device or run, as a policy protects them.
    fn sites(&self, _parts: &FieldParts, _input: &Value) -> Vec<String> {
        Vec::new()
    }

    /// See [`Tool::reconcile`]; only for an act that must not be repeated.
    async fn reconcile(&self, _parts: &FieldParts, _call: &ToolCall) -> Reconciled {
        Reconciled::Unknown(say::SAFE_TO_REPEAT.to_owned())
    }
}

/// The definition of an act that can be repeated.
fn spec<Input: JsonSchema>(name: &str, description: &str, tier: Tier) -> ToolSpec {
    ToolSpec {
        tier,
        recovery: Recovery::Idempotent,
        timeout: Duration::from_secs(10),
        audience: Audience::People,
        ..ToolSpec::new::<Input>(name, description)
    }
}

/// An act as a tool.
struct ByPeople<T> {
    parts: Arc<FieldParts>,
    act: T,
}

#[async_trait]
impl<T: PeopleAct> Tool for ByPeople<T> {
    fn spec(&self) -> ToolSpec {
        self.act.spec()
    }

    fn target(&self, input: &Value) -> Option<String> {
        let new = || Some(say::new_device(input.get("name")?.as_str()?));
        let site = || {
            let snapshot = self.parts.snapshot();
            let site = snapshot.site(input.get("site")?.as_str()?)?;
            Some(say::at_site(&site.name))
        };
        self.parts.target(input).or_else(new).or_else(site)
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        let mut objects = self.parts.objects(input);
        objects.extend(self.act.sites(&self.parts, input));
        objects
    }

    fn assess(&self, input: &Value) -> Assessment {
        let values = InputValue::all(input).into_iter();
        let values = values.map(|value| InputValue {
            case: Case::Counts,
            ..value
        });
        Assessment {
            values: values.collect(),
            ..Assessment::plain(self.act.tier(input), input)
        }
    }

    async fn preview(&self, call: &ToolCall) -> Result<Preview, ErrorBody> {
        self.act.preview(&self.parts, call).await
    }

    async fn reconcile(&self, call: &ToolCall, _since: Timestamp) -> Reconciled {
        self.act.reconcile(&self.parts, call).await
    }

    async fn call(&self, call: ToolCall, _: Progress) -> Result<ToolOutput, ToolError> {
        self.act.act(&self.parts, &call).await.map_err(ToolError)
    }
}

/// A text of a person in one line, with hidden characters written out.
///
/// # Errors
/// It is empty.
fn line(field: &str, text: &str) -> Result<String, ErrorBody> {
    let text = clean_text(text);
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.is_empty() {
        return Err(bad_input(say::is_empty(field)));
    }
    Ok(line)
}

/// The name of a device's site.
fn site_name(parts: &FieldParts, device: &KnownDevice) -> String {
    let snapshot = parts.snapshot();
    let site = snapshot.site(&device.site).map(|site| site.name.clone());
    site.unwrap_or_else(|| device.site.clone())
}
