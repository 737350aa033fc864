//! The stores of the markets on SQLite keep their contracts.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::sync::Arc;

use markets_tables::MarketsTables;
use store::Store;
use tempfile::TempDir;

async fn open() -> (TempDir, Arc<MarketsTables>) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    let tables = MarketsTables::open(&store).await.unwrap();
    (folder, Arc::new(tables))
}

#[tokio::test]
async fn candles_keep_their_contract() {
    let (_folder, tables) = open().await;
    markets_testkit::candle_contract::run(tables).await;
}

#[tokio::test]
async fn records_keep_their_contract() {
    let (_folder, tables) = open().await;
    markets_testkit::record_contract::run(tables).await;
}

#[tokio::test]
async fn drawings_keep_their_contract() {
    let (_folder, tables) = open().await;
    markets_testkit::drawing_contract::run(tables).await;
}
