//! Checks of a person's change of an input: only some of its fields may be changed.

use protocol::ErrorBody;
use serde_json::Value;

use crate::{error, ports::ToolSpec, texts};

/// The fields of an input that a person may change, as a card names them: a field of the input
/// itself by its name alone, one further in by its pointer.
pub(crate) fn names(spec: &ToolSpec, input: &Value) -> Vec<String> {
    let name = |path: String| match path.strip_prefix('/') {
        Some(name) if !name.contains(['/', '~']) => name.to_owned(),
        _ => path,
    };
    let patterns = spec.editable.iter();
    let paths = patterns.flat_map(|pattern| paths(pattern, input));
    paths.map(name).collect()
}

/// The pointers into an input that a pattern stands for: `*` is each item of a list.
fn paths(pattern: &str, input: &Value) -> Vec<String> {
    let mut found = vec![String::new()];
    for step in pattern.split('/').skip(1) {
        let deeper = found
            .iter()
            .flat_map(|path| match (step, input.pointer(path)) {
                ("*", Some(Value::Array(items))) => {
                    (0..items.len()).map(|n| format!("{path}/{n}")).collect()
                }
                ("*", _) => Vec::new(),
                _ => vec![format!("{path}/{step}")],
            });
        found = deeper.collect();
    }
    found
}

/// Checks that nothing was changed but the fields that the tool names, and its switches.
pub(crate) fn check(spec: &ToolSpec, from: &Value, to: &Value) -> Result<(), ErrorBody> {
    if !from.is_object() || !to.is_object() {
        return Err(error::not_allowed(texts::gate::INPUT_IS_NOT_OBJECT));
    }
    if from == to {
        return Err(error::not_allowed(texts::gate::NOTHING_WAS_CHANGED));
    }
    let fixed = |input: &Value| {
        let mut input = input.clone();
        let patterns = spec.editable.iter();
        let paths: Vec<_> = patterns
            .flat_map(|pattern| paths(pattern, &input))
            .collect();
        for path in paths {
            remove(&mut input, &path);
        }
        if let Value::Object(fields) = &mut input {
            fields.retain(|name, _| spec.choices.iter().all(|choice| choice.name != *name));
        }
        input
    };
    match difference(&fixed(from), &fixed(to)) {
        Some(name) => Err(error::not_allowed(texts::gate::cannot_be_changed(&name))),
        None => Ok(()),
    }
}

fn remove(input: &mut Value, path: &str) {
    let Some((parent, name)) = path.rsplit_once('/') else {
        return;
    };
    if let Some(Value::Object(fields)) = input.pointer_mut(parent) {
        fields.remove(&name.replace("~1", "/").replace("~0", "~"));
    }
}

/// The field, by its path, in which two inputs differ first.
fn difference(from: &Value, to: &Value) -> Option<String> {
    let (Value::Object(from), Value::Object(to)) = (from, to) else {
        return (from != to).then(String::new);
    };
    let mut names = from.keys().chain(to.keys());
    names.find_map(|name| {
        let below = match (from.get(name), to.get(name)) {
            (Some(from), Some(to)) => difference(from, to)?,
            _ => String::new(),
        };
        Some(if below.is_empty() {
            name.clone()
        } else {
            format!("{name}/{below}")
        })
    })
}

#[cfg(test)]
mod tests {
    use protocol::Choice;
    use serde_json::json;

    use super::*;

    fn spec(editable: &[&str]) -> ToolSpec {
        ToolSpec {
            editable: editable.iter().map(|&path| path.to_owned()).collect(),
            choices: vec![Choice {
                name: "hard".to_owned(),
                label: String::new(),
                detail: String::new(),
                chosen: false,
            }],
            ..ToolSpec::with_schema("order", "", json!({}))
        }
    }

    #[test]
    fn only_the_fields_that_a_tool_names_and_its_switches_change() {
        let from = json!({ "node": "pve", "n": 1, "line": { "price": 1, "text": "a" } });
        let spec = spec(&["/node", "/line/price"]);
        let check = |to: Value| match check(&spec, &from, &to) {
            Ok(()) => "changed".to_owned(),
            Err(error) => error.message,
        };
        for (to, expect) in [
            (
                json!({ "node": "b", "n": 1, "line": { "price": 1, "text": "a" } }),
                "changed",
            ),
            (
                json!({ "n": 1, "line": { "price": 1, "text": "a" } }),
                "changed",
            ),
            (
                json!({ "node": "pve", "n": 1, "line": { "price": 2, "text": "a" } }),
                "changed",
            ),
            (
                json!({ "node": "pve", "n": 1, "line": { "price": 1, "text": "a" }, "hard": true }),
                "changed",
            ),
            (from.clone(), "Nothing was changed."),
            (
                json!({ "node": "b", "n": 2, "line": { "price": 1, "text": "a" } }),
                "\"n\" cannot be changed.",
            ),
            (
                json!({ "node": "b", "n": 1, "line": { "price": 2, "text": "b" } }),
                "\"line/text\" cannot be changed.",
            ),
            (
                json!({ "node": "b", "n": 1 }),
                "\"line\" cannot be changed.",
            ),
            (
                json!({ "node": "b", "n": 1, "line": 7 }),
                "\"line\" cannot be changed.",
            ),
            (
                json!({ "node": "pve", "n": 1, "line": { "price": 1, "text": "a" }, "new": 1 }),
                "\"new\" cannot be changed.",
            ),
            (json!([]), "The input is not an object."),
        ] {
            assert_eq!(check(to.clone()), expect, "{to}");
        }
        assert_eq!(names(&spec, &from), ["node", "/line/price"]);
    }

    #[test]
    fn a_star_is_each_item_and_lets_none_come_or_go() {
        let from = json!({ "items": [{ "qty": 1, "code": "a" }, { "qty": 2, "code": "b" }] });
        let spec = spec(&["/items/*/qty"]);
        assert_eq!(names(&spec, &from), ["/items/0/qty", "/items/1/qty"]);
        for none in [json!({}), json!({ "items": 7 }), json!({ "items": [] })] {
            assert_eq!(names(&spec, &none), [""; 0], "{none}");
        }
        let item = |qty: u32, code: &str| json!({ "qty": qty, "code": code });
        for (items, may) in [
            (json!([item(1, "a"), item(5, "b")]), true),
            (json!([item(1, "a"), item(2, "x")]), false),
            (json!([item(1, "a")]), false),
            (json!([item(1, "a"), item(2, "b"), item(3, "c")]), false),
            (json!([item(2, "b"), item(1, "a")]), false),
        ] {
            let to = json!({ "items": items });
            assert_eq!(check(&spec, &from, &to).is_ok(), may, "{to}");
        }
    }
}
