//! Inputs in rows of the chain: whole if they are short, else their hash and length.
//!
//! The chain is never shortened, so a person's or a model's text must not decide its length. The
//! whole input is in the journal of its conversation, for as long as that is kept, and the hash in
//! the row proves it.

use std::borrow::Cow;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::AuditHash;

/// The longest input that a row has whole, in bytes of JSON.
const MAX_INPUT: usize = 4096;
/// Fields that contain inputs of calls.
const INPUTS: [&str; 3] = ["input", "original", "shown"];

/// The JSON of an event, with inputs that are too long replaced.
pub(super) fn event(json: &str) -> Result<Cow<'_, str>, serde_json::Error> {
    if json.len() <= MAX_INPUT {
        return Ok(Cow::Borrowed(json));
    }
    let mut event: Value = serde_json::from_str(json)?;
    // Unchanged if nothing is too long: the order of its fields is that of its type.
    if bound(&mut event) {
        Ok(Cow::Owned(serde_json::to_string(&event)?))
    } else {
        Ok(Cow::Borrowed(json))
    }
}

/// The same for the detail that a row keeps beside its event.
pub(super) fn detail(detail: &Value) -> Cow<'_, Value> {
    let mut bounded = Cow::Borrowed(detail);
    if has_inputs(detail) && bound(bounded.to_mut()) {
        return bounded;
    }
    Cow::Borrowed(detail)
}

fn has_inputs(detail: &Value) -> bool {
    INPUTS.iter().any(|name| detail.get(name).is_some())
}

/// Replaces inputs that are too long. Returns true if there were any.
fn bound(value: &mut Value) -> bool {
    match value {
        Value::Object(fields) => {
            let mut changed = false;
            for (name, field) in fields {
                changed |= if INPUTS.contains(&name.as_str()) {
                    shorten(field)
                } else {
                    bound(field)
                };
            }
            changed
        }
        Value::Array(items) => {
            let mut changed = false;
            for item in items {
                changed |= bound(item);
            }
            changed
        }
        _ => false,
    }
}

fn shorten(input: &mut Value) -> bool {
    let text = input.to_string();
    if text.len() <= MAX_INPUT {
        return false;
    }
    let hash = AuditHash(Sha256::digest(text.as_bytes()).into());
    *input = json!({ "sha256": hash.to_string(), "bytes": text.len() });
    true
}

/// True if a row has only the hash of an input.
pub(crate) fn is_shortened(input: &Value) -> bool {
    let fields = input.as_object();
    fields.is_some_and(|fields| {
        fields.len() == 2 && fields.contains_key("sha256") && fields.contains_key("bytes")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(input: &Value) -> String {
        json!({ "type": "action_started", "tool": "t", "input": input }).to_string()
    }

    #[test]
    fn only_what_is_too_long_is_replaced() {
        let short = json!({ "node": "pve" });
        let long = json!({ "text": "x".repeat(MAX_INPUT) });
        for (input, shortened) in [(&short, false), (&long, true)] {
            let json = call(input);
            let kept: Value = serde_json::from_str(&event(&json).unwrap()).unwrap();
            assert_eq!(is_shortened(&kept["input"]), shortened);
            assert_eq!(kept["tool"], "t");
            let beside = json!({ "tool": "t", "input": input });
            assert_eq!(is_shortened(&detail(&beside)["input"]), shortened);
        }
        let text = long.to_string();
        let kept = detail(&json!({ "input": long })).into_owned();
        let hash = AuditHash(Sha256::digest(text.as_bytes()).into());
        assert_eq!(kept["input"]["sha256"], hash.to_string());
        assert_eq!(kept["input"]["bytes"], text.len());
    }

    #[test]
    fn inputs_are_found_wherever_they_are() {
        let long = json!({ "text": "x".repeat(200 * 1024) });
        let json = json!({
            "type": "confirmation_requested",
            "confirmation": { "input": long, "original": long, "target": "pve" },
            "calls": [{ "input": long }],
        })
        .to_string();
        let kept = event(&json).unwrap();
        assert!(kept.len() < MAX_INPUT, "{}", kept.len());
        let same = json!({ "type": "tool_finished", "text": "x".repeat(200 * 1024) }).to_string();
        assert_eq!(event(&same).unwrap(), same, "nothing but inputs is touched");
    }
}
