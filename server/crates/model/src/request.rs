//! The body of a request, put together from raw JSON so that history keeps its bytes.

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
    let sent: Vec<(RequestRole, Vec<&str>)> = messages
        .iter()
        .map(|message| {
            let content = message.content.iter().map(|block| &**block);
            let content = content.filter(|block| may_be_sent(block, profile));
            (message.role, content.map(RawValue::get).collect())
        })
        .filter(|(_, content): &(_, Vec<_>)| !content.is_empty())
        .collect();
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
