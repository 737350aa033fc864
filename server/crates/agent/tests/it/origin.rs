//! The origin of a call as its tool sees it, and tools that are for people alone.

use std::sync::{Arc, Mutex};

use agent::ports::{Audience, CallActor, CallOrigin, Person, Reconciled, Recovery, ToolSpec, Via};
use protocol::{BlockedReason, Command, ErrorCode, EventBody, Role, Tier, ToolOutput, TurnOutcome};
use serde_json::json;
use testkit::{AskedFor, Script, ScriptedModel, ScriptedTools, spec};

use crate::{
    confirm::{APPROVE, question},
    second::{all, decide, petra, red},
    world::{Watch, World},
};

type Origins = Arc<Mutex<Vec<CallOrigin>>>;

/// A tool for everybody and one for people, which note where their calls come from.
fn tools(origins: &Origins) -> ScriptedTools {
    let note = |origins: &Origins| {
        let origins = Arc::clone(origins);
        move |call: agent::ports::ToolCall, _| {
            origins.lock().unwrap().push(call.origin);
            std::future::ready(Ok(ToolOutput {
                summary: "noted".to_owned(),
                data: json!({}),
                images: Vec::new(),
            }))
        }
    };
    let people = ToolSpec {
        audience: Audience::People,
        ..spec("take_back", Tier::Yellow, Recovery::Idempotent)
    };
    ScriptedTools::new()
        .with_body(
            spec("draw", Tier::Yellow, Recovery::Idempotent),
            note(origins),
        )
        .with_body(people, note(origins))
}

fn world(tool: &str, origins: &Origins) -> World {
    let scripts = [
        Script::new().call("t", tool, json!({ "n": 1 })),
        Script::say("Sir."),
    ];
    World::new(ScriptedModel::in_order(scripts.into()), tools(origins))
}

impl World {
    async fn own_call(&self, tool: &str) -> protocol::ConversationId {
        let conversation = self.conversation_id();
        let act = Command::Act {
            conversation,
            tool: tool.to_owned(),
            input: json!({ "n": 1 }),
        };
        self.command(act).await.unwrap();
        let mut watch: Watch = self.watch(conversation).await;
        assert_eq!(watch.turn_end().await.1, TurnOutcome::Done);
        conversation
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_says_where_it_comes_from() {
    let origins = Origins::default();
    let world = world("draw", &origins);
    let (conversation, _) = world.run("Draw 1").await;
    let events = world.journal.events(conversation);
    let asked = events.into_iter().find_map(|event| match event.body {
        EventBody::AssistantMessage { turn, message, .. } => Some((turn, message)),
        _ => None,
    });
    let (turn, message) = asked.unwrap();
    let own = world.own_call("draw").await;
    assert_eq!(
        *origins.lock().unwrap(),
        [
            CallOrigin {
                conversation,
                person: world.user,
                turn: Some(turn),
                message: Some(message),
                actor: CallActor::Model,
            },
            CallOrigin {
                conversation: own,
                person: world.user,
                turn: None,
                message: None,
                actor: CallActor::Person,
            },
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn a_tool_of_people_is_none_to_the_model() {
    let origins = Origins::default();
    let world = world("take_back", &origins);
    let (conversation, _) = world.run("Take it back").await;
    let events = world.journal.events(conversation);
    let blocked = events.into_iter().find_map(|event| match event.body {
        EventBody::ToolBlocked { reason, .. } => Some(reason),
        _ => None,
    });
    assert_eq!(blocked, Some(BlockedReason::UnknownTool));
    assert!(origins.lock().unwrap().is_empty());
    let tools = world.model.requests()[0].tools.clone().unwrap();
    assert!(tools.get().contains("\"draw\"") && !tools.get().contains("take_back"));

    world.own_call("take_back").await;
    assert_eq!(origins.lock().unwrap()[0].actor, CallActor::Person);
}

/// Its sign-in may decide in a person's place, and is still none of a person.
#[tokio::test(start_paused = true)]
async fn a_program_calls_no_tool_of_people() {
    let origins = Origins::default();
    let world = world("take_back", &origins);
    for (tool, refused) in [
        ("take_back", Some(ErrorCode::TokenCannotDecide)),
        ("draw", None),
    ] {
        let program = Person {
            role: Role::Operator,
            via: Via::Token {
                id: "tok_1".into(),
                decides: true,
            },
            ..world.user.into()
        };
        let act = Command::Act {
            conversation: world.conversation_id(),
            tool: tool.to_owned(),
            input: json!({ "n": 1 }),
        };
        let id = world.command_id();
        let answer = world.engine.command(program, id, act).await;
        assert_eq!(answer.err().map(|error| error.code), refused, "{tool}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_is_for_the_owner_whoever_approves_it_and_after_a_restart_too() {
    let asked_for = AskedFor::default();
    let tools = ScriptedTools::new()
        .with_body(spec("red", Tier::Red, Recovery::Reconcilable), |_, _| {
            std::future::pending()
        })
        .with_found("red", Reconciled::NotDone("There is no task.".to_owned()))
        .noting(&asked_for);
    let scripts = vec![red("a"), Script::say("It did not run, sir.")];
    let model = ScriptedModel::in_order(scripts);
    let world = World::with(model, tools.clone(), |config| config.rules = all());
    world.journal.set_role(petra(), Some(Role::Operator));
    let conversation = world.start("Restart pve").await;
    let mut watch = world.watch(conversation).await;
    let (call, card) = question(&mut watch).await;
    let approved = decide(&world, petra(), conversation, (call, &card), APPROVE).await;
    approved.unwrap();
    watch
        .event(|body| matches!(body, EventBody::ToolStarted { .. }))
        .await;
    // Another server takes over, as after a crash.
    let (journal, env) = (world.journal.clone(), world.env.clone());
    let next = World::on(journal, env, world.model.clone(), tools, |config| {
        config.rules = all();
    });
    next.engine.recover().await.unwrap();
    next.watch(conversation).await.turn_end().await;
    let expect = ["preview", "preview", "call", "reconcile"].map(|it| (it, world.user));
    assert_eq!(*asked_for.lock().unwrap(), expect);
}
