//! Words to calls, and results to answers, through the rehearsal model with this routine.

use rehearsal::{Area, Block, routine};
use serde_json::{Value, json};

use crate::ChartRoutine;

mod drawing;
mod figures;

fn tool(name: &str, properties: &Value, required: &[&str]) -> Value {
    json!({
        "name": name,
        "description": format!("{}.", name.replace('_', " ")),
        "input_schema": {
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        },
    })
}

/// The calls and the text of the answer to a request.
fn answered_with(body: &Value) -> (Vec<(String, Value)>, String) {
    let area = Area {
        routine: Some(&ChartRoutine),
        ..Area::default()
    };
    let (mut calls, mut text) = (Vec::new(), String::new());
    for block in routine::answered(body, &[area]).unwrap() {
        match block {
            Block::ToolUse { name, input, .. } => calls.push((name, input)),
            Block::Text { text: words } => text.push_str(&words),
            _ => {}
        }
    }
    (calls, text)
}

/// A conversation: the user's words, calls with their data, words again, …
enum Part {
    Says(&'static str),
    Tools(Vec<(&'static str, Value, Value)>),
}
use Part::{Says, Tools};

/// The calls that follow on a conversation.
fn calls(tools: &Value, parts: &[Part]) -> Vec<String> {
    let mut messages: Vec<Value> = Vec::new();
    let mut id = 0;
    for part in parts {
        match part {
            Says(text) => {
                if messages.last().is_some_and(|last| last["role"] == "user") {
                    messages.push(json!({ "role": "assistant", "content": "Done, sir." }));
                }
                messages.push(json!({ "role": "user", "content": text }));
            }
            Tools(calls) => {
                let (mut made, mut brought) = (Vec::new(), Vec::new());
                for (name, input, data) in calls {
                    id += 1;
                    let id = format!("toolu_{id}");
                    made.push(
                        json!({ "type": "tool_use", "id": id, "name": name, "input": input }),
                    );
                    let content = json!({ "source": format!("markets/{name}"), "data": data });
                    brought.push(json!({
                        "type": "tool_result", "tool_use_id": id, "content": content.to_string(),
                    }));
                }
                messages.push(json!({ "role": "assistant", "content": made }));
                messages.push(json!({ "role": "user", "content": brought }));
            }
        }
    }
    let body = json!({
        "model": "rehearsal-1", "max_tokens": 1024, "tools": tools, "messages": messages,
    });
    let (calls, _) = answered_with(&body);
    let shown = calls.iter().map(|(name, input)| format!("{name} {input}"));
    shown.collect()
}
