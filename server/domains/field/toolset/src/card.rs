//! The card of a run: exactly what would run, with real values, and everything that is signed with it.

mod destinations;
mod package;

use agent::ports::{Preview, ToolCall};
use field_package::policy::{RiskFinding, RiskLevel, RuleWeight};
use protocol::{
    Assurance, CardSection, ErrorBody, Fact, RiskReason, RiskSpan, RiskWeight, Timestamp,
};
use serde_json::{Value, json};

use crate::{
    judged::line_of,
    line_diff::LineDiff,
    parts::{FieldParts, seconds_since},
    ports::{FieldFaultCode, KnownDevice, LookOrder},
    prepared::PreparedRun,
    texts::card as say,
};

/// Place of the script among the sections.
const SCRIPT_SECTION: u32 = 1;

/// The card of a run that waits for its device until `until`.
///
/// # Errors
/// The person may not see the values, or the look cannot be recorded.
pub(crate) async fn card(
    parts: &FieldParts,
    call: &ToolCall,
    run: &PreparedRun,
    wait_minutes: u32,
    said: &'static [&'static str],
) -> Result<Preview, ErrorBody> {
    look(parts, call, run).await?;
    parts.shown.note(call.id, run.core.digest());
    let diff = LineDiff::of(run.before.as_deref(), &run.text);
    let report = &run.judged.report;
    let mut risks = vec![level_reason(report.level, report.score)];
    risks.extend(
        report
            .findings
            .iter()
            .map(|it| reason(it, &run.text, &diff)),
    );
    if !run.device.is_online {
        risks.push(offline(wait_minutes));
    }
    if is_outdated(run) {
        risks.push(RiskReason::new(
            "newer_version",
            RiskWeight::Warning,
            say::NEWER_VERSION,
        ));
    }
    let device = word_to_type(parts, &run.device);
    let sections = vec![
        package::what(run, wait_minutes),
        CardSection::Text {
            title: say::script(run.before.is_some()).to_owned(),
            language: "bash".to_owned(),
            lines: diff.lines,
        },
        destinations::table(run),
        package::limits(run),
    ];
    Ok(Preview {
        facts: facts(&run.device, run, parts.now()),
        risks,
        sections,
        shown: shown(parts, run, &call.input),
        said,
        objects: vec![
            format!("device/{}", run.device.id),
            format!("site/{}", run.device.site),
        ],
        assurance: match report.level {
            RiskLevel::Low => Assurance::Press,
            RiskLevel::Medium => Assurance::Hold,
            RiskLevel::High => Assurance::Type { word: device },
        },
        // A grant is for what only looks.
        grantable: report.level == RiskLevel::Low && !run.core.is_raw() && run.real.is_some(),
        second: (report.persons() > 1).then(|| say::TWO_PERSONS.to_owned()),
        state: state(run),
        ..Preview::new(sentence(run), say::device(&run.device.name))
    })
}

/// Everything that must still be true when the run is queued. Not its last contact: that changes by
/// itself.
fn state(run: &PreparedRun) -> Value {
    let policy = run.core.policy();
    json!({
        "payload": run.core.payload_digest(),
        "core": run.core.digest(),
        "device_key": run.core.device_key(),
        "adopted": true,
        "abilities": abilities(&run.device),
        "policy": { "version": policy.version, "hash": policy.hash },
    })
}

/// SHA-256 of the abilities of a device's sandboxes, or that they are not known.
fn abilities(device: &KnownDevice) -> String {
    let Some(abilities) = &device.abilities else {
        return say::NOT_REPORTED.to_owned();
    };
    let bytes = serde_json::to_vec(abilities).unwrap_or_default();
    let digest = field_package::ids::Sha256Hex::digest(&bytes);
    digest.as_str().to_owned()
}

/// Facts by which a card that asks again says what has changed; see [`drift`].
fn facts(device: &KnownDevice, run: &PreparedRun, now: Timestamp) -> Vec<Fact> {
    let policy = run.core.policy();
    let policy = say::policy(policy.version, short(policy.hash.as_str()));
    let seen = device.last_seen.map(|at| seconds_since(at, now));
    [
        (say::DEVICE_NOW, say::contact(device.is_online, seen)),
        (say::STANDING, device.standing.word().to_owned()),
        (say::DEVICE_KEY, grouped(run.core.device_key())),
        (say::SANDBOXES, short(&abilities(device)).to_owned()),
        (say::POLICY, policy),
        (say::SCRIPT, short(run.core.payload_digest()).to_owned()),
        (say::RAN_BEFORE, say::ran_before(!run.is_first).to_owned()),
    ]
    .map(|(label, value)| Fact {
        label: label.to_owned(),
        value,
    })
    .into()
}

/// The changes since a card with these facts was shown, in one sentence.
pub(crate) fn drift(shown: &[Fact], now: &Preview) -> Option<String> {
    const BOUND: [&str; 5] = [
        say::STANDING,
        say::DEVICE_KEY,
        say::SANDBOXES,
        say::POLICY,
        say::SCRIPT,
    ];
    let value = |facts: &[Fact], label: &str| {
        let fact = facts.iter().find(|fact| fact.label == label);
        fact.map(|fact| fact.value.clone())
    };
    let changed = BOUND.into_iter().filter(|label| {
        let (before, after) = (value(shown, label), value(&now.facts, label));
        before.is_some() && before != after
    });
    let changed: Vec<_> = changed.collect();
    // Another risk is another core, while all of these are the same.
    Some(if changed.is_empty() {
        say::RISK_CHANGED.to_owned()
    } else {
        say::changed(&changed)
    })
}

/// Records that the person is shown the values, before they are.
async fn look(parts: &FieldParts, call: &ToolCall, run: &PreparedRun) -> Result<(), ErrorBody> {
    if run.tokens.is_empty() {
        return Ok(());
    }
    let look = LookOrder {
        site: run.device.site.clone(),
        tokens: run.tokens.clone(),
        person: call.origin.person,
        place: say::place(&call.id.to_string()),
    };
    let shown = parts.ports.values.reveal(&look).await?;
    // All of them were restored a moment ago.
    if shown.len() < run.tokens.len() {
        return Err(crate::parts::fault(FieldFaultCode::Storage));
    }
    Ok(())
}

/// The input with real values in its texts; none if it has no tokens.
fn shown(parts: &FieldParts, run: &PreparedRun, input: &Value) -> Option<Value> {
    let mut shown = input.clone();
    restore_all(parts, &run.device.site, &mut shown);
    (shown != *input).then_some(shown)
}

fn restore_all(parts: &FieldParts, site: &str, value: &mut Value) {
    match value {
        Value::String(text) => *text = real(parts, site, text),
        Value::Array(items) => {
            for item in items {
                restore_all(parts, site, item);
            }
        }
        Value::Object(fields) => {
            for item in fields.values_mut() {
                restore_all(parts, site, item);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// A text with real values, or as it is.
fn real(parts: &FieldParts, site: &str, text: &str) -> String {
    let real = parts.ports.memory.restore(site, text);
    real.unwrap_or_else(|_| text.to_owned())
}

/// The name of a device, if everybody can type it, or else its identifier.
fn word_to_type(parts: &FieldParts, device: &KnownDevice) -> String {
    let name = real(parts, &device.site, &device.name);
    let is_easy = (1..=40).contains(&name.len())
        && name
            .bytes()
            .all(|byte| byte == b' ' || byte.is_ascii_graphic())
        && name.trim() == name;
    if is_easy { name } else { device.id.clone() }
}

fn sentence(run: &PreparedRun) -> String {
    let seconds = run.core.timeout_s();
    let steps = run.judged.facts.steps;
    match &run.source {
        Some(source) => say::run(&source.head.title, steps, seconds, &run.device.name),
        None => say::probe(&run.title(), seconds, &run.device.name),
    }
}

fn is_outdated(run: &PreparedRun) -> bool {
    let source = run.source.as_ref();
    source.is_some_and(|source| source.head.head > source.version.version)
}

fn level_reason(level: RiskLevel, score: u32) -> RiskReason {
    let weight = match level {
        RiskLevel::Low => RiskWeight::Note,
        RiskLevel::Medium => RiskWeight::Warning,
        RiskLevel::High => RiskWeight::Grave,
    };
    let reason = RiskReason::new("risk_level", weight, say::level(level, score));
    match level {
        RiskLevel::High => reason.meaning(say::TWO_PERSONS),
        RiskLevel::Low | RiskLevel::Medium => reason,
    }
}

/// A reason that points at the first line that it is about.
fn reason(finding: &RiskFinding, text: &str, diff: &LineDiff) -> RiskReason {
    let weight = match finding.weight {
        RuleWeight::Points(0..=1) => RiskWeight::Note,
        RuleWeight::Points(_) => RiskWeight::Warning,
        RuleWeight::High => RiskWeight::Grave,
    };
    let mut reason = RiskReason::new(finding.rule.id(), weight, finding.rule.sentence());
    // A reason about all of the script begins with its first line.
    let span = finding.spans.first().filter(|span| span.start > 0);
    let line = span.and_then(|span| diff.place(line_of(text, span)));
    reason.span = line.map(|line| RiskSpan {
        section: SCRIPT_SECTION,
        line,
    });
    reason
}

fn offline(wait_minutes: u32) -> RiskReason {
    RiskReason::new("offline", RiskWeight::Note, say::OFFLINE).meaning(say::waits(wait_minutes))
}

/// The first digits of a digest.
pub(crate) fn short(digest: &str) -> &str {
    digest.get(..16).unwrap_or(digest)
}

/// The first digits of a fingerprint in groups, as people compare it.
pub(crate) fn grouped(fingerprint: &str) -> String {
    let key = field_package::ids::Fingerprint::new(fingerprint);
    key.map_or_else(|_| fingerprint.to_owned(), |key| key.short())
}
