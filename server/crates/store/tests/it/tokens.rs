//! Tokens of programs, and the fate of those from before they were random secrets.

use agent::ports::SignInWay;
use protocol::{Role, Timestamp, UserId};
use sqlx::Connection;
use store::{HowSet, Setter, Store, StoredSecret, StoredToken, SystemEvent};

use crate::older;

const AT: Timestamp = Timestamp(1_700_000_000_000);
const END: Timestamp = Timestamp(AT.0 + 1_000_000);

#[tokio::test]
async fn tokens_of_both_older_kinds_are_listed_and_open_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut old = older::before(12, folder.path()).await;
    let ada = UserId::new(AT, 1);
    for statement in [
        "INSERT INTO users (id, name, role, created) VALUES (?1, 'Ada', 'admin', ?2)",
        "INSERT INTO api_tokens (id, hash, user, name, role, created, expires) \
         VALUES ('tok_old', zeroblob(32), ?1, 'Old', 'viewer', ?2, ?2 + 1000000)",
        "INSERT INTO sessions (hash, user, created, seen, expires, by_link) \
         VALUES (zeroblob(32), ?1, ?2, ?2, ?2 + 1000000, 0)",
    ] {
        sqlx::query(statement)
            .bind(ada.to_string())
            .bind(AT.0)
            .execute(&mut old)
            .await
            .unwrap();
    }
    old.close().await.unwrap();
    // And one of the version that signed them.
    let mut old = older::before(29, folder.path()).await;
    for statement in [
        "INSERT INTO signing_keys (name, key, created) VALUES ('api_tokens', zeroblob(32), ?2)",
        "INSERT INTO api_tokens (id, user, name, role, created, expires) \
         VALUES ('tok_signed', ?1, 'Signed', 'admin', ?2 + 1, ?2 + 1000000)",
    ] {
        sqlx::query(statement)
            .bind(ada.to_string())
            .bind(AT.0)
            .execute(&mut old)
            .await
            .unwrap();
    }
    old.close().await.unwrap();

    let store = Store::open(folder.path()).await.unwrap();
    let listed = store.tokens(ada).await.unwrap();
    let told: Vec<_> = listed
        .iter()
        .map(|token| (&*token.id, token.retired, token.decides))
        .collect();
    assert_eq!(
        told,
        [("tok_signed", true, false), ("tok_old", true, false)]
    );
    assert_eq!(store.token(StoredSecret([0; 32]), AT).await.unwrap(), None);
    let kept = store.session(StoredSecret([0; 32]), AT, Timestamp(0)).await;
    assert_eq!(kept.unwrap().unwrap().way, SignInWay::Password);

    let owner = store.first_user(ada, "Ada", AT).await.unwrap();
    let token = StoredToken {
        id: "tok_new".to_owned(),
        name: "New".to_owned(),
        role: Role::Operator,
        toolsets: Some(vec!["homelab".to_owned()]),
        decides: true,
        retired: false,
        created: AT,
        expires: END,
        seen: None,
    };
    let secret = StoredSecret([1; 32]);
    // A token from a session that began with a link may be the link maker's.
    let by_link = Setter {
        name: "Ada",
        way: Some(SignInWay::Link { by: Some(ada) }),
        address: Some("192.0.2.1".to_owned()),
    };
    let added = store.add_token(&owner, &token, secret, &by_link, AT);
    added.await.unwrap();
    let SystemEvent::TokenAdded { how, .. } = &store.system_events(1).await.unwrap()[0].1 else {
        panic!("no token was recorded");
    };
    let expect = HowSet {
        way: Some("link".to_owned()),
        link_by: Some("Ada".to_owned()),
        address: Some("192.0.2.1".to_owned()),
    };
    assert_eq!(*how, expect);
    let found = store.token(secret, AT).await.unwrap();
    assert_eq!(found, Some((owner.clone(), token)));
    assert_eq!(store.token(StoredSecret([2; 32]), AT).await.unwrap(), None);
    assert_eq!(store.token(secret, END).await.unwrap(), None);
    store.revoke_token(&owner, "tok_signed", AT).await.unwrap();
    store.revoke_token(&owner, "tok_new", AT).await.unwrap();
    assert_eq!(store.token(secret, AT).await.unwrap(), None);
}
