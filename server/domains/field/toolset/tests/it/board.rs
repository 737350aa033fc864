//! The board and the feed follow what is in memory.

use std::sync::Arc;

use agent::ports::{Board, CallActor, Picture, Screen, Teller, Toolset};
use field_testkit::{RunScenario, office::ROOM};
use protocol::Timestamp;
use serde_json::json;
use tokio::sync::mpsc;

use crate::stub::{Stub, approved, call};

#[tokio::test]
async fn the_board_shows_each_change() {
    let stub = Stub::new();
    let board: Arc<dyn Board> = stub.field.board().unwrap();
    let (send, mut shown) = mpsc::unbounded_channel::<Picture>();
    let watched = {
        let board = Arc::clone(&board);
        tokio::spawn(async move {
            board
                .watch(Screen::new(move |picture| send.send(picture).unwrap_or(())))
                .await;
        })
    };
    let first = shown.recv().await.unwrap();
    let room = &first[&format!("device/{ROOM}")];
    assert_eq!(
        (&room["name"], &room["online"]),
        (&json!("meeting room"), &json!(true))
    );
    assert!(first.contains_key("site/nordlicht"));
    let (id, _) = stub.proposal(1, json!([{ "run": "routes" }])).await;
    // A page of the device reads its proposals again when their number has changed.
    assert_eq!(room.get("proposed"), None);
    while shown.recv().await.unwrap()[&format!("device/{ROOM}")]["proposed"] != 1 {}
    stub.memory.scenario(RunScenario::Unknown);
    stub.run(approved(2, &id, 1, &["Ada"])).await.unwrap_err();
    let run = loop {
        let picture = shown.recv().await.unwrap();
        let mut runs = picture.iter().filter(|(key, _)| key.starts_with("run/"));
        if let Some((_, run)) = runs.next() {
            break (picture.clone(), run.clone());
        }
    };
    assert_eq!(
        (&run.1["phase"], &run.1["unresolved"]),
        (&json!("unknown"), &json!(true))
    );
    // A silent device and an unknown outcome are worth a notice.
    let known = std::collections::BTreeSet::new();
    let now = Timestamp(
        first[&format!("device/{ROOM}")]["last_seen"]
            .as_i64()
            .unwrap(),
    );
    let survey = board.survey(&run.0, &known, now);
    let kinds: Vec<_> = survey.holds.iter().map(|it| it.kind).collect();
    assert_eq!(kinds, ["silent", "run_unknown"]);
    watched.abort();
}

#[tokio::test]
async fn the_feed_tells_each_phase_once() {
    let stub = Stub::new();
    let (send, mut told) = mpsc::unbounded_channel::<(String, Option<String>)>();
    let teller = Teller::new(move |happenings| {
        for it in happenings {
            send.send((it.key, it.outcome)).unwrap_or(());
        }
        Box::pin(async { true })
    });
    let happenings = stub.field.happenings().unwrap();
    let followed = tokio::spawn(async move { happenings.follow(teller).await });
    let bundle = told.recv().await.unwrap();
    assert_eq!(
        bundle.0,
        format!("field/bundle/{}", field_testkit::office::BUNDLE)
    );
    let (id, _) = stub.proposal(1, json!([{ "run": "routes" }])).await;
    stub.memory.scenario(RunScenario::Waits);
    let tool = stub.tool("run_script");
    let call = approved(2, &id, 1, &["Ada"]);
    tool.preview(&call).await.unwrap();
    let running =
        tokio::spawn(async move { tool.call(call, agent::ports::Progress::ignored()).await });
    let queued = told.recv().await.unwrap();
    assert_eq!(queued.1.as_deref(), Some("waits for the device"));
    // Another change of the memory tells nothing.
    stub.memory.edit_device(ROOM, |device| device.tags.clear());
    let run = queued.0.strip_prefix("field/run/").unwrap().to_owned();
    stub.memory.finish(&run);
    let ended = told.recv().await.unwrap();
    assert_eq!((ended.0, ended.1.as_deref()), (queued.0, Some("ended")));
    running.await.unwrap().unwrap();
    tokio::task::yield_now().await;
    assert!(told.try_recv().is_err());
    followed.abort();
}

/// Everything is told again after a start, when no snapshot has the device any more.
#[tokio::test]
async fn feed_and_board_name_a_retired_device() {
    let stub = Stub::new();
    let gone = json!({ "device": ROOM, "reason": "It broke." });
    let mut retire = call(1, "retire_device", gone);
    retire.origin.actor = CallActor::Person;
    stub.run(retire).await.unwrap();
    let (send, mut told) = mpsc::unbounded_channel();
    let teller = Teller::new(move |happenings| {
        for it in happenings {
            send.send((it.key, it.target)).unwrap_or(());
        }
        Box::pin(async { true })
    });
    let happenings = stub.field.happenings().unwrap();
    let followed = tokio::spawn(async move { happenings.follow(teller).await });
    let (key, target) = told.recv().await.unwrap();
    assert!(key.starts_with("field/bundle/"), "{key}");
    assert_eq!(target.as_deref(), Some("device meeting room"));
    followed.abort();
    // And the board, which lists only those that are left.
    let board = stub.field.board().unwrap();
    let (send, mut shown) = mpsc::unbounded_channel::<Picture>();
    let screen = Screen::new(move |picture| send.send(picture).unwrap_or(()));
    let watched = tokio::spawn(async move { board.watch(screen).await });
    let picture = shown.recv().await.unwrap();
    assert!(!picture.contains_key(&format!("device/{ROOM}")));
    let bundle = &picture[&format!("bundle/{}", field_testkit::office::BUNDLE)];
    assert_eq!(bundle["device_name"], "meeting room");
    watched.abort();
}
