//! The reach of a sign-in that is for some toolsets only.

use std::sync::Arc;

use agent::{
    Deps, Engine, EngineConfig, Persona, ToolsetPage,
    ports::{
        Assessment, ContextPart, Person, Preview, Progress, Reconciled, Recovery, Scope, Tool,
        ToolCall, ToolError, ToolSpec, Toolset,
    },
};
use async_trait::async_trait;
use futures::{FutureExt, StreamExt};
use protocol::{
    BlockedReason, Command, ConversationId, ErrorBody, ErrorCode, EventBody, Mode, Reference, Role,
    Seq, ServerFrame, Shelf, Tier, Timestamp, ToolOutput,
};
use serde_json::{Value, json};
use testkit::{Ledger, Script, spec};

use crate::{
    confirm::{code, tools, world},
    world::{Watch, World},
};

/// A second toolset.
struct Far {
    tools: Vec<ToolSpec>,
    alone: bool,
}

#[async_trait]
impl Toolset for Far {
    fn name(&self) -> &'static str {
        "far"
    }

    fn system_prompt(&self) -> String {
        "What is far away.".to_owned()
    }

    fn subject(&self) -> Option<&'static str> {
        Some("stars")
    }

    fn tools(&self) -> Vec<Arc<dyn Tool>> {
        let tools = self.tools.iter().cloned().map(FarTool);
        tools.map(|tool| Arc::new(tool) as Arc<dyn Tool>).collect()
    }

    fn refers(&self, reference: &Reference) -> bool {
        reference.kind == "star"
    }

    fn stands_alone(&self) -> bool {
        self.alone
    }

    async fn context(&self, _about: &[Reference]) -> Vec<ContextPart> {
        Vec::new()
    }
}

struct FarTool(ToolSpec);

#[async_trait]
impl Tool for FarTool {
    fn spec(&self) -> ToolSpec {
        self.0.clone()
    }

    fn target(&self, _input: &Value) -> Option<String> {
        None
    }

    fn objects(&self, _input: &Value) -> Vec<String> {
        Vec::new()
    }

    fn assess(&self, input: &Value) -> Assessment {
        Assessment::plain(self.0.tier, input)
    }

    async fn preview(&self, _call: &ToolCall) -> Result<Preview, ErrorBody> {
        unreachable!("nothing is asked for")
    }

    async fn reconcile(&self, _call: &ToolCall, _since: Timestamp) -> Reconciled {
        unreachable!("nothing was cut off")
    }

    async fn call(&self, call: ToolCall, _progress: Progress) -> Result<ToolOutput, ToolError> {
        Ok(ToolOutput {
            summary: "Far away.".to_owned(),
            data: call.input,
            images: Vec::new(),
        })
    }
}

/// A world with the toolsets `scripted` and `far`.
fn two(scripts: Vec<Script>) -> World {
    with_far(scripts, false)
}

fn with_far(scripts: Vec<Script>, alone: bool) -> World {
    let mut world = world(scripts, tools(&Ledger::default()));
    let deps = Deps {
        journal: world.journal.clone(),
        model: world.model.clone(),
        toolsets: vec![
            Arc::new(tools(&Ledger::default())),
            Arc::new(Far {
                tools: vec![spec("look", Tier::Green, Recovery::Pure)],
                alone,
            }),
        ],
        env: world.env.clone(),
    };
    let page = ToolsetPage {
        toolset: "far".to_owned(),
        title: "Stars".to_owned(),
        path: "/stars".to_owned(),
    };
    let config = EngineConfig {
        pages: vec![page],
        ..EngineConfig::new("scripted-model")
    };
    world.engine = Engine::new(deps, config).unwrap();
    world
}

/// The world's user by a sign-in for these toolsets.
fn only(world: &World, toolsets: &[&str]) -> Person {
    let toolsets = toolsets.iter().map(|name| (*name).to_owned());
    Person {
        role: Role::Admin,
        scope: Scope::Only(toolsets.collect()),
        ..world.user.into()
    }
}

fn start(conversation: ConversationId) -> Command {
    Command::start(conversation, "Look")
}

#[tokio::test(start_paused = true)]
async fn what_it_begins_holds_its_toolsets_alone() {
    let look = Script::new().call("l", "look", json!({}));
    let world = two(vec![look, Script::say("Sir.")]);
    let own = Persona::read("You are brief.", None).unwrap();
    world.journal.set_persona(world.user, own);
    let person = only(&world, &["scripted"]);
    let conversation = world.conversation_id();
    let begun = world
        .engine
        .command(person.clone(), world.command_id(), start(conversation));
    begun.await.unwrap();
    let subscribed = world.engine.subscribe(person, conversation, Seq(0));
    Watch::new(subscribed.await.unwrap()).turn_end().await;

    let events = world.journal.events(conversation);
    let EventBody::ConversationStarted { toolsets, .. } = &events[0].body else {
        panic!("{:?}", events[0]);
    };
    assert_eq!(toolsets, &["scripted"]);
    let asked = &world.model.requests()[0];
    assert!(!asked.system.contains("far away"), "{}", asked.system);
    assert!(
        asked
            .system
            .contains("- You are brief.\n- Use no form of address.")
    );
    let definitions = asked.tools.as_ref().unwrap().get();
    assert!(definitions.contains("\"red\"") && !definitions.contains("\"look\""));
    // The server has the tool, and the model asks for it all the same.
    let blocked = events.iter().find_map(|event| match &event.body {
        EventBody::ToolBlocked { reason, .. } => Some(*reason),
        _ => None,
    });
    assert_eq!(blocked, Some(BlockedReason::NotAllowed));

    // Nothing begins without a toolset.
    let gone = only(&world, &["gone"]);
    let begun = world
        .engine
        .command(gone, world.command_id(), start(world.conversation_id()));
    assert_eq!(code(begun.await), ErrorCode::RoleNotEnough);
}

#[tokio::test(start_paused = true)]
async fn other_toolsets_are_none_of_its_business() {
    let world = two(vec![Script::say("Sir."), Script::say("Sir.")]);
    let (both, _) = world.run("Hello").await;
    let before = world.journal.events(both);
    let far = only(&world, &["far"]);
    let engine = &world.engine;
    let refused = |command| engine.command(far.clone(), world.command_id(), command);

    let send = Command::Send {
        conversation: both,
        text: "Restart pve".to_owned(),
        withdraw: false,
        references: Vec::new(),
    };
    let stop = Command::Stop {
        conversation: both,
        turn: world.last_turn(both),
    };
    let from = Command::Start {
        conversation: world.conversation_id(),
        mode: Mode::Default,
        text: "Go on".to_owned(),
        from: Some(both),
        plan: None,
        choice: None,
        references: Vec::new(),
        packs: None,
    };
    for command in [send, stop, from, Command::KillSwitch { on: false }] {
        let named = format!("{command:?}");
        assert_eq!(
            code(refused(command).await),
            ErrorCode::RoleNotEnough,
            "{named}"
        );
    }
    let not_enough = |result: Result<(), protocol::ErrorBody>| {
        assert_eq!(code(result), ErrorCode::RoleNotEnough);
    };
    not_enough(engine.rename(far.clone(), both, "Mine").await);
    not_enough(engine.shelve(far.clone(), both, Shelf::Pinned).await);
    not_enough(engine.delete(far.clone(), both).await);
    not_enough(engine.restore(far.clone(), both).await);
    let peek = engine.subscribe(far.clone(), both, Seq(0)).await;
    not_enough(peek.map(|_| ()));
    not_enough(engine.subscribe_board(&far.scope, "scripted").map(|_| ()));
    assert_eq!(world.journal.events(both), before);

    // Stopping everything is always allowed, and the list has the lines within reach.
    let mut list = engine.subscribe_list(far.clone());
    world.ask(both, "And now?").await;
    refused(Command::KillSwitch { on: true }).await.unwrap();
    let frame = list.next().now_or_never().flatten().unwrap().unwrap();
    let frame: ServerFrame = serde_json::from_slice(frame.as_bytes()).unwrap();
    assert!(matches!(frame, ServerFrame::KillSwitch { .. }), "{frame:?}");
}

/// A toolset that stands alone is in the conversations about its things, and they have no other.
#[tokio::test(start_paused = true)]
async fn a_toolset_that_stands_alone() {
    let world = with_far(vec![Script::say("Sir."), Script::say("Sir.")], true);
    let toolsets = |conversation| {
        let events = world.journal.events(conversation);
        match &events[0].body {
            EventBody::ConversationStarted { toolsets, .. } => toolsets.clone(),
            other => panic!("{other:?}"),
        }
    };
    let usual = world.conversation_id();
    world.command(start(usual)).await.unwrap();
    assert_eq!(toolsets(usual), ["scripted"]);
    let about = |conversation| {
        let mut command = start(conversation);
        if let Command::Start { references, .. } = &mut command {
            references.push(Reference::new("star", "sirius"));
        }
        command
    };
    let stars = world.conversation_id();
    world.command(about(stars)).await.unwrap();
    assert_eq!(toolsets(stars), ["far"]);
    // A sign-in that does not reach it begins none.
    let person = only(&world, &["scripted"]);
    let id = world.command_id();
    let refused = world
        .engine
        .command(person, id, about(world.conversation_id()));
    assert_eq!(code(refused.await), ErrorCode::RoleNotEnough);
    Watch::new(world.subscribe(stars, Seq(0)).await)
        .turn_end()
        .await;
    let request = world.model.requests().pop().unwrap();
    let tools = request.tools.unwrap();
    assert!(tools.get().contains("look") && !tools.get().contains("green"));
    // Those without its tools know where its questions belong, and that they go along.
    let line = "- stars: [Stars](/stars#ask)";
    let told = |world: &World| {
        world
            .model
            .requests()
            .iter()
            .map(|it| it.system.contains(line))
            .collect::<Vec<_>>()
    };
    assert_eq!(told(&world), [true, false]);
}

/// Its plan is carried out where its tools are: the new conversation is about the same things. Things of
/// other toolsets are not named again for the person.
#[tokio::test(start_paused = true)]
async fn the_plan_of_a_toolset_that_stands_alone_keeps_its_subject() {
    for alone in [true, false] {
        let scripts = vec![Script::say("1. Look at it."), Script::say("Seen, sir.")];
        let world = with_far(scripts, alone);
        let plan = world.conversation_id();
        let sirius = Reference::new("star", "sirius");
        let mut command = start(plan);
        if let Command::Start {
            references, mode, ..
        } = &mut command
        {
            references.push(sirius.clone());
            *mode = Mode::Plan;
        }
        world.command(command).await.unwrap();
        world.watch(plan).await.turn_end().await;
        let carried = world.conversation_id();
        let mut command = start(carried);
        if let Command::Start { from, plan: of, .. } = &mut command {
            (*from, *of) = (Some(plan), Some(world.first_answer(plan)));
        }
        world.command(command).await.unwrap();
        let events = world.journal.events(carried);
        let held = events.iter().find_map(|event| match &event.body {
            EventBody::ConversationStarted { toolsets, .. } => Some(toolsets.clone()),
            _ => None,
        });
        let about = events.iter().find_map(|event| match &event.body {
            EventBody::TurnStarted { references, .. } => Some(references.clone()),
            _ => None,
        });
        if alone {
            assert_eq!(held.unwrap(), ["far"]);
            assert_eq!(about.unwrap(), [sirius]);
        } else {
            assert_eq!(held.unwrap(), ["scripted", "far"]);
            assert_eq!(about.unwrap(), []);
        }
        world.watch(carried).await.turn_end().await;
    }
}
