//! The invariants after a crash, whatever it cut off.

use std::{collections::BTreeMap, mem::discriminant, path::Path};

use anyhow::{Context, bail, ensure};
use protocol::{
    BlockedReason, CallId, ContentBlock, ConversationId, Event, EventBody, MessageId, Tier,
    ToolOutcome, TurnOutcome, Verdict,
};
use serde_json::Value;
use store::{AuditReader, Verified};

use crate::{
    ground::SECOND,
    ledger::Effects,
    scenario::{Act, End, Scenario, Then},
    tab::said,
};

/// Outcomes of a crash that are reported.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Told {
    /// Calls whose outcome is unknown.
    pub(crate) unknown: usize,
    /// Calls that were cut off before they did anything.
    pub(crate) not_done: usize,
}

/// The journal's account of one call.
#[derive(Debug, Default)]
struct Life {
    /// Its place among all calls: ids that were made in one moment are in no order.
    place: usize,
    /// The answer that it is part of.
    message: Option<MessageId>,
    name: String,
    input: Value,
    tier: Option<Tier>,
    /// The number of times that the gate alone let it run.
    queued: usize,
    asked: usize,
    verdicts: Vec<Verdict>,
    started: Vec<Started>,
    ended: Vec<ToolOutcome>,
    blocked: Vec<BlockedReason>,
}

/// A start, and the facts at that time.
#[derive(Debug)]
struct Started {
    approved: bool,
    granted: bool,
    /// Its input, if it is not the model's.
    input: Option<Value>,
}

impl Life {
    fn ends(&self) -> usize {
        let refused = self.verdicts.iter().filter(|v| **v != Verdict::Approved);
        self.ended.len() + self.blocked.len() + refused.count()
    }
}

/// A conversation as a tab has seen it.
pub(crate) struct Seen<'a> {
    pub(crate) conversation: ConversationId,
    /// Its whole journal.
    pub(crate) events: &'a [Event],
    /// Its own events, without a branch's copies.
    pub(crate) own: &'a [Event],
}

/// The journal of each conversation alone: nothing lost, nothing twice, everything ended.
pub(crate) fn journals(scenario: &Scenario, seen: &[Seen<'_>]) -> anyhow::Result<()> {
    for (number, seen) in seen.iter().enumerate() {
        journal(scenario, number, seen)?;
    }
    if let (Some(Then::Branch), [parent, branch]) = (scenario.then, seen) {
        let copied = branch.events.len() - branch.own.len();
        ensure!(
            copied > 0 && branch.events.get(..copied) == parent.events.get(..copied),
            "the branch is not a copy of what stands above it"
        );
    }
    Ok(())
}

fn journal(scenario: &Scenario, number: usize, seen: &Seen<'_>) -> anyhow::Result<()> {
    for (event, seq) in seen.events.iter().zip(1..) {
        ensure!(event.seq.0 == seq, "event {seq} is missing");
    }
    let events = seen.own;
    let heard: Vec<_> = events.iter().filter_map(|it| said(&it.body)).collect();
    ensure!(heard == scenario.says(number), "heard {heard:?}");
    let mut started = 0;
    let mut ended = Vec::new();
    for event in events {
        match &event.body {
            EventBody::TurnStarted { .. } | EventBody::ActionStarted { .. } => started += 1,
            EventBody::TurnFinished { outcome, .. } => ended.push(outcome),
            _ => {}
        }
    }
    let expect = if scenario.is_own(number) {
        TurnOutcome::Done
    } else {
        TurnOutcome::Answered
    };
    let answered = ended.iter().all(|end| **end == expect);
    ensure!(
        answered && ended.len() == started,
        "of {started} turns ended with {ended:?}"
    );
    if let Some(by) = scenario.second.then_some(SECOND) {
        let decided = events.iter().filter_map(|event| match &event.body {
            EventBody::ConfirmationDecided { by, .. } => Some(by.as_deref()),
            _ => None,
        });
        let decided: Vec<_> = decided.collect();
        ensure!(decided == [Some(by)], "it was decided by {decided:?}");
    }
    for (call, life) in lives(events) {
        let ends = life.ends();
        ensure!(ends == 1, "call {call} has {ends} ends: {life:?}");
        ensure!(
            life.started.len() == life.ended.len(),
            "call {call} started {} times: {life:?}",
            life.started.len()
        );
        ensure!(
            life.tier != Some(Tier::Red)
                || life
                    .started
                    .iter()
                    .all(|start| start.approved != start.granted),
            "call {call} ran without a word: {life:?}"
        );
    }
    grants(events)
}

/// No grant is used before it was given, or more often than it allows.
fn grants(events: &[Event]) -> anyhow::Result<()> {
    let mut left = BTreeMap::new();
    for event in events {
        match &event.body {
            EventBody::GrantGiven { grant, .. } => {
                let before = left.insert(grant.id, grant.terms.uses);
                ensure!(before.is_none(), "grant {} was given twice", grant.id);
            }
            EventBody::ToolStarted {
                grant: Some(grant), ..
            } => {
                let uses = left.get_mut(grant).filter(|uses| **uses > 0);
                *uses.with_context(|| format!("grant {grant} was used up"))? -= 1;
            }
            _ => {}
        }
    }
    Ok(())
}

fn lives<'a>(events: impl IntoIterator<Item = &'a Event>) -> BTreeMap<CallId, Life> {
    let mut lives = BTreeMap::<CallId, Life>::new();
    for event in events {
        match &event.body {
            EventBody::AssistantMessage {
                message, blocks, ..
            } => {
                for block in blocks {
                    if let ContentBlock::ToolUse { call, name, input } = block {
                        let place = lives.len();
                        let life = lives.entry(*call).or_default();
                        life.place = place;
                        life.message = Some(*message);
                        life.name.clone_from(name);
                        life.input.clone_from(input);
                    }
                }
            }
            EventBody::ActionStarted {
                message,
                call,
                tool,
                input,
                ..
            } => {
                let place = lives.len();
                let life = lives.entry(*call).or_default();
                life.place = place;
                life.message = Some(*message);
                life.name.clone_from(tool);
                life.input.clone_from(input);
            }
            EventBody::ConfirmationDecided { call, verdict, .. } => {
                lives
                    .entry(*call)
                    .or_default()
                    .verdicts
                    .push(verdict.clone());
            }
            EventBody::ToolQueued { call, .. } => {
                lives.entry(*call).or_default().queued += 1;
            }
            EventBody::ConfirmationRequested { call, .. } => {
                lives.entry(*call).or_default().asked += 1;
            }
            EventBody::ToolStarted {
                call,
                tier,
                grant,
                input,
                ..
            } => {
                let life = lives.entry(*call).or_default();
                life.tier = Some(*tier);
                life.started.push(Started {
                    approved: life.verdicts.last() == Some(&Verdict::Approved),
                    granted: grant.is_some(),
                    input: input.clone(),
                });
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

/// The journal against the ledger: effects are the allowed ones, once each, and reported as they
/// are.
pub(crate) fn effects(
    scenario: &Scenario,
    seen: &[Seen<'_>],
    effects: &Effects,
    deaths: usize,
) -> anyhow::Result<Told> {
    // In the order in which they were made.
    let lives = lives(seen.iter().flat_map(|seen| seen.own));
    let mut lives: Vec<&Life> = lives.values().collect();
    lives.sort_by_key(|life| life.place);
    let mut told = Told::default();
    // Entries of the ledger without a call so far.
    let mut left = effects.clone();
    // Entries that may be there or not.
    let mut unknown = Vec::new();
    // The answer in which a call did not succeed.
    let mut broken = None;
    for act in &scenario.acts {
        let is_this = |life: &&Life| {
            life.name == act.tool && (act.input.is_null() || life.input == act.input)
        };
        let found = lives.iter().position(is_this);
        let life = lives.remove(found.with_context(|| format!("no {}", act.tool))?);
        let most = if act.repeats { 1 + deaths } else { 1 };
        let there = left.get(act.effect).copied().unwrap_or_default();
        let told_of = end_of(act, life, broken == life.message).with_context(|| {
            format!(
                "{} {}: {life:?}, {there} in the ledger",
                act.tool, act.input
            )
        })?;
        match told_of {
            ToldOf::Done => {
                ensure!(there > 0, "{} is said to be done, and was not", act.effect);
                take(&mut left, act, most)?;
            }
            ToldOf::Unknown => {
                let is_silent = matches!(
                    life.ended[..],
                    [ToolOutcome::OutcomeUnknown { known: None }]
                );
                // A document can always be looked at.
                ensure!(
                    !is_silent || scenario.company.is_none(),
                    "{} is unknown, without a word",
                    act.effect
                );
                unknown.push((act, most));
            }
            ToldOf::CutOff => told.not_done += 1,
            ToldOf::NotWanted => {}
        }
        if !matches!(life.ended[..], [ToolOutcome::Succeeded { .. }]) && act.end.runs() {
            broken = life.message;
        }
    }
    told.unknown = unknown.len();
    for (act, most) in unknown {
        take(&mut left, act, most)?;
    }
    left.retain(|_, times| *times > 0);
    ensure!(
        left.is_empty(),
        "the ledger has {effects:?}, of which nobody wanted {left:?}"
    );
    Ok(told)
}

/// Removes the effects of a call from the ledger, this many at most, with their consequences.
fn take(left: &mut Effects, act: &Act, most: usize) -> anyhow::Result<()> {
    let there = left.get(act.effect).copied().unwrap_or_default().min(most);
    for effect in std::iter::once(&act.effect).chain(act.with) {
        for _ in 0..there {
            let times = left.get_mut(*effect).filter(|times| **times > 0);
            *times.with_context(|| format!("{} came without {effect}", act.effect))? -= 1;
        }
    }
    for effect in act.follows {
        if let Some(times) = left.get_mut(*effect) {
            *times = times.saturating_sub(most);
        }
    }
    Ok(())
}

/// The reported end of a call.
enum ToldOf {
    Done,
    Unknown,
    /// It was cut off before it did anything.
    CutOff,
    /// It was not supposed to run, and did not.
    NotWanted,
}

/// Checks the end of a call.
fn end_of(act: &Act, life: &Life, broken: bool) -> anyhow::Result<ToldOf> {
    if let ([], [BlockedReason::NotExecuted], true) = (&life.ended[..], &life.blocked[..], broken) {
        return Ok(if act.end.runs() {
            ToldOf::CutOff
        } else {
            ToldOf::NotWanted
        });
    }
    let verdict = life.verdicts.last();
    match &act.end {
        // The comment of a denial does not matter.
        End::Refused(wanted) => ensure!(
            verdict.map(discriminant) == Some(discriminant(wanted)),
            "it did not end with {wanted:?}"
        ),
        End::Blocked(reason) => ensure!(life.blocked == [*reason], "it was not blocked"),
        End::Granted => ensure!(
            life.asked == 0 && life.started.iter().all(|start| start.granted),
            "it did not run under the grant"
        ),
        End::Authorised => ensure!(verdict == Some(&Verdict::Approved), "nobody was asked"),
        End::Runs => ensure!(
            life.asked == 0 && life.queued == 1 && life.tier == Some(Tier::Yellow),
            "it is not the gate that let it run"
        ),
    }
    if !act.end.runs() {
        ensure!(life.started.is_empty(), "it started without a word");
        return Ok(ToldOf::NotWanted);
    }
    let ran_with = life.started.first().map(|start| &start.input);
    ensure!(
        ran_with == Some(&act.edited),
        "it did not start with what the card showed"
    );
    match (&life.ended[..], &life.blocked[..]) {
        ([ToolOutcome::Succeeded { .. }], []) => Ok(ToldOf::Done),
        ([ToolOutcome::OutcomeUnknown { .. }], []) => Ok(ToldOf::Unknown),
        ([ToolOutcome::Failed { error }], []) => {
            ensure!(
                error.message.contains("did not take effect"),
                "it failed: {error}"
            );
            Ok(ToldOf::CutOff)
        }
        _ => bail!("that is no end"),
    }
}

/// The audit chain is sound and agrees with the journals and with the changes of the kill switch.
pub(crate) async fn audit(
    data: &Path,
    scenario: &Scenario,
    seen: &[Seen<'_>],
) -> anyhow::Result<()> {
    let mut reader = AuditReader::open(data).await?;
    let sound = reader.verify(None).await?;
    ensure!(
        matches!(sound, Verified::Sound { rows, .. } if rows > 0),
        "the audit chain: {sound:?}"
    );
    let mut rows = BTreeMap::<String, Vec<Value>>::new();
    let mut switched = Vec::new();
    let each = |row: store::AuditRow| -> anyhow::Result<()> {
        let body: Value = serde_json::from_str(&row.body)?;
        let event = body.get("event").cloned().unwrap_or_default();
        if let Some(conversation) = row.conversation {
            rows.entry(conversation).or_default().push(event);
        } else if row.kind == "kill_switch_set" {
            switched.extend(event.get("on").and_then(Value::as_bool));
        }
        Ok(())
    };
    reader.rows(1..=i64::MAX, each).await?;
    for seen in seen {
        let rows = rows.remove(&seen.conversation.to_string());
        same_rows(&rows.unwrap_or_default(), seen.own)?;
    }
    ensure!(rows.is_empty(), "the audit chain knows others: {rows:?}");
    ensure!(
        switched == scenario.switched,
        "the kill switch was set: {switched:?}"
    );
    Ok(())
}

/// The first difference is named by the kinds of its events: a chain with an unexpected kind
/// differs from one with a row too few.
fn same_rows(rows: &[Value], events: &[Event]) -> anyhow::Result<()> {
    let wanted = events.iter().filter(|event| is_audited(&event.body));
    let wanted: Vec<_> = wanted
        .map(|event| serde_json::to_value(&event.body))
        .collect::<Result<_, _>>()?;
    let kind = |event: Option<&Value>| match event {
        Some(event) => event["type"].to_string(),
        None => "nothing".to_owned(),
    };
    for at in 0..rows.len().max(wanted.len()) {
        let (row, event) = (rows.get(at), wanted.get(at));
        ensure!(
            row == event,
            "row {at} of the audit chain has {}, the journal {} for it",
            kind(row),
            kind(event)
        );
    }
    Ok(())
}

/// True if an event is in the audit chain: it decides, allows, runs or copies.
///
/// Each event is named, so that whoever adds one decides it here.
fn is_audited(body: &EventBody) -> bool {
    match body {
        EventBody::ActionStarted { .. }
        | EventBody::Branched { .. }
        | EventBody::ToolQueued { .. }
        | EventBody::ConfirmationRequested { .. }
        | EventBody::ConfirmationDecided { .. }
        | EventBody::GrantGiven { .. }
        | EventBody::GrantRevoked { .. }
        | EventBody::ToolStarted { .. }
        | EventBody::ToolBlocked { .. }
        | EventBody::ToolFinished { .. }
        | EventBody::OutcomeResolved { .. } => true,
        EventBody::ConversationStarted { .. }
        | EventBody::TitleChanged { .. }
        | EventBody::TitleWritten { .. }
        | EventBody::ModelChosen { .. }
        | EventBody::MessageQueued { .. }
        | EventBody::MessageSteered { .. }
        | EventBody::MessageRead { .. }
        | EventBody::MessageWithdrawn { .. }
        | EventBody::TurnStarted { .. }
        | EventBody::AskedByLink { .. }
        | EventBody::TurnResumed { .. }
        | EventBody::StepStarted { .. }
        | EventBody::StepInterrupted { .. }
        | EventBody::AssistantMessage { .. }
        | EventBody::StopRequested { .. }
        | EventBody::BudgetNear { .. }
        | EventBody::TurnFinished { .. }
        | EventBody::Unknown => false,
    }
}
