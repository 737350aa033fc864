//! What HTTP needs of a message: the era of the protocol, and headers that repeat parts of the body.

use serde_json::{Value, json};

use crate::asked_cards::OUTCOME_TOOL;

const VERSION: &str = "io.modelcontextprotocol/protocolVersion";

/// The parts of a message that matter on its way.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct MessageParts {
    /// The id of a request; none for a notification or an answer.
    pub(crate) id: Option<Value>,
    pub(crate) headers: Vec<(&'static str, String)>,
    /// True if its answer names the version that later messages have.
    pub(crate) negotiates: bool,
    /// The request that it cancels.
    pub(crate) cancels: Option<Value>,
    /// True if it begins the session of a client that can show a person an address.
    pub(crate) opens: bool,
    /// True for a call in an older client's session, which may wait for a person.
    pub(crate) may_wait: bool,
}

impl MessageParts {
    /// Reads a message. `negotiated`: the version of an older client's session.
    pub(crate) fn of(message: &Value, negotiated: Option<&str>) -> Self {
        let method = message.get("method").and_then(Value::as_str);
        let id = message.get("id").filter(|id| !id.is_null());
        let params = message.get("params");
        let text = |name: &str| params?.get(name)?.as_str();
        let version = params
            .and_then(|params| params.get("_meta"))
            .and_then(|meta| meta.get(VERSION)?.as_str());
        let mut headers = Vec::new();
        let negotiates = method == Some("initialize");
        if let Some(version) = version {
            headers.push(("mcp-protocol-version", version.to_owned()));
            headers.extend(method.map(|method| ("mcp-method", method.to_owned())));
            let name = match method {
                Some("tools/call" | "prompts/get") => text("name"),
                Some("resources/read") => text("uri"),
                _ => None,
            };
            headers.extend(name.map(|name| ("mcp-name", name.to_owned())));
        } else if let Some(version) = negotiated.filter(|_| !negotiates) {
            headers.push(("mcp-protocol-version", version.to_owned()));
        }
        let elicitation = params
            .and_then(|params| params.get("capabilities"))
            .and_then(|capabilities| capabilities.get("elicitation"));
        let opens = elicitation.is_some_and(|elicitation| elicitation.get("url").is_some());
        let is_call = method == Some("tools/call") && text("name") != Some(OUTCOME_TOOL);
        let cancels = match method {
            Some("notifications/cancelled") => params.and_then(|params| params.get("requestId")),
            _ => None,
        };
        Self {
            id: method.and(id).cloned(),
            headers,
            negotiates,
            cancels: cancels.cloned(),
            opens: negotiates && opens,
            may_wait: is_call && version.is_none(),
        }
    }
}

/// The answer that an error of the way is.
pub(crate) fn error(id: Option<&Value>, code: i32, sentence: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": sentence } })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_those_of_the_message() {
        let modern = json!({ VERSION: "2026-07-28" });
        let version = |version: &str| ("mcp-protocol-version", version.to_owned());
        let of_method = |method: &str| ("mcp-method", method.to_owned());
        for (message, headers) in [
            (
                json!({ "id": 1, "method": "initialize", "params": { "protocolVersion": "x" } }),
                vec![],
            ),
            (
                json!({ "id": 1, "method": "tools/list" }),
                vec![version("2025-11-25")],
            ),
            (
                json!({ "id": 1, "method": "tools/list", "params": { "_meta": modern } }),
                vec![version("2026-07-28"), of_method("tools/list")],
            ),
            (
                json!({ "id": 1, "method": "tools/call",
                        "params": { "_meta": modern, "name": "get_vms" } }),
                vec![
                    version("2026-07-28"),
                    of_method("tools/call"),
                    ("mcp-name", "get_vms".to_owned()),
                ],
            ),
        ] {
            let parts = MessageParts::of(&message, Some("2025-11-25"));
            assert_eq!(parts.headers, headers, "{message}");
            assert_eq!(parts.id, Some(json!(1)));
        }
    }

    #[test]
    fn a_call_of_an_older_session_may_wait() {
        let call = |name: &str, meta: Value| {
            let params = json!({ "name": name, "_meta": meta });
            json!({ "id": 1, "method": "tools/call", "params": params })
        };
        for (message, expect) in [
            (call("start_vm", json!({})), true),
            (call("start_vm", json!({ VERSION: "2026-07-28" })), false),
            (call(OUTCOME_TOOL, json!({})), false),
            (json!({ "id": 1, "method": "tools/list" }), false),
        ] {
            let parts = MessageParts::of(&message, Some("2025-11-25"));
            assert_eq!(parts.may_wait, expect, "{message}");
        }
        for (elicitation, expect) in [(json!({ "url": {} }), true), (json!({}), false)] {
            let params = json!({ "capabilities": { "elicitation": elicitation } });
            let begins = json!({ "id": 1, "method": "initialize", "params": params });
            assert_eq!(MessageParts::of(&begins, None).opens, expect);
        }
    }

    #[test]
    fn only_a_request_is_answered() {
        for (message, id, cancels) in [
            (
                json!({ "id": "a", "method": "ping" }),
                Some(json!("a")),
                None,
            ),
            (json!({ "id": null, "method": "ping" }), None, None),
            (json!({ "method": "notifications/initialized" }), None, None),
            (json!({ "id": 1, "result": {} }), None, None),
            (
                json!({ "method": "notifications/cancelled", "params": { "requestId": 7 } }),
                None,
                Some(json!(7)),
            ),
            (json!([1]), None, None),
            (json!("text"), None, None),
        ] {
            let parts = MessageParts::of(&message, None);
            assert_eq!((parts.id, parts.cancels), (id, cancels), "{message}");
        }
    }
}
