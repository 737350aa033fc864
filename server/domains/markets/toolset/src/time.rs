//! Instants in whole seconds, in UTC, formatted as RFC 3339 with a `Z`.

use std::{borrow::Cow, fmt, str::FromStr};

use jiff::Timestamp;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Seconds since 1970 in UTC.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Time(pub i64);

/// Error for a text that is not an instant in UTC.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no time in UTC such as 2017-03-10T13:30:00Z")]
pub struct BadTime(pub String);

/// The first instant beyond the accepted range: 2200.
const END: i64 = 7_258_118_400;

impl Time {
    /// Parses `2017-03-10T13:30:00Z`. Only UTC, and only zero fractions of a second.
    ///
    /// # Errors
    /// The format is different, or the day does not exist.
    pub fn parse(text: &str) -> Result<Self, BadTime> {
        let bad = || BadTime(text.to_owned());
        let bytes = text.as_bytes();
        let fraction = text.get(19..).and_then(|rest| rest.strip_suffix('Z'));
        let is_whole = fraction.is_some_and(|rest| {
            rest.is_empty()
                || rest.strip_prefix('.').is_some_and(|zeros| {
                    !zeros.is_empty() && zeros.bytes().all(|byte| byte == b'0')
                })
        });
        if bytes.get(10) != Some(&b'T') || !is_whole {
            return Err(bad());
        }
        let seconds = text.parse::<Timestamp>().map_err(|_| bad())?.as_second();
        if !(0..END).contains(&seconds) {
            return Err(bad());
        }
        Ok(Self(seconds))
    }

    /// The instant `seconds` later.
    #[must_use]
    pub fn plus(self, seconds: i64) -> Self {
        Self(self.0 + seconds)
    }

    /// The day in UTC, such as `2017-03-10`.
    pub fn day(self) -> String {
        let mut text = self.to_string();
        text.truncate(10);
        text
    }

    /// The hour of the day in UTC.
    pub fn hour(self) -> i64 {
        self.0.rem_euclid(86_400) / 3_600
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match Timestamp::from_second(self.0) {
            Ok(instant) => instant.fmt(f),
            Err(_) => write!(f, "{} s", self.0),
        }
    }
}

impl FromStr for Time {
    type Err = BadTime;

    fn from_str(text: &str) -> Result<Self, BadTime> {
        Self::parse(text)
    }
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(serde::de::Error::custom)
    }
}

impl JsonSchema for Time {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Time".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "maxLength": 30 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_utc_and_only_whole_seconds() {
        let read = |text| Time::parse(text).ok().map(|time| time.to_string());
        let same = "2017-03-10T13:30:00Z";
        assert_eq!(read(same).as_deref(), Some(same));
        assert_eq!(read("2017-03-10T13:30:00.000Z").as_deref(), Some(same));
        for text in [
            "2017-03-10T13:30:00+00:00",
            "2017-03-10T08:30:00-05:00",
            "2017-03-10T13:30:00",
            "2017-03-10 13:30:00Z",
            "2017-03-10",
            "2017-02-29T00:00:00Z",
            "2017-03-10T13:30:00.5Z",
            "1969-12-31T23:59:59Z",
            "next Friday",
            "",
            "ééééééééééééééééééééZ",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
