//! The journal on SQLite keeps the contract, also across tasks, threads and restarts.

use std::sync::Arc;

use agent::ports::{
    Append, Correlation, Durability, Epoch, Journal, JournalError, NewRecord, StoredConversation,
    Trace,
};
use protocol::{
    CallId, CommandId, ConversationId, EventBody, Mode, Seq, Timestamp, TurnId, UserId, Verdict,
};
use sqlx::Connection as _;
use store::Store;
use testkit::journal_contract;

use crate::older::before;

const AT: Timestamp = Timestamp(1_700_000_000_000);

fn id(n: u128) -> ConversationId {
    ConversationId::new(AT, n)
}

fn write(n: u128, head: u64, title: &str) -> Append {
    Append {
        conversation: id(n),
        epoch: Epoch(1),
        head: Seq(head),
        at: AT,
        records: vec![NewRecord::event(EventBody::TitleChanged {
            title: title.to_owned(),
        })],
        command: None,
        durability: Durability::Process,
    }
}

async fn create(store: &Store, n: u128) {
    let conversation = StoredConversation {
        id: id(n),
        owner: UserId::new(AT, 1),
        mode: Mode::Default,
        model: "model-1".to_owned(),
    };
    let first = Append {
        epoch: Epoch(0),
        ..write(n, 0, "first")
    };
    store.create(conversation, first).await.unwrap();
}

#[tokio::test]
async fn the_contract() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    journal_contract::run(Arc::new(store.clone()), 1).await;
    // Again, in a journal that is not empty.
    journal_contract::run(Arc::new(store), 2).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_of_32_tasks_wins() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    create(&store, 1).await;
    for head in 1..10 {
        let tasks: Vec<_> = (0..32)
            .map(|racer| {
                let store = store.clone();
                tokio::spawn(async move { store.append(write(1, head, &racer.to_string())).await })
            })
            .collect();
        let mut wins = 0;
        for task in tasks {
            match task.await.unwrap() {
                Ok(_) => wins += 1,
                Err(JournalError::Conflict { head: now }) => assert_eq!(now, Seq(head + 1)),
                Err(error) => panic!("{error}"),
            }
        }
        assert_eq!(wins, 1);
    }
}

/// Deciders in their own tasks, each with another digest of the card or the right one, over and
/// over.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_of_32_tasks_decides() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    create(&store, 1).await;
    for round in 0..8_u64 {
        let call = CallId::new(AT, u128::from(round));
        let turn = TurnId::new(AT, 1);
        let confirmation = serde_json::from_value(serde_json::json!({
            "revision": 1, "digest": "shown", "sentence": "Stops VM 101.", "target": "VM 101",
            "tier": "red", "input": {}, "assurance": { "type": "press" }, "expires": 0,
        }));
        let asked = EventBody::ConfirmationRequested {
            turn,
            call,
            confirmation: Box::new(confirmation.unwrap()),
        };
        let head = 1 + 2 * round;
        let append = move |head: u64, body| Append {
            records: vec![NewRecord::event(body).audited(serde_json::json!({}))],
            durability: Durability::Power,
            ..write(1, head, "")
        };
        store.append(append(head, asked)).await.unwrap();
        let tasks: Vec<_> = (0..32_u64)
            .map(|racer| {
                let store = store.clone();
                tokio::spawn(async move {
                    let decided = EventBody::ConfirmationDecided {
                        turn,
                        call,
                        digest: if racer % 4 == 0 { "other" } else { "shown" }.to_owned(),
                        verdict: Verdict::Approved,
                        by: Some(racer.to_string()),
                        via: None,
                    };
                    let first = store.append(append(head + 1, decided.clone())).await;
                    match first {
                        // Again with the newest head, like a client that does not give up.
                        Err(_) => store.append(append(head + 2, decided)).await.map(|_| racer),
                        Ok(_) => Ok(racer),
                    }
                })
            })
            .collect();
        let mut wins = Vec::new();
        for task in tasks {
            match task.await.unwrap() {
                Ok(racer) => wins.push(racer),
                Err(JournalError::Conflict { .. }) => {}
                Err(error) => panic!("{error}"),
            }
        }
        assert_eq!(wins.len(), 1, "{wins:?}");
        assert_ne!(wins[0] % 4, 0, "with the digest that was shown");
        assert_eq!(store.head(id(1)).await.unwrap(), Seq(head + 2));
    }
}

#[tokio::test]
async fn everything_is_there_after_reopening() {
    let folder = tempfile::tempdir().unwrap();
    let user = UserId::new(AT, 1);
    let command = CommandId::new(AT, 1);
    let store = Store::open(folder.path()).await.unwrap();
    create(&store, 1).await;
    assert_eq!(store.claim(id(1)).await.unwrap(), Epoch(2));
    let written = Append {
        epoch: Epoch(2),
        command: Some((user, command)),
        ..write(1, 1, "second")
    };
    store.append(written).await.unwrap();
    let before = format!("{:?}", store.records(id(1)).await.unwrap());
    let list = store.conversations(user, None, 10).await.unwrap();
    // Without closing first, as after a crash.
    drop(store);

    let store = Store::open(folder.path()).await.unwrap();
    assert_eq!(format!("{:?}", store.records(id(1)).await.unwrap()), before);
    assert_eq!(store.conversations(user, None, 10).await.unwrap(), list);
    assert!(store.has_command(user, command).await.unwrap());
    assert_eq!(
        store.command_head(user, command).await.unwrap(),
        Some(Seq(1))
    );
    let other = store.command_head(UserId::new(AT, 2), command).await;
    assert_eq!(other.unwrap(), None, "commands are of a person");
    let fenced = store.append(write(1, 2, "stale")).await;
    assert!(matches!(fenced, Err(JournalError::Fenced)), "{fenced:?}");
    assert_eq!(store.claim(id(1)).await.unwrap(), Epoch(3));
}

#[tokio::test]
async fn a_record_keeps_its_trace() {
    let folder = tempfile::tempdir().unwrap();
    let mut old = before(35, folder.path()).await;
    let insert = "INSERT INTO conversations (key, id, owner, mode, model, title, created, updated, \
                  head, epoch, messages, input, output, cache_read, cache_write, cost, running) \
                  VALUES (1, ?, ?, 'default', 'model-1', '', 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0)";
    sqlx::query(insert)
        .bind(id(1).to_string())
        .bind(UserId::new(AT, 1).to_string())
        .execute(&mut old)
        .await
        .unwrap();
    let event = "INSERT INTO events (conversation, seq, at, body) \
                 VALUES (1, 1, 0, '{\"type\":\"title_changed\",\"title\":\"old\"}')";
    sqlx::query(event).execute(&mut old).await.unwrap();
    old.close().await.unwrap();

    let store = Store::open(folder.path()).await.unwrap();
    let trace = Trace {
        correlation: Correlation::parse("job-17"),
        model_request: Some("req_1".to_owned()),
    };
    let mut marked = write(1, 1, "new");
    marked.records[0].trace = trace.clone();
    store.append(marked).await.unwrap();
    store.append(write(1, 2, "newest")).await.unwrap();
    let events = store.events_after(id(1), Seq(0), 10).await.unwrap();
    assert_eq!(events.len(), 3);
    let traces = store.traces(id(1)).await.unwrap();
    assert_eq!(traces, [(Seq(2), trace)]);
    store.close().await.unwrap();
}

#[tokio::test]
async fn a_command_of_before_has_no_head() {
    let folder = tempfile::tempdir().unwrap();
    let (user, command) = (UserId::new(AT, 1), CommandId::new(AT, 1));
    let mut old = before(34, folder.path()).await;
    sqlx::query("INSERT INTO commands (user, id, at) VALUES (?, ?, 0)")
        .bind(user.to_string())
        .bind(command.to_string())
        .execute(&mut old)
        .await
        .unwrap();
    old.close().await.unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    assert!(store.has_command(user, command).await.unwrap());
    assert_eq!(store.command_head(user, command).await.unwrap(), None);
}
