//! Users: their roles, the right to sign in, and that an admin is left.

use agent::ports::{People, SignInWay};
use protocol::{Role, Timestamp, UserId};
use sqlx::Connection;
use store::{
    Error, HowSet, LinkMaker, NewSession, Setter, Store, StoredSecret, StoredToken, SystemEvent,
    User,
};
use tempfile::TempDir;

use crate::older;

const AT: Timestamp = Timestamp(1_700_000_000_000);
const LATER: Timestamp = Timestamp(AT.0 + 1000);

fn id(n: u128) -> UserId {
    UserId::new(AT, n)
}

fn person(n: u128, name: &str, role: Role) -> User {
    User {
        id: id(n),
        name: name.to_owned(),
        role,
    }
}

const END: Timestamp = Timestamp(AT.0 + 1_000_000);

fn secret(n: u8) -> StoredSecret {
    StoredSecret([n; 32])
}

fn session(n: u8) -> NewSession {
    NewSession {
        secret: secret(n),
        expires: END,
        address: Some("192.0.2.1".to_owned()),
        browser: None,
        replaces: None,
    }
}

fn token(id: &str) -> StoredToken {
    StoredToken {
        id: id.to_owned(),
        name: "A program".to_owned(),
        role: Role::Viewer,
        toolsets: None,
        decides: false,
        retired: false,
        created: AT,
        expires: END,
        seen: None,
    }
}

async fn open() -> (TempDir, Store, User) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    let first = store.first_user(id(1), "Ada", AT).await.unwrap();
    (folder, store, first)
}

#[tokio::test]
async fn a_role_counts_at_once() {
    let (_folder, store, ada) = open().await;
    assert_eq!(ada.role, Role::Admin);
    assert_eq!(store.role(id(2)).await.unwrap(), None);
    let vera = person(2, "Vera", Role::Viewer);
    store.add_user(&vera, "Ada", AT).await.unwrap();
    for name in ["Vera", "vera", "ADA"] {
        let twice = store
            .add_user(&person(3, name, Role::Admin), "Ada", AT)
            .await;
        assert!(matches!(twice, Err(Error::NameTaken)), "{name}: {twice:?}");
    }
    for role in [Role::Operator, Role::Admin, Role::Viewer] {
        store.set_role(id(2), role, "Ada", AT).await.unwrap();
        assert_eq!(store.role(id(2)).await.unwrap(), Some(role));
    }
    let gone = store.set_role(id(9), Role::Admin, "Ada", AT).await;
    assert!(matches!(gone, Err(Error::NotFound)), "{gone:?}");

    let events = store.system_events(10).await.unwrap();
    let newest: Vec<_> = events.into_iter().map(|(_, event)| event).collect();
    let set = |role| SystemEvent::RoleSet {
        user: id(2),
        name: "Vera".to_owned(),
        role,
        by: "Ada".to_owned(),
    };
    assert_eq!(
        newest,
        [
            set(Role::Viewer),
            set(Role::Admin),
            set(Role::Operator),
            SystemEvent::UserAdded {
                user: id(2),
                name: "Vera".to_owned(),
                role: Role::Viewer,
                by: "Ada".to_owned(),
            },
        ]
    );
}

#[tokio::test]
async fn an_admin_is_left() {
    let (_folder, store, ada) = open().await;
    let otto = person(2, "Otto", Role::Operator);
    store.add_user(&otto, "Ada", AT).await.unwrap();
    let demoted = store.set_role(ada.id, Role::Viewer, "Ada", AT).await;
    assert!(matches!(demoted, Err(Error::LastAdmin)), "{demoted:?}");
    let shut_out = store.set_disabled(ada.id, true, "Ada", AT).await;
    assert!(matches!(shut_out, Err(Error::LastAdmin)), "{shut_out:?}");
    assert_eq!(store.role(ada.id).await.unwrap(), Some(Role::Admin));

    // Whoever runs the machine gets a link for an admin who is left.
    store.set_role(id(2), Role::Admin, "Ada", AT).await.unwrap();
    store.set_disabled(ada.id, true, "Otto", AT).await.unwrap();
    let first = store.first_user(id(3), "Eve", AT).await.unwrap();
    assert_eq!(first, person(2, "Otto", Role::Admin));
}

#[tokio::test]
async fn who_is_disabled_has_no_session_and_gets_none() {
    let (_folder, store, ada) = open().await;
    let vera = person(2, "Vera", Role::Operator);
    store.add_user(&vera, "Ada", AT).await.unwrap();
    for link in [1, 2, 3] {
        let made = store
            .add_sign_in_link(secret(link), vera.id, &LinkMaker::server(), AT, END)
            .await;
        made.unwrap();
    }
    let signed_in = store.sign_in(secret(1), &session(11), AT).await;
    assert_eq!(signed_in.unwrap(), Some(vera.clone()));
    store
        .set_disabled(vera.id, true, "Ada", LATER)
        .await
        .unwrap();
    assert_eq!(store.role(vera.id).await.unwrap(), None);
    assert_eq!(store.role(ada.id).await.unwrap(), Some(Role::Admin));
    let ended = store.session(secret(11), LATER, Timestamp(0)).await;
    assert_eq!(ended.unwrap(), None);
    let refused = store.sign_in(secret(2), &session(12), LATER).await;
    assert_eq!(refused.unwrap(), None);
    let late = store
        .add_sign_in_link(secret(4), vera.id, &LinkMaker::server(), LATER, END)
        .await;
    assert!(matches!(late, Err(Error::NotFound)), "{late:?}");
    let accounts = store.accounts().await.unwrap();
    let shut_out: Vec<_> = accounts.iter().map(|account| account.disabled).collect();
    assert_eq!(shut_out, [None, Some(LATER)]);

    store
        .set_disabled(vera.id, false, "Ada", LATER)
        .await
        .unwrap();
    assert_eq!(store.role(vera.id).await.unwrap(), Some(Role::Operator));
    // An ended session stays ended.
    let ended = store.session(secret(11), LATER, Timestamp(0)).await;
    assert_eq!(ended.unwrap(), None);
}

#[tokio::test]
async fn tokens_end_with_a_password_if_asked_and_with_a_disabled_user() {
    let (_folder, store, ada) = open().await;
    let vera = person(2, "Vera", Role::Operator);
    store.add_user(&vera, "Ada", AT).await.unwrap();
    let names = async || {
        let tokens = store.tokens(vera.id).await.unwrap();
        tokens.into_iter().map(|token| token.id).collect::<Vec<_>>()
    };
    let add = async |id: &str| {
        store
            .add_token(&vera, &token(id), secret(77), &Setter::default(), AT)
            .await
            .unwrap()
    };
    add("tok_a").await;
    let by = Setter::default();
    store
        .set_password(vera.id, "one", None, false, &by, AT)
        .await
        .unwrap();
    assert_eq!(names().await, ["tok_a"]);
    store
        .set_password(vera.id, "two", None, true, &by, AT)
        .await
        .unwrap();
    assert!(names().await.is_empty());

    add("tok_b").await;
    store.set_disabled(vera.id, true, "Ada", AT).await.unwrap();
    let newest = store.system_events(1).await.unwrap();
    let revoked = SystemEvent::TokenRevoked {
        user: vera.id,
        token: "tok_b".to_owned(),
        name: "A program".to_owned(),
        by: "Ada".to_owned(),
    };
    assert_eq!(newest, [(AT, revoked)]);
    store.set_disabled(vera.id, false, "Ada", AT).await.unwrap();
    assert!(names().await.is_empty(), "let in again without them");
    assert_ne!(ada.id, vera.id);
}

#[tokio::test]
async fn a_password_opens_only_while_it_is_the_password() {
    let (_folder, store, ada) = open().await;
    assert_eq!(store.password("Eve").await.unwrap(), None);
    assert_eq!(
        store.password("ada").await.unwrap(),
        Some((ada.clone(), None))
    );
    let unset = store.sign_in_by_password(ada.id, "", &session(1), AT).await;
    assert_eq!(unset.unwrap(), None);

    store
        .set_password(ada.id, "one", None, false, &Setter::default(), AT)
        .await
        .unwrap();
    let known = Some((ada.clone(), Some("one".to_owned())));
    assert_eq!(store.password("ADA").await.unwrap(), known);
    for n in [1, 2, 3] {
        let begun = store
            .sign_in_by_password(ada.id, "one", &session(n), AT)
            .await;
        assert_eq!(begun.unwrap(), Some(ada.clone()));
    }
    // A session that a browser brings along does not survive beside the new one.
    let instead = NewSession {
        replaces: Some(secret(3)),
        ..session(4)
    };
    let begun = store.sign_in_by_password(ada.id, "one", &instead, AT).await;
    assert!(begun.unwrap().is_some());
    let alive = async |n| {
        let session = store.session(secret(n), LATER, Timestamp(0)).await;
        session
            .unwrap()
            .is_some_and(|session| session.way == SignInWay::Password)
    };
    assert!(alive(1).await && alive(2).await && !alive(3).await && alive(4).await);

    store
        .add_sign_in_link(secret(9), ada.id, &LinkMaker::server(), AT, END)
        .await
        .unwrap();
    let keep = Some(secret(2));
    let by_link = Setter {
        name: "Ada",
        way: Some(SignInWay::Link { by: Some(ada.id) }),
        address: Some("192.0.2.1".to_owned()),
    };
    store
        .set_password(ada.id, "two", keep, false, &by_link, LATER)
        .await
        .unwrap();
    assert!(!alive(1).await && alive(2).await && !alive(4).await);
    let stale = store
        .sign_in_by_password(ada.id, "one", &session(5), LATER)
        .await;
    assert_eq!(stale.unwrap(), None);
    let stale = store.sign_in(secret(9), &session(5), LATER).await;
    assert_eq!(stale.unwrap(), None);
    let newest = store.system_events(1).await.unwrap();
    // The maker of the link may have set it.
    let set = SystemEvent::PasswordSet {
        user: ada.id,
        by: "Ada".to_owned(),
        how: HowSet {
            way: Some("link".to_owned()),
            link_by: Some("Ada".to_owned()),
            address: Some("192.0.2.1".to_owned()),
        },
    };
    assert_eq!(newest, [(LATER, set)]);
}

/// The only user from before there were roles keeps every right.
#[tokio::test]
async fn the_user_of_an_older_database_is_its_admin() {
    let folder = tempfile::tempdir().unwrap();
    let mut old = older::before(7, folder.path()).await;
    sqlx::query("INSERT INTO users (id, name, created) VALUES (?, 'Operator', ?)")
        .bind(id(1).to_string())
        .bind(AT.0)
        .execute(&mut old)
        .await
        .unwrap();
    old.close().await.unwrap();

    let store = Store::open(folder.path()).await.unwrap();
    assert_eq!(store.role(id(1)).await.unwrap(), Some(Role::Admin));
    let first = store.first_user(id(2), "Eve", AT).await.unwrap();
    assert_eq!(first, person(1, "Operator", Role::Admin));
}

#[test]
fn records_from_before_ways_in_had_a_sign_in_stay_as_they_are() {
    let user = "usr_01HF7YAT00000000000000000H";
    for older in [
        format!(
            r#"{{"type":"passkey_added","user":"{user}","passkey":"ab","name":"P","by":"Ada"}}"#
        ),
        format!(
            r#"{{"type":"passkey_removed","user":"{user}","passkey":"ab","name":"P","by":"Ada"}}"#
        ),
        format!(r#"{{"type":"second_factor_set","user":"{user}","on":true,"by":"Ada"}}"#),
        format!(
            r#"{{"type":"token_added","user":"{user}","token":"t","name":"T","role":"viewer","expires":1,"by":"Ada"}}"#
        ),
        format!(
            r#"{{"type":"password_set","user":"{user}","by":"Ada","way":"link","link_by":"Eve"}}"#
        ),
    ] {
        let event: SystemEvent = serde_json::from_str(&older).unwrap();
        assert_ne!(event, SystemEvent::Unknown);
        assert_eq!(serde_json::to_string(&event).unwrap(), older);
    }
}
