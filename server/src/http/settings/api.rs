//! The page of the interface for programs: its description in OpenAPI for people, the same for everybody.

use std::sync::LazyLock;

use app::plain_pages::settings::{
    ApiArea, ApiEntry, ApiField, ApiPage, ApiReply, ApiShape, ApiWord,
};
use axum::response::Response;
use serde_json::Value;

use super::Visit;
use crate::http::api;

static PAGE: LazyLock<ApiPage> = LazyLock::new(|| described(&api::description()));

pub(super) async fn page(visit: Visit) -> Response {
    visit.page(visit.note(), PAGE.clone())
}

fn described(api: &Value) -> ApiPage {
    let mut areas: Vec<ApiArea> = Vec::new();
    for (path, methods) in members(&api["paths"]) {
        let entries = members(methods);
        let entries = entries.map(|(method, operation)| entry(api, method, path, operation));
        let name = area(path);
        match areas.iter_mut().find(|area| area.name == name) {
            Some(area) => area.entries.extend(entries),
            None => areas.push(ApiArea {
                name: name.to_owned(),
                entries: entries.collect(),
            }),
        }
    }
    let shapes = members(&api["components"]["schemas"]).map(|(name, schema)| {
        let fields: Vec<_> = members(&schema["properties"])
            .map(|(name, property)| ApiField {
                name: name.clone(),
                place: String::new(),
                is_required: items(&schema["required"]).any(|required| required == name.as_str()),
                holds: words(property),
                meaning: text(&property["description"]),
            })
            .collect();
        ApiShape {
            name: name.clone(),
            meaning: text(&schema["description"]),
            holds: if fields.is_empty() {
                words(schema)
            } else {
                Vec::new()
            },
            fields,
        }
    });
    ApiPage {
        about: text(&api["info"]["description"]),
        areas,
        shapes: shapes.collect(),
    }
}

/// The part of an address by which operations are grouped: the first behind the version.
fn area(path: &str) -> &str {
    path.split('/').nth(3).unwrap_or_default()
}

fn entry(api: &Value, method: &str, path: &str, operation: &Value) -> ApiEntry {
    let parameters = items(&operation["parameters"]).map(|parameter| ApiField {
        name: text(&parameter["name"]),
        place: text(&parameter["in"]),
        is_required: parameter["required"].as_bool().unwrap_or_default(),
        holds: words(&parameter["schema"]),
        meaning: text(&parameter["description"]),
    });
    let mut replies = Vec::new();
    let mut refused = Vec::new();
    for (status, reply) in members(&operation["responses"]) {
        if reply["$ref"].is_string() {
            refused.push(status.as_str());
        } else {
            replies.push(ApiReply {
                statuses: status.clone(),
                meaning: text(&reply["description"]),
                holds: content(reply),
            });
        }
    }
    if !refused.is_empty() {
        let error = &api["components"]["responses"]["Error"];
        replies.push(ApiReply {
            statuses: refused.join(", "),
            meaning: text(&error["description"]),
            holds: content(error),
        });
    }
    ApiEntry {
        request: format!("{} {path}", method.to_uppercase()),
        summary: text(&operation["summary"]),
        parameters: parameters.collect(),
        body: content(&operation["requestBody"]),
        replies,
    }
}

/// Returns the words for the type of a body; none without one.
fn content(message: &Value) -> Vec<ApiWord> {
    let mut kinds = members(&message["content"]);
    let body = kinds.next().map(|(_, body)| words(&body["schema"]));
    body.unwrap_or_default()
}

/// Returns the words for a type.
fn words(schema: &Value) -> Vec<ApiWord> {
    let plain = |text: String| vec![ApiWord::Plain(text)];
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap_or_default();
        return vec![ApiWord::Shape(name.to_owned())];
    }
    let one_of: Vec<_> = items(&schema["enum"]).map(Value::to_string).collect();
    if !one_of.is_empty() {
        return plain(one_of.join(" or "));
    }
    let choices: Vec<_> = items(&schema["anyOf"]).map(words).collect();
    if !choices.is_empty() {
        return either(&choices);
    }
    match &schema["type"] {
        Value::String(kind) => of_kind(kind, schema),
        Value::Array(kinds) => {
            let kinds = kinds.iter().filter_map(Value::as_str);
            let kinds: Vec<_> = kinds.map(|kind| of_kind(kind, schema)).collect();
            either(&kinds)
        }
        _ => plain("anything".to_owned()),
    }
}

fn of_kind(kind: &str, schema: &Value) -> Vec<ApiWord> {
    if kind != "array" {
        return vec![ApiWord::Plain(kind.to_owned())];
    }
    let mut words = words(&schema["items"]);
    words.insert(0, ApiWord::Plain("array of ".to_owned()));
    words
}

fn either(choices: &[Vec<ApiWord>]) -> Vec<ApiWord> {
    choices.join(&ApiWord::Plain(" or ".to_owned()))
}

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Whatever a type of the description has, its words are known.
    #[test]
    fn the_words_for_a_type_say_all_of_it() {
        let shape = json!({ "$ref": "#/components/schemas/Mode" });
        for (schema, expect) in [
            (shape.clone(), "[Mode]"),
            (json!({ "type": "string" }), "string"),
            (json!({ "type": ["integer", "null"] }), "integer or null"),
            (json!({ "enum": ["a", "b"] }), "\"a\" or \"b\""),
            (
                json!({ "anyOf": [shape, { "type": "null" }] }),
                "[Mode] or null",
            ),
            (
                json!({ "type": ["array", "null"], "items": { "type": "string" } }),
                "array of string or null",
            ),
            (json!({}), "anything"),
        ] {
            let words = words(&schema).into_iter().map(|word| match word {
                ApiWord::Plain(text) => text,
                ApiWord::Shape(name) => format!("[{name}]"),
            });
            assert_eq!(words.collect::<String>(), expect, "{schema}");
        }
    }

    #[test]
    fn each_operation_is_there_once_and_each_shape_that_is_named() {
        let api = api::description();
        let page = described(&api);
        let entries = page.areas.iter().flat_map(|area| &area.entries);
        let requests: Vec<_> = entries.clone().map(|entry| &*entry.request).collect();
        let operations = members(&api["paths"]).flat_map(|(path, methods)| {
            members(methods).map(move |(method, _)| format!("{} {path}", method.to_uppercase()))
        });
        let operations: Vec<_> = operations.collect();
        assert_eq!(requests.len(), operations.len());
        for operation in &operations {
            assert!(requests.contains(&operation.as_str()), "{operation}");
        }
        let named = entries.flat_map(|entry| {
            let replies = entry.replies.iter().flat_map(|reply| &reply.holds);
            entry.body.iter().chain(replies)
        });
        for word in named {
            if let ApiWord::Shape(name) = word {
                let is_there = page.shapes.iter().any(|shape| shape.name == *name);
                assert!(is_there, "{name}");
            }
        }
    }
}
