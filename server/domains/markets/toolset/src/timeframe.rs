//! Timeframes of candles. H1 is stored; H4, D1, W1 and MN are aggregated from it.

use std::{fmt, str::FromStr};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How long a candle is. An enum and no text: "15m" must never be read as 15 months.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
pub enum Timeframe {
    M1,
    M5,
    M15,
    M30,
    H1,
    H4,
    D1,
    W1,
    MN,
}

/// Error for an unknown timeframe.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no timeframe is called {0:?}; known are M1, M5, M15, M30, H1, H4, D1, W1 and MN")]
pub struct UnknownTimeframe(pub String);

impl Timeframe {
    /// All timeframes, from the shortest to the longest.
    pub const ALL: [Self; 9] = [
        Self::M1,
        Self::M5,
        Self::M15,
        Self::M30,
        Self::H1,
        Self::H4,
        Self::D1,
        Self::W1,
        Self::MN,
    ];

    /// The timeframe as written everywhere.
    pub fn name(self) -> &'static str {
        match self {
            Self::M1 => "M1",
            Self::M5 => "M5",
            Self::M15 => "M15",
            Self::M30 => "M30",
            Self::H1 => "H1",
            Self::H4 => "H4",
            Self::D1 => "D1",
            Self::W1 => "W1",
            Self::MN => "MN",
        }
    }

    /// Seconds between two openings within a session. A month counts as 30 days.
    pub fn seconds(self) -> i64 {
        match self {
            Self::M1 => 60,
            Self::M5 => 300,
            Self::M15 => 900,
            Self::M30 => 1_800,
            Self::H1 => 3_600,
            Self::H4 => 14_400,
            Self::D1 => 86_400,
            Self::W1 => 604_800,
            Self::MN => 2_592_000,
        }
    }
}

impl fmt::Display for Timeframe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Timeframe {
    type Err = UnknownTimeframe;

    fn from_str(text: &str) -> Result<Self, UnknownTimeframe> {
        let found = Self::ALL.into_iter().find(|frame| frame.name() == text);
        found.ok_or_else(|| UnknownTimeframe(text.to_owned()))
    }
}
