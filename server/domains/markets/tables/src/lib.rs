#![doc = include_str!("../README.md")]

mod alerts;
mod candle_rows;
mod candles;
mod derived;
mod drawings;
mod facts;
mod records;
mod trail;

use markets::{ImportCounts, StoreError};
use store::{DomainDatabase, Error, Tables, TablesVersion};

/// Versions of the tables, whose first ones are the server's. A released one is never changed.
const VERSIONS: [TablesVersion; 5] = [
    TablesVersion {
        number: 1,
        name: "samples apart",
        sql: include_str!("../migrations/0001_samples_apart.sql"),
    },
    TablesVersion {
        number: 2,
        name: "alerts",
        sql: include_str!("../migrations/0002_alerts.sql"),
    },
    TablesVersion {
        number: 3,
        name: "derived candles",
        sql: include_str!("../migrations/0003_derived_candles.sql"),
    },
    TablesVersion {
        number: 4,
        name: "the trail of drawings",
        sql: include_str!("../migrations/0004_trail.sql"),
    },
    TablesVersion {
        number: 5,
        name: "alerts in the trail",
        sql: include_str!("../migrations/0005_alerts_in_trail.sql"),
    },
];

/// The stores of the markets toolset on SQLite. Clones are the same database.
#[derive(Clone)]
pub struct MarketsTables(Tables, ImportCounts);

impl MarketsTables {
    /// Opens them in the database of the server.
    ///
    /// # Errors
    /// See [`DomainDatabase::tables`].
    pub async fn open(database: impl Into<DomainDatabase>) -> Result<Self, Error> {
        let tables = database.into().tables("markets", &VERSIONS).await?;
        Ok(Self(tables, ImportCounts::default()))
    }
}

/// The toolset's error for a failure of the database.
fn refused(error: Error) -> StoreError {
    match error {
        Error::NotFound => StoreError::NotFound,
        Error::Damaged(what) => StoreError::Damaged(what),
        error => StoreError::Failed(error.to_string()),
    }
}

/// The toolset's error for a failure of SQLite.
fn failed(error: sqlx::Error) -> StoreError {
    refused(error.into())
}

/// A number of rows as SQLite counts them.
fn count(rows: usize) -> i64 {
    i64::try_from(rows).unwrap_or(i64::MAX)
}
