//! The keys on SQLite keep their contract, and nothing opens them without the file beside it.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::{fs, os::unix::fs::PermissionsExt, path::Path, sync::Arc};

use erp::{MadeDocument, MadeDocuments, PersonKeys, PersonKeysError};
use erp_tables::ErpTables;
use erp_testkit::{ANN, BOB, MemoryMadeDocuments, SECRET, SITE, entered, removed};
use store::{DomainDatabase, Store};

/// The file of the encryption's key.
const KEY_FILE: &str = "secrets.key";

async fn tables(folder: &Path) -> (Store, ErpTables) {
    let store = Store::open(folder).await.unwrap();
    let tables = ErpTables::open(&store).await.unwrap();
    (store, tables)
}

/// A folder with the key of one person in it, and no server.
async fn kept() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let (store, tables) = tables(folder.path()).await;
    tables.put(ANN, SITE, &entered(1)).await.unwrap();
    drop(tables);
    store.close().await.unwrap();
    folder
}

#[tokio::test]
async fn keys_keep_their_contract() {
    let folder = tempfile::tempdir().unwrap();
    let (_store, tables) = tables(folder.path()).await;
    erp_testkit::contract(Arc::new(tables)).await;
    let mode = fs::metadata(folder.path().join(KEY_FILE)).unwrap();
    assert_eq!(mode.permissions().mode() & 0o777, 0o600);
}

#[tokio::test]
async fn makers_of_documents_keep_their_contract_and_outlive_the_server() {
    erp_testkit::makers_contract(Arc::new(MemoryMadeDocuments::default())).await;
    let folder = tempfile::tempdir().unwrap();
    let made = MadeDocument {
        site: SITE.to_owned(),
        doctype: "Sales Order".to_owned(),
        name: "SAL-ORD-2026-00002".to_owned(),
        creation: "2026-11-21 16:30:04.000001".to_owned(),
    };
    let (store, first) = tables(folder.path()).await;
    erp_testkit::makers_contract(Arc::new(first.clone())).await;
    let now = 40 * 24 * 3_600_000;
    first.keep(&made, "call_1", now).await.unwrap();
    drop(first);
    store.close().await.unwrap();
    drop(store);
    let (_store, tables) = tables(folder.path()).await;
    assert_eq!(tables.maker(&made).await, Ok(Some("call_1".to_owned())));
}

#[tokio::test]
async fn the_file_is_made_for_the_first_key_and_outlives_the_server() {
    let folder = kept().await;
    let before = fs::read(folder.path().join(KEY_FILE)).unwrap();
    let (_store, tables) = tables(folder.path()).await;
    assert_eq!(tables.find(ANN, SITE).await, Ok(Some(entered(1))));
    tables.put(BOB, SITE, &entered(2)).await.unwrap();
    assert_eq!(fs::read(folder.path().join(KEY_FILE)).unwrap(), before);
}

#[tokio::test]
async fn a_copy_of_the_database_without_the_file_opens_nothing() {
    let folder = kept().await;
    let copy = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(folder.path()).unwrap() {
        let name = entry.unwrap().file_name();
        if name != KEY_FILE {
            let bytes = fs::read(folder.path().join(&name)).unwrap();
            let found = bytes
                .windows(SECRET.len())
                .any(|it| it == SECRET.as_bytes());
            assert!(!found, "{name:?} has the secret");
            fs::write(copy.path().join(&name), bytes).unwrap();
        }
    }
    let (_store, tables) = tables(copy.path()).await;
    assert_eq!(tables.find(ANN, SITE).await, Err(PersonKeysError::Lost));
}

#[tokio::test]
async fn a_lost_or_changed_file_is_said_and_keys_can_be_entered_again() {
    let other = "00".repeat(32);
    for content in [None, Some(""), Some("not a key"), Some(&*other)] {
        let folder = kept().await;
        let file = folder.path().join(KEY_FILE);
        fs::remove_file(&file).unwrap();
        if let Some(content) = content {
            fs::write(&file, content).unwrap();
        }
        let (_store, tables) = tables(folder.path()).await;
        let lost = Err(PersonKeysError::Lost);
        assert_eq!(tables.find(ANN, SITE).await, lost, "{content:?}");
        let is_usable = content.is_none_or(|it| it.len() == 64);
        let again = tables.put(ANN, SITE, &entered(2)).await;
        assert_eq!(again.is_ok(), is_usable, "{content:?}");
        if is_usable {
            assert_eq!(tables.find(ANN, SITE).await, Ok(Some(entered(2))));
        } else {
            // What may be all that opens the others is not overwritten.
            assert_eq!(fs::read_to_string(&file).unwrap(), content.unwrap());
        }
        // A key that cannot be read can be removed.
        let removed = removed(3);
        tables.put(ANN, SITE, &removed).await.unwrap();
        assert_eq!(tables.find(ANN, SITE).await, Ok(Some(removed)));
    }
}

/// Somebody who can write the database, and not read the file, gets no other person's key to work
/// for them.
#[tokio::test]
async fn a_key_that_was_moved_to_another_person_or_site_does_not_open() {
    let folder = kept().await;
    let (store, tables) = tables(folder.path()).await;
    let database = DomainDatabase::from(&store);
    let raw = database.tables("erp", &[]).await.unwrap();
    for (column, value) in [("person", BOB.to_owned()), ("site", "other".to_owned())] {
        let mut writer = raw.writer().await;
        let mut moved = writer.begin("a theft").await.unwrap();
        let sql = format!("UPDATE erp_person_keys SET {column} = ?");
        sqlx::query(sqlx::AssertSqlSafe(sql))
            .bind(value)
            .execute(moved.connection())
            .await
            .unwrap();
        moved.commit().await.unwrap();
        drop(writer);
        let (person, site) = match column {
            "person" => (BOB, SITE),
            _ => (BOB, "other"),
        };
        let found = tables.find(person, site).await;
        assert_eq!(found, Err(PersonKeysError::Lost), "{column}");
    }
}
