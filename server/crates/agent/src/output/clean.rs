//! Text from outside, with everything invisible in it made visible.

use std::fmt::Write;

use serde_json::{Map, Value};

/// Shows control, bidi and invisible characters as `\u{…}`. Line ends and tabs stay.
pub fn clean_text(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    for c in text.chars() {
        if is_hidden(c) {
            // Writing to a string cannot fail.
            if write!(clean, "\\u{{{:x}}}", c as u32).is_err() {
                clean.push('\u{fffd}');
            }
        } else {
            clean.push(c);
        }
    }
    clean
}

/// The same for every string in a value, keys included.
pub(crate) fn clean_value(value: Value) -> Value {
    match value {
        Value::String(text) if text.chars().any(is_hidden) => Value::String(clean_text(&text)),
        Value::Array(items) => items.into_iter().map(clean_value).collect(),
        Value::Object(fields) => {
            let mut clean = Map::with_capacity(fields.len());
            for (key, value) in fields {
                clean.insert(clean_text(&key), clean_value(value));
            }
            Value::Object(clean)
        }
        other => other,
    }
}

/// True if a reader would not see a character, or would see others in another order because of it.
pub(crate) fn is_hidden(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        c if c.is_control() => true,
        // The emoji and text styles of a sign, one bit each, stay: they are everywhere.
        '\u{fe0e}' | '\u{fe0f}' => false,
        '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{3164}'
        | '\u{fe00}'..='\u{fe0d}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}' => true,
        _ => false,
    }
}
