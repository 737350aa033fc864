//! A tool's input as a form, by the schema of its definition. The gate checks what comes of it against the schema:
//! nothing here has to.

use agent::clean_text;
use app::plain_pages::settings::{McpField, McpFieldKind};
use serde_json::{Map, Number, Value};

use crate::texts;

/// The beginning of a field's name, before that of its property.
const PROPERTY: &str = "in.";
/// The field for a whole input.
const WHOLE: &str = "whole";
/// Keywords of schemas that may name fields elsewhere than in `properties`.
const ELSEWHERE: [&str; 6] = ["$ref", "anyOf", "oneOf", "allOf", "if", "dependentSchemas"];

/// A property of the input.
struct Property<'a> {
    name: &'a str,
    schema: &'a Value,
    is_required: bool,
}

/// The fields of the input, with what was sent before.
pub(super) fn fields(schema: &Value, sent: &[(String, String)]) -> Vec<McpField> {
    if is_whole(schema) {
        return vec![McpField {
            name: WHOLE.to_owned(),
            label: texts::mcp_servers::call::WHOLE_INPUT.to_owned(),
            about: String::new(),
            is_required: true,
            kind: McpFieldKind::Json,
            value: one(sent, WHOLE).unwrap_or_default().to_owned(),
        }];
    }
    let properties = properties(schema).into_iter();
    let fields = properties.map(|property| {
        let name = format!("{PROPERTY}{}", property.name);
        let about = property.schema.get("description").and_then(Value::as_str);
        McpField {
            value: one(sent, &name).unwrap_or_default().to_owned(),
            label: clean_text(property.name),
            about: clean_text(about.unwrap_or_default()),
            is_required: property.is_required,
            kind: kind(property.schema),
            name,
        }
    });
    fields.collect()
}

/// The input of a form that was sent. Empty fields are left out, but for a text that is required.
///
/// # Errors
/// A field cannot be read; the error is a sentence.
pub(super) fn input(schema: &Value, sent: &[(String, String)]) -> Result<Value, String> {
    if is_whole(schema) {
        let text = one(sent, WHOLE).unwrap_or_default();
        let whole = serde_json::from_str::<Map<String, Value>>(text);
        let problem = texts::mcp_servers::call::NO_OBJECT;
        return whole.map(Value::Object).map_err(|_| problem.to_owned());
    }
    let mut input = Map::new();
    for property in properties(schema) {
        let text = one(sent, &format!("{PROPERTY}{}", property.name));
        let Some(text) = text else { continue };
        if let Some(value) = value(&property, text)? {
            input.insert(property.name.to_owned(), value);
        }
    }
    Ok(Value::Object(input))
}

/// The first field of this name.
pub(super) fn one<'a>(sent: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let found = sent.iter().find(|(known, _)| known == name);
    found.map(|(_, value)| value.as_str())
}

fn value(property: &Property<'_>, text: &str) -> Result<Option<Value>, String> {
    let label = clean_text(property.name);
    match kind(property.schema) {
        McpFieldKind::Text => {
            let is_set = property.is_required || !text.is_empty();
            // Forms send every end of a line as two characters.
            Ok(is_set.then(|| Value::String(text.replace("\r\n", "\n"))))
        }
        _ if text.trim().is_empty() => Ok(None),
        McpFieldKind::Number => {
            let number = serde_json::from_str::<Number>(text.trim());
            let number = number.map_err(|_| texts::mcp_servers::call::no_number(&label))?;
            Ok(Some(Value::Number(number)))
        }
        McpFieldKind::Choice(_) | McpFieldKind::Json => {
            let value = serde_json::from_str(text);
            let value = value.map_err(|_| texts::mcp_servers::call::no_json(&label))?;
            Ok(Some(value))
        }
    }
}

/// True if the input has to be written as a whole.
fn is_whole(schema: &Value) -> bool {
    properties(schema).is_empty() && ELSEWHERE.iter().any(|word| schema.get(word).is_some())
}

fn properties(schema: &Value) -> Vec<Property<'_>> {
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = |name: &str| {
        let mut names = required.into_iter().flatten();
        names.any(|known| known.as_str() == Some(name))
    };
    let properties = schema.get("properties").and_then(Value::as_object);
    let properties = properties.into_iter().flatten();
    properties
        .map(|(name, schema)| Property {
            name,
            schema,
            is_required: is_required(name),
        })
        .collect()
}

fn kind(schema: &Value) -> McpFieldKind {
    if let Some(Value::Array(values)) = schema.get("enum") {
        return McpFieldKind::Choice(values.iter().map(choice).collect());
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("string") => McpFieldKind::Text,
        Some("integer" | "number") => McpFieldKind::Number,
        Some("boolean") => McpFieldKind::Choice([true, false].map(|it| choice(&it.into())).into()),
        _ => McpFieldKind::Json,
    }
}

/// Value and label of a choice: its JSON, and for a text the text.
fn choice(value: &Value) -> (String, String) {
    let json = value.to_string();
    let label = clean_text(value.as_str().unwrap_or(&json));
    (json, label)
}

#[cfg(test)]
mod tests;
