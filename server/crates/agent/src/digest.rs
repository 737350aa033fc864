//! Digests that bind a decision to the exact call.

use std::fmt::Write;

use protocol::CardSection;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

/// The facts that a decision is bound to.
///
/// Not the person for whom the call is made: a card, its decision and its call are in one journal,
/// whose owner never changes, so that a digest can reach no other person's call. What a system makes
/// of that person does change, such as the account that a key opens: a toolset puts that into
/// [`crate::ports::Preview::state`].
pub(crate) struct BoundCall<'a> {
    pub(crate) tool: &'a str,
    /// The whole input, with the switches that a person has set.
    pub(crate) input: &'a Value,
    pub(crate) target: &'a str,
    /// As [`crate::ports::Preview::state`].
    pub(crate) state: &'a Value,
    /// As the card shows them.
    pub(crate) sections: &'a [CardSection],
    /// The input as the card shows it, if that is not the input itself.
    pub(crate) shown: Option<&'a Value>,
    /// The version of the policy that asked.
    pub(crate) policy: &'a str,
}

impl BoundCall<'_> {
    /// SHA-256 in hexadecimal over the canonical JSON of all of it.
    pub(crate) fn digest(&self) -> String {
        let mut bound = json!({
            "tool": self.tool,
            "input": self.input,
            "target": self.target,
            "state": self.state,
            "policy": self.policy,
        });
        // A card from before there were sections keeps its digest.
        if !self.sections.is_empty() {
            bound["sections"] = json!(self.sections);
        }
        if let Some(shown) = self.shown {
            bound["shown"] = shown.clone();
        }
        sha256(&bound)
    }
}

/// The key of a standing grant: only the very same call has the same key.
pub(crate) fn call_key(tool: &str, input: &Value) -> String {
    sha256(&json!({ "tool": tool, "input": input }))
}

/// SHA-256 in hexadecimal over the canonical JSON of a value.
pub(crate) fn sha256(value: &Value) -> String {
    let digest = Sha256::digest(canonical(value).to_string());
    digest.iter().fold(String::new(), |mut hex, byte| {
        // Writing to a string cannot fail.
        write!(hex, "{byte:02x}").unwrap_or_default();
        hex
    })
}

/// The same value with the fields of every object in the order of their names.
fn canonical(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let mut names: Vec<_> = fields.keys().collect();
            names.sort();
            let sorted: Map<_, _> = names
                .into_iter()
                .map(|name| (name.clone(), canonical(&fields[name])))
                .collect();
            Value::Object(sorted)
        }
        Value::Array(items) => items.iter().map(canonical).collect(),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_fields_does_not_matter_and_everything_else_does() {
        let sections = [CardSection::text("Script", "bash", "reboot")];
        let bound_with = |input: &str, target, state: &str, policy, sections: &[CardSection]| {
            let (input, state) = (
                serde_json::from_str(input).unwrap(),
                serde_json::from_str(state).unwrap(),
            );
            BoundCall {
                tool: "stop_vm",
                input: &input,
                target,
                state: &state,
                policy,
                sections,
                shown: None,
            }
            .digest()
        };
        let bound = |input: &str, target, state: &str, policy| {
            bound_with(input, target, state, policy, &[])
        };
        let one = bound(r#"{"node":"pve","vmid":101}"#, "t", r#"{"s":1}"#, "p");
        assert_eq!(one.len(), 64);
        for (same, input, target, state, policy) in [
            (true, r#"{"vmid":101,"node":"pve"}"#, "t", r#"{"s":1}"#, "p"),
            (
                false,
                r#"{"node":"pve","vmid":102}"#,
                "t",
                r#"{"s":1}"#,
                "p",
            ),
            (
                false,
                r#"{"node":"pve","vmid":"101"}"#,
                "t",
                r#"{"s":1}"#,
                "p",
            ),
            (
                false,
                r#"{"node":"pve","vmid":101,"hard":true}"#,
                "t",
                r#"{"s":1}"#,
                "p",
            ),
            (
                false,
                r#"{"node":"pve","vmid":101}"#,
                "u",
                r#"{"s":1}"#,
                "p",
            ),
            (
                false,
                r#"{"node":"pve","vmid":101}"#,
                "t",
                r#"{"s":2}"#,
                "p",
            ),
            (
                false,
                r#"{"node":"pve","vmid":101}"#,
                "t",
                r#"{"s":1}"#,
                "q",
            ),
        ] {
            assert_eq!(bound(input, target, state, policy) == one, same, "{input}");
        }
        let first = r#"{"node":"pve","vmid":101}"#;
        assert_ne!(bound_with(first, "t", r#"{"s":1}"#, "p", &sections), one);
        let (input, state) = (json!({ "node": "pve", "vmid": 101 }), json!({ "s": 1 }));
        let shown_as = |shown: Option<&Value>| {
            BoundCall {
                tool: "stop_vm",
                input: &input,
                target: "t",
                state: &state,
                policy: "p",
                sections: &[],
                shown,
            }
            .digest()
        };
        assert_eq!(shown_as(None), one);
        assert_ne!(shown_as(Some(&input)), one);
        let other = json!({ "node": "pve", "vmid": 102 });
        assert_ne!(shown_as(Some(&input)), shown_as(Some(&other)));
    }
}
