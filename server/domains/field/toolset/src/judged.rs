//! The policy's word on a script for a device.

use std::collections::BTreeSet;

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
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PersonWords {
    /// None: a model wrote it.
    None,
    /// All: the gate asks for each value that is not theirs.
    All,
    /// A person wrote it, after others had written these values: whoever saves a model's text with
    /// another word in it has not chosen the rest.
    AllBut(BTreeSet<String>),
}

impl PersonWords {
    fn has(&self, value: &str) -> bool {
        match self {
            Self::None => false,
            Self::All => true,
            Self::AllBut(others) => !others.contains(value),
        }
    }
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
        words: &PersonWords,
        is_first: bool,
    ) -> Result<Self, ErrorBody> {
        let mut around = surroundings(parts, device, is_first)?;
        for step in script.steps() {
            let value = |slot| step.step().value(slot);
            let contacts = step.contacts();
            // Whoever writes another path behind a host has not chosen the host.
            let is_chosen = |slot: &StepSlot| {
                let mut of_slot = contacts.iter().filter(|it| it.slot == Some(*slot));
                of_slot.all(|contact| words.has(&contact.to.to_string()))
            };
            let slots = StepSlot::ALL.iter().copied().filter(is_chosen);
            let values = slots.filter_map(value);
            let contacts = contacts.iter().filter(|contact| {
                let written = contact.slot.and_then(value);
                written.is_none_or(|written| words.has(&written))
            });
            let contacts = contacts.map(|contact| contact.to.to_string());
            let own = values.chain(contacts).filter(|value| words.has(value));
            around.person_values.extend(own);
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
