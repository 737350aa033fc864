//! The order rules of the protocol, as a client checks them.

use std::collections::BTreeSet;

use serde_json::Value;

/// Checks a whole stream.
pub(super) fn check(stream: &[Value]) -> Result<(), String> {
    let mut open = BTreeSet::new();
    for (at, event) in stream.iter().enumerate() {
        no_null(event)?;
        let kind = event["type"].as_str().unwrap_or_default();
        if (at == 0) != (kind == "RUN_STARTED") {
            return Err(format!("{kind} at {at}"));
        }
        let is_last = at + 1 == stream.len();
        if is_last != matches!(kind, "RUN_FINISHED" | "RUN_ERROR") {
            return Err(format!("{kind} at {at} of {}", stream.len()));
        }
        let id = ["messageId", "toolCallId", "stepName"]
            .into_iter()
            .filter(|name| kind.starts_with("TOOL_CALL") == (*name == "toolCallId"))
            .find_map(|name| event[name].as_str());
        let id = id.unwrap_or_default();
        let (of, part) = match kind {
            "TOOL_CALL_RESULT" | "ACTIVITY_SNAPSHOT" | "ACTIVITY_DELTA" => continue,
            "REASONING_START" => ("SPAN", "START"),
            "REASONING_END" => ("SPAN", "END"),
            "STEP_STARTED" => ("STEP", "START"),
            "STEP_FINISHED" => ("STEP", "END"),
            kind => kind.rsplit_once('_').unwrap_or((kind, "")),
        };
        let key = (of.to_owned(), id.to_owned());
        let fits = match part {
            "START" => open.insert(key),
            "CONTENT" | "ARGS" => open.contains(&key),
            "END" => open.remove(&key),
            _ => true,
        };
        if !fits {
            return Err(format!("{kind} of {id}"));
        }
        if kind == "RUN_FINISHED" && !open.is_empty() {
            return Err(format!("open at the end: {open:?}"));
        }
    }
    Ok(())
}

/// A field that is absent is left out.
fn no_null(event: &Value) -> Result<(), String> {
    let fields = event.as_object().into_iter().flatten();
    for (name, value) in fields {
        if value.is_null() {
            return Err(format!("{name} of {} is null", event["type"]));
        }
    }
    Ok(())
}
