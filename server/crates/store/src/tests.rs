//! Faults of the disk, other processes and impatient callers, and their effect on the database.

use agent::{
    Sight,
    ports::{
        Append, Durability, Epoch, Journal, JournalError, NewRecord, Shelves, StoredConversation,
    },
};
use protocol::{ConversationId, EventBody, Mode, Seq, Timestamp, UserId};
use sqlx::{Connection, SqliteConnection, sqlite::SqliteConnectOptions};
use tempfile::TempDir;

use crate::{Error, LinkMaker, NewSession, Store, StoredSecret, SystemEvent};

mod engine;

const AT: Timestamp = Timestamp(1_700_000_000_000);

fn user() -> UserId {
    UserId::new(AT, 1)
}

fn id(n: u128) -> ConversationId {
    ConversationId::new(AT, n)
}

fn write(n: u128, head: u64, title: String) -> Append {
    Append {
        conversation: id(n),
        epoch: Epoch(1),
        head: Seq(head),
        at: AT,
        records: vec![NewRecord::event(EventBody::TitleChanged { title })],
        command: None,
        durability: Durability::Process,
    }
}

async fn open() -> (TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    store.first_user(user(), "operator", AT).await.unwrap();
    (folder, store)
}

async fn create(store: &Store, n: u128, at: i64) {
    let conversation = StoredConversation {
        id: id(n),
        owner: user(),
        mode: Mode::Default,
        model: "model-1".to_owned(),
    };
    let first = Append {
        epoch: Epoch(0),
        at: Timestamp(at),
        ..write(n, 0, format!("title {n}"))
    };
    store.create(conversation, first).await.unwrap();
}

async fn other_connection(folder: &TempDir) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(folder.path().join("jarvis.db"));
    SqliteConnection::connect_with(&options).await.unwrap()
}

#[tokio::test]
async fn a_full_disk_is_told_and_gets_over() {
    let (_folder, store) = open().await;
    create(&store, 1, AT.0).await;
    store.pragma("max_page_count", 1).await;
    let large = || write(1, 1, "x".repeat(1_000_000));
    for _ in 0..3 {
        let full = store.append(large()).await;
        assert!(matches!(full, Err(JournalError::Full)), "{full:?}");
    }
    assert_eq!(store.head(id(1)).await.unwrap(), Seq(1));
    store.pragma("max_page_count", 1_000_000).await;
    store.append(large()).await.unwrap();
    assert_eq!(store.records(id(1)).await.unwrap().len(), 2);
}

/// After some errors SQLite rolls back by itself, which sqlx does not notice.
#[tokio::test]
async fn a_transaction_that_sqlite_ended_gets_over() {
    let (_folder, store) = open().await;
    create(&store, 1, AT.0).await;
    for head in 1..4 {
        let mut writer = store.writer().await;
        let mut transaction = writer.begin(Durability::Power).await.unwrap();
        let ended = sqlx::query("ROLLBACK").execute(&mut *transaction).await;
        ended.unwrap();
        drop(transaction);
        drop(writer);
        store.append(write(1, head, "x".to_owned())).await.unwrap();
    }
}

#[tokio::test]
async fn a_database_that_others_hold_is_told_and_gets_over() {
    let (folder, store) = open().await;
    create(&store, 1, AT.0).await;
    store.pragma("busy_timeout", 0).await;
    let mut other = other_connection(&folder).await;
    let held = other.begin_with("BEGIN IMMEDIATE").await.unwrap();
    let busy = store.append(write(1, 1, "x".to_owned())).await;
    assert!(matches!(busy, Err(JournalError::Storage(_))), "{busy:?}");
    // Reading continues.
    assert_eq!(store.records(id(1)).await.unwrap().len(), 1);
    held.rollback().await.unwrap();
    store.append(write(1, 1, "x".to_owned())).await.unwrap();
}

#[tokio::test]
async fn what_must_survive_power_loss_is_synced_whoever_gives_up() {
    let (_folder, store) = open().await;
    create(&store, 1, AT.0).await;
    let full = 2;
    for polls in 0..30 {
        for durability in [Durability::Power, Durability::Process] {
            let head = store.head(id(1)).await.unwrap();
            let mut abandoned = store.append(Append {
                durability,
                ..write(1, head.0, "x".to_owned())
            });
            for _ in 0..polls {
                if futures::poll!(&mut abandoned).is_ready() {
                    break;
                }
                tokio::task::yield_now().await;
            }
            drop(abandoned);
            assert_eq!(store.synchronous(Durability::Power).await, full);
        }
    }
}

#[tokio::test]
async fn one_server_at_a_time() {
    let (folder, store) = open().await;
    let second = Store::open(folder.path()).await.map(drop);
    assert!(matches!(second, Err(Error::InUse(_))), "{second:?}");
    drop(store);
    Store::open(folder.path()).await.unwrap();
}

#[tokio::test]
async fn a_newer_database_is_left_alone() {
    let (folder, store) = open().await;
    store.close().await.unwrap();
    drop(store);
    let mut other = other_connection(&folder).await;
    let newer = "INSERT INTO _sqlx_migrations \
                 (version, description, installed_on, success, checksum, execution_time) \
                 VALUES (9999, 'newer', '2026-01-01', 1, x'00', 0)";
    sqlx::query(newer).execute(&mut other).await.unwrap();
    other.close().await.unwrap();
    let opened = Store::open(folder.path()).await.map(drop);
    assert!(matches!(opened, Err(Error::TooNew(_))), "{opened:?}");
}

#[tokio::test]
async fn a_closed_database_is_one_file_and_takes_nothing() {
    let (folder, store) = open().await;
    create(&store, 1, AT.0).await;
    store.close().await.unwrap();
    assert!(store.append(write(1, 1, "x".to_owned())).await.is_err());
    assert!(store.records(id(1)).await.is_err());
    assert!(!folder.path().join("jarvis.db-wal").exists());
    store.close().await.unwrap();
}

#[tokio::test]
async fn the_list_loses_nothing_between_pages() {
    let (_folder, store) = open().await;
    // Several change in the same millisecond.
    for (n, at) in [(1, 5), (2, 7), (3, 7), (4, 7), (5, 9)] {
        create(&store, n, at).await;
    }
    let mut before = None;
    let mut seen = Vec::new();
    loop {
        let page = store.conversations(user(), before, 2).await.unwrap();
        let Some(last) = page.last() else { break };
        before = Some(last.updated);
        seen.extend(page.iter().map(|summary| summary.id));
    }
    assert_eq!(seen, [5, 4, 3, 2, 1].map(id));
    let stranger = UserId::new(AT, 2);
    assert_eq!(store.conversations(stranger, None, 9).await.unwrap(), []);
    let page = store.conversation_page(stranger, id(1)).await;
    assert!(matches!(page, Err(Error::NotFound)), "{page:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn a_page_is_of_one_moment() {
    let (_folder, store) = open().await;
    create(&store, 1, AT.0).await;
    let writer = tokio::spawn({
        let store = store.clone();
        async move {
            for head in 1..200 {
                let title = format!("title {}", head + 1);
                store.append(write(1, head, title)).await.unwrap();
            }
        }
    });
    while !writer.is_finished() {
        let page = store
            .conversation_page(user(), id(1))
            .await
            .unwrap()
            .by(Sight::Values);
        assert_eq!(page.head.0, page.events.len() as u64);
        assert_eq!(page.summary.title, format!("title {}", page.head));
    }
    writer.await.unwrap();
}

#[tokio::test]
async fn a_link_signs_in_once() {
    let (_folder, store) = open().await;
    let at = |ms| Timestamp(AT.0 + ms);
    let owner = store.first_user(user(), "operator", AT).await.unwrap();
    let again = store.first_user(UserId::new(AT, 9), "other", AT).await;
    assert_eq!(again.unwrap(), owner);

    let secret = |n| StoredSecret([n; 32]);
    for link in [1, 2] {
        let by = LinkMaker::server();
        let made = store.add_sign_in_link(secret(link), owner.id, &by, AT, at(100));
        made.await.unwrap();
    }
    let sign_in = async |link, session, now| {
        let session = NewSession {
            secret: secret(session),
            expires: at(500),
            address: None,
            browser: None,
            replaces: None,
        };
        let signed_in = store.sign_in(secret(link), &session, at(now)).await;
        signed_in.unwrap()
    };
    assert_eq!(sign_in(7, 10, 1).await, None);
    assert_eq!(sign_in(1, 10, 1).await, Some(owner.clone()));
    assert_eq!(sign_in(1, 11, 2).await, None);
    assert_eq!(sign_in(2, 12, 100).await, None);

    let session = |n, now, idle| store.session(secret(n), at(now), at(idle));
    assert_eq!(session(10, 2, 0).await.unwrap().unwrap().user, owner);
    assert_eq!(session(11, 2, 0).await.unwrap(), None);
    assert_eq!(session(10, 500, 0).await.unwrap(), None);
    assert_eq!(session(10, 2, 1).await.unwrap(), None);
    store.touch_session(secret(10), at(50)).await.unwrap();
    assert_eq!(session(10, 60, 49).await.unwrap().unwrap().seen, at(50));
    store.end_session(secret(10), at(60)).await.unwrap();
    store.end_session(secret(10), at(61)).await.unwrap();
    assert_eq!(session(10, 61, 0).await.unwrap(), None);

    let started = SystemEvent::Started {
        version: "0.1.0".to_owned(),
    };
    store.record(at(70), &started).await.unwrap();
    let made = SystemEvent::LinkMade {
        user: owner.id,
        name: owner.name.clone(),
        maker: None,
        by: LinkMaker::server().name,
        address: None,
    };
    assert_eq!(
        store.system_events(10).await.unwrap(),
        [
            (at(70), started),
            (at(60), SystemEvent::SignedOut { user: owner.id }),
            (
                at(1),
                SystemEvent::SignedIn {
                    user: owner.id,
                    by: Some(owner.name.clone()),
                    link_by: None,
                    address: None
                }
            ),
            (AT, made.clone()),
            (AT, made),
        ]
    );
}

/// A journal is never rewritten, not even by a mistake in a statement.
#[tokio::test]
async fn events_cannot_be_changed() {
    let (folder, store) = open().await;
    create(&store, 1, AT.0).await;
    let started = SystemEvent::Started {
        version: "0.1.0".to_owned(),
    };
    store.record(AT, &started).await.unwrap();
    let mut other = other_connection(&folder).await;
    for statement in [
        "UPDATE events SET body = '{}'",
        "UPDATE system_events SET body = '{}'",
        "DELETE FROM system_events",
    ] {
        let changed = sqlx::query(statement).execute(&mut other).await;
        assert!(changed.is_err(), "{statement}");
    }
    store.delete(id(1), &user().into(), AT).await.unwrap();
}
