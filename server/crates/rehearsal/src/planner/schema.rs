//! Schemas of inputs, as far as the planner reads them.

use serde_json::Value;

/// The type of a property: the first that is not null.
pub(super) fn kind(property: &Value) -> &str {
    match &property["type"] {
        Value::Array(kinds) => kinds
            .iter()
            .filter_map(Value::as_str)
            .find(|kind| *kind != "null")
            .unwrap_or_default(),
        kind => kind.as_str().unwrap_or_default(),
    }
}
