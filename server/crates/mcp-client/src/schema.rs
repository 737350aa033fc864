//! Input schemas of servers, made strict.

use agent::clean_text;
use serde_json::{Map, Value, json};

/// The largest schema, in bytes of JSON.
const MAX_BYTES: usize = 32 * 1024;

/// The deepest schema, in levels.
const MAX_DEPTH: usize = 24;

/// The reason why a schema cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnusableSchema {
    /// More than 32 KiB, or more than 24 levels.
    TooLarge,
    /// It does not describe an object.
    NoObject,
    /// It refers to another document, which would have to be fetched.
    RefersOutside,
    /// It has characters that a reader would not see.
    HiddenText,
    /// It has `patternProperties`, or refers to what is no definition: neither can be closed.
    Open,
}

/// The schema with every object in it closed, and without what gives it another address. Nothing is
/// fetched.
///
/// # Errors
/// It is no object, too large, cannot be closed, refers to something outside of itself, or hides text.
pub fn closed_schema(schema: &Value) -> Result<Value, UnusableSchema> {
    let Value::Object(fields) = schema else {
        return Err(UnusableSchema::NoObject);
    };
    let mut typed = fields.clone();
    let kind = typed.entry("type").or_insert_with(|| json!("object"));
    if *kind != json!("object") {
        return Err(UnusableSchema::NoObject);
    }
    // Before it is written out as text, which takes a level of the stack for each of its own.
    let closed = closed_object(&typed, MAX_DEPTH)?;
    if schema.to_string().len() > MAX_BYTES {
        return Err(UnusableSchema::TooLarge);
    }
    Ok(Value::Object(closed))
}

/// A schema, or a list of them.
fn closed_value(value: &Value, depth: usize) -> Result<Value, UnusableSchema> {
    match value {
        Value::Object(fields) => Ok(Value::Object(closed_object(fields, depth)?)),
        Value::Array(items) => {
            let below = below(depth)?;
            let items = items.iter().map(|item| closed_value(item, below));
            Ok(Value::Array(items.collect::<Result<_, _>>()?))
        }
        // It takes everything, so also an object of any fields.
        Value::Bool(true) => Ok(Value::Object(closed_object(&Map::new(), depth)?)),
        other => checked_data(other, depth),
    }
}

/// Schemas by name. A list in their place names fields.
fn closed_map(value: &Value, depth: usize) -> Result<Value, UnusableSchema> {
    let Value::Object(schemas) = value else {
        return checked_data(value, depth);
    };
    let below = below(depth)?;
    let mut closed = Map::new();
    for (name, schema) in schemas {
        if is_hiding(name) {
            return Err(UnusableSchema::HiddenText);
        }
        let schema = match schema {
            Value::Array(_) => checked_data(schema, below)?,
            _ => closed_value(schema, below)?,
        };
        closed.insert(name.clone(), schema);
    }
    Ok(Value::Object(closed))
}

/// Data stay as they are.
fn checked_data(value: &Value, depth: usize) -> Result<Value, UnusableSchema> {
    match value {
        Value::Object(fields) => {
            let below = below(depth)?;
            for (name, value) in fields {
                if is_hiding(name) {
                    return Err(UnusableSchema::HiddenText);
                }
                checked_data(value, below)?;
            }
        }
        Value::Array(items) => {
            let below = below(depth)?;
            for item in items {
                checked_data(item, below)?;
            }
        }
        Value::String(text) if is_hiding(text) => return Err(UnusableSchema::HiddenText),
        _ => {}
    }
    Ok(value.clone())
}

fn closed_object(
    fields: &Map<String, Value>,
    depth: usize,
) -> Result<Map<String, Value>, UnusableSchema> {
    let below = below(depth)?;
    let mut closed = Map::new();
    for (name, value) in fields {
        if is_hiding(name) {
            return Err(UnusableSchema::HiddenText);
        }
        let value = match name.as_str() {
            "$id" | "$schema" | "id" => continue,
            "patternProperties" => return Err(UnusableSchema::Open),
            "$ref" | "$dynamicRef" | "$recursiveRef" => {
                check_reference(value)?;
                value.clone()
            }
            "properties" | "$defs" | "definitions" | "dependentSchemas" | "dependencies" => {
                closed_map(value, below)?
            }
            "items" | "prefixItems" | "additionalItems" | "unevaluatedItems" | "contains"
            | "anyOf" | "oneOf" | "allOf" | "not" | "if" | "then" | "else" => {
                closed_value(value, below)?
            }
            _ => checked_data(value, below)?,
        };
        closed.insert(name.clone(), value);
    }
    if may_be_object(&closed) {
        for word in ["anyOf", "oneOf", "allOf"] {
            if let Some(Value::Array(branches)) = closed.get_mut(word) {
                branches.iter_mut().for_each(leave_to_parent);
            }
        }
        closed.insert("additionalProperties".to_owned(), json!(false));
    }
    Ok(closed)
}

/// A branch that names no fields, such as one that only requires some, would refuse those of the closed
/// object that it belongs to, which bounds it already.
fn leave_to_parent(branch: &mut Value) {
    if let Value::Object(branch) = branch
        && !branch.contains_key("type")
        && !branch.contains_key("properties")
    {
        branch.remove("additionalProperties");
    }
}

/// A definition is closed itself; anything else in the document may be data.
fn check_reference(to: &Value) -> Result<(), UnusableSchema> {
    let to = to.as_str().ok_or(UnusableSchema::Open)?;
    if is_hiding(to) {
        return Err(UnusableSchema::HiddenText);
    }
    let inside = to.strip_prefix('#').ok_or(UnusableSchema::RefersOutside)?;
    let name = inside.strip_prefix("/$defs/");
    let name = name.or_else(|| inside.strip_prefix("/definitions/"));
    if inside.is_empty() || name.is_some_and(|name| !name.contains(['/', '%'])) {
        return Ok(());
    }
    Err(UnusableSchema::Open)
}

/// True unless its type, its values or the schemas that it is made of say what it is.
fn may_be_object(schema: &Map<String, Value>) -> bool {
    if schema.contains_key("properties") {
        return true;
    }
    match schema.get("type") {
        Some(Value::String(kind)) => kind == "object",
        Some(Value::Array(kinds)) => kinds.contains(&json!("object")),
        _ => {
            let said = ["const", "enum", "$ref", "anyOf", "oneOf", "allOf"];
            !said.iter().any(|word| schema.contains_key(*word))
        }
    }
}

fn below(depth: usize) -> Result<usize, UnusableSchema> {
    depth.checked_sub(1).ok_or(UnusableSchema::TooLarge)
}

fn is_hiding(text: &str) -> bool {
    clean_text(text) != text
}
