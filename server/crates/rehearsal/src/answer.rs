//! Conversion of an answer's blocks to a message, with ids, signatures, limits and usage.

use serde_json::{Value, json};

use crate::{
    cache::Bill,
    fault::Fault,
    history::Role,
    ids::Ids,
    prefix::{Chain, Prefix},
    reply::{Block, Message, Sent, Stop},
    request::{Request, Thinking},
    signature, tokens,
};

/// Builds the message of an answer.
pub(crate) fn message(
    request: &Request,
    prefix: &Prefix,
    bill: &Bill,
    blocks: Vec<Block>,
    stop: Option<Stop>,
    faults: &[Fault],
    ids: &Ids,
) -> Message {
    let mut chain = prefix.end;
    let mut usage = bill.usage;
    let mut sent = Vec::new();
    let room = request.model.context.saturating_sub(prefix.tokens());
    let limit = request.max_tokens.min(room);
    let mut ended = None;
    for block in blocks {
        let left = limit.saturating_sub(usage.output);
        if left == 0 {
            ended = Some(limit_reached(request, room));
            break;
        }
        let Some(mut value) = finished(request, block, &chain, ids) else {
            continue;
        };
        let mut cost = cost(&value);
        let mut cut = false;
        if let Some(sequence) = stop_at(request, &mut value) {
            cost = self::cost(&value);
            ended = Some(Stop {
                sequence: Some(sequence),
                ..Stop::because("stop_sequence")
            });
        }
        if cost > left {
            cut = true;
            cut_text(&mut value, left);
            cost = left;
            ended = Some(limit_reached(request, room));
        }
        if faults.contains(&Fault::CutToolUse) && value["type"] == "tool_use" {
            cut = true;
            ended = Some(Stop::because("max_tokens"));
        }
        usage.output += cost;
        if value["type"] == "thinking" {
            usage.thinking += cost;
        }
        let empty = value["text"].as_str().is_some_and(str::is_empty);
        if !empty {
            chain.push_block(Role::Assistant, &value);
            sent.push(Sent { block: value, cut });
        }
        if ended.is_some() {
            break;
        }
    }
    if request.max_tokens == 0 {
        ended = Some(Stop::because("max_tokens"));
    }
    let natural = if sent.iter().any(|sent| sent.block["type"] == "tool_use") {
        "tool_use"
    } else {
        "end_turn"
    };
    let mut stop = ended.or(stop).unwrap_or_else(|| Stop::because(natural));
    for fault in faults {
        match fault {
            Fault::StopReason { reason } => stop.reason = json!(reason),
            Fault::PauseTurn => stop = Stop::because("pause_turn"),
            Fault::Refusal => {
                stop = Stop::because("refusal");
                stop.details = Some(json!({
                    "type": "refusal",
                    "category": "cyber",
                    "explanation": "Asked for by the rehearsal.",
                }));
            }
            _ => {}
        }
    }
    Message {
        id: ids.next("msg"),
        model: request.model.id.to_owned(),
        blocks: sent,
        stop,
        usage,
    }
}

fn limit_reached(request: &Request, room: u64) -> Stop {
    Stop::because(if request.max_tokens > room {
        "model_context_window_exceeded"
    } else {
        "max_tokens"
    })
}

/// The final block, or `None` if the request does not want this kind.
fn finished(request: &Request, block: Block, before: &Chain, ids: &Ids) -> Option<Value> {
    Some(match block {
        Block::Text { text } => json!({ "type": "text", "text": text }),
        Block::Thinking { thinking } => {
            let shown = match request.thinking {
                Thinking::Off => return None,
                Thinking::Omitted => String::new(),
                Thinking::Shown => thinking,
            };
            let signature = signature::sign(request.model.id, before, &shown);
            json!({ "type": "thinking", "thinking": shown, "signature": signature })
        }
        Block::ToolUse { id, name, input } => json!({
            "type": "tool_use",
            "id": id.unwrap_or_else(|| ids.next("toolu")),
            "name": name,
            "input": input,
        }),
        Block::Other(fields) => Value::Object(fields),
    })
}

/// Tokens of a block of an answer.
fn cost(block: &Value) -> u64 {
    match block["type"].as_str() {
        Some("text") => tokens::of_text(block["text"].as_str().unwrap_or_default()),
        // Omitted thinking still costs tokens.
        Some("thinking") => tokens::of_text(block["thinking"].as_str().unwrap_or_default()).max(8),
        Some("tool_use") => 8 + tokens::of_json(&block["input"]),
        _ => tokens::of_json(block),
    }
}

/// Cuts text to at most `left` tokens. The input of a tool call is cut later, on the wire.
fn cut_text(block: &mut Value, left: u64) {
    let limit = usize::try_from(left * 4).unwrap_or(usize::MAX);
    if block["type"] == "text"
        && let Some(text) = block["text"].as_str()
        && text.len() > limit
    {
        let mut end = limit;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        block["text"] = json!(text[..end]);
    }
}

/// Cuts text before the first stop sequence in it; returns that sequence.
fn stop_at(request: &Request, block: &mut Value) -> Option<String> {
    if block["type"] != "text" {
        return None;
    }
    let text = block["text"].as_str()?;
    let (at, sequence) = request
        .stop_sequences
        .iter()
        .filter_map(|sequence| Some((text.find(sequence.as_str())?, sequence)))
        .min()?;
    let sequence = sequence.clone();
    block["text"] = json!(text[..at]);
    Some(sequence)
}
