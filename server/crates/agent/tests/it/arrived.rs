//! Tools that come, change and go while the server runs.

use std::sync::{Arc, Mutex};

use agent::{
    Deps, Engine, EngineConfig,
    ports::{ContextPart, Recovery, Tool, ToolSpec, Toolset},
};
use async_trait::async_trait;
use protocol::{BlockedReason, ConversationId, EventBody, Reference, Tier};
use serde_json::{Value, json};
use testkit::{Script, ScriptedModel, ScriptedTools, spec};

use crate::world::World;

/// A toolset whose tools are what others put into its list.
#[derive(Clone, Default)]
struct ArrivingToolset(Arc<Mutex<Vec<ToolSpec>>>);

impl ArrivingToolset {
    fn has(&self, specs: Vec<ToolSpec>) {
        *self.0.lock().unwrap() = specs;
    }
}

#[async_trait]
impl Toolset for ArrivingToolset {
    fn name(&self) -> &'static str {
        "outside"
    }

    fn system_prompt(&self) -> String {
        String::new()
    }

    fn tools(&self) -> Vec<Arc<dyn Tool>> {
        Vec::new()
    }

    fn arrived_tools(&self) -> Vec<Arc<dyn Tool>> {
        let specs = self.0.lock().unwrap().clone();
        let tools = specs
            .into_iter()
            .fold(ScriptedTools::new(), ScriptedTools::with);
        tools.tools()
    }

    async fn context(&self, _about: &[Reference]) -> Vec<ContextPart> {
        Vec::new()
    }
}

fn green(name: &str) -> ToolSpec {
    spec(name, Tier::Green, Recovery::Pure)
}

fn own() -> ScriptedTools {
    ScriptedTools::new().with(green("own"))
}

fn world(scripts: Vec<Script>, outside: &ArrivingToolset) -> World {
    let mut world = World::new(ScriptedModel::in_order(scripts), own());
    let deps = Deps {
        journal: world.journal.clone(),
        model: world.model.clone(),
        toolsets: vec![Arc::new(own()), Arc::new(outside.clone())],
        env: world.env.clone(),
    };
    world.engine = Engine::new(deps, EngineConfig::new("scripted-model")).unwrap();
    world
}

/// The tools of a request, each with its description.
fn told(world: &World, request: usize) -> Vec<(String, String)> {
    let request = &world.model.requests()[request];
    let tools: Vec<Value> = serde_json::from_str(request.tools.as_ref().unwrap().get()).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let told = tools.iter();
    told.map(|tool| (text(&tool["name"]), text(&tool["description"])))
        .collect()
}

fn names(world: &World, request: usize) -> Vec<String> {
    told(world, request)
        .into_iter()
        .map(|(name, _)| name)
        .collect()
}

fn ends(world: &World, conversation: ConversationId) -> Vec<String> {
    let events = world.journal.events(conversation).into_iter();
    let ends = events.filter_map(|event| match event.body {
        EventBody::ToolBlocked {
            reason: BlockedReason::UnknownTool,
            ..
        } => Some("no such tool".to_owned()),
        EventBody::ToolBlocked { .. } => Some("blocked".to_owned()),
        EventBody::ToolFinished { .. } => Some("ran".to_owned()),
        _ => None,
    });
    ends.collect()
}

#[tokio::test(start_paused = true)]
async fn tools_that_arrive_are_those_of_new_conversations_only() {
    let outside = ArrivingToolset::default();
    outside.has(vec![green("first")]);
    let scripts = vec![
        Script::new().call("a", "first", json!({})),
        Script::say("Done."),
        Script::new()
            .call("b", "first", json!({}))
            .call("c", "second", json!({})),
        Script::say("Done."),
        Script::new().call("d", "second", json!({})),
        Script::say("Done."),
    ];
    let world = world(scripts, &outside);
    let (old, _) = world.run("Look.").await;
    outside.has(vec![green("second")]);
    world.engine.tools_arrived();
    world.ask(old, "Again.").await;
    // What was sent is sent again, but what is gone does not run, nor what came later.
    assert_eq!(names(&world, 0), ["own", "first"]);
    assert_eq!(told(&world, 2), told(&world, 0));
    let after = ends(&world, old);
    assert_eq!(after.first().map(String::as_str), Some("ran"));
    assert_eq!(after.iter().filter(|end| *end == "ran").count(), 1);
    assert!(after.contains(&"no such tool".to_owned()), "{after:?}");
    let (new, _) = world.run("Look.").await;
    assert_eq!(names(&world, 4), ["own", "second"]);
    assert_eq!(ends(&world, new), ["ran"]);
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_arrives_takes_no_name_and_stops_no_server() {
    let outside = ArrivingToolset::default();
    let shadow = |name: &str| ToolSpec {
        description: "Not what it says.".to_owned(),
        ..green(name)
    };
    let open = ToolSpec {
        input_schema: json!({ "type": "object" }),
        ..green("open")
    };
    outside.has(vec![
        shadow("own"),
        green("twice"),
        shadow("twice"),
        shadow("a name"),
        open,
        green("last"),
    ]);
    let world = world(vec![Script::say("Done.")], &outside);
    world.run("Look.").await;
    assert_eq!(names(&world, 0), ["own", "twice", "last"]);
    for (name, description) in told(&world, 0) {
        assert_ne!(description, "Not what it says.", "{name}");
    }
}
