//! Turns, calls and answers as they begin.

use std::sync::Arc;

use protocol::{
    CallId, ContentBlock, Cost, MessageId, ModelChoice, Reference, StopReason, Timestamp, TurnId,
    Usage,
};
use serde_json::Value;

use super::{
    block::{Block, StoredBlockKind},
    state::{Answer, Call, CallPlace, CallState, Step, Turn},
};

impl Turn {
    pub(super) fn new(id: TurnId, opening: Vec<Block>, references: Vec<Reference>) -> Self {
        Self {
            id,
            choice: ModelChoice {
                model: String::new(),
                effort: None,
            },
            opening,
            references,
            steps: Vec::new(),
            unsaid: Vec::new(),
            context: None,
            run_from: 0,
            interruptions: 0,
            stopping: false,
            usage: Usage::default(),
            cost: Some(Cost::default()),
            outcome: None,
            stripped: 0,
            own: false,
        }
    }

    /// A turn that is one call of a person, as if a model had asked for it and nothing else.
    pub(super) fn own(id: TurnId, message: MessageId, began: Timestamp, call: Call) -> Self {
        let answer = Answer {
            content: Vec::new(),
            stop: StopReason::ToolUse,
            calls: vec![call],
        };
        Self {
            steps: vec![Step {
                message,
                began,
                said: Vec::new(),
                preface: Vec::new(),
                answer: Some(answer),
            }],
            own: true,
            ..Self::new(id, Vec::new(), Vec::new())
        }
    }
}

impl Call {
    /// A call of a person, or one that a program relays. No model of ours has an id for it, so it goes
    /// by our own.
    pub(super) fn own(
        id: CallId,
        place: CallPlace,
        tool: &str,
        input: &Value,
        relayed: bool,
    ) -> Self {
        Self {
            id,
            place,
            use_id: id.to_string(),
            name: tool.to_owned(),
            input: input.clone(),
            own: true,
            relayed,
            reason: None,
            asked: None,
            approval: None,
            state: CallState::Proposed,
        }
    }
}

impl Answer {
    /// An answer with its calls. The calls that a person sees are those that the model sent, in the
    /// same order.
    pub(super) fn new(
        place: CallPlace,
        content: Vec<Block>,
        blocks: &[ContentBlock],
        stop: StopReason,
    ) -> Self {
        let use_ids = content.iter().filter_map(|block| match &block.kind {
            StoredBlockKind::ToolUse { id } => Some(id.clone()),
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
                place,
                use_id,
                name: name.clone(),
                input: input.clone(),
                own: false,
                relayed: false,
                reason: reason_for(*id, blocks),
                asked: None,
                approval: None,
                state: CallState::Proposed,
            })
            .collect();
        Self {
            content,
            stop,
            calls,
        }
    }

    /// True if there is anything for a person to read.
    pub(super) fn has_text(&self) -> bool {
        self.content
            .iter()
            .any(|block| block.kind == StoredBlockKind::Text)
    }
}

/// The model's text just before a call, in the same answer.
fn reason_for(call: CallId, blocks: &[ContentBlock]) -> Option<Arc<str>> {
    blocks
        .iter()
        .take_while(|block| !matches!(block, ContentBlock::ToolUse { call: id, .. } if *id == call))
        .filter_map(|block| match block {
            ContentBlock::Text { text } if !text.trim().is_empty() => Some(text.trim().into()),
            _ => None,
        })
        .last()
}
