//! The in-memory databases satisfy the contracts, so tests on them are valid for others.

use std::sync::Arc;

use testkit::{MemoryCandles, MemoryDrawings, MemoryRecords};

#[tokio::test]
async fn candles() {
    testkit::candle_contract::run(Arc::new(MemoryCandles::default())).await;
}

#[tokio::test]
async fn records() {
    testkit::record_contract::run(Arc::new(MemoryRecords::default())).await;
}

#[tokio::test]
async fn drawings() {
    testkit::drawing_contract::run(Arc::new(MemoryDrawings::default())).await;
}
