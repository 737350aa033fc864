#![doc = include_str!("../README.md")]
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a fixture that is used wrongly ends its test"
)]

pub mod alert_contract;
pub mod candle_contract;
pub mod drawing_contract;
pub mod fact_contract;
mod memory;
pub mod record_contract;

pub use memory::{MemoryAlerts, MemoryCandles, MemoryDrawings, MemoryFacts, MemoryRecords};
