//! A conversation knows the newest one that goes on from it, of the same person.

#![expect(clippy::unwrap_used, reason = "tests")]

use agent::ports::{Append, Durability, Epoch, Journal, NewRecord, StoredConversation};
use protocol::{ConversationId, EventBody, Mode, Seq, Timestamp, UserId};
use store::Store;

const AT: Timestamp = Timestamp(1_700_000_000_000);

fn id(n: u128) -> ConversationId {
    ConversationId::new(AT, n)
}

fn user(n: u128) -> UserId {
    UserId::new(AT, n)
}

async fn create(store: &Store, owner: u128, n: u128, from: Option<u128>) {
    let conversation = StoredConversation {
        id: id(n),
        owner: user(owner),
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
            from: from.map(id),
        })],
        command: None,
        durability: Durability::Process,
    };
    store.create(conversation, first).await.unwrap();
}

#[tokio::test]
async fn a_conversation_knows_what_goes_on_from_it() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    create(&store, 1, 1, None).await;
    create(&store, 1, 2, Some(1)).await;
    create(&store, 1, 3, Some(1)).await;
    // Another person's says so too, and is not for these eyes.
    create(&store, 2, 4, Some(1)).await;
    for (n, from, next) in [(1, None, Some(3)), (2, Some(1), None), (3, Some(1), None)] {
        let page = store.conversation_page(user(1), id(n)).await.unwrap();
        assert_eq!(page.summary.from, from.map(id), "{n}");
        assert_eq!(page.next, next.map(id), "{n}");
    }
}
