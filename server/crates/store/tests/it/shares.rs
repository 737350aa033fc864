//! The life of a link under which others read a conversation.

use agent::ports::{
    Append, Durability, Epoch, Journal, NewRecord, Person, Shelves, StoredConversation,
};
use protocol::{ConversationId, EventBody, MAX_SHARES, Mode, Role, Seq, Timestamp, UserId};
use store::{Error, Store, StoredSecret, SystemEvent, User};

const AT: Timestamp = Timestamp(1_700_000_000_000);

fn id(n: u128) -> ConversationId {
    ConversationId::new(AT, n)
}

fn later(ms: i64) -> Timestamp {
    Timestamp(AT.0 + ms)
}

fn secret(n: u8) -> StoredSecret {
    StoredSecret([n; 32])
}

async fn create(store: &Store, owner: UserId, n: u128) {
    let conversation = StoredConversation {
        id: id(n),
        owner,
        mode: Mode::Default,
        model: "model-1".to_owned(),
    };
    let first = Append {
        conversation: id(n),
        epoch: Epoch(0),
        head: Seq(0),
        at: AT,
        records: vec![NewRecord::event(EventBody::ConversationStarted {
            title: n.to_string(),
            model: "model-1".to_owned(),
            mode: Mode::Default,
            toolsets: Vec::new(),
            from: None,
        })],
        command: None,
        durability: Durability::Process,
    };
    store.create(conversation, first).await.unwrap();
}

#[tokio::test]
async fn a_link_leads_to_its_conversation_until_it_ends() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    let ada = store.first_user(UserId::new(AT, 1), "Ada", AT).await;
    let ada = ada.unwrap();
    let eve = User {
        id: UserId::new(AT, 2),
        name: "Eve".to_owned(),
        role: Role::Admin,
    };
    create(&store, ada.id, 1).await;
    create(&store, ada.id, 2).await;

    let ends = Some(later(1000));
    let made = store.make_share(&ada, id(1), secret(1), ends, AT).await;
    let made = made.unwrap();
    assert_eq!((made.made, made.expires), (AT, ends));
    let lasting = store.make_share(&ada, id(1), secret(2), None, later(1));
    let lasting = lasting.await.unwrap();

    // It opens the one conversation, in its owner's name, and nothing else does.
    let shared = store.share_of(secret(1), later(999)).await.unwrap();
    assert_eq!((shared.conversation, &*shared.by), (id(1), "Ada"));
    assert_eq!((shared.owner, &shared.share), (ada.id, &made));
    let gone = |found: Result<store::SharedRow, Error>| matches!(found, Err(Error::NotFound));
    assert!(gone(store.share_of(secret(3), AT).await));
    assert!(gone(store.share_of(secret(1), later(1000)).await));
    store.share_of(secret(2), later(1 << 40)).await.unwrap();

    // Only its owner makes, sees and ends it.
    let strange = store.make_share(&eve, id(1), secret(4), None, AT).await;
    assert!(matches!(strange, Err(Error::NotFound)));
    let strange = store.shares_of(eve.id, id(1), AT).await;
    assert!(matches!(strange, Err(Error::NotFound)));
    for (owner, conversation) in [(&eve, id(1)), (&ada, id(2))] {
        let ended = store.end_share(owner, conversation, &lasting.id, AT).await;
        assert!(matches!(ended, Err(Error::NotFound)));
    }
    let listed = |at| store.shares_of(ada.id, id(1), at);
    assert_eq!(listed(AT).await.unwrap(), [lasting.clone(), made]);
    assert_eq!(
        listed(later(1000)).await.unwrap(),
        std::slice::from_ref(&lasting)
    );

    // Its readers are on record, without the link's secret.
    store.note_opened(&shared, &eve, later(2)).await.unwrap();
    store
        .end_share(&ada, id(1), &lasting.id, later(3))
        .await
        .unwrap();
    assert!(gone(store.share_of(secret(2), later(3)).await));
    let again = store.end_share(&ada, id(1), &lasting.id, later(3)).await;
    assert!(matches!(again, Err(Error::NotFound)));
    let events = store.system_events(4).await.unwrap();
    let events: Vec<_> = events.into_iter().map(|(_, event)| event).collect();
    assert!(matches!(
        &events[..],
        [
            SystemEvent::ShareEnded { share: ended, .. },
            SystemEvent::ShareOpened { owner, by, .. },
            SystemEvent::ConversationShared { expires: None, .. },
            SystemEvent::ConversationShared { expires: Some(_), .. },
        ] if *ended == lasting.id && *owner == ada.id && by == "Eve"
    ));
    assert!(!format!("{events:?}").contains(&"01".repeat(32)));

    // It comes back with a restored conversation, and goes with a removed one.
    let person = Person::from(ada.id);
    store.delete(id(1), &person, later(4)).await.unwrap();
    assert!(gone(store.share_of(secret(1), later(5)).await));
    store.restore(id(1), &person, later(5)).await.unwrap();
    store.share_of(secret(1), later(5)).await.unwrap();
    store.delete(id(1), &person, later(6)).await.unwrap();
    store.remove_deleted(later(6)).await.unwrap();
    assert!(gone(store.share_of(secret(1), later(7)).await));

    for n in 0..MAX_SHARES {
        let secret = secret(10 + u8::try_from(n).unwrap());
        store
            .make_share(&ada, id(2), secret, None, AT)
            .await
            .unwrap();
    }
    let more = store.make_share(&ada, id(2), secret(9), None, AT).await;
    assert!(matches!(more, Err(Error::TooMany)));
}
