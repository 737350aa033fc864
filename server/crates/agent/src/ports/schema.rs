//! The JSON Schema of a tool's input, from its type.

use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::{Value, json};

/// The schema of a type, in the few words that models read well: everything in place, an optional
/// field is one that may be left out and never `null`, and no formats of programming languages.
///
/// The type is closed by `#[serde(deny_unknown_fields)]`; a tool whose schema is open is refused at
/// the start.
pub fn of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value();
    plain(&mut schema);
    if let Some(fields) = schema.as_object_mut() {
        // The description of the type itself is for readers of the code.
        fields.remove("description");
        fields.entry("properties").or_insert_with(|| json!({}));
        fields.entry("required").or_insert_with(|| json!([]));
    }
    schema
}

fn plain(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            for word in ["title", "default", "format"] {
                // A field of the input may have such a name: its schema is an object.
                if fields.get(word).is_some_and(|value| !value.is_object()) {
                    fields.remove(word);
                }
            }
            if let Some(Value::String(text)) = fields.get_mut("description") {
                *text = text.replace('\n', " ");
            }
            if let Some(Value::Array(kinds)) = fields.get_mut("type") {
                kinds.retain(|kind| kind != "null");
                if let [kind] = &kinds[..] {
                    let kind = kind.clone();
                    fields.insert("type".to_owned(), kind);
                }
            }
            if let Some(Value::Array(words)) = fields.get_mut("enum") {
                words.retain(|word| !word.is_null());
            }
            if let Some(Value::Array(ways)) = fields.get_mut("anyOf") {
                ways.retain(|way| way.get("type") != Some(&json!("null")));
                if let [Value::Object(way)] = &ways[..] {
                    let way = way.clone();
                    fields.remove("anyOf");
                    for (word, value) in way {
                        fields.entry(word).or_insert(value);
                    }
                }
            }
            if fields.get("type") == Some(&json!("array"))
                && let Some(Value::Object(item)) = fields.get_mut("items")
            {
                // The list says what is in it; the description of the item's type is for readers of
                // the code.
                item.remove("description");
            }
            if fields.get("type") == Some(&json!("object")) {
                fields.entry("required").or_insert_with(|| json!([]));
            }
            fields.values_mut().for_each(plain);
        }
        Value::Array(items) => items.iter_mut().for_each(plain),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(JsonSchema)]
    #[serde(deny_unknown_fields, rename_all = "snake_case")]
    #[expect(dead_code, reason = "only its schema is of interest")]
    /// For readers of the code.
    struct Input {
        /// The node to read, such as "pve".
        #[schemars(length(min = 1, max = 63))]
        node: String,
        /// Only this kind.
        kind: Option<Kind>,
        /// How many.
        #[schemars(range(min = 1, max = 50))]
        limit: Option<u32>,
        #[serde(default)]
        hard: bool,
        title: Option<f64>,
        /// Which ones.
        only: Vec<Kind>,
    }

    #[derive(JsonSchema)]
    #[serde(rename_all = "snake_case")]
    #[expect(dead_code, reason = "only its schema is of interest")]
    /// For readers of the code.
    enum Kind {
        Vm,
        Container,
    }

    #[test]
    fn a_schema_is_closed_and_says_no_more_than_a_model_needs() {
        assert_eq!(
            of::<Input>(),
            json!({
                "type": "object",
                "additionalProperties": false,
                "properties": {
                    "node": {
                        "type": "string", "minLength": 1, "maxLength": 63,
                        "description": "The node to read, such as \"pve\".",
                    },
                    "kind": {
                        "type": "string", "enum": ["vm", "container"],
                        "description": "Only this kind.",
                    },
                    "limit": {
                        "type": "integer", "minimum": 1, "maximum": 50,
                        "description": "How many.",
                    },
                    "hard": { "type": "boolean" },
                    "title": { "type": "number" },
                    "only": {
                        "type": "array", "description": "Which ones.",
                        "items": { "type": "string", "enum": ["vm", "container"] },
                    },
                },
                "required": ["node", "only"],
            })
        );
        assert_eq!(
            of::<()>(),
            json!({ "type": "null", "properties": {}, "required": [] }),
            "what is no object is refused at the start"
        );
    }
}
