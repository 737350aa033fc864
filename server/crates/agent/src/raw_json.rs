//! JSON that is sent to the model as it is.

use serde::Serialize;
use serde_json::{json, value::RawValue};

/// The JSON of a value that has only text keys, which cannot fail.
pub(crate) fn json(value: &impl Serialize) -> Box<RawValue> {
    serde_json::value::to_raw_value(value).unwrap_or_else(|error| {
        tracing::error!(%error, "a value could not be serialised");
        RawValue::NULL.to_owned()
    })
}

/// A text block.
pub(crate) fn text_block(text: &str) -> Box<RawValue> {
    self::json(&json!({ "type": "text", "text": text }))
}
