//! The ports of the markets toolset on SQLite.

use std::sync::Arc;

use store::Store;

#[tokio::test]
async fn candles_keep_their_contract() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    testkit::candle_contract::run(Arc::new(store)).await;
}

#[tokio::test]
async fn records_keep_their_contract() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    testkit::record_contract::run(Arc::new(store)).await;
}

#[tokio::test]
async fn drawings_keep_their_contract() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    testkit::drawing_contract::run(Arc::new(store)).await;
}
