//! Records besides prices: events, headlines, COT reports, trades.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{Points, Side, StoreError, Symbol, Time};

/// Kind of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RecordKind {
    Event,
    Headline,
    Report,
    Trade,
}

impl RecordKind {
    /// The word stored for it in tables. It never changes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Event => "event",
            Self::Headline => "headline",
            Self::Report => "report",
            Self::Trade => "trade",
        }
    }
}

/// A record as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordRow {
    pub id: String,
    /// Lookup key: a currency, a contract, a symbol, or nothing.
    pub about: String,
    /// Lookup time: the release of an event or report, the close of a trade, or its open while it
    /// is running.
    pub time: Time,
    pub body: String,
}

/// Tendency of an event to move prices, as its calendar says.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Impact {
    Low,
    Medium,
    High,
}

/// A release on the calendar.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CalendarEvent {
    pub id: String,
    /// Such as `USD`.
    pub currency: String,
    pub name: String,
    pub impact: Impact,
    pub scheduled_at: Time,
    /// The time zone of the announcement, such as `America/New_York`.
    pub source_zone: String,
    #[serde(default)]
    pub forecast: Option<f64>,
    /// `None` before the release.
    #[serde(default)]
    pub actual: Option<f64>,
    #[serde(default)]
    pub previous: Option<f64>,
    /// The revised previous value.
    #[serde(default)]
    pub revised: Option<f64>,
    /// Unit such as `thousand` or `%`.
    pub unit: String,
    /// True if the values are made up.
    #[serde(default)]
    pub synthetic: bool,
}

/// A news headline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Headline {
    pub id: String,
    pub published_at: Time,
    pub source: String,
    pub text: String,
    /// Such as `EUR` and `USD`.
    pub currencies: Vec<String>,
    /// True if it is made up.
    #[serde(default)]
    pub synthetic: bool,
}

/// Positions of a group of traders, in contracts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CotGroup {
    pub long: i64,
    pub short: i64,
}

impl CotGroup {
    pub fn net(self) -> i64 {
        self.long - self.short
    }
}

/// One week of one market in the CFTC's legacy report, futures only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CotReport {
    /// Such as `EURO FX - CHICAGO MERCANTILE EXCHANGE`.
    pub market: String,
    /// Such as `099741`.
    pub code: String,
    /// The Tuesday that it describes, at 00:00 UTC.
    pub as_of: Time,
    /// Publication time: the Friday, 15:30 in New York.
    pub published_at: Time,
    pub open_interest: i64,
    pub noncommercial: CotGroup,
    /// Positions both long and short, of noncommercial traders.
    pub spreading: i64,
    pub commercial: CotGroup,
    pub nonreportable: CotGroup,
    /// True if it is made up.
    #[serde(default)]
    pub synthetic: bool,
}

/// A trade of somebody's history. Money is in hundredths of the account's currency.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trade {
    pub id: String,
    pub symbol: Symbol,
    pub side: Side,
    /// Size in thousandths of a lot.
    pub millilots: i64,
    pub opened_at: Time,
    pub entry: Points,
    /// The stop at the entry, from which the risk is computed.
    #[serde(default)]
    pub stop: Option<Points>,
    #[serde(default)]
    pub target: Option<Points>,
    /// `None` while it is open, like the next three.
    #[serde(default)]
    pub closed_at: Option<Time>,
    #[serde(default)]
    pub exit: Option<Points>,
    /// Profit before costs.
    #[serde(default)]
    pub gross: Option<i64>,
    /// Commission and financing; positive if paid.
    #[serde(default)]
    pub costs: i64,
    /// The loss at the initial stop.
    #[serde(default)]
    pub initial_risk: Option<i64>,
    #[serde(default)]
    pub note: String,
    /// Name of the person whose it is; `None` for one of the installation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
    /// Identifier of the person who alone sees it; `None` if everybody does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// True if it is made up.
    #[serde(default)]
    pub synthetic: bool,
}

impl Trade {
    /// The lookup key of trades of a symbol: of those that everybody sees, or of an owner's.
    pub(crate) fn key(symbol: Symbol, owner: Option<&str>) -> String {
        match owner {
            None => symbol.name().to_owned(),
            Some(owner) => format!("{symbol} {owner}"),
        }
    }

    /// Profit and loss net of costs; `None` while it is open.
    pub fn net(&self) -> Option<i64> {
        self.closed_at?;
        Some(self.gross? - self.costs)
    }
}

/// Types stored as records.
pub trait Kept: Serialize + DeserializeOwned {
    const KIND: RecordKind;
    fn id(&self) -> String;
    fn about(&self) -> String;
    fn time(&self) -> Time;

    /// The record to store.
    ///
    /// # Errors
    /// It cannot be serialised as JSON.
    fn row(&self) -> Result<RecordRow, StoreError> {
        let body = serde_json::to_string(self);
        Ok(RecordRow {
            id: self.id(),
            about: self.about(),
            time: self.time(),
            body: body.map_err(|error| StoreError::Damaged(error.to_string()))?,
        })
    }
}

/// Parses records of one kind.
///
/// # Errors
/// One of them is corrupt.
pub fn typed<T: Kept>(rows: &[RecordRow]) -> Result<Vec<T>, StoreError> {
    let read = |row: &RecordRow| {
        serde_json::from_str(&row.body)
            .map_err(|error| StoreError::Damaged(format!("{} {}: {error}", T::KIND.name(), row.id)))
    };
    rows.iter().map(read).collect()
}

impl Kept for CalendarEvent {
    const KIND: RecordKind = RecordKind::Event;

    fn id(&self) -> String {
        self.id.clone()
    }

    fn about(&self) -> String {
        self.currency.clone()
    }

    fn time(&self) -> Time {
        self.scheduled_at
    }
}

impl Kept for Headline {
    const KIND: RecordKind = RecordKind::Headline;

    fn id(&self) -> String {
        self.id.clone()
    }

    fn about(&self) -> String {
        String::new()
    }

    fn time(&self) -> Time {
        self.published_at
    }
}

impl Kept for Trade {
    const KIND: RecordKind = RecordKind::Trade;

    /// Of an owner's it is one of their own, so that none replaces a trade that they do not see.
    fn id(&self) -> String {
        match &self.owner {
            None => self.id.clone(),
            Some(owner) => format!("{owner} {}", self.id),
        }
    }

    fn about(&self) -> String {
        Self::key(self.symbol, self.owner.as_deref())
    }

    fn time(&self) -> Time {
        self.closed_at.unwrap_or(self.opened_at)
    }
}

impl Kept for CotReport {
    const KIND: RecordKind = RecordKind::Report;

    fn id(&self) -> String {
        format!("{} {}", self.code, self.as_of.day())
    }

    fn about(&self) -> String {
        self.code.clone()
    }

    fn time(&self) -> Time {
        self.published_at
    }
}
