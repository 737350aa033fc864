#![doc = include_str!("../README.md")]

mod candles;
mod drawings;
mod records;

use markets::StoreError;
use store::{Error, Store, Tables};

/// The stores of the markets toolset on SQLite. Clones are the same database.
#[derive(Clone)]
pub struct MarketsTables(Tables);

impl MarketsTables {
    /// Opens them in the database of the server.
    ///
    /// # Errors
    /// See [`Store::tables`].
    pub async fn open(store: &Store) -> Result<Self, Error> {
        store.tables("markets", &[]).await.map(Self)
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
