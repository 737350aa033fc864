//! Searching conversations: the hits, their owners, their order, and any typed text.

use agent::ports::{
    Append, Durability, Epoch, Journal, NewRecord, Person, Shelves, StoredConversation,
};
use protocol::{
    CallId, ContentBlock, EventBody, MessageId, Mode, SearchPage, Seq, Shelf, StopReason, TurnId,
    Usage, UserId,
};
use serde_json::json;
use store::Store;

use crate::{
    conversations::{self, AT, begin, id, open, stored},
    older::before,
};

fn user(n: u128) -> UserId {
    UserId::new(AT, n)
}

fn message(n: u128) -> MessageId {
    MessageId::new(AT, n)
}

fn said(text: &str) -> EventBody {
    EventBody::TurnStarted {
        turn: TurnId::new(AT, 1),
        message: message(1),
        text: text.to_owned(),
        references: Vec::new(),
    }
}

/// An answer that thinks, says something, calls a tool, and says something else.
fn answered(texts: [&str; 2]) -> EventBody {
    let text = |text: &str| ContentBlock::Text {
        text: text.to_owned(),
    };
    EventBody::AssistantMessage {
        turn: TurnId::new(AT, 1),
        message: message(2),
        blocks: vec![
            ContentBlock::Thinking {
                text: "a secret thought".to_owned(),
            },
            text(texts[0]),
            ContentBlock::ToolUse {
                call: CallId::new(AT, 1),
                name: "get_vms".to_owned(),
                input: json!({ "node": "a secret input" }),
            },
            text(texts[1]),
        ],
        stop: StopReason::EndTurn,
        usage: Usage::default(),
        cost: None,
    }
}

fn started(title: &str, toolset: &str) -> EventBody {
    conversations::started(title, Mode::Default, toolset)
}

async fn create(store: &Store, owner: u128, n: u128, events: Vec<EventBody>) {
    let conversation = StoredConversation {
        owner: user(owner),
        ..stored(n)
    };
    begin(store, conversation, events).await;
}

/// The numbers of conversation and event of each hit, in their order.
fn places(page: &SearchPage) -> Vec<(u128, u64)> {
    let number = |hit: &protocol::SearchHit| (1..9).find(|n| id(*n) == hit.conversation);
    let hits = page.hits.iter();
    hits.map(|hit| (number(hit).unwrap(), hit.seq.0)).collect()
}

async fn find(store: &Store, text: &str) -> Vec<(u128, u64)> {
    places(&store.search(user(1), None, text, 0, 50).await.unwrap())
}

/// Three conversations of one person, one of another.
async fn fill(store: &Store) {
    let answer = answered(["All backups are fresh.", "The storage nas-2 is at 71 %."]);
    let events = vec![
        started("Morning round", "homelab"),
        said("Läuft der Cluster?"),
        answer,
    ];
    create(store, 1, 1, events).await;
    let events = vec![started("Backup of nas", "homelab"), said("Is it done?")];
    create(store, 1, 2, events).await;
    let events = vec![
        started("Prices", "markets"),
        said("Did the backup of the ledger, which is a long text with many words, work?"),
    ];
    create(store, 1, 3, events).await;
    create(
        store,
        2,
        4,
        vec![started("Backup", "homelab"), said("backup")],
    )
    .await;
}

#[tokio::test]
async fn what_was_said_is_found_and_nothing_else() {
    let (_folder, store) = open().await;
    fill(&store).await;
    for (text, expect) in [
        // A title before a text, a short text before a long one; whole words of the title count.
        ("backup", vec![(2, 0), (1, 3), (3, 2)]),
        ("back", vec![(2, 0), (1, 3), (3, 2)]),
        // All words, the last one as a beginning.
        ("backup led", vec![(3, 2)]),
        ("back ledger", vec![]),
        ("ledger nas", vec![]),
        ("LAUFT cluster", vec![(1, 2)]),
        ("nas-2", vec![(1, 3)]),
        ("round", vec![(1, 0)]),
        // The model's thinking and the inputs of its tools are not searched.
        ("secret", vec![]),
        ("get_vms", vec![]),
        ("", vec![]),
        ("?!", vec![]),
    ] {
        assert_eq!(find(&store, text).await, expect, "{text:?}");
    }
    let page = store.search(user(1), None, "nas-2 sto", 0, 50).await;
    let hit = page.unwrap().hits.remove(0);
    assert_eq!((hit.message, hit.block), (Some(message(2)), Some(3)));
    assert_eq!((hit.title.as_str(), hit.at), ("Morning round", AT));
    let marked = hit.spans.iter().filter(|span| span.marked);
    let marked: Vec<_> = marked.map(|span| span.text.as_str()).collect();
    assert_eq!(marked, ["storage", "nas-2"]);

    // Page by page, for its owner, as far as a sign-in reaches.
    let first = store.search(user(1), None, "backup", 0, 2).await.unwrap();
    assert!(first.more);
    let rest = store.search(user(1), None, "backup", 2, 2).await.unwrap();
    assert_eq!((places(&rest), rest.more), (vec![(3, 2)], false));
    let theirs = store.search(user(2), None, "backup", 0, 9).await.unwrap();
    assert_eq!(places(&theirs), [(4, 0), (4, 2)]);
    let markets = ["markets".to_owned()];
    let narrow = store.search(user(1), Some(&markets), "backup", 0, 9).await;
    assert_eq!(places(&narrow.unwrap()), [(3, 2)]);
}

#[tokio::test]
async fn the_index_follows() {
    let (_folder, store) = open().await;
    fill(&store).await;
    let renamed = Append {
        conversation: id(2),
        epoch: Epoch(1),
        head: Seq(2),
        at: AT,
        records: vec![NewRecord::event(EventBody::TitleChanged {
            title: "Weekly check".to_owned(),
        })],
        command: None,
        durability: Durability::Process,
    };
    store.append(renamed).await.unwrap();
    assert_eq!(find(&store, "backup").await, [(1, 3), (3, 2)]);
    assert_eq!(find(&store, "weekly").await, [(2, 0)]);
    store.shelve(id(2), Shelf::Archived, AT).await.unwrap();
    let page = store.search(user(1), None, "weekly", 0, 9).await.unwrap();
    assert_eq!(page.hits[0].shelf, Shelf::Archived);

    // Deleted is gone at once, restored is there again, removed is forgotten.
    let by = Person::from(user(1));
    store.delete(id(2), &by, AT).await.unwrap();
    assert_eq!(find(&store, "weekly").await, []);
    store.restore(id(2), &by, AT).await.unwrap();
    assert_eq!(find(&store, "weekly").await, [(2, 0)]);
    store.delete(id(2), &by, AT).await.unwrap();
    assert_eq!(store.remove_deleted(AT).await.unwrap(), None);
    assert_eq!(find(&store, "weekly").await, []);
    // Its place in the index is free for another.
    create(&store, 1, 5, vec![started("Evening", "homelab")]).await;
    assert_eq!(find(&store, "weekly").await, []);
    assert_eq!(find(&store, "done").await, []);
    assert_eq!(find(&store, "even").await, [(5, 0)]);
}

#[tokio::test]
async fn nothing_that_is_typed_is_a_mistake() {
    let (_folder, store) = open().await;
    let text = "Ünïcode AND \"quoted\" NEAR(x) née-2 NOT";
    create(&store, 1, 1, vec![started("t", "homelab"), said(text)]).await;
    for (text, found) in [
        ("and", 1),
        ("AND", 1),
        ("NOT", 1),
        ("unicode OR", 0),
        ("\"quoted", 1),
        ("quoted\" OR \"x", 0),
        ("NEAR(x)", 1),
        ("near(", 1),
        ("title:t", 0),
        ("{text} : x", 0),
        ("x*", 1),
        ("^x", 1),
        ("- x", 1),
        ("nee-2", 1),
        ("' OR 1=1 --", 0),
        ("\u{0}", 0),
        ("a\u{0}b", 0),
        ("\u{301}\u{903}", 0),
        ("😀", 0),
        ("%_", 0),
    ] {
        assert_eq!(find(&store, text).await.len(), found, "{text:?}");
    }
    let long = "unicode ".repeat(5000) + &"x".repeat(100_000);
    assert_eq!(find(&store, &long).await.len(), 1);
}

/// The conversations of an older database are found as well.
#[tokio::test]
async fn what_is_there_already_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let mut old = before(15, folder.path()).await;
    let conversation = |key: u32, action: &str| {
        format!(
            "INSERT INTO conversations (key, id, owner, mode, model, title, created, updated, head, \
             epoch, messages, input, output, cache_read, cache_write, cost, running, action) \
             VALUES ({key}, '{}', '{}', 'default', 'm', 'Morning round', 1, 1, 3, 1, 0, 0, 0, 0, 0, \
             0, 0, {action})",
            id(key.into()),
            user(1),
        )
    };
    let event = |key: u32, seq: u32, body: &EventBody| {
        let body = serde_json::to_string(body).unwrap().replace('\'', "''");
        format!(
            "INSERT INTO events (conversation, seq, at, body) VALUES ({key}, {seq}, 1, '{body}')"
        )
    };
    let answer = answered(["All backups are fresh.", "nas is full"]);
    for statement in [
        conversation(1, "NULL"),
        event(1, 1, &started("Morning round", "homelab")),
        event(1, 2, &said("How is it?")),
        event(1, 3, &answer),
        conversation(2, "'{\"tool\":\"t\",\"input\":{}}'"),
    ] {
        let statement = sqlx::AssertSqlSafe(statement);
        sqlx::query(statement).execute(&mut old).await.unwrap();
    }
    sqlx::Connection::close(old).await.unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    assert_eq!(find(&store, "morning").await, [(1, 0)]);
    assert_eq!(find(&store, "how").await, [(1, 2)]);
    assert_eq!(find(&store, "fresh nas").await, [(1, 3)]);
    assert_eq!(find(&store, "secret").await, []);
    let list = store.conversations(user(1), None, 9).await.unwrap();
    assert_eq!(list[0].shelf, Shelf::Listed);
}
