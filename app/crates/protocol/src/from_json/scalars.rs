//! Reading JSON's own types: strings, booleans, numbers.

use serde_json::Value;

use super::FromJson;

impl FromJson for Value {
    fn from_json(json: Value) -> Option<Self> {
        Some(json)
    }
}

impl FromJson for String {
    fn from_json(json: Value) -> Option<Self> {
        match json {
            Value::String(text) => Some(text),
            _ => None,
        }
    }
}

impl FromJson for bool {
    fn from_json(json: Value) -> Option<Self> {
        json.as_bool()
    }
}

impl FromJson for u64 {
    fn from_json(json: Value) -> Option<Self> {
        json.as_u64()
    }
}

impl FromJson for u32 {
    fn from_json(json: Value) -> Option<Self> {
        json.as_u64()?.try_into().ok()
    }
}

impl FromJson for f64 {
    fn from_json(json: Value) -> Option<Self> {
        json.as_f64()
    }
}

impl FromJson for () {
    fn from_json(json: Value) -> Option<Self> {
        json.as_null()
    }
}
