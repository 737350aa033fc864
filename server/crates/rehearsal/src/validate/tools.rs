//! Validation of tool definitions.

use std::collections::HashSet;

use serde_json::Value;

use crate::refusal::Refusal;

const FIELDS: [&str; 10] = [
    "type",
    "name",
    "description",
    "input_schema",
    "strict",
    "cache_control",
    "defer_loading",
    "eager_input_streaming",
    "input_examples",
    "allowed_callers",
];

pub(super) fn read(value: &Value) -> Result<Vec<Value>, Refusal> {
    let tools = match value {
        Value::Null => return Ok(Vec::new()),
        Value::Array(tools) => tools,
        _ => return Err(Refusal::invalid("tools: Input should be a list")),
    };
    let mut names = HashSet::new();
    for (index, tool) in tools.iter().enumerate() {
        let path = format!("tools.{index}.custom");
        let Some(fields) = tool.as_object() else {
            return Err(Refusal::invalid(format!(
                "{path}: Input should be an object"
            )));
        };
        if !matches!(tool["type"].as_str(), None | Some("custom")) {
            return Err(Refusal::invalid(format!(
                "tools.{index}.type: server tools are not available on this model"
            )));
        }
        if let Some(extra) = fields.keys().find(|key| !FIELDS.contains(&key.as_str())) {
            return Err(Refusal::invalid(format!(
                "{path}.{extra}: Extra inputs are not permitted"
            )));
        }
        let name = tool["name"]
            .as_str()
            .ok_or_else(|| Refusal::invalid(format!("{path}.name: Field required")))?;
        if !name_fits(name) {
            return Err(Refusal::invalid(format!(
                "{path}.name: String should match pattern '^[a-zA-Z0-9_-]{{1,64}}$'"
            )));
        }
        if !names.insert(name) {
            return Err(Refusal::invalid("tools: Tool names must be unique."));
        }
        if !tool["input_schema"].is_object() {
            return Err(Refusal::invalid(format!(
                "{path}.input_schema: Field required"
            )));
        }
        if tool["input_schema"]["type"] != "object" {
            return Err(Refusal::invalid(format!(
                "{path}.input_schema.type: Input should be 'object'"
            )));
        }
        if tool["strict"] == true && tool["input_schema"]["additionalProperties"] != false {
            return Err(Refusal::invalid(format!(
                "{path}.input_schema: strict tools need additionalProperties: false"
            )));
        }
    }
    Ok(tools.clone())
}

/// Returns whether a name matches `^[a-zA-Z0-9_-]{1,64}$`.
pub(super) fn name_fits(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}
