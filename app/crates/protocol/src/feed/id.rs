//! Identifiers of entries: numbers that sort by time, written as text.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::{FromJson, JsonReader, Timestamp};

/// Number of bits that distinguish entries of the same millisecond.
const LOW_BITS: u32 = 20;
/// The last millisecond that an identifier can hold, in the year 2248.
const LAST: i64 = (1 << (63 - LOW_BITS)) - 1;
/// Letters that are hard to confuse, in the order of their values.
const LETTERS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// Number of letters: five bits each are enough for 63.
const LENGTH: usize = 13;
const PREFIX: &str = "evt_";

/// Identifier of a feed entry. Text on the wire, as not every JSON reader keeps a number of this
/// size exact.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FeedId(i64);

impl FeedId {
    /// Returns the first identifier of a time.
    pub fn first_at(at: Timestamp) -> Self {
        Self(at.0.clamp(0, LAST) << LOW_BITS)
    }

    /// Returns the last identifier of a time.
    pub fn last_at(at: Timestamp) -> Self {
        Self(Self::first_at(at).0 | ((1 << LOW_BITS) - 1))
    }

    /// Returns the identifier with this number; none if it is negative.
    pub fn from_number(number: i64) -> Option<Self> {
        (number >= 0).then_some(Self(number))
    }

    /// Returns its number, never negative.
    pub fn number(self) -> i64 {
        self.0
    }
}

impl fmt::Display for FeedId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(PREFIX)?;
        for place in (0..LENGTH).rev() {
            let digit = (self.0 >> (place * 5)) & 31;
            let letter = usize::try_from(digit).ok().and_then(|at| LETTERS.get(at));
            write!(f, "{}", char::from(*letter.unwrap_or(&b'0')))?;
        }
        Ok(())
    }
}

impl fmt::Debug for FeedId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Text that is no identifier of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoFeedId;

impl fmt::Display for NoFeedId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not of the form {PREFIX}<{LENGTH} characters>")
    }
}

impl std::error::Error for NoFeedId {}

impl FromStr for FeedId {
    type Err = NoFeedId;

    fn from_str(text: &str) -> Result<Self, NoFeedId> {
        let digits = text.strip_prefix(PREFIX).ok_or(NoFeedId)?;
        if digits.len() != LENGTH {
            return Err(NoFeedId);
        }
        let number = digits.bytes().try_fold(0_i64, |number, letter| {
            let digit = LETTERS.iter().position(|known| *known == letter)?;
            let number = number.checked_mul(32)?;
            number.checked_add(i64::try_from(digit).ok()?)
        });
        number.map(Self).ok_or(NoFeedId)
    }
}

impl Serialize for FeedId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for FeedId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FeedIdText;
        impl de::Visitor<'_> for FeedIdText {
            type Value = FeedId;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an identifier of the feed")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<FeedId, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_str(FeedIdText)
    }
}

impl FromJson for FeedId {
    fn read_json(json: &mut JsonReader) -> Self {
        let id = json.value().as_str().and_then(|text| text.parse().ok());
        json.or_fail(id, Self(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_numbers_belong_together_and_sort_alike() {
        let at = |ms| FeedId::first_at(Timestamp(ms));
        let ids = [
            at(-5),
            at(1),
            FeedId::last_at(Timestamp(1)),
            at(2),
            at(1_700_000_000_000),
            at(i64::MAX),
            FeedId(i64::MAX),
        ];
        for pair in ids.windows(2) {
            assert!(pair[0] < pair[1]);
            assert!(pair[0].to_string() < pair[1].to_string());
        }
        for id in ids {
            assert_eq!(id.to_string().parse(), Ok(id));
        }
        assert_eq!(at(0).to_string(), "evt_0000000000000");
        for bad in [
            "",
            "evt_",
            "evt_000000000000",
            "evt_00000000000000",
            "evt_000000000000o",
            "evt_ZZZZZZZZZZZZZ",
            "evt_000000000000é",
        ] {
            assert_eq!(bad.parse::<FeedId>(), Err(NoFeedId), "{bad}");
        }
    }
}
