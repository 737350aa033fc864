//! A conversation in pages: whole turns, bounded, and nothing lost between them.

use agent::{
    Sight,
    ports::{Append, Durability, Epoch, Journal, NewRecord, StoredConversation},
};
use protocol::{
    CallId, ContentBlock, ConversationId, Cost, Event, EventBody, Grant, GrantId, GrantTerms,
    HistoryPlace, MessageId, Mode, Resolution, Seq, StopReason, Timestamp, TurnId, TurnOutcome,
    Usage, UserId,
};
use sqlx::{Connection, SqliteConnection, sqlite::SqliteConnectOptions};
use store::Store;

const AT: Timestamp = Timestamp(1_700_000_000_000);
const TURNS: u64 = 100;

fn id() -> ConversationId {
    ConversationId::new(AT, 1)
}

fn user() -> UserId {
    UserId::new(AT, 1)
}

/// The clock advances by a second with each turn, and is set back once.
fn at(n: u64) -> Timestamp {
    let back = if n > 70 { 50_000 } else { 0 };
    Timestamp(AT.0 + n as i64 * 1000 - back)
}

fn asked(n: u64) -> MessageId {
    MessageId::new(at(n), u128::from(n) * 2)
}

fn answer(n: u64) -> MessageId {
    MessageId::new(at(n), u128::from(n) * 2 + 1)
}

fn call(n: u64) -> CallId {
    CallId::new(AT, u128::from(n))
}

const USAGE: Usage = Usage {
    input: 3,
    output: 5,
    cache_read: 0,
    cache_write: 0,
    estimated: false,
};

/// Every tenth turn is very long, and its call came to an end much later. A message waits from turn
/// 50 on.
fn turn(n: u64) -> Vec<EventBody> {
    let turn = TurnId::new(AT, u128::from(n));
    let long = n.is_multiple_of(10);
    let mut bodies = vec![
        EventBody::TurnStarted {
            turn,
            message: asked(n),
            // The name of another message in the text is no message.
            text: format!("Question {n}, see \"message\":\"{}\"", answer(n + 1)),
            references: Vec::new(),
        },
        EventBody::AssistantMessage {
            turn,
            message: answer(n),
            blocks: vec![
                ContentBlock::Text {
                    text: "well ".repeat(if long { 80_000 } else { 10 }),
                },
                ContentBlock::ToolUse {
                    call: call(n),
                    name: "start_vm".to_owned(),
                    input: serde_json::json!({}),
                },
            ],
            stop: StopReason::EndTurn,
            usage: USAGE,
            cost: Some(Cost(7)),
        },
        EventBody::TurnFinished {
            turn,
            outcome: TurnOutcome::Answered,
            usage: USAGE,
            cost: Some(Cost(7)),
        },
    ];
    if n == 50 {
        for waits in [1, 2] {
            bodies.push(EventBody::MessageQueued {
                message: MessageId::new(AT, 900 + waits),
                text: "Later".to_owned(),
                references: Vec::new(),
            });
        }
        bodies.push(EventBody::MessageWithdrawn {
            message: MessageId::new(AT, 901),
        });
    }
    if n == 20 {
        let grant = Grant {
            id: GrantId::new(AT, 1),
            tool: "start_vm".to_owned(),
            target: "VM 101".to_owned(),
            sentence: "Start VM 101".to_owned(),
            key: String::new(),
            terms: GrantTerms {
                uses: 2,
                until: Timestamp(AT.0 * 2),
            },
        };
        let by = "Otto".to_owned();
        bodies.push(EventBody::GrantGiven {
            grant,
            by,
            via: None,
        });
    }
    if n == 99 {
        bodies.push(EventBody::OutcomeResolved {
            call: call(10),
            resolution: Resolution::Done,
            by: None,
            via: None,
            message: "It did.".to_owned(),
        });
    }
    bodies
}

async fn fill(store: &Store) {
    let conversation = StoredConversation {
        id: id(),
        owner: user(),
        mode: Mode::Default,
        model: "model-1".to_owned(),
    };
    let append = |head, at, bodies: Vec<EventBody>| Append {
        conversation: id(),
        epoch: Epoch(i64::from(head > 0)),
        head: Seq(head),
        at,
        records: bodies.into_iter().map(NewRecord::event).collect(),
        command: None,
        durability: Durability::Process,
    };
    let first = EventBody::ConversationStarted {
        title: "Long".to_owned(),
        model: "model-1".to_owned(),
        mode: Mode::Default,
        toolsets: Vec::new(),
        from: None,
    };
    let first = append(0, AT, vec![first]);
    store.create(conversation, first).await.unwrap();
    let mut head = 1;
    for n in 1..=TURNS {
        let bodies = turn(n);
        let written = bodies.len() as u64;
        store.append(append(head, at(n), bodies)).await.unwrap();
        head += written;
    }
}

fn turns(events: &[Event]) -> usize {
    let begins = |event: &&Event| matches!(event.body, EventBody::TurnStarted { .. });
    events.iter().filter(begins).count()
}

fn bytes(events: &[Event]) -> usize {
    serde_json::to_string(events).unwrap().len()
}

#[tokio::test]
async fn pages_are_bounded_and_together_all_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    fill(&store).await;
    let all = store.events_after(id(), Seq(0), 10_000).await.unwrap();
    let bounded = |events: &[Event]| {
        assert!(turns(events) <= 16, "{}", turns(events));
        assert!(turns(events) == 1 || bytes(events) < 600_000);
        assert!(matches!(
            events.last().unwrap().body,
            EventBody::TurnFinished { .. }
                | EventBody::OutcomeResolved { .. }
                | EventBody::GrantGiven { .. }
                | EventBody::MessageWithdrawn { .. }
        ));
    };

    let page = store
        .conversation_page(user(), id())
        .await
        .unwrap()
        .by(Sight::Values);
    bounded(&page.events);
    assert_eq!(page.head, all.last().unwrap().seq);
    let before = page.before.unwrap();
    assert_eq!(before.seq.next(), page.events[0].seq);
    let left: Vec<_> = before.events.iter().map(|event| &event.body).collect();
    assert!(
        matches!(
            left.as_slice(),
            [
                EventBody::ConversationStarted { .. },
                EventBody::GrantGiven { .. },
                EventBody::MessageQueued { .. }
            ]
        ),
        "{left:?}"
    );
    let answers = TURNS - turns(&page.events) as u64;
    assert_eq!(before.usage.input, 3 * answers);
    assert_eq!(before.cost, Some(Cost(7 * answers)));

    // Back to the beginning.
    let mut together = page.events.clone();
    let mut seq = before.seq;
    while seq > Seq(0) {
        let place = HistoryPlace::Until { seq };
        let page = store
            .history(user(), id(), place)
            .await
            .unwrap()
            .by(Sight::Values);
        bounded(&page.events);
        assert_eq!(page.events.last().unwrap().seq, seq);
        let has = page.events.iter().any(|event| {
            matches!(&event.body, EventBody::AssistantMessage { message, .. } if *message == answer(10))
        });
        assert_eq!(page.late.len(), usize::from(has));
        seq = page.after;
        together.splice(0..0, page.events);
    }
    assert_eq!(together, all);

    // And forth to the end.
    let mut together = Vec::new();
    loop {
        let seq = Seq(together.len() as u64);
        let place = HistoryPlace::After { seq };
        let page = store
            .history(user(), id(), place)
            .await
            .unwrap()
            .by(Sight::Values);
        if page.events.is_empty() {
            break;
        }
        bounded(&page.events);
        assert_eq!(page.after, seq);
        together.extend(page.events);
    }
    assert_eq!(together, all);

    // To any message, with a little before it.
    for n in [1, 2, 10, 50, 69, 71, 72, 100] {
        for message in [asked(n), answer(n)] {
            let place = HistoryPlace::Around { message };
            let page = store
                .history(user(), id(), place)
                .await
                .unwrap()
                .by(Sight::Values);
            let there = page.events.iter().any(|event| match &event.body {
                EventBody::TurnStarted { message: its, .. }
                | EventBody::AssistantMessage { message: its, .. } => *its == message,
                _ => false,
            });
            assert!(there, "{n}");
            assert!(turns(&page.events) <= 16);
        }
    }
    let place = HistoryPlace::Around {
        message: MessageId::new(AT, 12345),
    };
    let page = store
        .history(user(), id(), place)
        .await
        .unwrap()
        .by(Sight::Values);
    assert_eq!((page.after, page.events), (Seq(0), Vec::new()));
    let stranger = UserId::new(AT, 9);
    assert!(store.history(stranger, id(), place).await.is_err());
}

/// The upgrade of an older database finds the same events as are noted with each write.
#[tokio::test]
async fn an_older_database_has_the_same_pages() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    fill(&store).await;
    let page = store
        .conversation_page(user(), id())
        .await
        .unwrap()
        .by(Sight::Values);
    store.close().await.unwrap();
    drop(store);
    let options = SqliteConnectOptions::new().filename(folder.path().join("jarvis.db"));
    let mut old = SqliteConnection::connect_with(&options).await.unwrap();
    for undo in [
        "DROP TABLE lasting",
        "DELETE FROM _sqlx_migrations WHERE version = 17",
    ] {
        sqlx::query(undo).execute(&mut old).await.unwrap();
    }
    old.close().await.unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    assert_eq!(
        store
            .conversation_page(user(), id())
            .await
            .unwrap()
            .by(Sight::Values),
        page
    );
}
