//! Deterministic estimate of tokens: about four bytes each.

use serde_json::Value;

/// Tokens of a text; never zero unless the text is empty.
pub(crate) fn of_text(text: &str) -> u64 {
    (text.len() as u64).div_ceil(4)
}

/// Tokens of a value in compact JSON.
pub(crate) fn of_json(value: &Value) -> u64 {
    of_text(&value.to_string())
}
