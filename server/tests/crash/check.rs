//! What must be true after a crash, whatever it cut off.

use std::{collections::BTreeMap, path::Path};

use anyhow::{Context, bail, ensure};
use protocol::{
    BlockedReason, CallId, ContentBlock, Event, EventBody, Tier, ToolOutcome, TurnOutcome, Verdict,
};
use serde_json::Value;
use store::{AuditReader, Verified};

use crate::{
    ledger::Effects,
    scenario::{Act, Scenario},
};

/// Ends that a crash brings about, and that are told.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Told {
    /// Calls whose outcome is unknown.
    pub(crate) unknown: usize,
    /// Calls that were cut off before they did anything.
    pub(crate) not_done: usize,
}

/// What the journal says of one call.
#[derive(Debug, Default)]
struct Life {
    name: String,
    input: Value,
    tier: Option<Tier>,
    approved: usize,
    denied: usize,
    /// Whether it was approved when it started.
    started: Vec<bool>,
    ended: Vec<ToolOutcome>,
    blocked: Vec<BlockedReason>,
}

/// The journal alone: nothing lost, nothing twice, everything ended.
pub(crate) fn journal(scenario: &Scenario, events: &[Event]) -> anyhow::Result<()> {
    let mut said = Vec::new();
    let mut ended = Vec::new();
    for (event, seq) in events.iter().zip(1..) {
        ensure!(event.seq.0 == seq, "event {seq} is missing");
        match &event.body {
            EventBody::TurnStarted { text, .. } => said.push(text.as_str()),
            EventBody::TurnFinished { outcome, .. } => ended.push(outcome),
            _ => {}
        }
    }
    ensure!(said == scenario.says, "heard {said:?}");
    let answered = ended.iter().all(|end| **end == TurnOutcome::Answered);
    ensure!(
        answered && ended.len() == said.len(),
        "the turns ended with {ended:?}"
    );
    for (call, life) in lives(events) {
        let ends = life.ended.len() + life.blocked.len() + life.denied;
        ensure!(ends == 1, "call {call} has {ends} ends: {life:?}");
        ensure!(
            life.started.len() == life.ended.len(),
            "call {call} started {} times: {life:?}",
            life.started.len()
        );
        ensure!(
            life.tier != Some(Tier::Red) || life.started.iter().all(|approved| *approved),
            "call {call} ran without a word: {life:?}"
        );
    }
    Ok(())
}

fn lives(events: &[Event]) -> BTreeMap<CallId, Life> {
    let mut lives = BTreeMap::<CallId, Life>::new();
    for event in events {
        match &event.body {
            EventBody::AssistantMessage { blocks, .. } => {
                for block in blocks {
                    if let ContentBlock::ToolUse { call, name, input } = block {
                        let life = lives.entry(*call).or_default();
                        life.name.clone_from(name);
                        life.input.clone_from(input);
                    }
                }
            }
            EventBody::ConfirmationDecided { call, verdict, .. } => {
                let life = lives.entry(*call).or_default();
                match verdict {
                    Verdict::Approved => life.approved += 1,
                    _ => life.denied += 1,
                }
            }
            EventBody::ToolStarted { call, tier, .. } => {
                let life = lives.entry(*call).or_default();
                life.tier = Some(*tier);
                life.started.push(life.approved > 0);
            }
            EventBody::ToolFinished { call, outcome, .. } => {
                lives.entry(*call).or_default().ended.push(outcome.clone());
            }
            EventBody::ToolBlocked { call, reason, .. } => {
                lives.entry(*call).or_default().blocked.push(*reason);
            }
            _ => {}
        }
    }
    lives
}

/// The journal against the ledger: what was done is what was authorised, once, and told as it is.
pub(crate) fn effects(
    scenario: &Scenario,
    events: &[Event],
    effects: &Effects,
) -> anyhow::Result<Told> {
    let lives: Vec<Life> = lives(events).into_values().collect();
    let mut told = Told::default();
    let mut accounted = Effects::new();
    let mut broken = false;
    for act in scenario.acts {
        let is_this = |life: &&Life| {
            life.name == act.tool
                && life.input.get("vmid").and_then(Value::as_u64) == Some(act.guest)
        };
        let mut found = lives.iter().filter(is_this);
        let life = found.next().with_context(|| format!("no {}", act.tool))?;
        ensure!(found.next().is_none(), "{} was asked for twice", act.tool);
        let kinds = effects.get(&act.guest);
        let done = kinds.map_or(0, |kinds| {
            kinds.iter().filter(|kind| *kind == act.task).count()
        });
        if done > 0 {
            let kinds = accounted.entry(act.guest).or_default();
            kinds.extend(std::iter::repeat_n(act.task.to_owned(), done));
            kinds.sort();
        }
        end_of(act, life, done, broken, &mut told).with_context(|| {
            format!("{} {}: {life:?}, {done} in the ledger", act.tool, act.guest)
        })?;
        broken |= act.authorised && !matches!(life.ended[..], [ToolOutcome::Succeeded { .. }]);
    }
    ensure!(
        accounted == *effects,
        "the ledger has {effects:?}, of which {accounted:?} was asked for"
    );
    Ok(told)
}

fn end_of(
    act: &Act,
    life: &Life,
    done: usize,
    broken: bool,
    told: &mut Told,
) -> anyhow::Result<()> {
    if !act.authorised {
        ensure!(done == 0, "it was done without a word");
        ensure!(life.started.is_empty(), "it started without a word");
        return Ok(());
    }
    match (&life.ended[..], &life.blocked[..]) {
        ([ToolOutcome::Succeeded { .. }], []) => ensure!(done == 1, "it was not done once"),
        ([ToolOutcome::OutcomeUnknown { .. }], []) => {
            ensure!(done <= 1, "it was done twice");
            told.unknown += 1;
        }
        ([ToolOutcome::Failed { error }], []) => {
            ensure!(
                error.message.contains("did not take effect"),
                "it failed: {error}"
            );
            ensure!(done == 0, "it was done, and the contrary is said");
            told.not_done += 1;
        }
        ([], [BlockedReason::NotExecuted]) if broken => {
            ensure!(done == 0, "it was done, and the contrary is said");
            told.not_done += 1;
        }
        _ => bail!("that is no end"),
    }
    Ok(())
}

/// The audit chain is sound and tells what the journal tells.
pub(crate) async fn audit(data: &Path, events: &[Event]) -> anyhow::Result<()> {
    let mut reader = AuditReader::open(data).await?;
    let sound = reader.verify(None).await?;
    ensure!(
        matches!(sound, Verified::Sound { rows, .. } if rows > 0),
        "the audit chain: {sound:?}"
    );
    let mut rows = Vec::new();
    let each = |row: store::AuditRow| -> anyhow::Result<()> {
        if row.conversation.is_some() {
            let body: Value = serde_json::from_str(&row.body)?;
            rows.push(body.get("event").cloned().unwrap_or_default());
        }
        Ok(())
    };
    reader.rows(1..=i64::MAX, each).await?;
    let mut wanted = Vec::new();
    for event in events {
        let audited = matches!(
            event.body,
            EventBody::ToolQueued { .. }
                | EventBody::ToolStarted { .. }
                | EventBody::ToolBlocked { .. }
                | EventBody::ToolFinished { .. }
                | EventBody::ConfirmationRequested { .. }
                | EventBody::ConfirmationDecided { .. }
        );
        if audited {
            wanted.push(serde_json::to_value(&event.body)?);
        }
    }
    ensure!(
        rows == wanted,
        "the audit chain has {} rows of the conversation, the journal {} events for it",
        rows.len(),
        wanted.len()
    );
    Ok(())
}
