//! Members of JSON that a program printed.

use serde_json::{Map, Value};

use super::{MAX_OUTPUT, ReadError};
use crate::fields::{FieldUnit, TypedField};

pub(super) type JsonMembers = Map<String, Value>;

/// The objects of a list. `ip` prints empty ones for what a filter left out.
pub(super) fn objects(output: &str) -> Result<Vec<JsonMembers>, ReadError> {
    // Without any line `ip` prints nothing at all.
    if output.trim().is_empty() {
        return Ok(Vec::new());
    }
    let Value::Array(items) = value(output)? else {
        return Err(ReadError::Missing { part: "a list" });
    };
    let objects = items.into_iter().filter_map(|item| match item {
        Value::Object(members) if !members.is_empty() => Some(members),
        _ => None,
    });
    Ok(objects.collect())
}

pub(super) fn value(output: &str) -> Result<Value, ReadError> {
    if output.len() > MAX_OUTPUT {
        return Err(ReadError::TooLarge);
    }
    serde_json::from_str(output).map_err(|_| ReadError::NotJson)
}

pub(super) fn text(members: &JsonMembers, key: &str, name: &'static str) -> TypedField {
    TypedField::text_or_unknown(name, members.get(key).and_then(Value::as_str))
}

/// The text of a member, if it has one.
pub(super) fn text_if(members: &JsonMembers, key: &str, name: &'static str) -> Option<TypedField> {
    let text = members.get(key).and_then(Value::as_str)?;
    Some(TypedField::text(name, text))
}

/// A count, which some versions print as a text.
pub(super) fn whole(members: &JsonMembers, key: &str, name: &'static str) -> TypedField {
    let number = members.get(key).and_then(|it| match it {
        Value::String(text) => text.parse().ok(),
        other => other.as_u64(),
    });
    TypedField::whole_or_unknown(name, number)
}

pub(super) fn number(
    members: &JsonMembers,
    key: &str,
    name: &'static str,
    unit: FieldUnit,
) -> TypedField {
    TypedField::number(name, members.get(key).and_then(Value::as_f64), unit)
}

/// The words of a list of texts, with a space between two of them.
pub(super) fn words(members: &JsonMembers, key: &str, name: &'static str) -> TypedField {
    let words = members.get(key).and_then(Value::as_array).map(|words| {
        let words: Vec<_> = words.iter().filter_map(Value::as_str).collect();
        words.join(" ")
    });
    TypedField::text_or_unknown(name, words.as_deref())
}
