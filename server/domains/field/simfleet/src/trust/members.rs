//! JSON objects read member by member: none doubled, none unknown, none missing.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Depth of a document at most.
const MAX_DEPTH: usize = 8;

/// Reason that bytes are not the document.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum MemberFault {
    #[error("{bytes} bytes are more than {most}")]
    TooLarge { bytes: usize, most: usize },
    #[error("no document: {0}")]
    Form(String),
    #[error("the member {0} is missing or not possible")]
    Member(&'static str),
    #[error("the member {0} is unknown")]
    Unknown(String),
}

/// Members of an object that are still to be read.
#[derive(Debug)]
pub(crate) struct Members(Map<String, Value>);

/// Reads a document of at most `most` bytes.
pub(crate) fn document(bytes: &[u8], most: usize) -> Result<Members, MemberFault> {
    if bytes.len() > most {
        return Err(MemberFault::TooLarge {
            bytes: bytes.len(),
            most,
        });
    }
    let read: OnceOnly =
        serde_json::from_slice(bytes).map_err(|error| MemberFault::Form(error.to_string()))?;
    if depth(&read.0) > MAX_DEPTH {
        return Err(MemberFault::Form("too deep".to_owned()));
    }
    Members::of(read.0, "document")
}

impl Members {
    fn of(value: Value, name: &'static str) -> Result<Self, MemberFault> {
        match value {
            Value::Object(members) => Ok(Self(members)),
            _ => Err(MemberFault::Member(name)),
        }
    }

    /// Takes a member out.
    pub(crate) fn value(&mut self, name: &'static str) -> Result<Value, MemberFault> {
        self.0.remove(name).ok_or(MemberFault::Member(name))
    }

    pub(crate) fn text(&mut self, name: &'static str) -> Result<String, MemberFault> {
        match self.value(name)? {
            Value::String(text) => Ok(text),
            _ => Err(MemberFault::Member(name)),
        }
    }

    pub(crate) fn whole(&mut self, name: &'static str) -> Result<u64, MemberFault> {
        let value = self.value(name)?;
        value.as_u64().ok_or(MemberFault::Member(name))
    }

    pub(crate) fn flag(&mut self, name: &'static str) -> Result<bool, MemberFault> {
        let value = self.value(name)?;
        value.as_bool().ok_or(MemberFault::Member(name))
    }

    pub(crate) fn object(&mut self, name: &'static str) -> Result<Self, MemberFault> {
        let value = self.value(name)?;
        Self::of(value, name)
    }

    pub(crate) fn list(&mut self, name: &'static str) -> Result<Vec<Value>, MemberFault> {
        match self.value(name)? {
            Value::Array(items) => Ok(items),
            _ => Err(MemberFault::Member(name)),
        }
    }

    /// A list of objects.
    pub(crate) fn objects(&mut self, name: &'static str) -> Result<Vec<Self>, MemberFault> {
        let items = self.list(name)?.into_iter();
        items.map(|item| Self::of(item, name)).collect()
    }

    /// A list of texts, none of them twice.
    pub(crate) fn texts(&mut self, name: &'static str) -> Result<Vec<String>, MemberFault> {
        let mut texts = Vec::new();
        for item in self.list(name)? {
            match item {
                Value::String(text) if !texts.contains(&text) => texts.push(text),
                _ => return Err(MemberFault::Member(name)),
            }
        }
        Ok(texts)
    }

    /// A member whose value has to hold a rule.
    pub(crate) fn checked(
        &mut self,
        name: &'static str,
        rule: fn(&str) -> bool,
    ) -> Result<String, MemberFault> {
        let text = self.text(name)?;
        rule(&text).then_some(text).ok_or(MemberFault::Member(name))
    }

    /// True if there are members left.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Refuses what was not read.
    pub(crate) fn end(self) -> Result<(), MemberFault> {
        match self.0.into_iter().next() {
            None => Ok(()),
            Some((name, _)) => Err(MemberFault::Unknown(name)),
        }
    }
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(members) => 1 + members.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

/// A JSON value in which no object has a member twice.
struct OnceOnly(Value);

impl<'de> Deserialize<'de> for OnceOnly {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OnceOnlyVisitor).map(Self)
    }
}

struct OnceOnlyVisitor;

impl<'de> Visitor<'de> for OnceOnlyVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Value, E> {
        let number = Number::from_f64(value).ok_or_else(|| E::custom("not a finite number"))?;
        Ok(number.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(OnceOnly(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(list.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some((name, OnceOnly(value))) = members.next_entry::<String, OnceOnly>()? {
            if map.insert(name, value).is_some() {
                return Err(de::Error::custom("a member twice"));
            }
        }
        Ok(map.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_counts_once_and_none_is_left() {
        for bytes in [
            r#"{"a":1,"a":1}"#,
            r#"{"a":{"b":1,"b":2}}"#,
            r#"{"a":[[[[[[[[[1]]]]]]]]]}"#,
            r#"{"a":NaN}"#,
            r#"{"a":1} {"a":1}"#,
            r#"[1]"#,
            "",
        ] {
            assert!(document(bytes.as_bytes(), 100).is_err(), "{bytes}");
        }
        assert!(document(br#"{"a":1}"#, 6).is_err(), "too large");
        let mut members = document(br#"{"a":1,"b":"c"}"#, 100).unwrap();
        assert_eq!(members.whole("a"), Ok(1));
        assert!(members.whole("a").is_err(), "read twice");
        assert_eq!(members.end(), Err(MemberFault::Unknown("b".to_owned())));
    }
}
