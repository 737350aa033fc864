//! A journal as the messages of a snapshot.

use protocol::{CallId, ContentBlock, Event, EventBody, MessageId};

use crate::{
    blocks::block_id,
    content::ResultText,
    event::{SnapshotCall, SnapshotMessage},
};

/// The most text of a snapshot, in bytes. A client reads at most 10 MB of one event.
const MOST: usize = 4 * 1024 * 1024;

/// Returns the messages of a conversation, oldest first. Of one that is too long only the newest, from a
/// message of the user on.
pub fn messages(events: &[Event]) -> Vec<SnapshotMessage> {
    let mut all = Vec::new();
    for event in events {
        add(&event.body, &mut all);
    }
    let mut room = MOST;
    let fits = all.iter().rev().take_while(|message| {
        let left = room.checked_sub(weight(message));
        room = left.unwrap_or_default();
        left.is_some()
    });
    let dropped = all.len() - fits.count();
    if dropped > 0 {
        let mut rest = all.iter().skip(dropped);
        let first = rest.position(|message| matches!(message, SnapshotMessage::User { .. }));
        all.drain(..dropped + first.unwrap_or_default());
    }
    all
}

/// Returns the newest messages of the user that nothing followed, oldest first, and those that wait for their turn.
pub fn unanswered(events: &[Event]) -> Vec<String> {
    let mut texts = Vec::new();
    let mut queue: Vec<(MessageId, String)> = Vec::new();
    for event in events {
        match &event.body {
            EventBody::TurnStarted { message, text, .. }
            | EventBody::MessageRead { message, text, .. } => {
                queue.retain(|(queued, _)| queued != message);
                texts.push(text.clone());
            }
            EventBody::MessageQueued { message, text, .. }
            | EventBody::MessageSteered { message, text, .. } => {
                queue.push((*message, text.clone()));
            }
            EventBody::MessageWithdrawn { message } => {
                queue.retain(|(queued, _)| queued != message);
            }
            EventBody::Branched { .. } => queue.clear(),
            EventBody::AssistantMessage { blocks, .. } if blocks.iter().any(is_shown) => {
                texts.clear();
            }
            _ => {}
        }
    }
    texts.extend(queue.into_iter().map(|(_, text)| text));
    texts
}

/// Returns the result of a call, if an event has it.
pub(crate) fn result(body: &EventBody) -> Option<(CallId, ResultText)> {
    match body {
        EventBody::ToolFinished { call, outcome, .. } => Some((*call, ResultText::of(outcome))),
        EventBody::ToolBlocked { call, message, .. } => Some((*call, ResultText::blocked(message))),
        EventBody::ConfirmationDecided { call, verdict, .. } => {
            Some((*call, ResultText::decided(verdict)?))
        }
        _ => None,
    }
}

fn is_shown(block: &ContentBlock) -> bool {
    match block {
        ContentBlock::Text { text } => !text.is_empty(),
        ContentBlock::ToolUse { .. } => true,
        ContentBlock::Thinking { .. } | ContentBlock::Other => false,
    }
}

fn add(body: &EventBody, all: &mut Vec<SnapshotMessage>) {
    match body {
        EventBody::TurnStarted { message, text, .. }
        | EventBody::MessageRead { message, text, .. } => all.push(SnapshotMessage::User {
            id: message.to_string(),
            content: text.clone(),
        }),
        EventBody::ActionStarted {
            message,
            call,
            tool,
            input,
            ..
        } => all.push(SnapshotMessage::Assistant {
            id: message.to_string(),
            content: None,
            tool_calls: vec![SnapshotCall::new(call.to_string(), tool.clone(), input)],
        }),
        EventBody::AssistantMessage {
            message, blocks, ..
        } => {
            let mut tool_calls = Vec::new();
            for (index, block) in (0..).zip(blocks) {
                match block {
                    ContentBlock::Text { text } if !text.is_empty() => {
                        all.push(SnapshotMessage::Assistant {
                            id: block_id((*message, index)),
                            content: Some(text.clone()),
                            tool_calls: Vec::new(),
                        });
                    }
                    ContentBlock::ToolUse { call, name, input } => {
                        tool_calls.push(SnapshotCall::new(call.to_string(), name.clone(), input));
                    }
                    _ => {}
                }
            }
            if !tool_calls.is_empty() {
                all.push(SnapshotMessage::Assistant {
                    id: message.to_string(),
                    content: None,
                    tool_calls,
                });
            }
        }
        body => {
            if let Some((call, result)) = result(body) {
                all.push(SnapshotMessage::Tool {
                    id: format!("{call}.result"),
                    content: result.content,
                    tool_call_id: call.to_string(),
                    error: result.error,
                });
            }
        }
    }
}

/// Returns the bytes of a message, about.
fn weight(message: &SnapshotMessage) -> usize {
    const FRAME: usize = 128;
    FRAME
        + match message {
            SnapshotMessage::User { content, .. } | SnapshotMessage::Tool { content, .. } => {
                content.len()
            }
            SnapshotMessage::Assistant {
                content,
                tool_calls,
                ..
            } => {
                let calls = tool_calls.iter();
                let calls: usize = calls.map(|call| call.function.arguments.len()).sum();
                calls + content.as_ref().map_or(0, String::len)
            }
        }
}
