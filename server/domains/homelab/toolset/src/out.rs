//! Format of results: unknown beside known, percentages, and a limit on their size.

use serde::Serialize;
use serde_json::{Number, Value};

use crate::texts;

/// A value, or the reason that it is unknown: `{"unknown": "node agent is offline"}`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub(crate) enum KnownValue<T> {
    Value(T),
    Unknown { unknown: String },
}

impl<T> KnownValue<T> {
    pub(crate) fn unknown(reason: impl Into<String>) -> Self {
        Self::Unknown {
            unknown: reason.into(),
        }
    }

    /// Wraps a value that the API should have reported.
    pub(crate) fn reported(value: Option<T>) -> Self {
        Self::or(value, texts::NOT_REPORTED)
    }

    pub(crate) fn or(value: Option<T>, reason: &str) -> Self {
        match value {
            Some(value) => Self::Value(value),
            None => Self::unknown(reason),
        }
    }

    pub(crate) fn value(&self) -> Option<&T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Unknown { .. } => None,
        }
    }
}

impl<T> From<Result<T, String>> for KnownValue<T> {
    fn from(result: Result<T, String>) -> Self {
        match result {
            Ok(value) => Self::Value(value),
            Err(reason) => Self::unknown(reason),
        }
    }
}

/// Converts a fraction from 0 to 1 to percent with one decimal.
pub(crate) fn percent(fraction: f64) -> f64 {
    (fraction * 1000.0).round() / 10.0
}

/// The part of a whole as percent with one decimal. `None` without a whole.
pub(crate) fn share(part: Option<i64>, whole: Option<i64>) -> Option<f64> {
    match (part, whole) {
        (Some(part), Some(whole)) if whole > 0 => Some(percent(part as f64 / whole as f64)),
        _ => None,
    }
}

/// Rounds to two decimals.
pub(crate) fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

/// Converts a number to JSON, without decimals if it is whole. `None` if it is not finite.
pub(crate) fn plain(number: f64) -> Option<Number> {
    if number.fract() == 0.0 {
        // The cast saturates at the bounds of i64.
        Some(Number::from(number as i64))
    } else {
        Number::from_f64(number)
    }
}

/// Note that a list was cut, and how to get the rest.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct CutList {
    pub shown: usize,
    pub of: usize,
    pub hint: &'static str,
}

/// Room for the rows of a result, in bytes of JSON; the whole result stays within 8 kB.
pub(crate) const ROWS_BYTES: usize = 7_000;

/// Returns the first rows that fit into `room` bytes.
pub(crate) fn fit<T: Serialize>(
    rows: Vec<T>,
    room: usize,
    hint: &'static str,
) -> (Vec<Value>, Option<CutList>) {
    let of = rows.len();
    let mut used = 0;
    let mut shown = Vec::new();
    for row in rows {
        // Serialisation fails only for maps with non-string keys, and no row has one.
        let value = serde_json::to_value(row).unwrap_or(Value::Null);
        used += value.to_string().len() + 1;
        if used > room {
            break;
        }
        shown.push(value);
    }
    let cut = (shown.len() < of).then_some(CutList {
        shown: shown.len(),
        of,
        hint,
    });
    (shown, cut)
}

/// Formats a count: `1 node`, `2 nodes`.
pub(crate) fn count(number: usize, one: &str, many: &str) -> String {
    let noun = if number == 1 { one } else { many };
    format!("{number} {noun}")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn unknown_has_one_shape() {
        let value = serde_json::to_value([
            KnownValue::Value(1.5),
            KnownValue::unknown("missing privilege Sys.Audit on /"),
            KnownValue::reported(None),
        ])
        .expect("serializes");
        assert_eq!(
            value,
            json!([
                1.5,
                {"unknown": "missing privilege Sys.Audit on /"},
                {"unknown": "not reported"},
            ])
        );
    }

    #[test]
    fn percents() {
        assert_eq!(percent(0.123_46), 12.3);
        assert_eq!(share(Some(1), Some(3)), Some(33.3));
        assert_eq!(share(Some(1), Some(0)), None);
        assert_eq!(share(None, Some(3)), None);
    }

    #[test]
    fn rows_are_cut_whole() {
        let (rows, cut) = fit(vec!["aaaa"; 10], 21, "ask for less");
        assert_eq!(rows, [json!("aaaa"), json!("aaaa"), json!("aaaa")]);
        let expect = CutList {
            shown: 3,
            of: 10,
            hint: "ask for less",
        };
        assert_eq!(cut, Some(expect));
        assert_eq!(fit(vec!["a"], 21, "").1, None);
    }
}
