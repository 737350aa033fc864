//! A stop reaches a call that acts: its tool is asked to end it early, and its end says what happened.

use std::{sync::Arc, time::Duration};

use agent::ports::{Reconciled, Recovery};
use protocol::{Command, ConversationId, EventBody, Tier, ToolOutcome, ToolOutput, TurnOutcome};
use serde_json::json;
use testkit::{AskedFor, Hold, Script, ScriptedModel, ScriptedTools, spec};

use crate::world::{Watch, World};

fn output(summary: &str) -> ToolOutput {
    ToolOutput {
        summary: summary.to_owned(),
        data: json!({}),
        images: Vec::new(),
    }
}

/// A toolset whose one tool acts until `hold` opens.
fn tools(hold: &Hold, asked: &AskedFor) -> ScriptedTools {
    let hold = hold.clone();
    let body = move |_, _| {
        let hold = hold.clone();
        async move {
            hold.pass().await;
            Ok(output("ended early"))
        }
    };
    ScriptedTools::new()
        .with_body(spec("act", Tier::Yellow, Recovery::Reconcilable), body)
        .with_found("act", Reconciled::Done(Ok(output("found"))))
        .noting(asked)
}

fn questions(asked: &AskedFor) -> Vec<&'static str> {
    let asked = asked.lock().unwrap();
    asked.iter().map(|(what, _)| *what).collect()
}

fn model() -> ScriptedModel {
    ScriptedModel::in_order(vec![Script::new().call("a", "act", json!({}))])
}

async fn stop(world: &World, conversation: ConversationId) {
    let turn = world.last_turn(conversation);
    let stop = Command::Stop { conversation, turn };
    world.command(stop).await.unwrap();
}

/// The summary of the result of the call.
fn summary(world: &World, conversation: ConversationId) -> String {
    let events = world.journal.events(conversation);
    let result = events.iter().find_map(|event| match &event.body {
        EventBody::ToolFinished {
            outcome: ToolOutcome::Succeeded { output },
            ..
        } => Some(output.summary.clone()),
        _ => None,
    });
    result.unwrap()
}

async fn stopped(watch: &mut Watch) {
    assert_eq!(watch.turn_end().await.1, TurnOutcome::Stopped);
}

#[tokio::test(start_paused = true)]
async fn a_stop_asks_what_acts_to_end_early_and_waits_for_its_end() {
    let (hold, asked) = (Hold::new(), AskedFor::default());
    let world = World::new(model(), tools(&hold, &asked).ending(&hold));
    let conversation = world.start("Go").await;
    hold.reached().await;
    assert_eq!(questions(&asked), ["call"]);
    stop(&world, conversation).await;
    stopped(&mut world.watch(conversation).await).await;
    assert_eq!(summary(&world, conversation), "ended early");
    assert_eq!(questions(&asked), ["call", "stop"]);
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_hangs_when_it_is_asked_keeps_nobody() {
    let (hold, asked) = (Hold::new(), AskedFor::default());
    let world = World::new(model(), tools(&hold, &asked));
    let conversation = world.start("Go").await;
    hold.reached().await;
    stop(&world, conversation).await;
    let mut watch = world.watch(conversation).await;
    watch
        .event(|body| matches!(body, EventBody::StopRequested { .. }))
        .await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    hold.open();
    stopped(&mut watch).await;
    assert_eq!(questions(&asked), ["call", "stop"]);
    world.engine.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn a_stop_that_a_restart_interrupts_is_asked_for_again() {
    let (hold, asked) = (Hold::new(), AskedFor::default());
    let world = World::new(model(), tools(&hold, &asked));
    let conversation = world.start("Go").await;
    hold.reached().await;
    stop(&world, conversation).await;

    let later = AskedFor::default();
    let (journal, env) = (world.journal.clone(), world.env.clone());
    let again = tools(&hold, &later).ending(&Hold::new());
    let again = World::on(journal, env, Arc::new(model()), again, |_| {});
    again.engine.recover().await.unwrap();
    stopped(&mut again.watch(conversation).await).await;
    assert_eq!(summary(&again, conversation), "found");
    let mut later = questions(&later);
    later.sort_unstable();
    assert_eq!(later, ["reconcile", "stop"]);
}
