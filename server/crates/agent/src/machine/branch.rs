//! Branches: the part of another conversation that one takes over, and the part that it leaves
//! behind.
//!
//! The records of a branch begin as the other's do, byte for byte, so that the requests do too.
//! Then `Branched` cuts off all that was live in them: no call above it runs, waits, is granted or
//! resolved.
//!
//! A copied answer was paid for once: the budget of a branch counts its own usage alone.

use std::{collections::HashSet, sync::Arc};

use protocol::{
    CallId, ContentBlock, ConversationId, Effect, EffectOutcome, EventBody, MessageId, ModelChoice,
    OriginSource, Reference, Resolution, Seq, Spent, Tier, ToolOutcome,
};
use serde_json::{Value, json};

use super::{
    block::{Block, array, raws},
    grants::Grants,
    state::{Conversation, Corrupt, Queued, Said},
};
use crate::{
    context,
    ports::{NewRecord, Record},
    raw_json::text_block,
    tagged,
};

/// The most calls of other branches that the model is told of; the newest ones.
const TOLD: usize = 40;
/// The largest input in that note, in bytes of JSON.
const MAX_INPUT: usize = 512;

/// A branch of a conversation at one of its messages.
#[derive(Debug)]
pub(crate) struct BranchCut<'a> {
    /// The records that are copied.
    kept: &'a [Record],
    left: &'a [Record],
    /// The content of the message at the cut, which is left behind.
    pub(crate) said: Said,
}

/// Splits the records before a message; none if no turn began with it.
pub(crate) fn cut(records: &[Record], message: MessageId) -> Option<BranchCut<'_>> {
    let at = records.iter().position(|record| {
        matches!(record.event.body, EventBody::TurnStarted { message: of, .. } if of == message)
    })?;
    let (kept, left) = records.split_at(at);
    let first = left.first()?;
    match &first.event.body {
        EventBody::TurnStarted {
            text, references, ..
        } => Some(BranchCut {
            kept,
            left,
            said: Said {
                text: text.clone(),
                references: references.clone(),
                // Its words are the first block.
                files: raws(first.raw.as_deref())
                    .ok()?
                    .into_iter()
                    .skip(1)
                    .collect(),
            },
        }),
        _ => None,
    }
}

impl<'a> BranchCut<'a> {
    pub(crate) fn kept(&self) -> &'a [Record] {
        self.kept
    }

    /// The last event that is copied.
    pub(crate) fn until(&self) -> Seq {
        self.kept.last().map_or(Seq(0), |record| record.event.seq)
    }

    /// The calls that acted and are left behind.
    pub(crate) fn left(&self) -> Vec<Effect> {
        // A call is asked for, begins and ends within one turn, and turns are kept or left whole.
        acted(self.left)
    }

    /// The model and effort in force at the cut.
    pub(crate) fn choice(&self) -> Option<ModelChoice> {
        let kept = self.kept.iter().rev();
        let mut choices = kept.filter_map(|record| match &record.event.body {
            EventBody::ModelChosen { model, effort, .. } => Some((model, *effort)),
            EventBody::ConversationStarted { model, .. } => Some((model, None)),
            _ => None,
        });
        let (model, effort) = choices.next()?;
        let model = model.clone();
        Some(ModelChoice { model, effort })
    }

    /// Outcomes of copied calls that became known after the cut.
    pub(crate) fn resolved(&self) -> Vec<NewRecord> {
        let kept: HashSet<_> = calls(self.kept).map(|(call, ..)| call).collect();
        let later = self.left.iter().filter(|record| {
            matches!(&record.event.body, EventBody::OutcomeResolved { call, .. } if kept.contains(call))
        });
        later
            .map(|record| NewRecord::event(record.event.body.clone()))
            .collect()
    }

    /// The calls of all branches (`family`) that acted and that the copied part does not mention.
    pub(crate) fn apart(&self, family: &[Vec<Record>]) -> Vec<Effect> {
        let mut told: HashSet<_> = calls(self.kept).map(|(call, ..)| call).collect();
        let before = self
            .kept
            .iter()
            .filter_map(|record| match &record.event.body {
                EventBody::Branched { effects, .. } => Some(effects),
                _ => None,
            });
        told.extend(before.flatten().map(|effect| effect.call));
        let all = family.iter().flat_map(|records| acted(records));
        let mut apart: Vec<_> = all.filter(|effect| told.insert(effect.call)).collect();
        // Identifiers of calls sort by time.
        apart.sort_by_key(|effect| effect.call);
        apart
    }
}

/// The record that ends the copied part of a branch.
pub(crate) fn branched(
    parent: ConversationId,
    message: MessageId,
    title: String,
    by: &str,
    mut effects: Vec<Effect>,
) -> NewRecord {
    let over = effects.len().saturating_sub(TOLD);
    effects.drain(..over);
    let detail = json!({ "calls": effects.iter().map(|it| it.call).collect::<Vec<_>>() });
    NewRecord::event(EventBody::Branched {
        parent,
        message,
        title,
        by: by.to_owned(),
        effects,
        more: (over > 0).then(|| u32::try_from(over).unwrap_or(u32::MAX)),
    })
    .audited(detail)
}

/// The model's text in an answer, to be carried out in another conversation; none if there is no
/// such answer or it has no text.
pub(crate) fn answer_text(records: &[Record], answer: MessageId) -> Option<String> {
    let blocks = records.iter().find_map(|record| match &record.event.body {
        EventBody::AssistantMessage {
            message, blocks, ..
        } if *message == answer => Some(blocks),
        _ => None,
    })?;
    let texts: Vec<&str> = blocks
        .iter()
        .filter_map(|block| match block {
            ContentBlock::Text { text } => Some(text.as_str()),
            _ => None,
        })
        .collect();
    Some(texts.join("\n\n")).filter(|text| !text.trim().is_empty())
}

fn calls(records: &[Record]) -> impl Iterator<Item = (CallId, &str, &Value)> {
    let blocks = records.iter().flat_map(|record| match &record.event.body {
        EventBody::AssistantMessage { blocks, .. } => blocks.as_slice(),
        _ => &[],
    });
    blocks.filter_map(|block| match block {
        ContentBlock::ToolUse { call, name, input } => Some((*call, name.as_str(), input)),
        _ => None,
    })
}

/// The calls that acted, or may have.
fn acted(records: &[Record]) -> Vec<Effect> {
    // In the order of the journal: a start above GREEN counts as an effect of unknown outcome until
    // its end or a later resolution says otherwise, and a cancelled call did nothing.
    let mut effects: Vec<Effect> = Vec::new();
    for record in records {
        match &record.event.body {
            EventBody::ToolStarted {
                call,
                tier,
                target,
                input,
                ..
            } if *tier > Tier::Green => {
                // The start has an input only if a person changed it; the rest is in the answer.
                let asked = calls(records).find(|(of, ..)| of == call);
                let (tool, written) =
                    asked.map_or(("", &Value::Null), |(_, name, input)| (name, input));
                let input = input.as_ref().unwrap_or(written);
                effects.retain(|effect| effect.call != *call);
                effects.push(Effect {
                    call: *call,
                    tool: tool.to_owned(),
                    input: if input.to_string().len() > MAX_INPUT {
                        Value::Null
                    } else {
                        input.clone()
                    },
                    target: target.clone(),
                    tier: *tier,
                    outcome: EffectOutcome::Unknown,
                });
            }
            EventBody::ToolFinished {
                call,
                outcome: ToolOutcome::Cancelled,
                ..
            } => effects.retain(|effect| effect.call != *call),
            EventBody::ToolFinished { call, outcome, .. } => {
                let outcome = match outcome {
                    ToolOutcome::Succeeded { .. } => EffectOutcome::Done,
                    ToolOutcome::Failed { .. } => EffectOutcome::Failed,
                    _ => EffectOutcome::Unknown,
                };
                settle(&mut effects, *call, outcome);
            }
            EventBody::OutcomeResolved {
                call, resolution, ..
            } => match resolution {
                Resolution::Done => settle(&mut effects, *call, EffectOutcome::Done),
                Resolution::NotDone => settle(&mut effects, *call, EffectOutcome::NotDone),
                Resolution::Unknown => {}
            },
            _ => {}
        }
    }
    effects
}

fn settle(effects: &mut [Effect], call: CallId, outcome: EffectOutcome) {
    if let Some(effect) = effects.iter_mut().find(|effect| effect.call == call) {
        effect.outcome = outcome;
    }
}

/// The note that tells the model of calls in other branches.
fn note(effects: &[Effect], more: Option<u32>) -> String {
    let calls = effects.iter().map(|effect| {
        let outcome = match effect.outcome {
            EffectOutcome::Done => "took effect",
            EffectOutcome::Failed => "failed; parts of it may have taken effect",
            EffectOutcome::NotDone => "did not take effect",
            EffectOutcome::Unknown => "unknown whether it took effect",
        };
        json!({
            "tool": effect.tool,
            "input": effect.input,
            "target": effect.target,
            "outcome": outcome,
        })
    });
    let mut data = json!({ "calls": calls.collect::<Vec<_>>() });
    if let Some(more) = more {
        data["older_calls_not_listed"] = json!(more);
    }
    let calls = tagged::tagged("branches", data);
    format!(
        "[The operator went back to an earlier message; this is another branch from there. In other \
         branches these calls were made after it. Their effects stand: branching undid nothing. You \
         do not see their results, so look at the state before you rely on it or act again.]\n{calls}"
    )
}

impl Conversation {
    /// Ends everything that was live in the copied part: it stays in the other conversation.
    pub(super) fn branch(&mut self, effects: &[Effect], more: Option<u32>) {
        self.queue.clear();
        self.titled = true;
        self.held = false;
        self.grants = Grants::default();
        self.decided.clear();
        self.second_calls.clear();
        self.unknown.clear();
        // The other conversation has paid for what was copied.
        self.spent = Spent::default();
        self.told = false;
        if !effects.is_empty() {
            self.tell(&note(effects, more));
        }
    }

    /// The record of a message for the running turn's next step, or for a turn of its own if none
    /// runs.
    pub(crate) fn steer(
        &self,
        turn: protocol::TurnId,
        message: MessageId,
        said: Said,
        queue_limit: usize,
    ) -> Result<NewRecord, protocol::ErrorBody> {
        let mut record = self.send(turn, message, said, queue_limit)?;
        if self.running().is_some()
            && let EventBody::MessageQueued {
                message,
                text,
                references,
            } = record.body
        {
            record.body = EventBody::MessageSteered {
                message,
                text,
                references,
            };
        }
        Ok(record)
    }

    /// Takes in a message for the next step.
    pub(super) fn hear(
        &mut self,
        turn: protocol::TurnId,
        message: MessageId,
        text: &str,
        references: &[Reference],
        blocks: Vec<Block>,
    ) -> Result<(), Corrupt> {
        self.take_in(message, text, references, &blocks);
        self.turn(turn)?.unsaid.extend(blocks);
        Ok(())
    }

    /// Sorts a message by whose word it is: the text is the person's, the blocks after the first
    /// are data.
    pub(super) fn take_in(
        &mut self,
        message: MessageId,
        text: &str,
        references: &[Reference],
        blocks: &[Block],
    ) {
        let waited = self.queue.iter().find(|queued| queued.message == message);
        let sent = waited.map_or(self.head, |queued| queued.seq);
        self.queue.retain(|queued| queued.message != message);
        let things = references.iter().filter(|it| it.file.is_none());
        self.heard.person(text, things.map(|it| it.id.as_str()));
        // The person has spoken again: a call that they denied before is asked for like any other.
        // A message that was queued before a denial does not undo it.
        self.denied.retain(|_, denied| *denied > sent);
        for block in blocks.iter().skip(1) {
            let source = context::source_of(&block.raw);
            self.heard.outside(source, Arc::clone(&block.raw));
        }
        if references.iter().any(Reference::is_image) {
            self.heard.image(OriginSource::File);
        }
        self.images.add(references);
    }

    /// The records of the queued messages that the running turn's next step reads first.
    pub(crate) fn read_waiting(&self, turn: protocol::TurnId) -> Vec<NewRecord> {
        let waiting = self.queue.iter().filter(|queued| queued.steers);
        waiting.map(|queued| message_read(turn, queued)).collect()
    }
}

fn message_read(turn: protocol::TurnId, queued: &Queued) -> NewRecord {
    let mut blocks = vec![text_block(queued.said.words())];
    let Said {
        text,
        references,
        files,
    } = queued.said.clone();
    let things = || references.iter().filter(|it| it.file.is_none());
    if things().next().is_some() {
        let about: Vec<_> = things()
            .map(|of| json!({ "kind": of.kind, "id": of.id }))
            .collect();
        blocks.push(text_block(&context::about(&Value::from(about))));
    }
    NewRecord {
        raw: Some(array(
            blocks
                .iter()
                .map(|block| &**block)
                .chain(files.iter().map(|block| &**block)),
        )),
        body: EventBody::MessageRead {
            turn,
            message: queued.message,
            text,
            references,
        },
        audit: None,
        trace: Default::default(),
    }
}
