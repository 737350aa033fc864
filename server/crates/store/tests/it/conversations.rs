//! Conversations of one person, for tests that begin with some.

use agent::ports::StoredConversation;
use protocol::{ConversationId, Mode, Timestamp, UserId};
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
