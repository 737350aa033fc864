//! The workload that a request asks of the fake model, in markers.

use std::time::Duration;

use anyhow::Result;
use serde::Deserialize;
use serde_json::Value;

/// Text before a tool call, in deltas.
const BEFORE_TOOLS: usize = 5;

#[derive(Debug, PartialEq)]
pub(super) struct Workload {
    /// Deltas of text.
    pub(super) deltas: usize,
    /// The pause between two of them.
    pub(super) delay: Duration,
    /// Names and inputs.
    pub(super) tools: Vec<(String, String)>,
    /// Bytes of the request, for the count of tokens.
    pub(super) bytes: usize,
}

#[derive(Deserialize)]
struct WorkloadBody {
    messages: Vec<WorkloadMessage>,
}

#[derive(Deserialize)]
struct WorkloadMessage {
    role: String,
    content: Value,
}

impl Workload {
    /// Reads it from the body of a request: the newest message of the user that has markers.
    pub(super) fn read(body: &[u8]) -> Result<Self> {
        let request: WorkloadBody = serde_json::from_slice(body)?;
        let answers_tools = request
            .messages
            .last()
            .and_then(|message| message.content.as_array())
            .is_some_and(|blocks| blocks.iter().any(|block| block["type"] == "tool_result"));
        let users = request.messages.iter().rev();
        let text = users
            .filter(|message| message.role == "user")
            .map(|message| words(&message.content))
            .find(|text| text.contains("[["))
            .unwrap_or_default();
        let mut workload = Self::of(&text);
        workload.bytes = body.len();
        if answers_tools {
            workload.tools.clear();
        }
        if !workload.tools.is_empty() {
            workload.deltas = workload.deltas.min(BEFORE_TOOLS);
        }
        Ok(workload)
    }

    fn of(text: &str) -> Self {
        let mut workload = Self {
            deltas: 100,
            delay: Duration::from_millis(20),
            tools: Vec::new(),
            bytes: 0,
        };
        for marker in text.split("[[").skip(1) {
            let Some((marker, _)) = marker.split_once("]]") else {
                continue;
            };
            let Some((name, value)) = marker.split_once(':') else {
                continue;
            };
            let number = value.parse().ok();
            match name {
                "n" => workload.deltas = number.unwrap_or(1).max(1),
                "delay" => {
                    workload.delay = Duration::from_millis(number.unwrap_or(20) as u64);
                }
                "tool" => {
                    let (name, input) = value.split_once(' ').unwrap_or((value, "{}"));
                    workload.tools.push((name.to_owned(), input.to_owned()));
                }
                _ => {}
            }
        }
        workload
    }
}

fn words(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => blocks
            .iter()
            .filter(|block| block["type"] == "text")
            .filter_map(|block| block["text"].as_str())
            .collect(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn markers() {
        let ask = "Hi [[n:7]] [[delay:0]] [[tool:get_vms {\"node\":\"pve\"}]]";
        let body = |last: Value| {
            json!({ "messages": [
                { "role": "user", "content": [{ "type": "text", "text": ask },
                                              { "type": "text", "text": "<data/>" }] },
                { "role": "assistant", "content": "[[n:9]]" },
                last,
            ] })
            .to_string()
        };
        let check = |last, deltas, tools: &[(&str, &str)]| {
            let workload = Workload::read(body(last).as_bytes()).unwrap();
            let found: Vec<_> = workload
                .tools
                .iter()
                .map(|(name, input)| (name.as_str(), input.as_str()))
                .collect();
            assert_eq!((workload.deltas, &found[..]), (deltas, tools));
            assert_eq!(workload.delay, Duration::ZERO);
        };
        let tool = [("get_vms", r#"{"node":"pve"}"#)];
        check(json!({ "role": "user", "content": "and?" }), 5, &tool);
        let result = json!([{ "type": "tool_result", "tool_use_id": "t", "content": "[[n:3]]" }]);
        check(json!({ "role": "user", "content": result }), 7, &[]);
    }
}
