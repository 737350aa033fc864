//! Timeframes of candles, from the shortest to the longest: they are compared.

use std::str::FromStr;

use crate::words::words;

words! {
    /// How long a candle is. An enum and no text: "15m" must never be read as 15 months.
    #[derive(Default)]
    Timeframe {
        M1 = "M1",
        M5 = "M5",
        M15 = "M15",
        M30 = "M30",
        #[default]
        H1 = "H1",
        H4 = "H4",
        D1 = "D1",
        W1 = "W1",
        MN = "MN",
    }
}

/// Error for an unknown timeframe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownTimeframe(pub String);

impl Timeframe {
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

impl FromStr for Timeframe {
    type Err = UnknownTimeframe;

    fn from_str(text: &str) -> Result<Self, UnknownTimeframe> {
        Self::named(text).ok_or_else(|| UnknownTimeframe(text.to_owned()))
    }
}

impl std::fmt::Display for UnknownTimeframe {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self(name) = self;
        write!(
            f,
            "no timeframe is called {name:?}; known are {}",
            Timeframe::NAMES.join(", ")
        )
    }
}

impl std::error::Error for UnknownTimeframe {}
