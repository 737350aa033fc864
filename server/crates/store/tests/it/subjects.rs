//! Conversations of one toolset, and what they are about.

use agent::ports::StoredConversation;
use protocol::{EventBody, MessageId, Mode, Reference, TurnId, UserId};
use store::Store;

use crate::conversations::{AT, begin, id, open, started, stored, user};

/// A conversation of somebody with the tools of a toolset, about charts.
async fn begin_about(
    store: &Store,
    conversation: StoredConversation,
    toolset: &str,
    charts: &[&str],
) {
    let references = charts.iter().map(|id| Reference::new("chart", *id));
    let said = EventBody::TurnStarted {
        turn: TurnId::new(AT, 1),
        message: MessageId::new(AT, 1),
        text: "Where does it stand?".to_owned(),
        references: references.collect(),
    };
    let started = started(&format!("About {toolset}"), conversation.mode, toolset);
    begin(store, conversation, vec![started, said]).await;
}

#[tokio::test]
async fn a_persons_conversations_of_a_toolset_tell_their_subject() {
    let (_folder, store) = open().await;
    begin_about(&store, stored(1), "markets", &["EURUSD/H1", "GBPUSD/H1"]).await;
    begin_about(&store, stored(2), "homelab", &["EURUSD/H1"]).await;
    begin_about(&store, stored(3), "markets", &[]).await;
    let plan = StoredConversation {
        mode: Mode::Plan,
        ..stored(4)
    };
    begin_about(&store, plan, "markets", &["EURUSD/H1"]).await;
    let others = StoredConversation {
        owner: UserId::new(AT, 2),
        ..stored(5)
    };
    begin_about(&store, others, "markets", &["EURUSD/H1"]).await;

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
