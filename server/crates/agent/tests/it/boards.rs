//! Boards: one watcher for all, whole pictures first, then changes, and an end when nobody looks.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use agent::ports::{Board, Picture, Scope, Screen};
use async_trait::async_trait;
use futures::{FutureExt, StreamExt};
use protocol::{ErrorCode, ServerFrame};
use serde_json::{Value, json};
use testkit::{ScriptedModel, ScriptedTools};
use tokio::sync::watch;

use crate::world::World;

/// A board that shows what a test puts on it.
struct Blackboard {
    content: watch::Receiver<Picture>,
    watched: Arc<AtomicUsize>,
}

#[async_trait]
impl Board for Blackboard {
    async fn watch(&self, screen: Screen) {
        self.watched.fetch_add(1, Ordering::Relaxed);
        let mut content = self.content.clone();
        loop {
            screen.show(content.borrow_and_update().clone());
            if content.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }
}

fn picture(parts: &[(&str, i32)]) -> Picture {
    let parts = parts.iter();
    parts
        .map(|(key, value)| ((*key).to_owned(), json!(value)))
        .collect()
}

async fn next(tab: &mut agent::Subscription) -> Value {
    let frame = tab.next().await.unwrap().unwrap();
    let frame: ServerFrame = serde_json::from_slice(frame.as_bytes()).unwrap();
    let ServerFrame::Board {
        whole, put, gone, ..
    } = frame
    else {
        panic!("{frame:?}");
    };
    let put: Vec<_> = put
        .iter()
        .map(|part| format!("{}={}", part.key, part.value))
        .collect();
    json!({"whole": whole, "put": put, "gone": gone})
}

#[tokio::test(start_paused = true)]
async fn one_watcher_serves_all_and_rests_when_nobody_looks() {
    let (content, shown) = watch::channel(picture(&[("a", 1), ("b", 1)]));
    let watched = Arc::new(AtomicUsize::new(0));
    let board = Blackboard {
        content: shown,
        watched: Arc::clone(&watched),
    };
    let tools = ScriptedTools::new().with_board(Arc::new(board));
    let engine = World::new(ScriptedModel::in_order(Vec::new()), tools).engine;
    let times = || watched.load(Ordering::Relaxed);

    assert_eq!(
        engine
            .subscribe_board(&Scope::All, "nothing")
            .err()
            .unwrap()
            .code,
        ErrorCode::BoardNotFound
    );
    assert_eq!(times(), 0);
    let mut tab = engine.subscribe_board(&Scope::All, "scripted").unwrap();
    assert_eq!(
        next(&mut tab).await,
        json!({"whole": true, "put": ["a=1", "b=1"], "gone": []})
    );
    let page = engine
        .board(&Scope::All, "scripted", Duration::from_secs(1))
        .await
        .unwrap();
    assert_eq!(page.len(), 2);

    content.send_replace(picture(&[("a", 2), ("c", 1)]));
    let change = json!({"whole": false, "put": ["a=2", "c=1"], "gone": ["b"]});
    assert_eq!(next(&mut tab).await, change);
    // A late subscriber gets all of it, and nobody is told the parts that have not changed.
    let mut other = engine.subscribe_board(&Scope::All, "scripted").unwrap();
    assert_eq!(
        next(&mut other).await,
        json!({"whole": true, "put": ["a=2", "c=1"], "gone": []})
    );
    content.send_replace(picture(&[("a", 2), ("c", 1)]));
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert!(tab.next().now_or_never().is_none());
    assert!(other.next().now_or_never().is_none());
    assert_eq!(times(), 1);

    // A short absence changes nothing; a long one ends the looking.
    drop((tab, other));
    tokio::time::sleep(Duration::from_secs(20)).await;
    let tab = engine.subscribe_board(&Scope::All, "scripted").unwrap();
    assert_eq!(times(), 1);
    drop(tab);
    tokio::time::sleep(Duration::from_secs(120)).await;
    content.send_replace(picture(&[("z", 1)]));
    let mut tab = engine.subscribe_board(&Scope::All, "scripted").unwrap();
    assert_eq!(
        next(&mut tab).await,
        json!({"whole": true, "put": ["z=1"], "gone": []})
    );
    assert_eq!(times(), 2);
    engine.shutdown().await;
}
