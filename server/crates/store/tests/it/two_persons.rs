//! Accounts that may be one person's.

use agent::ports::{
    Append, Durability, Epoch, Journal, JournalError, NewRecord, SecondPersons, StoredConversation,
};
use protocol::{
    CallId, CommandId, ConversationId, EventBody, Mode, Role, Seq, Timestamp, TurnId, UserId,
    Verdict,
};
use serde_json::json;
use store::{LinkMaker, Store, StoredSecret, User};
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
        let mut deciders = vec![id(decider)];
        deciders.extend(link_by.map(id));
        let askers = [id(asker)];
        for (one_side, other) in [(&askers[..], &deciders[..]), (&deciders, &askers)] {
            let found = store.may_be_one(one_side, other, now).await;
            assert_eq!(found.unwrap(), one, "{asker} {decider} {link_by:?} {now:?}");
        }
    }
}

#[tokio::test]
async fn who_re_linked_an_account_counts_as_it_whatever_became_of_the_link() {
    let (_folder, store) = world().await;
    let now = later(3 * DAY);
    let one = async |asker, decider, now| {
        let (asker, decider) = ([id(asker)], [id(decider)]);
        let found = store.may_be_one(&asker, &decider, now);
        found.await.unwrap()
    };
    assert!(!one(1, 2, now).await);
    let by = |user| LinkMaker {
        user,
        ..LinkMaker::server()
    };
    let link = async |n: u8, maker: Option<UserId>, now: Timestamp| {
        let (secret, expires) = (StoredSecret([n; 32]), Timestamp(now.0 + 1000));
        let made = store
            .add_sign_in_link(secret, id(2), &by(maker), now, expires)
            .await;
        made.unwrap();
    };
    // Whoever runs the server is nobody's second account.
    link(1, None, now).await;
    assert!(!one(1, 2, now).await);
    link(2, Some(id(1)), now).await;
    assert!(one(1, 2, now).await && one(2, 1, now).await);
    // It expires, another is made, the password is set, the user is disabled and enabled.
    let after = Timestamp(now.0 + 5000);
    link(3, None, after).await;
    let setter = store::Setter::default();
    store
        .set_password(id(2), "hash", None, false, &setter, after)
        .await
        .unwrap();
    for disabled in [true, false] {
        store
            .set_disabled(id(2), disabled, "Ada", after)
            .await
            .unwrap();
    }
    assert_eq!(
        store.link_user(StoredSecret([2; 32]), now).await.unwrap(),
        None
    );
    assert_eq!(
        store.link_user(StoredSecret([3; 32]), after).await.unwrap(),
        None
    );
    assert!(one(1, 2, Timestamp(now.0 + DAY - 1)).await);
    assert!(!one(1, 2, Timestamp(now.0 + DAY)).await);
}

#[tokio::test]
async fn who_linked_an_account_to_the_proxy_counts_as_it() {
    let (_folder, store) = world().await;
    let now = later(3 * DAY);
    let one = async |asker, decider, now| {
        let (asker, decider) = ([id(asker)], [id(decider)]);
        let found = store.may_be_one(&asker, &decider, now);
        found.await.unwrap()
    };
    let by = |user| LinkMaker {
        user,
        ..LinkMaker::server()
    };
    let link = async |linked, admin: Option<UserId>, now| {
        let by = by(admin);
        let done = store.link_to_proxy(id(2), linked, &by, now);
        done.await.unwrap();
    };
    link(true, None, now).await;
    assert!(!one(1, 2, now).await);
    link(true, Some(id(1)), now).await;
    assert!(one(1, 2, now).await && one(2, 1, now).await);
    // Nobody's later change hides it.
    link(false, Some(id(9)), now).await;
    link(true, None, now).await;
    assert!(one(1, 2, later(4 * DAY - 1)).await);
    assert!(!one(1, 2, later(4 * DAY)).await);
}

/// The card of a call that wants two persons, and an approval of it. `link_by` is the maker of the
/// link with which the deciding session began.
fn card(number: u128, link_by: Option<UserId>) -> [NewRecord; 2] {
    let (turn, call) = (TurnId::new(AT, number), CallId::new(AT, number));
    let card = json!({
        "revision": 1, "digest": "d", "sentence": "Stops VM 101.", "target": "VM 101",
        "tier": "red", "input": {}, "facts": [], "origins": [], "risks": [],
        "assurance": { "type": "press" }, "grantable": false, "expires": 0,
        "second": { "asker": "Ada", "why": "It cannot be undone." },
    });
    let asked = EventBody::ConfirmationRequested {
        turn,
        call,
        confirmation: Box::new(serde_json::from_value(card).unwrap()),
    };
    let approved = EventBody::ConfirmationDecided {
        turn,
        call,
        digest: "d".to_owned(),
        verdict: Verdict::Approved,
        by: None,
        via: None,
    };
    let second = json!({ "second": { "confirmed_by": { "link_by": link_by } } });
    [asked, approved].map(|body| NewRecord::event(body).audited(second.clone()))
}

#[tokio::test]
async fn the_write_of_an_approval_is_refused_to_who_may_be_the_asker() {
    let (_folder, store) = world().await;
    let soon = later(DAY - 1);
    let none: &[u128] = &[];
    for (n, (asker, links, decider, link_by, at, written)) in [
        // Petra was made by Ada, Otto by nobody.
        (1, none, 3, None, soon, false),
        (3, none, 1, None, soon, false),
        (3, none, 4, None, soon, false),
        (1, none, 2, None, soon, true),
        (1, none, 3, None, later(DAY), true),
        // The deciding session began with a link of the asker, or of somebody close to the asker.
        (1, none, 2, Some(1), later(30 * DAY), false),
        (3, none, 2, Some(1), soon, false),
        (1, none, 2, Some(9), soon, true),
        // The asking session began with a link of the decider, or of somebody close to the decider.
        (2, &[1], 1, None, later(30 * DAY), false),
        (2, &[9, 1], 1, None, later(30 * DAY), false),
        (2, &[1], 3, None, soon, false),
        (2, &[1], 9, Some(1), later(30 * DAY), false),
        (2, &[1], 3, None, later(30 * DAY), true),
    ]
    .into_iter()
    .enumerate()
    {
        let what = format!("{asker} {links:?} {decider} {link_by:?} {at:?}");
        let number = u128::try_from(n).unwrap();
        let conversation = StoredConversation {
            id: ConversationId::new(AT, number),
            owner: id(asker),
            mode: Mode::Default,
            model: "model-1".to_owned(),
        };
        let [asked, approved] = card(number, link_by.map(id));
        let mut records = vec![NewRecord::event(EventBody::ConversationStarted {
            title: "T".to_owned(),
            model: "model-1".to_owned(),
            mode: Mode::Default,
            toolsets: Vec::new(),
            from: None,
        })];
        let by_link = |by: &u128| NewRecord::event(EventBody::AskedByLink { by: id(*by) });
        records.extend(links.iter().map(by_link));
        records.push(asked);
        let place = conversation.id;
        let append = |epoch, head, at, records, command| Append {
            conversation: place,
            epoch: Epoch(epoch),
            head,
            at,
            records,
            command,
            durability: Durability::Process,
        };
        let first = append(0, Seq(0), AT, records, None);
        let begun = store.create(conversation, first).await.unwrap();
        let head = begun.records.last().unwrap().event.seq;
        let command = Some((id(decider), CommandId::new(AT, number)));
        let decision = append(1, head, at, vec![approved], command);
        match store.append(decision).await {
            Ok(_) => assert!(written, "{what}"),
            Err(JournalError::Conflict { head: same }) => {
                assert_eq!((same, written), (head, false), "{what}");
            }
            Err(error) => panic!("{what}: {error}"),
        }
    }
}
