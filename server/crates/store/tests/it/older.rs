//! A database as an earlier version left it.

use std::path::Path;

use sqlx::{
    Connection, SqliteConnection,
    migrate::Migrator,
    sqlite::{SqliteConnectOptions, SqliteJournalMode},
};

/// A new database in the folder, with the migrations before `version`.
pub(crate) async fn before(version: i64, folder: &Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new()
        .filename(folder.join("jarvis.db"))
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal);
    let mut old = SqliteConnection::connect_with(&options).await.unwrap();
    let files = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/migrations"));
    let all = Migrator::new(files).await.unwrap();
    let before = all.iter().filter(|migration| migration.version < version);
    Migrator::with_migrations(before.cloned().collect())
        .run_direct(None, &mut old, false)
        .await
        .unwrap();
    old
}
