//! Changes of a drawing in the words of a page: fields by their names, states as pages call them, prices with all
//! digits. Records and the export keep the values.

use markets_wire::{Cause, FieldChange, State};
use serde_json::Value;

use crate::{Points, Symbol, Time, texts::drawings as words};

/// The field of a position's state in a record.
const STATE: &str = "life.state";
/// Why a position was closed.
const CAUSE: &str = "life.cause";
/// Moments that come with a state and tell nothing of their own.
const SILENT: [&str; 2] = ["life.since", "life.planned"];
/// Last parts of the fields of a shape that are prices.
const PRICES: [&str; 4] = ["price", "entry", "stop", "target"];

/// Returns whether a field is the state of a position, in a record or in words.
pub(crate) fn is_state(field: &str) -> bool {
    field == STATE || field == words::STATE
}

/// Returns whether a field of a record is a price of its shape.
pub(super) fn is_price(field: &str) -> bool {
    let last = field.rsplit('.').next().unwrap_or(field);
    field.starts_with("shape.") && PRICES.contains(&last)
}

/// The same changes in words. Moments stay as they are: a page tells them in its zone. Without the symbol, which
/// may not be declared any more, numbers stay as well.
pub(crate) fn in_words(changes: &[FieldChange], symbol: Option<Symbol>) -> Vec<FieldChange> {
    let mut told = Vec::new();
    for FieldChange { field, from, to } in changes {
        if SILENT.contains(&field.as_str()) {
            continue;
        }
        let name = words::field(field);
        if [from, to].into_iter().any(is_mark) {
            let time = |value: &Value| value.get("time").cloned().unwrap_or_default();
            let price = |value: &Value| mark_price(value, symbol).unwrap_or_default();
            told.push(FieldChange {
                field: words::moment_of(&name),
                from: time(from),
                to: time(to),
            });
            told.push(FieldChange {
                field: name,
                from: price(from),
                to: price(to),
            });
        } else {
            told.push(FieldChange {
                from: value_in_words(field, from, symbol),
                to: value_in_words(field, to, symbol),
                field: name,
            });
        }
    }
    told
}

/// A value of the export: a price in points would be in no unit that a reader knows.
pub(crate) fn exact(value: &Value, symbol: Option<Symbol>) -> Value {
    let mut value = value.clone();
    if is_mark(&value)
        && let Some((points, symbol)) = points(&value).zip(symbol)
    {
        value["price"] = symbol.number(points).into();
    }
    value
}

/// Returns whether a value is a price with its time.
fn is_mark(value: &Value) -> bool {
    value.get("time").is_some() && points(value).is_some()
}

fn points(value: &Value) -> Option<Points> {
    value.get("price")?.as_i64().map(Points)
}

fn mark_price(value: &Value, symbol: Option<Symbol>) -> Option<Value> {
    let points = points(value)?;
    Some(symbol.map_or_else(|| points.0.into(), |symbol| symbol.show(points).into()))
}

fn value_in_words(field: &str, value: &Value, symbol: Option<Symbol>) -> Value {
    match value {
        Value::String(text) if text.is_empty() => Value::Null,
        Value::String(text) => text_in_words(field, text).into(),
        Value::Bool(is) => words::yes_or_no(*is).into(),
        Value::Number(number) if is_price(field) => match (symbol, number.as_f64()) {
            (Some(symbol), Some(price)) => symbol.show(symbol.round(price)).into(),
            _ => value.clone(),
        },
        Value::Array(items) if items.is_empty() => Value::Null,
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(plain).collect();
            items.join(", ").into()
        }
        Value::Object(fields) => {
            let fields: Vec<String> = fields
                .iter()
                .map(|(name, value)| format!("{} {}", words::field(name), plain(value)))
                .collect();
            fields.join(", ").into()
        }
        Value::Null | Value::Number(_) => value.clone(),
    }
}

fn text_in_words(field: &str, text: &str) -> String {
    let word = match field {
        STATE => State::named(text).map(words::state),
        CAUSE => Cause::named(text).map(words::cause),
        _ => None,
    };
    match word {
        Some(word) => word.to_owned(),
        None if Time::parse(text).is_ok() => text.to_owned(),
        None => words::quoted(text),
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_change_is_told_without_names_of_fields_and_points() {
        let mark = json!({ "time": "2017-12-31T23:13:15Z", "price": 119_998 });
        let changes = [
            ("life.opened", Value::Null, mark.clone()),
            ("life.state", json!("pending"), json!("open")),
            ("life.since", json!("a"), json!("b")),
            ("life.cause", Value::Null, json!("tp")),
            ("shape.stop", json!(1.194), json!(1.19005)),
            ("shape.to.time", json!("2017-03-10T13:00:00Z"), Value::Null),
            ("visible_on", json!([]), json!(["H1", "D1"])),
            ("label", json!(""), json!("tp")),
            ("locked", json!(false), json!(true)),
        ];
        let changes = changes.map(|(field, from, to)| FieldChange {
            field: field.to_owned(),
            from,
            to,
        });
        let told = in_words(&changes, Some(Symbol::EurUsd));
        let told: Vec<String> = told
            .iter()
            .map(|it| format!("{}: {} → {}", it.field, plain(&it.from), plain(&it.to)))
            .collect();
        assert_eq!(
            told,
            [
                "opened at: null → 2017-12-31T23:13:15Z",
                "opened: null → 1.19998",
                "state: waiting → open",
                "cause: null → target",
                "stop: 1.19400 → 1.19005",
                "to time: 2017-03-10T13:00:00Z → null",
                "visible on: null → H1, D1",
                "label: null → “tp”",
                "locked: no → yes",
            ]
        );
        let exact = exact(&mark, Some(Symbol::EurUsd));
        assert_eq!(exact["price"], 1.19998);
    }
}
