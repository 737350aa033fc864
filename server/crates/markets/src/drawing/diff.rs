//! What differs between two JSON values, field by field, and changes laid over one.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A field and what became of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FieldChange {
    /// Such as `shape.to.price`.
    pub field: String,
    pub from: Value,
    pub to: Value,
}

/// The fields that differ, in the order of the names. Lists are fields as a whole, and so is an object
/// that has become one with other fields.
pub(super) fn diff(from: &Value, to: &Value) -> Vec<FieldChange> {
    let mut changes = Vec::new();
    collect(from, to, "", &mut changes);
    changes
}

fn collect(from: &Value, to: &Value, path: &str, changes: &mut Vec<FieldChange>) {
    if let (Value::Object(old), Value::Object(new)) = (from, to)
        && old.len() == new.len()
        && old.keys().all(|name| new.contains_key(name))
    {
        let mut names: Vec<&String> = old.keys().collect();
        names.sort();
        for name in names {
            let path = match path {
                "" => name.clone(),
                path => format!("{path}.{name}"),
            };
            let of = |map: &Map<String, Value>| map.get(name).cloned().unwrap_or_default();
            collect(&of(old), &of(new), &path, changes);
        }
    } else if from != to {
        changes.push(FieldChange {
            field: path.to_owned(),
            from: from.clone(),
            to: to.clone(),
        });
    }
}

/// Lays the fields of `patch` over `target`. A null is a value like others: what may not be null,
/// the reader of the result refuses.
pub(super) fn lay(target: &mut Value, patch: &Value) {
    match (target, patch) {
        (Value::Object(target), Value::Object(patch)) => {
            for (name, value) in patch {
                lay(target.entry(name.clone()).or_insert(Value::Null), value);
            }
        }
        (target, patch) => *target = patch.clone(),
    }
}

/// Sets one field by its path.
pub(super) fn set(target: &mut Value, path: &str, value: Value) {
    let mut place = target;
    for name in path.split('.') {
        if !place.is_object() {
            *place = Value::Object(Map::new());
        }
        let Value::Object(fields) = place else { return };
        place = fields.entry(name.to_owned()).or_insert(Value::Null);
    }
    *place = value;
}

/// A field by its path; null if there is none.
pub(super) fn get<'v>(value: &'v Value, path: &str) -> &'v Value {
    path.split('.')
        .try_fold(value, |value, name| value.get(name))
        .unwrap_or(&Value::Null)
}
