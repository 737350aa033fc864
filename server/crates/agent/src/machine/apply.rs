//! The fold of a journal, one record at a time.

use std::{
    collections::{BTreeSet, HashMap, HashSet, VecDeque},
    sync::Arc,
};

use protocol::{
    BudgetScope, CallId, Cost, ErrorCode, Event, EventBody, ModelChoice, OriginSource, Reference,
    Resolution, Spent, Tier, Timestamp, ToolOutcome, TurnId, TurnOutcome, Verdict,
};
use serde_json::json;

use super::{
    block::{Block, raws},
    frozen::Frozen,
    grants::Grants,
    images::Images,
    state::{
        Answer, Call, CallPlace, CallState, Conversation, Corrupt, Queued, Said, Step, Turn,
        UnknownCall,
    },
};
use crate::{
    ports::Record,
    tagged,
    taint::{ConversationTexts, denied_key},
    texts,
};

impl Conversation {
    /// Folds a whole journal, whose first record must be `ConversationStarted`.
    pub(crate) fn from_records(records: &[Record]) -> Result<Self, Corrupt> {
        let (first, rest) = records.split_first().ok_or(Corrupt::NoStart)?;
        let EventBody::ConversationStarted {
            title: _,
            model,
            mode,
            toolsets,
            from: _,
        } = &first.event.body
        else {
            return Err(Corrupt::NoStart);
        };
        let frozen = Frozen::from_raw(model, *mode, toolsets, first.raw.as_deref())?;
        let mut conversation = Self {
            choice: ModelChoice {
                model: model.clone(),
                effort: None,
            },
            spent: Spent::default(),
            told: false,
            frozen,
            head: first.event.seq,
            turns: VecDeque::new(),
            queue: VecDeque::new(),
            held: false,
            tokens: 0,
            titled: false,
            answered: 0,
            heard: ConversationTexts::default(),
            grants: Grants::default(),
            denied: HashMap::new(),
            images: Images::default(),
            decided: HashMap::new(),
            second_calls: HashSet::new(),
            link_makers: BTreeSet::new(),
            unknown: HashMap::new(),
            news: Vec::new(),
            old_news: Vec::new(),
        };
        for record in rest {
            conversation.apply(record)?;
        }
        Ok(conversation)
    }

    /// Applies one record of the journal.
    pub(crate) fn apply(&mut self, record: &Record) -> Result<(), Corrupt> {
        // Records come here only once they are written, after a restart as during a run: what this
        // function makes of them is all that a restart knows. So it uses nothing but the record and
        // the state before it (no clock, no new ids), and a record that does not fit the ones
        // before is an error: a guessed state could run a call twice.
        let Event { seq, at, body } = &record.event;
        if *seq != self.head.next() {
            return Err(Corrupt::Gap);
        }
        self.head = *seq;
        let raw = record.raw.as_deref();
        match body {
            EventBody::ConversationStarted { .. } => return Err(Corrupt::Order),
            EventBody::Unknown => {}
            EventBody::AskedByLink { by } => {
                self.link_makers.insert(*by);
            }
            EventBody::TitleChanged { .. } => self.titled = true,
            EventBody::TitleWritten { usage, cost, .. } => {
                self.titled = true;
                self.spent.add(*usage, *cost);
            }
            EventBody::ModelChosen { model, effort, .. } => {
                self.choice = ModelChoice {
                    model: model.clone(),
                    effort: *effort,
                };
            }
            EventBody::BudgetNear { scope, .. } => {
                self.told |= *scope == BudgetScope::Conversation;
            }
            EventBody::MessageQueued {
                message,
                text,
                references,
            }
            | EventBody::MessageSteered {
                message,
                text,
                references,
            } => {
                self.queue.push_back(Queued {
                    message: *message,
                    said: Said {
                        text: text.clone(),
                        references: references.clone(),
                        files: raws(raw)?,
                    },
                    seq: *seq,
                    steers: matches!(body, EventBody::MessageSteered { .. }),
                });
                self.held = false;
            }
            EventBody::MessageRead {
                turn,
                message,
                text,
                references,
            } => {
                let blocks = Block::read_all(raw)?;
                self.hear(*turn, *message, text, references, blocks)?;
            }
            EventBody::Branched { effects, more, .. } => self.branch(effects, *more),
            EventBody::MessageWithdrawn { message } => {
                self.queue.retain(|queued| queued.message != *message);
            }
            EventBody::TurnStarted {
                turn,
                message,
                text,
                references,
            } => {
                let blocks = Block::read_all(raw)?;
                // `take_in` looks the message up in the queue before it removes it, to learn
                // whether it is older than a denial. `take_choice` must see the new turn as the
                // last one, and `trim` comes at the end, so that the window counts this turn and
                // never drops it.
                self.take_in(*message, text, references, &blocks);
                self.held = false;
                // The turn before has reached the model: its news need not be told again.
                self.old_news.clear();
                let before = self.turns.back().map(|turn| turn.choice.clone());
                self.turns
                    .push_back(Turn::new(*turn, blocks, references.clone()));
                self.take_choice(before);
                self.trim();
            }
            EventBody::ActionStarted {
                turn,
                message,
                call,
                tool,
                input,
                by: _,
                relayed,
            } => {
                if !self.turns.is_empty() {
                    return Err(Corrupt::Order);
                }
                let place = CallPlace {
                    turn: *turn,
                    message: *message,
                };
                let call = Call::own(*call, place, tool, input, *relayed);
                self.turns.push_back(Turn::own(*turn, *message, *at, call));
            }
            EventBody::TurnResumed { turn } => {
                self.held = false;
                let turn = self.turn(*turn)?;
                turn.run_from = turn.steps.len();
                turn.interruptions = 0;
                turn.stopping = false;
                turn.outcome = None;
                let before = Some(turn.choice.clone());
                self.take_choice(before);
            }
            EventBody::StepStarted {
                turn,
                message,
                step: _,
            } => {
                let preface = Block::read_all(raw)?;
                // The context is outside text before the model answers, so that no call of the
                // answer can pass a value from it off as the person's.
                for block in &preface {
                    self.heard
                        .outside(OriginSource::Context, Arc::clone(&block.raw));
                }
                let turn = self.turn(*turn)?;
                let said = std::mem::take(&mut turn.unsaid);
                // Kept context is part of this preface now, unchanged.
                turn.context = None;
                turn.steps.push(Step {
                    message: *message,
                    began: *at,
                    said,
                    preface,
                    answer: None,
                });
            }
            EventBody::StepInterrupted { turn, message } => {
                let turn = self.turn(*turn)?;
                let gone = turn
                    .steps
                    .pop_if(|step| step.message == *message && step.answer.is_none())
                    .ok_or(Corrupt::Order)?;
                // Nothing of the step was kept. Its messages go back to be read by the next step,
                // and its context is sent again byte for byte.
                turn.unsaid = gone.said;
                // Only the first step of a run begins with context.
                if turn.run().is_empty() {
                    turn.context = gone.preface.into_iter().next().map(|it| (it, gone.began));
                }
                turn.interruptions += 1;
            }
            EventBody::AssistantMessage {
                turn,
                message,
                blocks,
                stop,
                usage,
                cost,
            } => {
                let place = CallPlace {
                    turn: *turn,
                    message: *message,
                };
                let answer = Answer::new(place, Block::read_all(raw)?, blocks, *stop);
                self.tokens = usage.total();
                self.spent.add(*usage, *cost);
                self.old_news.append(&mut self.news);
                let turn = self.turn(*turn)?;
                let step = turn
                    .steps
                    .last_mut()
                    .filter(|step| step.message == *message && step.answer.is_none())
                    .ok_or(Corrupt::Order)?;
                step.answer = Some(answer);
                turn.interruptions = 0;
                turn.usage += *usage;
                // A sum with an unknown part is unknown, never too low.
                turn.cost = match (turn.cost, cost) {
                    (Some(sum), Some(cost)) => Some(Cost(sum.0 + cost.0)),
                    _ => None,
                };
            }
            EventBody::ToolQueued { turn, call, .. } => {
                self.call(*turn, *call)?.state = CallState::Queued;
            }
            EventBody::ConfirmationRequested {
                turn,
                call,
                confirmation,
            } => {
                // The newest card alone decides whether a second person is needed.
                match &confirmation.second {
                    Some(_) => self.second_calls.insert(*call),
                    None => self.second_calls.remove(call),
                };
                let call = self.call(*turn, *call)?;
                call.state = CallState::Waiting;
                call.approval = None;
                call.asked = Some(Arc::new((**confirmation).clone()));
            }
            EventBody::ConfirmationDecided {
                turn,
                call,
                verdict,
                by,
                via: _,
                digest,
            } => {
                self.decided.insert(*call, (verdict.clone(), by.clone()));
                let call = self.call(*turn, *call)?;
                if *verdict == Verdict::Approved {
                    call.state = CallState::Approved;
                    call.approval = Some(call.approved(digest, by.as_deref(), *at));
                } else {
                    // Under both inputs, the model's and the person's: neither runs again unasked.
                    let keys = matches!(verdict, Verdict::Denied { .. }).then(|| {
                        [&call.input, call.effective_input()].map(|it| denied_key(&call.name, it))
                    });
                    // A denial's comment is data like a result: it vouches for no value.
                    let (source, result) = call.close_without_effect(raw)?;
                    let keys = keys.into_iter().flatten();
                    self.denied.extend(keys.map(|key| (key, *seq)));
                    self.heard.outside(source, result);
                }
            }
            EventBody::GrantGiven { grant, .. } => {
                let approval = self.approval_of(&grant.key);
                self.grants.give(grant, *at, approval);
            }
            EventBody::GrantRevoked { grant, .. } => self.grants.revoke(*grant),
            EventBody::ToolStarted {
                turn,
                call,
                tier,
                grant,
                ..
            } => {
                let (since, tier) = (*at, *tier);
                // A use is spent when the call starts, however it ends.
                let granted = grant.and_then(|grant| {
                    self.grants.used(grant);
                    self.grants.approval(grant).cloned()
                });
                let call = self.call(*turn, *call)?;
                call.state = CallState::Running { since, tier };
                if grant.is_some() {
                    call.approval = granted;
                }
            }
            EventBody::ToolBlocked { turn, call, .. } => {
                let call = self.call(*turn, *call)?;
                let (source, result) = call.close_without_effect(raw)?;
                self.heard.outside(source, result);
            }
            EventBody::OutcomeResolved {
                call,
                resolution,
                by,
                via: _,
                message,
            } => {
                if *resolution != Resolution::Unknown {
                    self.unknown.remove(call);
                }
                // The message may quote a system, such as the log of a task.
                self.tell(&tagged::tagged(
                    "outcome",
                    json!({
                        "call": texts::calls::CALL_OF_UNKNOWN_OUTCOME,
                        "told_by": by.as_deref().unwrap_or(texts::calls::SERVER),
                        "message": message,
                    }),
                ));
            }
            EventBody::StopRequested { turn } => self.turn(*turn)?.stopping = true,
            EventBody::ToolFinished {
                turn,
                call,
                outcome,
                ..
            } => {
                let result: Arc<_> = raw.ok_or(Corrupt::Raw)?.to_owned().into();
                let brought_image = match outcome {
                    ToolOutcome::Succeeded { output } => {
                        self.images.add(&output.images);
                        output.images.iter().any(Reference::is_image)
                    }
                    _ => false,
                };
                let ended = self.call(*turn, *call)?;
                // Only a call above GREEN can have changed something. Its failure keeps the actions
                // behind it from running, and its unknown outcome stays open until it is resolved.
                let acted = match ended.state {
                    CallState::Running { since, tier } if tier > Tier::Green => Some(since),
                    _ => None,
                };
                let fine = matches!(
                    outcome,
                    ToolOutcome::Succeeded { .. } | ToolOutcome::Cancelled
                );
                let source = OriginSource::Tool {
                    name: ended.name.clone(),
                };
                let unknown = acted.filter(|_| {
                    matches!(
                        outcome,
                        ToolOutcome::OutcomeUnknown { .. } | ToolOutcome::Unknown
                    )
                });
                let unknown = unknown.map(|since| UnknownCall {
                    place: ended.place,
                    own: ended.own,
                    name: ended.name.clone(),
                    input: ended.effective_input().clone(),
                    approval: ended.approval.clone(),
                    since,
                });
                ended.state = CallState::Closed {
                    result: Arc::clone(&result),
                    broke: acted.is_some() && !fine,
                };
                if brought_image {
                    self.heard.image(source.clone());
                }
                self.heard.outside(source, result);
                self.unknown.extend(unknown.map(|unknown| (*call, unknown)));
                // Only a person cancels calls, and does so by stopping their turn.
                if *outcome == ToolOutcome::Cancelled {
                    self.turn(*turn)?.stopping = true;
                }
            }
            EventBody::TurnFinished { turn, outcome, .. } => {
                // The next message would fail in the same way: the queue waits for a person.
                self.held = match outcome {
                    TurnOutcome::Failed { .. } => true,
                    TurnOutcome::Limited { error } => error.code == ErrorCode::BudgetReached,
                    _ => false,
                };
                self.answered += u32::from(*outcome == TurnOutcome::Answered);
                // A refused turn is not sent again, so the model has to be told its news once more.
                if *outcome == TurnOutcome::Refused {
                    self.old_news.append(&mut self.news);
                    self.news = std::mem::take(&mut self.old_news);
                }
                let turn = self.turn(*turn)?;
                turn.outcome = Some(outcome.clone());
            }
        }
        Ok(())
    }

    /// Adds news that the model is told with the next message. Context that was gathered before
    /// lacks it and counts as stale.
    pub(super) fn tell(&mut self, news: &str) {
        self.news.push(news.trim_end().to_owned());
        let kept = self.turns.back_mut().and_then(|turn| turn.context.as_mut());
        if let Some((_, at)) = kept {
            *at = Timestamp(0);
        }
    }

    pub(super) fn turn(&mut self, id: TurnId) -> Result<&mut Turn, Corrupt> {
        self.turns
            .back_mut()
            .filter(|turn| turn.id == id)
            .ok_or(Corrupt::Order)
    }

    fn call(&mut self, turn: TurnId, id: CallId) -> Result<&mut Call, Corrupt> {
        self.turn(turn)?
            .steps
            .last_mut()
            .and_then(|step| step.answer.as_mut())
            .and_then(|answer| answer.calls.iter_mut().find(|call| call.id == id))
            .filter(|call| call.is_open())
            .ok_or(Corrupt::Order)
    }

    /// Drops the oldest turns when there are too many, in a stride down to half, so that the
    /// history keeps its beginning for many turns and the prompt cache hits. The thinking in the
    /// turns that stay was bound to what is gone, so it is dropped too.
    fn trim(&mut self) {
        let limit = self.frozen.history_limit;
        let mut weight: u32 = self.turns.iter().map(Turn::weight).sum();
        let too_long = self
            .frozen
            .history_tokens
            .is_some_and(|limit| self.tokens > limit);
        if weight <= limit && !too_long {
            return;
        }
        let keep = weight.min(limit) / 2;
        while weight > keep && self.turns.len() > 1 {
            let dropped = self.turns.pop_front();
            weight -= dropped.as_ref().map_or(0, Turn::weight);
        }
        self.tokens = 0;
        let before = self.turns.len().saturating_sub(1);
        for turn in self.turns.iter_mut().take(before) {
            turn.stripped = turn.steps.len();
        }
    }
}
