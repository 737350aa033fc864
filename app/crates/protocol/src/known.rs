//! Values that may be unknown, with the reason.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{FromJson, read_field};

/// A value, or the reason why it is unknown: `{"unknown": "not reported"}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Known<T> {
    Value(T),
    Unknown { unknown: String },
}

impl<T> Known<T> {
    pub fn unknown(reason: impl Into<String>) -> Self {
        Self::Unknown {
            unknown: reason.into(),
        }
    }

    /// Wraps a value; if there is none, `reason`.
    pub fn or(value: Option<T>, reason: &str) -> Self {
        value.map_or_else(|| Self::unknown(reason), Self::Value)
    }

    pub fn value(&self) -> Option<&T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Unknown { .. } => None,
        }
    }

    /// Returns the reason why there is no value.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Value(_) => None,
            Self::Unknown { unknown } => Some(unknown),
        }
    }
}

impl<T: FromJson> FromJson for Known<T> {
    fn from_json(json: Value) -> Option<Self> {
        match json {
            Value::Object(mut map) if map.contains_key("unknown") => {
                let unknown = read_field(&mut map, "unknown")?;
                Some(Self::Unknown { unknown })
            }
            json => T::from_json(json).map(Self::Value),
        }
    }
}
