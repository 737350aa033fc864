//! The results of tools, as far as a page reads them.

use protocol::FromJson;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Symbol, Timeframe};

/// Field `drawing` of a tool that draws: the record, of which this is the part that names it. It can
/// be read of records that a newer server has extended by kinds or words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawingKey {
    pub id: String,
    pub symbol: Symbol,
    pub version: u64,
    #[serde(default)]
    pub removed: bool,
}

impl DrawingKey {
    /// Reads the key of a record.
    pub fn of(record: &Value) -> Option<Self> {
        let symbol = Symbol::named(record["symbol"].as_str()?)?;
        Some(Self {
            id: record["id"].as_str()?.to_owned(),
            symbol,
            version: record["version"].as_u64()?,
            removed: record["removed"] == true,
        })
    }
}

impl FromJson for DrawingKey {
    fn from_json(json: Value) -> Option<Self> {
        Self::of(&json)
    }
}

/// Field `scroll` of the tool that moves a chart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scroll<T = String> {
    pub symbol: Symbol,
    /// None for the open one.
    pub timeframe: Option<Timeframe>,
    /// None for the newest candle.
    pub time: Option<T>,
}
