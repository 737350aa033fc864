//! JSON that keeps its bytes: objects as lists of raw fields, and strings borrowed where possible.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// A string that borrows from the input unless it has escapes. It is a separate type because serde
/// does not borrow inside an `Option<Cow<str>>`.
#[derive(Debug, serde::Deserialize)]
pub(crate) struct RawText<'a>(#[serde(borrow)] pub(crate) Cow<'a, str>);

/// The fields of an object in their order, with values as they were written.
#[derive(Debug, Default)]
pub(crate) struct RawObject<'a>(pub(crate) Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'a> RawObject<'a> {
    pub(crate) fn parse(json: &'a str) -> Option<Self> {
        serde_json::from_str(json).ok()
    }

    /// The last value of a name, which most readers take when a name is repeated.
    pub(crate) fn get(&self, name: &str) -> Option<&'a RawValue> {
        self.0
            .iter()
            .rev()
            .find(|(field, _)| field == name)
            .map(|(_, value)| *value)
    }

    /// A field that is a string.
    pub(crate) fn text(&self, name: &str) -> Option<Cow<'a, str>> {
        serde_json::from_str::<RawText<'a>>(self.get(name)?.get())
            .ok()
            .map(|text| text.0)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for RawObject<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct RawFields;
        impl<'de> Visitor<'de> for RawFields {
            type Value = RawObject<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut fields = Vec::new();
                while let Some((name, value)) = map.next_entry::<RawText<'de>, &'de RawValue>()? {
                    fields.push((name.0, value));
                }
                Ok(RawObject(fields))
            }
        }
        deserializer.deserialize_map(RawFields)
    }
}

/// JSON text as a raw value, or nothing if it is not JSON.
pub(crate) fn raw(json: String) -> Option<Box<RawValue>> {
    RawValue::from_string(json).ok()
}

/// A string as JSON.
pub(crate) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Accepts any value and keeps only a string: an error while reading an error helps nobody.
pub(crate) fn string_or_nothing<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<String>, D::Error> {
    let value = serde_json::Value::deserialize(deserializer)?;
    Ok(match value {
        serde_json::Value::String(text) => Some(text),
        _ => None,
    })
}
