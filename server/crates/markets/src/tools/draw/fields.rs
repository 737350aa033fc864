//! The fields of what draws, as JSON schemas.

use serde_json::{Value, json};

use super::super::definitions::closed;
use crate::{Timeframe, maths::fibonacci};

pub(super) fn described(mut schema: Value, description: &str) -> Value {
    if let Some(fields) = schema.as_object_mut() {
        fields.insert("description".to_owned(), description.into());
    }
    schema
}

pub(super) fn price(description: &str) -> Value {
    json!({
        "type": "number", "exclusiveMinimum": 0, "maximum": 1_000_000,
        "description": format!("{description} A price on the tick: 5 decimals, of USDJPY 3."),
    })
}

pub(super) fn amount(description: &str) -> Value {
    json!({
        "type": "number", "exclusiveMinimum": 0, "maximum": 1e12, "description": description,
    })
}

pub(super) fn time(description: &str) -> Value {
    json!({
        "type": "string", "maxLength": 30,
        "description": format!(
            "{description} In UTC, such as 2017-03-10T13:00:00Z, while the market is open."
        ),
    })
}

pub(super) fn anchor(description: &str) -> Value {
    let place = json!({ "time": time("When."), "price": price("Where.") });
    described(closed(place, &["time", "price"]), description)
}

/// An anchor of which a part may be left as it is.
pub(super) fn part(description: &str) -> Value {
    let place = json!({ "time": time("When."), "price": price("Where.") });
    described(closed(place, &[]), description)
}

pub(super) fn flag(description: &str) -> Value {
    json!({ "type": "boolean", "description": description })
}

pub(super) fn text(least: usize, most: usize, description: &str) -> Value {
    json!({
        "type": "string", "minLength": least, "maxLength": most, "description": description,
    })
}

pub(super) fn reason() -> Value {
    text(
        3,
        500,
        "Why, in a sentence that names what was seen and, of an idea, the price that proves it wrong.",
    )
}

pub(super) fn id() -> Value {
    text(
        1,
        80,
        "The drawing, as the context or the result that drew it names it.",
    )
}

pub(super) fn version() -> Value {
    json!({
        "type": "integer", "minimum": 1,
        "description": "The version that you have seen.",
    })
}

pub(super) fn frame(description: &str) -> Value {
    let frames: Vec<_> = Timeframe::ALL.iter().map(|frame| frame.name()).collect();
    json!({ "type": "string", "enum": frames, "description": description })
}

pub(super) fn extent(usual: &str) -> Value {
    json!({
        "type": "string", "enum": ["segment", "ray", "extended", "arrow"],
        "description": format!(
            "segment ends at the points, ray goes on beyond the second, extended goes on both ways, \
             arrow has a head at the second; {usual}"
        ),
    })
}

pub(super) fn levels() -> Value {
    json!({
        "type": "array", "minItems": 1, "maxItems": 20,
        "items": { "type": "number", "minimum": -10, "maximum": 10 },
        "description": format!(
            "Parts of the swing, 0.618 being 61.8 %; {:?} if left out. Beyond it {:?} are usual.",
            fibonacci::LEVELS,
            fibonacci::EXTENSIONS
        ),
    })
}

pub(super) fn risk() -> Value {
    let mut schema = closed(
        json!({
            "percent": {
                "type": "number", "exclusiveMinimum": 0, "maximum": 100,
                "description": "Of the account, such as 1.",
            },
            "money": amount("In the quote currency."),
        }),
        &[],
    );
    if let Some(fields) = schema.as_object_mut() {
        fields.insert("minProperties".to_owned(), 1.into());
        fields.insert("maxProperties".to_owned(), 1.into());
    }
    described(schema, "What is lost at the stop: either percent or money.")
}
