//! Tables that a domain has in the database.

use store::{DomainDatabase, Error, Store, TablesVersion};

const FIRST: TablesVersion = TablesVersion {
    number: 1,
    name: "notes",
    sql: "CREATE TABLE demo_notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT",
};
const SECOND: TablesVersion = TablesVersion {
    number: 2,
    name: "pinned",
    sql: "ALTER TABLE demo_notes ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0",
};

#[tokio::test]
async fn a_domain_has_versions_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    let database = DomainDatabase::from(&store);
    let tables = database.tables("demo", &[FIRST]).await.unwrap();
    let mut writer = tables.writer().await;
    let mut change = writer.begin("a note").await.unwrap();
    sqlx::query("INSERT INTO demo_notes (text) VALUES ('kept')")
        .execute(change.connection())
        .await
        .unwrap();
    change.commit().await.unwrap();
    // One that is dropped is rolled back.
    let mut change = writer.begin("a note").await.unwrap();
    sqlx::query("DELETE FROM demo_notes")
        .execute(change.connection())
        .await
        .unwrap();
    drop(change);
    // Synced with each commit, or when the log is brought into the main file.
    for is_durable in [true, false, true] {
        let begun = if is_durable {
            writer.begin_durable("a note").await
        } else {
            writer.begin("a note").await
        };
        let mut change = begun.unwrap();
        let synchronous: i64 = sqlx::query_scalar("PRAGMA synchronous")
            .fetch_one(change.connection())
            .await
            .unwrap();
        assert_eq!(synchronous, if is_durable { 2 } else { 1 });
    }
    drop(writer);
    store.close().await.unwrap();
    drop((tables, database, store));

    // Another domain may count from 1 too, and without a domain the database opens.
    let store = Store::open(folder.path()).await.unwrap();
    let other = TablesVersion {
        sql: "CREATE TABLE other_things (id INTEGER PRIMARY KEY) STRICT",
        ..FIRST
    };
    let database = DomainDatabase::from(&store);
    database.tables("other", &[other]).await.unwrap();
    let tables = database.tables("demo", &[FIRST, SECOND]).await.unwrap();
    let kept: (String, i64) = sqlx::query_as("SELECT text, pinned FROM demo_notes")
        .fetch_one(tables.readers())
        .await
        .unwrap();
    assert_eq!(kept, ("kept".to_owned(), 0));

    // The version before refuses what it does not know.
    let refused = database.tables("demo", &[FIRST]).await;
    assert!(matches!(refused, Err(Error::TooNew(_))));
    store.close().await.unwrap();
}
