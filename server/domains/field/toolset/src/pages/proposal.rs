//! The page of a proposal: a version with its script, its risk now, and the version that ran last.

use field_package::policy::{RiskFinding, RiskLevel, RuleWeight};
use field_wire::{FieldProposalPage, FieldRiskReport};
use protocol::{ErrorBody, RiskReason, RiskSpan, RiskWeight, UserId};

use super::{device::row, known, names, offers};
use crate::{
    judged::line_of,
    line_diff::LineDiff,
    parts::{FieldParts, fault},
    ports::{FieldFaultCode, ScriptAuthor, ScriptVersion, StoredScript},
    prepared::{RunSource, source},
    real_script::{RealScript, tokens_in},
    shape,
    step_text::step_words,
};

/// Persons who have to approve free sh.
const TWO: u32 = 2;

pub(super) async fn newest(
    parts: &FieldParts,
    person: UserId,
    id: &str,
) -> Result<FieldProposalPage, ErrorBody> {
    let known = parts.ports.proposals.proposal(id).await?;
    let known = known.ok_or_else(|| fault(FieldFaultCode::UnknownProposal))?;
    version(parts, person, id, known.head).await
}

pub(super) async fn version(
    parts: &FieldParts,
    person: UserId,
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
    let (device_name, site_name) = names(parts, &head.device, &head.site).await?;
    let risk = risk(parts, &source).await;
    let author = shown.made_by.person();
    let yours = match author {
        Some(name) => {
            let own = parts.ports.administration.person_name(person).await;
            own.as_deref() == Some(name)
        }
        None => false,
    };
    Ok(FieldProposalPage {
        proposal: row(head),
        device: head.device.clone(),
        device_name,
        site_name,
        version,
        why: shown.why.clone(),
        expect: shown.expect.clone(),
        made: shown.made,
        person: author.map(str::to_owned),
        yours,
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
        // For a device that is gone nothing can be done any more.
        offers: known(parts, &head.device).map_or_else(Vec::new, |_| {
            offers::of_version(head, version, risk.refused.is_some())
        }),
        risk,
        tokens,
    })
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

/// The policy's word on a version as things are now.
async fn risk(parts: &FieldParts, source: &RunSource) -> FieldRiskReport {
    let check = &source.version.check;
    let mut report = FieldRiskReport {
        level: None,
        points: check.score,
        persons: match source.version.script {
            StoredScript::Steps { .. } => 1,
            StoredScript::Sh { .. } => TWO,
        },
        reasons: Vec::new(),
        refused: None,
        policy_version: check.policy_version,
        at: parts.now(),
    };
    match source.judged(parts).await {
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
