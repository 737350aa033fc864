//! The policy's word on a script for a device.

use field_package::{
    policy::{RiskReport, ScriptFacts, ScriptSurroundings},
    script::{FreeScript, ProbeScript, ScriptSpan},
    steps::StepSlot,
};
use protocol::ErrorBody;
use serde_json::{Value, json};

use crate::{
    parts::{FieldParts, bad_input, fault},
    ports::{FieldFaultCode, ScriptCheck},
    run_core::FREE_TIMEOUT_S,
    texts::scripts as say,
};

/// The values of a script that count as a person's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PersonWords {
    /// None: a model wrote it.
    None,
    /// All: a person wrote it, or the gate asks for each value that is not theirs.
    All,
}

/// Facts and risk of one script on one device.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct JudgedScript {
    pub(crate) facts: ScriptFacts,
    pub(crate) report: RiskReport,
}

impl JudgedScript {
    pub(crate) fn of_steps(
        parts: &FieldParts,
        device: &str,
        script: &ProbeScript,
        words: PersonWords,
        is_first: bool,
    ) -> Result<Self, ErrorBody> {
        let mut around = surroundings(parts, device, is_first)?;
        if words == PersonWords::All {
            for step in script.steps() {
                let slots = StepSlot::ALL.iter().copied();
                let values = slots.filter_map(|slot| step.step().value(slot));
                around.person_values.extend(values);
                let contacts = step.contacts().into_iter();
                around
                    .person_values
                    .extend(contacts.map(|contact| contact.to.to_string()));
            }
        }
        let facts = ScriptFacts::of_steps(script, &around);
        Ok(Self::of(parts, facts, &around))
    }

    pub(crate) fn of_free(
        parts: &FieldParts,
        device: &str,
        script: &FreeScript,
        is_first: bool,
    ) -> Result<Self, ErrorBody> {
        let around = surroundings(parts, device, is_first)?;
        let facts = ScriptFacts::of_free(script, FREE_TIMEOUT_S);
        Ok(Self::of(parts, facts, &around))
    }

    fn of(parts: &FieldParts, facts: ScriptFacts, around: &ScriptSurroundings) -> Self {
        let report = RiskReport::new(&facts, around, &parts.policy);
        Self { facts, report }
    }

    /// The reasons why the policy refuses it, in one text; none if it does not.
    pub(crate) fn refusal(&self, rendered: &str) -> Option<String> {
        let refusals = self.report.refusals.iter().map(|refusal| {
            let line = line_of(rendered, &refusal.span);
            say::refused(line, refusal.rule.sentence(), refusal.rule.by())
        });
        let refusals: Vec<_> = refusals.collect();
        (!refusals.is_empty()).then(|| refusals.join(" "))
    }

    /// The risk as the model reads it: level, points, and reasons with lines of the rendered script.
    pub(crate) fn risk_json(&self, rendered: &str) -> Value {
        let reasons = self.report.findings.iter().map(|finding| {
            let lines = finding.spans.iter().map(|span| line_of(rendered, span));
            json!({
                "rule": finding.rule.id(),
                "weight": finding.weight,
                "sentence": finding.rule.sentence(),
                "lines": lines.collect::<Vec<_>>(),
            })
        });
        json!({
            "level": self.report.level,
            "points": self.report.score,
            "persons": self.report.persons(),
            "reasons": reasons.collect::<Vec<_>>(),
            "policy_version": self.report.policy_version,
        })
    }

    /// The record of this judgement.
    pub(crate) fn check(&self, parts: &FieldParts) -> ScriptCheck {
        let report = &self.report;
        ScriptCheck {
            at: parts.now(),
            policy_version: report.policy_version,
            policy_hash: report.policy_hash.clone(),
            level: report.level,
            score: report.score,
            reasons: owned(report.findings.iter().map(|it| it.rule.id())),
            refusals: owned(report.refusals.iter().map(|it| it.rule.id())),
        }
    }
}

/// Line of a rendered script, from 1.
pub(crate) fn line_of(rendered: &str, span: &ScriptSpan) -> u32 {
    let before = rendered.get(..span.start).unwrap_or(rendered);
    let line = before.matches('\n').count() + 1;
    u32::try_from(line).unwrap_or(u32::MAX)
}

/// The free sh of a version, if a person wrote it.
pub(crate) fn free_script(text: &str, author: Option<&str>) -> Result<FreeScript, ErrorBody> {
    let script = FreeScript::by_person(text, author.unwrap_or_default());
    script.map_err(|refusal| bad_input(say::sentence(&refusal.to_string())))
}

fn surroundings(
    parts: &FieldParts,
    device: &str,
    is_first: bool,
) -> Result<ScriptSurroundings, ErrorBody> {
    let around = parts.ports.memory.surroundings(device);
    let mut around = around.ok_or_else(|| fault(FieldFaultCode::UnknownDevice))?;
    around.device.first_run = is_first;
    around
        .named
        .hosts
        .extend(parts.config.hosts.iter().cloned());
    around
        .named
        .networks
        .extend(parts.config.networks.iter().copied());
    around
        .server
        .extend(parts.config.server_hosts.iter().cloned());
    Ok(around)
}

fn owned(ids: impl Iterator<Item = &'static str>) -> Vec<String> {
    ids.map(str::to_owned).collect()
}
