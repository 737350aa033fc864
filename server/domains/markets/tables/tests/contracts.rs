//! The stores of the markets on SQLite keep their contracts.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::sync::Arc;

use markets::{
    RecordKind, RecordStore, Time, TrailFilter, TrailWay,
    alert::{Alert, AlertStore, LevelSide},
    drawing::DrawingStore,
};
use markets_tables::MarketsTables;
use markets_testkit::alert_contract::{alert, fired, told};
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
    let alert = alert("a");
    let tables = MarketsTables::open(&store).await.unwrap();
    let row = told(&alert, "set");
    AlertStore::insert(&tables, &alert, &row).await.unwrap();
    let again = MarketsTables::open(&store).await.unwrap();
    assert_eq!(AlertStore::list(&again, Time(9)).await.unwrap(), [alert]);
}

/// A row of the trail is written with its change, and not again with a repeated write.
#[tokio::test]
async fn alerts_are_in_the_trail() {
    let (_folder, tables) = open().await;
    let (first, set) = (alert("a"), told(&alert("a"), "set"));
    for _ in 0..2 {
        AlertStore::insert(&*tables, &first, &set).await.unwrap();
    }
    let seen = Alert {
        version: 2,
        side: Some(LevelSide::At),
        ..first
    };
    assert!(AlertStore::replace(&*tables, &seen, None).await.unwrap());
    let over = fired(&seen, Time(100));
    let row = told(&over, "fired");
    for _ in 0..2 {
        let done = AlertStore::replace(&*tables, &over, Some(&row)).await;
        assert!(done.unwrap());
    }
    let owners = ["everyone".to_owned()];
    let of_kind = async |kind: &str| {
        let filter = TrailFilter {
            kind: Some(kind.to_owned()),
            ..TrailFilter::default()
        };
        let way = TrailWay::After(None);
        let rows = DrawingStore::trail(&*tables, &owners, &filter, &way, 9).await;
        rows.unwrap()
    };
    assert_eq!(of_kind("alert").await, [set, row]);
    assert!(of_kind("marker").await.is_empty());
}

/// A database whose alerts were set before they were in the trail.
#[tokio::test]
async fn older_alerts_come_into_the_trail() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    let earlier = [
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
    ];
    let database = DomainDatabase::from(&store);
    let before = database.tables("markets", &earlier).await.unwrap();
    let one = alert("a");
    {
        let mut writer = before.writer().await;
        let mut change = writer.begin("rows of an earlier release").await.unwrap();
        sqlx::query(
            "INSERT INTO market_alerts (id, version, waits, since, body) VALUES ('a', 1, 1, 1, ?)",
        )
        .bind(serde_json::to_string(&one).unwrap())
        .execute(change.connection())
        .await
        .unwrap();
        change.commit().await.unwrap();
    }
    let tables = MarketsTables::open(&store).await.unwrap();
    let (filter, way) = (TrailFilter::default(), TrailWay::After(None));
    let rows = DrawingStore::trail(&tables, &["everyone".to_owned()], &filter, &way, 9).await;
    let rows = rows.unwrap();
    let [row] = &rows[..] else {
        panic!("{rows:?}");
    };
    assert_eq!(
        (&row.place.drawing[..], row.place.time),
        ("a", one.created_at)
    );
    assert_eq!(row.body.reason, format!("set: {}", one.note));
    let to = serde_json::json!({ "level": 1.125, "direction": "up", "repeats": false });
    assert_eq!(row.body.changes[0].to, to);
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

/// A database whose drawings were changed before there was a trail: it has what they still know.
#[tokio::test]
async fn an_older_database_has_a_trail() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    let database = DomainDatabase::from(&store);
    let before = database.tables("markets", &[]).await.unwrap();
    let change = |n: u64| {
        serde_json::json!({ "time": format!("2017-03-10T13:00:0{n}Z"), "actor": "user",
            "reason": format!("change {n}"), "group": null,
            "changes": [{ "field": "label", "from": "", "to": "top" }] })
    };
    let body = serde_json::json!({ "id": "d", "owner": "everyone", "symbol": "EURUSD",
        "content": { "shape": { "kind": "horizontal_line", "price": 1.1 } }, "reason": "a low",
        "actor": "model", "group": "trn_1", "created_at": "2017-03-10T12:00:00Z", "life": null,
        "version": 6, "dropped": 3, "changes": [change(1), change(2)] });
    {
        let mut writer = before.writer().await;
        let mut change = writer.begin("rows of an earlier release").await.unwrap();
        sqlx::query(
            "INSERT INTO drawings (owner, id, symbol, version, removed, body) \
             VALUES ('everyone', 'd', 1, 6, 0, ?)",
        )
        .bind(body.to_string())
        .execute(change.connection())
        .await
        .unwrap();
        change.commit().await.unwrap();
    }
    let tables = MarketsTables::open(&store).await.unwrap();
    let owners = ["everyone".to_owned()];
    let (filter, way) = (TrailFilter::default(), TrailWay::After(None));
    let rows = DrawingStore::trail(&tables, &owners, &filter, &way, 9).await;
    let rows = rows.unwrap();
    let told: Vec<_> = rows
        .iter()
        .map(|row| (row.place.version, row.body.dropped, &row.body.reason[..]))
        .collect();
    assert_eq!(
        told,
        [
            (1, 0, "a low"),
            (2, 3, ""),
            (5, 0, "change 1"),
            (6, 0, "change 2")
        ]
    );
    assert_eq!(rows[0].body.group.as_deref(), Some("trn_1"));
    assert_eq!(rows[3].body.changes[0].field, "label");
}
