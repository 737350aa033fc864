//! Disks that fail, servers that stop, other servers.

use agent::ports::{Journal, NoticeRecords, Recovery};
use futures::StreamExt;
use protocol::{
    ErrorBody, ErrorCode, EventBody, NoticeCount, ServerFrame, Tier, Timestamp, ToolOutput,
    TurnOutcome,
};
use serde_json::json;
use testkit::{Hold, Ledger, Script, ScriptedModel, ScriptedTools, spec};

use crate::world::{World, gist, name};

#[tokio::test(start_paused = true)]
async fn a_turn_outlasts_a_disk_that_fails_and_commands_are_told() {
    let hold = Hold::new();
    let model = ScriptedModel::in_order(vec![
        Script::new().hold(&hold).text("Sir."),
        Script::say("Two."),
    ]);
    let world = World::new(model, ScriptedTools::new());
    let conversation = world.start("Go").await;
    let mut watch = world.watch(conversation).await;
    hold.reached().await;
    world.journal.fail_next(1);
    let refused = world.send(conversation, "more").await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::StorageFailed);
    world.journal.fail_next(5);
    hold.open();
    assert_eq!(watch.turn_end().await.1, TurnOutcome::Answered);
    assert_eq!(
        world.ask(conversation, "again").await,
        TurnOutcome::Answered
    );
    assert_eq!(
        gist(&world.model.requests()[1]),
        ["U: Go", "A: Sir.", "U: again"]
    );
}

#[tokio::test(start_paused = true)]
async fn a_server_that_stops_lets_what_acts_finish_and_the_next_goes_on() {
    let hold = Hold::new();
    let gate = hold.clone();
    let ledger = Ledger::default();
    let tools = || {
        let gate = gate.clone();
        ScriptedTools::new()
            .with_body(spec("act", Tier::Green, Recovery::Unsafe), move |_, _| {
                let gate = gate.clone();
                async move {
                    gate.pass().await;
                    Ok(ToolOutput {
                        summary: "acted".to_owned(),
                        data: json!({}),
                        images: Vec::new(),
                    })
                }
            })
            .with_ledger(&ledger)
    };
    let model = ScriptedModel::by_position(vec![
        Script::new().call("a", "act", json!({})),
        Script::say("Sir."),
    ]);
    let first = World::new(model, tools());
    let conversation = first.start("Go").await;
    hold.reached().await;
    let stopping = first.engine.clone();
    let stopped = tokio::spawn(async move { stopping.shutdown().await });
    tokio::task::yield_now().await;
    let refused = first.send(conversation, "late").await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::ShuttingDown);
    assert!(!stopped.is_finished());
    hold.open();
    stopped.await.unwrap();
    assert_eq!(first.names(conversation).last().unwrap(), "tool_finished");

    let second = World::on(
        first.journal.clone(),
        first.env.clone(),
        first.model.clone(),
        tools(),
        |_| {},
    );
    assert_eq!(second.engine.recover().await.unwrap(), 1);
    let mut watch = second.watch(conversation).await;
    assert_eq!(watch.turn_end().await.1, TurnOutcome::Answered);
    assert_eq!(ledger.entries().len(), 1);
    assert_eq!(second.engine.recover().await.unwrap(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_was_taken_over_writes_no_more() {
    let hold = Hold::new();
    let model = ScriptedModel::by(move |_| Script::new().hold(&hold).text("Sir."));
    let world = World::new(model, ScriptedTools::new());
    let conversation = world.start("Go").await;
    let mut watch = world.watch(conversation).await;
    watch
        .event(|body| matches!(body, EventBody::StepStarted { .. }))
        .await;
    world.journal.claim(conversation).await.unwrap();
    let before = world.journal.events(conversation);
    let refused = world.send(conversation, "more").await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::Internal);
    let after = world.journal.events(conversation);
    assert_eq!(before, after, "{:?}", after.last().map(|e| name(&e.body)));
}

/// The next news that a tab gets of the database.
async fn storage(tab: &mut agent::Subscription) -> Option<ErrorBody> {
    loop {
        let frame = tab.next().await.expect("open").unwrap();
        if let ServerFrame::Storage { error } = serde_json::from_slice(frame.as_bytes()).unwrap() {
            return error;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn every_tab_hears_that_nothing_can_be_saved_and_when_it_can_again() {
    let hold = Hold::new();
    let model = ScriptedModel::in_order(vec![Script::new().hold(&hold).text("Sir.")]);
    let world = World::new(model, ScriptedTools::new());
    let mut tab = world.engine.subscribe_list(world.user);
    let conversation = world.start("Go").await;
    let mut watch = world.watch(conversation).await;
    hold.reached().await;
    world.journal.fail_next(usize::MAX);
    hold.open();
    let error = storage(&mut tab).await.expect("it fails");
    assert_eq!(error.code, ErrorCode::StorageFailed);
    assert_eq!(world.engine.storage_outage(), Some(error.clone()));
    let count = NoticeCount { open: 1, grave: 1 };
    assert_eq!(world.engine.notice_count(), count);
    let raised = loop {
        let frame = tab.next().await.expect("open").unwrap();
        if let ServerFrame::Notices { raised, .. } =
            serde_json::from_slice(frame.as_bytes()).unwrap()
        {
            break raised.expect("it is new");
        }
    };
    assert_eq!(raised.text, error.message);

    world.journal.fail_next(0);
    assert_eq!(watch.turn_end().await.1, TurnOutcome::Answered);
    assert_eq!(storage(&mut tab).await, None);
    assert_eq!(world.engine.storage_outage(), None);
    assert_eq!(world.engine.notice_count(), NoticeCount::default());
    // It is put on record as soon as that is possible, with its end.
    let notices = loop {
        let notices = world.journal.notices("jarvis", Timestamp(0)).await.unwrap();
        if !notices.is_empty() {
            break notices;
        }
        tokio::task::yield_now().await;
    };
    assert_eq!(notices.len(), 1);
    assert!(notices[0].ended.is_some() && notices[0].text == error.message);
    let answers = world.names(conversation);
    let answers = answers.iter().filter(|name| *name == "assistant_message");
    assert_eq!(answers.count(), 1);
}
