//! An answer of a model as a list of events.

use std::sync::Arc;

use agent::ports::{ModelError, ModelErrorKind, ModelEvent, ModelReply};
use protocol::{BlockKind, StopReason, Usage};
use serde_json::{Value, json, value::RawValue};

use crate::Hold;

/// One event of an answer.
#[derive(Debug, Clone)]
pub enum Act {
    Event(ModelEvent),
    /// The stream waits here.
    Hold(Hold),
    /// The stream ends with an error.
    Fail(ModelError),
    /// The stream panics.
    Panic,
}

/// An answer. Blocks are added one after the other; the stop reason follows from them unless it
/// is set.
#[derive(Debug, Clone, Default)]
pub struct Script {
    acts: Vec<Act>,
    content: Vec<Arc<RawValue>>,
    stop: Option<StopReason>,
    calls: bool,
    end: Option<Act>,
    usage: Usage,
    without_end: bool,
}

/// Raw JSON of a value.
fn raw(value: &Value) -> Arc<RawValue> {
    serde_json::value::to_raw_value(value).unwrap().into()
}

impl Script {
    /// An empty answer that used 100 tokens of input and 10 of output.
    pub fn new() -> Self {
        Self {
            usage: Usage {
                input: 100,
                output: 10,
                ..Usage::default()
            },
            ..Self::default()
        }
    }

    /// An answer of one text block.
    pub fn say(text: &str) -> Self {
        Self::new().text(text)
    }

    fn index(&self) -> u32 {
        u32::try_from(self.content.len()).unwrap()
    }

    fn block(mut self, kind: BlockKind, pieces: &[&str], content: &Value) -> Self {
        let index = self.index();
        self.event(ModelEvent::BlockStarted { index, kind });
        for text in pieces {
            let text = (*text).to_owned();
            self.event(ModelEvent::Delta { index, text });
        }
        self.event(ModelEvent::BlockFinished { index });
        self.content.push(raw(content));
        self
    }

    fn event(&mut self, event: ModelEvent) {
        self.acts.push(Act::Event(event));
    }

    /// A text block, streamed word by word.
    #[must_use]
    pub fn text(self, text: &str) -> Self {
        let pieces: Vec<_> = text.split_inclusive(' ').collect();
        self.block(
            BlockKind::Text,
            &pieces,
            &json!({ "type": "text", "text": text }),
        )
    }

    /// A text block that waits in its middle.
    #[must_use]
    pub fn text_held(mut self, before: &str, hold: &Hold, after: &str) -> Self {
        let index = self.index();
        self.event(ModelEvent::BlockStarted {
            index,
            kind: BlockKind::Text,
        });
        self.event(ModelEvent::Delta {
            index,
            text: before.to_owned(),
        });
        self = self.hold(hold);
        self.event(ModelEvent::Delta {
            index,
            text: after.to_owned(),
        });
        self.event(ModelEvent::BlockFinished { index });
        let text = format!("{before}{after}");
        self.content
            .push(raw(&json!({ "type": "text", "text": text })));
        self
    }

    /// A signed thinking block.
    #[must_use]
    pub fn think(self, text: &str) -> Self {
        let content = json!({ "type": "thinking", "thinking": text, "signature": "c2lnbmVk" });
        self.block(BlockKind::Thinking, &[text], &content)
    }

    /// A tool call under the model's id.
    #[must_use]
    pub fn call(mut self, id: &str, name: &str, input: Value) -> Self {
        self.calls = true;
        let kind = BlockKind::ToolUse {
            name: name.to_owned(),
        };
        let content = json!({ "type": "tool_use", "id": id, "name": name, "input": input });
        self.block(kind, &[&content["input"].to_string()], &content)
    }

    /// The stream waits here.
    #[must_use]
    pub fn hold(mut self, hold: &Hold) -> Self {
        self.acts.push(Act::Hold(hold.clone()));
        self
    }

    /// Any other event.
    #[must_use]
    pub fn act(mut self, act: Act) -> Self {
        self.acts.push(act);
        self
    }

    /// Another stop reason.
    #[must_use]
    pub fn stop(mut self, stop: StopReason) -> Self {
        self.stop = Some(stop);
        self
    }

    /// Another usage.
    #[must_use]
    pub fn usage(mut self, usage: Usage) -> Self {
        self.usage = usage;
        self
    }

    /// The stream fails at this point; `partial` keeps the blocks so far.
    #[must_use]
    pub fn fail(mut self, kind: ModelErrorKind, partial: bool) -> Self {
        self.end = Some(Act::Fail(ModelError {
            kind,
            message: format!("scripted {kind:?}"),
            status: None,
            request_id: None,
            partial: if partial {
                self.content.clone()
            } else {
                Vec::new()
            },
            usage: Usage::default(),
        }));
        self
    }

    /// The stream ends without its last event.
    #[must_use]
    pub fn without_end(mut self) -> Self {
        self.without_end = true;
        self
    }

    /// All events, in order.
    pub fn into_acts(self) -> Vec<Act> {
        let mut acts = self.acts;
        if self.without_end {
            return acts;
        }
        let default = if self.calls {
            StopReason::ToolUse
        } else {
            StopReason::EndTurn
        };
        acts.push(self.end.unwrap_or_else(|| {
            Act::Event(ModelEvent::Finished(ModelReply {
                content: self.content,
                stop: self.stop.unwrap_or(default),
                explanation: None,
                invalid_inputs: Vec::new(),
                usage: self.usage,
                request_id: None,
                id: None,
                model: None,
            }))
        }));
        acts
    }
}
