//! The fold: one record more.

use std::collections::VecDeque;

use protocol::{
    CallId, ContentBlock, Cost, Event, EventBody, StopReason, ToolOutcome, TurnId, TurnOutcome,
    Usage,
};

use super::{
    block::{Block, BlockKind},
    frozen::Frozen,
    state::{Answer, Call, CallState, Conversation, Corrupt, Queued, Step, Turn},
};
use crate::ports::Record;

impl Conversation {
    /// The conversation of a journal.
    pub(crate) fn from_records(records: &[Record]) -> Result<Self, Corrupt> {
        let (first, rest) = records.split_first().ok_or(Corrupt::NoStart)?;
        let EventBody::ConversationStarted {
            title: _,
            model,
            mode,
            toolsets,
        } = &first.event.body
        else {
            return Err(Corrupt::NoStart);
        };
        let frozen = Frozen::from_raw(model, *mode, toolsets, first.raw.as_deref())?;
        let mut conversation = Self {
            frozen,
            head: first.event.seq,
            turns: VecDeque::new(),
            queue: VecDeque::new(),
            held: false,
            tokens: 0,
        };
        for record in rest {
            conversation.apply(record)?;
        }
        Ok(conversation)
    }

    /// Takes in what was written.
    pub(crate) fn apply(&mut self, record: &Record) -> Result<(), Corrupt> {
        let Event { seq, at, body } = &record.event;
        if *seq != self.head.next() {
            return Err(Corrupt::Gap);
        }
        self.head = *seq;
        let raw = record.raw.as_deref();
        match body {
            EventBody::ConversationStarted { .. } => return Err(Corrupt::Order),
            EventBody::TitleChanged { .. } | EventBody::Unknown => {}
            EventBody::MessageQueued { message, text } => {
                self.queue.push_back(Queued {
                    message: *message,
                    text: text.clone(),
                });
                self.held = false;
            }
            EventBody::MessageWithdrawn { message } => {
                self.queue.retain(|queued| queued.message != *message);
            }
            EventBody::TurnStarted { turn, message, .. } => {
                self.queue.retain(|queued| queued.message != *message);
                self.held = false;
                self.turns
                    .push_back(Turn::new(*turn, Block::read_all(raw)?));
                self.trim();
            }
            EventBody::TurnResumed { turn } => {
                self.held = false;
                let turn = self.turn(*turn)?;
                turn.run_from = turn.steps.len();
                turn.interruptions = 0;
                turn.stopping = false;
                turn.outcome = None;
            }
            EventBody::StepStarted {
                turn,
                message,
                step: _,
            } => {
                let preface = Block::read_all(raw)?;
                self.turn(*turn)?.steps.push(Step {
                    message: *message,
                    preface,
                    answer: None,
                });
            }
            EventBody::StepInterrupted { turn, message } => {
                let turn = self.turn(*turn)?;
                turn.steps
                    .pop_if(|step| step.message == *message && step.answer.is_none())
                    .ok_or(Corrupt::Order)?;
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
                let answer = Answer::new(Block::read_all(raw)?, blocks, *stop);
                self.tokens = usage.total_input() + usage.output;
                let turn = self.turn(*turn)?;
                let step = turn
                    .steps
                    .last_mut()
                    .filter(|step| step.message == *message && step.answer.is_none())
                    .ok_or(Corrupt::Order)?;
                step.answer = Some(answer);
                turn.interruptions = 0;
                turn.usage += *usage;
                turn.cost = match (turn.cost, cost) {
                    (Some(sum), Some(cost)) => Some(Cost(sum.0 + cost.0)),
                    _ => None,
                };
            }
            EventBody::ToolStarted { turn, call, .. } => {
                self.call(*turn, *call)?.state = CallState::Running { since: *at };
            }
            EventBody::ToolBlocked { turn, call, .. } => {
                let result = raw.ok_or(Corrupt::Raw)?.to_owned().into();
                self.call(*turn, *call)?.state = CallState::Closed { result };
            }
            EventBody::ToolFinished {
                turn,
                call,
                outcome,
                ..
            } => {
                let result = raw.ok_or(Corrupt::Raw)?.to_owned().into();
                self.call(*turn, *call)?.state = CallState::Closed { result };
                // Only a person cancels calls, and does so by stopping their turn.
                if *outcome == ToolOutcome::Cancelled {
                    self.turn(*turn)?.stopping = true;
                }
            }
            EventBody::TurnFinished { turn, outcome, .. } => {
                self.held = matches!(outcome, TurnOutcome::Failed { .. });
                let turn = self.turn(*turn)?;
                turn.outcome = Some(outcome.clone());
            }
        }
        Ok(())
    }

    fn turn(&mut self, id: TurnId) -> Result<&mut Turn, Corrupt> {
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

    /// Leaves out the oldest turns when there are too many, in a stride down to half, so that the
    /// history keeps its beginning for many turns and the prompt cache hits. The thinking in what
    /// is left was bound to what is gone, so it goes too.
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
            turn.stripped = true;
        }
    }
}

impl Turn {
    fn new(id: TurnId, opening: Vec<Block>) -> Self {
        Self {
            id,
            opening,
            steps: Vec::new(),
            run_from: 0,
            interruptions: 0,
            stopping: false,
            usage: Usage::default(),
            cost: Some(Cost::default()),
            outcome: None,
            stripped: false,
        }
    }
}

impl Answer {
    /// The calls in what a person sees are those in what the model sent, in the same order.
    fn new(content: Vec<Block>, blocks: &[ContentBlock], stop: StopReason) -> Self {
        let use_ids = content.iter().filter_map(|block| match &block.kind {
            BlockKind::ToolUse { id } => Some(id.clone()),
            _ => None,
        });
        let calls = blocks
            .iter()
            .filter_map(|block| match block {
                ContentBlock::ToolUse { call, name, input } => Some((call, name, input)),
                _ => None,
            })
            .zip(use_ids)
            .map(|((id, name, input), use_id)| Call {
                id: *id,
                use_id,
                name: name.clone(),
                input: input.clone(),
                state: CallState::Proposed,
            })
            .collect();
        Self {
            content,
            stop,
            calls,
        }
    }

    /// Whether there is anything for a person to read.
    pub(super) fn has_text(&self) -> bool {
        self.content
            .iter()
            .any(|block| block.kind == BlockKind::Text)
    }
}
