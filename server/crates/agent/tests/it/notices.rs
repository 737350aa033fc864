//! Notices: raised once, acknowledged by a person, resolved, and the same over a restart.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use agent::{
    NoticeTimes,
    ports::{Board, Condition, Picture, Scope, Screen, Survey},
};
use async_trait::async_trait;
use futures::StreamExt;
use protocol::{Command, ErrorCode, Notice, NoticeCount, NoticeId, Role, ServerFrame, Timestamp};
use serde_json::json;
use testkit::{FixedEnv, MemoryJournal, ScriptedModel, ScriptedTools};
use tokio::sync::watch;

use crate::world::World;

/// A board on which every part is a condition: `true` is present, `null` is unknown.
struct Alarms(watch::Receiver<Picture>);

#[async_trait]
impl Board for Alarms {
    async fn watch(&self, screen: Screen) {
        let mut content = self.0.clone();
        loop {
            screen.show(content.borrow_and_update().clone());
            if content.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }

    fn is_guarded(&self) -> bool {
        true
    }

    fn survey(&self, picture: &Picture, known: &BTreeSet<String>, _now: Timestamp) -> Survey {
        let unknown = picture.iter().filter(|(_, value)| value.is_null());
        let unknown: BTreeSet<String> = unknown.map(|(key, _)| key.clone()).collect();
        let holds = picture.iter().filter(|(_, value)| **value == json!(true));
        Survey {
            holds: holds
                .map(|(key, _)| Condition {
                    key: key.clone(),
                    kind: "alarm",
                    grave: key.ends_with('!'),
                    about: key.clone(),
                    text: format!("{key} is on."),
                    happened: None,
                })
                .collect(),
            unknown: unknown.intersection(known).cloned().collect(),
            ..Survey::default()
        }
    }
}

struct Lab {
    journal: Arc<MemoryJournal>,
    env: Arc<FixedEnv>,
    alarms: watch::Sender<Picture>,
}

impl Lab {
    fn new() -> Self {
        Self {
            journal: Arc::default(),
            env: Arc::default(),
            alarms: watch::Sender::new(Picture::new()),
        }
    }

    /// One life of a server that raises and resolves at once.
    async fn life(&self) -> World {
        let tools = ScriptedTools::new().with_board(Arc::new(Alarms(self.alarms.subscribe())));
        let world = World::on(
            self.journal.clone(),
            self.env.clone(),
            Arc::new(ScriptedModel::in_order(Vec::new())),
            tools,
            |config| {
                config.notices = NoticeTimes {
                    hold: Duration::ZERO,
                    clear: Duration::ZERO,
                };
            },
        );
        world.engine.recover().await.unwrap();
        world
    }

    async fn alarm(&self, parts: &[(&str, serde_json::Value)]) {
        self.env.advance(1000);
        let parts = parts.iter();
        let parts = parts.map(|(key, value)| ((*key).to_owned(), value.clone()));
        self.alarms.send_replace(parts.collect());
        // The first survey comes some seconds after the start.
        tokio::time::sleep(Duration::from_secs(10)).await;
    }
}

/// The notices on the board, by their texts.
async fn notices(world: &World) -> Vec<Notice> {
    let parts = world
        .engine
        .board(&Scope::All, "scripted", Duration::from_secs(30))
        .await
        .unwrap();
    let notices = parts.into_iter().filter(|it| it.key.starts_with("notice/"));
    let notices = notices.map(|part| serde_json::from_value(part.value).unwrap());
    let mut notices: Vec<Notice> = notices.collect();
    notices.sort_by(|a, b| a.text.cmp(&b.text));
    notices
}

fn count(open: u32, grave: u32) -> NoticeCount {
    NoticeCount { open, grave }
}

async fn acknowledge(world: &World, notice: NoticeId) -> Result<(), ErrorCode> {
    let command = Command::Acknowledge { notice };
    world.command(command).await.map_err(|error| error.code)
}

#[tokio::test(start_paused = true)]
async fn told_once_acknowledged_and_ended() {
    let lab = Lab::new();
    let world = lab.life().await;
    let mut tab = world.engine.subscribe_list(world.user);
    lab.alarm(&[("fire!", json!(true)), ("smoke", json!(true))])
        .await;
    assert_eq!(world.engine.notice_count(), count(2, 1));
    let frame = tab.next().await.unwrap().unwrap();
    let frame: ServerFrame = serde_json::from_slice(frame.as_bytes()).unwrap();
    let ServerFrame::Notices {
        count: told,
        raised,
    } = frame
    else {
        panic!("{frame:?}");
    };
    assert_eq!(told, count(2, 1));
    assert_eq!(
        raised.map(|it| (it.grave, it.text)),
        Some((true, "fire! is on.".to_owned()))
    );

    let before = notices(&world).await;
    let fire = before[0].id;
    acknowledge(&world, fire).await.unwrap();
    acknowledge(&world, fire).await.unwrap();
    assert_eq!(world.engine.notice_count(), count(1, 0));
    let known = notices(&world).await;
    let by = known[0]
        .acknowledged
        .as_ref()
        .map(|known| known.by.as_str());
    assert!(by.is_some() && known[1].acknowledged.is_none());
    assert_eq!(
        acknowledge(&world, NoticeId::new(Timestamp(0), 9)).await,
        Err(ErrorCode::NoticeNotFound)
    );

    // While nobody can say, nothing is raised and nothing is resolved.
    lab.alarm(&[
        ("fire!", json!(null)),
        ("smoke", json!(null)),
        ("flood", json!(null)),
    ])
    .await;
    assert_eq!(notices(&world).await, known);
    lab.alarm(&[("smoke", json!(true))]).await;
    let ended = notices(&world).await;
    assert!(ended[0].ended.is_some() && ended[1].ended.is_none());
    assert_eq!(
        acknowledge(&world, fire).await,
        Err(ErrorCode::NoticeNotFound)
    );
    // It comes back: that is another notice.
    lab.alarm(&[("smoke", json!(true)), ("fire!", json!(true))])
        .await;
    let again = notices(&world).await;
    assert_eq!(again.len(), 3);
    assert_eq!(world.engine.notice_count(), count(2, 1));

    // A day later nothing shows the resolved ones.
    lab.env.advance(25 * 3_600_000);
    lab.alarm(&[
        ("smoke", json!(true)),
        ("fire!", json!(true)),
        ("x", json!(1)),
    ])
    .await;
    assert_eq!(notices(&world).await.len(), 2);
    world.engine.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn nothing_is_told_twice_over_a_restart_or_a_broken_disk() {
    let lab = Lab::new();
    let first = lab.life().await;
    lab.alarm(&[]).await;
    // A notice that cannot be written is not shown, and is written later.
    lab.journal.fail_next(1);
    lab.alarm(&[("fire!", json!(true))]).await;
    assert_eq!(notices(&first).await, []);
    lab.alarm(&[("fire!", json!(true)), ("x", json!(1))]).await;
    let told = notices(&first).await;
    assert_eq!(told.len(), 1);
    acknowledge(&first, told[0].id).await.unwrap();
    let told = notices(&first).await;
    first.engine.shutdown().await;

    let second = lab.life().await;
    assert_eq!(second.engine.notice_count(), count(0, 0));
    lab.alarm(&[("fire!", json!(true)), ("x", json!(2))]).await;
    assert_eq!(notices(&second).await, told);
    second.engine.shutdown().await;

    // It was resolved while no server ran.
    let third = lab.life().await;
    lab.alarm(&[("x", json!(3))]).await;
    assert!(notices(&third).await[0].ended.is_some());
    third.engine.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn a_viewer_acknowledges_nothing() {
    let lab = Lab::new();
    let world = lab.life().await;
    lab.alarm(&[("fire!", json!(true))]).await;
    let fire = notices(&world).await[0].id;
    lab.journal.set_role(world.user, Some(Role::Viewer));
    assert_eq!(
        acknowledge(&world, fire).await,
        Err(ErrorCode::RoleNotEnough)
    );
    assert_eq!(world.engine.notice_count(), count(1, 1));
    world.engine.shutdown().await;
}
