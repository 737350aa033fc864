//! The questions about tools. There is one tool, which reads a dial; nothing runs.

use std::sync::Arc;

use agent::ports::{ModelError, ModelReply, ModelRequest, RequestMessage, RequestRole, ToolChoice};
use protocol::StopReason;
use serde_json::{Value, json};

use super::TrialOutcome;
use super::asking::{Asker, blocks, shown, text_block, user_message};
use crate::raw::raw;
use crate::texts;

const TOOL: &str = "read_dial";
/// The number on the dial: none that a model would guess.
const READING: &str = "48231";

impl Asker<'_> {
    pub(super) async fn tool_call(&mut self) -> Result<TrialOutcome, ModelError> {
        let answer = self.ask(self.with_dials(texts::READ_NORTH)).await?;
        let calls = calls(&answer.reply);
        let right = calls.iter().any(is_of_north);
        let stopped = answer.reply.stop == StopReason::ToolUse;
        let cut = !answer.reply.invalid_inputs.is_empty();
        if right && stopped && !cut {
            self.called = Some(answer.reply);
            return Ok(TrialOutcome::Fine(texts::CALLED.to_owned()));
        }
        Ok(if calls.is_empty() {
            TrialOutcome::Differs(texts::no_call(&shown(&answer.text())))
        } else if cut {
            TrialOutcome::Unusable(texts::INPUT_CUT.to_owned())
        } else if right {
            TrialOutcome::Unusable(texts::CALLS_WITHOUT_STOP.to_owned())
        } else {
            let inputs: Vec<_> = calls.iter().map(|call| call["input"].to_string()).collect();
            TrialOutcome::Differs(texts::other_call(&shown(&inputs.join(", "))))
        })
    }

    pub(super) async fn tool_result(&mut self) -> Result<TrialOutcome, ModelError> {
        let Some(request) = self.answered(&json!({ "content": READING })) else {
            return Ok(TrialOutcome::NotTried(texts::NO_CALL.to_owned()));
        };
        let answer = self.ask(request).await?;
        self.echoed = true;
        let text = answer.text();
        Ok(if text.contains(READING) {
            TrialOutcome::Fine(texts::READ.to_owned())
        } else {
            TrialOutcome::Differs(texts::not_read(&shown(&text)))
        })
    }

    pub(super) async fn failed_call(&mut self) -> Result<TrialOutcome, ModelError> {
        let error = json!({ "error": texts::OUT_OF_ORDER }).to_string();
        let error = json!({ "content": error, "is_error": true });
        let Some(request) = self.answered(&error) else {
            return Ok(TrialOutcome::NotTried(texts::NO_CALL.to_owned()));
        };
        let text = self.ask(request).await?.text();
        Ok(if text.to_lowercase().contains("fail") {
            TrialOutcome::Fine(texts::FAILURE_SEEN.to_owned())
        } else {
            TrialOutcome::Differs(texts::failure_not_seen(&shown(&text)))
        })
    }

    pub(super) async fn parallel_calls(&mut self) -> Result<TrialOutcome, ModelError> {
        let answer = self.ask(self.with_dials(texts::READ_BOTH)).await?;
        let calls = calls(&answer.reply);
        let mut ids: Vec<_> = calls.iter().map(|call| call["id"].to_string()).collect();
        ids.sort_unstable();
        ids.dedup();
        Ok(if ids.len() < calls.len() {
            TrialOutcome::Unusable(texts::SAME_IDS.to_owned())
        } else {
            match calls.len() {
                0 => TrialOutcome::Differs(texts::no_call(&shown(&answer.text()))),
                1 => TrialOutcome::Differs(texts::ONE_CALL.to_owned()),
                count => TrialOutcome::Fine(texts::calls(count)),
            }
        })
    }

    pub(super) async fn no_calls(&mut self) -> Result<TrialOutcome, ModelError> {
        let mut request = self.with_dials(texts::READ_NORTH);
        request.tool_choice = ToolChoice::None;
        let answer = self.ask(request).await?;
        Ok(if calls(&answer.reply).is_empty() {
            TrialOutcome::Fine(texts::NO_CALLS_KEPT.to_owned())
        } else {
            TrialOutcome::Differs(texts::CALLS_ANYWAY.to_owned())
        })
    }

    /// The thinking before the call, which went back with the call's result.
    pub(super) fn thinking(&self) -> TrialOutcome {
        let Some(called) = &self.called else {
            return TrialOutcome::NotTried(texts::NO_CALL.to_owned());
        };
        let blocks = blocks(called);
        let mut thoughts = blocks.iter().filter(|block| block["type"] == "thinking");
        let Some(thought) = thoughts.next() else {
            return TrialOutcome::NotTried(texts::NO_THINKING.to_owned());
        };
        let signed = thought["signature"]
            .as_str()
            .is_some_and(|it| !it.is_empty());
        if !signed && !self.client.sends_unsigned_thinking() {
            TrialOutcome::Differs(texts::THINKING_NOT_SENT.to_owned())
        } else if self.echoed {
            TrialOutcome::Fine(texts::THINKING_SENT.to_owned())
        } else {
            TrialOutcome::Differs(texts::THINKING_REFUSED.to_owned())
        }
    }

    fn with_dials(&self, text: &str) -> ModelRequest {
        let tools = json!([{
            "name": TOOL,
            "description": texts::DESCRIPTION,
            "input_schema": {
                "type": "object",
                "properties": { "dial": { "type": "string", "enum": ["north", "south"] } },
                "required": ["dial"],
                "additionalProperties": false,
            },
        }]);
        ModelRequest {
            tools: raw(tools.to_string()).map(Arc::from),
            ..self.words(text)
        }
    }

    /// The request after the call, with this result for each call of that answer. None if there was
    /// no call.
    fn answered(&self, result: &Value) -> Option<ModelRequest> {
        let called = self.called.as_ref()?;
        let results = calls(called).into_iter().map(|call| {
            let mut result = result.clone();
            result["type"] = "tool_result".into();
            result["tool_use_id"] = call["id"].clone();
            result
        });
        let question = text_block(texts::SAY_READING);
        let results: Vec<_> = results.chain([question]).collect();
        let mut request = self.with_dials(texts::READ_NORTH);
        request.messages.push(RequestMessage {
            role: RequestRole::Assistant,
            content: called.content.clone(),
        });
        request.messages.push(user_message(&results));
        Some(request)
    }
}

fn calls(reply: &ModelReply) -> Vec<Value> {
    let mut calls = blocks(reply);
    calls.retain(|block| block["type"] == "tool_use");
    calls
}

fn is_of_north(call: &Value) -> bool {
    call["name"] == TOOL && call["input"] == json!({ "dial": "north" })
}
