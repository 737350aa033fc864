//! Pace of an answer.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Pace of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pace {
    /// Milliseconds until the first delta.
    #[serde(default)]
    pub first_token_ms: u64,
    /// Tokens per second after that; zero for no limit.
    #[serde(default)]
    pub tokens_per_second: u32,
}

impl Pace {
    /// No delay at all.
    pub const INSTANT: Self = Self {
        first_token_ms: 0,
        tokens_per_second: 0,
    };

    /// About the pace that people expect of a model.
    pub const NATURAL: Self = Self {
        first_token_ms: 250,
        tokens_per_second: 60,
    };

    /// The pace multiplied by a factor.
    pub(crate) fn hurried(self, times: u32) -> Self {
        Self {
            first_token_ms: self.first_token_ms / u64::from(times.max(1)),
            tokens_per_second: self.tokens_per_second.saturating_mul(times),
        }
    }

    /// The time from the request to the end of this many tokens.
    pub(crate) fn until(self, tokens: u64) -> Duration {
        let first = Duration::from_millis(self.first_token_ms);
        if self.tokens_per_second == 0 {
            return first;
        }
        let micros = tokens.saturating_mul(1_000_000) / u64::from(self.tokens_per_second);
        first + Duration::from_micros(micros)
    }
}

impl Default for Pace {
    fn default() -> Self {
        Self::NATURAL
    }
}
