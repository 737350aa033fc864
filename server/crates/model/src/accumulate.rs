//! Builds the answer from the stream's events and emits the agent's events on the way.

use std::collections::VecDeque;
use std::sync::Arc;

use agent::ports::{InvalidInput, ModelEvent, ModelReply};
use protocol::{BlockKind, StopReason, Usage};
use serde_json::value::RawValue;

use crate::event::{DeltaBody, StreamEvent, VendorError};
use crate::profile::{Deviation, Profile};
use crate::sse::TooLong;
use block::{AccumulatedBlock, FinishedBlock};

mod block;

/// The most bytes of one answer. No model writes as much; a broken server might.
const MAX_ANSWER_BYTES: usize = 32 << 20;
/// The longest identifier or name of a model that is kept, in bytes.
const MAX_NAME: usize = 200;

/// The reason why an answer cannot be read any further.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum StreamFault {
    #[error("{0}")]
    Protocol(&'static str),
    #[error(transparent)]
    TooLong(#[from] TooLong),
    #[error("the answer is longer than {MAX_ANSWER_BYTES} bytes")]
    AnswerTooLong,
    /// The vendor itself broke the answer off.
    #[error("the vendor sent an error")]
    Vendor(VendorError),
}

/// The answer so far.
#[derive(Debug)]
pub(crate) struct Accumulator {
    profile: &'static Profile,
    started: bool,
    complete: bool,
    /// See [`ModelReply::id`].
    id: Option<String>,
    /// See [`ModelReply::model`].
    model: Option<String>,
    blocks: Vec<BlockSlot>,
    stop_reason: Option<String>,
    explanation: Option<String>,
    usage: Usage,
    bytes: usize,
}

#[derive(Debug)]
enum BlockSlot {
    Open(AccumulatedBlock),
    Closed(FinishedBlock),
}

impl Accumulator {
    pub(crate) fn new(profile: &'static Profile) -> Self {
        Self {
            profile,
            started: false,
            complete: false,
            id: None,
            model: None,
            blocks: Vec::new(),
            stop_reason: None,
            explanation: None,
            usage: Usage::default(),
            bytes: 0,
        }
    }

    /// True once `message_stop` has come; later bytes do not belong to the answer.
    pub(crate) fn is_complete(&self) -> bool {
        self.complete
    }

    /// True while nothing of this answer has been shown.
    pub(crate) fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    pub(crate) fn usage(&self) -> Usage {
        self.usage
    }

    /// Length of the answer so far.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Takes the next event.
    pub(crate) fn take(
        &mut self,
        event: StreamEvent<'_>,
        out: &mut VecDeque<ModelEvent>,
    ) -> Result<(), StreamFault> {
        match event {
            StreamEvent::MessageStart { id, model, usage } => {
                if self.starts()? {
                    self.id = id.filter(|id| is_name(id));
                    self.model = model.filter(|model| is_name(model));
                    usage.apply(&mut self.usage);
                }
                // The usage of a call that is stopped before its end.
                if self.usage != Usage::default() {
                    out.push_back(ModelEvent::Usage(self.usage));
                }
                Ok(())
            }
            StreamEvent::BlockStart { index, block } => {
                self.must_have_started()?;
                self.count(block.get().len())?;
                if index as usize != self.blocks.len() {
                    self.tolerate(Deviation::BlockOutOfOrder)?;
                }
                let block = AccumulatedBlock::new(index, block).map_err(StreamFault::Protocol)?;
                self.open(block, out);
                Ok(())
            }
            StreamEvent::BlockDelta { index, delta } => self.delta(index, &delta, out),
            StreamEvent::BlockStop { index } => {
                // A stop for a block that is not open has no meaning.
                if let Some(position) = self.position(index) {
                    self.close(position, out);
                }
                Ok(())
            }
            StreamEvent::MessageDelta {
                stop_reason,
                explanation,
                usage,
            } => {
                usage.apply(&mut self.usage);
                if let Some(reason) = stop_reason.filter(|reason| !reason.is_empty()) {
                    self.stop_reason = Some(reason.into_owned());
                    self.explanation = explanation;
                    if self.tolerates(Deviation::BlockLeftOpen) {
                        self.close_all(out);
                    }
                }
                Ok(())
            }
            StreamEvent::MessageStop => {
                self.must_have_started()?;
                self.end(out)
            }
            StreamEvent::Error(error) => Err(StreamFault::Vendor(error)),
            StreamEvent::Ignored => Ok(()),
        }
    }

    /// The stream has ended.
    pub(crate) fn end_of_stream(
        &mut self,
        out: &mut VecDeque<ModelEvent>,
    ) -> Result<(), StreamFault> {
        if self.complete {
            return Ok(());
        }
        if self.stop_reason.is_none() {
            return Err(StreamFault::Protocol(Deviation::NoMessageStop.describe()));
        }
        self.tolerate(Deviation::NoMessageStop)?;
        self.end(out)
    }

    /// True if a `message_start` counts: one that comes again in the middle of an answer says nothing.
    fn starts(&mut self) -> Result<bool, StreamFault> {
        if self.started {
            self.tolerate(Deviation::RepeatedMessageStart)?;
            if !self.blocks.is_empty() {
                return Ok(false);
            }
        }
        self.started = true;
        Ok(true)
    }

    fn delta(
        &mut self,
        index: u32,
        delta: &DeltaBody<'_>,
        out: &mut VecDeque<ModelEvent>,
    ) -> Result<(), StreamFault> {
        self.must_have_started()?;
        self.count(match delta {
            DeltaBody::Text(text)
            | DeltaBody::Thinking(text)
            | DeltaBody::Signature(text)
            | DeltaBody::InputJson(text) => text.len(),
            DeltaBody::Citation(raw) | DeltaBody::Fields(raw) => raw.get().len(),
            DeltaBody::Unknown => 0,
        })?;
        let position = match self.position(index) {
            Some(position) => position,
            None => {
                self.tolerate(Deviation::DeltaWithoutBlock)?;
                let Some(block) = AccumulatedBlock::fitting(index, delta) else {
                    return Ok(());
                };
                self.open(block, out)
            }
        };
        let Some(BlockSlot::Open(block)) = self.blocks.get_mut(position) else {
            return Ok(());
        };
        match block.take(delta) {
            Ok(None) => {}
            // An empty delta changes nothing on any screen.
            Ok(Some("")) => {}
            Ok(Some(text)) => out.push_back(ModelEvent::Delta {
                index: wire(position),
                text: text.to_owned(),
            }),
            Err(deviation) => self.tolerate(deviation)?,
        }
        Ok(())
    }

    /// The open block with an index of the wire. The newest first: where indices repeat, an older
    /// block is closed.
    fn position(&self, index: u32) -> Option<usize> {
        self.blocks
            .iter()
            .rposition(|slot| matches!(slot, BlockSlot::Open(block) if block.wire_index() == index))
    }

    fn open(&mut self, block: AccumulatedBlock, out: &mut VecDeque<ModelEvent>) -> usize {
        let position = self.blocks.len();
        out.push_back(ModelEvent::BlockStarted {
            index: wire(position),
            kind: block.kind(),
        });
        if let Some(text) = block.initial_text() {
            out.push_back(ModelEvent::Delta {
                index: wire(position),
                text: text.to_owned(),
            });
        }
        self.blocks.push(BlockSlot::Open(block));
        position
    }

    fn close(&mut self, position: usize, out: &mut VecDeque<ModelEvent>) {
        let Some(slot) = self.blocks.get_mut(position) else {
            return;
        };
        if let BlockSlot::Open(block) = slot {
            if let Some(text) = block.late_input() {
                out.push_back(ModelEvent::Delta {
                    index: wire(position),
                    text,
                });
            }
            *slot = BlockSlot::Closed(block.finish());
            out.push_back(ModelEvent::BlockFinished {
                index: wire(position),
            });
        }
    }

    fn close_all(&mut self, out: &mut VecDeque<ModelEvent>) {
        for position in 0..self.blocks.len() {
            self.close(position, out);
        }
    }

    fn end(&mut self, out: &mut VecDeque<ModelEvent>) -> Result<(), StreamFault> {
        let open = self
            .blocks
            .iter()
            .any(|slot| matches!(slot, BlockSlot::Open(_)));
        let cut = matches!(
            self.stop_reason.as_deref(),
            Some("max_tokens" | "model_context_window_exceeded")
        );
        if open && !cut {
            self.tolerate(Deviation::BlockLeftOpen)?;
        }
        self.close_all(out);
        self.complete = true;
        Ok(())
    }

    fn must_have_started(&mut self) -> Result<(), StreamFault> {
        if !self.started {
            self.tolerate(Deviation::ContentBeforeMessageStart)?;
            self.started = true;
        }
        Ok(())
    }

    fn count(&mut self, bytes: usize) -> Result<(), StreamFault> {
        self.bytes += bytes;
        if self.bytes > MAX_ANSWER_BYTES {
            return Err(StreamFault::AnswerTooLong);
        }
        Ok(())
    }

    fn tolerates(&self, deviation: Deviation) -> bool {
        self.profile.tolerates.contains(&deviation)
    }

    fn tolerate(&self, deviation: Deviation) -> Result<(), StreamFault> {
        if !self.tolerates(deviation) {
            return Err(StreamFault::Protocol(deviation.describe()));
        }
        tracing::warn!(
            deviation = deviation.describe(),
            "repaired the model's stream"
        );
        Ok(())
    }

    /// The complete answer.
    pub(crate) fn into_reply(self, request_id: Option<String>) -> ModelReply {
        let stop = self.stop();
        let mut content = Vec::with_capacity(self.blocks.len());
        let mut invalid_inputs = Vec::new();
        for (position, slot) in self.blocks.into_iter().enumerate() {
            let block = match slot {
                BlockSlot::Open(block) => block.finish(),
                BlockSlot::Closed(block) => block,
            };
            if let Some(text) = block.invalid_input {
                invalid_inputs.push(InvalidInput {
                    index: wire(position),
                    text,
                });
            }
            content.push(block.raw);
        }
        ModelReply {
            content,
            stop,
            explanation: self.explanation,
            invalid_inputs,
            usage: self.usage,
            request_id,
            id: self.id,
            model: self.model,
        }
    }

    /// The part of a broken answer that can be sent back: its complete text.
    pub(crate) fn partial(&self) -> Vec<Arc<RawValue>> {
        self.blocks
            .iter()
            .filter_map(|slot| match slot {
                BlockSlot::Closed(block) if block.is_readable_text => Some(Arc::clone(&block.raw)),
                _ => None,
            })
            .collect()
    }

    fn stop(&self) -> StopReason {
        let reason = self.stop_reason.as_deref();
        match reason {
            Some("end_turn" | "stop_sequence") => StopReason::EndTurn,
            Some("tool_use") => StopReason::ToolUse,
            Some("max_tokens") => StopReason::MaxTokens,
            Some("model_context_window_exceeded") => StopReason::ContextWindow,
            Some("refusal") => StopReason::Refusal,
            // Both want the content back unchanged, and then continue.
            Some("pause_turn" | "compaction") => StopReason::Pause,
            _ => {
                tracing::warn!(?reason, "the model stopped for an unknown reason");
                if self.has_valid_tool_call() && self.tolerates(Deviation::ToolUseWithoutReason) {
                    StopReason::ToolUse
                } else {
                    StopReason::Unknown
                }
            }
        }
    }

    fn has_valid_tool_call(&self) -> bool {
        self.blocks.iter().any(|slot| {
            matches!(slot, BlockSlot::Closed(block)
                if matches!(block.kind, BlockKind::ToolUse { .. }) && block.invalid_input.is_none())
        })
    }
}

/// True for what can be an identifier or a model's name. Traces have both and no content, so
/// nothing else passes.
fn is_name(text: &str) -> bool {
    (1..=MAX_NAME).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}

/// A position as events count it. Answers are far too short for it to overflow.
fn wire(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
