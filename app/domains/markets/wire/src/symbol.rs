//! Symbols, and prices as whole points of one.

use std::str::FromStr;

use protocol::FromJson;
use serde::{Deserialize, Serialize};

use crate::words::words;

words! {
    /// What is traded. An enum and no text: a name that nobody knows must not reach a table.
    #[derive(Default)]
    Symbol {
        #[default]
        EurUsd = "EURUSD",
        GbpUsd = "GBPUSD",
        UsdJpy = "USDJPY",
    }
}

/// A price or a distance between prices in points: the last digit that is quoted.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    FromJson,
)]
#[serde(transparent)]
pub struct Points(pub i64);

/// Error for an unknown symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownSymbol(pub String);

impl Symbol {
    /// Its name for people.
    pub fn label(self) -> &'static str {
        match self {
            Self::EurUsd => "EUR/USD",
            Self::GbpUsd => "GBP/USD",
            Self::UsdJpy => "USD/JPY",
        }
    }

    /// The time zone in which its sessions begin and end, as IANA names it.
    pub fn zone(self) -> Option<&'static str> {
        match self {
            Self::EurUsd | Self::GbpUsd | Self::UsdJpy => Some("America/New_York"),
        }
    }

    /// Decimals of a quote.
    pub fn digits(self) -> u32 {
        match self {
            Self::EurUsd | Self::GbpUsd => 5,
            Self::UsdJpy => 3,
        }
    }

    /// Points per unit of price.
    pub fn scale(self) -> i64 {
        10_i64.pow(self.digits())
    }

    /// Points per pip.
    pub fn pip(self) -> i64 {
        10
    }

    /// The nearest price on the tick.
    pub fn round(self, number: f64) -> Points {
        Points((number * self.scale() as f64).round() as i64)
    }

    /// The price as a number, which JSON writes with the same decimals.
    pub fn number(self, points: Points) -> f64 {
        points.0 as f64 / self.scale() as f64
    }

    /// The price with all its decimals.
    pub fn show(self, points: Points) -> String {
        let sign = if points.0 < 0 { "-" } else { "" };
        let (all, scale) = (points.0.unsigned_abs(), self.scale().unsigned_abs());
        let width = self.digits() as usize;
        format!("{sign}{}.{:0width$}", all / scale, all % scale)
    }

    /// A distance in pips, to one decimal.
    pub fn pips(self, distance: Points) -> f64 {
        distance.0 as f64 / self.pip() as f64
    }
}

impl FromStr for Symbol {
    type Err = UnknownSymbol;

    fn from_str(text: &str) -> Result<Self, UnknownSymbol> {
        Self::named(text).ok_or_else(|| UnknownSymbol(text.to_owned()))
    }
}

impl std::fmt::Display for UnknownSymbol {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self(name) = self;
        write!(
            f,
            "no symbol is called {name:?}; known are EURUSD, GBPUSD and USDJPY"
        )
    }
}

impl std::error::Error for UnknownSymbol {}

impl std::ops::Sub for Points {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl std::ops::Add for Points {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}
