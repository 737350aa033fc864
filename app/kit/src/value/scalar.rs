//! A scalar as text, with the unit in its field's name.

use serde_json::Value;

use crate::{format, texts};

/// Formats a value; a list of scalars goes on one line.
pub(super) fn scalar(name: &str, value: &Value) -> String {
    match value {
        Value::Null => texts::UNKNOWN.to_owned(),
        Value::Bool(true) => texts::YES.to_owned(),
        Value::Bool(false) => texts::NO.to_owned(),
        Value::Number(number) => match (number.as_u64(), unit(name)) {
            (Some(bytes), Some(ScalarUnit::Bytes)) => format::size(bytes),
            (Some(seconds), Some(ScalarUnit::Seconds)) => format::span(seconds),
            (_, Some(ScalarUnit::Rate)) => {
                let bytes = number.as_f64().unwrap_or_default();
                format!("{}/s", format::size(bytes.round() as u64))
            }
            (_, Some(ScalarUnit::Percent)) => units::percent(number.as_f64().unwrap_or_default()),
            (_, Some(ScalarUnit::Celsius)) => format!("{number} °C"),
            _ => number.to_string(),
        },
        Value::String(text) => format::upright(text.clone()),
        Value::Array(list) => {
            let parts: Vec<_> = list.iter().map(|value| scalar(name, value)).collect();
            parts.join(", ")
        }
        Value::Object(_) => value.to_string(),
    }
}

enum ScalarUnit {
    Bytes,
    Rate,
    Seconds,
    Percent,
    Celsius,
}

fn unit(name: &str) -> Option<ScalarUnit> {
    if name.ends_with("bytes_per_second") {
        return Some(ScalarUnit::Rate);
    }
    match name.rsplit('_').next()? {
        "bytes" => Some(ScalarUnit::Bytes),
        "seconds" => Some(ScalarUnit::Seconds),
        "percent" => Some(ScalarUnit::Percent),
        "celsius" => Some(ScalarUnit::Celsius),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_of_fields_say_units() {
        for (name, value, text) in [
            ("memory_used_bytes", json!(11_263_731_256_u64), "10.5 GiB"),
            ("cpu_percent", json!(4.9), "4.9 %"),
            ("received_bytes_per_second", json!(2048.5), "2.0 KiB/s"),
            ("uptime_seconds", json!(1_735_200), "20 d 2 h"),
            ("vmid", json!(1024), "1024"),
            ("tags", json!(["a", "b"]), "a, b"),
            ("online", json!(true), "yes"),
            ("name", Value::Null, "unknown"),
        ] {
            assert_eq!(scalar(name, &value), text, "{name}");
        }
    }
}
