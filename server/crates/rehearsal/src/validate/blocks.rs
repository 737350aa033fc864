//! Validation of content blocks.

use serde_json::Value;

use super::{headers::Version, images, tools::name_fits};
use crate::{
    history::{Placed, Role, Turn},
    refusal::Refusal,
};

/// Returns whether a text block is blank.
pub(super) fn text_is_blank(text: &Value) -> bool {
    text.as_str().is_none_or(|text| text.trim().is_empty())
}

pub(super) fn check(turn: &Turn, version: Version) -> Result<(), Refusal> {
    for placed in &turn.blocks {
        block(placed, turn.role, version)?;
    }
    Ok(())
}

fn block(placed: &Placed, role: Role, version: Version) -> Result<(), Refusal> {
    let Placed { path, block } = placed;
    let refuse = |message: String| Err(Refusal::invalid(message));
    if !block.is_object() {
        return refuse(format!("{path}: Input should be an object"));
    }
    let kind = placed.kind();
    let allowed: &[&str] = match (kind, role) {
        ("text", _) => &["text", "citations"],
        ("tool_result", Role::User) => &["tool_use_id", "content", "is_error"],
        ("image", Role::User) => return images::check(path, block),
        ("document" | "search_result" | "container_upload", Role::User) => return opaque(placed),
        ("tool_use", Role::Assistant) => &["id", "name", "input", "caller"],
        ("thinking", Role::Assistant) => &["thinking", "signature"],
        ("redacted_thinking", Role::Assistant) => &["data"],
        ("document", Role::Assistant) if version == Version::V2026 => {
            return refuse(format!(
                "{path}: document blocks are not permitted in assistant messages"
            ));
        }
        (other, Role::Assistant) if !other.is_empty() && other != "tool_result" => {
            return opaque(placed);
        }
        _ => {
            return refuse(format!(
                "{path}.type: Input tag '{kind}' is not permitted for role '{}'",
                role.as_str()
            ));
        }
    };
    let extra = block
        .as_object()
        .into_iter()
        .flat_map(|f| f.keys())
        .find(|key| {
            !matches!(key.as_str(), "type" | "cache_control") && !allowed.contains(&key.as_str())
        });
    if let Some(extra) = extra {
        return refuse(format!(
            "{path}.{kind}.{extra}: Extra inputs are not permitted"
        ));
    }
    let marked = block.get("cache_control").is_some_and(|m| !m.is_null());
    match kind {
        "text" => {
            if !block["text"].is_string() {
                return refuse(format!("{path}.text.text: Field required"));
            }
            if text_is_blank(&block["text"]) {
                return refuse(if marked {
                    format!("{path}.text: cache_control cannot be set for empty text blocks")
                } else {
                    format!("{path}: text content blocks must be non-empty")
                });
            }
            let cited = block["citations"].as_array().is_some_and(|c| !c.is_empty());
            if cited && role == Role::User && version == Version::V2026 {
                return refuse(format!(
                    "{path}.text.citations: not permitted in user messages"
                ));
            }
        }
        "tool_use" => {
            let name = block["name"].as_str().unwrap_or_default();
            if !name_fits(name) {
                return refuse(format!(
                    "{path}.tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{{1,64}}$'"
                ));
            }
            if !id_fits(&block["id"]) {
                return refuse(format!(
                    "{path}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"
                ));
            }
            if !block["input"].is_object() {
                return refuse(format!(
                    "{path}.tool_use.input: Input should be a valid dictionary"
                ));
            }
        }
        "tool_result" => result(placed)?,
        "thinking" => {
            if marked {
                return refuse(format!(
                    "{path}.thinking.cache_control: Extra inputs are not permitted"
                ));
            }
            for field in ["thinking", "signature"] {
                if !block[field].is_string() {
                    return refuse(format!("{path}.thinking.{field}: Field required"));
                }
            }
        }
        _ => {}
    }
    Ok(())
}

/// Accepts blocks that the rehearsal model cannot interpret.
fn opaque(placed: &Placed) -> Result<(), Refusal> {
    let Placed { path, .. } = placed;
    match placed.kind() {
        kind @ "document" => Err(Refusal::invalid(format!(
            "{path}: {kind} input is not supported on this model"
        ))),
        _ => Ok(()),
    }
}

fn result(placed: &Placed) -> Result<(), Refusal> {
    let Placed { path, block } = placed;
    if !id_fits(&block["tool_use_id"]) {
        return Err(Refusal::invalid(format!(
            "{path}.tool_result.tool_use_id: String should match pattern '^[a-zA-Z0-9_-]+$'"
        )));
    }
    if !matches!(block["is_error"], Value::Null | Value::Bool(_)) {
        return Err(Refusal::invalid(format!(
            "{path}.tool_result.is_error: Input should be a valid boolean"
        )));
    }
    match &block["content"] {
        Value::Null | Value::String(_) => Ok(()),
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                if item["type"] == "text" && text_is_blank(&item["text"]) {
                    return Err(Refusal::invalid(format!(
                        "{path}.tool_result.content.{index}: text content blocks must be non-empty"
                    )));
                }
                if item["type"] == "image" {
                    images::check(&format!("{path}.tool_result.content.{index}"), item)?;
                }
                if !item["type"].is_string() {
                    return Err(Refusal::invalid(format!(
                        "{path}.tool_result.content.{index}.type: Field required"
                    )));
                }
            }
            Ok(())
        }
        _ => Err(Refusal::invalid(format!(
            "{path}.tool_result.content: Input should be a string or a list of blocks"
        ))),
    }
}

fn id_fits(id: &Value) -> bool {
    id.as_str().is_some_and(|id| {
        !id.is_empty()
            && id
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
    })
}
