//! The page of a proposal: a version with its script, its risk now, and what ran last.

use protocol::ErrorBody;
use serde_json::{Value, json};

use crate::{
    judged::{JudgedScript, PersonWords},
    line_diff::LineDiff,
    parts::{FieldParts, fault, time},
    ports::{FieldFaultCode, ProposalHead, ScriptAuthor, ScriptVersion, StoredScript},
    prepared::source,
    real_script::RealScript,
    shape,
};

/// A proposal in a list.
pub(super) fn head(head: &ProposalHead) -> Value {
    json!({
        "proposal": head.id,
        "title": head.title,
        "device": head.device,
        "site": head.site,
        "newest_version": head.head,
        "changed": time(head.changed),
    })
}

pub(super) async fn newest(parts: &FieldParts, id: &str) -> Result<Value, ErrorBody> {
    let known = parts.ports.proposals.proposal(id).await?;
    let known = known.ok_or_else(|| fault(FieldFaultCode::UnknownProposal))?;
    version(parts, id, known.head).await
}

pub(super) async fn version(
    parts: &FieldParts,
    id: &str,
    version: u64,
) -> Result<Value, ErrorBody> {
    let source = source(parts, id, version).await?;
    let shown = &source.version;
    let proposals = &parts.ports.proposals;
    let last = proposals.last_version_that_ran(id).await?;
    let before = match last.filter(|last| *last != version) {
        Some(last) => proposals.version(id, last).await?,
        None => None,
    };
    let site = &source.head.site;
    let before = before.map(|before| text(parts, site, &before));
    let now = text(parts, site, shown);
    let diff = LineDiff::of(before.as_deref(), &now);
    let mut page = head(&source.head);
    page["version"] = json!(version);
    page["why"] = json!(shown.why);
    page["expect"] = json!(shown.expect);
    page["made"] = json!(time(shown.made));
    page["made_by"] = match &shown.made_by {
        ScriptAuthor::Model => json!({ "model": true }),
        ScriptAuthor::Program => json!({ "program": true }),
        ScriptAuthor::Person(name) => json!({ "person": name }),
    };
    page["last_that_ran"] = json!(last);
    page["lines"] = json!(diff.lines);
    page["check"] = json!({
        "at": time(shown.check.at),
        "level": shown.check.level,
        "points": shown.check.score,
        "policy_version": shown.check.policy_version,
        "reasons": shown.check.reasons,
        "refusals": shown.check.refusals,
    });
    if let StoredScript::Steps {
        steps,
        stop_on_failure,
    } = &shown.script
    {
        page["steps"] = shape::steps(steps);
        page["stop_on_failure"] = json!(stop_on_failure);
        page["risk_now"] = risk(parts, &source.head, shown);
    }
    Ok(page)
}

/// A script as sh with tokens. One that cannot be restored any more is shown as its steps.
fn text(parts: &FieldParts, site: &str, version: &ScriptVersion) -> String {
    match &version.script {
        StoredScript::Sh { text } => text.clone(),
        StoredScript::Steps {
            steps,
            stop_on_failure,
        } => {
            let real = RealScript::restore(&*parts.ports.memory, site, steps, *stop_on_failure);
            real.map_or_else(|_| shape::steps(steps).to_string(), |it| it.covered_text())
        }
    }
}

/// The policy's word on the steps of a version as things are now.
fn risk(parts: &FieldParts, head: &ProposalHead, version: &ScriptVersion) -> Value {
    let StoredScript::Steps {
        steps,
        stop_on_failure,
    } = &version.script
    else {
        return Value::Null;
    };
    let memory = &*parts.ports.memory;
    let real = match RealScript::restore(memory, &head.site, steps, *stop_on_failure) {
        Ok(real) => real,
        Err(why) => return json!({ "refused": why }),
    };
    let words = match version.made_by {
        ScriptAuthor::Person(_) => PersonWords::All,
        ScriptAuthor::Model | ScriptAuthor::Program => PersonWords::None,
    };
    // A device that is gone has no networks to judge by.
    let judged = JudgedScript::of_steps(parts, &head.device, &real.script, words, true);
    let judged = match judged {
        Ok(judged) => judged,
        Err(error) => return json!({ "refused": error.message }),
    };
    let real_text = real.text();
    let mut risk = judged.risk_json(&real_text);
    risk["refused"] = json!(judged.refusal(&real_text));
    risk
}
