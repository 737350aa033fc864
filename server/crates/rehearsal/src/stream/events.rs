//! Events of a message, and the faults that change their content.

use serde_json::{Value, json};

use super::split;
use crate::{
    fault::{Fault, InputForm},
    reply::{Message, Sent},
    tokens,
};

/// An event before it is framed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Event {
    /// The event's name, repeated in `data.type`.
    pub(crate) name: &'static str,
    pub(crate) data: Value,
    /// Tokens of the answer in it, for the pace.
    pub(crate) tokens: u64,
}

impl Event {
    fn new(name: &'static str, mut fields: Value) -> Self {
        let mut data = json!({ "type": name });
        if let (Some(data), Some(fields)) = (data.as_object_mut(), fields.as_object_mut()) {
            data.append(fields);
        }
        Self {
            name,
            data,
            tokens: 0,
        }
    }

    pub(crate) fn ping() -> Self {
        Self::new("ping", json!({}))
    }

    pub(crate) fn error(kind: &str, message: &str) -> Self {
        Self::new(
            "error",
            json!({ "error": { "type": kind, "message": message } }),
        )
    }

    pub(crate) fn is_delta(&self) -> bool {
        self.name == "content_block_delta"
    }
}

/// All events of a message.
pub(crate) fn of(message: &Message, faults: &[Fault]) -> Vec<Event> {
    let has = |fault: &Fault| faults.contains(fault);
    let unknown = has(&Fault::Unknown);
    let mut events = vec![start(message, has(&Fault::MissingUsage))];
    let mut index = 0;
    for (at, sent) in message.blocks.iter().enumerate() {
        if unknown {
            if at == 0 {
                let block = json!({ "type": "hologram", "frames": 3 });
                events.push(block_event(
                    "content_block_start",
                    index,
                    "content_block",
                    block,
                ));
                let delta = json!({ "type": "hologram_delta", "frame": "…" });
                events.push(block_event("content_block_delta", index, "delta", delta));
                events.push(Event::new("content_block_stop", json!({ "index": index })));
                index += 1;
            }
            events.push(Event::new(
                "weather",
                json!({ "index": index, "sky": "clear" }),
            ));
        }
        let (first, deltas) = block(sent, faults);
        if !has(&Fault::DeltaWithoutStart) {
            events.push(block_event(
                "content_block_start",
                index,
                "content_block",
                first,
            ));
        }
        if at == 0 {
            events.push(Event::ping());
        }
        for (delta, tokens) in deltas {
            let mut event = block_event("content_block_delta", index, "delta", delta);
            event.tokens = tokens;
            events.push(event);
        }
        if has(&Fault::RepeatedStart) && at == 0 {
            events.push(start(message, false));
        }
        let cut_call = sent.cut && sent.block["type"] == "tool_use";
        if !cut_call && !has(&Fault::OpenBlocks) {
            events.push(Event::new("content_block_stop", json!({ "index": index })));
        }
        index += 1;
    }
    finish(message, faults, &mut events);
    events
}

fn block_event(name: &'static str, index: usize, key: &str, value: Value) -> Event {
    let mut event = Event::new(name, json!({ "index": index }));
    event.data[key] = value;
    event
}

fn start(message: &Message, without_usage: bool) -> Event {
    let mut head = json!({
        "id": message.id,
        "type": "message",
        "role": "assistant",
        "model": message.model,
        "content": [],
        "stop_reason": null,
        "stop_sequence": null,
        "stop_details": null,
        "usage": message.usage.at_start(),
    });
    if without_usage && let Some(head) = head.as_object_mut() {
        head.remove("usage");
    }
    Event::new("message_start", json!({ "message": head }))
}

/// The start of a block and its deltas, each with its tokens.
fn block(sent: &Sent, faults: &[Fault]) -> (Value, Vec<(Value, u64)>) {
    let block = &sent.block;
    let text_of = |key: &str| block[key].as_str().unwrap_or_default();
    match text_of("type") {
        "text" => {
            let deltas = split::words(text_of("text"))
                .into_iter()
                .map(|piece| {
                    let delta = json!({ "type": "text_delta", "text": piece });
                    (delta, tokens::of_text(piece))
                })
                .collect();
            (json!({ "type": "text", "text": "" }), deltas)
        }
        "thinking" => {
            let mut deltas: Vec<_> = split::words(text_of("thinking"))
                .into_iter()
                .map(|piece| {
                    let delta = json!({ "type": "thinking_delta", "thinking": piece });
                    (delta, tokens::of_text(piece))
                })
                .collect();
            if !faults.contains(&Fault::UnsignedThinking) {
                let signature = text_of("signature");
                deltas.push((
                    json!({ "type": "signature_delta", "signature": signature }),
                    0,
                ));
            }
            let first = json!({ "type": "thinking", "thinking": "", "signature": "" });
            (first, deltas)
        }
        "tool_use" => tool_use(sent, faults),
        _ => (block.clone(), Vec::new()),
    }
}

fn tool_use(sent: &Sent, faults: &[Fault]) -> (Value, Vec<(Value, u64)>) {
    let block = &sent.block;
    let form = faults.iter().find_map(|fault| match fault {
        Fault::ToolInput { form } => Some(*form),
        _ => None,
    });
    let mut first = block.clone();
    if form != Some(InputForm::InStart) {
        first["input"] = json!({});
    }
    let mut input = block["input"].to_string();
    if sent.cut {
        // Cut within the last string or number, so that no parser takes it for complete.
        let end = input
            .char_indices()
            .map(|(at, _)| at)
            .nth(input.chars().count() * 2 / 3);
        input.truncate(end.unwrap_or_default());
    }
    let pieces: Vec<String> = match form {
        Some(InputForm::Empty | InputForm::InStart) => Vec::new(),
        Some(InputForm::EmptyDelta) => vec![String::new()],
        Some(InputForm::Invalid) => vec!["{\"name\": \"pve\", ".to_owned(), "oops]}".to_owned()],
        Some(InputForm::NotObject) => vec!["[1, 2]".to_owned()],
        Some(InputForm::OnePiece) => vec![input],
        // The first delta is empty, as the real server sends it.
        None if input == "{}" => vec![String::new()],
        None => std::iter::once(String::new())
            .chain(split::characters(&input, 12).into_iter().map(str::to_owned))
            .collect(),
    };
    let deltas = pieces
        .into_iter()
        .map(|piece| {
            let tokens = tokens::of_text(&piece);
            (
                json!({ "type": "input_json_delta", "partial_json": piece }),
                tokens,
            )
        })
        .collect();
    (first, deltas)
}

fn finish(message: &Message, faults: &[Fault], events: &mut Vec<Event>) {
    let stop = &message.stop;
    let mut usage = message.usage.at_end();
    let delta = |usage: Option<Value>, reason: &Value| {
        let mut event = Event::new(
            "message_delta",
            json!({ "delta": {
                "stop_reason": reason,
                "stop_sequence": stop.sequence,
                "stop_details": stop.details,
            } }),
        );
        if let Some(usage) = usage {
            event.data["usage"] = usage;
        }
        event
    };
    if faults.contains(&Fault::SeveralMessageDeltas) {
        for part in [3, 2] {
            let mut early = usage.clone();
            early["output_tokens"] = json!(message.usage.output / part);
            events.push(delta(Some(early), &Value::Null));
        }
        // Server-side work is billed late: the input rises in the last one.
        usage["input_tokens"] = json!(message.usage.input + 7);
    }
    let usage = (!faults.contains(&Fault::MissingUsage)).then_some(usage);
    events.push(delta(usage, &stop.reason));
    events.push(Event::new("message_stop", json!({})));
}
