//! Requests to the model: the same bytes every time, with more at the end.

use agent::ports::{ContextPart, ModelRequest, Recovery, RequestRole};
use protocol::{Tier, TurnOutcome};
use serde_json::json;
use testkit::{Script, ScriptedModel, ScriptedTools, spec};

use crate::world::{World, flat};

/// Each turn looks once and then answers.
fn model() -> ScriptedModel {
    ScriptedModel::by(|request| {
        let last = request.messages.last().unwrap();
        let answered = last.content[0].get().contains("tool_result");
        let n = flat(request).len();
        if answered {
            Script::new().think("so").text("Sir.")
        } else {
            Script::new()
                .think("let me see")
                .call(&format!("c{n}"), "look", json!({ "n": n }))
        }
    })
}

fn tools() -> ScriptedTools {
    ScriptedTools::new()
        .with(spec("look", Tier::Green, Recovery::Pure))
        .with_context(|| async {
            vec![ContextPart {
                source: "cluster",
                data: Ok(json!({ "nodes": 4 })),
            }]
        })
}

fn turns(request: &ModelRequest) -> usize {
    let asked = |text: &str| text.contains(r#""text":"question"#);
    flat(request).iter().filter(|(_, text)| asked(text)).count()
}

fn thoughts(request: &ModelRequest) -> usize {
    let thought = |text: &str| text.contains(r#""type":"thinking""#);
    flat(request)
        .iter()
        .filter(|(_, text)| thought(text))
        .count()
}

#[tokio::test(start_paused = true)]
async fn each_request_extends_the_one_before_until_the_window_moves() {
    let world = World::with(model(), tools(), |config| config.history_limit = 8);
    let (conversation, _) = world.run("question 0").await;
    for n in 1..12 {
        world.env.advance(60_000);
        let outcome = world.ask(conversation, &format!("question {n}")).await;
        assert_eq!(outcome, TurnOutcome::Answered);
    }
    let requests = world.model.requests();
    assert_eq!(requests.len(), 24);
    let mut strides = Vec::new();
    for (n, pair) in requests.windows(2).enumerate() {
        let (before, after) = (flat(&pair[0]), flat(&pair[1]));
        assert_eq!(pair[0].system, pair[1].system);
        assert_eq!(
            pair[0].tools.as_ref().map(|tools| tools.get()),
            pair[1].tools.as_ref().map(|tools| tools.get())
        );
        if after.len() < before.len() || after[..before.len()] != before {
            strides.push((n + 1, turns(&pair[1]), thoughts(&pair[1])));
        }
    }
    // Four turns fit. The fifth drops to two and no thought is left; two more turns fit, and so on.
    assert_eq!(strides, [(8, 2, 0), (14, 2, 0), (20, 2, 0)]);
    for request in &requests {
        well_formed(request);
    }
}

/// The rules of the API on a history.
pub(crate) fn well_formed(request: &ModelRequest) {
    assert_eq!(request.messages[0].role, RequestRole::User);
    let mut open: Vec<String> = Vec::new();
    for message in &request.messages {
        let blocks: Vec<serde_json::Value> = message
            .content
            .iter()
            .map(|block| serde_json::from_str(block.get()).unwrap())
            .collect();
        assert!(!blocks.is_empty());
        let results: Vec<_> = blocks
            .iter()
            .take_while(|block| block["type"] == "tool_result")
            .map(|block| block["tool_use_id"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(results, open, "results come first, in call order");
        open = blocks
            .iter()
            .filter(|block| block["type"] == "tool_use")
            .map(|block| block["id"].as_str().unwrap().to_owned())
            .collect();
        let late = blocks
            .iter()
            .skip(results.len())
            .any(|block| block["type"] == "tool_result");
        assert!(!late, "a result after other content");
        let blank = blocks.iter().any(|block| {
            block["type"] == "text" && block["text"].as_str().unwrap().trim().is_empty()
        });
        assert!(!blank, "blank text");
    }
    assert!(open.is_empty(), "calls without results");
    let last = request.messages.last().unwrap();
    assert_eq!(last.role, RequestRole::User, "a request ends with the user");
}

#[tokio::test(start_paused = true)]
async fn a_conversation_keeps_its_prompt_when_the_server_changes() {
    let first = World::new(model(), tools());
    let (conversation, _) = first.run("question 0").await;
    first.engine.shutdown().await;
    let more = tools().with(spec("new", Tier::Green, Recovery::Pure));
    let second = World::on(
        first.journal.clone(),
        first.env.clone(),
        first.model.clone(),
        more,
        |config| {
            config.model = "another-model".to_owned();
            config.history_limit = 2;
        },
    );
    let mut watch = second.watch(conversation).await;
    watch.turn_end().await;
    // Identifiers of commands are the client's: another range.
    let text = "question 1".to_owned();
    let command = protocol::Command::Send {
        conversation,
        text,
        withdraw: false,
        references: Vec::new(),
    };
    let id = protocol::CommandId::new(protocol::Timestamp(77), 77);
    second
        .engine
        .command(second.user, id, command)
        .await
        .unwrap();
    watch.turn_end().await;
    let requests = first.model.requests();
    let (before, after) = (&requests[1], &requests[2]);
    assert_eq!(before.model, after.model);
    assert_eq!(before.system, after.system);
    assert_eq!(
        before.tools.as_ref().unwrap().get(),
        after.tools.as_ref().unwrap().get()
    );
    let (before, after) = (flat(before), flat(after));
    assert_eq!(after[..before.len()], before);
}

#[tokio::test(start_paused = true)]
async fn what_was_declined_is_not_shown_again() {
    let model = ScriptedModel::in_order(vec![
        Script::say("One."),
        Script::say("I must").stop(protocol::StopReason::Refusal),
        Script::say("Three."),
    ]);
    let world = World::new(model, tools());
    let (conversation, _) = world.run("one").await;
    assert_eq!(world.ask(conversation, "bad").await, TurnOutcome::Refused);
    world.ask(conversation, "three").await;
    let gist = crate::world::gist(&world.model.requests()[2]);
    assert_eq!(gist, ["U: one", "A: One.", "U: three"]);
}
