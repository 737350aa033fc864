//! Messages of webhooks: queued once, delivered at least once, and endpoints that are disabled.

use std::sync::Mutex;

use agent::{
    Sight, Unseen,
    ports::{
        Append, Branches, Branching, Correlation, Durability, Epoch, Journal, NewRecord,
        NoticeChange, NoticeRecords, Person, Shelves,
    },
};
use protocol::{
    BlockedReason, CallId, CommandId, Event, EventBody, MessageId, Notice, NoticeId, Seq,
    Timestamp, TurnId, TurnOutcome, Usage,
};
use serde_json::Value;
use sqlx::{Connection as _, SqliteConnection, sqlite::SqliteConnectOptions};
use store::{
    DeliveryEnd, EndpointChange, EndpointTrouble, OwnCallEnd, PlainEvent, Store, SystemEvent,
    WebhookEvent, WebhookFact, WebhookMessage,
};

use crate::{
    conversations::{AT, id, open, stored, user},
    older::before,
};

const DAY: i64 = 24 * 60 * 60 * 1000;

fn at(ms: i64) -> Timestamp {
    Timestamp(AT.0 + ms)
}

/// The start and the end of a turn.
fn turn(n: u128) -> Vec<NewRecord> {
    let turn = TurnId::new(AT, n);
    vec![
        NewRecord::event(EventBody::TurnStarted {
            turn,
            message: MessageId::new(AT, n),
            text: r#"{"type":"turn_finished"}"#.to_owned(),
            references: Vec::new(),
        }),
        NewRecord::event(EventBody::TurnFinished {
            turn,
            outcome: TurnOutcome::Answered,
            usage: Usage::default(),
            cost: None,
        }),
    ]
}

fn append(n: u128, head: u64, records: Vec<NewRecord>) -> Append {
    Append {
        conversation: id(n),
        epoch: Epoch(1),
        head: Seq(head),
        at: AT,
        records,
        command: None,
        durability: Durability::Process,
    }
}

/// A conversation with one turn: events 1 and 2.
async fn talked(store: &Store, n: u128) {
    let first = Append {
        epoch: Epoch(0),
        ..append(n, 0, turn(n))
    };
    store.create(stored(n), first).await.unwrap();
}

fn notice(n: u128) -> Notice {
    Notice {
        id: NoticeId::new(AT, n),
        system: "homelab".to_owned(),
        key: format!("node/{n}/down"),
        kind: "node".to_owned(),
        grave: true,
        about: "node agent1".to_owned(),
        text: "Node agent1 is offline.".to_owned(),
        since: AT,
        seen: AT,
        acknowledged: None,
        ended: None,
    }
}

async fn raise(store: &Store, n: u128) {
    let raised = [NoticeChange::Raised(notice(n))];
    store.change_notices(&raised, AT).await.unwrap();
}

/// The only words that these tests need, for both endpoints.
fn message(fact: WebhookFact) -> Option<WebhookMessage> {
    let id = match fact.event {
        WebhookEvent::Conversation {
            conversation,
            event,
            ..
        } => format!("{conversation}/{}", event.by(Sight::Tokens).seq.0),
        WebhookEvent::System(event) => match *event {
            SystemEvent::NoticeRaised { notice, .. } => format!("{notice}/raised"),
            SystemEvent::NoticeEnded { notice, .. } => format!("{notice}/resolved"),
            other => panic!("{other:?} is no message"),
        },
    };
    Some(WebhookMessage {
        body: format!("about {id}"),
        id,
        endpoints: vec!["chat".to_owned(), "pager".to_owned()],
    })
}

/// Folds everything, by portions.
async fn fold(store: &Store) -> u64 {
    let mut queued = 0;
    loop {
        let fold = store.fold_webhooks(3, AT, message).await.unwrap();
        assert_eq!(fold.lost, 0);
        queued += fold.queued;
        if fold.complete {
            return queued;
        }
    }
}

/// The ids of the messages that are due at an endpoint.
async fn due(store: &Store, endpoint: &str) -> Vec<String> {
    let due = store.due_webhooks(endpoint, AT, 100).await.unwrap();
    due.deliveries.into_iter().map(|it| it.message).collect()
}

async fn settle(store: &Store, message: &str, end: DeliveryEnd, ms: i64) -> EndpointChange {
    let trouble = EndpointTrouble {
        id: NoticeId::new(at(ms), 77),
        about: "webhook chat".to_owned(),
        text: "The webhook chat is disabled.".to_owned(),
    };
    let settled = store.settle_webhook("chat", message, end, at(ms), trouble);
    settled.await.unwrap()
}

/// The notices about endpoints, each with true if it is open.
async fn notices(store: &Store) -> Vec<bool> {
    let all = store.notices("jarvis", Timestamp(0)).await.unwrap();
    all.iter().map(|notice| notice.ended.is_none()).collect()
}

#[tokio::test]
async fn an_event_is_queued_once_whoever_folds_and_is_killed_when() {
    let (folder, store) = open().await;
    store.configure_webhooks(&["chat"], AT).await.unwrap();
    for n in 1..20 {
        talked(&store, n).await;
    }
    raise(&store, 1).await;
    let (one, other) = tokio::join!(fold(&store), fold(&store));
    assert_eq!(one + other, 20, "each end of a turn, and the notice");
    let before = due(&store, "chat").await;
    assert_eq!(before.len(), 20);
    assert!(
        due(&store, "pager").await.is_empty(),
        "it is not configured"
    );
    // The place and the messages are written together: a fold that breaks off in between leaves neither.
    talked(&store, 20).await;
    let options = SqliteConnectOptions::new().filename(folder.path().join("jarvis.db"));
    let mut other = SqliteConnection::connect_with(&options).await.unwrap();
    let broken = "CREATE TRIGGER broken BEFORE INSERT ON webhook_deliveries \
                  BEGIN SELECT RAISE(ABORT, 'on purpose'); END";
    sqlx::raw_sql(broken).execute(&mut other).await.unwrap();
    assert!(store.fold_webhooks(100, AT, message).await.is_err());
    let mended = sqlx::raw_sql("DROP TRIGGER broken");
    mended.execute(&mut other).await.unwrap();
    other.close().await.unwrap();
    // Killed after the fold and before the delivery.
    assert_eq!(fold(&store).await, 1);
    drop(store);
    let store = Store::open(folder.path()).await.unwrap();
    store.configure_webhooks(&["chat"], AT).await.unwrap();
    assert_eq!(fold(&store).await, 0);
    let after = due(&store, "chat").await;
    assert_eq!(after[..20], before);
    assert_eq!(after.len(), 21);
    // Killed after the delivery and before it was settled: the same message, byte for byte.
    let first = store.due_webhooks("chat", AT, 1).await.unwrap();
    let again = store.due_webhooks("chat", AT, 1).await.unwrap();
    assert_eq!(first, again);
    settle(&store, &after[0], DeliveryEnd::Delivered, 0).await;
    assert_eq!(due(&store, "chat").await, after[1..]);
    assert_eq!(fold(&store).await, 0, "and it does not come back");
}

#[tokio::test]
async fn an_endpoint_gets_what_happens_after_it_was_added() {
    let folder = tempfile::tempdir().unwrap();
    // A database from before, with a history.
    let mut old = before(36, folder.path()).await;
    let history = "INSERT INTO system_events (seq, at, body) VALUES \
                   (1, 0, '{\"type\":\"notice_ended\",\"notice\":\"x\"}')";
    sqlx::raw_sql(history).execute(&mut old).await.unwrap();
    old.close().await.unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    store.first_user(user(), "Ada", AT).await.unwrap();
    talked(&store, 1).await;
    store.configure_webhooks(&["chat"], AT).await.unwrap();
    assert_eq!(fold(&store).await, 0);
    talked(&store, 2).await;
    // What waits for the fold is not for one that comes now.
    store
        .configure_webhooks(&["chat", "pager"], AT)
        .await
        .unwrap();
    talked(&store, 3).await;
    assert_eq!(fold(&store).await, 3);
    assert_eq!(due(&store, "chat").await.len(), 2);
    assert_eq!(due(&store, "pager").await, [format!("{}/2", id(3))]);
    // One that is gone takes its messages with it, and starts anew if it comes back.
    store.configure_webhooks(&["pager"], AT).await.unwrap();
    assert!(due(&store, "chat").await.is_empty());
    talked(&store, 4).await;
    store
        .configure_webhooks(&["chat", "pager"], AT)
        .await
        .unwrap();
    assert_eq!(fold(&store).await, 1);
    assert_eq!(due(&store, "pager").await.len(), 2);
    // Without any, the journals are not followed.
    store.configure_webhooks(&[], AT).await.unwrap();
    talked(&store, 5).await;
    store.configure_webhooks(&["chat"], AT).await.unwrap();
    assert_eq!(fold(&store).await, 0);
}

#[tokio::test]
async fn copies_are_no_events_and_deletions_lose_none() {
    let (_folder, store) = open().await;
    store.configure_webhooks(&["chat"], AT).await.unwrap();
    talked(&store, 1).await;
    assert_eq!(fold(&store).await, 1);
    // A branch has a copy of the first turn, and a turn of its own.
    let mut records = vec![NewRecord::event(EventBody::Branched {
        parent: id(1),
        message: MessageId::new(AT, 1),
        title: "the walrus".to_owned(),
        by: "Ada".to_owned(),
        effects: Vec::new(),
        more: None,
    })];
    records.extend(turn(2));
    let write = Append {
        epoch: Epoch(0),
        command: Some((user(), CommandId::new(AT, 2))),
        ..append(2, 2, records)
    };
    let branching = Branching {
        conversation: stored(2),
        parent: id(1),
        parent_head: Seq(2),
        until: Seq(2),
    };
    store.branch(branching, write).await.unwrap();
    let events = [PlainEvent {
        seq: Seq(1),
        at: AT,
        body: serde_json::to_string(&turn(3)[1].body).unwrap(),
    }];
    let other = stored(3);
    let imported = store.import(&other, "Ada", AT, &events);
    imported.await.unwrap();
    assert_eq!(fold(&store).await, 1);
    assert_eq!(due(&store, "chat").await[1..], [format!("{}/5", id(2))]);
    // SQLite gives the numbers of the deleted events again.
    let by = Person {
        name: "Ada".to_owned(),
        ..user().into()
    };
    for n in [2, 3] {
        store.delete(id(n), &by, AT).await.unwrap();
    }
    assert_eq!(store.remove_deleted(AT).await.unwrap(), None);
    talked(&store, 4).await;
    assert_eq!(fold(&store).await, 1);
    let due = due(&store, "chat").await;
    assert_eq!(due.last(), Some(&format!("{}/2", id(4))));
}

/// The end of its turn does not say it.
#[tokio::test]
async fn the_end_of_an_own_call_comes_with_what_became_of_it() {
    let (_folder, store) = open().await;
    store.configure_webhooks(&["chat"], AT).await.unwrap();
    let (turn, call) = (TurnId::new(AT, 1), CallId::new(AT, 1));
    let mut begun = NewRecord::event(EventBody::ActionStarted {
        turn,
        message: MessageId::new(AT, 1),
        call,
        tool: "start_vm".to_owned(),
        input: Value::Null,
        by: "Ada".to_owned(),
        relayed: true,
    });
    begun.trace.correlation = Correlation::parse("job-1");
    let finished = EventBody::TurnFinished {
        turn,
        outcome: TurnOutcome::Done,
        usage: Usage::default(),
        cost: None,
    };
    let ends = [
        EventBody::ToolBlocked {
            turn,
            call,
            tier: None,
            reason: BlockedReason::Protected,
            message: "It is protected.".to_owned(),
        },
        finished,
    ];
    let records = [begun]
        .into_iter()
        .chain(ends.clone().map(NewRecord::event));
    let first = Append {
        epoch: Epoch(0),
        ..append(1, 0, records.collect())
    };
    store.create(stored(1), first).await.unwrap();
    talked(&store, 2).await;
    let found = Mutex::new(Vec::new());
    let noted = |fact: WebhookFact| {
        if let WebhookEvent::Conversation { end, .. } = fact.event {
            found.lock().unwrap().push(end);
        }
        None
    };
    store.fold_webhooks(100, AT, noted).await.unwrap();
    let found = found.into_inner().unwrap();
    let event = Event {
        seq: Seq(2),
        at: AT,
        body: ends[0].clone(),
    };
    let blocked = OwnCallEnd {
        event: Box::new(Unseen::new(event)),
        request: Some("job-1".to_owned()),
    };
    assert_eq!(found, [Some(blocked), None]);
}

/// The numbers of what is removed are given again, also while a fold reads them.
#[tokio::test]
async fn a_removal_during_a_fold_loses_none() {
    let (_folder, store) = open().await;
    store.configure_webhooks(&["chat"], AT).await.unwrap();
    let by = Person {
        name: "Ada".to_owned(),
        ..user().into()
    };
    for n in 1..20 {
        let (gone, stays) = (100 + n, 200 + n);
        talked(&store, gone).await;
        store.delete(id(gone), &by, AT).await.unwrap();
        let (folded, ()) = tokio::join!(store.fold_webhooks(100, AT, message), async {
            store.remove_deleted(AT).await.unwrap();
            talked(&store, stays).await;
        });
        folded.unwrap();
        fold(&store).await;
        let waiting = due(&store, "chat").await;
        assert!(waiting.contains(&format!("{}/2", id(stays))), "{n}");
    }
}

#[tokio::test]
async fn a_failed_message_waits_for_its_time() {
    let (_folder, store) = open().await;
    store.configure_webhooks(&["chat"], AT).await.unwrap();
    talked(&store, 1).await;
    fold(&store).await;
    let message = due(&store, "chat").await.remove(0);
    let retry = DeliveryEnd::Retry { due: at(5000) };
    let change = settle(&store, &message, retry, 0).await;
    assert_eq!(change, EndpointChange::Failing);
    let now = store.due_webhooks("chat", at(4999), 9).await.unwrap();
    assert_eq!((now.deliveries.len(), now.next), (0, Some(at(5000))));
    let later = store.due_webhooks("chat", at(5000), 9).await.unwrap();
    assert_eq!((later.deliveries[0].failed, later.next), (1, None));
    let change = settle(&store, &message, DeliveryEnd::GivenUp, 5000).await;
    assert_eq!(change, EndpointChange::None, "it failed before");
    let left = store.due_webhooks("chat", at(DAY), 9).await.unwrap();
    assert_eq!((left.deliveries.len(), left.next), (0, None));
    talked(&store, 2).await;
    fold(&store).await;
    let message = due(&store, "chat").await.remove(0);
    let change = settle(&store, &message, DeliveryEnd::Delivered, 6000).await;
    assert_eq!(change, EndpointChange::Recovered);
    assert!(notices(&store).await.is_empty());
}

#[tokio::test]
async fn an_endpoint_that_fails_for_days_is_disabled_with_one_notice() {
    let (_folder, store) = open().await;
    store.configure_webhooks(&["chat"], AT).await.unwrap();
    for n in 1..4 {
        talked(&store, n).await;
    }
    fold(&store).await;
    let waiting = due(&store, "chat").await;
    let retry = DeliveryEnd::Retry { due: AT };
    for (end, ms, expect) in [
        (retry, 0, EndpointChange::Failing),
        (DeliveryEnd::GivenUp, 5 * DAY - 1, EndpointChange::None),
        // A message of today has attempts left.
        (retry, 5 * DAY, EndpointChange::None),
        (DeliveryEnd::GivenUp, 5 * DAY, EndpointChange::Disabled),
        // Attempts that were under way at the same time.
        (retry, 5 * DAY + 1, EndpointChange::None),
    ] {
        let change = settle(&store, &waiting[0], end, ms).await;
        assert_eq!(change, expect, "{ms}");
    }
    let late = settle(&store, &waiting[1], DeliveryEnd::Delivered, 5 * DAY + 1).await;
    assert_eq!(late, EndpointChange::None);
    assert_eq!(notices(&store).await, [true]);
    assert!(due(&store, "chat").await.is_empty());
    // Nothing is queued meanwhile, and nothing comes later.
    talked(&store, 4).await;
    assert_eq!(fold(&store).await, 0);
    // The next start tries again, for one message: the notice is there already.
    store.configure_webhooks(&["chat"], AT).await.unwrap();
    talked(&store, 5).await;
    assert_eq!(fold(&store).await, 1);
    let message = due(&store, "chat").await.remove(0);
    let change = settle(&store, &message, retry, 6 * DAY).await;
    assert_eq!(change, EndpointChange::None);
    let change = settle(&store, &message, DeliveryEnd::GivenUp, 6 * DAY).await;
    assert_eq!(change, EndpointChange::Disabled);
    assert_eq!(notices(&store).await, [true]);
    // Or the first delivery resolves it.
    store.configure_webhooks(&["chat"], AT).await.unwrap();
    talked(&store, 6).await;
    fold(&store).await;
    let message = due(&store, "chat").await.remove(0);
    let change = settle(&store, &message, DeliveryEnd::Delivered, 7 * DAY).await;
    assert_eq!(change, EndpointChange::Recovered);
    assert_eq!(notices(&store).await, [false]);
}

#[tokio::test]
async fn an_endpoint_that_is_gone_is_disabled_at_once() {
    let (_folder, store) = open().await;
    let both = ["chat", "pager"];
    store.configure_webhooks(&both, AT).await.unwrap();
    talked(&store, 1).await;
    fold(&store).await;
    let message = due(&store, "chat").await.remove(0);
    let change = settle(&store, &message, DeliveryEnd::Gone, 0).await;
    assert_eq!(change, EndpointChange::Disabled);
    assert_eq!(notices(&store).await, [true]);
    // The other one hears of it.
    assert_eq!(fold(&store).await, 1);
    let raised = format!("{}/raised", NoticeId::new(AT, 77));
    assert_eq!(due(&store, "pager").await[1..], [raised]);
    // Whoever removes it from the configuration has taken note.
    store.configure_webhooks(&["pager"], AT).await.unwrap();
    assert_eq!(notices(&store).await, [false]);
}
