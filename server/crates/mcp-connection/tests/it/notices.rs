//! The notice of a server that is away.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use agent::{
    Deps, Engine, EngineConfig, NoticeTimes,
    ports::{NoticeRecords, Progress},
};
use async_trait::async_trait;
use mcp_client::{
    AWAY_NOTICE, OutsideRules, OutsideToolset, Presence, ServerFault, ServerResult, ToolServer,
};
use protocol::{Command, CommandId, ConversationId, EventBody, Timestamp, UserId};
use serde_json::Value;
use testkit::{FixedEnv, MemoryJournal, Script, ScriptedModel};
use tokio::{
    sync::watch,
    time::{Instant, sleep},
};

use crate::evil::until;

/// Interval at which the test's clock moves.
const PACE: i64 = 5;

struct AbsentServer;

#[async_trait]
impl ToolServer for AbsentServer {
    async fn call(
        &self,
        _tool: &str,
        _arguments: Value,
        _progress: &Progress,
    ) -> Result<ServerResult, ServerFault> {
        Err(ServerFault::NotSent)
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_is_away_is_one_notice_until_it_is_back_and_delays_no_turn() {
    let presence = watch::Sender::new(Presence::Unknown);
    let rules = OutsideRules {
        tools: BTreeMap::new(),
        resources: false,
        prompts: false,
        timeout: Duration::from_secs(5),
        result_bytes: 1000,
    };
    let toolset = OutsideToolset::new("far", rules, Arc::new(AbsentServer), BTreeMap::new());
    let journal = Arc::new(MemoryJournal::new());
    let env = Arc::new(FixedEnv::default());
    let deps = Deps {
        journal: journal.clone(),
        model: Arc::new(ScriptedModel::in_order(vec![Script::say("Done.")])),
        toolsets: vec![Arc::new(toolset.guarded(presence.subscribe()))],
        env: env.clone(),
    };
    let mut config = EngineConfig::new("scripted-model");
    config.notices = NoticeTimes {
        hold: Duration::from_secs(60),
        clear: Duration::from_secs(300),
    };
    let engine = Engine::new(deps, config).unwrap();
    engine.recover().await.unwrap();

    let open_after = async |state: Presence, seconds: i64| {
        presence.send_replace(state);
        for _ in 0..seconds / PACE {
            env.advance(PACE * 1000);
            sleep(Duration::from_secs(5)).await;
        }
        engine.notice_count().open
    };
    assert_eq!(open_after(Presence::Connected, 30).await, 0);
    assert_eq!(open_after(Presence::Away, 30).await, 0);
    assert_eq!(open_after(Presence::Away, 90).await, 1);
    // One that comes and goes is the same notice.
    for _ in 0..5 {
        assert_eq!(open_after(Presence::Connected, 30).await, 1);
        assert_eq!(open_after(Presence::Away, 30).await, 1);
    }

    let conversation = ConversationId::new(Timestamp(1), 1);
    let begun = Instant::now();
    let (user, id) = (
        UserId::new(Timestamp(0), 1),
        CommandId::new(Timestamp(1), 1),
    );
    let command = Command::start(conversation, "Hello.");
    engine.command(user, id, command).await.unwrap();
    until("the turn has ended", || {
        let events = journal.events(conversation);
        events
            .iter()
            .any(|event| matches!(event.body, EventBody::TurnFinished { .. }))
    })
    .await;
    assert!(begun.elapsed() < Duration::from_secs(1));

    assert_eq!(open_after(Presence::Connected, 330).await, 0);
    let notices = journal.notices("far", Timestamp(0)).await.unwrap();
    assert_eq!(notices.len(), 1, "{notices:?}");
    assert_eq!(notices[0].kind, AWAY_NOTICE);
    assert!(notices[0].ended.is_some());
    engine.shutdown().await;
}
