//! The page of a proposal: a version with its script, its risk now, and the version that ran last.

use field_package::{
    policy::{RiskFinding, RiskLevel, RuleWeight},
    steps::{ProbeStep, StepSlot},
};
use field_wire::{FieldProposalPage, FieldRiskReport};
use protocol::{ErrorBody, RiskReason, RiskSpan, RiskWeight};

use super::{device::row, names, offers};
use crate::{
    judged::{JudgedScript, PersonWords, line_of},
    line_diff::LineDiff,
    parts::{FieldParts, fault},
    ports::{FieldFaultCode, ScriptAuthor, ScriptVersion, StoredScript},
    prepared::{RunSource, source},
    real_script::{RealScript, tokens_in},
    shape,
    texts::pages as say,
};

/// Persons who have to approve free sh.
const TWO: u32 = 2;

pub(super) async fn newest(parts: &FieldParts, id: &str) -> Result<FieldProposalPage, ErrorBody> {
    let known = parts.ports.proposals.proposal(id).await?;
    let known = known.ok_or_else(|| fault(FieldFaultCode::UnknownProposal))?;
    version(parts, id, known.head).await
}

pub(super) async fn version(
    parts: &FieldParts,
    id: &str,
    version: u64,
) -> Result<FieldProposalPage, ErrorBody> {
    let source = source(parts, id, version).await?;
    let (head, shown) = (&source.head, &source.version);
    let proposals = &parts.ports.proposals;
    let last = proposals.last_version_that_ran(id).await?;
    let against = last.unwrap_or_else(|| version.saturating_sub(1));
    let against = Some(against).filter(|it| *it != version && *it != 0);
    let before = match against {
        Some(before) => proposals.version(id, before).await?,
        None => None,
    };
    let before = before.map(|before| text(parts, &head.site, &before));
    let now = text(parts, &head.site, shown);
    let mut tokens = tokens_in(&now);
    tokens.sort();
    tokens.dedup();
    let (device_name, site_name) = names(parts, &head.device, &head.site);
    let risk = risk(parts, &source);
    Ok(FieldProposalPage {
        proposal: row(head),
        device: head.device.clone(),
        device_name,
        site_name,
        version,
        why: shown.why.clone(),
        expect: shown.expect.clone(),
        made: shown.made,
        person: match &shown.made_by {
            ScriptAuthor::Person(name) => Some(name.clone()),
            ScriptAuthor::Model | ScriptAuthor::Program => None,
        },
        by_program: shown.made_by == ScriptAuthor::Program,
        last_that_ran: last,
        against: against.filter(|_| before.is_some()),
        lines: LineDiff::of(before.as_deref(), &now).lines,
        steps: match &shown.script {
            StoredScript::Steps { steps, .. } => steps.iter().map(step_words).collect(),
            StoredScript::Sh { .. } => Vec::new(),
        },
        stop_on_failure: matches!(
            shown.script,
            StoredScript::Steps {
                stop_on_failure: true,
                ..
            }
        ),
        offers: offers::of_version(head, version, risk.refused.is_some()),
        risk,
        tokens,
    })
}

/// A step with its values, such as `ping ip-s1-n1.1 count 4`.
pub(super) fn step_words(step: &ProbeStep) -> String {
    let slots = StepSlot::ALL.iter();
    let values = slots.filter_map(|slot| {
        let value = step.value(*slot)?;
        Some(match slot {
            StepSlot::Target | StepSlot::Name | StepSlot::Url | StepSlot::Network => value,
            slot => format!("{} {value}", slot.word()),
        })
    });
    let row = step.run.word().replace('_', " ");
    [row]
        .into_iter()
        .chain(values)
        .collect::<Vec<_>>()
        .join(" ")
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

/// The policy's word on the steps of a version as things are now. Of free sh, the word when it was made.
fn risk(parts: &FieldParts, source: &RunSource) -> FieldRiskReport {
    let check = &source.version.check;
    let mut report = FieldRiskReport {
        level: None,
        points: check.score,
        persons: 1,
        reasons: Vec::new(),
        refused: None,
        policy_version: check.policy_version,
        at: parts.now(),
    };
    let StoredScript::Steps {
        steps,
        stop_on_failure,
    } = &source.version.script
    else {
        report.level = Some(level(check.level).to_owned());
        report.persons = TWO;
        report.at = check.at;
        let free = RiskReason::new("free_text", RiskWeight::Grave, say::FREE_SH);
        report.reasons.push(free);
        return report;
    };
    match judged(parts, source, steps, *stop_on_failure) {
        Ok((judged, text)) => {
            let said = &judged.report;
            report.level = Some(level(said.level).to_owned());
            report.points = said.score;
            report.persons = u32::try_from(said.persons()).unwrap_or(TWO);
            report.reasons = said.findings.iter().map(|it| reason(it, &text)).collect();
            report.policy_version = said.policy_version;
            report.refused = judged.refusal(&text);
        }
        Err(why) => report.refused = Some(why),
    }
    report
}

/// The judgement on steps, with the script as sh.
fn judged(
    parts: &FieldParts,
    source: &RunSource,
    steps: &[ProbeStep],
    stop_on_failure: bool,
) -> Result<(JudgedScript, String), String> {
    let memory = &*parts.ports.memory;
    let real = RealScript::restore(memory, &source.head.site, steps, stop_on_failure)?;
    let words = match source.version.made_by {
        ScriptAuthor::Person(_) => PersonWords::All,
        ScriptAuthor::Model | ScriptAuthor::Program => PersonWords::None,
    };
    // A device that is gone has no networks to judge by.
    let judged = JudgedScript::of_steps(parts, &source.head.device, &real.script, words, true);
    let judged = judged.map_err(|error| error.message)?;
    Ok((judged, real.text()))
}

fn level(level: RiskLevel) -> &'static str {
    match level {
        RiskLevel::Low => "low",
        RiskLevel::Medium => "medium",
        RiskLevel::High => "high",
    }
}

/// A reason that points at the first line that it is about. One about all of the script begins with its
/// first line, and points nowhere.
fn reason(finding: &RiskFinding, text: &str) -> RiskReason {
    let weight = match finding.weight {
        RuleWeight::Points(0..=1) => RiskWeight::Note,
        RuleWeight::Points(_) => RiskWeight::Warning,
        RuleWeight::High => RiskWeight::Grave,
    };
    let mut reason = RiskReason::new(finding.rule.id(), weight, finding.rule.sentence());
    let span = finding.spans.first().filter(|span| span.start > 0);
    reason.span = span.map(|span| RiskSpan {
        section: 0,
        line: line_of(text, span),
    });
    reason
}
