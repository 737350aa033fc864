//! The events of AG-UI for each event of the journal.

use protocol::{BlockedReason, ContentBlock, EventBody, MessageId, TurnOutcome, Usage};
use serde_json::{Value, json};

use super::{FollowedTurn, RunEncoder, activities::card_id, custom, fields};
use crate::{
    blocks::TextKind,
    cards::WaitingCard,
    content::{ResultText, verdict_word},
    event::AguiEvent,
    messages::result,
};

impl RunEncoder {
    /// Adds what a client sees of an event that was noted. `before` is the lead before it.
    pub(super) fn tell(
        &mut self,
        body: &EventBody,
        before: FollowedTurn,
        out: &mut Vec<AguiEvent>,
    ) {
        match body {
            EventBody::TurnStarted { message, text, .. } => {
                // The client has its own message already.
                let is_own =
                    before == FollowedTurn::Next || before == FollowedTurn::Message(*message);
                if !is_own && !self.queue.is_shown(*message) {
                    said(&message.to_string(), text, out);
                }
            }
            EventBody::MessageRead { message, text, .. }
                if before != FollowedTurn::Message(*message) && !self.queue.is_shown(*message) =>
            {
                said(&message.to_string(), text, out);
            }
            EventBody::ActionStarted {
                call, tool, input, ..
            } => called(&call.to_string(), tool, None, input, out),
            EventBody::StepStarted { step, .. } => {
                self.close(out);
                let step_name = format!("step {step}");
                self.step = Some(step_name.clone());
                out.push(AguiEvent::StepStarted { step_name });
            }
            EventBody::StepInterrupted { message, .. } => {
                self.blocks.end(out);
                out.push(custom("step_interrupted", json!({ "message": message })));
            }
            EventBody::AssistantMessage {
                message,
                blocks,
                usage,
                ..
            } => {
                *self.usage.get_or_insert_with(Usage::default) += *usage;
                self.answer(*message, blocks, out);
            }
            EventBody::ToolQueued {
                call, tier, target, ..
            } => {
                let content = fields([
                    ("state", json!("queued")),
                    ("tier", json!(tier)),
                    ("target", json!(target)),
                ]);
                self.call_activity(*call, content, out);
            }
            EventBody::ToolStarted {
                call,
                tier,
                target,
                input,
                ..
            } => {
                let content = fields([
                    ("state", json!("running")),
                    ("tier", json!(tier)),
                    ("target", json!(target)),
                    ("input", json!(input)),
                ]);
                self.call_activity(*call, content, out);
            }
            EventBody::ConfirmationRequested {
                call, confirmation, ..
            } => {
                let card = WaitingCard {
                    call: *call,
                    confirmation: (**confirmation).clone(),
                };
                let content = card.content(&self.run.page);
                self.activity(card_id(*call), "jarvis.confirmation", content, out);
            }
            EventBody::ConfirmationDecided {
                call, verdict, by, ..
            } => {
                let content = fields([("state", json!(verdict_word(verdict))), ("by", json!(by))]);
                self.activity(card_id(*call), "jarvis.confirmation", content, out);
                self.result(body, None, None, out);
            }
            EventBody::ToolBlocked { reason, .. } => self.result(body, Some(*reason), None, out),
            EventBody::ToolFinished { elapsed_ms, .. } => {
                self.result(body, None, Some(*elapsed_ms), out);
            }
            EventBody::TurnFinished { turn, outcome, .. } => {
                self.close(out);
                if self.lead == FollowedTurn::Turn(*turn) || self.lead == FollowedTurn::Nothing {
                    self.finish(outcome, out);
                } else if before == FollowedTurn::Turn(*turn) {
                    // The run goes on with what waited behind this turn.
                    self.aside(body, out);
                }
            }
            EventBody::MessageWithdrawn { message }
                if before == FollowedTurn::Message(*message) =>
            {
                self.finish(&TurnOutcome::Stopped, out);
            }
            EventBody::TitleChanged { .. }
            | EventBody::TitleWritten { .. }
            | EventBody::ModelChosen { .. }
            | EventBody::MessageQueued { .. }
            | EventBody::MessageSteered { .. }
            | EventBody::MessageWithdrawn { .. }
            | EventBody::GrantGiven { .. }
            | EventBody::GrantRevoked { .. }
            | EventBody::OutcomeResolved { .. }
            | EventBody::StopRequested { .. }
            | EventBody::BudgetNear { .. } => self.aside(body, out),
            // Nothing that a client shows, or told already.
            EventBody::ConversationStarted { .. }
            | EventBody::Branched { .. }
            | EventBody::AskedByLink { .. }
            | EventBody::MessageRead { .. }
            | EventBody::TurnResumed { .. }
            | EventBody::Unknown => {}
        }
    }

    fn answer(&mut self, message: MessageId, blocks: &[ContentBlock], out: &mut Vec<AguiEvent>) {
        for (index, block) in (0..).zip(blocks) {
            let place = (message, index);
            match block {
                ContentBlock::Text { text } => {
                    self.blocks.complete(place, TextKind::Text, text, out);
                }
                ContentBlock::Thinking { text } => {
                    self.blocks.complete(place, TextKind::Reasoning, text, out);
                }
                ContentBlock::ToolUse { .. } | ContentBlock::Other => {}
            }
        }
        self.blocks.end(out);
        for block in blocks {
            if let ContentBlock::ToolUse { call, name, input } = block {
                let parent = Some(message.to_string());
                called(&call.to_string(), name, parent, input, out);
            }
        }
    }

    /// Sends the result of a call, if the event has one.
    fn result(
        &mut self,
        body: &EventBody,
        reason: Option<BlockedReason>,
        elapsed_ms: Option<u64>,
        out: &mut Vec<AguiEvent>,
    ) {
        let Some((call, result)) = result(body) else {
            return;
        };
        let content = fields([
            ("state", json!(result.word)),
            ("summary", json!(result.summary)),
            ("elapsed_ms", json!(elapsed_ms)),
        ]);
        self.call_activity(call, content, out);
        let metadata = ResultText::metadata(&result, reason);
        out.push(AguiEvent::ToolCallResult {
            message_id: format!("{call}.result"),
            tool_call_id: call.to_string(),
            content: result.content,
            role: "tool",
            metadata,
        });
    }

    /// Sends an event of the journal as it is, under its own name.
    fn aside(&self, body: &EventBody, out: &mut Vec<AguiEvent>) {
        let Ok(Value::Object(mut event)) = serde_json::to_value(body) else {
            return;
        };
        if let Some(Value::String(kind)) = event.remove("type") {
            out.push(custom(&kind, Value::Object(event)));
        }
    }
}

/// A message of the person that the client did not send.
fn said(message: &str, text: &str, out: &mut Vec<AguiEvent>) {
    let message_id = message.to_owned();
    out.extend([
        AguiEvent::TextMessageStart {
            message_id: message_id.clone(),
            role: "user",
        },
        AguiEvent::TextMessageContent {
            message_id: message_id.clone(),
            delta: text.to_owned(),
        },
        AguiEvent::TextMessageEnd { message_id },
    ]);
}

fn called(
    call: &str,
    name: &str,
    parent_message_id: Option<String>,
    input: &Value,
    out: &mut Vec<AguiEvent>,
) {
    let tool_call_id = call.to_owned();
    out.extend([
        AguiEvent::ToolCallStart {
            tool_call_id: tool_call_id.clone(),
            tool_call_name: name.to_owned(),
            parent_message_id,
        },
        AguiEvent::ToolCallArgs {
            tool_call_id: tool_call_id.clone(),
            delta: input.to_string(),
        },
        AguiEvent::ToolCallEnd { tool_call_id },
    ]);
}
