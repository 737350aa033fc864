//! Definitions of tools as a server gives them, and what an admin has accepted of them.

use std::fmt::Write;

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

/// A tool as a server defines it. All of it is text of a stranger.
#[derive(Debug, Clone, PartialEq)]
pub struct ServedTool {
    /// The server's own name for it.
    pub name: String,
    pub description: String,
    pub input_schema: Value,
    /// Null if there is none.
    pub output_schema: Value,
    /// The server's hints, such as `readOnlyHint`. Null if there are none.
    pub annotations: Value,
}

/// A part of a definition that differs from the accepted one, as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DefinitionChange {
    /// The field, such as `description`.
    pub field: &'static str,
    pub before: String,
    pub after: String,
}

/// The result of comparing a definition with what an admin has accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReviewStanding {
    /// The configuration does not name it.
    NotAllowed,
    /// Nobody has accepted it.
    Unseen,
    /// It is what was accepted.
    Accepted,
    /// It differs from what was accepted: it does not run.
    Changed(Vec<DefinitionChange>),
}

impl ServedTool {
    /// SHA-256 in hexadecimal over the whole definition; the order of fields does not matter.
    pub fn digest(&self) -> String {
        sha256(&sorted(&self.to_definition()).to_string())
    }

    /// The whole definition, to be kept.
    pub fn to_definition(&self) -> Value {
        let fields = self.fields().into_iter();
        let fields: Map<String, Value> = fields
            .map(|(field, value)| (field.to_owned(), value))
            .collect();
        Value::Object(fields)
    }

    /// A definition that was kept; None if it is none.
    pub fn of_definition(definition: &Value) -> Option<Self> {
        let part = |field: &str| definition.get(field).cloned();
        let text = |field: &str| Some(definition.get(field)?.as_str()?.to_owned());
        Some(Self {
            name: text("name")?,
            description: text("description")?,
            input_schema: part("input_schema")?,
            output_schema: part("output_schema")?,
            annotations: part("annotations")?,
        })
    }

    /// The parts that differ in a newer definition, in a fixed order.
    pub fn changes_to(&self, now: &Self) -> Vec<DefinitionChange> {
        let both = self.fields().into_iter().zip(now.fields());
        let both =
            both.map(|((field, before), (_, after))| (field, sorted(&before), sorted(&after)));
        both.filter(|(_, before, after)| before != after)
            .map(|(field, before, after)| DefinitionChange {
                field,
                before: text_of(before),
                after: text_of(after),
            })
            .collect()
    }

    fn fields(&self) -> [(&'static str, Value); 5] {
        [
            ("name", json!(self.name)),
            ("description", json!(self.description)),
            ("input_schema", self.input_schema.clone()),
            ("output_schema", self.output_schema.clone()),
            ("annotations", self.annotations.clone()),
        ]
    }
}

fn text_of(value: Value) -> String {
    match value {
        Value::String(text) => text,
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// The same value with the fields of each object in the order of their names.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_by(|one, other| one.0.cmp(other.0));
            let fields = fields.into_iter();
            Value::Object(
                fields
                    .map(|(name, value)| (name.clone(), sorted(value)))
                    .collect(),
            )
        }
        Value::Array(items) => items.iter().map(sorted).collect(),
        other => other.clone(),
    }
}

/// SHA-256 of a text in hexadecimal.
pub(crate) fn sha256(text: &str) -> String {
    let digest = Sha256::digest(text);
    digest.iter().fold(String::new(), |mut hex, byte| {
        // Writing to a string cannot fail.
        let _written = write!(hex, "{byte:02x}");
        hex
    })
}
