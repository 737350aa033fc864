//! Lenient deserialisation of Proxmox VE's JSON: numbers as strings, 0/1 for booleans, absent keys.
//!
//! These never fail: a value of an unexpected type counts as absent, and an absent value is
//! unknown, not zero.

use serde::{Deserialize, Deserializer, de::DeserializeOwned};
use serde_json::Value;

/// Reads a number, or a string with one.
pub(crate) fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    Ok(as_number(&Value::deserialize(deserializer)?))
}

/// Reads an integer, or a string with one. Fractions are rounded.
pub(crate) fn integer<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    Ok(as_integer(&Value::deserialize(deserializer)?))
}

/// Reads a boolean, or 0 and 1, also as strings.
pub(crate) fn flag<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<bool>, D::Error> {
    Ok(as_flag(&Value::deserialize(deserializer)?))
}

/// Reads a string; numbers are converted. An empty string counts as absent.
pub(crate) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(as_text(Value::deserialize(deserializer)?))
}

/// Reads any structure that itself reads leniently; absent if it cannot be read.
pub(crate) fn nested<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    Ok(serde_json::from_value(Value::deserialize(deserializer)?).ok())
}

/// Reads the numbers of a list, each leniently.
pub(crate) fn numbers<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<f64>, D::Error> {
    Ok(match Value::deserialize(deserializer)? {
        Value::Array(values) => values.iter().filter_map(as_number).collect(),
        _ => Vec::new(),
    })
}

/// Reads the rows of a list. Rows without their identifying fields are left out.
pub(crate) fn rows<T: DeserializeOwned>(value: &Value) -> Vec<T> {
    value
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|row| T::deserialize(row).ok())
        .collect()
}

pub(crate) fn as_number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
    .filter(|number: &f64| number.is_finite())
}

fn as_integer(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) if number.is_i64() => number.as_i64(),
        Value::String(text) if text.trim().parse::<i64>().is_ok() => text.trim().parse().ok(),
        // The cast saturates at the bounds of i64.
        other => as_number(other).map(|number| number.round() as i64),
    }
}

fn as_flag(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(flag) => Some(*flag),
        Value::Number(number) => number.as_f64().map(|number| number != 0.0),
        Value::String(text) => match text.trim() {
            "1" | "true" | "yes" | "on" => Some(true),
            "0" | "false" | "no" | "off" | "" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

fn as_text(value: Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
    .filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_and_flags() {
        for (value, number, integer, flag) in [
            (json!(0.25), Some(0.25), Some(0), Some(true)),
            (json!("0.25"), Some(0.25), Some(0), None),
            (json!(1), Some(1.0), Some(1), Some(true)),
            (json!("1"), Some(1.0), Some(1), Some(true)),
            (json!(0), Some(0.0), Some(0), Some(false)),
            (json!("0"), Some(0.0), Some(0), Some(false)),
            (json!(" 42 "), Some(42.0), Some(42), None),
            (json!(true), None, None, Some(true)),
            (json!(""), None, None, Some(false)),
            (json!("NaN"), None, None, None),
            (json!("inf"), None, None, None),
            (json!(null), None, None, None),
            (json!([1]), None, None, None),
            (json!({"a": 1}), None, None, None),
            (
                json!(9_007_199_254_740_993_i64),
                Some(9_007_199_254_740_992.0),
                Some(9_007_199_254_740_993),
                Some(true),
            ),
            (
                json!("9007199254740993"),
                Some(9_007_199_254_740_992.0),
                Some(9_007_199_254_740_993),
                None,
            ),
            (json!("1.6e3"), Some(1600.0), Some(1600), None),
        ] {
            assert_eq!(as_number(&value), number, "number of {value}");
            assert_eq!(as_integer(&value), integer, "integer of {value}");
            assert_eq!(as_flag(&value), flag, "flag of {value}");
        }
    }

    #[test]
    fn texts() {
        for (value, expect) in [
            (json!("a"), Some("a")),
            (json!(""), None),
            (json!(7), Some("7")),
            (json!(null), None),
            (json!([]), None),
        ] {
            assert_eq!(as_text(value).as_deref(), expect);
        }
    }

    #[test]
    fn a_broken_row_does_not_break_the_list() {
        #[derive(Debug, PartialEq, Deserialize)]
        struct Row {
            id: String,
            #[serde(default, deserialize_with = "integer")]
            size: Option<i64>,
        }
        let value = json!([
            {"id": "a", "size": "5"},
            {"size": 5},
            "no row",
            {"id": "b", "size": {"strange": true}},
            {"id": "c"},
        ]);
        let row = |id: &str, size| Row {
            id: id.to_owned(),
            size,
        };
        assert_eq!(
            rows::<Row>(&value),
            [row("a", Some(5)), row("b", None), row("c", None)]
        );
        assert_eq!(rows::<Row>(&json!({"not": "a list"})), []);
    }
}
