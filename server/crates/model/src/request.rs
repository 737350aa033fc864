//! The body of a request, put together from raw JSON so that history keeps its bytes.

use std::borrow::Cow;

use agent::ports::{ModelRequest, RequestMessage, RequestRole, ToolChoice};
use protocol::Effort;
use serde_json::value::RawValue;

use crate::catalogue::{ModelEntry, ThinkingSupport};
use crate::profile::Profile;
use crate::raw::{RawObject, quoted};
use crate::thinking;

const CACHE_CONTROL: &str = r#""cache_control":{"type":"ephemeral"}"#;

/// User messages that end with a breakpoint, counted from the newest. The breakpoint of the last
/// request was at the end of the message that is now the second: there the cache is hit however
/// many blocks have come since, while a single breakpoint is only looked for 20 blocks back.
const CACHED_MESSAGES: usize = 2;

/// Opens a result for servers that drop `is_error`. A tool's own text is JSON and cannot pass for it.
const FAILED: &str = "This tool call failed. The error:\n";

/// The settings of a request that nobody chose for it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct UsualThinking {
    /// The level where nobody chose one.
    pub(crate) effort: Option<Effort>,
    /// The most tokens of thinking.
    pub(crate) tokens: Option<u32>,
}

/// The body. `model` has the known facts about the model.
pub(crate) fn body(
    request: &ModelRequest,
    model: Option<&ModelEntry>,
    usual: UsualThinking,
    profile: &Profile,
) -> String {
    let limit = model.and_then(|model| model.max_output).unwrap_or(u32::MAX);
    let max_tokens = request.max_tokens.min(limit);
    let mut body = format!(
        r#"{{"model":{},"max_tokens":{},"stream":true"#,
        quoted(&request.model),
        max_tokens,
    );
    if profile.optional_fields {
        match model.and_then(|model| model.thinking) {
            Some(ThinkingSupport::Adaptive) => {
                body.push_str(r#","thinking":{"type":"adaptive","display":"summarized"}"#);
            }
            Some(ThinkingSupport::Budget) => {
                let tokens = usual.tokens;
                let tokens = tokens.and_then(|tokens| thinking::budget(tokens, max_tokens));
                if let Some(tokens) = tokens {
                    body.push_str(&format!(
                        r#","thinking":{{"type":"enabled","budget_tokens":{tokens}}}"#
                    ));
                }
            }
            Some(ThinkingSupport::Unasked) | None => {}
        }
        let effort = thinking::effort(request.effort.or(usual.effort), usual.tokens);
        if let (Some(effort), Some(true)) = (effort, model.and_then(|model| model.effort))
            && let Some(effort) = word(effort)
        {
            body.push_str(&format!(r#","output_config":{{"effort":"{effort}"}}"#));
        }
    }
    if let Some(tools) = &request.tools {
        body.push_str(r#","tools":"#);
        push_tools(&mut body, tools.get(), profile.cache_control);
        if request.tool_choice == ToolChoice::None {
            body.push_str(r#","tool_choice":{"type":"none"}"#);
        }
    }
    if !request.system.trim().is_empty() {
        let text = quoted(&request.system);
        body.push_str(r#","system":"#);
        if profile.cache_control {
            body.push_str(&format!(
                r#"[{{"type":"text","text":{text},{CACHE_CONTROL}}}]"#
            ));
        } else {
            body.push_str(&text);
        }
    }
    body.push_str(r#","messages":["#);
    push_messages(&mut body, &request.messages, profile);
    body.push_str("]}");
    body
}

/// A level of effort in the API's words.
fn word(effort: Effort) -> Option<&'static str> {
    Some(match effort {
        Effort::Low => "low",
        Effort::Medium => "medium",
        Effort::High => "high",
        Effort::ExtraHigh => "xhigh",
        Effort::Max => "max",
        Effort::Unknown => return None,
    })
}

fn push_tools(body: &mut String, tools: &str, cache: bool) {
    let before_end = tools.trim_end().strip_suffix(']').map(str::trim_end);
    match before_end.filter(|tools| cache && tools.ends_with('}')) {
        Some(tools) => {
            push_cached(body, tools);
            body.push(']');
        }
        None => body.push_str(tools),
    }
}

fn push_messages(body: &mut String, messages: &[RequestMessage], profile: &Profile) {
    let mut sent: Vec<(RequestRole, Vec<Cow<'_, str>>)> = Vec::with_capacity(messages.len());
    for message in messages {
        let content = message.content.iter().map(|block| &**block);
        let content = content.filter(|block| may_be_sent(block, profile));
        let mut content: Vec<_> = content.map(|block| in_words(block, profile)).collect();
        if profile.results_apart && message.role == RequestRole::User {
            let results = content.iter().take_while(|block| is_result(block)).count();
            let rest = content.split_off(results);
            sent.push((message.role, content));
            content = rest;
        }
        sent.push((message.role, content));
    }
    sent.retain(|(_, content)| !content.is_empty());
    let mut users = sent
        .iter()
        .filter(|(role, _)| *role == RequestRole::User)
        .count();
    for (position, (role, content)) in sent.iter().enumerate() {
        if position > 0 {
            body.push(',');
        }
        let mut cached = false;
        body.push_str(match role {
            RequestRole::User => {
                cached = profile.cache_control && users <= CACHED_MESSAGES;
                users -= 1;
                r#"{"role":"user","content":["#
            }
            RequestRole::Assistant => r#"{"role":"assistant","content":["#,
        });
        for (position, block) in content.iter().enumerate() {
            if position > 0 {
                body.push(',');
            }
            if cached && position + 1 == content.len() {
                push_cached(body, block);
            } else {
                body.push_str(block);
            }
        }
        body.push_str("]}");
    }
}

fn is_result(block: &str) -> bool {
    RawObject::parse(block)
        .is_some_and(|object| object.text("type").as_deref() == Some("tool_result"))
}

/// The block as it is sent. A failed result says so in words if the profile wants that. Decided from
/// the block alone, as below.
fn in_words<'a>(block: &'a RawValue, profile: &Profile) -> Cow<'a, str> {
    let failed = || {
        let object = RawObject::parse(block.get())?;
        let is_error = object.get("is_error").map(RawValue::get) == Some("true");
        (is_error && object.text("type").as_deref() == Some("tool_result"))
            .then(|| failed_result(&object))
    };
    match profile.errors_in_words.then(failed).flatten() {
        Some(failed) => Cow::Owned(failed),
        None => Cow::Borrowed(block.get()),
    }
}

fn failed_result(result: &RawObject<'_>) -> String {
    let content = result.get("content").map_or("", RawValue::get);
    let blocks = content.trim().strip_prefix('[').map(str::trim_start);
    let content = match (result.text("content"), blocks) {
        (Some(text), _) => quoted(&format!("{FAILED}{text}")),
        (None, Some(blocks)) => {
            let comma = if blocks == "]" { "" } else { "," };
            let text = quoted(FAILED);
            format!(r#"[{{"type":"text","text":{text}}}{comma}{blocks}"#)
        }
        (None, None) => quoted(FAILED),
    };
    let mut json = String::from("{");
    for (name, value) in &result.0 {
        if name != "content" {
            json.push_str(&format!("{}:{},", quoted(name), value.get()));
        }
    }
    json.push_str(&format!(r#""content":{content}}}"#));
    json
}

/// True if the API takes a block back. Decided from the block alone, so that a prefix that was sent
/// once is sent again.
fn may_be_sent(block: &RawValue, profile: &Profile) -> bool {
    let Some(object) = RawObject::parse(block.get()) else {
        return true;
    };
    match object.text("type").as_deref() {
        Some("text") => object
            .text("text")
            .is_none_or(|text| !text.trim().is_empty()),
        Some("thinking") => {
            profile.unsigned_thinking
                || object
                    .text("signature")
                    .is_some_and(|signature| !signature.is_empty())
        }
        _ => true,
    }
}

/// An object that ends with `}`, with a breakpoint as its last field.
fn push_cached(body: &mut String, object: &str) {
    match object.strip_suffix('}').map(str::trim_end) {
        Some(fields) => {
            body.push_str(fields);
            if !fields.ends_with('{') {
                body.push(',');
            }
            body.push_str(CACHE_CONTROL);
            body.push('}');
        }
        None => body.push_str(object),
    }
}

#[cfg(test)]
mod tests;
