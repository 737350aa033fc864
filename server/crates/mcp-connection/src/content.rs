//! The content of an answer, as text and structure. Nothing that it points to is fetched.

use serde_json::{Value, json};

use crate::texts;

/// The structured content if there is any, and else the blocks: one text alone as it is.
pub(crate) fn of_answer(structured: Option<Value>, blocks: Value) -> Value {
    if let Some(structured) = structured {
        return structured;
    }
    let Value::Array(blocks) = blocks else {
        return Value::Null;
    };
    let mut blocks: Vec<Value> = blocks.into_iter().map(of_block).collect();
    match blocks.len() {
        1 => blocks.remove(0),
        _ => Value::Array(blocks),
    }
}

/// One block.
pub(crate) fn of_block(block: Value) -> Value {
    let field = |name: &str| block.get(name).cloned().unwrap_or_default();
    match block.get("type").and_then(Value::as_str) {
        Some("text") => field("text"),
        Some("resource_link") => json!({ "link": field("uri"), "name": field("name") }),
        Some("resource") => of_resource(&field("resource")),
        _ => json!({ "left_out": texts::LEFT_OUT }),
    }
}

/// The content of a resource.
pub(crate) fn of_resource(resource: &Value) -> Value {
    match resource.get("text") {
        Some(text) => json!({ "of": resource.get("uri"), "text": text }),
        None => json!({ "of": resource.get("uri"), "left_out": texts::LEFT_OUT }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_kept_and_the_rest_is_named() {
        let text = json!({ "type": "text", "text": "12:00", "annotations": { "x": 1 } });
        assert_eq!(of_answer(None, json!([text])), "12:00");
        assert_eq!(of_answer(None, json!([])), json!([]));
        let structured = Some(json!({ "time": "12:00" }));
        assert_eq!(
            of_answer(structured, json!([text])),
            json!({ "time": "12:00" })
        );
        let image = json!({ "type": "image", "data": "AAAA", "mimeType": "image/png" });
        let link = json!({ "type": "resource_link", "uri": "http://inner.lan/", "name": "x" });
        let file = json!({ "type": "resource", "resource": { "uri": "file:///a", "text": "b" } });
        assert_eq!(
            of_answer(None, json!([text, image, link, file])),
            json!([
                "12:00",
                { "left_out": texts::LEFT_OUT },
                { "link": "http://inner.lan/", "name": "x" },
                { "of": "file:///a", "text": "b" },
            ])
        );
    }
}
