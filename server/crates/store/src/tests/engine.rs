//! The agent on a failing database: its errors, and the data in the end.

use std::{sync::Arc, time::Duration};

use agent::{
    Engine,
    ports::{Epoch, Journal, Recovery},
};
use futures::StreamExt;
use protocol::{
    Command, CommandId, ContentBlock, ErrorBody, ErrorCode, Event, EventBody, Seq, ServerFrame,
    Tier, TurnOutcome,
};
use serde_json::json;
use sqlx::Connection;
use testkit::{FixedEnv, Hold, Ledger, Script, ScriptedModel, ScriptedTools, spec};

use super::{AT, id, open, other_connection, user};
use crate::Store;

fn engine(store: &Store, model: ScriptedModel, ledger: &Ledger) -> Engine {
    let tools = ScriptedTools::new().with(spec("act", Tier::Green, Recovery::Unsafe));
    testkit::engine(
        Arc::new(store.clone()),
        Arc::new(FixedEnv::default()),
        Arc::new(model),
        tools.with_ledger(ledger),
        |_| {},
    )
}

async fn say(engine: &Engine, n: u128, text: &str) -> Result<(), ErrorBody> {
    let text = text.to_owned();
    let conversation = id(1);
    let command = match n {
        1 => Command::start(conversation, text),
        _ => Command::Send {
            conversation,
            text,
            withdraw: false,
            references: Vec::new(),
        },
    };
    engine.command(user(), CommandId::new(AT, n), command).await
}

/// All events, once this many turns have ended.
async fn ended(engine: &Engine, turns: usize) -> Vec<Event> {
    let mut frames = engine.subscribe(user(), id(1), Seq(0)).await.unwrap();
    let ended = |event: &&Event| matches!(event.body, EventBody::TurnFinished { .. });
    let mut seen: Vec<Event> = Vec::new();
    let wait = async {
        while seen.iter().filter(ended).count() < turns {
            let frame = frames.next().await.expect("open").unwrap();
            let frame: ServerFrame = serde_json::from_slice(frame.as_bytes()).unwrap();
            if let ServerFrame::Events { events, .. } = frame {
                seen.extend(events);
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(20), wait)
        .await
        .expect("the turns end");
    seen
}

/// The texts of the person and the model, in order.
fn said(events: &[Event]) -> Vec<&str> {
    let mut said = Vec::new();
    for event in events {
        match &event.body {
            EventBody::TurnStarted { text, .. } => said.push(text.as_str()),
            EventBody::AssistantMessage { blocks, .. } => {
                said.extend(blocks.iter().filter_map(|block| match block {
                    ContentBlock::Text { text } => Some(text.as_str()),
                    _ => None,
                }));
            }
            EventBody::TurnFinished { outcome, .. } => {
                assert_eq!(*outcome, TurnOutcome::Answered);
            }
            _ => {}
        }
    }
    said
}

/// The disk is full, or somebody else has the database locked, while the model answers and the
/// person keeps writing.
#[tokio::test]
async fn trouble_is_told_and_loses_nothing() {
    for disk in [true, false] {
        let (folder, store) = open().await;
        let hold = Hold::new();
        let long = "x".repeat(60_000);
        let model = ScriptedModel::in_order(vec![
            Script::new().hold(&hold).text(&long),
            Script::say("Second."),
        ]);
        let engine = engine(&store, model, &Ledger::default());
        say(&engine, 1, "Go").await.unwrap();
        hold.reached().await;

        let mut other = other_connection(&folder).await;
        let held = if disk {
            store.pragma("max_page_count", 1).await;
            None
        } else {
            store.pragma("busy_timeout", 0).await;
            Some(other.begin_with("BEGIN IMMEDIATE").await.unwrap())
        };
        let refused = say(&engine, 2, &long).await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::StorageFailed);
        // The answer comes while it cannot be written either. A limit on pages applies to one
        // connection only, and the store may have made a new one.
        hold.open();
        match say(&engine, 2, &long).await {
            Err(refused) => assert_eq!(refused.code, ErrorCode::StorageFailed),
            Ok(()) => assert!(disk, "the database is held"),
        }
        match held {
            None => store.pragma("max_page_count", 1_000_000).await,
            Some(held) => held.rollback().await.unwrap(),
        }
        // The answer is there: it can be written again. The person tries again, under the same id.
        ended(&engine, 1).await;
        say(&engine, 2, &long).await.unwrap();
        let events = ended(&engine, 2).await;
        assert_eq!(said(&events), ["Go", &long, &long, "Second."]);
        engine.shutdown().await;
    }
}

/// A server pauses in the middle of a step. Another one takes over, although the lock of the folder
/// should have kept it away. When the first continues, it changes nothing any longer.
#[tokio::test]
async fn a_server_that_comes_back_after_a_take_over_writes_nothing() {
    let (folder, store) = open().await;
    let ledger = Ledger::default();
    let hold = Hold::new();
    let script = |hold: &Hold| {
        vec![
            Script::new().call("a", "act", json!({ "n": 1 })),
            Script::new().hold(hold).text("Done."),
        ]
    };
    let first = engine(&store, ScriptedModel::by_position(script(&hold)), &ledger);
    say(&first, 1, "Go").await.unwrap();
    hold.reached().await;

    std::fs::remove_file(folder.path().join("lock")).unwrap();
    let later = Store::open(folder.path()).await.unwrap();
    let open = Hold::new();
    open.open();
    let second = engine(&later, ScriptedModel::by_position(script(&open)), &ledger);
    assert_eq!(second.recover().await.unwrap(), 1);
    let events = ended(&second, 1).await;
    assert_eq!(said(&events), ["Go", "Done."]);

    hold.open();
    first.shutdown().await;
    assert_eq!(
        store.events_after(id(1), Seq(0), 1000).await.unwrap(),
        events
    );
    assert_eq!(ledger.entries().len(), 1, "{:?}", ledger.entries());
    // The conversation's new owner continues.
    assert!(later.claim(id(1)).await.unwrap() > Epoch(2));
    second.shutdown().await;
}
