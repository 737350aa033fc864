//! Conversations of one person, for tests that begin with some.

use agent::ports::{Append, Durability, Epoch, Journal, NewRecord, StoredConversation};
use protocol::{ConversationId, EventBody, Mode, Seq, Timestamp, UserId};
use store::Store;
use tempfile::TempDir;

/// The time at which all of them begin.
pub(crate) const AT: Timestamp = Timestamp(1_700_000_000_000);

pub(crate) fn id(n: u128) -> ConversationId {
    ConversationId::new(AT, n)
}

pub(crate) fn user() -> UserId {
    UserId::new(AT, 1)
}

pub(crate) fn stored(n: u128) -> StoredConversation {
    StoredConversation {
        id: id(n),
        owner: user(),
        mode: Mode::Default,
        model: "model".to_owned(),
    }
}

/// A database with the person.
pub(crate) async fn open() -> (TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    store.first_user(user(), "Ada", AT).await.unwrap();
    (folder, store)
}

/// The first event of a conversation with the tools of a toolset.
pub(crate) fn started(title: &str, mode: Mode, toolset: &str) -> EventBody {
    EventBody::ConversationStarted {
        title: title.to_owned(),
        model: "model".to_owned(),
        mode,
        toolsets: vec![toolset.to_owned()],
        from: None,
    }
}

/// Begins a conversation with these events.
pub(crate) async fn begin(store: &Store, conversation: StoredConversation, events: Vec<EventBody>) {
    let first = Append {
        conversation: conversation.id,
        epoch: Epoch(0),
        head: Seq(0),
        at: AT,
        records: events.into_iter().map(NewRecord::event).collect(),
        command: None,
        durability: Durability::Process,
    };
    store.create(conversation, first).await.unwrap();
}
