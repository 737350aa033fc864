//! Prefixed identifiers, sequence numbers and timestamps.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use ulid::Ulid;

use crate::{FromJson, JsonReader};

/// Text that is not an identifier of the expected kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseIdError {
    /// The prefix that was expected, without its underscore.
    pub expected: &'static str,
}

impl fmt::Display for ParseIdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "not an identifier of the form {}_<26 characters>",
            self.expected
        )
    }
}

impl std::error::Error for ParseIdError {}

/// Accepts only the canonical form: the library also reads lower case and drops bits that overflow,
/// so several texts would be one identifier.
fn parse_ulid(text: &str) -> Option<Ulid> {
    let ulid = Ulid::from_string(text).ok()?;
    (ulid.array_to_str(&mut [0; 26]) == text).then_some(ulid)
}

/// Defines an identifier: a 128-bit ULID, written as `prefix_` and 26 base-32 characters.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Ulid);

        impl $name {
            /// Makes an identifier from its creation time and at least 80 random bits.
            pub fn new(at: Timestamp, random: u128) -> Self {
                Self(Ulid::from_parts(at.0.max(0) as u64, random))
            }

            /// Returns its creation time, by its maker's clock.
            pub fn made(&self) -> Timestamp {
                Timestamp(self.0.timestamp_ms() as i64)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "_{}"), self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl FromStr for $name {
            type Err = ParseIdError;

            fn from_str(text: &str) -> Result<Self, ParseIdError> {
                text.strip_prefix(concat!($prefix, "_"))
                    .and_then(parse_ulid)
                    .map(Self)
                    .ok_or(ParseIdError { expected: $prefix })
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct IdText;
                impl de::Visitor<'_> for IdText {
                    type Value = $name;

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str(concat!("an identifier that starts with ", $prefix, "_"))
                    }

                    fn visit_str<E: de::Error>(self, text: &str) -> Result<$name, E> {
                        text.parse().map_err(E::custom)
                    }
                }
                deserializer.deserialize_str(IdText)
            }
        }

        impl FromJson for $name {
            fn read_json(json: &mut JsonReader) -> Self {
                let id = json.value().as_str().and_then(|text| text.parse().ok());
                json.or_fail(id, Self(Ulid(0)))
            }
        }
    };
}

id!(
    /// One chat. Made by the client that starts it.
    ConversationId,
    "cnv"
);
id!(
    /// One user message and all that follows until the assistant's final answer.
    TurnId,
    "trn"
);
id!(
    /// One message of a user or of the assistant.
    MessageId,
    "msg"
);
id!(
    /// One tool call. The identifier is ours, not the model's: models may repeat theirs.
    CallId,
    "call"
);
id!(
    /// One command of a client. A command sent again under its id is the same command.
    CommandId,
    "cmd"
);
id!(
    /// One standing grant.
    GrantId,
    "grt"
);
id!(
    /// One notice: a condition from when it was raised until it is resolved.
    NoticeId,
    "ntc"
);
id!(
    /// One tab of a browser, as long as it is open, page reloads included.
    TabId,
    "tab"
);
id!(
    /// A person who signed in.
    UserId,
    "usr"
);

/// Defines a number that is its own kind: a plain number on the wire.
macro_rules! number {
    ($(#[$doc:meta])* $name:ident($of:ty)) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        #[derive(Serialize, Deserialize, FromJson)]
        #[serde(transparent)]
        pub struct $name(pub $of);
    };
}

number!(
    /// The number of an event in its conversation: dense, from 1. Zero is "before the first".
    Seq(u64)
);

impl Seq {
    /// Returns the number of the next event.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

impl fmt::Display for Seq {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

number!(
    /// Milliseconds since 1970-01-01 UTC.
    Timestamp(i64)
);
