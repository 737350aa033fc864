//! Rules of one run of the server: they narrow what conversations may do, and nothing widens it.

use agent::ports::Recovery;
use protocol::{BlockedReason, Command, EventBody, Mode, Tier, TurnOutcome};
use serde_json::{Value, json};
use testkit::{Script, ScriptedModel, ScriptedTools, spec};

use crate::world::World;

fn tools() -> ScriptedTools {
    ScriptedTools::new()
        .with(spec("green", Tier::Green, Recovery::Pure))
        .with(spec("other", Tier::Green, Recovery::Pure))
}

/// The tools of a request.
fn told(world: &World, request: usize) -> Vec<String> {
    let request = &world.model.requests()[request];
    let Some(tools) = &request.tools else {
        return Vec::new();
    };
    let tools: Vec<Value> = serde_json::from_str(tools.get()).unwrap();
    tools
        .iter()
        .map(|tool| tool["name"].as_str().unwrap().to_owned())
        .collect()
}

fn list(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

fn ends(world: &World, conversation: protocol::ConversationId) -> Vec<String> {
    let events = world.journal.events(conversation).into_iter();
    let ends = events.filter_map(|event| match event.body {
        EventBody::ToolBlocked {
            reason: BlockedReason::NotAllowed,
            ..
        } => Some("blocked".to_owned()),
        EventBody::ToolFinished { .. } => Some("ran".to_owned()),
        _ => None,
    });
    ends.collect()
}

#[tokio::test(start_paused = true)]
async fn a_conversation_has_what_the_rules_leave_of_its_tools() {
    for (allowed, disallowed, left) in [
        (None, vec![], vec!["green", "other"]),
        (Some(vec!["green", "root"]), vec![], vec!["green"]),
        (None, vec!["other"], vec!["green"]),
        (Some(vec!["other", "green"]), vec!["other"], vec!["green"]),
        (Some(vec![]), vec![], vec![]),
    ] {
        let scripts = vec![
            Script::new()
                .call("a", "green", json!({}))
                .call("b", "other", json!({})),
            Script::say("Done."),
        ];
        let world = World::with(ScriptedModel::in_order(scripts), tools(), |config| {
            config.run.allowed = allowed.as_deref().map(list);
            config.run.disallowed = list(&disallowed);
        });
        let (conversation, _) = world.run("Look.").await;
        assert_eq!(told(&world, 0), left);
        let ran = ends(&world, conversation);
        let ran = ran.iter().filter(|end| *end == "ran").count();
        assert_eq!(ran, left.len());
    }
}

#[tokio::test(start_paused = true)]
async fn a_conversation_from_before_the_rules_keeps_them_too() {
    let both = || {
        Script::new()
            .call("a", "green", json!({}))
            .call("b", "other", json!({}))
    };
    let scripts = vec![both(), Script::say("Done."), both(), Script::say("Done.")];
    let world = World::new(ScriptedModel::in_order(scripts), tools());
    let (conversation, _) = world.run("Look.").await;
    world
        .engine
        .reconfigure(|config| config.run.disallowed = list(&["other"]));
    world.ask(conversation, "Again.").await;
    assert_eq!(ends(&world, conversation), ["ran", "ran", "blocked", "ran"]);
    // What was sent stays as it was.
    assert_eq!(told(&world, 2), ["green", "other"]);
}

#[tokio::test(start_paused = true)]
async fn in_plan_mode_every_new_conversation_plans() {
    let scripts = vec![Script::say("I would look.")];
    let world = World::with(ScriptedModel::in_order(scripts), tools(), |config| {
        config.run.mode = Mode::Plan;
        config.run.max_turns = Some(1);
    });
    let (conversation, outcome) = world.run("Look.").await;
    // One step is all that it takes, so no limit was reached.
    assert_eq!(outcome, TurnOutcome::Answered);
    assert_eq!(told(&world, 0), Vec::<String>::new());
    let events = world.journal.events(conversation);
    assert!(matches!(
        events[0].body,
        EventBody::ConversationStarted {
            mode: Mode::Plan,
            ..
        }
    ));
}

#[tokio::test(start_paused = true)]
async fn a_turn_has_at_most_so_many_calls_of_the_model() {
    for (turns, mode) in [
        (1, Mode::Default),
        (3, Mode::Default),
        (1, Mode::Plan),
        (2, Mode::Plan),
    ] {
        // A model that never answers, and in plan mode asks for tools that are not there.
        let model = ScriptedModel::by(|_| Script::new().call("a", "green", json!({})));
        let world = World::with(model, tools(), |config| config.run.max_turns = Some(turns));
        let conversation = world.conversation_id();
        let start = Command::Start {
            conversation,
            mode,
            text: "Look.".to_owned(),
            from: None,
            plan: None,
            choice: None,
            references: Vec::new(),
            packs: None,
        };
        world.command(start).await.unwrap();
        world.watch(conversation).await.turn_end().await;
        let asked = world.model.requests().len();
        assert!(asked <= turns as usize, "{asked} of {turns} in {mode:?}");
    }
}
