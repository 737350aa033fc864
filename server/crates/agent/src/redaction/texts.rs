//! The texts within content blocks, each as a reader sees it: what is JSON in a text is covered as
//! the data that it is. The fields that the engine itself adds around data keep their names.

use protocol::EventBody;
use serde_json::{Map, Value};

use crate::tagged;

/// The blocks of a record whose text is words, without data of ours in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PlainBlocks {
    /// The first: a person's.
    First,
    /// All: the model's.
    All,
    None,
}

impl PlainBlocks {
    pub(super) fn of(body: &EventBody) -> Self {
        match body {
            EventBody::TurnStarted { .. } | EventBody::MessageRead { .. } => Self::First,
            EventBody::AssistantMessage { .. } => Self::All,
            _ => Self::None,
        }
    }
}

/// Visits a text and returns true if it has changed it.
pub(super) type TextVisitor<'a> = dyn FnMut(&mut String) -> bool + 'a;

pub(super) fn collected(text: &str, found: &mut Vec<String>) -> bool {
    found.push(text.to_owned());
    false
}

pub(super) fn replaced(text: &mut String, covered: &mut impl Iterator<Item = String>) -> bool {
    match covered.next() {
        Some(covered) if covered != *text => {
            *text = covered;
            true
        }
        _ => false,
    }
}

/// Visits every text in a value, names of fields included.
pub(super) fn each(value: &mut Value, visit: &mut TextVisitor<'_>) -> bool {
    match value {
        Value::String(text) => visit(text),
        Value::Array(items) => {
            let mut changed = false;
            for item in items {
                changed |= each(item, visit);
            }
            changed
        }
        Value::Object(fields) => {
            let mut changed = false;
            for (mut name, mut item) in std::mem::take(fields) {
                changed |= visit(&mut name);
                changed |= each(&mut item, visit);
                fields.insert(free(fields, name), item);
            }
            changed
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// A name that no field has: two values may have the same token.
fn free(fields: &Map<String, Value>, name: String) -> String {
    let mut other = name.clone();
    let mut count = 2;
    while fields.contains_key(&other) {
        other = format!("{name} ({count})");
        count += 1;
    }
    other
}

/// The same, without the names of the outermost fields.
fn each_within(value: &mut Value, visit: &mut TextVisitor<'_>) -> bool {
    let Value::Object(fields) = value else {
        return each(value, visit);
    };
    let mut changed = false;
    for item in fields.values_mut() {
        changed |= each(item, visit);
    }
    changed
}

/// Visits every text in one block or in an array of blocks.
pub(super) fn each_of_blocks(
    part: &mut Value,
    words: PlainBlocks,
    visit: &mut TextVisitor<'_>,
) -> bool {
    let Value::Array(blocks) = part else {
        return each_of_block(part, words == PlainBlocks::All, visit);
    };
    let mut changed = false;
    for (place, block) in blocks.iter_mut().enumerate() {
        let is_words = match words {
            PlainBlocks::First => place == 0,
            PlainBlocks::All => true,
            PlainBlocks::None => false,
        };
        changed |= each_of_block(block, is_words, visit);
    }
    changed
}

fn each_of_block(block: &mut Value, is_words: bool, visit: &mut TextVisitor<'_>) -> bool {
    let Value::Object(fields) = block else {
        return false;
    };
    let kind = fields.get("type").and_then(Value::as_str);
    match kind.unwrap_or_default() {
        "text" => match fields.get_mut("text") {
            Some(Value::String(text)) if is_words => visit(text),
            Some(Value::String(text)) => each_of_lines(text, visit),
            _ => false,
        },
        "tool_use" => match fields.get_mut("input") {
            Some(input) => each(input, visit),
            None => false,
        },
        "tool_result" => match fields.get_mut("content") {
            Some(Value::String(data)) => each_of_json(data, visit),
            Some(Value::Array(parts)) => {
                let mut changed = false;
                for part in parts {
                    if let Some(Value::String(data)) = part.get_mut("text") {
                        changed |= each_of_json(data, visit);
                    }
                }
                changed
            }
            _ => false,
        },
        _ => false,
    }
}

/// A text that is JSON, or else any text.
fn each_of_json(text: &mut String, visit: &mut TextVisitor<'_>) -> bool {
    let Ok(mut data) = serde_json::from_str::<Value>(text) else {
        return visit(text);
    };
    let changed = each_within(&mut data, visit);
    if changed {
        *text = data.to_string();
    }
    changed
}

/// A text some of whose lines are data; the lines between them are read together.
fn each_of_lines(text: &mut String, visit: &mut TextVisitor<'_>) -> bool {
    let mut out = String::with_capacity(text.len());
    let mut plain = String::new();
    let mut changed = false;
    for line in text.split_inclusive('\n') {
        let data = tagged::data_of(line).and_then(|(before, data, after)| {
            let value = serde_json::from_str::<Value>(data).ok()?;
            Some((before, data, after, value))
        });
        let Some((before, data, after, mut value)) = data else {
            plain.push_str(line);
            continue;
        };
        changed |= settle(&mut plain, &mut out, visit);
        out.push_str(before);
        if each_within(&mut value, visit) {
            changed = true;
            out.push_str(&tagged::closed(&value));
        } else {
            out.push_str(data);
        }
        out.push_str(after);
    }
    changed |= settle(&mut plain, &mut out, visit);
    if changed {
        *text = out;
    }
    changed
}

fn settle(plain: &mut String, out: &mut String, visit: &mut TextVisitor<'_>) -> bool {
    let changed = !plain.is_empty() && visit(plain);
    out.push_str(plain);
    plain.clear();
    changed
}

/// Changes one text in the JSON of a result.
pub(super) fn in_content(block: &mut Value, field: &str, change: impl FnOnce(&str) -> String) {
    let content = block.get("content").and_then(Value::as_str);
    let data = content.and_then(|content| serde_json::from_str::<Value>(content).ok());
    if let Some(mut data) = data
        && let Some(Value::String(text)) = data.get_mut(field)
        && let Some(content) = block.get_mut("content")
    {
        *text = change(text);
        *content = data.to_string().into();
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const HIDDEN: &str = "Anna's \"den\"";

    fn visited(mut part: Value, words: PlainBlocks) -> (Vec<String>, Value) {
        let mut found = Vec::new();
        each_of_blocks(&mut part, words, &mut |text| {
            found.push(text.clone());
            let covered = text.replace(HIDDEN, "name-1");
            let changed = covered != *text;
            *text = covered;
            changed
        });
        (found, part)
    }

    #[test]
    fn data_is_read_as_data_however_deep_it_is_encoded() {
        let data = json!({ "name": HIDDEN, "text": format!("<{HIDDEN}>") });
        let text = format!(
            "[A note on {HIDDEN}.]\n{}[end]\n",
            tagged::tagged("file", data)
        );
        let block = json!([{ "type": "text", "text": text }]);
        let (found, after) = visited(block, PlainBlocks::None);
        assert_eq!(
            found,
            [
                &*format!("[A note on {HIDDEN}.]\n"),
                HIDDEN,
                &*format!("<{HIDDEN}>"),
                "[end]\n"
            ]
        );
        assert_eq!(
            after[0]["text"],
            "[A note on name-1.]\n<context source=\"file\">{\"name\":\"name-1\",\"text\":\
             \"\\u003cname-1\\u003e\"}</context>\n[end]\n"
        );
        let content = json!({ "source": "s/t", "data": { HIDDEN: 1, "name-1": 2 } }).to_string();
        let result = json!({ "type": "tool_result", "tool_use_id": "a", "content": content });
        let (_, after) = visited(result, PlainBlocks::None);
        assert_eq!(
            after["content"],
            r#"{"source":"s/t","data":{"name-1":1,"name-1 (2)":2}}"#
        );
    }

    #[test]
    fn a_persons_words_are_one_text_and_signed_thinking_is_left_alone() {
        let typed = tagged::tagged("file", json!({ "a": "b" }));
        let message = json!([{ "type": "text", "text": typed }]);
        assert_eq!(visited(message, PlainBlocks::First).0, [typed]);
        let thinking = json!({ "type": "thinking", "thinking": HIDDEN, "signature": "s" });
        let call = json!({ "type": "tool_use", "id": "a", "input": { "n": HIDDEN } });
        let (_, after) = visited(json!([thinking, call]), PlainBlocks::All);
        assert_eq!(after[0], thinking);
        assert_eq!(after[1]["input"], json!({ "n": "name-1" }));
    }
}
