//! Tokens of programs, and what becomes of those from before they were signed.

use agent::ports::SignInWay;
use protocol::{Role, Timestamp, UserId};
use sqlx::Connection;
use store::{Secret, Store, Token};

use crate::older;

const AT: Timestamp = Timestamp(1_700_000_000_000);
const END: Timestamp = Timestamp(AT.0 + 1_000_000);

#[tokio::test]
async fn older_tokens_are_listed_and_good_for_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut old = older::before(12, folder.path()).await;
    let ada = UserId::new(AT, 1);
    for statement in [
        "INSERT INTO users (id, name, role, created) VALUES (?1, 'Ada', 'admin', ?2)",
        "INSERT INTO api_tokens (id, hash, user, name, role, created, expires) \
         VALUES ('tok_old', x'01', ?1, 'Old', 'viewer', ?2, ?2 + 1000000)",
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

    let store = Store::open(folder.path()).await.unwrap();
    let listed = store.tokens(ada).await.unwrap();
    assert_eq!(listed.len(), 1);
    assert!(!listed[0].signed && listed[0].toolsets.is_none());
    assert_eq!(store.token("tok_old", AT).await.unwrap(), None);
    let kept = store.session(Secret([0; 32]), AT, Timestamp(0)).await;
    assert_eq!(kept.unwrap().unwrap().way, SignInWay::Password);

    let owner = store.first_user(ada, "Ada", AT).await.unwrap();
    let token = Token {
        id: "tok_new".to_owned(),
        name: "New".to_owned(),
        role: Role::Operator,
        toolsets: Some(vec!["homelab".to_owned()]),
        signed: true,
        created: AT,
        expires: END,
        seen: None,
    };
    store.add_token(&owner, &token, AT).await.unwrap();
    let found = store.token("tok_new", AT).await.unwrap();
    assert_eq!(found, Some((owner.clone(), token)));
    assert_eq!(store.token("tok_new", END).await.unwrap(), None);
    store.revoke_token(&owner, "tok_new", AT).await.unwrap();
    assert_eq!(store.token("tok_new", AT).await.unwrap(), None);

    let keys = [
        store.signing_key("k", [1; 32], AT).await.unwrap(),
        store.signing_key("k", [2; 32], AT).await.unwrap(),
        store.signing_key("l", [2; 32], AT).await.unwrap(),
    ];
    assert_eq!(keys, [[1; 32], [1; 32], [2; 32]]);
}
