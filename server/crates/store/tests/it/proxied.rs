//! Users whom a reverse proxy vouches for: only those that are its own.

use protocol::{Role, Timestamp, UserId};
use store::{ByProxy, Error, NewSession, Secret, Store, User};
use tempfile::TempDir;

const AT: Timestamp = Timestamp(1_700_000_000_000);

fn id(n: u128) -> UserId {
    UserId::new(AT, n)
}

fn session(n: u8) -> NewSession {
    NewSession {
        secret: Secret([n; 32]),
        expires: Timestamp(AT.0 + 1000),
        address: None,
        browser: None,
        replaces: None,
    }
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
            .sign_in_by_proxy(name, Some(Role::Viewer), new, &session(1), AT)
            .await;
        assert_eq!(found.unwrap(), ByProxy::NotLinked, "{name}");
    }
    assert_eq!(store.accounts().await.unwrap().len(), 1);
    let none = store.session(Secret([1; 32]), AT, Timestamp(0)).await;
    assert_eq!(none.unwrap(), None);

    // Linked, and with a role that leaves no admin: refused, not an admin.
    store
        .link_to_proxy(operator.id, true, "Operator", AT)
        .await
        .unwrap();
    let role = Some(Role::Viewer);
    let last = store
        .sign_in_by_proxy("operator", role, None, &session(2), AT)
        .await;
    assert!(matches!(last, Err(Error::LastAdmin)));
    let none = store.session(Secret([2; 32]), AT, Timestamp(0)).await;
    assert_eq!(none.unwrap(), None);
    let same = store
        .sign_in_by_proxy("operator", Some(Role::Admin), None, &session(3), AT)
        .await;
    assert_eq!(same.unwrap(), ByProxy::In(operator.clone()));

    // Unlinked again: what the proxy began has ended.
    store
        .link_to_proxy(operator.id, false, "Operator", AT)
        .await
        .unwrap();
    let ended = store.session(Secret([3; 32]), AT, Timestamp(0)).await;
    assert_eq!(ended.unwrap(), None);
    assert_eq!(store.proxy_word(operator.id).await.unwrap(), None);
}

#[tokio::test]
async fn who_is_let_in_no_longer_has_nothing_left() {
    let (_folder, store, _) = open().await;
    let new = Some((id(2), Role::Operator));
    let found = store
        .sign_in_by_proxy("Zoë", None, new, &session(1), AT)
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

    // A local account of whatever name is left alone.
    assert_eq!(store.end_by_proxy("operator", AT).await.unwrap(), None);
    assert_eq!(store.end_by_proxy("zoË", AT).await.unwrap(), Some(zoe.id));
    let ended = store.session(Secret([1; 32]), AT, Timestamp(0)).await;
    assert_eq!(ended.unwrap(), None);
    assert_eq!(store.end_by_proxy("Zoë", AT).await.unwrap(), None, "once");
}
