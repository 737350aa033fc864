//! The store of switches.

use async_trait::async_trait;

/// A switch of a lamp.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Switch {
    pub lamp: String,
    pub is_on: bool,
    /// In milliseconds since 1970.
    pub at_ms: i64,
}

/// The number of lamps that were on at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// In milliseconds since 1970.
    pub at_ms: i64,
    pub on: u32,
}

/// Reason that the store failed, in a few words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the lamps cannot be stored or read: {0}")]
pub struct StoreError(pub String);

/// Store of the last switch of each lamp.
#[async_trait]
pub trait SwitchStore: Send + Sync {
    /// The last switches, by the names of the lamps.
    async fn last(&self) -> Result<Vec<Switch>, StoreError>;

    /// Replaces the last switch of a lamp.
    async fn put(&self, switch: &Switch) -> Result<(), StoreError>;
}

/// Store of readings.
#[async_trait]
pub trait ReadingStore: Send + Sync {
    /// All readings, in the order in which they were added.
    async fn readings(&self) -> Result<Vec<Reading>, StoreError>;

    async fn add(&self, reading: Reading) -> Result<(), StoreError>;
}
