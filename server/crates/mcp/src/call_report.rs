//! The answer to a client about a call.

use protocol::ConversationId;
use serde_json::{Value, json};

use crate::{
    followed_call::{CallStanding, EndedCall},
    outcome_tool::OUTCOME_TOOL,
    texts,
};

/// An answer about a call.
#[derive(Debug, Clone, PartialEq)]
pub struct CallReport {
    /// For the model.
    pub text: String,
    /// The same for programs: an object.
    pub structured: Value,
    pub is_error: bool,
}

impl CallReport {
    /// The report of a call with this name. `page`: the address at which people see and decide it.
    pub fn new(call: ConversationId, page: &str, standing: &CallStanding) -> Self {
        let name = call.to_string();
        match standing {
            CallStanding::Running => Self {
                text: texts::runs(&name, OUTCOME_TOOL),
                structured: json!({ "call": name, "state": "running" }),
                is_error: false,
            },
            CallStanding::Waiting(asked) => Self {
                text: texts::waits(page, &name, OUTCOME_TOOL),
                structured: json!({
                    "call": name,
                    "state": "waiting",
                    "url": page,
                    "expires_ms": asked.expires,
                }),
                is_error: false,
            },
            CallStanding::Ended(ended) => Self::ended(&name, ended),
        }
    }

    fn ended(name: &str, ended: &EndedCall) -> Self {
        let EndedCall {
            word,
            is_error,
            content,
            summary,
            images,
            reason,
        } = ended;
        let mut structured = json!({ "call": name, "state": word, "result": content });
        if let Some(summary) = summary {
            structured["summary"] = json!(summary);
        }
        if *images > 0 {
            structured["images_left_out"] = json!(images);
        }
        if let Some(reason) = reason {
            structured["reason"] = json!(reason);
        }
        Self {
            text: match content {
                Value::String(text) => text.clone(),
                content => content.to_string(),
            },
            structured,
            is_error: *is_error,
        }
    }

    /// The same with the request that began the call, if it is the report of an error.
    #[must_use]
    pub fn of_request(mut self, request: Option<String>) -> Self {
        if let Some(request) = request.filter(|_| self.is_error) {
            self.structured["request_id"] = request.into();
        }
        self
    }

    /// All that it says, to be covered as one; see [`Self::covered`].
    pub fn to_value(&self) -> Value {
        json!([self.text, self.structured])
    }

    /// The same with other words: what [`Self::to_value`] has become. None if it is not of that form.
    pub fn covered(&self, value: Value) -> Option<Self> {
        let Value::Array(parts) = value else {
            return None;
        };
        let [Value::String(text), structured @ Value::Object(_)] =
            <[Value; 2]>::try_from(parts).ok()?
        else {
            return None;
        };
        Some(Self {
            text,
            structured,
            is_error: self.is_error,
        })
    }
}
