//! Values that may be unknown, with the reason.

use serde::{Deserialize, Serialize};

use crate::{FromJson, JsonReader};

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
    fn read_json(json: &mut JsonReader) -> Self {
        if json.has("unknown") {
            Self::Unknown {
                unknown: json.take("unknown"),
            }
        } else {
            Self::Value(T::read_json(json))
        }
    }
}
