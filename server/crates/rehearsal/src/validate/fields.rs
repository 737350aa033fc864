//! Validation of the fields of a request other than tools and messages.

use serde_json::{Value, json};

use super::{Endpoint, blocks::text_is_blank, headers::Version};
use crate::{
    catalogue::{self, Model},
    refusal::Refusal,
    request::{Choice, Thinking},
};

/// Parsed fields.
pub(super) struct Fields {
    pub(super) model: &'static Model,
    pub(super) max_tokens: u64,
    pub(super) stream: bool,
    pub(super) system: Vec<Value>,
    pub(super) choice: Choice,
    pub(super) raw_choice: Value,
    pub(super) parallel: bool,
    pub(super) thinking: Thinking,
    pub(super) raw_thinking: Value,
    pub(super) effort: Value,
    pub(super) stop_sequences: Vec<String>,
}

const BOTH: [&str; 8] = [
    "model",
    "messages",
    "system",
    "tools",
    "tool_choice",
    "thinking",
    "output_config",
    "cache_control",
];
const MESSAGES_ONLY: [&str; 12] = [
    "max_tokens",
    "stream",
    "metadata",
    "service_tier",
    "speed",
    "stop_sequences",
    "container",
    "diagnostics",
    "inference_geo",
    "temperature",
    "top_p",
    "top_k",
];

pub(super) fn read(
    body: &Value,
    endpoint: Endpoint,
    version: Version,
    control: bool,
) -> Result<Fields, Refusal> {
    thread(&body["thread"])?;
    for key in body
        .as_object()
        .into_iter()
        .flat_map(|fields| fields.keys())
    {
        let known = BOTH.contains(&key.as_str())
            || (endpoint == Endpoint::Messages && MESSAGES_ONLY.contains(&key.as_str()))
            || key == "thread";
        if !known {
            return Err(Refusal::invalid(format!(
                "{key}: Extra inputs are not permitted"
            )));
        }
    }
    let model = match &body["model"] {
        Value::String(id) => {
            catalogue::find(id, control).ok_or_else(|| Refusal::new(404, format!("model: {id}")))?
        }
        Value::Null => return Err(Refusal::invalid("model: Field required")),
        _ => return Err(Refusal::invalid("model: Input should be a valid string")),
    };
    if version == Version::V2026 {
        for key in ["temperature", "top_p", "top_k"] {
            if !body[key].is_null() {
                return Err(Refusal::invalid(format!(
                    "{key}: sampling parameters are not supported with anthropic-version 2026-10-21"
                )));
            }
        }
    }
    let stream = match &body["stream"] {
        Value::Null => false,
        Value::Bool(stream) => *stream,
        _ => return Err(Refusal::invalid("stream: Input should be a valid boolean")),
    };
    let choice = choice(&body["tool_choice"])?;
    let (raw_thinking, thinking) = (body["thinking"].clone(), &body["thinking"]);
    let config = &body["output_config"];
    if !config.is_null() && !config.is_object() {
        return Err(Refusal::invalid("output_config: Input should be an object"));
    }
    let fields = Fields {
        model,
        max_tokens: max_tokens(&body["max_tokens"], endpoint, model)?,
        stream,
        system: system(&body["system"])?,
        raw_choice: json!(format!("{choice:?}")),
        parallel: body["tool_choice"]["disable_parallel_tool_use"] != true,
        thinking: self::thinking(thinking, &body["max_tokens"], model)?,
        raw_thinking,
        effort: effort(&config["effort"], model)?,
        stop_sequences: stop_sequences(&body["stop_sequences"])?,
        choice,
    };
    if endpoint == Endpoint::Messages && fields.max_tokens == 0 {
        warm_only(&fields, &body["output_config"]["format"])?;
    }
    Ok(fields)
}

/// Refuses conversations stored on the server, with the error code that makes the official tool
/// runners send the whole conversation instead.
fn thread(value: &Value) -> Result<(), Refusal> {
    if value.is_null() {
        return Ok(());
    }
    let mut refusal = Refusal::invalid("thread: this model does not support message threads");
    refusal.details = Some(json!({ "error_code": "thread_unsupported_request" }));
    Err(refusal)
}

fn max_tokens(value: &Value, endpoint: Endpoint, model: &Model) -> Result<u64, Refusal> {
    if endpoint == Endpoint::CountTokens {
        return Ok(0);
    }
    if value.is_null() {
        return Err(Refusal::invalid("max_tokens: Field required"));
    }
    let Some(max) = value.as_u64() else {
        return Err(Refusal::invalid(
            "max_tokens: Input should be a valid integer greater than or equal to 0",
        ));
    };
    if max > model.max_output {
        return Err(Refusal::invalid(format!(
            "max_tokens: {max} > {}, which is the maximum allowed number of output tokens for {}",
            model.max_output, model.id
        )));
    }
    Ok(max)
}

/// Refuses options that clash with `max_tokens: 0`, which only warms the cache.
fn warm_only(fields: &Fields, format: &Value) -> Result<(), Refusal> {
    let clash = if fields.stream {
        "stream"
    } else if fields.raw_thinking["type"] == "enabled" {
        "thinking.type: enabled"
    } else if !format.is_null() {
        "output_config.format"
    } else if matches!(fields.choice, Choice::Any | Choice::Tool(_)) {
        "forced tool_choice"
    } else {
        return Ok(());
    };
    Err(Refusal::invalid(format!(
        "max_tokens: 0 cannot be combined with {clash}"
    )))
}

fn system(value: &Value) -> Result<Vec<Value>, Refusal> {
    match value {
        Value::Null => Ok(Vec::new()),
        Value::String(text) if text.is_empty() => Ok(Vec::new()),
        Value::String(text) => Ok(vec![json!({ "type": "text", "text": text })]),
        Value::Array(blocks) => {
            for (index, block) in blocks.iter().enumerate() {
                if block["type"] != "text" {
                    return Err(Refusal::invalid(format!(
                        "system.{index}.type: Input should be 'text'"
                    )));
                }
                if text_is_blank(&block["text"]) {
                    return Err(Refusal::invalid(format!(
                        "system.{index}: text content blocks must be non-empty"
                    )));
                }
            }
            Ok(blocks.clone())
        }
        _ => Err(Refusal::invalid(
            "system: Input should be a string or a list of text blocks",
        )),
    }
}

fn choice(value: &Value) -> Result<Choice, Refusal> {
    if value.is_null() {
        return Ok(Choice::Auto);
    }
    match (value["type"].as_str(), value["name"].as_str()) {
        (Some("auto"), _) => Ok(Choice::Auto),
        (Some("any"), _) => Ok(Choice::Any),
        (Some("none"), _) => Ok(Choice::None),
        (Some("tool"), Some(name)) => Ok(Choice::Tool(name.to_owned())),
        (Some("tool"), None) => Err(Refusal::invalid("tool_choice.tool.name: Field required")),
        _ => Err(Refusal::invalid(
            "tool_choice.type: Input should be 'auto', 'any', 'tool' or 'none'",
        )),
    }
}

/// Checks a choice against the tools and the model.
pub(super) fn check_choice(choice: &Choice, tools: &[Value], model: &Model) -> Result<(), Refusal> {
    if !matches!(choice, Choice::Auto) && tools.is_empty() {
        return Err(Refusal::invalid(
            "tool_choice: may only be specified while providing tools",
        ));
    }
    let forced = matches!(choice, Choice::Any | Choice::Tool(_));
    if forced && !model.forced_choice {
        return Err(Refusal::invalid(format!(
            "tool_choice: forced tool use is not supported on {}; use 'auto' or 'none'",
            model.id
        )));
    }
    if let Choice::Tool(name) = choice
        && !tools.iter().any(|tool| tool["name"] == name.as_str())
    {
        return Err(Refusal::invalid(format!(
            "tool_choice: Tool '{name}' not found in provided tools"
        )));
    }
    Ok(())
}

fn thinking(value: &Value, max_tokens: &Value, model: &Model) -> Result<Thinking, Refusal> {
    use catalogue::Thinking as Kind;
    let unsupported = |kind: &str| {
        Err(Refusal::invalid(format!(
            "thinking.type: '{kind}' is not supported on {}",
            model.id
        )))
    };
    let shown = match value["display"].as_str() {
        Some("summarized") => Thinking::Shown,
        None | Some("omitted") => Thinking::Omitted,
        Some(_) => {
            return Err(Refusal::invalid(
                "thinking.display: Input should be 'summarized' or 'omitted'",
            ));
        }
    };
    if value.is_null() {
        return Ok(if model.thinking == Kind::Always {
            Thinking::Omitted
        } else {
            Thinking::Off
        });
    }
    match (value["type"].as_str(), model.thinking) {
        (Some("adaptive"), Kind::Always | Kind::Adaptive) => Ok(shown),
        (Some("between_tools"), Kind::Always) => Ok(shown),
        (Some("disabled"), Kind::Adaptive | Kind::Manual) => Ok(Thinking::Off),
        (Some("enabled"), Kind::Manual) => {
            let budget = value["budget_tokens"].as_u64();
            match (budget, max_tokens.as_u64()) {
                (None | Some(0..1024), _) => Err(Refusal::invalid(
                    "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024",
                )),
                (Some(budget), Some(max)) if budget >= max => Err(Refusal::invalid(
                    "max_tokens: must be greater than thinking.budget_tokens",
                )),
                _ => Ok(Thinking::Shown),
            }
        }
        (Some(kind @ ("adaptive" | "between_tools" | "disabled" | "enabled")), _) => {
            unsupported(kind)
        }
        _ => Err(Refusal::invalid(
            "thinking.type: Input should be 'adaptive', 'enabled', 'disabled' or 'between_tools'",
        )),
    }
}

fn effort(value: &Value, model: &Model) -> Result<Value, Refusal> {
    match value.as_str() {
        None if value.is_null() => Ok(Value::Null),
        Some(_) if !model.effort => Err(Refusal::invalid(format!(
            "output_config.effort: not supported on {}",
            model.id
        ))),
        Some("low" | "medium" | "high" | "xhigh" | "max") => Ok(value.clone()),
        _ => Err(Refusal::invalid(
            "output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'",
        )),
    }
}

fn stop_sequences(value: &Value) -> Result<Vec<String>, Refusal> {
    if value.is_null() {
        return Ok(Vec::new());
    }
    let Some(items) = value.as_array() else {
        return Err(Refusal::invalid("stop_sequences: Input should be a list"));
    };
    items
        .iter()
        .enumerate()
        .map(|(index, item)| match item.as_str() {
            Some(text) if !text.trim().is_empty() => Ok(text.to_owned()),
            _ => Err(Refusal::invalid(format!(
                "stop_sequences.{index}: each stop sequence must contain non-whitespace"
            ))),
        })
        .collect()
}
