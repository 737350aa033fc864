//! Activities: what a client shows of calls and cards beside the messages.

use protocol::CallId;
use serde_json::{Map, Value, json};

use super::RunEncoder;
use crate::event::AguiEvent;

impl RunEncoder {
    /// Sends what is new about a call.
    pub(super) fn call_activity(
        &mut self,
        call: CallId,
        mut content: Map<String, Value>,
        out: &mut Vec<AguiEvent>,
    ) {
        let id = call_id(call);
        if !self.activities.contains(&id) {
            content.insert("call".to_owned(), json!(call));
            if let Some(name) = self.calls.name(call) {
                content.insert("name".to_owned(), json!(name));
            }
        }
        self.activity(id, "jarvis.call", content, out);
    }

    /// Sends an activity as a whole at first, and then what changes.
    pub(super) fn activity(
        &mut self,
        message_id: String,
        activity_type: &'static str,
        content: Map<String, Value>,
        out: &mut Vec<AguiEvent>,
    ) {
        out.push(if self.activities.insert(message_id.clone()) {
            AguiEvent::ActivitySnapshot {
                message_id,
                activity_type,
                content: Value::Object(content),
            }
        } else {
            let patch = content.into_iter().map(|(name, value)| {
                // Names of ours have no character with a meaning in a pointer.
                json!({ "op": "add", "path": format!("/{name}"), "value": value })
            });
            AguiEvent::ActivityDelta {
                message_id,
                activity_type,
                patch: patch.collect(),
            }
        });
    }
}

pub(super) fn call_id(call: CallId) -> String {
    format!("call.{call}")
}

pub(super) fn card_id(call: CallId) -> String {
    format!("card.{call}")
}
