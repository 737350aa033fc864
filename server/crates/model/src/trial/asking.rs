//! Questions to the model, their answers, and the part of an answer that a terminal may show.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use agent::ports::{
    Model as _, ModelError, ModelErrorKind, ModelEvent, ModelReply, ModelRequest, RequestMessage,
    RequestRole, ToolChoice,
};
use futures::StreamExt as _;
use protocol::Usage;
use serde_json::{Value, json};

use crate::raw::raw;
use crate::{Client, texts};

/// Output tokens of one answer: room for a short thought.
const MAX_TOKENS: u32 = 1_024;
/// Characters of foreign text in one finding.
const MAX_SHOWN: usize = 200;

/// The questions that are asked, and what later ones need of earlier ones.
pub(super) struct Asker<'a> {
    pub(super) client: &'a Client,
    pub(super) model: &'a str,
    /// Used so far.
    pub(super) tokens: u64,
    /// The answer to the first question; none if the model does not answer at all.
    pub(super) counted: Option<TrialAnswer>,
    /// An answer with a call of the tool.
    pub(super) called: Option<ModelReply>,
    /// True if an answer to the call's result has come.
    pub(super) echoed: bool,
}

/// A complete answer.
pub(super) struct TrialAnswer {
    pub(super) reply: ModelReply,
    /// Pieces in which it came, and the time until the first.
    pub(super) pieces: usize,
    pub(super) first: Option<Duration>,
    /// True if the server left its usage out.
    pub(super) estimated: bool,
}

impl<'a> Asker<'a> {
    pub(super) fn new(client: &'a Client, model: &'a str) -> Self {
        Self {
            client,
            model,
            tokens: 0,
            counted: None,
            called: None,
            echoed: false,
        }
    }

    /// A question in words, without tools.
    pub(super) fn words(&self, text: &str) -> ModelRequest {
        self.blocks(&[text_block(text)])
    }

    /// A question of several blocks, without tools.
    pub(super) fn blocks(&self, blocks: &[Value]) -> ModelRequest {
        ModelRequest {
            model: self.model.to_owned(),
            effort: None,
            max_tokens: MAX_TOKENS,
            system: Arc::from(texts::SYSTEM),
            tools: None,
            tool_choice: ToolChoice::Auto,
            messages: vec![user_message(blocks)],
            correlation: None,
        }
    }

    pub(super) async fn ask(&mut self, request: ModelRequest) -> Result<TrialAnswer, ModelError> {
        let started = Instant::now();
        let client = self.client;
        let estimates = || client.inner.estimates.load(Ordering::Relaxed);
        let before = estimates();
        let mut events = client.ask(request);
        let (mut pieces, mut first) = (0, None);
        while let Some(event) = events.next().await {
            match event {
                Ok(ModelEvent::Delta { .. }) => {
                    pieces += 1;
                    first.get_or_insert_with(|| started.elapsed());
                }
                Ok(ModelEvent::Finished(reply)) => {
                    self.tokens += reply.usage.total();
                    return Ok(TrialAnswer {
                        reply,
                        pieces,
                        first,
                        estimated: estimates() != before,
                    });
                }
                Ok(_) => {}
                Err(error) => {
                    self.tokens += error.usage.total();
                    return Err(error);
                }
            }
        }
        Err(ModelError {
            kind: ModelErrorKind::Protocol,
            message: texts::NO_ANSWER.to_owned(),
            status: None,
            request_id: None,
            partial: Vec::new(),
            usage: Usage::default(),
        })
    }
}

impl TrialAnswer {
    /// All text of the answer.
    pub(super) fn text(&self) -> String {
        let blocks = blocks(&self.reply).into_iter();
        blocks
            .filter(|block| block["type"] == "text")
            .filter_map(|block| block["text"].as_str().map(str::to_owned))
            .collect()
    }
}

pub(super) fn blocks(reply: &ModelReply) -> Vec<Value> {
    let blocks = reply.content.iter();
    blocks
        .filter_map(|block| serde_json::from_str(block.get()).ok())
        .collect()
}

pub(super) fn text_block(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

pub(super) fn user_message(blocks: &[Value]) -> RequestMessage {
    let blocks = blocks.iter().filter_map(|block| raw(block.to_string()));
    RequestMessage {
        role: RequestRole::User,
        content: blocks.map(Arc::from).collect(),
    }
}

/// Foreign text for a terminal: one line of visible characters, and not too many of them.
pub(super) fn shown(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    let mut line: String = words
        .join(" ")
        .chars()
        .map(|char| if is_visible(char) { char } else { '\u{fffd}' })
        .collect();
    if let Some((end, _)) = line.char_indices().nth(MAX_SHOWN) {
        line.truncate(end);
        line.push('…');
    }
    line
}

/// False for controls, marks that turn the direction of a line, and characters without width.
fn is_visible(char: char) -> bool {
    !char.is_control()
        && !matches!(
            char,
            '\u{ad}'
                | '\u{61c}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_is_one_visible_line() {
        assert_eq!(
            shown("a\n\tb \u{1b}[2J\u{202e}c"),
            "a b \u{fffd}[2J\u{fffd}c"
        );
        assert_eq!(shown(&"ä".repeat(500)).chars().count(), MAX_SHOWN + 1);
    }
}
