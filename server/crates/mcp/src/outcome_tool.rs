//! The tool that reads the outcome of a call. It is the interface's own: it reads a journal, and no model
//! of this server has it.

use protocol::ConversationId;
use serde_json::{Map, Value, json};

use crate::texts;

/// Its name. No toolset may have a tool of this name.
pub const OUTCOME_TOOL: &str = "get_call_outcome";

/// The longest time that it waits, in seconds: clients give up after a minute.
const LONGEST_WAIT: u64 = 45;

/// Its definition.
#[derive(Debug, Clone, PartialEq)]
pub struct OutcomeTool {
    pub description: &'static str,
    pub input_schema: Map<String, Value>,
}

/// Returns the definition.
pub fn outcome_tool() -> OutcomeTool {
    let properties = json!({
        "call": { "type": "string", "description": texts::NAME_OF_CALL },
        "wait_seconds": {
            "type": "integer",
            "minimum": 0,
            "maximum": LONGEST_WAIT,
            "description": texts::SECONDS_TO_WAIT,
        },
    });
    let mut input_schema = Map::new();
    input_schema.insert("type".to_owned(), "object".into());
    input_schema.insert("properties".to_owned(), properties);
    input_schema.insert("required".to_owned(), json!(["call"]));
    input_schema.insert("additionalProperties".to_owned(), false.into());
    OutcomeTool {
        description: texts::OUTCOME_TOOL_DESCRIPTION,
        input_schema,
    }
}

/// Reads its input: the call, and the seconds to wait. None if it does not fit.
pub fn called_outcome(input: &Map<String, Value>) -> Option<(ConversationId, u64)> {
    let is_known = |name: &String| ["call", "wait_seconds"].contains(&name.as_str());
    if !input.keys().all(is_known) {
        return None;
    }
    let call = input.get("call")?.as_str()?.parse().ok()?;
    let seconds = match input.get("wait_seconds") {
        None => 0,
        Some(seconds) => seconds.as_u64().filter(|it| *it <= LONGEST_WAIT)?,
    };
    Some((call, seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_input_is_read_as_its_schema_says() {
        let call = "cnv_01HF7YAT0004HMASW9NF6YY093";
        for (input, expect) in [
            (json!({ "call": call }), Some(0)),
            (json!({ "call": call, "wait_seconds": 45 }), Some(45)),
            (json!({ "call": call, "wait_seconds": 46 }), None),
            (json!({ "call": call, "wait_seconds": -1 }), None),
            (json!({ "call": call, "wait_seconds": "1" }), None),
            (json!({ "call": call, "approve": true }), None),
            (json!({ "call": call.to_lowercase() }), None),
            (json!({ "call": [call] }), None),
            (json!({}), None),
        ] {
            let read = called_outcome(input.as_object().expect("an object"));
            let expect = expect.map(|seconds| (call.parse().expect("a name"), seconds));
            assert_eq!(read, expect, "{input}");
        }
    }
}
