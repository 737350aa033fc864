//! What the toolset knows besides prices: events, headlines, reports on positions, trades.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{Points, StoreError, Symbol, Time};

/// What a row is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RecordKind {
    Event,
    Headline,
    Report,
    Trade,
}

impl RecordKind {
    /// The word that stands for it in tables. It never changes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Event => "event",
            Self::Headline => "headline",
            Self::Report => "report",
            Self::Trade => "trade",
        }
    }
}

/// A row as a store keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordRow {
    pub id: String,
    /// What it is about, to find it by: a currency, a contract, a symbol, or nothing.
    pub about: String,
    /// When it is looked for: the release of an event or report, the closing of a trade, or its
    /// opening while it is open.
    pub time: Time,
    pub body: String,
}

/// How much an event tends to move prices, as its calendar says.
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
    /// The zone that its time was announced in, such as `America/New_York`.
    pub source_zone: String,
    #[serde(default)]
    pub forecast: Option<f64>,
    /// None before the release.
    #[serde(default)]
    pub actual: Option<f64>,
    #[serde(default)]
    pub previous: Option<f64>,
    /// What became of the previous value.
    #[serde(default)]
    pub revised: Option<f64>,
    /// Such as `thousand` or `%`.
    pub unit: String,
    /// The values were made up.
    #[serde(default)]
    pub synthetic: bool,
}

/// A line of news.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Headline {
    pub id: String,
    pub published_at: Time,
    pub source: String,
    pub text: String,
    /// Such as `EUR` and `USD`.
    pub currencies: Vec<String>,
    /// It was made up.
    #[serde(default)]
    pub synthetic: bool,
}

/// What a group of traders holds, in contracts.
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
    /// When it became known: on the Friday, 15:30 in New York.
    pub published_at: Time,
    pub open_interest: i64,
    pub noncommercial: CotGroup,
    /// Both long and short, of noncommercial traders.
    pub spreading: i64,
    pub commercial: CotGroup,
    pub nonreportable: CotGroup,
    /// It was made up.
    #[serde(default)]
    pub synthetic: bool,
}

/// Which way a trade goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    Long,
    Short,
}

impl Side {
    /// 1 for long, -1 for short.
    pub fn sign(self) -> i64 {
        match self {
            Self::Long => 1,
            Self::Short => -1,
        }
    }
}

/// A trade of the person's own history. Money is in hundredths of the account's currency.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trade {
    pub id: String,
    pub symbol: Symbol,
    pub side: Side,
    /// In thousandths of a lot.
    pub millilots: i64,
    pub opened_at: Time,
    pub entry: Points,
    /// The stop at the entry, which the risk is measured by.
    #[serde(default)]
    pub stop: Option<Points>,
    #[serde(default)]
    pub target: Option<Points>,
    /// None while it is open, like the next three.
    #[serde(default)]
    pub closed_at: Option<Time>,
    #[serde(default)]
    pub exit: Option<Points>,
    /// Before costs.
    #[serde(default)]
    pub gross: Option<i64>,
    /// Commission and financing; above zero when they were paid.
    #[serde(default)]
    pub costs: i64,
    /// What would have been lost at the first stop.
    #[serde(default)]
    pub initial_risk: Option<i64>,
    #[serde(default)]
    pub note: String,
    /// It was made up.
    #[serde(default)]
    pub synthetic: bool,
}

impl Trade {
    /// Profit and loss net of costs, once it is closed.
    pub fn net(&self) -> Option<i64> {
        self.closed_at?;
        Some(self.gross? - self.costs)
    }
}

/// Things that are kept as rows.
pub trait Kept: Serialize + DeserializeOwned {
    const KIND: RecordKind;
    fn id(&self) -> String;
    fn about(&self) -> String;
    fn time(&self) -> Time;

    /// As a store keeps it.
    ///
    /// # Errors
    /// It cannot be written as JSON.
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

/// Reads rows of one kind.
///
/// # Errors
/// One of them is not what it should be.
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

    fn id(&self) -> String {
        self.id.clone()
    }

    fn about(&self) -> String {
        self.symbol.name().to_owned()
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
