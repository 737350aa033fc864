//! The tables come into a database that never heard of them.

use field_tables::{FieldTables, FieldTablesError, SiteRemoval};
use store::{DomainDatabase, Store, TablesVersion};

use crate::home::{ANN, Home, SITE, T};

#[tokio::test]
async fn they_come_into_an_old_database_and_stay() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    // Another domain counts its versions from 1 too.
    let other = TablesVersion {
        number: 1,
        name: "things",
        sql: "CREATE TABLE other_things (id INTEGER PRIMARY KEY) STRICT",
    };
    let database = DomainDatabase::from(&store);
    database.tables("other", &[other]).await.unwrap();
    store.close().await.unwrap();
    drop((database, store));

    let home = Home::open_in(folder).await;
    home.adopted("dev-1").await;
    home.queued("dev-1", 1).await;
    let versions = home.number("SELECT count(*) FROM _field_migrations").await;
    assert_eq!(versions, 13);
    let home = home.reopened().await;
    assert_eq!(home.tables.sites().await.unwrap().len(), 1);
    assert_eq!(home.job("run-dev-1-1").await.seq, 1);
    let broken = home
        .number("SELECT count(*) FROM pragma_foreign_key_check")
        .await;
    assert_eq!(broken, 0);
}

#[tokio::test]
async fn devices_and_sections_of_an_older_database_stay() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    let older = [
        ("sites", include_str!("../../migrations/0001_sites.sql")),
        ("devices", include_str!("../../migrations/0002_devices.sql")),
        ("bundles", include_str!("../../migrations/0003_bundles.sql")),
        (
            "proposals",
            include_str!("../../migrations/0004_proposals.sql"),
        ),
        ("jobs", include_str!("../../migrations/0005_jobs.sql")),
        (
            "requests",
            include_str!("../../migrations/0006_requests.sql"),
        ),
        (
            "collections",
            include_str!("../../migrations/0007_collections.sql"),
        ),
        ("events", include_str!("../../migrations/0008_events.sql")),
    ];
    let older = older.into_iter().zip(1..);
    let older: Vec<_> = older
        .map(|((name, sql), number)| TablesVersion { number, name, sql })
        .collect();
    let database = DomainDatabase::from(&store);
    let tables = database.tables("field", &older).await.unwrap();
    {
        let mut writer = tables.writer().await;
        let mut change = writer.begin("an older device").await.unwrap();
        for sql in [
            "INSERT INTO field_sites (id, number, name, covers_public, created_ms, created_by) \
             VALUES ('office', 1, 'The office', 1, 1, 'user_ann')",
            "INSERT INTO field_devices (id, site, name, public_key, fingerprint, state, enrolled_ms) \
             VALUES ('old', 'office', 'old', x'00', 'print', 'adopted', 1)",
            "INSERT INTO field_bundles (id, site, source, received_ms) VALUES ('b', 'office', 's', 1)",
            "INSERT INTO field_sections \
             (bundle, name, place, digest, covered, counts, original, original_until_ms) \
             VALUES ('b', 'routes', 0, 'd', 'via ip-s1-n1.1', '{}', x'00', 2)",
        ] {
            sqlx::query(sql).execute(change.connection()).await.unwrap();
        }
        change.commit().await.unwrap();
    }
    let newer = FieldTables::open(&store).await.unwrap();
    let old = newer.device("old").await.unwrap().unwrap();
    assert_eq!((old.name.as_str(), old.program), ("old", None));
    // Nor has one lost anything: what it could do before was never written down.
    assert_eq!((old.lacking, old.lost_ms), (None, None));
    let text = newer.section_text("b", "routes").await.unwrap();
    assert_eq!(text.as_deref(), Some("via ip-s1-n1.1"));
    let sections = newer.sections("b").await.unwrap();
    assert_eq!((sections.len(), sections[0].size), (1, 14));
}

#[tokio::test]
async fn tables_of_a_newer_version_are_refused() {
    let home = Home::open().await;
    home.sql(
        "INSERT INTO _field_migrations (version, description, success, checksum, execution_time) \
         VALUES (99, 'later', true, x'00', 0)"
            .to_owned(),
    )
    .await
    .unwrap();
    let refused = FieldTables::open(&home.store).await;
    assert!(matches!(
        refused.err(),
        Some(FieldTablesError::Database(store::Error::TooNew(_)))
    ));
}

#[tokio::test]
async fn what_was_written_for_good_cannot_be_changed() {
    let home = Home::open().await;
    home.adopted("dev-1").await;
    home.queued("dev-1", 1).await;
    for sql in [
        "UPDATE field_history SET actor = 'somebody'",
        "DELETE FROM field_history",
        "UPDATE field_packages SET bytes = x'00'",
        "UPDATE field_jobs SET expires_ms = expires_ms + 1",
        "UPDATE field_jobs SET epoch = epoch - 1",
        "UPDATE field_job_events SET kind = 'ended'",
        "UPDATE field_events SET kind = 'ended'",
    ] {
        assert!(home.sql(sql.to_owned()).await.is_err(), "{sql}");
    }
    // Nor does a site go while something is left of it.
    let removed = home.tables.remove_site(SITE, ANN, T).await.unwrap();
    assert_eq!(removed, SiteRemoval::Devices(1));
}
