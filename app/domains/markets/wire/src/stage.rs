//! The results of tools, as far as a page reads them.

use protocol::FromJson;
use serde::{Deserialize, Serialize};

use crate::{Symbol, Timeframe};

/// Field `drawing` of a tool that draws: the record, of which this is the part that names it. It can
/// be read of records that a newer server has extended by kinds or words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct DrawingKey {
    pub id: String,
    pub symbol: Symbol,
    pub version: u64,
    #[serde(default)]
    pub removed: bool,
}

/// Field `scroll` of the tool that moves a chart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct Scroll<T = String> {
    pub symbol: Symbol,
    /// None for the open one.
    pub timeframe: Option<Timeframe>,
    /// None for the newest candle.
    pub time: Option<T>,
}
