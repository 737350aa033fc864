//! The lists of conversations: the continuation of one in another, and no own calls.

use agent::{
    Sight,
    ports::{Append, Durability, Epoch, Journal, NewRecord, Shelves, StoredConversation},
};
use protocol::{
    CallId, ConversationId, EventBody, MessageId, Mode, Seq, Shelf, Timestamp, TurnId, UserId,
};
use store::{ListPlace, Store};

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
    // Another person's names it too, and is hidden from this one.
    create(&store, 2, 4, Some(1)).await;
    for (n, from, next) in [(1, None, Some(3)), (2, Some(1), None), (3, Some(1), None)] {
        let page = store
            .conversation_page(user(1), id(n))
            .await
            .unwrap()
            .by(Sight::Values);
        assert_eq!(page.summary.from, from.map(id), "{n}");
        assert_eq!(page.next, next.map(id), "{n}");
    }
}

/// A person's own call, begun at a time, ended or not.
async fn act(store: &Store, n: u128, at: i64, ended: bool) {
    let turn = TurnId::new(AT, n);
    let mut records = vec![
        EventBody::ConversationStarted {
            title: n.to_string(),
            model: String::new(),
            mode: Mode::Default,
            toolsets: Vec::new(),
            from: None,
        },
        EventBody::ActionStarted {
            turn,
            message: MessageId::new(AT, n),
            call: CallId::new(AT, n),
            tool: "start_vm".to_owned(),
            input: serde_json::json!({ "vmid": 101 }),
            by: "Otto".to_owned(),
            relayed: false,
        },
    ];
    if ended {
        records.push(EventBody::TurnFinished {
            turn,
            outcome: protocol::TurnOutcome::Done,
            usage: protocol::Usage::default(),
            cost: None,
        });
    }
    let conversation = StoredConversation {
        id: id(n),
        owner: user(1),
        mode: Mode::Default,
        model: String::new(),
    };
    let first = Append {
        conversation: id(n),
        epoch: Epoch(0),
        head: Seq(0),
        at: Timestamp(at),
        records: records.into_iter().map(NewRecord::event).collect(),
        command: None,
        durability: Durability::Process,
    };
    store.create(conversation, first).await.unwrap();
}

#[tokio::test]
async fn own_calls_are_in_no_list_and_those_that_run_are_told_to_every_tab() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    create(&store, 1, 1, None).await;
    act(&store, 2, AT.0 - 5, false).await;
    act(&store, 3, AT.0 - 5, true).await;
    act(&store, 4, AT.0 + 5, true).await;
    let ids = |lines: Vec<protocol::ConversationSummary>| {
        lines.iter().map(|line| line.id).collect::<Vec<_>>()
    };
    let list = store.conversations(user(1), None, 10).await.unwrap();
    assert_eq!(ids(list), [id(1)]);
    // Calls that changed since, and those that have not ended, however old.
    let since = store.conversations_since(user(1), AT, 10).await.unwrap();
    assert_eq!(since[0].action.as_ref().unwrap().tool, "start_vm");
    assert_eq!(ids(since), [id(4), id(1), id(2)]);
    let other = store.conversations_since(user(2), AT, 10).await.unwrap();
    assert!(other.is_empty());
    assert!(store.conversation_page(user(1), id(2)).await.is_err());
}

/// Folders are there as long as something in them is not archived, and are one user's own.
#[tokio::test]
async fn folders_are_what_is_in_them() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    for n in 1..=3 {
        create(&store, 1, n, None).await;
    }
    create(&store, 2, 4, None).await;
    let later = Timestamp(AT.0 + 10);
    for (n, name) in [(1, "backups"), (2, "Attic"), (3, "backups"), (4, "theirs")] {
        let line = store.put_in_folder(id(n), Some(name), later).await.unwrap();
        assert_eq!((line.folder.as_deref(), line.updated), (Some(name), AT));
    }
    let known = async || {
        let folders = store.folders(user(1)).await.unwrap().into_iter();
        let shown = folders.map(|it| format!("{} {}", it.name, it.conversations));
        shown.collect::<Vec<_>>()
    };
    assert_eq!(known().await, ["Attic 1", "backups 2"]);
    store.shelve(id(3), Shelf::Archived, later).await.unwrap();
    store.put_in_folder(id(2), None, later).await.unwrap();
    assert_eq!(known().await, ["backups 1"]);
    let place = ListPlace::Folder("backups");
    let lines = store.listed(user(1), place, None, 9).await.unwrap();
    assert_eq!(
        lines.iter().map(|line| line.id).collect::<Vec<_>>(),
        [id(1)]
    );
    let since = store.conversations_since(user(1), later, 9).await.unwrap();
    assert_eq!(since.len(), 3, "tabs that were away learn of it");
}

/// Pinned and archived conversations are asked for separately; tabs that were away learn of them.
#[tokio::test]
async fn each_shelf_has_its_lines() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    for n in 1..=4 {
        create(&store, 1, n, None).await;
    }
    let later = Timestamp(AT.0 + 10);
    store.shelve(id(1), Shelf::Pinned, later).await.unwrap();
    store.shelve(id(2), Shelf::Archived, later).await.unwrap();
    let by = user(1).into();
    store.delete(id(3), &by, later).await.unwrap();
    let of = async |shelf| {
        let place = ListPlace::Shelf(shelf);
        let lines = store.listed(user(1), place, None, 9).await.unwrap();
        lines.iter().map(|line| line.id).collect::<Vec<_>>()
    };
    assert_eq!(of(Shelf::Listed).await, [id(4)]);
    assert_eq!(of(Shelf::Pinned).await, [id(1)]);
    assert_eq!(of(Shelf::Archived).await, [id(2)]);
    let since = async |at| {
        let lines = store.conversations_since(user(1), at, 9).await.unwrap();
        lines.iter().map(|line| line.id).collect::<Vec<_>>()
    };
    assert_eq!(since(later).await, [id(2), id(1)]);
    assert!(store.conversation_page(user(1), id(3)).await.is_err());
    store.restore(id(3), &by, later).await.unwrap();
    assert_eq!(since(later).await, [id(3), id(2), id(1)]);
    assert_eq!(since(Timestamp(later.0 + 1)).await, []);
}
