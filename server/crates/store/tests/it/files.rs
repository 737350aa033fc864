//! Files: their owners, and their removal.

use agent::ports::{
    Append, Branches, Branching, Durability, Epoch, Files, Journal, NewRecord, Person, Shelves,
    StoredFile,
};
use protocol::{EventBody, MessageId, Mode, Reference, Seq, Timestamp, TurnId};
use store::Store;

use crate::conversations::{AT, id, stored, user};

const DAY: i64 = 24 * 60 * 60 * 1000;

fn later(ms: i64) -> Timestamp {
    Timestamp(AT.0 + ms)
}

fn append(n: u128, head: u64, records: Vec<NewRecord>) -> Append {
    Append {
        conversation: id(n),
        epoch: Epoch(0),
        head: Seq(head),
        at: AT,
        records,
        command: None,
        durability: Durability::Process,
    }
}

fn said(references: Vec<Reference>) -> NewRecord {
    NewRecord::event(EventBody::TurnStarted {
        turn: TurnId::new(AT, 1),
        message: MessageId::new(AT, 1),
        text: "Look".to_owned(),
        references,
    })
}

async fn keep(store: &Store, text: &str, at: Timestamp) -> StoredFile {
    let file = StoredFile::new(text.as_bytes().to_vec()).unwrap();
    store.keep(user(), &file, at).await.unwrap();
    file
}

async fn has(store: &Store, file: &StoredFile) -> bool {
    store.kept(user(), &file.id).await.unwrap().is_some()
}

#[tokio::test]
async fn files_go_when_nothing_uses_them() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    store.first_user(user(), "Ada", AT).await.unwrap();
    let person = Person::from(user());

    let used = keep(&store, "used", AT).await;
    let held = keep(&store, "held", AT).await;
    let unused = keep(&store, "unused", AT).await;
    let began = NewRecord::event(EventBody::ConversationStarted {
        title: "Look".to_owned(),
        model: "model".to_owned(),
        mode: Mode::Default,
        toolsets: Vec::new(),
        from: None,
    });
    let records = vec![began, said(vec![used.reference("used.txt")])];
    store
        .create(stored(1), append(1, 0, records))
        .await
        .unwrap();
    // A branch uses the files above it and those of its own message.
    let branching = Branching {
        conversation: stored(2),
        parent: id(1),
        parent_head: Seq(2),
        until: Seq(1),
    };
    let records = vec![said(vec![used.reference("used.txt")])];
    store
        .branch(branching, append(2, 1, records))
        .await
        .unwrap();

    // A message that waits may hold one for longer.
    let again = store.hold_file(user(), &held.id, later(DAY)).await;
    assert_eq!(again.unwrap(), Some(held.clone()));
    let newer = keep(&store, "newer", later(DAY)).await;
    assert!(has(&store, &used).await && has(&store, &held).await && has(&store, &newer).await);
    assert!(!has(&store, &unused).await, "a day has passed");

    // Files that only the conversation used are removed with it and its branches, and no others
    // are.
    store.delete(id(1), &person, later(DAY)).await.unwrap();
    store.remove_deleted(later(DAY)).await.unwrap();
    assert!(!has(&store, &used).await);
    assert!(has(&store, &held).await && has(&store, &newer).await);
}
