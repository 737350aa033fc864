//! The records of a step: its start, and its end by an answer, a failure or a stop.

use protocol::{
    BlockKind, CallId, ContentBlock, Cost, ErrorBody, EventBody, MessageId, StopReason, TurnId,
    TurnOutcome, Usage,
};
use serde::Deserialize;
use serde_json::{Value, value::RawValue};

use super::{block::array, state::Conversation};
use crate::{
    ports::{ModelError, ModelReply, NewRecord, Trace},
    raw_json::text_block,
};

/// A block of the answer that is being streamed, with its text so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Drafted {
    pub(crate) index: u32,
    pub(crate) kind: BlockKind,
    pub(crate) text: String,
}

/// An unfinished answer, as far as it has come.
#[derive(Debug, Clone, Default)]
pub(crate) struct Draft {
    pub(crate) blocks: Vec<Drafted>,
    pub(crate) usage: Usage,
    /// None if the price is unknown.
    pub(crate) cost: Option<Cost>,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum ShownAnswer {
    Text {
        text: String,
    },
    Thinking {
        #[serde(default)]
        thinking: String,
    },
    ToolUse {
        name: String,
        #[serde(default)]
        input: Value,
    },
    #[serde(other)]
    Other,
}

/// The record that the model is about to be asked; `preface` are the blocks before its answer in
/// the user's name.
pub(crate) fn step_started(
    turn: TurnId,
    step: u32,
    message: MessageId,
    preface: &[Box<RawValue>],
) -> NewRecord {
    NewRecord {
        body: EventBody::StepStarted {
            turn,
            step,
            message,
        },
        raw: (!preface.is_empty()).then(|| array(preface.iter().map(|block| &**block))),
        audit: None,
        trace: Default::default(),
    }
}

/// The record of a complete answer. `new_call` makes our id of a tool call.
pub(crate) fn answered(
    turn: TurnId,
    message: MessageId,
    reply: &ModelReply,
    cost: Option<Cost>,
    mut new_call: impl FnMut() -> CallId,
) -> NewRecord {
    // Text that a model wrote before it refused is shown to nobody and never sent back.
    let refused = reply.stop == StopReason::Refusal;
    let blocks = if refused {
        let text = reply.explanation.clone();
        text.map(|text| ContentBlock::Text { text })
            .into_iter()
            .collect()
    } else {
        (0u32..)
            .zip(&reply.content)
            .map(|(index, raw)| shown(reply, index, raw, &mut new_call))
            .collect()
    };
    NewRecord {
        body: EventBody::AssistantMessage {
            turn,
            message,
            blocks,
            stop: reply.stop,
            usage: reply.usage,
            cost,
        },
        raw: (!refused).then(|| array(reply.content.iter().map(|block| &**block))),
        audit: None,
        trace: Trace {
            model_request: reply.request_id.clone(),
            ..Trace::default()
        },
    }
}

fn shown(
    reply: &ModelReply,
    index: u32,
    raw: &RawValue,
    new_call: &mut impl FnMut() -> CallId,
) -> ContentBlock {
    match serde_json::from_str(raw.get()) {
        Ok(ShownAnswer::Text { text }) => ContentBlock::Text { text },
        Ok(ShownAnswer::Thinking { thinking }) => ContentBlock::Thinking { text: thinking },
        Ok(ShownAnswer::ToolUse { name, input }) => {
            // An input that is no object never passes the gate: no schema allows text.
            let invalid = reply.invalid_inputs.iter().find(|i| i.index == index);
            ContentBlock::ToolUse {
                call: new_call(),
                name,
                input: invalid.map_or(input, |invalid| Value::String(invalid.text.clone())),
            }
        }
        Ok(ShownAnswer::Other) | Err(_) => ContentBlock::Other,
    }
}

/// The record of a step that will not be finished and of which nothing is kept.
pub(crate) fn interrupted(turn: TurnId, message: MessageId) -> NewRecord {
    NewRecord::event(EventBody::StepInterrupted { turn, message })
}

impl Conversation {
    /// The records of a failed call of the model, which ends the turn.
    pub(crate) fn model_failed(
        &self,
        turn: TurnId,
        message: MessageId,
        error: &ModelError,
        draft: &Draft,
    ) -> Vec<NewRecord> {
        let raw = array(error.partial.iter().map(|block| &**block));
        let mut answer = cut(turn, message, StopReason::Interrupted, draft, raw);
        answer.trace.model_request.clone_from(&error.request_id);
        let outcome = TurnOutcome::Failed {
            error: crate::error::of_model(error),
        };
        vec![answer, self.turn_finished(turn, outcome, Some(draft))]
    }

    /// The records of a step whose request was not sent, which ends the turn. `why` is for the audit
    /// chain.
    pub(crate) fn withheld(
        &self,
        turn: TurnId,
        message: MessageId,
        error: ErrorBody,
        why: Value,
    ) -> Vec<NewRecord> {
        let finished = self.turn_finished(turn, TurnOutcome::Failed { error }, None);
        vec![interrupted(turn, message), finished.audited(why)]
    }

    /// The records of a turn that a person stops while the model answers.
    pub(super) fn stop_answer(
        &self,
        turn: TurnId,
        message: MessageId,
        draft: &Draft,
    ) -> Vec<NewRecord> {
        // Thinking is signed only when it is complete, and a call may be cut in half: only text is
        // kept.
        let texts: Vec<_> = draft
            .blocks
            .iter()
            .filter(|block| block.kind == BlockKind::Text && !block.text.trim().is_empty())
            .map(|block| text_block(&block.text))
            .collect();
        let raw = array(texts.iter().map(|block| &**block));
        let answer = cut(turn, message, StopReason::Cancelled, draft, raw);
        let finished = self.turn_finished(turn, TurnOutcome::Stopped, Some(draft));
        vec![answer, finished]
    }

    /// The end of the turn, with the sums over its steps and `draft`, which is not yet in them.
    pub(crate) fn turn_finished(
        &self,
        turn: TurnId,
        outcome: TurnOutcome,
        draft: Option<&Draft>,
    ) -> NewRecord {
        let (mut usage, mut cost) = self
            .turns
            .back()
            .map_or((Usage::default(), None), |turn| (turn.usage, turn.cost));
        if let Some(draft) = draft.filter(|draft| draft.is_kept()) {
            usage += draft.usage;
            cost = match (cost, draft.cost) {
                (Some(sum), Some(cost)) => Some(Cost(sum.0 + cost.0)),
                _ => None,
            };
        }
        NewRecord::event(EventBody::TurnFinished {
            turn,
            outcome,
            usage,
            cost,
        })
    }
}

/// The record of an answer that was cut, or of an interruption if nothing of it is worth keeping.
fn cut(
    turn: TurnId,
    message: MessageId,
    stop: StopReason,
    draft: &Draft,
    raw: Box<RawValue>,
) -> NewRecord {
    if !draft.is_kept() {
        return interrupted(turn, message);
    }
    // Each block keeps its index in the model's answer, as tabs have streamed it; a call that was
    // cut leaves a placeholder and can never run.
    let last = draft.blocks.iter().map(|block| block.index).max();
    let mut blocks = vec![ContentBlock::Other; last.map_or(0, |last| last as usize + 1)];
    for block in &draft.blocks {
        let text = block.text.clone();
        if let Some(place) = blocks.get_mut(block.index as usize) {
            *place = match block.kind {
                BlockKind::Text => ContentBlock::Text { text },
                BlockKind::Thinking => ContentBlock::Thinking { text },
                BlockKind::ToolUse { .. } | BlockKind::Other => ContentBlock::Other,
            };
        }
    }
    NewRecord {
        body: EventBody::AssistantMessage {
            turn,
            message,
            blocks,
            stop,
            usage: draft.usage,
            cost: draft.cost,
        },
        raw: Some(raw),
        audit: None,
        trace: Default::default(),
    }
}

impl Draft {
    /// True if there is anything in it to read or to pay for.
    fn is_kept(&self) -> bool {
        self.usage != Usage::default()
            || self.blocks.iter().any(|block| {
                matches!(block.kind, BlockKind::Text | BlockKind::Thinking)
                    && !block.text.trim().is_empty()
            })
    }
}
