//! Which accounts may be one person's.

use protocol::{Role, Timestamp, UserId};
use store::{LinkMaker, Secret, Store, User};
use tempfile::TempDir;

const AT: Timestamp = Timestamp(1_700_000_000_000);
const DAY: i64 = 24 * 60 * 60 * 1000;

fn id(n: u128) -> UserId {
    UserId::new(AT, n)
}

fn later(ms: i64) -> Timestamp {
    Timestamp(AT.0 + ms)
}

/// Ada, the first; Otto, whom the command line made; Petra and Quinn, whom Ada made.
async fn world() -> (TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    let ada = store.first_user(id(1), "Ada", AT).await.unwrap();
    let user = |n: u128, name: &str| User {
        id: id(n),
        name: name.to_owned(),
        role: Role::Operator,
    };
    store.add_user(&user(2, "Otto"), "Test", AT).await.unwrap();
    for (n, name) in [(3, "Petra"), (4, "Quinn")] {
        store.add_user_of(&user(n, name), &ada, AT).await.unwrap();
    }
    (folder, store)
}

#[tokio::test]
async fn who_made_an_account_counts_as_it_for_a_day() {
    let (_folder, store) = world().await;
    let soon = later(DAY - 1);
    for (asker, decider, link_by, now, one) in [
        (1, 2, None, soon, false),
        // Made by the asker, by the decider, and both by somebody else.
        (1, 3, None, soon, true),
        (3, 1, None, soon, true),
        (3, 4, None, soon, true),
        (2, 3, None, soon, false),
        (1, 3, None, later(DAY), false),
        (3, 4, None, later(DAY), false),
        // The session came from a link: of the asker, of the asker's other account, of a third.
        (1, 2, Some(1), later(30 * DAY), true),
        (3, 2, Some(1), soon, true),
        (3, 2, Some(1), later(DAY), false),
        (4, 2, Some(9), soon, false),
    ] {
        let found = store.may_be_one_person(id(asker), id(decider), link_by.map(id), now);
        assert_eq!(
            found.await.unwrap(),
            one,
            "{asker} {decider} {link_by:?} {now:?}"
        );
    }
}

#[tokio::test]
async fn who_re_linked_an_account_counts_as_it_whatever_became_of_the_link() {
    let (_folder, store) = world().await;
    let now = later(3 * DAY);
    let one = async |asker, decider, now| {
        let found = store.may_be_one_person(id(asker), id(decider), None, now);
        found.await.unwrap()
    };
    assert!(!one(1, 2, now).await);
    let by = |user| LinkMaker {
        user,
        ..LinkMaker::server()
    };
    let link = async |n: u8, maker: Option<UserId>, now: Timestamp| {
        let (secret, expires) = (Secret([n; 32]), Timestamp(now.0 + 1000));
        let made = store
            .add_sign_in_link(secret, id(2), &by(maker), now, expires)
            .await;
        made.unwrap();
    };
    // Whoever runs the server is nobody's other account.
    link(1, None, now).await;
    assert!(!one(1, 2, now).await);
    link(2, Some(id(1)), now).await;
    assert!(one(1, 2, now).await && one(2, 1, now).await);
    // It expires, another is made, the password is set, the user is disabled and enabled.
    let after = Timestamp(now.0 + 5000);
    link(3, None, after).await;
    let setter = store::Setter::default();
    store
        .set_password(id(2), "hash", (None, false), &setter, after)
        .await
        .unwrap();
    for disabled in [true, false] {
        store
            .set_disabled(id(2), disabled, "Ada", after)
            .await
            .unwrap();
    }
    assert_eq!(store.link_user(Secret([2; 32]), now).await.unwrap(), None);
    assert_eq!(store.link_user(Secret([3; 32]), after).await.unwrap(), None);
    assert!(one(1, 2, Timestamp(now.0 + DAY - 1)).await);
    assert!(!one(1, 2, Timestamp(now.0 + DAY)).await);
}
