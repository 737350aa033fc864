//! Large results, cut so that the rest is still whole JSON.

use serde_json::{Map, Value};

use crate::texts;

/// Something was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OutputCut {
    /// The size before, in bytes of JSON.
    pub(super) bytes: usize,
}

/// Cuts a value down to about `max` bytes of JSON: lists and texts lose their end, objects their
/// last fields; each place says what is missing.
pub(super) fn cap(value: Value, max: usize) -> (Value, Option<OutputCut>) {
    let bytes = size(&value);
    if bytes <= max {
        return (value, None);
    }
    let mut room = max;
    (take(value, &mut room), Some(OutputCut { bytes }))
}

/// Bytes of JSON, near enough.
fn size(value: &Value) -> usize {
    value.to_string().len()
}

fn take(value: Value, room: &mut usize) -> Value {
    // `room` is shared by the whole value and spent in order, so the first parts stay whole. Text
    // that says what is missing comes on top of it.
    match value {
        Value::String(text) => Value::String(take_text(text, room)),
        Value::Array(items) => {
            let count = items.len();
            *room = room.saturating_sub(2);
            let mut kept = Vec::new();
            for item in items {
                if *room == 0 {
                    kept.push(texts::rows_left_out(count - kept.len()).into());
                    break;
                }
                *room = room.saturating_sub(1);
                kept.push(take(item, room));
            }
            Value::Array(kept)
        }
        Value::Object(fields) => {
            let count = fields.len();
            *room = room.saturating_sub(2);
            let mut kept = Map::new();
            for (key, value) in fields {
                if *room == 0 {
                    let left = count - kept.len();
                    kept.insert("…".to_owned(), texts::left_out(left).into());
                    break;
                }
                *room = room.saturating_sub(key.len() + 4);
                kept.insert(key, take(value, room));
            }
            Value::Object(kept)
        }
        other => {
            *room = room.saturating_sub(size(&other));
            other
        }
    }
}

fn take_text(mut text: String, room: &mut usize) -> String {
    let bytes = text.len();
    // Escapes make JSON longer than the text, so they count as well.
    let escaped = Value::from(text.as_str()).to_string().len();
    if escaped <= *room {
        *room -= escaped;
        return text;
    }
    let share = bytes * *room / escaped.max(1);
    text.truncate(text.floor_char_boundary(share));
    text.push_str(&texts::bytes_left_out(bytes - text.len()));
    *room = 0;
    text
}
