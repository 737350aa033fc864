//! The in-memory databases satisfy the contracts, so tests on them are valid for others.

use std::sync::Arc;

use markets_testkit::{MemoryAlerts, MemoryCandles, MemoryDrawings, MemoryFacts, MemoryRecords};

#[tokio::test]
async fn candles() {
    markets_testkit::candle_contract::run(Arc::new(MemoryCandles::default())).await;
}

#[tokio::test]
async fn records() {
    markets_testkit::record_contract::run(Arc::new(MemoryRecords::default())).await;
}

#[tokio::test]
async fn drawings() {
    markets_testkit::drawing_contract::run(Arc::new(MemoryDrawings::default())).await;
}

#[tokio::test]
async fn alerts() {
    markets_testkit::alert_contract::run(Arc::new(MemoryAlerts::default())).await;
}

#[tokio::test]
async fn facts() {
    markets_testkit::fact_contract::run(Arc::new(MemoryFacts::default())).await;
}
