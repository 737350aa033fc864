//! The stores of the markets on SQLite keep their contracts.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::sync::Arc;

use markets::{RecordKind, RecordStore, Time, alert::AlertStore};
use markets_tables::MarketsTables;
use store::{DomainDatabase, Store, TablesVersion};
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
async fn facts_keep_their_contract() {
    let (_folder, tables) = open().await;
    markets_testkit::fact_contract::run(tables).await;
}

#[tokio::test]
async fn alerts_keep_their_contract() {
    let (_folder, tables) = open().await;
    markets_testkit::alert_contract::run(tables).await;
}

/// A database that was made before there were alerts, and one that is opened again.
#[tokio::test]
async fn an_older_database_takes_alerts() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    let first = TablesVersion {
        number: 1,
        name: "samples apart",
        sql: include_str!("../migrations/0001_samples_apart.sql"),
    };
    let database = DomainDatabase::from(&store);
    database.tables("markets", &[first]).await.unwrap();
    let alert = markets_testkit::alert_contract::alert("a");
    let tables = MarketsTables::open(&store).await.unwrap();
    AlertStore::insert(&tables, &alert).await.unwrap();
    let again = MarketsTables::open(&store).await.unwrap();
    assert_eq!(AlertStore::list(&again, Time(9)).await.unwrap(), [alert]);
}

/// A database that was made before samples were told apart.
#[tokio::test]
async fn an_older_database_tells_its_samples_apart() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    let database = DomainDatabase::from(&store);
    let before = database.tables("markets", &[]).await.unwrap();
    {
        let mut writer = before.writer().await;
        let mut change = writer.begin("rows of an earlier release").await.unwrap();
        sqlx::query(
            "INSERT INTO market_records (kind, id, about, time, body) VALUES \
             ('trade', 'made-up-1', 'EURUSD', 1, '{\"synthetic\":true}'), \
             ('trade', '7', 'EURUSD', 2, '{}'), ('event', 'e', 'USD', 1, '{\"synthetic\":true}')",
        )
        .execute(change.connection())
        .await
        .unwrap();
        change.commit().await.unwrap();
    }
    let tables = MarketsTables::open(&store).await.unwrap();
    let ids = async |kind| {
        let rows = tables.newest(kind, None, Time(9), 9).await.unwrap();
        rows.into_iter().map(|row| row.id).collect::<Vec<_>>()
    };
    assert_eq!(ids(RecordKind::Trade).await, ["7"]);
    assert_eq!(ids(RecordKind::Event).await, ["e"]);
}

#[tokio::test]
async fn drawings_keep_their_contract() {
    let (_folder, tables) = open().await;
    markets_testkit::drawing_contract::run(tables).await;
}
