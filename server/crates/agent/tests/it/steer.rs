//! Messages to the running turn: read at its next step, withdrawn, or left for a turn of their own.

use agent::ports::Recovery;
use protocol::{Command, ConversationId, ErrorCode, EventBody, MessageId, Tier, TurnOutcome};
use serde_json::json;
use testkit::{Hold, Script, ScriptedModel, ScriptedTools, spec};

use crate::{
    confirm::code,
    prompt::well_formed,
    world::{World, flat, gist},
};

fn tools() -> ScriptedTools {
    ScriptedTools::new().with(spec("green", Tier::Green, Recovery::Pure))
}

impl World {
    async fn steer(&self, conversation: ConversationId, text: &str) -> MessageId {
        let text = text.to_owned();
        self.command(Command::Steer {
            conversation,
            text: text.clone(),
            references: Vec::new(),
        })
        .await
        .unwrap();
        let events = self.journal.events(conversation);
        let said = events.iter().rev().find_map(|event| match &event.body {
            EventBody::MessageSteered {
                message, text: of, ..
            } if *of == text => Some(*message),
            _ => None,
        });
        said.unwrap()
    }
}

#[tokio::test(start_paused = true)]
async fn it_is_read_at_the_next_step_after_the_results() {
    let hold = Hold::new();
    let scripts = vec![
        Script::new().hold(&hold).call("g", "green", json!({})),
        Script::say("On pve2, then."),
        Script::say("Later."),
    ];
    let world = World::new(ScriptedModel::in_order(scripts), tools());
    let conversation = world.start("Look at pve").await;
    hold.reached().await;
    let withdrawn = world.steer(conversation, "Never mind").await;
    world.steer(conversation, "Only pve2").await;
    world.send(conversation, "And later?").await.unwrap();
    let withdraw = Command::Withdraw {
        conversation,
        message: withdrawn,
    };
    world.command(withdraw.clone()).await.unwrap();
    hold.open();
    let mut watch = world.watch(conversation).await;
    watch.turn_end().await;
    watch.turn_end().await;
    let requests = world.model.requests();
    assert_eq!(
        gist(&requests[1]),
        ["U: Look at pve", "A: call g", "U: result g", "U: Only pve2"]
    );
    // In one message of the user, with the results first.
    let last = requests[1].messages.last().unwrap();
    assert_eq!(last.content.len(), 2);
    assert!(last.content[0].get().contains("tool_result"));
    // The message that was not for this turn began the next; the one that was read is sent again
    // byte for byte.
    assert_eq!(gist(&requests[2]).last().unwrap(), "U: And later?");
    let (before, after) = (flat(&requests[1]), flat(&requests[2]));
    assert_eq!(before[..], after[..before.len()]);
    for request in &requests {
        well_formed(request);
    }
    assert_eq!(
        code(world.command(withdraw).await),
        ErrorCode::MessageNotQueued
    );
    // It is where it was read, and began no turn.
    let names = world.names(conversation);
    let read = names
        .iter()
        .position(|name| name == "message_read")
        .unwrap();
    assert_eq!(
        names[read - 1..=read + 1],
        ["tool_finished", "message_read", "step_started"]
    );
    assert!(watch.transcript.queue().is_empty());
}

#[tokio::test(start_paused = true)]
async fn without_another_step_it_begins_the_next_turn() {
    let hold = Hold::new();
    let scripts = vec![
        Script::new().hold(&hold).text("Done."),
        Script::say("Sure."),
    ];
    let world = World::new(ScriptedModel::in_order(scripts), tools());
    let conversation = world.start("Look").await;
    hold.reached().await;
    world.steer(conversation, "Only pve2").await;
    hold.open();
    let mut watch = world.watch(conversation).await;
    watch.turn_end().await;
    assert_eq!(watch.turn_end().await.1, TurnOutcome::Answered);
    let names = world.names(conversation);
    assert!(!names.contains(&"message_read".to_owned()));
    assert_eq!(
        names.iter().filter(|name| *name == "turn_started").count(),
        2
    );
    // When nothing runs, it is a message like any other.
    let (conversation, _) = (conversation, ());
    let idle = world.command(Command::Steer {
        conversation: ConversationId::new(protocol::Timestamp(0), 5),
        text: "x".to_owned(),
        references: Vec::new(),
    });
    assert_eq!(code(idle.await), ErrorCode::ConversationNotFound);
    assert!(!world.journal.events(conversation).is_empty());
}

#[tokio::test(start_paused = true)]
async fn what_was_read_before_a_failure_is_not_said_twice() {
    let hold = Hold::new();
    let scripts = vec![
        Script::new().hold(&hold).call("g", "green", json!({})),
        Script::new().fail(agent::ports::ModelErrorKind::Failed, false),
        Script::say("Now."),
        Script::say("Later."),
    ];
    let world = World::new(ScriptedModel::in_order(scripts), tools());
    let conversation = world.start("Look").await;
    hold.reached().await;
    world.steer(conversation, "Only pve2").await;
    hold.open();
    let mut watch = world.watch(conversation).await;
    let (turn, outcome) = watch.turn_end().await;
    assert!(matches!(outcome, TurnOutcome::Failed { .. }));
    // Trying again reads it once, and runs nothing twice.
    world
        .command(Command::Retry { conversation, turn })
        .await
        .unwrap();
    watch.turn_end().await;
    world.ask(conversation, "And now?").await;
    for request in world.model.requests().iter().skip(1) {
        let said = gist(request);
        assert_eq!(
            said.iter().filter(|line| *line == "U: Only pve2").count(),
            1,
            "{said:?}"
        );
        assert_eq!(
            said.iter().filter(|line| *line == "U: result g").count(),
            1,
            "{said:?}"
        );
        assert_eq!(
            said[..4],
            ["U: Look", "A: call g", "U: result g", "U: Only pve2"]
        );
        well_formed(request);
    }
    assert_eq!(
        world
            .names(conversation)
            .iter()
            .filter(|name| *name == "tool_started")
            .count(),
        1
    );
}
