//! Packs: toolsets that a conversation has only if it began with them.

use std::sync::Arc;

use agent::{
    Deps, Engine, EngineConfig, Persona,
    ports::{ContextPart, Person, Recovery, Scope, SignInWay, Tool, Toolset, Via},
};
use async_trait::async_trait;
use protocol::{
    BlockedReason, Command, ConversationId, ErrorBody, ErrorCode, EventBody, Mode, Reference, Tier,
};
use serde_json::json;
use testkit::{Ledger, Script, ScriptedTools, spec};

use crate::{
    confirm::{code, tools, world},
    world::World,
};

/// A pack with one tool of its own name.
struct Pack(&'static str);

#[async_trait]
impl Toolset for Pack {
    fn name(&self) -> &'static str {
        self.0
    }

    fn pack(&self) -> Option<&'static str> {
        Some("A pack")
    }

    fn system_prompt(&self) -> String {
        format!("What is in the {}.", self.0)
    }

    fn tools(&self) -> Vec<Arc<dyn Tool>> {
        let tool = spec(self.0, Tier::Green, Recovery::Pure);
        ScriptedTools::new().with(tool).tools()
    }

    async fn context(&self, _about: &[Reference]) -> Vec<ContextPart> {
        Vec::new()
    }
}

/// A server on what a world keeps, with these packs and those of conversations without a choice.
fn engine(world: &World, packs: &[&'static str], usual: &[&str]) -> Engine {
    let mut toolsets: Vec<Arc<dyn Toolset>> = vec![Arc::new(tools(&Ledger::default()))];
    for name in packs {
        toolsets.push(Arc::new(Pack(name)));
    }
    let deps = Deps {
        journal: world.journal.clone(),
        model: world.model.clone(),
        toolsets,
        env: world.env.clone(),
    };
    let config = EngineConfig {
        packs: usual.iter().map(|name| (*name).to_owned()).collect(),
        ..EngineConfig::new("scripted-model")
    };
    Engine::new(deps, config).unwrap()
}

fn with_packs(scripts: Vec<Script>, usual: &[&str]) -> World {
    let mut world = world(scripts, ScriptedTools::new());
    world.engine = engine(&world, &["attic", "cellar"], usual);
    world
}

fn start(conversation: ConversationId, packs: Option<&[&str]>) -> Command {
    let mut command = Command::start(conversation, "Look");
    if let Command::Start { packs: chosen, .. } = &mut command {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        *chosen = packs.map(names);
    }
    command
}

/// The toolsets of a conversation that begins so.
async fn begun(world: &World, packs: Option<&[&str]>) -> Vec<String> {
    let conversation = world.conversation_id();
    world.command(start(conversation, packs)).await.unwrap();
    toolsets(world, conversation)
}

fn toolsets(world: &World, conversation: ConversationId) -> Vec<String> {
    match &world.journal.events(conversation)[0].body {
        EventBody::ConversationStarted { toolsets, .. } => toolsets.clone(),
        other => panic!("{other:?}"),
    }
}

/// The tools and the prompt that the model was last asked with.
fn asked(world: &World) -> (String, String) {
    let request = world.model.requests().pop().unwrap();
    let tools = request.tools.unwrap().get().to_owned();
    (tools, request.system.to_string())
}

#[tokio::test(start_paused = true)]
async fn a_conversation_has_the_packs_that_it_began_with() {
    let world = with_packs((0..6).map(|_| Script::say("Sir.")).collect(), &["cellar"]);
    let all: [(Option<&[&str]>, &[&str]); 5] = [
        // The configuration's, unless somebody chose; an empty choice is one.
        (None, &["scripted", "cellar"]),
        (Some(&[]), &["scripted"]),
        (Some(&["cellar"]), &["scripted", "cellar"]),
        // In the order of the server, however they were named.
        (Some(&["cellar", "attic"]), &["scripted", "attic", "cellar"]),
        (Some(&["attic", "attic"]), &["scripted", "attic"]),
    ];
    for (packs, expect) in all {
        assert_eq!(begun(&world, packs).await, expect, "{packs:?}");
    }
    // A persona of one's own goes through the same rule.
    let own = Persona::read("You are brief.", None).unwrap();
    world.journal.set_persona(world.user, own);
    assert_eq!(begun(&world, None).await, ["scripted", "cellar"]);
}

#[tokio::test(start_paused = true)]
async fn the_choice_stays_when_the_server_has_others() {
    let attic = || Script::new().call("a", "attic", json!({}));
    let scripts = vec![
        Script::say("Sir."),
        attic(),
        Script::say("Dusty, sir."),
        attic(),
        Script::say("It is gone, sir."),
    ];
    let mut world = with_packs(scripts, &[]);
    let conversation = world.conversation_id();
    let chosen = start(conversation, Some(&["attic"]));
    world.command(chosen).await.unwrap();
    world.watch(conversation).await.turn_end().await;
    let first = asked(&world);
    assert!(first.0.contains("\"attic\"") && !first.0.contains("\"cellar\""));
    assert!(first.1.contains("in the attic") && !first.1.contains("in the cellar"));

    // Another life of the server, with another default: byte for byte what it began with.
    world.engine = engine(&world, &["attic", "cellar"], &["cellar"]);
    world.ask(conversation, "And now?").await;
    assert_eq!(asked(&world), first);
    let ran = world.names(conversation);
    assert!(ran.contains(&"tool_finished".to_owned()), "{ran:?}");

    // Without the pack its tools are known, and do not run.
    world.engine = engine(&world, &["cellar"], &["cellar"]);
    world.ask(conversation, "And there?").await;
    assert_eq!(asked(&world), first);
    let events = world.journal.events(conversation);
    let blocked = events.iter().rev().find_map(|event| match &event.body {
        EventBody::ToolBlocked { reason, .. } => Some(*reason),
        _ => None,
    });
    assert_eq!(blocked, Some(BlockedReason::UnknownTool));
}

#[tokio::test(start_paused = true)]
async fn without_the_pack_its_tools_are_not_there() {
    let call = Script::new().call("a", "attic", json!({}));
    let world = with_packs(vec![call, Script::say("I cannot, sir.")], &[]);
    let (conversation, _) = world.run("Look into the attic").await;
    let (tools, system) = asked(&world);
    assert!(!tools.contains("\"attic\"") && !system.contains("in the attic"));
    let events = world.journal.events(conversation);
    let is_blocked = |body: &EventBody| {
        matches!(
            body,
            EventBody::ToolBlocked {
                reason: BlockedReason::NotAllowed,
                ..
            }
        )
    };
    assert!(events.iter().any(|event| is_blocked(&event.body)));
}

#[tokio::test(start_paused = true)]
async fn what_is_no_pack_is_refused_by_name() {
    let world = with_packs(Vec::new(), &[]);
    let hostile = "attic\u{202e}\n".repeat(40);
    for name in ["loft", "scripted", "", &hostile] {
        let id = world.conversation_id();
        let chosen = start(id, Some(&["attic", name]));
        let refused: ErrorBody = world.command(chosen).await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::PackNotFound, "{name:?}");
        assert!(refused.message.len() < 500, "{}", refused.message);
        assert!(!refused.message.contains('\n') && refused.help.is_some());
        assert!(world.journal.events(id).is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn a_sign_in_reaches_no_pack_that_it_does_not_name() {
    let scripts = vec![Script::say("Sir."), Script::say("Sir.")];
    let world = with_packs(scripts, &["cellar"]);
    let only = |names: &[&str]| Person {
        scope: Scope::Only(names.iter().map(|name| (*name).to_owned()).collect()),
        ..Person::from(world.user)
    };
    let begin = async |person: Person, packs: Option<&[&str]>| {
        let id = world.conversation_id();
        let command = start(id, packs);
        let sent = world.engine.command(person, world.command_id(), command);
        sent.await.map(|()| toolsets(&world, id))
    };
    // A choice is refused; the default is narrowed, as everything else is.
    let refused = begin(only(&["scripted"]), Some(&["attic"])).await;
    assert_eq!(code(refused.map(drop)), ErrorCode::RoleNotEnough);
    let narrowed = begin(only(&["scripted"]), None).await;
    assert_eq!(narrowed, Ok(vec!["scripted".to_owned()]));
    let chosen = begin(only(&["scripted", "attic"]), Some(&["attic"])).await;
    assert_eq!(chosen, Ok(vec!["scripted".to_owned(), "attic".to_owned()]));
    // A conversation with a pack is out of reach of who does not have the pack.
    let id = world.conversation_id();
    world.command(start(id, Some(&["attic"]))).await.unwrap();
    let peek = world
        .engine
        .subscribe(only(&["scripted"]), id, protocol::Seq(0));
    assert_eq!(code(peek.await.map(drop)), ErrorCode::RoleNotEnough);
}

#[tokio::test(start_paused = true)]
async fn what_continues_a_conversation_has_its_packs() {
    let scripts = vec![
        Script::say("1. Sweep it."),
        Script::say("Swept, sir."),
        Script::say("Swept again, sir."),
    ];
    let mut world = with_packs(scripts, &[]);
    let plan = world.conversation_id();
    let mut command = start(plan, Some(&["attic", "cellar"]));
    if let Command::Start { mode, .. } = &mut command {
        *mode = Mode::Plan;
    }
    world.command(command).await.unwrap();
    world.watch(plan).await.turn_end().await;
    let answer = world.first_answer(plan);
    // A pack that is gone by then is left out.
    world.engine = engine(&world, &["attic"], &[]);
    let carried = world.conversation_id();
    let mut command = start(carried, None);
    if let Command::Start { from, plan: of, .. } = &mut command {
        (*from, *of) = (Some(plan), Some(answer));
    }
    world.command(command).await.unwrap();
    assert_eq!(toolsets(&world, carried), ["scripted", "attic"]);
    world.watch(carried).await.turn_end().await;

    let branch = world.conversation_id();
    let mut events = world.journal.events(carried).into_iter();
    let message = events.find_map(|event| match event.body {
        EventBody::TurnStarted { message, .. } => Some(message),
        _ => None,
    });
    let command = Command::Branch {
        conversation: branch,
        from: carried,
        message: message.unwrap(),
        text: None,
        known: Vec::new(),
    };
    world.command(command).await.unwrap();
    assert_eq!(toolsets(&world, branch), ["scripted", "attic"]);
}

#[tokio::test(start_paused = true)]
async fn only_a_page_changes_what_its_account_chose() {
    let world = with_packs((0..3).map(|_| Script::say("Sir.")).collect(), &["cellar"]);
    let by = |via| Person {
        via,
        ..world.user.into()
    };
    let page = by(Via::Session {
        id: "0011223344556677".into(),
        way: SignInWay::Password,
    });
    let program = by(Via::Token {
        id: "tok_1".into(),
        decides: false,
    });
    let begin = async |person: &Person, packs: Option<&[&str]>| {
        let command = start(world.conversation_id(), packs);
        let id = world.command_id();
        world
            .engine
            .command(person.clone(), id, command)
            .await
            .unwrap();
    };
    begin(&program, Some(&["attic"])).await;
    assert_eq!(world.journal.packs(world.user), None);
    begin(&page, Some(&["attic"])).await;
    begin(&page, None).await;
    assert_eq!(world.journal.packs(world.user).unwrap(), ["attic"]);
    let unknown = start(world.conversation_id(), Some(&["loft"]));
    let refused = world.engine.command(page, world.command_id(), unknown);
    assert_eq!(code(refused.await), ErrorCode::PackNotFound);
    assert_eq!(world.journal.packs(world.user).unwrap(), ["attic"]);
}
