//! Users whom a reverse proxy vouches for: only those that are its own.

use protocol::{Role, Timestamp, UserId};
use sqlx::{Connection, SqliteConnection, sqlite::SqliteConnectOptions};
use store::{ByProxy, Error, LinkMaker, NewSession, Store, StoredSecret, SystemEvent, User};
use tempfile::TempDir;

const AT: Timestamp = Timestamp(1_700_000_000_000);

fn id(n: u128) -> UserId {
    UserId::new(AT, n)
}

fn session(n: u8) -> NewSession {
    NewSession {
        secret: StoredSecret([n; 32]),
        expires: Timestamp(AT.0 + 1000),
        address: None,
        browser: None,
        replaces: None,
    }
}

fn on_record(user: &User) -> Vec<SystemEvent> {
    vec![SystemEvent::SignedInByProxy {
        user: user.id,
        by: user.name.clone(),
        address: None,
    }]
}

async fn open() -> (TempDir, Store, User) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    let first = store.first_user(id(1), "Operator", AT).await.unwrap();
    (folder, store, first)
}

#[tokio::test]
async fn a_local_account_is_not_the_proxys_whatever_its_case() {
    let (_folder, store, operator) = open().await;
    for name in ["operator", "Operator", " OPERATOR "] {
        let new = Some((id(9), Role::Viewer));
        let found = store
            .sign_in_by_proxy(name, Some(Role::Viewer), new, &session(1), AT, on_record)
            .await;
        assert_eq!(found.unwrap(), ByProxy::NotLinked, "{name}");
    }
    assert_eq!(store.accounts().await.unwrap().len(), 1);
    let none = store.session(StoredSecret([1; 32]), AT, Timestamp(0)).await;
    assert_eq!(none.unwrap(), None);

    // Linked, and with a role that leaves no admin: refused, and not let in as an admin.
    store
        .link_to_proxy(operator.id, true, &LinkMaker::command_line(), AT)
        .await
        .unwrap();
    let role = Some(Role::Viewer);
    let last = store
        .sign_in_by_proxy("operator", role, None, &session(2), AT, on_record)
        .await;
    assert!(matches!(last, Err(Error::LastAdmin)));
    let none = store.session(StoredSecret([2; 32]), AT, Timestamp(0)).await;
    assert_eq!(none.unwrap(), None);
    let same = store
        .sign_in_by_proxy(
            "operator",
            Some(Role::Admin),
            None,
            &session(3),
            AT,
            on_record,
        )
        .await;
    assert_eq!(same.unwrap(), ByProxy::In(operator.clone()));

    // Unlinked again: the proxy's sessions have ended.
    store
        .link_to_proxy(operator.id, false, &LinkMaker::command_line(), AT)
        .await
        .unwrap();
    let ended = store.session(StoredSecret([3; 32]), AT, Timestamp(0)).await;
    assert_eq!(ended.unwrap(), None);
    assert_eq!(store.proxy_word(operator.id).await.unwrap(), None);
}

#[tokio::test]
async fn who_is_let_in_no_longer_has_nothing_left() {
    let (_folder, store, _) = open().await;
    let new = Some((id(2), Role::Operator));
    let found = store
        .sign_in_by_proxy("Zoë", None, new, &session(1), AT, on_record)
        .await;
    let zoe = User {
        id: id(2),
        name: "Zoë".to_owned(),
        role: Role::Operator,
    };
    assert_eq!(found.unwrap(), ByProxy::In(zoe.clone()));
    assert_eq!(store.proxy_word(zoe.id).await.unwrap(), Some(AT));
    // One rule for names, in any script.
    let again = User {
        id: id(3),
        name: "ZOË".to_owned(),
        ..zoe.clone()
    };
    let taken = store.add_user(&again, "Operator", AT).await;
    assert!(matches!(taken, Err(Error::NameTaken)));

    // A local account of any name is left alone.
    assert_eq!(store.end_by_proxy("operator", AT).await.unwrap(), None);
    assert_eq!(store.end_by_proxy("zoË", AT).await.unwrap(), Some(zoe.id));
    let ended = store.session(StoredSecret([1; 32]), AT, Timestamp(0)).await;
    assert_eq!(ended.unwrap(), None);
    assert_eq!(store.end_by_proxy("Zoë", AT).await.unwrap(), None, "once");
}

#[tokio::test]
async fn a_session_that_is_used_outlasts_those_that_nobody_came_back_with() {
    let (_folder, store, _) = open().await;
    let mut new = Some((id(2), Role::Viewer));
    let mut sign_in = async |n: u8| {
        let now = Timestamp(AT.0 + i64::from(n));
        let new = new.take();
        let begun = store
            .sign_in_by_proxy("Zoë", None, new, &session(n), now, on_record)
            .await;
        assert!(matches!(begun, Ok(ByProxy::In(_))));
    };
    let alive = async |n: u8| {
        let found = store.session(StoredSecret([n; 32]), AT, Timestamp(0)).await;
        found.unwrap().is_some()
    };
    sign_in(0).await;
    store
        .touch_session(StoredSecret([0; 32]), Timestamp(AT.0 + 1))
        .await
        .unwrap();
    for n in 1..=100 {
        sign_in(n).await;
        assert!(alive(n).await, "the one that begins");
    }
    let mut left = Vec::new();
    for n in 0..=100 {
        if alive(n).await {
            left.push(n);
        }
    }
    let expect: Vec<u8> = std::iter::once(0).chain(85..=100).collect();
    assert_eq!(left, expect);
    // Used sessions are bounded as well.
    for n in 101..=150 {
        sign_in(n).await;
        let later = Timestamp(AT.0 + 1000 + i64::from(n));
        store
            .touch_session(StoredSecret([n; 32]), later)
            .await
            .unwrap();
    }
    sign_in(151).await;
    assert!(!alive(0).await && !alive(134).await && alive(150).await);
}

#[tokio::test]
async fn the_first_word_that_shuts_out_ends_links_and_no_later_one_does() {
    let (_folder, store, _) = open().await;
    let new = Some((id(2), Role::Operator));
    let found = store
        .sign_in_by_proxy("Zoë", None, new, &session(1), AT, on_record)
        .await;
    assert!(matches!(found, Ok(ByProxy::In(_))));
    let end = Timestamp(AT.0 + 1000);
    let link = async |n: u8| {
        let secret = StoredSecret([n; 32]);
        store
            .add_sign_in_link(secret, id(2), &LinkMaker::command_line(), AT, end)
            .await
            .unwrap();
        secret
    };
    let before = link(7).await;
    assert_eq!(store.end_by_proxy("Zoë", AT).await.unwrap(), Some(id(2)));
    assert_eq!(store.link_user(before, AT).await.unwrap(), None);
    assert_eq!(store.sign_in(before, &session(2), AT).await.unwrap(), None);
    // An admin makes another, and knows why; a page that is still open behind the proxy ends none.
    let after = link(8).await;
    store.end_by_proxy("Zoë", AT).await.unwrap();
    assert!(
        store
            .sign_in(after, &session(3), AT)
            .await
            .unwrap()
            .is_some()
    );
}

/// Two accounts that an older version let differ in case alone: a session is of the one whom the
/// sign-in would find, and of nobody where it would find none.
#[tokio::test]
async fn a_session_is_of_the_user_whom_the_name_finds() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    let add = async |n: u128, name: &str| {
        let user = User {
            id: id(n),
            name: name.to_owned(),
            role: Role::Operator,
        };
        store.add_user(&user, "Test", AT).await.unwrap();
        user
    };
    let first = add(1, "Zoë").await;
    assert!(
        store.is_called(&first, "zoë").await.unwrap(),
        "the only one"
    );
    let mut second = add(2, "Eve").await;
    store.close().await.unwrap();
    drop(store);
    let options = SqliteConnectOptions::new().filename(folder.path().join("jarvis.db"));
    let mut older = SqliteConnection::connect_with(&options).await.unwrap();
    let rename = "UPDATE users SET name = 'ZOË' WHERE name = 'Eve'";
    sqlx::query(rename).execute(&mut older).await.unwrap();
    older.close().await.unwrap();
    second.name = "ZOË".to_owned();

    let store = Store::open(folder.path()).await.unwrap();
    for (name, expect) in [
        ("Zoë", [true, false]),
        ("ZOË", [false, true]),
        ("zoë", [false, false]),
        ("Eve", [false, false]),
    ] {
        let is_first = store.is_called(&first, name).await.unwrap();
        let is_second = store.is_called(&second, name).await.unwrap();
        assert_eq!([is_first, is_second], expect, "{name}");
    }
    store.close().await.unwrap();
}
