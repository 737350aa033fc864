//! Validation of request bodies by the real server's rules, and parsing into a [`Request`].

mod blocks;
mod fields;
pub(crate) mod headers;
mod images;
mod markers;
mod order;
pub(crate) mod thinking;
mod tools;

pub(crate) use images::bytes as image_bytes;
use serde_json::Value;

use crate::{history, refusal::Refusal, request::Request};

/// Endpoint of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Endpoint {
    Messages,
    /// Like messages, without `max_tokens` and `stream`.
    CountTokens,
}

/// Validates a body, except for signed thinking, which needs the hashes of the prefix.
pub(crate) fn body(
    body: &Value,
    endpoint: Endpoint,
    version: headers::Version,
    control: bool,
) -> Result<Request, Refusal> {
    if !body.is_object() {
        return Err(Refusal::invalid("Input should be an object"));
    }
    let read = fields::read(body, endpoint, version, control)?;
    let tools = tools::read(&body["tools"])?;
    let turns = history::read(&body["messages"])?;
    for turn in &turns {
        blocks::check(turn, version)?;
    }
    order::check(&turns, read.model)?;
    if tools.is_empty() {
        order::no_tool_blocks(&turns)?;
    }
    fields::check_choice(&read.choice, &tools, read.model)?;
    let automatic_breakpoint = markers::check(body, &turns)?;
    Ok(Request {
        model: read.model,
        max_tokens: read.max_tokens,
        stream: read.stream,
        system: read.system,
        tools,
        raw_choice: read.raw_choice,
        choice: read.choice,
        parallel: read.parallel,
        thinking: read.thinking,
        raw_thinking: read.raw_thinking,
        effort: read.effort,
        stop_sequences: read.stop_sequences,
        automatic_breakpoint,
        turns,
    })
}
