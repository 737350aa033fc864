//! Field-by-field difference of two JSON values, and merging of patches.

use serde_json::{Map, Value};

use super::FieldChange;

/// The fields that differ, sorted by name. A missing field is null. A list counts as a single field,
/// and so does an object whose fields were replaced by others.
pub(super) fn diff(from: &Value, to: &Value) -> Vec<FieldChange> {
    let mut changes = Vec::new();
    collect(from, to, "", &mut changes);
    changes
}

fn collect(from: &Value, to: &Value, path: &str, changes: &mut Vec<FieldChange>) {
    if let (Value::Object(old), Value::Object(new)) = (from, to)
        && (old.keys().all(|name| new.contains_key(name))
            || new.keys().all(|name| old.contains_key(name)))
    {
        let mut names: Vec<&String> = old.keys().chain(new.keys()).collect();
        names.sort();
        names.dedup();
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

/// Merges the fields of `patch` into `target`. A null is an ordinary value; if it is not allowed,
/// deserialising the result fails.
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

/// The field at a path; null if it does not exist.
pub(super) fn get<'v>(value: &'v Value, path: &str) -> &'v Value {
    path.split('.')
        .try_fold(value, |value, name| value.get(name))
        .unwrap_or(&Value::Null)
}
