//! Conversations of one toolset, and what they are about.

use agent::ports::{Append, Durability, Epoch, Journal, NewRecord, StoredConversation};
use protocol::{EventBody, MessageId, Mode, Reference, Seq, TurnId, UserId};
use store::Store;

use crate::conversations::{AT, id, open, stored, user};

/// A conversation of somebody with the tools of a toolset.
async fn begin(store: &Store, conversation: StoredConversation, toolset: &str, about: &[&str]) {
    let n = conversation.id;
    let started = EventBody::ConversationStarted {
        title: format!("About {toolset}"),
        model: "model".to_owned(),
        mode: conversation.mode,
        toolsets: vec![toolset.to_owned()],
        from: None,
    };
    let said = |references: Vec<Reference>| EventBody::TurnStarted {
        turn: TurnId::new(AT, 1),
        message: MessageId::new(AT, 1),
        text: "Where does it stand?".to_owned(),
        references,
    };
    let things = about.iter().map(|id| Reference::new("chart", *id));
    let events = [started, said(things.collect())];
    let first = Append {
        conversation: n,
        epoch: Epoch(0),
        head: Seq(0),
        at: AT,
        records: events.into_iter().map(NewRecord::event).collect(),
        command: None,
        durability: Durability::Process,
    };
    store.create(conversation, first).await.unwrap();
}

#[tokio::test]
async fn a_persons_conversations_of_a_toolset_tell_their_subject() {
    let (_folder, store) = open().await;
    begin(&store, stored(1), "markets", &["EURUSD/H1", "GBPUSD/H1"]).await;
    begin(&store, stored(2), "homelab", &["EURUSD/H1"]).await;
    begin(&store, stored(3), "markets", &[]).await;
    let plan = StoredConversation {
        mode: Mode::Plan,
        ..stored(4)
    };
    begin(&store, plan, "markets", &["EURUSD/H1"]).await;
    let others = StoredConversation {
        owner: UserId::new(AT, 2),
        ..stored(5)
    };
    begin(&store, others, "markets", &["EURUSD/H1"]).await;

    let found = store.subjects(user(), "markets", 10).await.unwrap();
    let ids: Vec<_> = found.iter().map(|it| it.id).collect();
    assert_eq!(ids, [id(3), id(1)]);
    assert!(found[0].references.is_empty());
    assert_eq!(
        found[1].references,
        [
            Reference::new("chart", "EURUSD/H1"),
            Reference::new("chart", "GBPUSD/H1")
        ]
    );
    assert_eq!(found[1].title, "About markets");
    let newest = store.subjects(user(), "markets", 1).await.unwrap();
    assert_eq!(newest.len(), 1);
}
