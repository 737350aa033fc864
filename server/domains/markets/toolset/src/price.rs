//! Symbols and prices. A price is a whole number of points, whose size depends on the symbol.

use std::{fmt, str::FromStr};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is traded. An enum and no text: a name that nobody knows must not reach a table.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
pub enum Symbol {
    #[serde(rename = "EURUSD")]
    EurUsd,
    #[serde(rename = "GBPUSD")]
    GbpUsd,
    #[serde(rename = "USDJPY")]
    UsdJpy,
}

/// A price or a distance between prices in points: the last digit that is quoted.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Points(pub i64);

/// Error for an unknown symbol.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no symbol is called {0:?}; known are EURUSD, GBPUSD and USDJPY")]
pub struct UnknownSymbol(pub String);

/// Reason that a number is not a price of a symbol.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadPrice {
    #[error("{0:?} is no price")]
    Unreadable(String),
    #[error("{0} is not on the tick: {1} quotes {2} decimals")]
    OffTick(String, Symbol, u32),
    #[error("{0} is out of range")]
    OutOfRange(String),
}

/// Upper limit for prices, in points; sums of a few of them cannot overflow.
const MOST: i64 = 1_000_000_000_000;

impl Symbol {
    pub const ALL: [Self; 3] = [Self::EurUsd, Self::GbpUsd, Self::UsdJpy];

    /// The symbol as written everywhere, such as `EURUSD`.
    pub fn name(self) -> &'static str {
        match self {
            Self::EurUsd => "EURUSD",
            Self::GbpUsd => "GBPUSD",
            Self::UsdJpy => "USDJPY",
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

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Symbol {
    type Err = UnknownSymbol;

    fn from_str(text: &str) -> Result<Self, UnknownSymbol> {
        let found = Self::ALL.into_iter().find(|symbol| symbol.name() == text);
        found.ok_or_else(|| UnknownSymbol(text.to_owned()))
    }
}

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

/// The CFTC contract of a symbol's base or quote currency.
pub(crate) fn contract(symbol: Symbol) -> &'static str {
    match symbol {
        Symbol::EurUsd => "099741",
        Symbol::GbpUsd => "096742",
        Symbol::UsdJpy => "097741",
    }
}

/// The currencies whose events move a symbol.
pub(crate) fn currencies(symbol: Symbol) -> [&'static str; 2] {
    match symbol {
        Symbol::EurUsd => ["EUR", "USD"],
        Symbol::GbpUsd => ["GBP", "USD"],
        Symbol::UsdJpy => ["USD", "JPY"],
    }
}

/// Parses a decimal exactly, such as `1.05236`. Further digits must be zeros.
///
/// # Errors
/// It is not a plain decimal, not on the tick, or too large.
pub(crate) fn parse(symbol: Symbol, text: &str) -> Result<Points, BadPrice> {
    let unreadable = || BadPrice::Unreadable(text.to_owned());
    let (negative, bare) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (whole, fraction) = bare.split_once('.').unwrap_or((bare, ""));
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !is_number(whole) || !is_number(fraction) {
        return Err(unreadable());
    }
    let digits = symbol.digits() as usize;
    let (kept, beyond) = fraction.split_at(fraction.len().min(digits));
    if beyond.bytes().any(|byte| byte != b'0') {
        return Err(BadPrice::OffTick(text.to_owned(), symbol, symbol.digits()));
    }
    let points = format!("{whole}{kept:0<digits$}").parse::<i64>();
    match points {
        Ok(points) if points < MOST => Ok(Points(if negative { -points } else { points })),
        _ => Err(BadPrice::OutOfRange(text.to_owned())),
    }
}

/// Converts a JSON number to a price.
///
/// # Errors
/// It is not on the tick, or not a price at all.
pub(crate) fn points(symbol: Symbol, number: f64) -> Result<Points, BadPrice> {
    if !number.is_finite() || number.abs() >= MOST as f64 / symbol.scale() as f64 {
        return Err(BadPrice::OutOfRange(number.to_string()));
    }
    // The shortest decimal for this number is the one that was written.
    parse(symbol, &number.to_string())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn prices_are_exact() {
        let check = |text, expect: Result<i64, &str>| {
            let got = parse(Symbol::EurUsd, text).map(|points| points.0);
            assert_eq!(
                got.map_err(|error| error.to_string()),
                expect.map_err(str::to_owned)
            );
        };
        check("1.05236", Ok(105_236));
        check("1.2", Ok(120_000));
        check("1.0523600", Ok(105_236));
        check("-0.00012", Ok(-12));
        check(
            "1.052365",
            Err("1.052365 is not on the tick: EURUSD quotes 5 decimals"),
        );
        check("1e5", Err("\"1e5\" is no price"));
        check("", Err("\"\" is no price"));
        check("1.5.", Err("\"1.5.\" is no price"));
        check(
            "99999999999999999999",
            Err("99999999999999999999 is out of range"),
        );
        assert_eq!(parse(Symbol::UsdJpy, "111.125").unwrap(), Points(111_125));
        assert_eq!(
            super::points(Symbol::EurUsd, f64::NAN)
                .unwrap_err()
                .to_string(),
            "NaN is out of range"
        );
        assert_eq!("15m".parse::<Symbol>().unwrap_err().0, "15m");
    }

    proptest! {
        #[test]
        fn numbers_and_texts_come_back(points in -300_000_000_i64..300_000_000) {
            for symbol in Symbol::ALL {
                let points = Points(points);
                prop_assert_eq!(parse(symbol, &symbol.show(points)), Ok(points));
                prop_assert_eq!(super::points(symbol, symbol.number(points)), Ok(points));
                prop_assert_eq!(symbol.round(symbol.number(points)), points);
            }
        }
    }
}
