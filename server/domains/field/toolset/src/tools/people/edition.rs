//! A person's own version of a proposal: typed steps, or free sh.

use agent::{
    clean_text,
    ports::{Preview, ToolCall, ToolSpec, read_input},
};
use async_trait::async_trait;
use protocol::{ErrorBody, Tier, ToolOutput};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{PeopleAct, spec};
use crate::{
    edited_script::{CheckedEdit, EditAuthor},
    parts::{FieldParts, bad_input, fault},
    ports::{
        FieldFaultCode, KnownDevice, ProposalDraft, ProposalHead, ScriptAuthor, StoredScript,
        TokenRule,
    },
    prepared::person_words,
    shape,
    step_text::read_steps,
    texts::{card as words, people, propose as say},
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct EditInput {
    /// The proposal.
    #[schemars(regex(pattern = r"^pro_[0-9a-z]{26}$"))]
    proposal: String,
    /// Its newest version, as the person saw it. If there is a newer one, nothing is kept.
    #[schemars(range(min = 1, max = 100))]
    version: u64,
    /// The device that the proposal is for.
    #[schemars(regex(pattern = r"^dev_[0-9a-z]{26}$"))]
    device: String,
    /// The suspicion that it tests.
    #[schemars(length(min = 1, max = 600))]
    why: String,
    /// The results that would confirm it, and those that would not.
    #[serde(default)]
    #[schemars(length(max = 600))]
    expect: Option<String>,
    /// Typed steps, one a line, such as "ping ip-s1-n1.1 count 4".
    #[serde(default)]
    #[schemars(length(min = 1, max = 8192))]
    steps: Option<String>,
    /// True to end the steps at the first one that fails; false if left out.
    #[serde(default)]
    stop_on_failure: Option<bool>,
    /// A text for /bin/sh in place of steps. Its risk is high, so two persons approve each run.
    #[serde(default)]
    #[schemars(length(min = 1, max = 32768))]
    free_text: Option<String>,
}

impl EditInput {
    /// The script as it was written.
    fn script(&self) -> Result<StoredScript, ErrorBody> {
        match (&self.steps, &self.free_text, self.stop_on_failure) {
            (Some(lines), None, stop) => Ok(StoredScript::Steps {
                steps: read_steps(lines).map_err(bad_input)?,
                stop_on_failure: stop.unwrap_or(false),
            }),
            (None, Some(text), None | Some(false)) => Ok(StoredScript::Sh { text: text.clone() }),
            _ => Err(bad_input(say::STEPS_OR_FREE)),
        }
    }
}

/// An input with all that it names, which the policy does not refuse.
struct KnownEdit {
    input: EditInput,
    device: KnownDevice,
    head: ProposalHead,
    author: EditAuthor,
    checked: CheckedEdit,
}

impl KnownEdit {
    async fn of(parts: &FieldParts, call: &ToolCall) -> Result<Self, ErrorBody> {
        let input: EditInput = read_input(call.input.clone())?;
        let device = parts.device(&input.device)?;
        let head = parts.ports.proposals.proposal(&input.proposal).await?;
        let head = head.filter(|head| head.device == device.id && head.site == device.site);
        let head = head.ok_or_else(|| fault(FieldFaultCode::UnknownProposal))?;
        let administration = &parts.ports.administration;
        let name = administration.person_name(call.origin.person).await;
        let author = EditAuthor {
            name: name.ok_or_else(|| bad_input(say::NO_NAME))?,
            words: person_words(parts, &head, head.head + 1).await?,
        };
        if input.why.trim().is_empty() {
            return Err(bad_input(people::is_empty("why")));
        }
        let checked = CheckedEdit::of(parts, &device, input.script()?, &author)?;
        Ok(Self {
            input,
            device,
            head,
            author,
            checked,
        })
    }
}

/// Keeps what a person wrote as the next version. The former ones, and approvals of them, stay as they
/// are.
pub(super) struct EditProposal;

#[async_trait]
impl PeopleAct for EditProposal {
    fn spec(&self) -> ToolSpec {
        // The call is the cause of one version.
        spec::<EditInput>(
            "edit_proposal",
            "Keeps typed steps or free sh that a person wrote as the next version of a proposal, after the \
             policy has judged it. Nothing runs.",
            Tier::Yellow,
        )
    }

    async fn preview(&self, parts: &FieldParts, call: &ToolCall) -> Result<Preview, ErrorBody> {
        let edit = KnownEdit::of(parts, call).await?;
        if edit.head.head != edit.input.version {
            return Err(fault(FieldFaultCode::NewerVersion));
        }
        Ok(Preview {
            grantable: false,
            state: json!({ "newest": edit.head.head }),
            ..Preview::new(
                say::edit(&edit.head.title, edit.head.head + 1, edit.checked.is_free()),
                words::device(&edit.device.name),
            )
        })
    }

    async fn act(&self, parts: &FieldParts, call: &ToolCall) -> Result<ToolOutput, ErrorBody> {
        let edit = KnownEdit::of(parts, call).await?;
        let site = &edit.device.site;
        let checked = edit
            .checked
            .covered(parts, &edit.device, &edit.author)
            .await?;
        let mut reasons = vec![clean_text(&edit.input.why)];
        reasons.extend(edit.input.expect.as_deref().map(clean_text));
        let values = &parts.ports.values;
        let reasons = values.cover(Some(site), reasons, TokenRule::Keep).await?;
        let mut reasons = reasons.into_iter();
        let draft = ProposalDraft {
            cause: call.id.to_string(),
            // The store compares it with the newest one when it writes, after it has looked for the
            // version that this very call made.
            of: Some((edit.head.id, edit.input.version)),
            device: edit.device.id.clone(),
            title: edit.head.title,
            why: reasons.next().unwrap_or_default(),
            expect: reasons.next().filter(|text| !text.trim().is_empty()),
            rendering: checked.rendering,
            check: checked.judged.check(parts),
            script: checked.script,
            made_by: ScriptAuthor::Person(edit.author.name),
            person: call.origin.person,
            conversation: None,
        };
        let kept = parts.ports.proposals.propose(&draft).await?;
        let data = json!({
            "proposal": kept.proposal.id,
            "version": kept.version,
            "device": edit.device.id,
            "risk": checked.judged.risk_json(&checked.real),
            "page": format!("/field/proposal/{}", kept.proposal.id),
        });
        let level = checked.judged.report.level;
        let summary = say::kept(&kept.proposal.title, kept.version, level);
        Ok(shape::summed_up(summary, data))
    }
}
