//! Lenient deserialisation of Proxmox VE's JSON: numbers as strings, 0/1 for booleans, absent keys.
//!
//! An optional field never makes a row unreadable: a value of an unexpected type counts as absent,
//! and an absent value is unknown, not zero. So the rows are plain structs. Optional fields are
//! `f64`, `i64`, `bool`, `String` or another row, and lists are of numbers; other types are read
//! strictly or not at all.

use std::cell::RefCell;

use serde::{
    Deserializer,
    de::{
        DeserializeOwned, DeserializeSeed, Error as _, MapAccess, Visitor,
        value::{SeqDeserializer, StrDeserializer},
    },
    forward_to_deserialize_any,
};
use serde_json::{Error, Value, map};

/// Reads a row.
///
/// # Errors
/// A required field is missing or has another type; the message calls it missing in both cases.
pub(crate) fn row<T: DeserializeOwned>(value: &Value) -> Result<T, Error> {
    let absent = AbsentValues::default();
    loop {
        let known = absent.borrow().len();
        let read = T::deserialize(Lenient {
            value,
            absent: &absent,
        });
        // Once serde has started to read a value, it can't be treated as absent any more. So the row
        // is read again without that value.
        if read.is_ok() || absent.borrow().len() == known {
            return read;
        }
    }
}

/// Reads the rows of a list. Rows without their identifying fields are left out.
pub(crate) fn rows<T: DeserializeOwned>(value: &Value) -> Vec<T> {
    let rows = value.as_array().into_iter().flatten();
    rows.filter_map(|value| row(value).ok()).collect()
}

/// Values that count as absent, by their addresses.
type AbsentValues<'a> = RefCell<Vec<&'a Value>>;

/// A row or a required value. A required value is read strictly, the optional fields of a row
/// leniently.
#[derive(Clone, Copy)]
struct Lenient<'a> {
    value: &'a Value,
    absent: &'a AbsentValues<'a>,
}

impl<'de> Deserializer<'de> for Lenient<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.value.deserialize_any(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(OptionalValue(self)),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let Value::Object(fields) = self.value else {
            return Err(Error::custom("not an object"));
        };
        visitor.visit_map(PresentFields {
            fields: fields.iter(),
            value: None,
            absent: self.absent,
        })
    }

    /// Reads a list of numbers, each leniently; other items are skipped.
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let values = self.value.as_array().into_iter().flatten();
        visitor.visit_seq(SeqDeserializer::new(values.filter_map(as_number)))
    }

    /// Skips unknown fields unseen: a row may be read many times.
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct newtype_struct tuple tuple_struct map enum identifier
    }
}

/// The fields of an object that do not count as absent.
struct PresentFields<'a> {
    fields: map::Iter<'a>,
    value: Option<&'a Value>,
    absent: &'a AbsentValues<'a>,
}

impl<'de> MapAccess<'de> for PresentFields<'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        let absent = self.absent.borrow();
        let is_there = |value: &Value| !absent.iter().any(|it| std::ptr::eq(*it, value));
        let next = self.fields.find(|(_, value)| is_there(value));
        let Some((name, value)) = next else {
            return Ok(None);
        };
        self.value = Some(value);
        seed.deserialize(StrDeserializer::new(name)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        let value = self.value.take().unwrap_or(&Value::Null);
        let absent = self.absent;
        let known = absent.borrow().len();
        let read = seed.deserialize(Lenient { value, absent });
        // In nested rows, only the innermost unreadable value counts as absent.
        if read.is_err() && absent.borrow().len() == known {
            absent.borrow_mut().push(value);
        }
        read
    }
}

/// A value that may be absent.
struct OptionalValue<'a>(Lenient<'a>);

impl OptionalValue<'_> {
    fn read<T>(&self, read: fn(&Value) -> Option<T>) -> Result<T, Error> {
        read(self.0.value).ok_or_else(|| Error::custom("another type"))
    }
}

impl<'de> Deserializer<'de> for OptionalValue<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.0.deserialize_any(visitor)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_f64(self.read(as_number)?)
    }

    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_i64(self.read(as_integer)?)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_bool(self.read(as_flag)?)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_string(self.read(as_text)?)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.0.deserialize_struct(name, fields, visitor)
    }

    /// Skips unknown fields unseen: a row may be read many times.
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i128 u8 u16 u32 u64 u128 f32 char str bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier
    }
}

/// A number, or a string with one.
pub(crate) fn as_number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
    .filter(|number: &f64| number.is_finite())
}

/// An integer, or a string with one. Fractions are rounded.
fn as_integer(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) if number.is_i64() => number.as_i64(),
        Value::String(text) if text.trim().parse::<i64>().is_ok() => text.trim().parse().ok(),
        // A number without a place among the integers is unknown, not the largest of them.
        other => as_number(other)
            .map(f64::round)
            .filter(|number| number.abs() < 9.2e18)
            .map(|number| number as i64),
    }
}

/// A boolean, or 0 and 1, also as strings.
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

/// A string; numbers are converted. An empty string counts as absent.
fn as_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
    .filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
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
            (json!(1e300), Some(1e300), None, Some(true)),
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
            assert_eq!(as_text(&value).as_deref(), expect);
        }
    }

    #[test]
    fn a_broken_row_does_not_break_the_list() {
        #[derive(Debug, PartialEq, Deserialize)]
        struct Row {
            id: String,
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

    #[test]
    fn what_cannot_be_read_is_absent_and_takes_nothing_along() {
        #[derive(Debug, PartialEq, Deserialize)]
        struct Row {
            name: String,
            used: Option<Amount>,
            total: Option<f64>,
            #[serde(default)]
            load: Vec<f64>,
            #[serde(rename = "is-on")]
            is_on: Option<bool>,
        }
        #[derive(Debug, PartialEq, Deserialize)]
        struct Amount {
            bytes: Option<i64>,
            text: Option<String>,
        }
        let read = |value: Value| row::<Row>(&value).ok();
        let amount = |bytes, text: Option<&str>| {
            let text = text.map(str::to_owned);
            Some(Amount { bytes, text })
        };
        for (used, expect) in [
            (
                json!({ "bytes": "7", "text": 1 }),
                amount(Some(7), Some("1")),
            ),
            (json!({ "bytes": [], "text": "a" }), amount(None, Some("a"))),
            (json!({ "bytes": [], "text": {} }), amount(None, None)),
            (json!("none"), None),
            (json!([1, "a"]), None),
            (json!(null), None),
        ] {
            let row = json!({
                "name": "a", "used": used, "total": true, "load": ["0.5", null, 1], "is-on": "1",
                "more": {},
            });
            let found = Row {
                name: "a".to_owned(),
                used: expect,
                total: None,
                load: vec![0.5, 1.0],
                is_on: Some(true),
            };
            assert_eq!(read(row), Some(found));
        }
        assert_eq!(read(json!({ "name": 1 })), None);
        assert_eq!(read(json!({ "total": 1 })), None);
        let empty = read(json!({ "name": "", "load": "no list" })).unwrap();
        assert_eq!((empty.name.as_str(), empty.load), ("", Vec::new()));
    }
}
