//! The lifetimes that a request may ask for its cached prefixes.

use serde_json::Value;

/// Lifetime of a cached prefix after its last use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ttl {
    FiveMinutes,
    OneHour,
}

impl Ttl {
    pub(crate) fn seconds(self) -> u64 {
        match self {
            Self::FiveMinutes => 300,
            Self::OneHour => 3_600,
        }
    }

    /// The lifetime requested by a `cache_control` object.
    pub(crate) fn of(marker: &Value) -> Self {
        if marker["ttl"] == "1h" {
            Self::OneHour
        } else {
            Self::FiveMinutes
        }
    }
}
