//! Symbols, and prices as whole points of one.

use std::{fmt, str::FromStr};

use protocol::{FromJson, JsonReader};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::instrument::{self, Instrument, InstrumentKind, SymbolTaken};

/// The place of an instrument in the table. It is no text: a name that nobody knows must not reach a
/// table of the database.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(u16);

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

#[expect(
    non_upper_case_globals,
    reason = "the built-in ones, by which the samples and the tests call them"
)]
impl Symbol {
    /// Euros in dollars: the samples are of it.
    pub const EurUsd: Self = Self(0);
    /// Pounds in dollars.
    pub const GbpUsd: Self = Self(1);
    /// Dollars in yen.
    pub const UsdJpy: Self = Self(2);
}

impl Symbol {
    /// All of them, the built-in ones first.
    pub fn all() -> Vec<Self> {
        instrument::places().into_iter().map(Self).collect()
    }

    /// Returns whether every server and every page know it.
    pub fn is_built_in(self) -> bool {
        self.0 < instrument::BUILT_IN
    }

    /// Returns whether somebody has declared it, a built-in one otherwise than it is built in: pages have
    /// to be told of it.
    pub fn is_declared(self) -> bool {
        !instrument::is_as_built_in(self.instrument())
    }

    /// Adds an instrument to those of this process; the same one again changes nothing.
    ///
    /// # Errors
    /// Its name is another one's.
    pub fn declare(instrument: Instrument) -> Result<Self, SymbolTaken> {
        instrument::declare(instrument).map(Self)
    }

    /// Takes over what the server tells of an instrument, or its configuration of a built-in one.
    pub fn learn(instrument: Instrument) {
        instrument::learn(instrument);
    }

    /// Returns what is known of it.
    pub fn instrument(self) -> &'static Instrument {
        instrument::at(self.0)
    }

    /// Returns the word for it.
    pub fn name(self) -> &'static str {
        &self.instrument().name
    }

    /// Returns the one with this word.
    pub fn named(word: &str) -> Option<Self> {
        instrument::place(word).map(Self)
    }

    /// Its name for people.
    pub fn label(self) -> &'static str {
        &self.instrument().label
    }

    /// The time zone in which its sessions begin and end, as IANA names it.
    pub fn zone(self) -> Option<&'static str> {
        let session = self.instrument().session.as_ref();
        session.map(|session| session.zone.as_str())
    }

    /// Decimals of a quote.
    pub fn digits(self) -> u32 {
        self.instrument().digits
    }

    /// The usual units in a lot.
    pub fn lot(self) -> f64 {
        match self.instrument().kind {
            InstrumentKind::Forex => 100_000.0,
            _ => 1.0,
        }
    }

    /// The usual smallest difference between sizes, in lots.
    pub fn lot_step(self) -> f64 {
        match self.instrument().kind {
            InstrumentKind::Stock | InstrumentKind::Index => 1.0,
            _ => 0.01,
        }
    }

    /// Points per unit of price.
    pub fn scale(self) -> i64 {
        10_i64.pow(self.digits())
    }

    /// Points per pip.
    pub fn pip(self) -> i64 {
        self.instrument().pip
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
        if width == 0 {
            return format!("{sign}{all}");
        }
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

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Symbol {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Symbol {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Self::named(&name).ok_or_else(|| serde::de::Error::custom(refusal(&name)))
    }
}

impl FromJson for Symbol {
    fn read_json(json: &mut JsonReader) -> Self {
        let symbol = json.value().as_str().and_then(Self::named);
        json.or_fail(symbol, Self::default())
    }
}

/// The sentence of serde for a word that an enum does not have: the model reads it too.
fn refusal(name: &str) -> String {
    let known: Vec<String> = Symbol::all().iter().map(|it| format!("`{it}`")).collect();
    format!(
        "unknown variant `{name}`, expected one of {}",
        known.join(", ")
    )
}

#[cfg(not(target_arch = "wasm32"))]
impl schemars::JsonSchema for Symbol {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Symbol".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let names: Vec<&str> = Self::all().into_iter().map(Self::name).collect();
        schemars::json_schema!({
            "type": "string",
            "enum": names,
            "description": "Symbol of the instrument.",
        })
    }
}

impl fmt::Display for UnknownSymbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(name) = self;
        let all = Symbol::all();
        let mut known = all.iter().map(ToString::to_string).collect::<Vec<_>>();
        let last = known.pop().unwrap_or_default();
        let known = known.join(", ");
        write!(
            f,
            "no symbol is called {name:?}; known are {known} and {last}"
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
